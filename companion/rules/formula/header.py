"""The header of a race: what is settled before the first roll.

Raises `Malformed` with the numbered rule that a header breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from companion.rules.errors import Malformed
from companion.rules.formula.state import Car, Setup
from companion.rules.formula.tables import CATEGORIES, DEFAULT_LAPS, LAPS, START_WEAR
from companion.rules.track import Track

HEADER_KEYS = frozenset(
    {"game", "track", "laps", "rules", "house", "seats", "grid", "start", "weather", "position"}
)
SEAT_KEYS = frozenset({"seat", "name", "player", "team", "driver", "wear", "tires", "box"})
OPTIONAL_RULES = ("build", "trials", "weather", "tires", "technical", "teams", "urban")
HOUSE: Mapping[str, tuple[str, ...]] = {
    "corner_ways": ("any", "shortest"),
    "soft_second_lap": ("double", "single"),
}
WEATHERS = ("fine", "variable", "variable-rain", "rain")
FIRST_WEATHERS = ("fine", "variable", "rain")
TIRES = ("hard", "soft", "rain")
SEAT_NUMBERS = range(1, 100)
NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Header:
    """A header, read and found free of contradictions."""

    setup: Setup
    cars: Mapping[int, Car]
    grid: tuple[int, ...] | None = None
    weather: str = "fine"
    position: Mapping[str, Any] | None = field(default=None, hash=False)


def bad(key: str, message: str, *, rule: str | None = None, **args: Any) -> NoReturn:
    """Refuse a header or position."""
    raise Malformed(key, message, rule=rule, args=args)


def read_header(told: Mapping[str, Any], track: Track) -> Header:
    """Read a header of Formula D.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    only_keys(told, HEADER_KEYS, "header")
    _refuse_options(told.get("rules", []))
    house = _read_house(told.get("house", {}))
    position = told.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    laps = _read_laps(told, position or {})
    start = told.get("start")
    if start not in (None, "normal"):
        bad("start-unknown", f'start is "normal" or left out, not {start!r:.60}')
    cars = _read_seats(told.get("seats"), track)
    setup = Setup(
        track,
        laps,
        "shortest" if house.get("corner_ways") == "shortest" else "any",
        start_rolls=start is None,
        rules=frozenset(told.get("rules", [])),
    )
    return Header(setup, cars, _read_grid(told.get("grid"), cars), _read_weather(told), position)


def _read_laps(told: Mapping[str, Any], position: Mapping[str, Any]) -> int:
    """The laps of the header; where it is silent, those of the position."""
    laps = told.get("laps", position.get("laps", DEFAULT_LAPS))
    return whole(laps, "laps", LAPS[0], LAPS[1], rule="FD-LAPS-1")


def only_keys(told: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    """Refuse keys that mean nothing here."""
    unknown = sorted(set(told) - known)
    if unknown:
        bad(
            "unknown-key",
            f"{what} has no {unknown[0]!r:.40}; known are {', '.join(sorted(known))}",
            what=what,
            name=unknown[0][:40],
        )


def whole(value: Any, what: str, low: int, high: int, *, rule: str | None = None) -> int:
    """A whole number within bounds, both included."""
    if type(value) is not int:
        bad("not-a-number", f"{what} is a whole number, not {value!r:.60}", kind=what)
    if not low <= value <= high:
        bad(
            "out-of-bounds",
            f"{what} is {low} to {high}, not {value}",
            rule=rule,
            kind=what,
            low=low,
            high=high,
        )
    return int(value)


def one_of(value: Any, what: str, known: tuple[str, ...], *, rule: str | None = None) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in known:
        words = ", ".join(known)
        bad("not-one-of", f"{what} is one of {words}, not {value!r:.60}", rule=rule, kind=what)
    return value


def _refuse_options(rules: Any) -> None:
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        bad("rules-form", f"rules is a list of names, not {rules!r:.60}")
    for rule in rules:
        if rule not in OPTIONAL_RULES:
            bad("rule-unknown", f"there is no optional rule {rule!r:.40}", name=rule[:40])
        bad(
            "rule-not-yet",
            f"this version does not play the optional rule {rule!r}; leave it out",
            name=rule,
        )


def _read_house(told: Any) -> Mapping[str, str]:
    if not isinstance(told, dict):
        bad("house-form", f"house is an object of switches, not {told!r:.60}")
    only_keys(told, frozenset(HOUSE), "house")
    return {name: one_of(value, name, HOUSE[name]) for name, value in told.items()}


def _read_weather(told: Mapping[str, Any]) -> str:
    weather = told.get("weather", "fine")
    return one_of(weather, "weather", FIRST_WEATHERS, rule="FD-WEATHER-1")


def _read_seats(told: Any, track: Track) -> dict[int, Car]:
    if not isinstance(told, list) or not told:
        bad("seats-form", "seats is a list of one seat or more")
    if len(told) > len(track.grid):
        room = len(track.grid)
        bad("too-many-seats", f"the grid of {track.name} has room for {room} cars", room=room)
    cars: dict[int, Car] = {}
    for place, one in enumerate(told, 1):
        car = _read_seat(one, place)
        if car.seat in cars:
            bad("seat-twice", f"seat {car.seat} is there twice", seat=car.seat)
        cars[car.seat] = car
    _refuse_shared_boxes(cars, track)
    return cars


def _read_seat(told: Any, place: int) -> Car:
    if not isinstance(told, dict):
        bad("seat-form", f"a seat is an object, not {told!r:.60}")
    only_keys(told, SEAT_KEYS, "seat")
    if "seat" not in told:
        bad("seat-form", "every seat has a number: seat")
    number = whole(told["seat"], "seat", SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
    for key in ("player", "team", "driver"):
        if told.get(key) is not None:
            read_name(told[key], key)
    name = read_name(told.get("name", f"Seat {number}"), "name")
    read_wear(told.get("wear", {}))
    tires = one_of(told.get("tires", "hard"), "tires", TIRES)
    if tires != "hard":
        bad("tires-not-on", f"tires are hard: the rule of tires is not on ({tires})",
            rule="FD-TIRE-1", tires=tires)  # fmt: skip
    box = whole(told.get("box", place), "box", 1, SEAT_NUMBERS[-1], rule="FD-PIT-1")
    return Car(number, name, box)


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


def read_name(value: Any, what: str) -> str:
    """A name of 1 to 40 printable characters."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        bad("name-form", f"{what} is a text of 1 to {NAME_LENGTH} characters, not {value!r:.60}")
    if not value.isprintable():
        bad("name-form", f"{what} has characters that cannot be shown: {value!r:.60}")
    return value


def read_wear(told: Any, full: tuple[int, ...] = START_WEAR, *, exact: bool = True) -> list[int]:
    """Wear by name, what is left out as `full`; never above it, nor below 0 (FD-CAR-2).

    In a header (`exact`) it is what FD-CAR-1 says, as long as cars are not constructed.
    """
    if not isinstance(told, dict):
        bad("wear-form", f"wear is an object of categories, not {told!r:.60}")
    only_keys(told, frozenset(CATEGORIES), "wear")
    wear = list(full)
    for at, name in enumerate(CATEGORIES):
        if name in told:
            wear[at] = whole(told[name], name, 0, full[at], rule="FD-CAR-2")
            if exact and wear[at] != full[at]:
                bad("standard-wear", f"a car starts with {name} {full[at]}, not {wear[at]}",
                    rule="FD-CAR-1", category=name, points=full[at])  # fmt: skip
    return wear


def _read_grid(told: Any, cars: Mapping[int, Car]) -> tuple[int, ...] | None:
    if told is None:
        return None
    seats = sorted(cars)
    numbers = isinstance(told, list) and all(type(seat) is int for seat in told)
    if not numbers or sorted(told) != seats:
        bad("grid-form", f"grid names each of the seats {seats} once", rule="FD-GRID-1")
    return tuple(told)
