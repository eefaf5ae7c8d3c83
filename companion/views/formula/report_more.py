"""Boardless: the pages of a report behind its first one: spaces, debris, blocks, cars touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.formula.asks import ReportAsk
from companion.views.formula.facts import name_of
from companion.views.formula.parts import car_screen
from companion.views.formula.report import (
    COUNTS,
    HURT,
    OUT_BY_STOPS,
    Report,
    beyond,
    hides_old,
    onto,
    plus,
    report_page,
    send,
    so_far,
    title_of,
    touched_in,
)
from companion.views.games import AskWords
from companion.views.seat.core import Choice, Screen, Talk, at, back, make_key, paged, to_page
from companion.views.seat.parts import asked
from companion.views.words import phrase

QUESTIONS = {"brakes": phrase("Spaces braked?"), "blocked": phrase("Spaces blocked?")}
"""What is counted on a page of its own."""
OUT_BY_BLOCK = 7
"""FD-BLOCK-1: so many spaces blocked, or more, put a car out."""
ENDS_BRAKED = 2
"""So many spaces braked have keys that send a stop in a corner, which is what one brakes for."""
ENDS_BEYOND = 3
"""So many keys of an overshoot stand beside them on the first page."""
ON_FIRST, ON_SECOND = 5, 2
"""So many keys stand on the first page of that list, and before "out" on its second."""


def more_page(talk: Talk) -> Screen:
    """Debris, cars, blocked; over the line into a corner; the box, hurt, or all anew."""
    report, bounds, say = so_far(talk), talk.the(ReportAsk).bounds, talk.say
    choices: dict[int, Choice | None] = {6: back(talk, plus(talk))}
    if bounds["debris"][1]:
        choices[1] = _debris(talk, report)
    if bounds["touched"]:
        choices[2] = to_page(say("touched"), onto(talk, "touched", report), "more")
    if bounds["blocked"][1]:
        choices[3] = to_page(say(COUNTS["blocked"][0]), onto(talk, "blocked", report), "more")
    if True in bounds["line"] and "line" not in report:
        over = {**report, "line": True, "corner": True}
        choices[4] = send(talk, say("line"), over, say("corner"))
    choices[5] = _fifth(talk, report)
    return car_screen(talk, talk.who, asked(talk, say("What happened?")), at(choices))


def _debris(talk: Talk, report: Report) -> Choice:
    """A marker more was crossed; after the last that can have been, none."""
    crossed, most = report.get("debris", 0), talk.the(ReportAsk).bounds["debris"][1]
    assert isinstance(crossed, int), "debris is a count"
    hint = f"{crossed} + 1" if crossed else ""
    then = plus(talk, debris=0 if crossed >= most else crossed + 1)
    return to_page(talk.say(COUNTS["debris"][0]), then, hint=hint)


def _fifth(talk: Talk, report: Report) -> Choice | None:
    """The report that was taken back, the own box, that somebody was hurt, or to begin anew."""
    old = talk.old
    if isinstance(old, Mapping) and hides_old(talk):
        key = make_key(talk.say("as then"), mark="old")
        return Choice(key, talk.answer(dict(old)), talk.home())  # what was rolled is asked
    if set(report) <= {"debris", "line"} and True in talk.the(ReportAsk).bounds["pit"]:
        return send(talk, talk.say("box"), {**report, "pit": True})
    if touched_in(report) and HURT not in talk.dialog.picked:
        return to_page(talk.say("hurt"), onto(talk, "so far", report, hurt=True))
    return Choice(make_key(talk.say("anew")), then=talk.home()) if report else None


# -- the spaces ------------------------------------------------------------------------------


def overshoot_page(talk: Talk) -> Screen:
    """Braked to stop in a corner, or so many spaces too far: a key each, which sends it.

    An overshoot is no stop. First those that the figures of the card make likely (FD-CORNER-2 to
    FD-CORNER-4).
    """
    report, say = so_far(talk), talk.say
    braked = [_braked(talk, report, n) for n in _may_brake(talk, report)]
    over = _overshot(talk, report)
    out, missing = {**report, "missing": OUT_BY_STOPS}, say("−{n} stops", n=OUT_BY_STOPS)
    rest = [send(talk, say("OUT"), out, missing, "out")]
    if beyond(talk):  # the key of a clean move is that of an overshoot
        rest.append(send(talk, say("clean"), report))
    if braked:
        then = onto(talk, "brakes", report)
        rest.append(to_page(say(COUNTS["brakes"][0]), then, "more", say("and…")))
    rest.append(back(talk, plus(talk)))
    if True in talk.the(ReportAsk).bounds["line"] and "line" not in report:
        then = onto(talk, "overshoot", {**report, "line": True})
        rest.append(to_page(say("line"), then, "more", say("and…")))
    choices = [
        *braked[:ENDS_BRAKED],
        *over[:ENDS_BEYOND],
        *braked[ENDS_BRAKED:],
        *over[ENDS_BEYOND:],
    ]
    choices[ON_FIRST + ON_SECOND : ON_FIRST + ON_SECOND] = rest
    title = title_of(talk, report) if report else say("Braked, or too far?")
    return _listed(talk, title, choices)


def _may_brake(talk: Talk, report: Report) -> range:
    most = talk.the(ReportAsk).bounds["brakes"][1]
    return range(1, 1 if "brakes" in report else most + 1)


def _braked(talk: Talk, report: Report, n: int) -> Choice:
    return send(talk, f"−{n}", {**report, "brakes": n, "corner": True}, talk.say("corner"))


def _overshot(talk: Talk, report: Report) -> list[Choice]:
    most, about = talk.the(ReportAsk).bounds["overshoot"][1], beyond(talk).get("overshoot")
    numbers = list(range(1, most + 1))
    if isinstance(about, int):
        numbers.sort(key=lambda n: abs(n - about) > 1)
    hint = talk.say(COUNTS["overshoot"][0])
    return [
        send(talk, f"+{n}", {**report, "overshoot": n, "missing": 1}, hint, "costs")
        for n in numbers
    ]


# -- the other lists -------------------------------------------------------------------------


def count_page(talk: Talk) -> Screen:
    """How many spaces: a key each; what puts the car out says so."""
    name = talk.dialog.page
    most = talk.the(ReportAsk).bounds[name][1]
    if name == "blocked":
        most = min(most, OUT_BY_BLOCK)
    choices = [_number(talk, name, n) for n in range(1, most + 1)]
    return _listed(talk, talk.say(QUESTIONS[name]), choices, back(talk, plus(talk)))


def _number(talk: Talk, name: str, n: int) -> Choice:
    if name == "blocked" and n == OUT_BY_BLOCK:
        return to_page(f"{n}+", plus(talk, blocked=n), "out", talk.say("OUT"))
    return to_page(str(n), plus(talk, **{name: n}))


def touched_page(talk: Talk) -> Screen:
    """Whom did it touch: beside it, or directly ahead. Pressed again, a car is untouched.

    The likeliest first.
    """
    near, ask, choices = touched_in(so_far(talk)), talk.the(ReportAsk), []
    for seat in dict.fromkeys((*ask.near, *ask.bounds["touched"])):
        there = seat in near
        seats = [one for one in near if one != seat] if there else [*near, seat]
        hint = talk.say("touched") if there else ""
        choices.append(to_page(name_of(talk.scene, seat), plus(talk, touched=seats), hint=hint))
    return _listed(talk, talk.say("Touched whom?"), choices, back(talk, plus(talk)))


def _listed(
    talk: Talk, title: str, choices: Sequence[Choice], leave: Choice | None = None
) -> Screen:
    """A list, of which the page after it keeps what has been picked."""
    return car_screen(talk, talk.who, asked(talk, title), paged(talk, choices, leave=leave))


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
            **dict.fromkeys(QUESTIONS, count_page),
            "overshoot": overshoot_page,
        },
    )
}
