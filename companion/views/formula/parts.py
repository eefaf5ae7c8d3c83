"""What the pages of a Formula race share: the form of a turn's pages, and what a view reads off
the race: a car, its place, its wear, its next corner, its neighbours.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from companion.rules.board.track import Corner, Track
from companion.rules.formula.book import CHANGEABLE, RAINS, URBAN, Wear, tell_wear
from companion.rules.formula.car import Car, Status
from companion.rules.formula.order import plays_next, progress
from companion.rules.formula.state import Phase, State
from companion.rules.formula.weather import weather_table
from companion.system.frozen import dataclass
from companion.views.formula.options import DRIVERS
from companion.views.model import Driver, Pip, Scene
from companion.views.screen import Choices, Screen, Talk, board_of, once, seat_info
from companion.views.words import (
    LINE_COLUMNS,
    WEAR,
    Words,
    before_corner,
    corner_name,
    fit,
    phrase,
    read_texts,
    wear_brief,
    wear_key,
    wear_word,
)

NO_GEAR = "–"


def car_screen(
    talk: Talk, seat: int, title: str, choices: Choices, lines: tuple[str, ...] = (),
    big: str = "",
) -> Screen:  # fmt: skip
    """A page with a car in its steady form: its standing, its wear and its gear stay where they
    are from page to page, only the title and the keys (or lines) change. `big` for the gear."""
    car = car_of(talk.scene, seat)
    return Screen(
        title,
        (standing(talk, seat), *lines),
        choices,
        pips=car_pips(talk.scene, seat, talk.say),
        big=big or str((car and car.gear) or NO_GEAR),
        tells=around(talk, seat),
    )


def around(talk: Talk, seat: int) -> tuple[str, ...]:
    """The next corner and the neighbours in sentences, for a screen that has room."""
    return tuple(filter(None, (_corner_sentence(talk, seat), *_gap_sentences(talk, seat))))


def _corner_sentence(talk: Talk, seat: int) -> str:
    """The corner that matters now: stops made and needed, how far and how long it is."""
    corner, car, track = next_corner(talk.scene, seat), car_of(talk.scene, seat), talk.scene.track
    if corner is None or car is None or track is None or car.space is None:
        return ""
    printed, name = track.corners[corner.corner], corner_name(track, corner.corner, talk.say)
    if corner.inside:
        stops = talk.say("stop {made} of {needed}", made=corner.made, needed=corner.needed)
        return talk.say("In {corner}: {stops}", corner=name, stops=stops)
    stops = talk.say.many("{n} stop", "{n} stops", corner.needed)
    return talk.say(
        "{corner}: {stops}, {away} before it, {shortest} to {longest} long",
        corner=name, stops=stops, away=before_corner(track, car.space),
        shortest=printed.shortest, longest=printed.longest,
    )  # fmt: skip


def _gap_sentences(talk: Talk, seat: int) -> tuple[str, ...]:
    """Who is how many spaces ahead, and behind."""
    ahead, behind = neighbours(talk.scene, seat)
    patterns = ((ahead, phrase("{name}: {gap} ahead")), (behind, phrase("{name}: {gap} behind")))
    return tuple(
        talk.say(pattern, name=talk.name_of(one.seat), gap=abs(one.gap))
        for one, pattern in patterns
        if one is not None
    )


WORDS = read_texts(Path(__file__).with_name("words.toml"))
"""What is said of something that the rules have a key for, in tables."""
WHY_OUT = WORDS["out"]
GONE = {Status.FINISHED: phrase("You have finished."), Status.OUT: phrase("You are out.")}


def why_out(why: str, rule: str | None) -> str:
    """Why a car is out; "" where nobody has words for it. FD-BASIC-12: no engine is gone there."""
    if why == "engine" and str(rule).startswith("FD-BASIC"):
        return phrase("no points left")
    return WHY_OUT.get(why, "")


def standing(talk: Talk, seat: int) -> str:
    """A car in a line: "P3 lap 1/2 Loews 1/3", or how its race has ended."""
    car = car_of(talk.scene, seat)
    if car is None:
        return ""
    if car.status in GONE:
        return talk.say(GONE[car.status])
    place, laps = place_of(talk.scene, seat), the_race(talk.scene).setup.laps
    if place is None:  # not on the road yet
        return ""
    lap = lap_now(talk.scene, car)
    head = (
        talk.say("P{place} lap {lap}/{laps}", place=place, lap=lap, laps=laps)
        if laps > 1  # of a single lap the room is the corner's
        else talk.say("P{place}", place=place)
    )
    if talk.scene.card is not None:
        brief = talk.say("P{place} lap {lap}", place=place, lap=lap)
        line = f"{brief} {corner_line(talk)}"
        if len(head) < len(line) <= LINE_COLUMNS:  # the card's figures rather than the laps in all
            return line
    return f"{head} {corner_line(talk, LINE_COLUMNS - len(head) - 1, far=True)}".rstrip()


def car_pips(scene: Scene, seat: int, say: Words) -> tuple[Pip, ...]:
    """The wear of a car, by category in the order of the card."""
    car = car_of(scene, seat)
    left = wear_of(scene, car.wear) if car else {}
    return _pips(tuple(left.items()), tuple(full_wear(scene, seat).items()), say)


@lru_cache(maxsize=128)
def _pips(
    left: tuple[tuple[str, int], ...], full: tuple[tuple[str, int], ...], say: Words
) -> tuple[Pip, ...]:
    """Kept, as most presses wear one car or none and every screen has its pips."""
    now, most = dict(left), dict(full)
    return tuple(
        Pip(wear_key(name, say), now[name], most[name], wear_brief(name, say), wear_word(name, say))
        for name in WEAR
        if name in most
    )


SHORTEST_NAME = 3
"""Columns below which the name of a corner tells nothing."""


def corner_line(talk: Talk, columns: int = LINE_COLUMNS, *, far: bool = False) -> str:
    """The corner that matters now, stops made and needed: "Loews 1/3"; "" in the pit.

    `far`: how far it is too, where there is room: "3→Tabac 0/1".
    """
    corner = next_corner(talk.scene, talk.who)
    track = board_of(talk.scene)
    if corner is None or track is None:
        return ""
    stops = f" {corner.made}/{corner.needed}"
    if talk.scene.track is None:
        return _card_line(track.corners[corner.corner], stops, columns)
    if columns < len(stops) + SHORTEST_NAME:
        return stops.strip() if columns >= len(stops) else ""
    name = corner_name(track, corner.corner, talk.say)
    away = _away(talk, corner, track) if far else ""
    if len(away) + len(name) + len(stops) <= columns:
        name = away + name
    return fit(name, columns - len(stops)) + stops


def _away(talk: Talk, corner: NextCorner, track: Track) -> str:
    """How far it is to a corner, as the keys of a move say it: "3→"; "" inside it."""
    car = car_of(talk.scene, talk.who)
    is_ahead = car is not None and car.space is not None and not corner.inside
    return f"{before_corner(track, car.space)}→" if is_ahead and car and car.space else ""


def _card_line(corner: Corner, stops: str, columns: int) -> str:
    """A corner of a card with its shortest and longest way: "T3 0/2 6–12", or less of it."""
    ways = f"{stops} {corner.shortest}–{corner.longest}"
    lines = (f"{corner.label}{ways}", ways.strip(), stops.strip())
    return next((line for line in lines if len(line) <= columns), "")


BIT = 0.005
"""The least chance that is told in percent."""


def percent(chance: Fraction | int) -> str:
    """A chance in whole percent; one that is too small for that is not none.

    >>> from fractions import Fraction
    >>> [percent(Fraction(n, 1000)) for n in (0, 3, 310, 998, 1000)]
    ['0', '<1', '31', '>99', '100']
    """
    if 0 < chance < BIT:
        return "<1"
    if 1 - BIT < chance < 1:
        return ">99"
    return f"{float(chance):.0%}"[:-1]


class RollWords(NamedTuple):
    """What the black die is rolled for: as a title, in a word behind a name, on the page, and in
    full on a phone."""

    title: str
    word: str
    question: str
    asks: str


# -- what is known of the race --------------------------------------------------------------------


class NextCorner(NamedTuple):
    """The corner that a car is in, or the next one: stops made in it, as far as they are needed."""

    corner: int
    made: int
    needed: int
    inside: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A car ahead (gap > 0) or behind (gap < 0), in spaces along the middle of the road."""

    seat: int
    gap: int


def race_of(scene: Scene) -> State | None:
    """The race; None where no Formula race is on the table."""
    return scene.state if isinstance(scene.state, State) else None


def the_race(scene: Scene) -> State:
    """The race, for a page that is shown in one only."""
    race = race_of(scene)
    assert race is not None, "no Formula race is on the table"
    return race


def rules_of(scene: Scene) -> Collection[str]:
    """The optional rules of the race, as its header names them."""
    race = race_of(scene)
    return race.setup.rules if race else ()


def name_of(scene: Scene, seat: int) -> str:
    """The name that a car goes by."""
    car = car_of(scene, seat)
    return car.name if car and car.name else seat_info(scene, seat).name


def driving(scene: Scene) -> int | None:
    """The seat whose trial it is."""
    race = race_of(scene)
    if race is None or race.phase is not Phase.TRIALS:
        return None
    return next((ask.seat for ask in scene.asks if ask.seat), None)


def car_of(scene: Scene, seat: int) -> Car | None:
    """The car of a seat; None where it has none."""
    race = race_of(scene)
    return race.cars.get(seat) if race else None


def sky_word(scene: Scene, say: Words) -> str:
    """Wet or dry, and whether it can change (FD-WEATHER-2, FD-WEATHER-3).

    "" where no weather is played, or none is known yet.
    """
    race = race_of(scene)
    return "" if race is None else sky_of(race.weather, race.setup.rules, say)


def sky_of(weather: str | None, rules: Collection[str], say: Words) -> str:
    """`sky_word` of a race by its weather and its optional rules."""
    if weather is None or (weather not in RAINS and "weather" not in rules):
        return ""
    can_change = weather in CHANGEABLE
    if weather in RAINS:
        return say("rain for now") if can_change else say("wet")
    return say("dry for now") if can_change else say("dry")


def driver_info(scene: Scene, seat: int) -> Driver | None:
    """Who drives a seat's car, with what the driver can do; None where nobody special does."""
    car = car_of(scene, seat)
    if URBAN not in rules_of(scene) or car is None:
        return None
    return next((driver for driver in DRIVERS if driver.name == car.street.driver), None)


def cars_of(scene: Scene) -> list[Car]:
    """All cars, by seat."""
    race = race_of(scene)
    return [race.cars[seat] for seat in sorted(race.cars)] if race else []


def wear_of(scene: Scene, wear: Wear) -> dict[str, int]:
    """Wear points by the names that their categories have in this game."""
    return tell_wear(wear, the_race(scene).setup.edition.categories)


def full_wear(scene: Scene, seat: int) -> dict[str, int]:
    """The wear points that a car started with, by category (FD-CAR-2).

    A category that the race does not have is left out: no handling in DE-CAR-1.
    """
    car = car_of(scene, seat)
    if car is None:
        return {}
    most = wear_of(scene, tuple(map(max, car.wear, car.full)))
    return {name: points for name, points in most.items() if points}


def next_corner(scene: Scene, seat: int) -> NextCorner | None:
    """The corner that matters to a car now; None in the pit or off the board.

    One in which it has made its stops is behind it: the next one decides the gear.
    """
    car, track = car_of(scene, seat), scene.track
    if car is None:
        return None
    if scene.card is not None:
        return _corner_of_card(scene.card, car)
    if track is None or car.space is None or track.lane[car.space] < 0:
        return None
    corner, inside = track.next_corner[car.space], track.corner[car.space] >= 0
    return _to_come(track, corner, car.stops if inside else 0, inside=inside)


def _to_come(track: Track, corner: int, made: int, *, inside: bool) -> NextCorner:
    """A corner with the stops made in it; where they are all made, the one behind it."""
    if inside and made >= track.corners[corner].stops:
        corner, made, inside = (corner + 1) % len(track.corners), 0, False
    return NextCorner(corner, made, track.corners[corner].stops, inside)


def _corner_of_card(card: Track, car: Car) -> NextCorner | None:
    if not card.corners or not car.runs or car.status is Status.PIT:
        return None
    return _to_come(card, car.reckoning.corner, car.stops, inside=car.stops > 0)


def lap_now(scene: Scene, car: Car) -> int:
    """The lap that a car is in, as people count: 1 on the grid, never more than there are."""
    return min(max(car.lap, 1), the_race(scene).setup.laps)


def _laps(car: Car) -> int:
    """The laps that count for a car's place (FD-PIT-5)."""
    return car.lap - 1 if car.counts_lap_early else car.lap


def running_order(scene: Scene) -> list[int]:
    """Seats of the running cars by their place on the road, first to last.

    The order of the round decides between level cars, as it was made when it began.
    """
    return once(scene, _running_order)


def _running_order(scene: Scene) -> list[int]:
    race, track = race_of(scene), scene.track
    if race is None:
        return []
    turn, laps = {seat: place for place, seat in enumerate(race.order)}, race.setup.laps
    here = [
        car for car in cars_of(scene)
        if car.runs and (turn if track is None else car.space is not None or car.lap > laps)
    ]  # fmt: skip

    def key(car: Car) -> tuple[int, int]:
        far = _laps(car) if track is None else progress(track, car)
        return -far, turn.get(car.seat, len(turn))

    return [car.seat for car in sorted(here, key=key)]


def place_of(scene: Scene, seat: int) -> int | None:
    """A car's place now: where it was classified, else among the running behind the finished."""
    car = car_of(scene, seat)
    if car is None or car.status is Status.OUT:
        return None
    return car.place or once(scene, _places).get(seat)


def _places(scene: Scene) -> dict[int, int]:
    home = sum(car.status is Status.FINISHED for car in cars_of(scene))
    return {seat: place for place, seat in enumerate(running_order(scene), home + 1)}


def neighbours(scene: Scene, seat: int) -> tuple[Neighbour | None, Neighbour | None]:
    """The next car ahead and the next behind."""
    return once(scene, _neighbours).get(seat, (None, None))


def _neighbours(scene: Scene) -> dict[int, tuple[Neighbour | None, Neighbour | None]]:
    order, come = running_order(scene), once(scene, _come)

    def beside(seat: int, place: int) -> Neighbour | None:
        if not 0 <= place < len(order):
            return None
        # Two levels are a space. Both signs are rounded towards 0: `//` alone would call half a
        # space behind a whole one.
        levels = come[order[place]] - come[seat]
        return Neighbour(order[place], levels // 2 if levels > 0 else -(-levels // 2))

    return {
        seat: (beside(seat, at - 1), beside(seat, at + 1)) for at, seat in enumerate(order) if come
    }


def _come(scene: Scene) -> dict[int, int]:
    """How far each running car has come, in levels; empty without a board."""
    track = scene.track
    if track is None:
        return {}
    cars = the_race(scene).cars if race_of(scene) else {}
    return {seat: progress(track, cars[seat]) for seat in running_order(scene)}


def gaps(scene: Scene) -> dict[int, int]:
    """How many spaces each running car is behind the first, along the middle of the road."""
    return once(scene, _gaps)


def _gaps(scene: Scene) -> dict[int, int]:
    order, come = running_order(scene), once(scene, _come)
    return {seat: (come[order[0]] - come[seat]) // 2 for seat in order} if come else {}


def next_to_play(scene: Scene) -> int | None:
    """The seat whose turn comes after this one; None where this turn may still decide that."""
    return once(scene, _next_to_play)


def _next_to_play(scene: Scene) -> int | None:
    race = race_of(scene)
    return None if race is None else plays_next(race)


def weather_lines(scene: Scene) -> dict[str, tuple[int, int]]:
    """The weather table of the board, by line; empty where it has none."""
    race, board = race_of(scene), board_of(scene)
    if race is None:
        return {}
    table = board.weather if board else None
    return dict(table or (weather_table(race.setup) if race.setup.boardless else {}))
