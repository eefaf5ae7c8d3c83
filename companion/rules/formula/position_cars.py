"""The cars of a position: read by the fields of `Car`; what they say together is judged here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.codec import changed, keys, read, replace
from companion.rules.formula import book
from companion.rules.formula.car import USES, Car, Out, PitMark, Place, Status, has_one_grace
from companion.rules.formula.drivers import driver_of
from companion.rules.formula.header import read_wear
from companion.rules.formula.order import laps_behind, lose_turn
from companion.rules.formula.pit import are_chosen
from companion.rules.formula.state import Phase, State
from companion.rules.lines import bad, only_keys, whole

STANDING = (Status.GRID, Status.STALLED)
JUDGED = frozenset({"out", "wear", "full", "served", "box"})
"""The keys of a car that mean something only beside others."""


def read_cars(blank: State, data: object, phase: Phase, on_grid: Sequence[int]) -> dict[int, Car]:
    """All cars of the race; those `on_grid` that the position does not name stand there."""
    if not isinstance(data, dict):
        bad("cars-form", f"cars is an object of seats, not {data!r:.60}")
    cars = dict(blank.cars)
    for key, part in data.items():
        # `int` reads the digits of every script; leading zeros are refused by comparing the text.
        seat = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else -1
        if seat not in cars or str(seat) != key:
            bad("no-such-seat", f"cars has no seat {key!r:.20}; seats are {sorted(cars)}")
        cars[seat] = _read_car(blank, cars[seat], part, phase)
    if len({car.box for car in cars.values()}) < len(cars):
        bad("box-twice", "two cars have the same box", rule="FD-PIT-1")
    if phase is Phase.RACE:
        rest = [seat for seat in on_grid if str(seat) not in data]
        blank.ground.fill_grid(blank.setup, cars, rest)
    # A car that is not named keeps the laps that it is down.
    unsaid = [seat for seat in cars if "laps_down" not in data.get(str(seat), {"laps_down": 0})]
    if lose_turn(blank.setup) and unsaid:
        stood = replace(blank, cars=cars)
        for seat in unsaid:
            memory = replace(cars[seat].memory, laps_down=laps_behind(stood, cars[seat]))
            cars[seat] = replace(cars[seat], memory=memory)
    return cars


def _read_car(blank: State, car: Car, data: object, phase: Phase) -> Car:
    """A car with what the position says of it; the rest follows from where it stands."""
    setup, ground = blank.setup, blank.ground
    if not isinstance(data, dict):
        bad("car-form", f"a car is an object, not {data!r:.60}")
    own_box = {"box"} if are_chosen(setup) else set()
    only_keys(data, {*keys(Car), *own_box}, "a car")
    if data.get("seat", car.seat) != car.seat:
        bad("seat-differs", f"the car of seat {car.seat} says seat {data['seat']!r:.20}")
    _refuse_foreign_keys(setup, car, data)
    given = {key: value for key, value in data.items() if key not in JUDGED}
    # From here the order matters: the lap follows from the space, the status from both, the gear
    # from the status.
    car = _forgetting(car, changed(car, given, blank.context))
    car = replace(car, box=_read_box(setup, car, data))
    if "lap" not in data:
        car = replace(car, lap=ground.first_lap(setup, data, car.space))
    if "status" not in data:
        before = phase in (Phase.SETUP, Phase.TRIALS)
        car = replace(car, status=ground.status_unsaid(setup, car, data, before=before))
    full = _read_full(setup, data["full"]) if "full" in data else car.full
    car = replace(
        car,
        gear=car.gear if "gear" in data else int(car.status not in STANDING),
        full=full,
        wear=read_wear(data.get("wear", {}), full, setup.edition.categories),
        tires_lap=car.tires_lap if "tires_lap" in data else max(car.lap, 1),
        out=_read_out(blank, car.status, data.get("out")),
    )
    car = replace(car, served=ground.read_served(setup, car, data.get("served")))
    _refuse_contradictions(blank, car, phase)
    return car


def _forgetting(old: Car, car: Car) -> Car:
    """In another corner, or with other stops, how deep the car is in it is not known any more."""
    was, now = old.reckoning, car.reckoning
    same = (was.corner, old.stops) == (now.corner, car.stops) or was.depth != now.depth
    return car if same else replace(car, reckoning=replace(now, depth=(0, 0)))


def _refuse_foreign_keys(setup: book.Setup, car: Car, data: Mapping[str, object]) -> None:
    """Refuse keys that no car of this race has."""
    rules = setup.rules
    urban = sorted({*USES, "drift", "police"}.intersection(data))
    if urban and book.URBAN not in rules:
        message = f"{urban[0]} is of urban races, and urban is not on"
        bad("rule-not-on", message, name=book.URBAN)
    driver = driver_of(car)
    able_of = {name: use.able(driver) for name, use in USES.items()} | {"drift": driver.drifts}
    for key, able in able_of.items():
        if data.get(key) and not able:
            message = f"{driver.name} has no {key}"
            bad("not-of-this-driver", message, rule="FD-URBAN-1", name=key)
    if data.get("pool") is not None and car.pool is None:
        message = f"seat {car.seat} has no pool of its own"
        bad("no-pool", message, rule="FD-TECH-1", seat=car.seat)
    trial = data.get("trial")
    if trial is not None and not (isinstance(trial, dict) and "trials" in rules):
        message = f"trial is an object where trials are on, not {trial!r:.60}"
        bad("trial-form", message, rule="FD-TRIAL-1")


def _read_box(setup: book.Setup, car: Car, data: Mapping[str, object]) -> int:
    """The box that it has chosen (`boxes`)."""
    if "box" not in data or not setup.track.boxes:
        return car.box
    return whole(data["box"], "box", 1, len(setup.track.boxes), rule="FD-PIT-1")


def _read_full(setup: book.Setup, data: object) -> book.Wear:
    """What a car started with; a category that this race does not have stays at 0."""
    categories = setup.edition.categories
    if not isinstance(data, dict) or set(data) != set(categories):
        bad("wear-form", f"full names all of {', '.join(categories)}, not {data!r:.60}")
    most = max(high for _, high in setup.build_limits)
    return type(setup.standard_wear)(
        whole(data[name], name, min(1, own), min(1, own) * most, rule="FD-BUILD-1")
        for name, own in zip(categories, setup.standard_wear, strict=True)
    )


def _read_out(blank: State, status: Status, data: object) -> Out | None:
    """Why a car is out; a wreck that still stands is one of Formule Dé (DE-BLOCK-1)."""
    if status is not Status.OUT:
        if data is not None:
            bad("out-but-running", f"a car that is {status} has no out")
        return None
    if data is not None and not isinstance(data, dict):
        bad("out-form", f"out is an object, not {data!r:.60}")
    return read(Out, data or {}, "out", blank.context)


def _refuse_contradictions(blank: State, car: Car, phase: Phase) -> None:
    """Refuse a car that could not stand so.

    Raises:
        Malformed: what contradicts what, with the rule where there is one.
    """
    setup, ground = blank.setup, blank.ground
    seat, out, place = car.seat, car.out, ground.place(setup, car)
    if ground.contradicts_space(setup, car, phase):
        where = "no space" if car.space is None else setup.track.ids[car.space]
        bad("space-and-status", f"seat {seat} is {car.status} and stands on {where}", seat=seat)
    # Of a car that is out, what it was when it went out: it may be put back like that.
    standing = (out.was if out else car.status) in STANDING
    may_return = out is not None and place is not Place.NOWHERE
    if (car.runs or may_return) and standing == bool(car.gear):
        message = f"seat {seat} is {car.status} in gear {car.gear}"
        bad("gear-and-status", message, rule="FD-GEAR-1", seat=seat)
    may_stand = setup.wrecks_stand and place is Place.TRACK
    if out is not None and out.stands and not may_stand:
        bad("out-form", "stands is true for a wreck on the track", rule="DE-BLOCK-1")
    _check_space(setup, car)
    _check_pit_mark(setup, car, place)
    _check_rules(setup, car)


def _check_space(setup: book.Setup, car: Car) -> None:
    """What the space of a car says."""
    if car.space is None:
        return
    seat, track = car.seat, setup.track
    if (track.lane[car.space] < 0) != (car.status is Status.PIT):
        bad("pit-and-status", f"seat {seat} is {car.status} on {track.ids[car.space]}", seat=seat)
    if car.stops and track.corner[car.space] < 0:
        message = f"seat {seat} has stops outside a corner"
        bad("stops-outside-corner", message, rule="FD-CORNER-1", seat=seat)


def _check_pit_mark(setup: book.Setup, car: Car, place: Place) -> None:
    """What the pit still holds against a car (DE-PIT-1, DE-PIT-2)."""
    mark, rule = car.pit_mark, "DE-PIT-1"
    if mark is not None and not setup.edition.holds_gear_after_pit:
        bad("pit-mark-form", f"no car has a pit_mark in {setup.edition.name}", rule=rule)
    if mark in (PitMark.LATE, PitMark.WAITS) and (
        car.served or place not in (Place.LANE, Place.BOX)
    ):
        bad("pit-mark-form", f"only a car before its stop is {mark}", rule=rule)
    if mark is PitMark.WAITS and place is not Place.BOX:
        bad("pit-mark-form", "only a car in its box waits", rule=rule)


def _check_rules(setup: book.Setup, car: Car) -> None:
    """What the rules of the race leave no room for."""
    if car.status is Status.PIT and book.URBAN in setup.rules:
        bad("not-with-urban", "in urban races there are no pits", rule="FD-URBAN-1", name="pit")
    if car.tires != "hard" and "tires" not in setup.rules:
        bad("tires-not-on", "tires are hard: the rule of tires is not on", rule="FD-TIRE-1")
    if setup.house.level_order != "arrived":
        # Bounds of 0 and 0 refuse every number: in this race nobody counts arrivals.
        whole(car.arrived, "arrived", 0, 0, rule="DE-ORDER-1")
    for lap, _, _ in car.street.police:
        if lap > setup.laps:
            bad("police-form", f"police has no note of lap {lap}", rule="FD-URBAN-5")
    if car.status is Status.SPUN and setup.edition.one_pool:
        bad("nobody-spins", "in the basic game nobody spins", rule="FD-CORNER-6")
    _check_memory(setup, car)
    for category, rule in ((book.BODY, "FD-BUMP-2"), (book.ENGINE, "FD-ENGINE-3")):
        if (
            car.runs
            and not car.wear[category]
            and not (category == book.ENGINE and car.memory.blown)
        ):
            name = setup.edition.category(category)
            message = f"seat {car.seat} runs without {name}: the last one puts a car out"
            bad("runs-without", message, rule=rule, seat=car.seat, category=name)


def _check_memory(setup: book.Setup, car: Car) -> None:
    """What only a house switch has a car remember."""
    memory = car.memory
    if memory.limited and setup.house.repair_lifts == "yes":
        bad("not-limited", "here a repair lifts the limit of the gears", rule="FD-REV-2")
    if memory.blown and (
        setup.house.blown_engine == "lifted" or car.wear[book.ENGINE] or not car.gear
    ):
        bad("not-blown", "only a car whose engine is gone rolls on", rule="FD-ENGINE-3")
    if memory.laps_down and not lose_turn(setup):
        bad("no-laps-down", "here a lapped car loses no turn", rule="FD-ORDER-1")
    if memory.weather_due and not (
        setup.house.weather_test == "round" and "weather" in setup.rules
    ):
        bad("weather-not-due", "here the weather is rolled in the turn", rule="FD-WEATHER-3")
    if memory.grace is not None and not has_one_grace(setup):
        bad("no-grace", "here the grace lasts as long as tires are 0", rule="FD-CORNER-7")
