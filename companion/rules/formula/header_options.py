"""The optional rules of a header: which are on, and what each asks of the seats."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from companion.rules.board.track import Track
from companion.rules.copies import replace
from companion.rules.formula.car import Car
from companion.rules.formula.edition import Edition
from companion.rules.formula.settings import Setup
from companion.rules.formula.tables import POOL, TEAM_POOL, TEAM_SIZE, TIRE_KINDS
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.tables import DRIVERS, NOBODY, Driver
from companion.rules.formula.wear import Wear
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

# FD-URBAN-1: urban cars have the wear of their drivers, hard tires, and no pit to stop in.
NOT_WITH_URBAN = {
    "build": "the cars have the wear of their drivers",
    "tires": "the cars run on hard tires",
    "technical": "there are no pits",
}
NOT_BOARDLESS = {
    "trials": (
        "FD-TRIAL-3",
        "how far a trial came that a corner ended is measured on a board only",
    ),
    "urban": ("FD-URBAN-1", "police station, noise zone, tunnel and drivers need a board"),
}
"""The report of a move has no word for what these rules ask of a way."""


def read_rules(data: object, track: Track, edition: Edition) -> frozenset[str]:
    """The optional rules that are on.

    Raises:
        Malformed: an unknown rule, one that the board has no table for, or that needs a board, or
            one that another leaves no room for.
    """
    if not isinstance(data, list) or not all(isinstance(rule, str) for rule in data):
        bad("rules-form", f"rules is a list of names, not {data!r:.60}")
    for name in data:
        if name not in edition.optional_rules:
            bad("rule-unknown", f"there is no optional rule {name!r:.40}", name=name[:40])
    for name in data:
        if URBAN in data and name in NOT_WITH_URBAN:
            message = f"in urban races {NOT_WITH_URBAN[name]}; leave {name} out"
            bad("not-with-urban", message, rule="FD-URBAN-1", name=name)
    for name in data:
        if track.is_blank and name in NOT_BOARDLESS:
            rule, why = NOT_BOARDLESS[name]
            message = f"{why}; name a track, or leave {name} out"
            bad("not-boardless", message, rule=rule, name=name)
    if "weather" in data and track.weather is None and not track.is_blank:
        message = f"{track.name} has no weather table; leave weather out"
        bad("no-weather-table", message, rule="FD-WEATHER-1", track=track.name)
    return frozenset(data)


def with_options(car: Car, data: Mapping[str, object], setup: Setup) -> Car:
    """A car with what its seat of the header says to the rules that are on.

    What is left out and asked for later stands as usual until then.

    Raises:
        Malformed: wear, tires, team or driver that the rules do not allow.
    """
    rules, tires, team = setup.rules, data.get("tires"), data.get("team")
    fitted = "hard" if tires is None else one_of(tires, "tires", TIRE_KINDS, rule="FD-TIRE-1")
    if fitted != "hard" and "tires" not in rules:
        message = f"tires are hard: the rule of tires is not on ({tires})"
        bad("tires-not-on", message, rule="FD-TIRE-1", tires=tires)
    name = None if team is None else read_name(team, "team")
    if "teams" in rules and name is None:
        bad("team-missing", "with teams every seat names its team", rule="FD-TEAM-1")
    own_pool = bool(rules & setup.edition.pool_rules) and "teams" not in rules
    driver = _read_driver(data, rules)
    built = data.get("wear") is not None
    wear = _read_wear(data.get("wear"), setup, driver.wear if driver.name else setup.standard_wear)
    return replace(
        car,
        wear=wear,
        full=wear,
        tires=fitted,
        team=name if "teams" in rules else None,
        pool=POOL - built * setup.on_car(wear) if own_pool else None,
        street=replace(car.street, driver=driver.name) if driver.name else car.street,
    )


def _read_wear(data: object, setup: Setup, full: Wear) -> Wear:
    """Wear of the header: a construction, or nothing but the car's own (FD-CAR-1)."""
    if data is None:
        return full
    edition = setup.edition
    if edition.build_rule in setup.rules:
        return _read_construction(data, setup)
    wear = read_wear(data, full, edition.categories)
    for name, points, own in zip(edition.categories, wear, full, strict=True):
        if points != own:
            message = f"a car starts with {name} {own}, not {points}"
            bad("standard-wear", message, rule="FD-CAR-1", category=name, points=own)
    return wear


def _read_construction(data: object, setup: Setup) -> Wear:
    """A constructed car: what is left out as standard, all points spent (FD-BUILD-1)."""
    categories, total = setup.edition.categories, int(setup.house.build_points)
    given = _wear_object(data, categories)
    bounds = zip(categories, setup.standard_wear, setup.build_limits, strict=True)
    wear = tuple(
        whole(given.get(name, standard), name, low, high, rule="FD-BUILD-1")
        for name, standard, (low, high) in bounds
    )
    if not total <= sum(wear) <= total + setup.most_on_car:
        message = f"a car is built of {total} points, not of {sum(wear)}"
        bad("build-points", message, rule="FD-BUILD-1", points=total, given=sum(wear))
    return wear


def read_wear(data: object, full: Wear, categories: Sequence[str]) -> Wear:
    """Wear by name, what is left out as `full`; never above it, nor below 0 (FD-CAR-2)."""
    given = _wear_object(data, categories)
    return tuple(
        whole(given.get(name, most), name, 0, most, rule="FD-CAR-2")
        for name, most in zip(categories, full, strict=True)
    )


def _wear_object(data: object, categories: Sequence[str]) -> Mapping[str, object]:
    if not isinstance(data, dict):
        bad("wear-form", f"wear is an object of categories, not {data!r:.60}")
    only_keys(data, categories, "wear")
    return data


def _read_driver(data: Mapping[str, object], rules: frozenset[str]) -> Driver:
    """The driver of a seat; in other races than urban ones a driver is a name without a meaning.

    Raises:
        Malformed: none, one that is not known, or Julien Marcellin where no weather is played.
    """
    if URBAN not in rules:
        return NOBODY
    name, rule = data.get("driver"), "FD-URBAN-1"
    if not isinstance(name, str) or name not in DRIVERS:
        message = f"in urban races a seat's driver is one of {', '.join(DRIVERS)}"
        bad("driver-missing", f"{message}, not {name!r:.40}", rule=rule, name=str(name)[:40])
    driver = DRIVERS[name]
    if driver.needs is not None and driver.needs not in rules:
        message = f"{name} drives only where weather is played"
        bad("driver-needs-weather", message, rule=rule, name=name)
    return driver


def refuse_shared_drivers(cars: Mapping[int, Car]) -> None:
    """Every driver is there once (FD-URBAN-1)."""
    seats: dict[str, int] = {}
    for car in cars.values():
        if car.street.driver in seats:
            message = (
                f"seats {seats[car.street.driver]} and {car.seat} both are {car.street.driver}"
            )
            bad("driver-twice", message, rule="FD-URBAN-1", name=car.street.driver)
        if car.street.driver is not None:
            seats[car.street.driver] = car.seat


def team_pools(cars: Iterable[Car], builds: Container[int], setup: Setup) -> dict[str, int]:
    """The teams in the order of their first seats, each with its generic WP.

    What their cars have on them is none of the pit's any more; seats of `builds`
    are still to be built. Without a rule that
    gives them there are none: {}.

    Raises:
        Malformed: a team of more than two cars (FD-TEAM-1).
    """
    on_cars: dict[str, list[int]] = {}
    for car in cars:
        if car.team:
            on_car = 0 if car.seat in builds else setup.on_car(car.wear)
            on_cars.setdefault(car.team, []).append(on_car)
    for team, of_team in on_cars.items():
        if len(of_team) > TEAM_SIZE:
            message = f"a team has {TEAM_SIZE} cars, {team} has {len(of_team)}"
            bad("team-too-big", message, rule="FD-TEAM-1", team=team)
    if not setup.rules & setup.edition.pool_rules:
        return {}
    return {team: TEAM_POOL - sum(of_team) for team, of_team in on_cars.items()}
