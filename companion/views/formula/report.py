"""A race without a board: what a seat reports of its move, on six keys, and the running order.

Three presses of a turn stay three: a clean move, one that ended in a corner and one over the line
are a press each. Key 4 has a page of the spaces: braked to stop in a corner, or too far, and a
press of it sends. Key 5 is the car that the move has most likely touched, then the next one, or a
page of them; the rest is behind 6. What has been picked stands in the title, and 1 to 3 then send
it along with how the move ended. Whoever has touched somebody rolls before pressing: the keys send
that nobody was hurt with the report, and `hurt` (behind 6) has the rolls asked as they are on a
board.

Between two rounds the host's screen has the order. As it is: one press. Else every car but the
first has a key that moves it up a place, past the car before it, as it has overtaken on the board;
then the same first key sends the order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.rules.formula.asks import OrderAsk, ReportAsk
from companion.rules.lines import Answer
from companion.views.formula.parts import car_of, car_screen, the_race
from companion.views.model import JSON, Mark
from companion.views.options import color_of
from companion.views.screen import (
    Choice,
    Dialog,
    Outcomes,
    Pages,
    Screen,
    Talk,
    as_old,
    at,
    is_thrown_for,
    make_key,
    to_page,
    views_of,
)
from companion.views.words import LINE_COLUMNS, corner_name, fit, phrase, wrap


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
    hint = say(COUNTS["debris" if talk.the(ReportAsk).bounds["debris"][1] else "blocked"][0])
    choices[6] = talk.more(onto(talk, "more", report), hint)
    if _hides_old(talk):
        choices[6] = to_page(say("more"), onto(talk, "more", report), "old", hint)
    title = talk.asked(_title_of(talk, report), "" if report else _asks(talk))
    page = car_screen(talk, talk.who, title, at(choices))
    form = None if report else form_of(talk, {NO_FACE: talk.the(ReportAsk)})
    return replace(page, kind="form" if form else None, form=form)


def _asks(talk: Talk) -> str:
    """What a phone asks: how far the car went, and how that ended."""
    ask, n = talk.the(ReportAsk), talk.the(ReportAsk).spaces
    if ask.slide:
        slides = phrase("{n} spaces, in a corner {m}: how did it end?")
        return talk.say(slides, n=n, m=n + ask.slide)
    return talk.say.many("{n} space: how did it end?", "{n} spaces: how did it end?", n)


NO_FACE = 0
"""The die is told already."""


def form_of(talk: Talk, asks: Mapping[int, ReportAsk]) -> JSON:
    """The whole report on one page, by the face of the die where that is not told yet: then one
    touch tells both. Of a face there are its spaces, and whether a car that stops can be in the
    corner that it came from; of spaces moved, braked ones off, the overshoot that the card makes of
    them, and whether it can be in the next corner."""
    *_, last = asks.values()
    bounds, car = dict(last.bounds), car_of(talk.scene, talk.who)
    seats = dict.fromkeys((*last.near, *bounds.pop("touched")))
    is_inside, far = bool((last.card or {}).get("made")), max(one.spaces for one in asks.values())
    return {
        "of": ReportAsk.kind,
        "gear": max(1, car.gear) if car else None,
        "faces": [[face, one.spaces, _moved(talk, one.spaces)[1]] for face, one in asks.items()],
        "spaces": [_moved(talk, n)[::2] for n in range(far + 1)] if is_inside else [],
        "cars": [[seat, talk.name_of(seat), color_of(talk.scene, seat)] for seat in seats],
        "bounds": bounds,
        "start": _start(talk, asks),
    }


def _moved(talk: Talk, spaces: int) -> tuple[Report, bool, bool]:
    """What the card makes of so many spaces: the overshoot, and the corners that a stop may be in,
    the one that the car came from and the next one."""
    # Imported here: it brings all of the rules, which a start has no use for yet.
    from companion.rules.formula.cards import ends_open, likely_reports
    from companion.rules.formula.moving import Move

    state, step = the_race(talk.scene), Move(seat=talk.who, spaces=spaces)
    return beyond(likely_reports(state, step)), *ends_open(state, step)


def _start(talk: Talk, asks: Mapping[int, ReportAsk]) -> Mapping[str, object]:
    """The report that was taken back; what its die made of it goes with the die."""
    old = talk.scene.old.get((talk.who, ReportAsk.kind))
    own = () if NO_FACE in asks else ("overshoot", "missing")
    return (
        {name: one for name, one in old.items() if name not in own}
        if isinstance(old, Mapping)
        else {}
    )


def _to_spaces(talk: Talk, report: Report) -> Choice:
    """The page of the spaces: braked, or too far."""
    bounds, say = talk.the(ReportAsk).bounds, talk.say
    braked = say(COUNTS["brakes"][0]) if bounds["brakes"][1] and "brakes" not in report else ""
    then = onto(talk, "overshoot", report)
    return to_page(say(COUNTS["overshoot"][0]), then, "more", braked)


def _touches(talk: Talk, report: Report) -> Choice | None:
    """The car that it has most likely touched, then the next one; all, where there is none."""
    ask, near = talk.the(ReportAsk), _touched_in(report)
    at_hand = max((ask.near.index(seat) + 1 for seat in near if seat in ask.near), default=0)
    for seat in ask.near[at_hand:]:
        then, hint = plus(talk, touched=[*near, seat]), talk.say("touched")
        return to_page(talk.name_of(seat), then, hint=hint)
    if not ask.bounds["touched"]:
        return None
    return to_page(talk.say("touched"), onto(talk, "touched", report), "more")


def _endings(talk: Talk, report: Report) -> dict[int, tuple[str, Report, str, Mark]]:
    """The first keys, which send how the move ended: label, report, hint and mark."""
    say, ask, near = talk.say, talk.the(ReportAsk), _touched_in(report)
    found: dict[int, tuple[str, Report, str, Mark]] = {
        1: (say("done") if report else say("clean"), report, "", ""),
        2: (say("corner"), {**report, "corner": True}, "" if near else say("stop"), ""),
    }
    over = beyond(ask.likely)
    if over and not report:
        n = over.get("overshoot")
        found[1] = (
            (f"+{n}", over, say(COUNTS["overshoot"][0]), "costs")
            if n
            else (say("OUT"), over, say("−{n} stops", n=OUT_BY_STOPS), "out")
        )
    if _may_be_next(ask) and _moved(talk, max(0, ask.spaces - _held(report)))[2]:
        here, there = _labels_of_corners(talk, ask)
        found[2] = say("corner"), {**report, "corner": True}, here, ""
        found[3] = say("corner"), {**report, "corner": True, "next": True}, there, ""
    elif True in ask.bounds["line"] and not report.get("line"):
        found[3] = say("line"), {**report, "line": True}, "", ""
    return found


def _may_be_next(ask: ReportAsk) -> bool:
    """Whether the corner is to be said: the figures of the card leave two open (FD-MOVE-5)."""
    return bool(ask.card) and True in ask.bounds["next"]


def _held(report: Report) -> int:
    """The spaces of the move that it has braked, or been blocked for."""
    return sum(n for n in (report.get("brakes"), report.get("blocked")) if isinstance(n, int))


OUT_BY_STOPS = 2
"""FD-CORNER-3: so many stops missing put a car out."""


def beyond(likely: Sequence[Mapping[str, int | bool]]) -> Report:
    """The overshoot among what the figures of the card offer; empty where they offer none."""
    return next((dict(one) for one in likely if one.get("missing")), {})


def _labels_of_corners(talk: Talk, ask: ReportAsk) -> tuple[str, str]:
    """The corner that the car was in, and the one behind it."""
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    here = str((ask.card or {}).get("corner", ""))
    return here, labels[(labels.index(here) + 1) % len(labels)]


def _title_of(talk: Talk, report: Report) -> str:
    """What has been picked; before that how far the car goes."""
    if report:
        near = _touched_in(report)
        after = [talk.say("unhurt")] if near and _is_unhurt(talk, report) else []
        names = [f"+{talk.name_of(seat)}" for seat in near]
        title = ", ".join([*_words(talk, report), *names, *after])
        if near and len(title) > LINE_COLUMNS:
            title = ", ".join([*_words(talk, report), f"+{len(near)}", *after])
        return fit(title, LINE_COLUMNS)
    ask = talk.the(ReportAsk)
    if ask.slide:
        return talk.say("{n}, corner {m}", n=ask.spaces, m=ask.spaces + ask.slide)
    if _may_be_next(ask):
        _, there = _labels_of_corners(talk, ask)
        return talk.say("{n}: {corner}? Key 3", n=ask.spaces, corner=there)
    return talk.say.many("{n} space", "{n} spaces", ask.spaces)


def _words(talk: Talk, report: Report) -> list[str]:
    """What has been picked but for the cars touched, a few letters each."""
    words = [talk.say(COUNTS[name][1], n=report[name]) for name in COUNTS if name in report]
    if "line" in report:
        words.append(talk.say("line"))
    return words


# -- what is picked, and what is sent -------------------------------------------------------------


COUNTS = {
    "brakes": (phrase("braked"), phrase("brake {n}")),
    "overshoot": (phrase("overrun"), phrase("over {n}")),
    "blocked": (phrase("blocked"), phrase("block {n}")),
    "debris": (phrase("debris"), phrase("debris {n}")),
}
"""What is counted: its key, and how the title tells it."""

Report = dict[str, int | list[int]]
"""A report as it is answered: a count or true, and of `touched` the seats."""
HURT = "hurt=1"
"""Picked where somebody was hurt: then the rolls are asked."""


def so_far(talk: Talk) -> Report:
    """The report as far as it has been picked: `name=value`, seats apart by commas."""
    report: Report = {}
    for part in talk.dialog.picked:
        name, _, value = part.partition("=")
        seats = [int(seat) for seat in value.split(",") if seat]
        if part != HURT:
            report[name] = seats if name == "touched" else True if name == "line" else int(value)
    return report


def _touched_in(report: Mapping[str, object]) -> list[int]:
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


def send(talk: Talk, label: str, report: Report, hint: str = "", mark: Mark = "") -> Choice:
    """A key that sends a report; where cars were touched, that nobody was hurt as well."""
    answer, rolls = Answer(talk.who, ReportAsk.kind, report), tuple[Answer, ...]()
    if _touched_in(report) and _is_unhurt(talk, report):
        # Imported here: it brings all of the rules, which a start has no use for yet.
        from companion.rules.formula.game import unhurt

        rolls = unhurt(the_race(talk.scene), answer)
        hint = hint or (talk.say("unhurt") if rolls else "")
    key = as_old(make_key(label, hint, mark), is_old(talk, report))
    return Choice(key, (answer, *rolls), talk.home())


def _is_unhurt(talk: Talk, report: Report) -> bool:
    """Whether a key says too that nobody was hurt, as all have rolled dice of their own."""
    about = (talk.who, *_touched_in(report))
    return HURT not in talk.dialog.picked and not any(
        is_thrown_for(talk.scene, seat) for seat in about
    )


def is_old(talk: Talk, report: Mapping[str, int | list[int]]) -> bool:
    """Whether this is the report that was taken back, whatever it left out."""
    old = talk.old
    return isinstance(old, Mapping) and _without_nothing(old) == _without_nothing(report)


def _without_nothing(report: Mapping[str, int | list[int]]) -> Report:
    return {name: value for name, value in report.items() if value}


def _hides_old(talk: Talk) -> bool:
    """Whether there is an old report that none of the first three keys sends."""
    if not isinstance(talk.old, Mapping) or talk.dialog.picked:
        return False
    return not any(is_old(talk, report) for _, report, *_ in _endings(talk, {}).values())


# -- the pages behind the first -------------------------------------------------------------------


def more_page(talk: Talk) -> Screen:
    """Debris, cars, blocked; over the line into a corner; the box, hurt, or all anew."""
    report, bounds, say = so_far(talk), talk.the(ReportAsk).bounds, talk.say
    choices: dict[int, Choice | None] = {6: talk.back(plus(talk))}
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
    return car_screen(talk, talk.who, talk.asked(say("What happened?")), at(choices))


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
    if isinstance(old, Mapping) and _hides_old(talk):
        key = make_key(talk.say("as then"), mark="old")
        return Choice(key, talk.answer(dict(old)), talk.home())  # what was rolled is asked
    if set(report) <= {"debris", "line"} and True in talk.the(ReportAsk).bounds["pit"]:
        return send(talk, talk.say("box"), {**report, "pit": True})
    if _touched_in(report) and HURT not in talk.dialog.picked:
        return to_page(talk.say("hurt"), onto(talk, "so far", report, hurt=True))
    return Choice(make_key(talk.say("anew")), then=talk.home()) if report else None


ENDS_BRAKED = 2
"""So many spaces braked have keys that send a stop in a corner, which is what one brakes for."""
ENDS_BEYOND = 3
"""So many keys of an overshoot stand beside them on the first page."""
ON_FIRST, ON_SECOND = 5, 2
"""So many keys stand on the first page of that list, and before "out" on its second."""


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
    if beyond(talk.the(ReportAsk).likely):  # the key of a clean move is that of an overshoot
        rest.append(send(talk, say("clean"), report))
    if braked:
        then = onto(talk, "brakes", report)
        rest.append(to_page(say(COUNTS["brakes"][0]), then, "more", say("and…")))
    rest.append(talk.back(plus(talk)))
    if True in talk.the(ReportAsk).bounds["line"] and "line" not in report:
        then = onto(talk, "overshoot", {**report, "line": True})
        rest.append(to_page(say("line"), then, "more", say("and…")))
    choices = [
        *braked[:ENDS_BRAKED],
        *over[:ENDS_BEYOND],
        *braked[ENDS_BRAKED:],
        *over[ENDS_BEYOND:],
    ]
    # "Out" and the rest fall on the second page; where there are fewer spaces than that, the slice
    # lies beyond the end and they follow at once.
    choices[ON_FIRST + ON_SECOND : ON_FIRST + ON_SECOND] = rest
    title = _title_of(talk, report) if report else say("Braked, or too far?")
    return _listed(talk, title, choices)


def _may_brake(talk: Talk, report: Report) -> range:
    most = talk.the(ReportAsk).bounds["brakes"][1]
    return range(1, 1 if "brakes" in report else most + 1)


def _braked(talk: Talk, report: Report, n: int) -> Choice:
    return send(talk, f"−{n}", {**report, "brakes": n, "corner": True}, talk.say("corner"))


def _overshot(talk: Talk, report: Report) -> list[Choice]:
    ask = talk.the(ReportAsk)
    most, about = ask.bounds["overshoot"][1], beyond(ask.likely).get("overshoot")
    numbers = list(range(1, most + 1))
    if isinstance(about, int):
        # The sort is stable: what lies within a space of the card's figure comes first, the rest
        # keeps its order.
        numbers.sort(key=lambda n: abs(n - about) > 1)
    hint = talk.say(COUNTS["overshoot"][0])
    return [
        send(talk, f"+{n}", {**report, "overshoot": n, "missing": 1}, hint, "costs")
        for n in numbers
    ]


OUT_BY_BLOCK = 7


def _out_by_block(talk: Talk) -> int:
    """So many spaces blocked, or more, put a car out (FD-BLOCK-1; FD-BASIC-9: all its points)."""
    car = car_of(talk.scene, talk.who)
    has_pool = car is not None and the_race(talk.scene).setup.edition.one_pool
    braked = so_far(talk).get("brakes", 0)
    assert isinstance(braked, int), "brakes are a count"
    return sum(car.wear) - braked if car and has_pool else OUT_BY_BLOCK


QUESTIONS = {"brakes": phrase("Spaces braked?"), "blocked": phrase("Spaces blocked?")}
"""What is counted on a page of its own."""


def count_page(talk: Talk) -> Screen:
    """How many spaces: a key each; what puts the car out says so, and is the last."""
    name = talk.dialog.page
    most = talk.the(ReportAsk).bounds[name][1]
    if name == "blocked":
        most = min(most, _out_by_block(talk))
    choices = [_number(talk, name, n) for n in range(1, most + 1)]
    return _listed(talk, talk.say(QUESTIONS[name]), choices, talk.back(plus(talk)))


def _number(talk: Talk, name: str, n: int) -> Choice:
    if name == "blocked" and n == _out_by_block(talk):
        return to_page(f"{n}+", plus(talk, blocked=n), "out", talk.say("OUT"))
    return to_page(str(n), plus(talk, **{name: n}))


def touched_page(talk: Talk) -> Screen:
    """Whom did it touch: beside it, or directly ahead. Pressed again, a car is untouched.

    The likeliest first.
    """
    near, ask, choices = _touched_in(so_far(talk)), talk.the(ReportAsk), []
    for seat in dict.fromkeys((*ask.near, *ask.bounds["touched"])):
        there = seat in near
        seats = [one for one in near if one != seat] if there else [*near, seat]
        hint = talk.say("touched") if there else ""
        choices.append(to_page(talk.name_of(seat), plus(talk, touched=seats), hint=hint))
    return _listed(talk, talk.say("Touched whom?"), choices, talk.back(plus(talk)))


def _listed(
    talk: Talk, title: str, choices: Sequence[Choice], leave: Choice | None = None
) -> Screen:
    """A list, of which the page after it keeps what has been picked."""
    return car_screen(talk, talk.who, talk.asked(title), talk.paged(choices, leave=leave))


# -- what is doubted of a report ------------------------------------------------------------------


OUTCOMES: Outcomes = {
    "Reported": lambda event: "braked" if event.get("brakes") else "",
    "Doubted": lambda event: str(event.get("about")),
}


def doubt_of(talk: Talk) -> str:
    """What is doubted of the last report of this seat, in a sentence; "" where nothing is."""
    said = ""
    # Doubts come after the report that they are about, so going backwards its own event ends the
    # search.
    for event in reversed(talk.scene.log):
        if event.get("seat") != talk.seat:
            continue
        if event["event"] == "Reported":
            return said
        if event["event"] in ("Doubted", "LineFollowed"):
            about = str(event.get("about", ""))
            told = views_of(talk.scene).story.sentences[event["event"], about]
            named = _named_corner(talk, str(event.get("corner", "")))
            name = talk.name_of(talk.seat)
            said = talk.say(told, name=name, corner=named, n=event.get("n"))
    return ""


def _named_corner(talk: Talk, label: str) -> str:
    card = talk.scene.card
    labels = [corner.label for corner in card.corners] if card else []
    return corner_name(card, labels.index(label), talk.say) if card and label in labels else label


# -- the running order between two rounds ---------------------------------------------------------


NAME_COLUMNS = 7
LINES = 3


def order_page(talk: Talk) -> Screen:
    """The order as it is, or as changed so far."""
    table = replace(talk, for_table=True)
    listed = list(table.the(OrderAsk).seats)
    now = [int(seat) for seat in talk.dialog.picked]
    # Nothing has been moved yet: the order begins as it was.
    if sorted(now) != sorted(listed):
        now = listed
    label = phrase("same") if now == listed else phrase("done")
    first = replace(table.answers(talk.say(label), now), then=talk.home())
    if first.key and now == listed:
        first = replace(first, key=replace(first.key, full=talk.say("Yes, in this order")))
    movers = [_overtakes(talk, now, at) for at in range(1, len(now))]
    lines = wrap(" ".join(f"{n}.{_name(talk, seat)}" for n, seat in enumerate(now, 1)), LINES)
    whole = tuple(f"{n}. {talk.name_of(seat)}" for n, seat in enumerate(now, 1))
    keys = talk.paged(movers, first=first)
    # What is listed is what the reports make likely, and need not be the order of before.
    asks = talk.in_full(talk.say("Is this the order? If not: who has overtaken?"))
    return Screen(talk.say("Who has overtaken?"), lines, keys, asks=asks, tells=whole)


def _overtakes(talk: Talk, now: list[int], at: int) -> Choice:
    order = [*now[: at - 1], now[at], now[at - 1], *now[at + 1 :]]
    then = talk.turn_to("order", number=talk.dialog.number, picked=tuple(map(str, order)))
    paint = {"paint": color_of(talk.scene, now[at]), "car": now[at]}
    return replace(to_page(talk.name_of(now[at]), then), about=paint)


def _name(talk: Talk, seat: int) -> str:
    return fit(talk.name_of(seat), NAME_COLUMNS)


PAGES: Pages = {
    (ReportAsk.kind, ""): report_page,
    (ReportAsk.kind, "so far"): report_page,
    (ReportAsk.kind, "more"): more_page,
    (ReportAsk.kind, "touched"): touched_page,
    **dict.fromkeys(((ReportAsk.kind, one) for one in QUESTIONS), count_page),
    (ReportAsk.kind, "overshoot"): overshoot_page,
    (OrderAsk.kind, ""): order_page,
    (OrderAsk.kind, "order"): order_page,
}
