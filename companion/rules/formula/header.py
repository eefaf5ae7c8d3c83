"""The header of a race: what is settled before the first roll.

What the optional rules ask of its seats stands in `header_options`. Raises `Malformed` with the
numbered rule that a header breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.frozen import dataclass
from companion.rules.board.track import Track
from companion.rules.colors import read_color
from companion.rules.copies import replace
from companion.rules.formula.boxes import are_chosen
from companion.rules.formula.car import MOST_SEATS, Car
from companion.rules.formula.edition import Edition
from companion.rules.formula.header_options import (
    read_rules,
    refuse_shared_drivers,
    team_pools,
    with_options,
)
from companion.rules.formula.house import House, usual_house
from companion.rules.formula.settings import Setup
from companion.rules.formula.tables import DEFAULT_LAPS
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.tables import URBAN_LAPS
from companion.rules.packs import refuse_clashes, with_pack
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

HEADER_KEYS = frozenset(
    {"game", "track", "laps", "rules", "house", "seats", "grid", "start", "weather", "position"}
)
SEAT_KEYS = frozenset(
    {"seat", "name", "player", "crew", "color", "team", "driver", "wear", "tires", "box"}
)
MOST_CREW = 8
FIRST_WEATHERS = ("fine", "variable", "rain")


@dataclass(frozen=True, slots=True)
class Header:
    """A header, read and found free of contradictions.

    `weather` is None where it is to be rolled (FD-WEATHER-2).
    """

    setup: Setup
    cars: Mapping[int, Car]
    grid: tuple[int, ...] | None
    weather: str | None
    position: Mapping[str, object] | None = field(hash=False)
    pools: Mapping[str, int] = field(hash=False)


def read_header(data: Mapping[str, object], track: Track, edition: Edition) -> Header:
    """Read a header of a Formula game in this edition.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    pack = data.get("pack")
    data = with_pack(data, edition.name)
    only_keys(data, HEADER_KEYS, "header")
    rules = read_rules(data.get("rules", []), track, edition)
    house = _read_house(data.get("house", {}), edition)
    position = data.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    laps = _read_laps(data, position or {}, rules, edition)
    start = data.get("start")
    if start not in (None, "normal"):
        bad("start-unknown", f'start is "normal" or left out, not {start!r:.60}')
    setup = Setup(
        track,
        laps,
        start_rolls=start is None,
        rules=rules,
        edition=edition,
        pack=pack["name"] if isinstance(pack, dict) else "",
        house=house,
    )
    cars = _read_cars(data.get("seats"), setup)
    builds = _left_out(data, "wear") if edition.build_rule in rules else ()
    fits = _left_out(data, "tires") if "tires" in rules else ()
    pools = team_pools(cars.values(), builds, setup)
    grid = _read_grid(data.get("grid"), cars)
    setup = replace(setup, builds=builds, fits=fits)
    return Header(setup, cars, grid, _read_weather(data, rules), position, pools)


def _left_out(data: Mapping[str, object], key: str) -> tuple[int, ...]:
    """The seats whose header, which has been read, leaves this to be asked for."""
    seats = data["seats"]
    assert isinstance(seats, list)
    return tuple(seat["seat"] for seat in seats if seat.get(key) is None)


def _read_laps(
    data: Mapping[str, object],
    position: Mapping[str, object],
    rules: frozenset[str],
    edition: Edition,
) -> int:
    """The laps of the header; where it is silent, those of the position (FD-URBAN-1: else 1)."""
    usual = URBAN_LAPS if URBAN in rules else DEFAULT_LAPS
    laps = data.get("laps", position.get("laps", usual))
    return whole(laps, "laps", *edition.laps, rule="FD-LAPS-1")


def _read_house(data: object, edition: Edition) -> House:
    """The house switches; what is left out stands at its default.

    A switch between on and off may be true or false too.
    """
    if not isinstance(data, dict):
        bad("house-form", f"house is an object of switches, not {data!r:.60}")
    only_keys(data, edition.house, "house")
    words = {name: _word(value) for name, value in data.items()}
    chosen = {name: one_of(word, name, edition.house[name]) for name, word in words.items()}
    refuse_clashes(chosen, edition.choices)
    return usual_house(edition.name).but(**chosen)


def _word(value: object) -> object:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value


def _read_weather(data: Mapping[str, object], rules: frozenset[str]) -> str | None:
    """The weather that is given; left out it is rolled, or fine where no weather is played."""
    if "weather" not in data and "weather" in rules:
        return None
    weather = data.get("weather", "fine")
    return one_of(weather, "weather", FIRST_WEATHERS, rule="FD-WEATHER-1")


def _read_cars(data: object, setup: Setup) -> dict[int, Car]:
    """The cars by seat, in the order of the header; the grid has room for them."""
    if not isinstance(data, list) or not data:
        bad("seats-form", "seats is a list of one seat or more")
    track, most, room = setup.track, setup.edition.most_cars, len(setup.track.grid)
    if len(data) > most:
        message = f"1 to {most} cars race, not {len(data)}"
        bad("too-many-seats", message, rule="DE-CAR-2", room=most)
    if not setup.boardless and len(data) > room:
        bad("too-many-seats", f"the grid of {track.name} has room for {room} cars", room=room)
    cars: dict[int, Car] = {}
    for place, one in enumerate(data, 1):
        car = read_car(one, place, setup)
        if car.seat in cars:
            bad("seat-twice", f"seat {car.seat} is there twice", seat=car.seat)
        cars[car.seat] = car
    refuse_shared_boxes(cars, track)
    refuse_shared_drivers(cars)
    return cars


def read_car(data: object, place: int, setup: Setup) -> Car:
    """A car out of an entry of `seats`; box `place` where it names none.

    Raises:
        Malformed: what it says is not of its form, or breaks a rule.
    """
    if not isinstance(data, dict):
        bad("seat-form", f"a seat is an object, not {data!r:.60}")
    only_keys(data, SEAT_KEYS, "seat")
    if "seat" not in data:
        bad("seat-form", "every seat has a number: seat")
    number = whole(data["seat"], "seat", 1, MOST_SEATS)
    for key in ("player", "driver"):
        if data.get(key) is not None:
            read_name(data[key], key)
    name = read_name(data.get("name", f"Seat {number}"), "name")
    read_crew(data.get("crew"))  # nor is this
    read_color(data.get("color"))  # not the rules' concern, but a wrong one must not be kept
    box = data.get("box", place)
    if "box" in data and are_chosen(setup):
        message = "boxes are chosen in the order of the grid; leave box out"
        bad("box-by-grid", message, rule="FD-PIT-1", seat=number)
    car = Car(number, name, whole(box, "box", 1, MOST_SEATS, rule="FD-PIT-1"))
    return with_options(car, data, setup)


def read_crew(data: object) -> tuple[str, ...]:
    """The people who drive one car, where they are several; none where it is None.

    Raises:
        Malformed: it is no list of names.
    """
    if data is None:
        return ()
    if not isinstance(data, list) or not 1 <= len(data) <= MOST_CREW:
        bad("crew-form", f"crew is a list of 1 to {MOST_CREW} names, not {data!r:.60}")
    return tuple(read_name(one, "crew") for one in data)


def refuse_shared_boxes(cars: Mapping[int, Car], track: Track) -> None:
    """Every car has a box of its own that the board has (FD-PIT-1)."""
    taken: dict[int, int] = {}
    for car in cars.values():
        box, boxes = car.box, len(track.boxes)
        if boxes and box > boxes:
            message = f"{track.name} has boxes 1 to {boxes}, not {box}"
            bad("no-such-box", message, rule="FD-PIT-1", box=box, boxes=boxes)
        if box in taken:
            message = f"box {box} is given to seats {taken[box]} and {car.seat}"
            bad("box-twice", message, rule="FD-PIT-1", box=box)
        taken[box] = car.seat


def _read_grid(data: object, cars: Mapping[int, Car]) -> tuple[int, ...] | None:
    if data is None:
        return None
    seats = sorted(cars)
    numbers = isinstance(data, list) and all(type(seat) is int for seat in data)
    if not isinstance(data, list) or not numbers or sorted(data) != seats:
        bad("grid-form", f"grid names each of the seats {seats} once", rule="FD-GRID-1")
    return tuple(data)
