"""The header of a race: what is settled before the first roll.

Raises `Malformed` with the numbered rule that a header breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.board.track import Track
from companion.rules.formula.edition import Edition
from companion.rules.formula.header_options import read_options, read_rules, team_pools
from companion.rules.formula.state import Car, Setup
from companion.rules.formula.tables import DEFAULT_LAPS
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.header import refuse_shared_drivers
from companion.rules.formula.urban.tables import URBAN_LAPS
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

HEADER_KEYS = frozenset(
    {"game", "track", "laps", "rules", "house", "seats", "grid", "start", "weather", "position"}
)
SEAT_KEYS = frozenset({"seat", "name", "player", "team", "driver", "wear", "tires", "box"})
_SWITCHED = {True: "on", False: "off"}
"""A switch may be said as true or false too; as such `Setup` has it."""
FIRST_WEATHERS = ("fine", "variable", "rain")
SEAT_NUMBERS = range(1, 100)


@dataclass(frozen=True, slots=True)
class Header:
    """A header, read and found free of contradictions.

    `weather` is None where it is to be rolled (FD-WEATHER-2).
    """

    setup: Setup
    cars: Mapping[int, Car]
    grid: tuple[int, ...] | None = None
    weather: str | None = "fine"
    position: Mapping[str, Any] | None = field(default=None, hash=False)
    pools: Mapping[str, int] = field(default_factory=dict, hash=False)


def read_header(told: Mapping[str, Any], track: Track, edition: Edition) -> Header:
    """Read a header of a Formula game in this edition.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    only_keys(told, HEADER_KEYS, "header")
    rules = read_rules(told.get("rules", []), track, edition)
    house = _read_house(told.get("house", {}), edition)
    position = told.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    laps = _read_laps(told, position or {}, rules, edition)
    start = told.get("start")
    if start not in (None, "normal"):
        bad("start-unknown", f'start is "normal" or left out, not {start!r:.60}')
    setup = Setup(
        track,
        laps,
        start_rolls=start is None,
        rules=rules,
        edition=edition,
        **house,
    )
    cars = _read_seats(told.get("seats"), setup)
    asked = told["seats"]
    setup = replace(
        setup,
        builds=_left_out(asked, "wear") if edition.build_rule in rules else (),
        fits=_left_out(asked, "tires") if "tires" in rules else (),
    )
    pools = team_pools([car.team for car in cars.values() if car.team], setup)
    grid = _read_grid(told.get("grid"), cars)
    return Header(setup, cars, grid, _read_weather(told, rules), position, pools)


def _left_out(seats: list[Mapping[str, Any]], key: str) -> tuple[int, ...]:
    """The seats whose header leaves this to be asked for."""
    return tuple(seat["seat"] for seat in seats if seat.get(key) is None)


def _read_laps(
    told: Mapping[str, Any], position: Mapping[str, Any], rules: frozenset[str], edition: Edition
) -> int:
    """The laps of the header; where it is silent, those of the position (FD-URBAN-1: else 1)."""
    usual = URBAN_LAPS if URBAN in rules else DEFAULT_LAPS
    laps = told.get("laps", position.get("laps", usual))
    return whole(laps, "laps", *edition.laps, rule="FD-LAPS-1")


def _read_house(told: Any, edition: Edition) -> dict[str, Any]:
    """The house switches, which are fields of `Setup` by their names.

    What is left out stands at its default, the first of its values.
    """
    if not isinstance(told, dict):
        bad("house-form", f"house is an object of switches, not {told!r:.60}")
    only_keys(told, edition.house, "house")
    asked: dict[str, Any] = {name: values[0] for name, values in edition.house.items()} | told
    said = {name: _SWITCHED[v] if type(v) is bool else v for name, v in asked.items()}
    read = {name: one_of(value, name, edition.house[name]) for name, value in said.items()}
    on = {"on": True, "off": False}
    return {name: on.get(value, value) for name, value in read.items()}


def _read_weather(told: Mapping[str, Any], rules: frozenset[str]) -> str | None:
    """The weather that is given; left out it is rolled, or fine where no weather is played."""
    if "weather" not in told and "weather" in rules:
        return None
    weather = told.get("weather", "fine")
    return one_of(weather, "weather", FIRST_WEATHERS, rule="FD-WEATHER-1")


def _read_seats(told: Any, setup: Setup) -> dict[int, Car]:
    if not isinstance(told, list) or not told:
        bad("seats-form", "seats is a list of one seat or more")
    track, most = setup.track, setup.edition.most_cars
    if len(told) > most:
        bad("too-many-seats", f"1 to {most} cars race, not {len(told)}", rule="DE-CAR-2", room=most)
    if not setup.boardless and len(told) > len(track.grid):
        room = len(track.grid)
        bad("too-many-seats", f"the grid of {track.name} has room for {room} cars", room=room)
    cars: dict[int, Car] = {}
    for place, one in enumerate(told, 1):
        car = _read_seat(one, place, setup)
        if car.seat in cars:
            bad("seat-twice", f"seat {car.seat} is there twice", seat=car.seat)
        cars[car.seat] = car
    _refuse_shared_boxes(cars, track)
    refuse_shared_drivers(cars)
    return cars


def _read_seat(told: Any, place: int, setup: Setup) -> Car:
    if not isinstance(told, dict):
        bad("seat-form", f"a seat is an object, not {told!r:.60}")
    only_keys(told, SEAT_KEYS, "seat")
    if "seat" not in told:
        bad("seat-form", "every seat has a number: seat")
    number = whole(told["seat"], "seat", SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
    for key in ("player", "driver"):
        if told.get(key) is not None:
            read_name(told[key], key)
    name = read_name(told.get("name", f"Seat {number}"), "name")
    chosen = read_options(told, setup)
    wear = chosen.wear or chosen.full
    box = whole(told.get("box", place), "box", 1, SEAT_NUMBERS[-1], rule="FD-PIT-1")
    return Car(
        number,
        name,
        box,
        wear=wear,
        full=wear,
        tires=chosen.tires or "hard",
        team=chosen.team,
        pool=chosen.pool,
        driver=chosen.driver,
    )


def _refuse_shared_boxes(cars: Mapping[int, Car], track: Track) -> None:
    taken: dict[int, int] = {}
    for car in cars.values():
        if track.boxes and car.box > len(track.boxes):
            boxes = len(track.boxes)
            bad("no-such-box", f"{track.name} has boxes 1 to {boxes}, not {car.box}",
                rule="FD-PIT-1", box=car.box, boxes=boxes)  # fmt: skip
        if car.box in taken:
            bad("box-twice", f"box {car.box} is given to seats {taken[car.box]} and {car.seat}",
                rule="FD-PIT-1", box=car.box)  # fmt: skip
        taken[car.box] = car.seat


def _read_grid(told: Any, cars: Mapping[int, Car]) -> tuple[int, ...] | None:
    if told is None:
        return None
    seats = sorted(cars)
    numbers = isinstance(told, list) and all(type(seat) is int for seat in told)
    if not numbers or sorted(told) != seats:
        bad("grid-form", f"grid names each of the seats {seats} once", rule="FD-GRID-1")
    return tuple(told)
