"""Boardless: what a seat reports of its move, on six keys.

Three presses of a turn stay three: a clean move, one that ended in a corner and one over the
line are a press each. What else happened is picked before: brakes and the cars touched behind
4 and 5, the rest behind 6; what has been picked stands in the title, and 1 to 3 then send it
along with how the move ended. How far a corner was overshot ends the report: it is no stop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.formula.asks import ReportAsk
from companion.views.formula.facts import name_of
from companion.views.formula.parts import car_screen
from companion.views.games import AskWords, Outcomes
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
from companion.views.seat.parts import asked
from companion.views.words import LINE_COLUMNS, fit, phrase
from companion.views.words.places import corner_name

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
    """How did it end? Clean, in a corner, over the line; or what else happened first.

    Where a card has found out more, a key has it: an overshoot in place of a clean move, and
    the next corner in place of the line.
    """
    say, report = talk.say, so_far(talk)
    bounds = talk.the(ReportAsk).bounds
    choices: dict[int, Choice | None] = {
        button: _send(talk, label, ending, hint, mark)
        for button, (label, ending, hint, mark) in _endings(talk, report).items()
    }
    choices[6] = more(talk, _onto(talk, "more", report), say("over…"))
    if bounds["brakes"][1]:
        choices[4] = _count(talk, "brakes")
    if bounds["touched"]:
        choices[5] = to_page(say("touched"), _onto(talk, "touched", report), "more")
    if _hides_old(talk):
        choices[6] = to_page(say("more"), _onto(talk, "more", report), "old", say("over…"))
    return car_screen(talk, talk.who, asked(talk, _title(talk, report)), at(choices))


def _endings(talk: Talk, report: Report) -> dict[int, tuple[str, Report, str, Mark]]:
    """The first keys, which send how the move ended: label, report, hint and mark."""
    say, ask = talk.say, talk.the(ReportAsk)
    found: dict[int, tuple[str, Report, str, Mark]] = {
        1: (say("done") if report else say("clean"), report, "", ""),
        2: (say("corner"), {**report, "corner": True}, say("stop"), ""),
    }
    beyond = _beyond(talk)
    if beyond and not report:
        over = beyond.get("overshoot")
        found[1] = (
            (f"+{over}", beyond, say(COUNTS["overshoot"][0]), "costs")
            if over
            else (say("OUT"), beyond, say("−{n} stops", n=OUT_BY_STOPS), "out")
        )
    if ask.card and True in ask.bounds["next"]:
        here, there = _labels_of_corners(talk)
        found[2] = say("corner"), {**report, "corner": True}, here, ""
        found[3] = say("corner"), {**report, "corner": True, "next": True}, there, ""
    elif True in ask.bounds["line"] and not report.get("line"):
        found[3] = say("line"), {**report, "line": True}, "", ""
    return found


def _beyond(talk: Talk) -> Report:
    """The overshoot that the figures of the card offer; empty where they offer none."""
    likely = talk.the(ReportAsk).likely
    return next((dict(one) for one in likely if one.get("missing")), {})


def _labels_of_corners(talk: Talk) -> tuple[str, str]:
    """The corner that the car was in, and the one behind it."""
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    here = str((talk.the(ReportAsk).card or {}).get("corner", ""))
    return here, labels[(labels.index(here) + 1) % len(labels)]


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
    if "line" in report:
        words.append(talk.say("line"))
    return words


def _send(talk: Talk, label: str, report: Report, hint: str = "", mark: Mark = "") -> Choice:
    key = make_key(label, hint, "old" if _is_old(talk, report) else mark)
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
    return not any(_is_old(talk, report) for _, report, *_ in _endings(talk, {}).values())


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
    return _list(talk, asked(talk, say(COUNTS[name][1])), choices)


def _number(talk: Talk, name: str, n: int) -> Choice:
    if name == "blocked" and n == OUT_BY_BLOCK:
        return to_page(f"{n}+", _plus(talk, blocked=n), "out", talk.say("OUT"))
    return to_page(str(n), _plus(talk, **{name: n}))


def overshoot_page(talk: Talk) -> Screen:
    """How many spaces too far: a key each, which sends the report: such an end is no stop.

    First those that the figures of the card make likely (FD-CORNER-2 to FD-CORNER-4).
    """
    say, report, about = talk.say, so_far(talk), _beyond(talk).get("overshoot")
    numbers = list(range(1, talk.the(ReportAsk).bounds["overshoot"][1] + 1))
    if isinstance(about, int):
        numbers.sort(key=lambda n: abs(n - about) > 1)
    choices = [
        _send(talk, str(n), {**report, "overshoot": n, "missing": 1}, "", "costs") for n in numbers
    ]
    missing = say("−{n} stops", n=OUT_BY_STOPS)
    out = {**report, "missing": OUT_BY_STOPS}
    choices.insert(OUT_AT, _send(talk, say("OUT"), out, missing, "out"))
    if _beyond(talk):  # the key of a clean move is that of an overshoot
        choices.insert(OUT_AT + 1, _send(talk, say("clean"), report))
    return _list(talk, asked(talk, say(COUNTS["overshoot"][1])), choices)


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
            "overshoot": overshoot_page,
        },
    )
}
DOUBTS = {
    "still": phrase("{corner} is {n} long at least: {name} is still in it, and the stop counts."),
    "gone": phrase("{corner} is {n} long at most: {name} has left it a stop short. Overshot?"),
    "short": phrase("{name} has a stop missing in {corner}: still in it, or overshot?"),
    "done": phrase("{name} has all stops of {corner}: was another corner overshot?"),
    "missing": phrase("Stops of {name} missing in {corner} by the card: {n}."),
    "through": phrase("{corner} is {n} long at least: this move of {name} cannot pass it."),
    "beyond": phrase("{name} can be {n} beyond {corner} at most."),
    "round": phrase("{name} over the line? {corner} comes first."),
    "home": phrase("Behind {corner} the race of {name} is over: was that the line?"),
}
SENTENCES = {
    ("Reported", ""): phrase("{name} moves {spaces}."),
    ("Reported", "braked"): phrase("{name} brakes {brakes} of {spaces}."),
    ("LineFollowed", ""): phrase("{name} is in a corner: the line is behind."),
    ("Doubted", ""): phrase("The report of {name} is doubted."),
    **{("Doubted", about): text for about, text in DOUBTS.items()},
}
OUTCOMES: Outcomes = {
    "Reported": lambda event: "braked" if event.get("brakes") else "",
    "Doubted": lambda event: str(event.get("about")),
}


def doubt_of(talk: Talk) -> str:
    """What is doubted of the last report of this seat, in a sentence; "" where nothing is."""
    said = ""
    for event in reversed(talk.scene.log):
        if event.get("seat") != talk.seat:
            continue
        if event["event"] == "Reported":
            return said
        if event["event"] in ("Doubted", "LineFollowed"):
            told = SENTENCES[event["event"], OUTCOMES["Doubted"](event) if "about" in event else ""]
            named = _named_corner(talk, str(event.get("corner", "")))
            name = name_of(talk.scene, talk.seat)
            said = talk.say(told, name=name, corner=named, n=event.get("n"))
    return ""


def _named_corner(talk: Talk, label: str) -> str:
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    return corner_name(card, labels.index(label), talk.say) if card and label in labels else label
