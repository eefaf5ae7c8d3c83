"""Boardless: what a seat reports of its move, on six keys.

Three presses of a turn stay three: a clean move, one that ended in a corner and one over the
line are a press each. What else happened is picked before: brakes and the cars touched behind
4 and 5, the rest behind 6; what has been picked stands in the title, and 1 to 3 then send it
along with how the move ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.formula.asks import ReportAsk
from companion.views.formula.facts import name_of
from companion.views.formula.parts import car_screen
from companion.views.games import AskWords, Outcomes
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
from companion.views.seat.parts import asked
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

Report = dict[str, int | list[int]]
"""A report as it is answered: a count or true, and of `touched` the seats."""


def so_far(talk: Talk) -> Report:
    """The report as far as it has been picked: `name=value`, seats apart by commas."""
    report: Report = {}
    for part in talk.dialog.picked:
        name, _, value = part.partition("=")
        seats = [int(seat) for seat in value.split(",") if seat]
        report[name] = seats if name == "touched" else True if name == "line" else int(value)
    return report


def touched_in(report: Report) -> list[int]:
    """The seats that a report says were touched."""
    seats = report.get("touched", [])
    return seats if isinstance(seats, list) else []


def _picked(report: Report) -> tuple[str, ...]:
    def text(value: int | list[int]) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(int(value))

    return tuple(f"{name}={text(value)}" for name, value in report.items())


def _onto(talk: Talk, page: str, report: Report) -> Dialog:
    """Another page with what has been picked; the first page where that is nothing."""
    if not report and page == "so far":
        return talk.home()
    return talk.turn_to(page, picked=_picked(report))


def _plus(talk: Talk, **rest: int | list[int]) -> Dialog:
    """The first page, with something more picked; what is 0, false or empty is left out."""
    return _onto(talk, "so far", _without_nothing({**so_far(talk), **rest}))


# -- the first page --------------------------------------------------------------------------


def report_page(talk: Talk) -> Screen:
    """How did it end? Clean, in a corner, over the line; or what else happened first."""
    say, report = talk.say, so_far(talk)
    bounds = talk.the(ReportAsk).bounds
    choices: dict[int, Choice | None] = {
        1: _send(talk, say("done") if report else say("clean"), report),
        2: _send(talk, say("corner"), {**report, "corner": True}, say("stop")),
        6: more(talk, _onto(talk, "more", report), say("over…")),
    }
    if True in bounds["line"] and not report.get("line"):
        choices[3] = _send(talk, say("line"), {**report, "line": True})
    if bounds["brakes"][1]:
        choices[4] = _count(talk, "brakes")
    if bounds["touched"]:
        choices[5] = to_page(say("touched"), _onto(talk, "touched", report), "more")
    if _hides_old(talk):
        choices[6] = to_page(say("more"), _onto(talk, "more", report), "old", say("over…"))
    return car_screen(talk, talk.who, asked(talk, _title(talk, report)), at(choices))


def _title(talk: Talk, report: Report) -> str:
    """What has been picked; before that how far the car goes."""
    if report:
        near = touched_in(report)
        names = [f"+{name_of(talk.scene, seat)}" for seat in near]
        title = ", ".join([*_words(talk, report), *names])
        if near and len(title) > LINE_COLUMNS:
            title = ", ".join([*_words(talk, report), f"+{len(near)}"])
        return fit(title, LINE_COLUMNS)
    ask = talk.the(ReportAsk)
    if ask.slide:
        return talk.say("{n}, corner {m}", n=ask.spaces, m=ask.spaces + ask.slide)
    return talk.say.many("{n} space", "{n} spaces", ask.spaces)


def _words(talk: Talk, report: Report) -> list[str]:
    """What has been picked but for the cars touched, a few letters each."""
    words = [talk.say(COUNTS[name][2], n=report[name]) for name in COUNTS if name in report]
    if report.get("missing") == OUT_BY_STOPS:
        words.append(talk.say("OUT"))
    if "line" in report:
        words.append(talk.say("line"))
    return words


def _send(talk: Talk, label: str, report: Report, hint: str = "") -> Choice:
    key = make_key(label, hint, "old" if _is_old(talk, report) else "")
    return Choice(key, talk.answer(report), talk.home())


def _is_old(talk: Talk, report: Report) -> bool:
    """Is this the report that was taken back, whatever it left out?"""
    old = talk.old
    return isinstance(old, Mapping) and _without_nothing(old) == _without_nothing(report)


def _without_nothing(report: Mapping[str, int | list[int]]) -> Report:
    return {name: value for name, value in report.items() if value}


def _hides_old(talk: Talk) -> bool:
    """Is there an old report that none of the first three keys sends?"""
    if not isinstance(talk.old, Mapping) or talk.dialog.picked:
        return False
    sent: tuple[Report, ...] = ({}, {"corner": True}, {"line": True})
    return not any(_is_old(talk, report) for report in sent)


# -- what else -------------------------------------------------------------------------------


def more_page(talk: Talk) -> Screen:
    """Overshoot, blocked, debris; the line before a corner; the box, or all from the start."""
    report, bounds = so_far(talk), talk.the(ReportAsk).bounds
    choices: dict[int, Choice | None] = {6: back(talk, _plus(talk))}
    for button, name in ((1, "overshoot"), (2, "blocked"), (3, "debris")):
        if bounds[name][1]:
            choices[button] = _count(talk, name)
    if True in bounds["line"] and "line" not in report:
        choices[4] = to_page(talk.say("line"), _plus(talk, line=True), hint=talk.say("and…"))
    choices[5] = _fifth(talk, report)
    return car_screen(talk, talk.who, asked(talk, talk.say("What happened?")), at(choices))


def _fifth(talk: Talk, report: Report) -> Choice | None:
    """The report that was taken back, the own box, or to begin anew."""
    old = talk.old
    if isinstance(old, Mapping) and _hides_old(talk):
        return _send(talk, talk.say("as then"), dict(old))
    if set(report) <= {"debris", "line"} and True in talk.the(ReportAsk).bounds["pit"]:
        return _send(talk, talk.say("box"), {**report, "pit": True})
    return Choice(make_key(talk.say("anew")), then=talk.home()) if report else None


def _count(talk: Talk, name: str) -> Choice:
    return to_page(talk.say(COUNTS[name][0]), _onto(talk, name, so_far(talk)), "more")


def count_page(talk: Talk) -> Screen:
    """How many spaces: a key each; what puts the car out says so."""
    name, say = talk.dialog.page, talk.say
    most = talk.the(ReportAsk).bounds[name][1]
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
    near, choices = touched_in(so_far(talk)), []
    for seat in talk.the(ReportAsk).bounds["touched"]:
        there = seat in near
        seats = [one for one in near if one != seat] if there else [*near, seat]
        hint = talk.say("touched") if there else ""
        choices.append(to_page(name_of(talk.scene, seat), _plus(talk, touched=seats), hint=hint))
    return _list(talk, asked(talk, talk.say("Touched whom?")), choices)


def _list(talk: Talk, title: str, choices: Sequence[Choice]) -> Screen:
    leave = back(talk, _plus(talk))
    return car_screen(talk, talk.who, title, paged(talk, choices, leave=leave))


ASKS = {
    ReportAsk.kind: AskWords(
        "{name} moves and reports",
        "{name}: how did the move end?",
        "",
        report_page,
        {
            "so far": report_page,
            "more": more_page,
            "touched": touched_page,
            **dict.fromkeys(COUNTS, count_page),
        },
    )
}
SENTENCES = {
    ("Reported", ""): phrase("{name} moves {spaces}."),
    ("Reported", "braked"): phrase("{name} brakes {brakes} of {spaces}."),
}
OUTCOMES: Outcomes = {"Reported": lambda event: "braked" if event.get("brakes") else ""}
