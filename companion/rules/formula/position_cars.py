"""The cars of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from companion.rules.codec import Context, Maybe, Space, Within, read
from companion.rules.formula.header import SEAT_NUMBERS
from companion.rules.formula.header_options import read_wear
from companion.rules.formula.state import MANY, Car, Out, Phase, Setup, State, Status, Trial
from companion.rules.formula.tables import BODY, ENGINE, POOL, TIRE_KINDS, TOP_GEAR
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.telling import KEYS as MEMORY
from companion.rules.formula.urban.telling import read_memory
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

CAR_KEYS = frozenset(
    {"seat", "name", "gear", "lap", "space", "stops", "wear", "tires", "tires_lap", "status"}
    | {"out", "place", "pit_stops", "served", "full", "pool", "trial", "arrived", "pit_mark"}
    | {"corner"}
    | MEMORY
)
Mark = Literal["late", "waits", "fresh"]


def read_cars(blank: State, data: Any, phase: Phase, grid: tuple[int, ...]) -> dict[int, Car]:
    """All cars of the race; those that the position does not name stand on the grid."""
    if not isinstance(data, dict):
        bad("cars-form", f"cars is an object of seats, not {data!r:.60}")
    cars = dict(blank.cars)
    for key, part in data.items():
        seat = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else -1
        if seat not in cars or str(seat) != key:
            bad("no-such-seat", f"cars has no seat {key!r:.20}; seats are {sorted(cars)}")
        cars[seat] = _read_car(blank, cars[seat], part, phase)
    if phase is Phase.RACE:
        rest = [seat for seat in grid if str(seat) not in data]
        blank.setup.ground.fill_grid(blank.setup, cars, rest)
    return cars


def _read_car(blank: State, car: Car, data: Any, phase: Phase) -> Car:
    setup, context = blank.setup, blank.context
    ground = setup.ground
    _refuse_other(car.seat, data)
    full = _read_full(setup, data["full"]) if "full" in data else car.full
    space = Maybe(Space()).read(data.get("space"), "space", context)
    lap = _number(data, "lap", ground.first_lap(setup, data, space))
    before = phase in (Phase.SETUP, Phase.TRIALS)
    usual = ground.status_unsaid(setup, data, space, lap, before=before)
    status = Status(one_of(data.get("status", usual), "status", tuple(map(str, Status))))
    standing = status in (Status.GRID, Status.STALLED)
    gear = Within(0, TOP_GEAR, "FD-GEAR-1").read(
        data.get("gear", 0 if standing else 1), "gear", context
    )
    out = _read_out(setup, data.get("out"), status, context)
    stood = out.space if out else space
    most = MANY if setup.edition.keeps_arrivals else 0
    car = replace(
        car,
        name=read_name(data.get("name", car.name), "name"),
        gear=gear,
        lap=lap,
        space=space,
        stops=_number(data, "stops"),
        wear=tuple(read_wear(data.get("wear", {}), full, setup.edition.categories, exact=False)),
        full=full,
        tires=one_of(data.get("tires", car.tires), "tires", TIRE_KINDS),
        tires_lap=whole(data.get("tires_lap", max(lap, 1)), "tires_lap", 1, MANY),
        status=status,
        out=out,
        place=Maybe(Within(1, SEAT_NUMBERS[-1])).read(data.get("place"), "place", context),
        pit_stops=_number(data, "pit_stops"),
        pool=_read_pool(car, data),
        trial=_read_trial(setup, data.get("trial"), context),
        served=ground.read_served(setup, car.box, data.get("served"), status, out, stood),
        corner=ground.read_corner(setup, data.get("corner")),
        arrived=whole(data.get("arrived", 0), "arrived", 0, most, rule="DE-ORDER-1"),
        **read_memory(setup, car, data),
    )
    car = replace(car, pit_mark=_read_pit_mark(setup, car, stood, data.get("pit_mark")))
    _refuse_contradictions(setup, car, phase)
    return car


def _number(data: Mapping[str, Any], key: str, usual: int = 0) -> int:
    return whole(data.get(key, usual), key, 0, MANY)


def _refuse_other(seat: int, data: Any) -> None:
    """What is no car, or that of another seat."""
    if not isinstance(data, dict):
        bad("car-form", f"a car is an object, not {data!r:.60}")
    only_keys(data, CAR_KEYS, "a car")
    if data.get("seat", seat) != seat:
        bad("seat-differs", f"the car of seat {seat} says seat {data['seat']!r:.20}")


def _read_pool(car: Car, data: Mapping[str, Any]) -> int | None:
    """The car's own generic WP, where each car has its own (FD-TECH-1)."""
    pool = data.get("pool", car.pool)
    if pool is None and car.pool is None:
        return None
    if car.pool is None:
        bad("no-pool", f"seat {car.seat} has no pool of its own", rule="FD-TECH-1", seat=car.seat)
    return whole(pool, "pool", 0, POOL, rule="FD-TECH-1")


def _read_trial(setup: Setup, data: Any, context: Context) -> Trial | None:
    """What a time trial has counted so far (FD-TRIAL-2)."""
    if data is None:
        return None
    if not isinstance(data, dict) or "trials" not in setup.rules:
        message = f"trial is an object where trials are on, not {data!r:.60}"
        bad("trial-form", message, rule="FD-TRIAL-1")
    return read(Trial, data, "a trial", context)


def _read_full(setup: Setup, data: Any) -> tuple[int, ...]:
    """What a car started with; a category that this race does not have stays at 0."""
    categories = setup.edition.categories
    if not isinstance(data, dict) or set(data) != set(categories):
        bad("wear-form", f"full names all of {', '.join(categories)}, not {data!r:.60}")
    most = max(high for _, high in setup.edition.build_limits)
    bounds = [(min(1, standard), min(standard, 1) * most) for standard in setup.standard_wear]
    return tuple(
        whole(data[name], name, low, high, rule="FD-BUILD-1")
        for name, (low, high) in zip(categories, bounds, strict=True)
    )


def _read_pit_mark(setup: Setup, car: Car, stood: int | None, data: Any) -> Mark | None:
    """What the pit still holds against a car (DE-PIT-1, DE-PIT-2)."""
    if data is None:
        return None
    if not setup.edition.holds_gear_after_pit:
        bad("pit-mark-form", f"no car has a pit_mark in {setup.edition.name}", rule="DE-PIT-1")
    mark = one_of(data, "pit_mark", ("late", "waits", "fresh"), rule="DE-PIT-1")
    if mark == "fresh":
        return "fresh"
    if car.served or not setup.ground.stood_in_pit(setup, car, stood):
        bad("pit-mark-form", f"only a car before its stop is {mark}", rule="DE-PIT-1")
    if mark == "late":
        return "late"
    if not setup.ground.may_wait(setup, stood):
        bad("pit-mark-form", "only a car in its box waits", rule="DE-PIT-1")
    return "waits"


def _read_out(setup: Setup, data: Any, status: Status, context: Context) -> Out | None:
    """Why a car is out; a wreck that still stands is one of Formule Dé (DE-BLOCK-1)."""
    if status is not Status.OUT:
        if data is not None:
            bad("out-but-running", f"a car that is {status} has no out")
        return None
    usual = {"why": "retired", "round": 0, "was": "racing"}
    if data is not None and not isinstance(data, dict):
        bad("out-form", f"out is an object, not {data!r:.60}")
    stands = (data or {}).get("stands")
    if stands not in (None, False, True) or (isinstance(stands, int) and type(stands) is not bool):
        bad("out-form", f"stands is true for a wreck, not {stands!r:.20}", rule="DE-BLOCK-1")
    out = read(Out, usual | (data or {}) | {"stands": bool(stands)}, "out", context)
    may = setup.edition.blocks == "wreck" and setup.ground.may_stand(setup, out.space)
    if stands and not may:
        message = f"stands is true for a wreck on the track, not {stands!r:.20}"
        bad("out-form", message, rule="DE-BLOCK-1")
    return replace(out, was=Status(out.was))


def _refuse_contradictions(setup: Setup, car: Car, phase: Phase) -> None:
    """Refuse a car that could not stand so.

    Raises:
        Malformed: what contradicts what, with the rule where there is one.
    """
    seat, track = car.seat, setup.track
    if setup.ground.contradicts_space(setup, car, phase):
        where = "no space" if car.space is None else track.ids[car.space]
        bad("space-and-status", f"seat {seat} is {car.status} and stands on {where}", seat=seat)
    may_return = car.out is not None and setup.ground.may_return(car.out)
    standing = (car.out.was if car.out else car.status) in (Status.GRID, Status.STALLED)
    if (car.runs or may_return) and standing == bool(car.gear):
        message = f"seat {seat} is {car.status} in gear {car.gear}"
        bad("gear-and-status", message, rule="FD-GEAR-1", seat=seat)
    _check_space(setup, car)
    _check_rules(setup, car)


def _check_space(setup: Setup, car: Car) -> None:
    """What the space of a car says."""
    if car.space is None:
        return
    seat, track = car.seat, setup.track
    if (track.lane[car.space] < 0) != (car.status is Status.PIT):
        bad("pit-and-status", f"seat {seat} is {car.status} on {track.ids[car.space]}", seat=seat)
    if car.stops and track.corner[car.space] < 0:
        message = f"seat {seat} has stops outside a corner"
        bad("stops-outside-corner", message, rule="FD-CORNER-1", seat=seat)


def _check_rules(setup: Setup, car: Car) -> None:
    """What the rules of the race leave no room for."""
    if car.status is Status.PIT and URBAN in setup.rules:
        bad("not-with-urban", "in urban races there are no pits", rule="FD-URBAN-1", name="pit")
    if car.tires != "hard" and "tires" not in setup.rules:
        bad("tires-not-on", "tires are hard: the rule of tires is not on", rule="FD-TIRE-1")
    for category, rule in ((BODY, "FD-BUMP-2"), (ENGINE, "FD-ENGINE-3")):
        if car.runs and not car.wear[category]:
            name = setup.edition.categories[category]
            message = f"seat {car.seat} runs without {name}: the last one puts a car out"
            bad("runs-without", message, rule=rule, seat=car.seat, category=name)
