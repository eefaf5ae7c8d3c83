"""What a race adds to a driver's figures: numbers by name, so that they can be added up; pure.

The names are `races`, `cars`, `places` (their sum), `poles`, `home` (finished, or classified as it
stood) with `wins`, `podiums`, `gained` (places from grid to end), `out`; of cars that were
`measured` `luck` in spaces, `stops` and `stop_turns`; behind a dot stands one of many: `n.rolls`,
`wp.tires`, `out.engine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.league.plain import Entry, Race
from companion.league.results import classify, is_classified, started
from companion.system.frozen import dataclass

PODIUM = 3
SUMMED = (
    "rolls",
    "spaces",
    "passes",
    "passed",
    "led",
    "overshoots",
    "spins",
    "slipstreams",
    "over_revs",
    "blocks",
    "engine_tests",
    "debris",
    "bumped",
    "was_bumped",
    "hurt",
    "braked",
    "kept_waiting",
    "waited",
)
"""The figures of `Entry.numbers` that are added up over races."""
Tally = dict[str, float]


@dataclass(frozen=True, slots=True)
class Brought:
    """What a driver brought home from a race, with these cars."""

    driver: str
    place: int
    status: str
    won: bool
    best_lap: int | None
    rolls: int | None
    cars: tuple[Entry, ...]
    is_sprint: bool = False

    def figures(self) -> Iterator[tuple[str, float]]:
        """What it adds to a driver's figures."""
        yield "races", 1
        for entry in self.cars:
            yield from _counted(entry, has_place=not self.is_sprint)

    @property
    def luck(self) -> float | None:
        """Spaces that the dice have given; None: nobody measured them."""
        lucks = [one.numbers["luck"] for one in self.cars if "wp" in one.numbers]
        return round(sum(lucks), 3) if lucks else None


def brought(race: Race) -> list[Brought]:
    """What each driver brought home, the best place first; nothing of a race that does not count.

    Of a car with a crew each of it brings home what the car does.

    >>> brought(Race(id="r", name="", date="", game="formula-d", entries=(), struck="a joke"))
    []
    """
    if not race.counts:
        return []
    cars: dict[str, list[Entry]] = {}
    for entry in started(classify(race)):
        for driver in entry.people:
            cars.setdefault(driver, []).append(entry)
    return [_of_driver(race, driver, own) for driver, own in cars.items()]


def board_of(race: Race) -> str | None:
    """What people call the board of a race; None without one."""
    return race.board or race.track


def add(tally: Tally, more: Iterable[tuple[str, float]], sign: int = 1) -> None:
    """Add figures to a tally, or take them off; what comes to nothing goes.

    >>> tally = {"wins": 2.0, "luck": 0.5}
    >>> add(tally, {"wins": 2}.items(), -1)
    >>> tally
    {'luck': 0.5}
    """
    for name, number in more:
        if number:
            total = tally.get(name, 0) + sign * number
            total = tally[name] = round(total, 3) if type(total) is float else total
            if not total:
                del tally[name]


def _of_driver(race: Race, driver: str, cars: list[Entry]) -> Brought:
    whole = race.laps is not None
    laps = [one.best_lap for one in cars if one.best_lap is not None]
    rolls = [
        one.numbers["rolls"]
        for one in cars
        if whole and one.status == "finished" and one.numbers.get("rolls")
    ]
    return Brought(
        driver=driver,
        place=cars[0].place,
        status=cars[0].status,
        won=not race.is_sprint and any(one.place == 1 and is_classified(one) for one in cars),
        best_lap=min(laps, default=None),
        rolls=min(rolls, default=None),
        cars=tuple(cars),
        is_sprint=race.is_sprint,
    )


def _counted(entry: Entry, *, has_place: bool) -> Iterable[tuple[str, float]]:
    yield "cars", 1
    yield "places", entry.place
    yield "poles", entry.grid == 1
    if is_classified(entry):
        yield "home", 1
        yield "wins", has_place and entry.place == 1
        yield "podiums", has_place and entry.place <= PODIUM
        yield "gained", entry.grid - entry.place if entry.grid else 0
    elif entry.status == "out":
        yield "out", 1
        yield f"out.{entry.out or '?'}", 1
    if "wp" in entry.numbers:
        yield from _measured(entry)


def _measured(entry: Entry) -> Iterable[tuple[str, float]]:
    numbers = entry.numbers
    yield "measured", 1
    yield "luck", numbers["luck"]
    yield "stops", len(numbers["stops"])
    yield "stop_turns", sum(numbers["stops"])
    counts: Mapping[str, object] = numbers
    for name in SUMMED:
        number = counts.get(name, 0)
        yield f"n.{name}", number if isinstance(number, int | float) else 0
    for kind, points in numbers["wp"].items():
        yield f"wp.{kind}", points
