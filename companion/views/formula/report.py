"""Boardless: what a seat reports of its move, on six keys.

Three presses of a turn stay three: a clean move, one that ended in a corner and one over the
line are a press each. What else happened is picked before: brakes and the cars touched behind
4 and 5, the rest behind 6; what has been picked stands in the title, and 1 to 3 then send it
along with how the move ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.views.facts import name_of
from companion.views.formula.gear import asked
from companion.views.formula.parts import car_screen
from companion.views.model import Mark
from companion.views.seat.core import (
    Choice,
    Dialog,
    Screen,
    Talk,
    at,
    back,
    make_key,
    more,
    paged,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit, phrase

OUT_BY_BLOCK = 7
"""FD-BLOCK-1: so many spaces blocked, or more, put a car out."""
OUT_BY_STOPS = 2
"""FD-CORNER-3: so many stops missing put a car out."""
OUT_AT = 3
"""The place of that key among the spaces of an overshoot: on the first page."""

COUNTS = {
    "brakes": (phrase("braked"), phrase("Spaces braked?"), phrase("brake {n}")),
    "overshoot": (phrase("overrun"), phrase("Spaces too far?"), phrase("over {n}")),
    "blocked": (phrase("blocked"), phrase("Spaces blocked?"), phrase("block {n}")),
    "debris": (phrase("debris"), phrase("Debris crossed?"), phrase("debris {n}")),
}
"""What is counted: its key, its question, and how the title tells it."""

Said = dict[str, Any]


def said_so_far(talk: Talk) -> Said:
    """The report as far as it has been picked: `name=value`, seats apart by commas."""
    told: Said = {}
    for part in talk.dialog.picked:
        name, _, value = part.partition("=")
        seats = [int(seat) for seat in value.split(",") if seat]
        told[name] = seats if name == "touched" else True if name == "line" else int(value)
    return told


def _picked(said: Mapping[str, Any]) -> tuple[str, ...]:
    def text(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(int(value))

    return tuple(f"{name}={text(value)}" for name, value in said.items())


def _onto(talk: Talk, page: str, said: Mapping[str, Any]) -> Dialog:
    """Another page with what has been picked; the first page where that is nothing."""
    if not said and page == "so far":
        return talk.home()
    return talk.turn_to(page, picked=_picked(said))


def _plus(talk: Talk, **more_said: Any) -> Dialog:
    """The first page, with something more picked; what is 0, false or empty is not said."""
    said = {**said_so_far(talk), **more_said}
    return _onto(talk, "so far", {name: value for name, value in said.items() if value})


# -- the first page --------------------------------------------------------------------------


def report_page(talk: Talk) -> Screen:
    """How did it end? Clean, in a corner, over the line; or what else happened first."""
    say, said = talk.say, said_so_far(talk)
    bounds = talk.ask["options"]
    choices: dict[int, Choice | None] = {
        1: _send(talk, say("done") if said else say("clean"), said),
        2: _send(talk, say("corner"), {**said, "corner": True}, say("stop")),
        6: more(talk, _onto(talk, "more", said), say("over…")),
    }
    if True in bounds["line"] and not said.get("line"):
        choices[3] = _send(talk, say("line"), {**said, "line": True})
    if bounds["brakes"][1]:
        choices[4] = _count(talk, "brakes")
    if bounds["touched"]:
        choices[5] = to_page(say("touched"), _onto(talk, "touched", said), "more")
    if _hides_old(talk):
        choices[6] = to_page(say("more"), _onto(talk, "more", said), "old", say("over…"))
    return car_screen(talk, talk.who, asked(talk, _title(talk, said)), at(choices))


def _title(talk: Talk, said: Mapping[str, Any]) -> str:
    """What has been picked; before that how far the car goes."""
    if said:
        near = said.get("touched", ())
        names = [f"+{name_of(talk.scene, seat)}" for seat in near]
        told = ", ".join([*_words(talk, said), *names])
        if near and len(told) > LINE_COLUMNS:
            told = ", ".join([*_words(talk, said), f"+{len(near)}"])
        return fit(told, LINE_COLUMNS)
    spaces, slide = talk.ask["spaces"], talk.ask.get("slide", 0)
    if slide:
        return talk.say("{n}, corner {m}", n=spaces, m=spaces + slide)
    return talk.say.many("{n} space", "{n} spaces", spaces)


def _words(talk: Talk, said: Mapping[str, Any]) -> list[str]:
    """What has been picked but for the cars touched, a few letters each."""
    told = [talk.say(COUNTS[name][2], n=said[name]) for name in COUNTS if name in said]
    if said.get("missing", 0) >= OUT_BY_STOPS:
        told.append(talk.say("OUT"))
    if "line" in said:
        told.append(talk.say("line"))
    return told


def _send(talk: Talk, label: str, said: Said, hint: str = "") -> Choice:
    mark: Mark = "old" if _is_old(talk, said) else ""
    return Choice(make_key(label, hint, mark), talk.answer(said), talk.home())


def _is_old(talk: Talk, said: Mapping[str, Any]) -> bool:
    """Is this the report that was taken back, whatever it left out?"""
    old = talk.old
    return isinstance(old, Mapping) and _told(old) == _told(said)


def _told(report: Mapping[str, Any]) -> Said:
    return {name: value for name, value in report.items() if value}


def _hides_old(talk: Talk) -> bool:
    """Is there an old report that none of the first three keys sends?"""
    old = talk.old
    if not isinstance(old, Mapping) or talk.dialog.picked:
        return False
    return not any(_is_old(talk, said) for said in ({}, {"corner": True}, {"line": True}))


# -- what else -------------------------------------------------------------------------------


def more_page(talk: Talk) -> Screen:
    """Overshoot, blocked, debris; the line before a corner; the box, or all from the start."""
    said, bounds = said_so_far(talk), talk.ask["options"]
    choices: dict[int, Choice | None] = {6: back(talk, _plus(talk))}
    for button, name in ((1, "overshoot"), (2, "blocked"), (3, "debris")):
        if bounds[name][1]:
            choices[button] = _count(talk, name)
    if True in bounds["line"] and "line" not in said:
        choices[4] = to_page(talk.say("line"), _plus(talk, line=True), hint=talk.say("and…"))
    choices[5] = _fifth(talk, said)
    return car_screen(talk, talk.who, asked(talk, talk.say("What happened?")), at(choices))


def _fifth(talk: Talk, said: Said) -> Choice | None:
    """The report that was taken back, the own box, or to begin anew."""
    if _hides_old(talk):
        return _send(talk, talk.say("as then"), dict(talk.old))
    if set(said) <= {"debris", "line"} and True in talk.ask["options"]["pit"]:
        return _send(talk, talk.say("box"), {**said, "pit": True})
    return Choice(make_key(talk.say("anew")), then=talk.home()) if said else None


def _count(talk: Talk, name: str) -> Choice:
    return to_page(talk.say(COUNTS[name][0]), _onto(talk, name, said_so_far(talk)), "more")


def count_page(talk: Talk) -> Screen:
    """How many spaces: a key each; what puts the car out says so."""
    name, say = talk.dialog.page, talk.say
    most = talk.ask["options"][name][1]
    if name == "blocked":
        most = min(most, OUT_BY_BLOCK)
    choices = [_number(talk, name, n) for n in range(1, most + 1)]
    if name == "overshoot":
        out = _plus(talk, missing=OUT_BY_STOPS, overshoot=0)
        missing = say("−{n} stops", n=OUT_BY_STOPS)
        choices.insert(OUT_AT, to_page(say("OUT"), out, "out", missing))
    return _list(talk, asked(talk, say(COUNTS[name][1])), choices)


def _number(talk: Talk, name: str, n: int) -> Choice:
    if name == "blocked" and n == OUT_BY_BLOCK:
        return to_page(f"{n}+", _plus(talk, blocked=n), "out", talk.say("OUT"))
    also = {"missing": 1} if name == "overshoot" else {}
    return to_page(str(n), _plus(talk, **{name: n}, **also))


def touched_page(talk: Talk) -> Screen:
    """Whom did it touch: beside it, or directly ahead. Pressed again, a car is untouched."""
    near: list[int] = said_so_far(talk).get("touched", [])
    choices = []
    for seat in talk.ask["options"]["touched"]:
        there = seat in near
        seats = [one for one in near if one != seat] if there else [*near, seat]
        hint = talk.say("touched") if there else ""
        choices.append(to_page(name_of(talk.scene, seat), _plus(talk, touched=seats), hint=hint))
    return _list(talk, asked(talk, talk.say("Touched whom?")), choices)


def _list(talk: Talk, title: str, choices: Sequence[Choice]) -> Screen:
    leave = back(talk, _plus(talk))
    return car_screen(talk, talk.who, title, paged(talk, choices, leave=leave))
