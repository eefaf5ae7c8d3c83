"""The cars of a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from companion.rules.board.track import Track
from companion.rules.formula.boardless.cards import read_corner
from companion.rules.formula.boardless.position import (
    first_lap,
    is_in_pit,
    read_served,
    status_unsaid,
)
from companion.rules.formula.header import SEAT_NUMBERS
from companion.rules.formula.header_options import read_wear
from companion.rules.formula.position_doubts import refuse_contradictions
from companion.rules.formula.state import RUNNING, Car, Out, Phase, Setup, State, Status, Trial
from companion.rules.formula.tables import POOL, TIRE_KINDS, TOP_GEAR
from companion.rules.formula.trials import LONGEST_S
from companion.rules.formula.urban.telling import KEYS as MEMORY
from companion.rules.formula.urban.telling import read_memory
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

CAR_KEYS = frozenset(
    {"seat", "name", "gear", "lap", "space", "stops", "wear", "tires", "tires_lap", "status"}
    | {"corner"}
    | {"out", "place", "pit_stops", "served", "full", "pool", "trial", "arrived", "pit_mark"}
    | MEMORY
)
MANY = 10_000


def read_cars(blank: State, told: Any, phase: Phase, grid: tuple[int, ...]) -> dict[int, Car]:
    """All cars of the race; those that the position does not name stand on the grid."""
    if not isinstance(told, dict):
        bad("cars-form", f"cars is an object of seats, not {told!r:.60}")
    cars = dict(blank.cars)
    for key, part in told.items():
        seat = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else -1
        if seat not in cars or str(seat) != key:
            bad("no-such-seat", f"cars has no seat {key!r:.20}; seats are {sorted(cars)}")
        cars[seat] = _read_car(blank.setup, cars[seat], part, phase)
    rest = [seat for seat in grid if str(seat) not in told]
    if phase is Phase.RACE and not blank.setup.boardless:
        taken = {car.space for car in cars.values()}
        free = [space for space in blank.setup.track.grid if space not in taken]
        for seat, space in zip(rest, free, strict=False):
            cars[seat] = replace(cars[seat], space=space)
        if len(rest) > len(free):
            bad("too-many-seats", "the grid has no room for the cars that are not named")
    return cars


def _read_car(setup: Setup, car: Car, told: Any, phase: Phase) -> Car:
    track = setup.track
    _refuse_other(car.seat, told)
    full = tuple(_read_full(setup, told["full"])) if "full" in told else car.full
    space = _read_space(track, told.get("space"))
    first = first_lap(told) if setup.boardless else _first_lap(track, space)
    lap = whole(told.get("lap", first), "lap", 0, MANY)
    status = _read_status(setup, told, space, lap, phase)
    standing = status in (Status.GRID, Status.STALLED)
    gear = whole(told.get("gear", 0 if standing else 1), "gear", 0, TOP_GEAR, rule="FD-GEAR-1")
    out = _read_out(setup, told.get("out"), status)
    stood = out.space if out else space
    car = replace(
        car,
        name=read_name(told.get("name", car.name), "name"),
        gear=gear,
        lap=lap,
        space=space,
        stops=whole(told.get("stops", 0), "stops", 0, MANY),
        wear=tuple(read_wear(told.get("wear", {}), full, setup.edition.categories, exact=False)),
        full=full,
        tires=one_of(told.get("tires", car.tires), "tires", TIRE_KINDS),
        tires_lap=whole(told.get("tires_lap", max(lap, 1)), "tires_lap", 1, MANY),
        status=status,
        out=out,
        place=_read_place(told.get("place")),
        pit_stops=whole(told.get("pit_stops", 0), "pit_stops", 0, MANY),
        pool=_read_pool(car, told),
        trial=_read_trial(setup, told.get("trial")),
        served=_read_whether_served(setup, car.box, told.get("served"), status, out, stood),
        corner=read_corner(track, told.get("corner")),
        arrived=_read_arrived(setup, told.get("arrived", 0)),
        **read_memory(setup, car, told),
    )
    car = replace(car, pit_mark=_read_pit_mark(setup, car, stood, told.get("pit_mark")))
    refuse_contradictions(setup, car, phase)
    return car


def _refuse_other(seat: int, told: Any) -> None:
    """What is no car, or that of another seat."""
    if not isinstance(told, dict):
        bad("car-form", f"a car is an object, not {told!r:.60}")
    only_keys(told, CAR_KEYS, "a car")
    if told.get("seat", seat) != seat:
        bad("seat-differs", f"the car of seat {seat} says seat {told['seat']!r:.20}")


def _read_status(
    setup: Setup, told: Mapping[str, Any], space: int | None, lap: int, phase: Phase
) -> Status:
    """How a car stands: as said, else as it follows from where it is."""
    if setup.boardless:
        usual = status_unsaid(told, lap)
    else:
        usual = _status_unsaid(setup.track, told, space, lap, phase)
    return Status(one_of(told.get("status", usual), "status", tuple(map(str, Status))))


def _read_whether_served(
    setup: Setup, box: int, told: Any, status: Status, out: Out | None, stood: int | None
) -> bool:
    """Whether the stop of a car in the pit is over."""
    if setup.boardless:
        return read_served(told, status, out)
    return _read_served(setup.track, box, stood, told)


def _read_pool(car: Car, told: Mapping[str, Any]) -> int | None:
    """The car's own generic WP, where each car has its own (FD-TECH-1)."""
    pool = told.get("pool", car.pool)
    if pool is None and car.pool is None:
        return None
    if car.pool is None:
        bad("no-pool", f"seat {car.seat} has no pool of its own", rule="FD-TECH-1", seat=car.seat)
    return whole(pool, "pool", 0, POOL, rule="FD-TECH-1")


def _read_trial(setup: Setup, told: Any) -> Trial | None:
    """What a time trial has counted so far (FD-TRIAL-2)."""
    if told is None:
        return None
    if not isinstance(told, dict) or "trials" not in setup.rules:
        bad("trial-form", f"trial is an object where trials are on, not {told!r:.60}",
            rule="FD-TRIAL-1")  # fmt: skip
    only_keys(told, frozenset({"rolls", "beyond", "seconds", "reached"}), "a trial")
    seconds, reached = told.get("seconds"), told.get("reached")
    if seconds is not None and (type(seconds) not in (int, float) or not 0 < seconds <= LONGEST_S):
        bad("time-form", f"seconds is a number of seconds, not {seconds!r:.60}", rule="FD-TRIAL-1")
    return Trial(
        whole(told.get("rolls", 0), "rolls", 0, MANY),
        whole(told.get("beyond", 0), "beyond", 0, MANY),
        seconds,
        None if reached is None else whole(reached, "reached", 0, MANY),
    )


def _read_full(setup: Setup, told: Any) -> list[int]:
    """What a car started with; a category that this race does not have stays at 0."""
    categories = setup.edition.categories
    if not isinstance(told, dict) or set(told) != set(categories):
        bad("wear-form", f"full names all of {', '.join(categories)}, not {told!r:.60}")
    most = max(high for _, high in setup.edition.build_limits)
    bounds = [(min(1, standard), min(standard, 1) * most) for standard in setup.standard_wear]
    return [
        whole(told[name], name, low, high, rule="FD-BUILD-1")
        for name, (low, high) in zip(categories, bounds, strict=True)
    ]


def _read_space(track: Track, told: Any) -> int | None:
    if told is None:
        return None
    if not isinstance(told, str) or told not in track.index:
        bad("no-such-space", f"{track.name} has no space {told!r:.40}", to=str(told)[:40])
    return track.index[told]


def _first_lap(track: Track, space: int | None) -> int:
    """Left out: lap 0 before the line in the section of the line, else lap 1."""
    if space is None:
        return 0
    return 0 if track.section[space] == 0 and not track.past_line[space] else 1


def _status_unsaid(
    track: Track, told: Mapping[str, Any], space: int | None, lap: int, phase: Phase
) -> Status:
    """How a car stands of which it is not said."""
    if space is None:
        return Status.GRID if phase in (Phase.SETUP, Phase.TRIALS) else Status.OUT
    if track.lane[space] < 0:
        return Status.PIT
    waits = lap == 0 and space in track.grid and not told.get("gear")
    return Status.GRID if waits else Status.RACING


def _read_arrived(setup: Setup, told: Any) -> int:
    """Who came first, where that matters (DE-ORDER-1)."""
    return whole(told, "arrived", 0, MANY if setup.edition.keeps_arrivals else 0, rule="DE-ORDER-1")


def _read_pit_mark(
    setup: Setup, car: Car, stood: int | None, told: Any
) -> Literal["late", "waits", "fresh"] | None:
    """What the pit still holds against a car (DE-PIT-1, DE-PIT-2)."""
    if told is None:
        return None
    if not setup.edition.holds_gear_after_pit:
        bad("pit-mark-form", f"no car has a pit_mark in {setup.edition.name}", rule="DE-PIT-1")
    mark = one_of(told, "pit_mark", ("late", "waits", "fresh"), rule="DE-PIT-1")
    if mark == "fresh":
        return "fresh"
    in_pit = stood is not None and setup.track.lane[stood] < 0
    if setup.boardless:
        in_pit = is_in_pit(car.status, car.out)
    if not in_pit or car.served:
        bad("pit-mark-form", f"only a car before its stop is {mark}", rule="DE-PIT-1")
    if mark == "late":
        return "late"
    if not setup.boardless and stood not in setup.track.boxes:
        bad("pit-mark-form", "only a car in its box waits", rule="DE-PIT-1")
    return "waits"


def _read_stands(setup: Setup, told: Any, space: int | None) -> bool:
    """Whether a car that is out still stands in the way (DE-BLOCK-1)."""
    if told in (None, False):
        return False
    on_road = space is not None and setup.track.lane[space] >= 0
    stood = setup.boardless or on_road
    if told is not True or setup.edition.blocks != "wreck" or not stood:
        bad("out-form", f"stands is true for a wreck on the track, not {told!r:.20}",
            rule="DE-BLOCK-1")  # fmt: skip
    return True


def _read_out(setup: Setup, told: Any, status: Status) -> Out | None:
    if status is not Status.OUT:
        if told is not None:
            bad("out-but-running", f"a car that is {status} has no out")
        return None
    if told is None:
        return Out("retired", None, 0, None, Status.RACING)
    if not isinstance(told, dict):
        bad("out-form", f"out is an object, not {told!r:.60}")
    only_keys(told, frozenset({"why", "rule", "round", "space", "was", "stands"}), "out")
    rule = told.get("rule")
    was = one_of(told.get("was", "racing"), "was", tuple(sorted(map(str, RUNNING))))
    space = _read_space(setup.track, told.get("space"))
    return Out(
        read_name(told.get("why", "retired"), "why"),
        None if rule is None else read_name(rule, "rule"),
        whole(told.get("round", 0), "round", 0, MANY),
        space,
        Status(was),
        _read_stands(setup, told.get("stands"), space),
    )


def _read_place(told: Any) -> int | None:
    return None if told is None else whole(told, "place", 1, SEAT_NUMBERS[-1])


def _read_served(track: Track, box: int, space: int | None, told: Any) -> bool:
    """Left out: a car in its box or beyond it has made its stop (FD-PIT-6).

    A served car may stand before its box: it returned there, where its own space was taken.
    One in its box may not be served yet: debris on its way there is still to be rolled for.
    """
    if space is None or track.lane[space] >= 0:
        if told:
            bad("served-on-track", "only a car in the pit lane can be served", rule="FD-PIT-6")
        return False
    if box > len(track.boxes) or (space in track.boxes and space != track.boxes[box - 1]):
        bad("wrong-box", f"a car stops in its own box, B{box}", rule="FD-PIT-1", box=box)
    in_box = space in track.boxes
    beyond = in_box or space > track.box_lane[box - 1]
    if told is None:
        return beyond
    if not isinstance(told, bool) or (not told and beyond and not in_box):
        bad("served-form", f"served {told!r:.20} contradicts the space", rule="FD-PIT-6")
    return told
