"""Boardless: what a seat reports of its move, on six keys.

Three presses of a turn stay three: a clean move, one that ended in a corner and one over the
line are a press each. Key 4 has a page of the spaces: braked to stop in a corner, or too far,
and a press of it sends. Key 5 is the car that the move has most likely touched, then the next
one, or a page of them; the rest is behind 6. What has been picked stands in the title, and 1 to
3 then send it along with how the move ended.

Whoever has touched somebody rolls before pressing: the keys send that nobody was hurt with the
report, and `hurt` (behind 6) has the rolls asked as they are on a board.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.commands import Answer
from companion.rules.formula.asks import ReportAsk
from companion.views.facts import is_thrown_for
from companion.views.formula.facts import name_of, the_race
from companion.views.formula.parts import car_screen
from companion.views.model import Mark
from companion.views.seat.core import (
    Choice,
    Dialog,
    Screen,
    Talk,
    at,
    make_key,
    more,
    to_page,
)
from companion.views.seat.parts import asked
from companion.views.words import LINE_COLUMNS, fit, phrase

OUT_BY_STOPS = 2
"""FD-CORNER-3: so many stops missing put a car out."""
HURT = "hurt=1"
"""Picked where somebody was hurt: then the rolls are asked."""

COUNTS = {
    "brakes": (phrase("braked"), phrase("brake {n}")),
    "overshoot": (phrase("overrun"), phrase("over {n}")),
    "blocked": (phrase("blocked"), phrase("block {n}")),
    "debris": (phrase("debris"), phrase("debris {n}")),
}
"""What is counted: its key, and how the title tells it."""

Report = dict[str, int | list[int]]
"""A report as it is answered: a count or true, and of `touched` the seats."""


def so_far(talk: Talk) -> Report:
    """The report as far as it has been picked: `name=value`, seats apart by commas."""
    report: Report = {}
    for part in talk.dialog.picked:
        name, _, value = part.partition("=")
        seats = [int(seat) for seat in value.split(",") if seat]
        if part != HURT:
            report[name] = seats if name == "touched" else True if name == "line" else int(value)
    return report


def touched_in(report: Mapping[str, object]) -> list[int]:
    """The seats that a report says were touched."""
    seats = report.get("touched", [])
    return seats if isinstance(seats, list) else []


def onto(talk: Talk, page: str, report: Report, *, hurt: bool | None = None) -> Dialog:
    """Another page with what has been picked; the first page where that is nothing."""
    is_hurt = HURT in talk.dialog.picked if hurt is None else hurt
    if not report and page == "so far":
        return talk.home()

    def text(value: int | list[int]) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(int(value))

    picked = tuple(f"{name}={text(value)}" for name, value in report.items())
    return talk.turn_to(page, picked=(*picked, HURT) if is_hurt else picked)


def plus(talk: Talk, **rest: int | list[int]) -> Dialog:
    """The first page, with something more picked; what is 0, false or empty is left out."""
    return onto(talk, "so far", _without_nothing({**so_far(talk), **rest}))


# -- the first page --------------------------------------------------------------------------


def report_page(talk: Talk) -> Screen:
    """How did it end? Clean, in a corner, over the line; or what else happened first.

    Where a card has found out more, a key has it: an overshoot in place of a clean move, and
    the next corner in place of the line.
    """
    say, report = talk.say, so_far(talk)
    choices: dict[int, Choice | None] = {
        button: send(talk, label, ending, hint, mark)
        for button, (label, ending, hint, mark) in _endings(talk, report).items()
    }
    choices[4] = _to_spaces(talk, report)
    choices[5] = _touches(talk, report)
    hint = say(COUNTS["debris"][0])
    choices[6] = more(talk, onto(talk, "more", report), hint)
    if hides_old(talk):
        choices[6] = to_page(say("more"), onto(talk, "more", report), "old", hint)
    return car_screen(talk, talk.who, asked(talk, title_of(talk, report)), at(choices))


def _to_spaces(talk: Talk, report: Report) -> Choice:
    """The page of the spaces: braked, or too far."""
    bounds, say = talk.the(ReportAsk).bounds, talk.say
    braked = say(COUNTS["brakes"][0]) if bounds["brakes"][1] and "brakes" not in report else ""
    then = onto(talk, "overshoot", report)
    return to_page(say(COUNTS["overshoot"][0]), then, "more", braked)


def _touches(talk: Talk, report: Report) -> Choice | None:
    """The car that it has most likely touched, then the next one; all, where there is none."""
    ask, near = talk.the(ReportAsk), touched_in(report)
    at_hand = max((ask.near.index(seat) + 1 for seat in near if seat in ask.near), default=0)
    for seat in ask.near[at_hand:]:
        then, hint = plus(talk, touched=[*near, seat]), talk.say("touched")
        return to_page(name_of(talk.scene, seat), then, hint=hint)
    if not ask.bounds["touched"]:
        return None
    return to_page(talk.say("touched"), onto(talk, "touched", report), "more")


def _endings(talk: Talk, report: Report) -> dict[int, tuple[str, Report, str, Mark]]:
    """The first keys, which send how the move ended: label, report, hint and mark."""
    say, ask, near = talk.say, talk.the(ReportAsk), touched_in(report)
    found: dict[int, tuple[str, Report, str, Mark]] = {
        1: (say("done") if report else say("clean"), report, "", ""),
        2: (say("corner"), {**report, "corner": True}, "" if near else say("stop"), ""),
    }
    over = beyond(talk)
    if over and not report:
        n = over.get("overshoot")
        found[1] = (
            (f"+{n}", over, say(COUNTS["overshoot"][0]), "costs")
            if n
            else (say("OUT"), over, say("−{n} stops", n=OUT_BY_STOPS), "out")
        )
    if ask.card and True in ask.bounds["next"]:
        here, there = _labels_of_corners(talk)
        found[2] = say("corner"), {**report, "corner": True}, here, ""
        found[3] = say("corner"), {**report, "corner": True, "next": True}, there, ""
    elif True in ask.bounds["line"] and not report.get("line"):
        found[3] = say("line"), {**report, "line": True}, "", ""
    return found


def beyond(talk: Talk) -> Report:
    """The overshoot that the figures of the card offer; empty where they offer none."""
    likely = talk.the(ReportAsk).likely
    return next((dict(one) for one in likely if one.get("missing")), {})


def _labels_of_corners(talk: Talk) -> tuple[str, str]:
    """The corner that the car was in, and the one behind it."""
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    here = str((talk.the(ReportAsk).card or {}).get("corner", ""))
    return here, labels[(labels.index(here) + 1) % len(labels)]


def title_of(talk: Talk, report: Report) -> str:
    """What has been picked; before that how far the car goes."""
    if report:
        near = touched_in(report)
        after = [talk.say("unhurt")] if near and _is_unhurt(talk, report) else []
        names = [f"+{name_of(talk.scene, seat)}" for seat in near]
        title = ", ".join([*_words(talk, report), *names, *after])
        if near and len(title) > LINE_COLUMNS:
            title = ", ".join([*_words(talk, report), f"+{len(near)}", *after])
        return fit(title, LINE_COLUMNS)
    ask = talk.the(ReportAsk)
    if ask.slide:
        return talk.say("{n}, corner {m}", n=ask.spaces, m=ask.spaces + ask.slide)
    return talk.say.many("{n} space", "{n} spaces", ask.spaces)


def _words(talk: Talk, report: Report) -> list[str]:
    """What has been picked but for the cars touched, a few letters each."""
    words = [talk.say(COUNTS[name][1], n=report[name]) for name in COUNTS if name in report]
    if "line" in report:
        words.append(talk.say("line"))
    return words


# -- what is sent ----------------------------------------------------------------------------


def send(talk: Talk, label: str, report: Report, hint: str = "", mark: Mark = "") -> Choice:
    """A key that sends a report; where cars were touched, that nobody was hurt as well."""
    answer, rolls = Answer(talk.who, ReportAsk.kind, report), tuple[Answer, ...]()
    if touched_in(report) and _is_unhurt(talk, report):
        # Imported here: it brings all of the rules, which a start has no use for yet.
        from companion.rules.formula.boardless.unhurt import unhurt

        rolls = unhurt(the_race(talk.scene), answer)
        hint = hint or (talk.say("unhurt") if rolls else "")
    key = make_key(label, hint, "old" if is_old(talk, report) else mark)
    return Choice(key, (answer, *rolls), talk.home())


def _is_unhurt(talk: Talk, report: Report) -> bool:
    """Whether a key says too that nobody was hurt, as all have rolled dice of their own."""
    about = (talk.who, *touched_in(report))
    return HURT not in talk.dialog.picked and not any(
        is_thrown_for(talk.scene, seat) for seat in about
    )


def is_old(talk: Talk, report: Mapping[str, int | list[int]]) -> bool:
    """Is this the report that was taken back, whatever it left out?"""
    old = talk.old
    return isinstance(old, Mapping) and _without_nothing(old) == _without_nothing(report)


def _without_nothing(report: Mapping[str, int | list[int]]) -> Report:
    return {name: value for name, value in report.items() if value}


def hides_old(talk: Talk) -> bool:
    """Is there an old report that none of the first three keys sends?"""
    if not isinstance(talk.old, Mapping) or talk.dialog.picked:
        return False
    return not any(is_old(talk, report) for _, report, *_ in _endings(talk, {}).values())
