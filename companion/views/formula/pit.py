"""Tires, the stop in the box and its repair, lengths by a bonus; and the car that is built.

A car is built from its seat (FD-BUILD-1): the standard one in one press, one's own in seven. One's
own is entered category by category, tires last: they get what is left. A page offers only what can
still come out even, so no car can be entered that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.formula import asks
from companion.rules.formula.book import TIRE_KINDS
from companion.views.formula import parts
from companion.views.formula.options import TIRES_GIVE, TIRES_TO_FIT
from companion.views.formula.parts import car_of, car_screen, full_wear, race_of, the_race, wear_of
from companion.views.model import JSON, Mark, Pip, Scene
from companion.views.pages import list_page
from companion.views.screen import (
    Choice,
    Dialog,
    Event,
    Outcomes,
    Pages,
    Screen,
    Talk,
    at,
    in_sight,
    make_key,
    spoken,
    to_page,
)
from companion.views.words import phrase, wear_brief, wear_key, wear_word, wrap

SKIES = {
    "fine": phrase("Fine, for good."),
    "variable": phrase("Dry, may change."),
    "variable-rain": phrase("Rain, may change."),
    "rain": phrase("Rain, for good."),
}
"""FD-WEATHER-2, FD-WEATHER-3."""


def tires_page(talk: Talk) -> Screen:
    """Hard, soft or rain tires, under the sky that they are chosen for (FD-TIRE-1)."""
    kinds = [
        talk.answers(talk.say(TIRES_TO_FIT[kind]), kind, says=talk.say(TIRES_GIVE[kind]))
        for kind in TIRE_KINDS
    ]
    weather = the_race(talk.scene).weather
    lines = (talk.say(SKIES[weather]),) if weather in SKIES else ()
    keys = at(dict(zip((1, 3, 5), kinds, strict=True)))
    return Screen(talk.asked(talk.say("Which tires?")), lines, keys)


STOP_WORDS = {
    "tires": (
        phrase("tires"),
        phrase("and die"),
        phrase("All tires points back; the black die says whether you leave at once."),
    ),
    "technical": (
        phrase("repair"),
        phrase("no die"),
        phrase("All tires points back, up to 2 elsewhere; you leave at your next turn."),
    ),
}


def pit_page(talk: Talk) -> Screen:
    """A stop for tires, with the die, or for a repair, until the next turn (FD-TECH-1)."""
    say = talk.say
    stops = []
    for one in asks.STOPS:
        label, hint, says = map(say, STOP_WORDS[one])
        stops.append(talk.answers(label, one, hint, says=says))
    left = _pool_of(talk.scene, talk.who)
    lines = (say("To repair with: {n}", n=left),) if left else ()
    keys = at(dict(zip((1, 3), stops, strict=True)))
    return Screen(talk.asked(say("Which stop?")), lines, keys)


def _pool_of(scene: Scene, seat: int) -> int:
    """The points that a car has for repairs: its own, or its team's (FD-TECH-1, FD-TEAM-1)."""
    race, car = race_of(scene), car_of(scene, seat)
    if race is None or car is None:
        return 0
    return car.pool or race.pools.get(car.team or "", 0)


def box_page(talk: Talk) -> Screen:
    """The boxes that are free, a number each."""
    boxes = [(box, str(box)) for box in talk.the(asks.BoxAsk).options]
    return list_page(talk, talk.say("Which box?"), boxes)


def length_page(talk: Talk) -> Screen:
    """As rolled, or another length by what may be used (FD-TIRE-3, FD-URBAN-2, FD-DRV-2)."""
    names, in_full = dict(parts.WORDS["bonus"]), dict(parts.WORDS["bonus-in-full"])
    if the_race(talk.scene).setup.edition.one_pool:
        names["engine"] = in_full["engine"] = names["points"]  # what it costs in the basic game
    lengths = [
        talk.answers(str(one.spaces), one.as_json(), talk.say(names[by]),
                      says=talk.say(in_full.get(by, names[by])))
        for one in talk.the(asks.LengthAsk).lengths
        for by in ("+".join(one.by),)
    ]  # fmt: skip
    keys = talk.paged(in_sight(lengths))
    return car_screen(talk, talk.who, talk.asked(talk.say("Move how far?")), keys)


# -- the repair -----------------------------------------------------------------------------------


def repair_page(talk: Talk) -> Screen:
    """Points that come back: a press is a point; a key tells what the category has, of how many.

    The last point sends; fewer are sent by "done" (FD-TECH-1, FD-URBAN-5, FD-CAR-2).
    """
    ask = talk.the(asks.PointsAsk)
    given = {name: talk.dialog.picked.count(name) for name in ask.categories}
    left = ask.points - sum(given.values())
    choices: dict[int, Choice | None] = {
        button: _point(talk, name, given, left) for button, name in enumerate(ask.categories, 1)
    }
    if talk.dialog.picked:
        some = {name: n for name, n in given.items() if n}
        choices[6] = Choice(make_key(talk.say("done")), talk.answer(some), talk.home())
    title = phrase("Regain what?") if isinstance(ask, asks.RecoverAsk) else phrase("Repair what?")
    now, full = _worn(talk)
    room = {name: (0, full.get(name, now[name] + left) - now[name]) for name in ask.categories}
    form = sliders(talk, room, {}, least=1, most=ask.points, now=now)
    return Screen(
        talk.asked(talk.say(title)),
        lines=wrap(talk.say.many("{n} point left", "{n} points left", left), 1),
        choices=at(choices),
        kind="sum",
        form=None if talk.dialog.picked else form,
        tells=None if talk.dialog.picked else (),  # a form says its sum itself
    )


def _worn(talk: Talk) -> tuple[Wear, Wear]:
    """The points of a car, and those it started with."""
    car = car_of(talk.scene, talk.who)
    return wear_of(talk.scene, car.wear) if car else {}, full_wear(talk.scene, talk.who)


def sliders(
    talk: Talk, limits: Mapping[str, tuple[int, int]], start: Wear, *, least: int, most: int,
    now: Wear | None = None,
) -> JSON:  # fmt: skip
    """Points by category with their sum, on one page; `now` is what a category has already."""
    assert talk.ask is not None, "the points are an answer"
    rows = [
        {"name": name, "word": wear_word(name, talk.say), "low": low, "high": high,
         "start": start.get(name, low), "now": (now or {}).get(name, 0)}
        for name, (low, high) in limits.items()
    ]  # fmt: skip
    return {"of": talk.ask.kind, "rows": rows, "least": least, "most": most}


def _point(talk: Talk, name: str, given: Mapping[str, int], left: int) -> Choice | None:
    """One more point for a category; none where it is full."""
    worn, most = _worn(talk)
    now = given[name] + worn.get(name, 0)
    full = most.get(name, now + 1)
    if now >= full:
        return None
    mark: Mark = "old" if given[name] else ""
    key = make_key(wear_key(name, talk.say), f"{now}/{full}", mark, full=wear_word(name, talk.say))
    if left > 1:
        return Choice(key, then=talk.turn_to("points", picked=(*talk.dialog.picked, name)))
    sent = {other: n for other, n in {**given, name: given[name] + 1}.items() if n}
    return Choice(key, talk.answer(sent), talk.home())


# -- the car that is built ------------------------------------------------------------------------


LAST = "tires"
"""The category that gets what the others leave."""
MORE = "more"
"""The points of the pit that are on the car."""
Wear = Mapping[str, int]


def build_page(talk: Talk) -> Screen:
    """The standard car, the one that was taken back, or one's own."""
    standard, old = _standard(talk), talk.old
    points, most = talk.the(asks.BuildAsk).points, talk.the(asks.BuildAsk).more
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
    title = talk.asked(talk.say("Build your car"))
    start = old if isinstance(old, Mapping) else standard or _evenly(talk)
    form = sliders(talk, talk.the(asks.BuildAsk).limits, start, least=points, most=points + most)
    return Screen(title, **spoken(how, 3), choices=at(choices), kind="sum", form=form)


def _evenly(talk: Talk) -> Wear:
    """A car of all points to begin with: the least of everything, and the rest on the tires."""
    ask = talk.the(asks.BuildAsk)
    least = {name: low for name, (low, _) in ask.limits.items()}
    return least | {LAST: least[LAST] + ask.points - sum(least.values())}


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
    short, whole = (word(category, talk.say) for word in (wear_key, wear_word))
    return Screen(
        talk.asked(talk.say("{name}?", name=short), talk.say("{name}?", name=whole)),
        (talk.say.many("{n} point left", "{n} points left", left),),
        talk.paged(choices, leave=_back(talk)),
    )


def _whole_page(talk: Talk, entered: Wear) -> Screen:
    ask = talk.the(asks.BuildAsk)
    car = {**entered, LAST: _points(talk) - sum(entered.values())}
    in_order = {name: car[name] for name in ask.limits}
    pips = tuple(
        Pip(wear_key(name, talk.say), n, n, wear_brief(name, talk.say), wear_word(name, talk.say))
        for name, n in in_order.items()
    )
    ok = Choice(make_key(talk.say("build")), talk.answer(in_order), talk.home())
    return Screen(talk.asked(talk.say("This car?")), pips=pips, choices=at({1: ok, 6: _back(talk)}))


def _standard(talk: Talk) -> dict[str, int] | None:
    """The car as it comes out of the box (FD-CAR-1), where it is one that may be built."""
    ask, car = talk.the(asks.BuildAsk), car_of(talk.scene, talk.who)
    wear = wear_of(talk.scene, car.wear) if car else {}
    fits = set(wear) == set(ask.limits) and sum(wear.values()) == ask.points
    return wear if fits else None


def _figures(car: Wear) -> str:
    """A car in the width of a hint."""
    # One column each, or the six categories would not fit a hint.
    return "".join(str(n) if n < 10 else "+" for n in car.values())


def _order(talk: Talk) -> list[str]:
    return [name for name in talk.the(asks.BuildAsk).limits if name != LAST]


def _entered(talk: Talk) -> dict[str, int]:
    return {name: points for name, points in _picked(talk).items() if name != MORE}


def _picked(talk: Talk) -> dict[str, int]:
    picked = (part.partition("=") for part in talk.dialog.picked)
    return {name: int(points) for name, _, points in picked}


def _points(talk: Talk) -> int:
    """All points of the car that is entered, those of the pit that are on it too."""
    return talk.the(asks.BuildAsk).points + _picked(talk).get(MORE, 0)


def _possible(talk: Talk, entered: Wear, category: str) -> list[int]:
    """What a category can get so that the rest can still be spread within its limits."""
    ask = talk.the(asks.BuildAsk)
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
    return talk.back(talk.turn_to("points", picked=picked[:-1]) if picked else talk.home())


PAGES: Pages = {
    (asks.LengthAsk.kind, ""): length_page,
    (asks.TiresAsk.kind, ""): tires_page,
    (asks.PitAsk.kind, ""): pit_page,
    (asks.BoxAsk.kind, ""): box_page,
    (asks.RepairAsk.kind, ""): repair_page,
    (asks.RepairAsk.kind, "points"): repair_page,
    (asks.RecoverAsk.kind, ""): repair_page,
    (asks.RecoverAsk.kind, "points"): repair_page,
    (asks.BuildAsk.kind, ""): build_page,
    (asks.BuildAsk.kind, "points"): points_page,
}


def _fast(event: Event) -> str:
    return "fast" if event.get("spaces") else "slow"


OUTCOMES: Outcomes = {
    "TiresFitted": lambda event: str(event.get("tires", "hard")),
    "LengthChosen": lambda event: "+".join(event.get("by") or ()),
    "PitChosen": lambda event: str(event.get("stop", "tires")),
    "PitRolled": _fast,
}
