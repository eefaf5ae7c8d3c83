"""Building a car from its seat (FD-BUILD-1): the standard one in one press, one's own in seven.

One's own is entered category by category, tires last: they get what is left. A page offers
only what can still come out even, so no car can be entered that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.formula.asks import BuildAsk
from companion.views.formula.facts import car_of, wear_of
from companion.views.games import AskWords
from companion.views.model import Pip
from companion.views.seat.core import (
    Choice,
    Dialog,
    Screen,
    Talk,
    at,
    back,
    make_key,
    paged,
    spoken,
    to_page,
)
from companion.views.seat.parts import asked, in_full
from companion.views.words import phrase
from companion.views.words.wear import wear_brief, wear_key, wear_word

LAST = "tires"
"""The category that gets what the others leave."""
MORE = "more"
"""The points of the pit that are on the car."""
Wear = Mapping[str, int]


def build_page(talk: Talk) -> Screen:
    """The standard car, the one that was taken back, or one's own."""
    standard, old = _standard(talk), talk.old
    points, most = talk.the(BuildAsk).points, talk.the(BuildAsk).more
    choices: dict[int, Choice | None] = {2: to_page(talk.say("own…"), talk.turn_to("points"))}
    for more in range(1, most + 1):
        own = to_page(f"{points + more}…", talk.turn_to("points", picked=(f"{MORE}={more}",)))
        choices[3 + more] = own
    if standard:
        choices[1] = Choice(make_key(talk.say("usual")), talk.answer(standard), talk.home())
    if isinstance(old, Mapping):
        key = make_key(talk.say("again"), _figures(old), "old")
        choices[3] = Choice(key, talk.answer(dict(old)), talk.home())
    how = talk.say("Spread {n} points as you like, or take the usual car.", n=points)
    title = asked(talk, talk.say("Build your car"))
    return Screen(title, **spoken(how, 3), choices=at(choices))


def points_page(talk: Talk) -> Screen:
    """How much one category gets; after the last the whole car, to be confirmed."""
    entered, order = _entered(talk), _order(talk)
    if len(entered) == len(order):
        return _whole_page(talk, entered)
    category = order[len(entered)]
    choices = [
        Choice(make_key(str(points)), then=_with(talk, category, points))
        for points in _possible(talk, entered, category)
    ]
    left = _points(talk) - sum(entered.values())
    return Screen(
        asked(talk, talk.say("{name}?", name=wear_key(category, talk.say))),
        (talk.say.many("{n} point left", "{n} points left", left),),
        paged(talk, choices, leave=_back(talk)),
        asks=in_full(talk, talk.say("{name}?", name=wear_word(category, talk.say))),
    )


def _whole_page(talk: Talk, entered: Wear) -> Screen:
    ask = talk.the(BuildAsk)
    car = {**entered, LAST: _points(talk) - sum(entered.values())}
    in_order = {name: car[name] for name in ask.limits}
    pips = tuple(
        Pip(wear_key(name, talk.say), n, n, wear_brief(name, talk.say), wear_word(name, talk.say))
        for name, n in in_order.items()
    )
    ok = Choice(make_key(talk.say("build")), talk.answer(in_order), talk.home())
    return Screen(
        asked(talk, talk.say("This car?")), pips=pips, choices=at({1: ok, 6: _back(talk)})
    )


def _standard(talk: Talk) -> dict[str, int] | None:
    """The car as it comes out of the box (FD-CAR-1), where it is one that may be built."""
    ask, car = talk.the(BuildAsk), car_of(talk.scene, talk.who)
    wear = wear_of(talk.scene, car.wear) if car else {}
    fits = set(wear) == set(ask.limits) and sum(wear.values()) == ask.points
    return wear if fits else None


def _figures(car: Wear) -> str:
    """A car in the width of a hint."""
    return "".join(str(n) if n < 10 else "+" for n in car.values())


def _order(talk: Talk) -> list[str]:
    return [name for name in talk.the(BuildAsk).limits if name != LAST]


def _entered(talk: Talk) -> dict[str, int]:
    return {name: points for name, points in _picked(talk).items() if name != MORE}


def _picked(talk: Talk) -> dict[str, int]:
    picked = (part.partition("=") for part in talk.dialog.picked)
    return {name: int(points) for name, _, points in picked}


def _points(talk: Talk) -> int:
    """All points of the car that is entered, those of the pit that are on it too."""
    return talk.the(BuildAsk).points + _picked(talk).get(MORE, 0)


def _possible(talk: Talk, entered: Wear, category: str) -> list[int]:
    """What a category can get so that the rest can still be spread within its limits."""
    ask = talk.the(BuildAsk)
    limits = ask.limits
    rest = [limits[name] for name in limits if name not in entered and name != category]
    left = _points(talk) - sum(entered.values())
    least, most = sum(low for low, _ in rest), sum(high for _, high in rest)
    low, high = limits[category]
    return [points for points in range(low, high + 1) if least <= left - points <= most]


def _with(talk: Talk, category: str, points: int) -> Dialog:
    return talk.turn_to("points", picked=(*talk.dialog.picked, f"{category}={points}"))


def _back(talk: Talk) -> Choice:
    """To the category before, from the first to the beginning."""
    picked = talk.dialog.picked
    return back(talk, talk.turn_to("points", picked=picked[:-1]) if picked else talk.home())


ASKS = {
    BuildAsk.kind: AskWords(
        "{name} builds the car",
        "{name}: how is the car built?",
        "car",
        build_page,
        {"points": points_page},
    )
}
SENTENCES = {("CarBuilt", ""): phrase("{name} has built the car.")}
