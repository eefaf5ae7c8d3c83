"""The header of a race: what is settled before the first roll.

Raises `Malformed` with the numbered rule that a header breaks.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field

from companion.rules.board.track import Track
from companion.rules.codec import replace
from companion.rules.formula import book
from companion.rules.formula.car import MOST_SEATS, Car
from companion.rules.formula.pit import are_chosen
from companion.rules.lines import bad, one_of, only_keys, read_name, whole
from companion.rules.packs import read_color, refuse_clashes, with_pack
from companion.system.frozen import dataclass

HEADER_KEYS = frozenset(
    {"game", "track", "laps", "rules", "house", "seats", "grid", "start", "weather", "position"}
)
SEAT_KEYS = frozenset(
    {"seat", "name", "player", "crew", "color", "team", "driver", "wear", "tires", "box"}
)


@dataclass(frozen=True, slots=True)
class Header:
    """A header, read and found free of contradictions.

    `weather` is None where it is to be rolled (FD-WEATHER-2).
    """

    setup: book.Setup
    cars: Mapping[int, Car]
    grid: tuple[int, ...] | None
    weather: str | None
    position: Mapping[str, object] | None = field(hash=False)
    pools: Mapping[str, int] = field(hash=False)


def read_header(data: Mapping[str, object], track: Track, edition: book.Edition) -> Header:
    """Read a header of a Formula game in this edition.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    pack = data.get("pack")
    data = with_pack(data, edition.name)
    only_keys(data, HEADER_KEYS, "header")
    rules = _read_rules(data.get("rules", []), track, edition)
    edition = book.edition_of(edition, rules)
    house = _read_house(data.get("house", {}), edition)
    position = data.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    laps = _read_laps(data, position or {}, rules, edition)
    start = data.get("start")
    if start not in (None, "normal"):
        bad("start-unknown", f'start is "normal" or left out, not {start!r:.60}')
    setup = book.Setup(
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
    edition: book.Edition,
) -> int:
    """The laps of the header; where it is silent, those of the position, else the usual ones."""
    if "laps" in position and "laps" not in data:
        shown = whole(position["laps"], "laps", *edition.laps, rule="FD-LAPS-1")
        return shown - whole(position.get("laps_added", 0), "laps_added", 0, shown - 1)
    laps = data.get("laps", book.usual_laps(rules))
    return whole(laps, "laps", *edition.laps, rule="FD-LAPS-1")


def _read_house(data: object, edition: book.Edition) -> book.House:
    """The house switches; what is left out stands at its default.

    A switch between on and off may be true or false too.
    """
    if not isinstance(data, dict):
        bad("house-form", f"house is an object of switches, not {data!r:.60}")
    only_keys(data, edition.house, "house")
    words = {name: _word(value) for name, value in data.items()}
    chosen = {name: one_of(word, name, edition.house[name]) for name, word in words.items()}
    refuse_clashes(chosen, edition.choices)
    return book.usual_house(edition.name).but(**chosen)


def _word(value: object) -> object:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value


FIRST_WEATHERS = ("fine", "variable", "rain")


def _read_weather(data: Mapping[str, object], rules: frozenset[str]) -> str | None:
    """The weather that is given; left out it is rolled, or fine where no weather is played."""
    if "weather" not in data and "weather" in rules:
        return None
    weather = data.get("weather", "fine")
    return one_of(weather, "weather", FIRST_WEATHERS, rule="FD-WEATHER-1")


def _read_cars(data: object, setup: book.Setup) -> dict[int, Car]:
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


def read_car(data: object, place: int, setup: book.Setup) -> Car:
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
    # Neither is the rules' concern, but a wrong one must not get into a record.
    read_crew(data.get("crew"))
    read_color(data.get("color"))
    box = data.get("box", place)
    if "box" in data and are_chosen(setup):
        message = "boxes are chosen in the order of the grid; leave box out"
        bad("box-by-grid", message, rule="FD-PIT-1", seat=number)
    car = Car(number, name, whole(box, "box", 1, MOST_SEATS, rule="FD-PIT-1"))
    return _with_options(car, data, setup)


MOST_CREW = 8


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


# -- optional rules: which are on, and what each asks of the seats --------------------------------


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


def _read_rules(data: object, track: Track, edition: book.Edition) -> frozenset[str]:
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
        if book.URBAN in data and name in NOT_WITH_URBAN:
            message = f"in urban races {NOT_WITH_URBAN[name]}; leave {name} out"
            bad("not-with-urban", message, rule="FD-URBAN-1", name=name)
        if book.BASIC in data and name != book.BASIC:
            message = f"the basic game has no option of the complete rules; leave {name} out"
            bad("not-with-basic", message, rule="FD-BASIC-1", name=name)
    for name in data:
        if track.is_blank and name in NOT_BOARDLESS:
            rule, why = NOT_BOARDLESS[name]
            message = f"{why}; name a track, or leave {name} out"
            bad("not-boardless", message, rule=rule, name=name)
    if "weather" in data and track.weather is None and not track.is_blank:
        message = f"{track.name} has no weather table; leave weather out"
        bad("no-weather-table", message, rule="FD-WEATHER-1", track=track.name)
    return frozenset(data)


def _with_options(car: Car, data: Mapping[str, object], setup: book.Setup) -> Car:
    """A car with what its seat of the header says to the rules that are on.

    What is left out and asked for later stands as usual until then.

    Raises:
        Malformed: wear, tires, team or driver that the rules do not allow.
    """
    rules, tires, team = setup.rules, data.get("tires"), data.get("team")
    fitted = "hard" if tires is None else one_of(tires, "tires", book.TIRE_KINDS, rule="FD-TIRE-1")
    if fitted != "hard" and "tires" not in rules:
        message = f"tires are hard: the rule of tires is not on ({tires})"
        bad("tires-not-on", message, rule="FD-TIRE-1", tires=tires)
    name = None if team is None else read_name(team, "team")
    if "teams" in rules and name is None:
        bad("team-missing", "with teams every seat names its team", rule="FD-TEAM-1")
    own_pool = bool(rules & setup.edition.pool_rules) and "teams" not in rules
    driver = _read_driver(data, rules)
    # A car still to be constructed takes its points from the pool when it is (`CarBuilt`).
    built = data.get("wear") is not None
    wear = _read_wear(data.get("wear"), setup, driver.wear if driver.name else setup.standard_wear)
    return replace(
        car,
        wear=wear,
        full=wear,
        tires=fitted,
        team=name if "teams" in rules else None,
        pool=book.POOL - built * setup.on_car(wear) if own_pool else None,
        street=replace(car.street, driver=driver.name) if driver.name else car.street,
    )


def _read_wear(data: object, setup: book.Setup, full: book.Wear) -> book.Wear:
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
            rule = edition.rule("FD-CAR-1")
            bad("standard-wear", message, rule=rule, category=name, points=own)
    return wear


def _read_construction(data: object, setup: book.Setup) -> book.Wear:
    """A constructed car: what is left out as standard, all points spent (FD-BUILD-1)."""
    categories, total = setup.edition.categories, int(setup.house.build_points)
    given = _wear_as_given(data, categories)
    bounds = zip(categories, setup.standard_wear, setup.build_limits, strict=True)
    wear = tuple(
        whole(given.get(name, standard), name, low, high, rule="FD-BUILD-1")
        for name, standard, (low, high) in bounds
    )
    if not total <= sum(wear) <= total + setup.most_on_car:
        message = f"a car is built of {total} points, not of {sum(wear)}"
        bad("build-points", message, rule="FD-BUILD-1", points=total, given=sum(wear))
    return wear


def read_wear(data: object, full: book.Wear, categories: Sequence[str]) -> book.Wear:
    """Wear by name, what is left out as `full`; never above it, nor below 0 (FD-CAR-2)."""
    given = _wear_as_given(data, categories)
    return type(full)(
        whole(given.get(name, most), name, 0, most, rule="FD-CAR-2")
        for name, most in zip(categories, full, strict=True)
    )


def _wear_as_given(data: object, categories: Sequence[str]) -> Mapping[str, object]:
    if not isinstance(data, dict):
        bad("wear-form", f"wear is an object of categories, not {data!r:.60}")
    only_keys(data, categories, "wear")
    return data


def _read_driver(data: Mapping[str, object], rules: frozenset[str]) -> book.Driver:
    """The driver of a seat; in other races than urban ones a driver is a name without a meaning.

    Raises:
        Malformed: none, one that is not known, or Julien Marcellin where no weather is played.
    """
    if book.URBAN not in rules:
        return book.NOBODY
    name, rule = data.get("driver"), "FD-URBAN-1"
    if not isinstance(name, str) or name not in book.DRIVERS:
        message = f"in urban races a seat's driver is one of {', '.join(book.DRIVERS)}"
        bad("driver-missing", f"{message}, not {name!r:.40}", rule=rule, name=str(name)[:40])
    driver = book.DRIVERS[name]
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


def team_pools(cars: Iterable[Car], builds: Container[int], setup: book.Setup) -> dict[str, int]:
    """The teams in the order of their first seats, each with its generic WP.

    Points that are on the cars are not in the pit any more; cars of `builds` have none yet.
    Without a rule that gives generic WP the answer is {}.

    Raises:
        Malformed: a team of more than two cars (FD-TEAM-1).
    """
    on_cars: dict[str, list[int]] = {}
    for car in cars:
        if car.team:
            on_car = 0 if car.seat in builds else setup.on_car(car.wear)
            on_cars.setdefault(car.team, []).append(on_car)
    for team, of_team in on_cars.items():
        if len(of_team) > book.TEAM_SIZE:
            message = f"a team has {book.TEAM_SIZE} cars, {team} has {len(of_team)}"
            bad("team-too-big", message, rule="FD-TEAM-1", team=team)
    if not setup.rules & setup.edition.pool_rules:
        return {}
    return {team: book.TEAM_POOL - sum(of_team) for team, of_team in on_cars.items()}
