"""What a race adds to a driver's figures: numbers by name, so that they can be added up; pure.

The names are `races`, `cars`, `places` (their sum), `poles`, `home` (finished, or classified as it
stood) with `wins`, `podiums`, `gained` (places from grid to end), `out`; of cars that were
`measured` `luck` in spaces, `stops` and `stop_turns`; behind a dot stands one of many: `n.rolls`,
`wp.tires`, `out.engine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.frozen import dataclass
from companion.league.classified import classify
from companion.league.plain import Entry, Race
from companion.league.scores import is_classified, started

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
    """What a driver brought home from a race; the fields are those of `store.models.ResultRow`."""

    driver: str
    place: int
    status: str
    won: bool
    best_lap: int | None
    rolls: int | None
    tally: Tally


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


def added(one: Mapping[str, float], other: Mapping[str, float], sign: int = 1) -> Tally:
    """Two tallies together, or without one another; what comes to nothing is left out.

    >>> added({"wins": 2, "luck": 0.5}, {"wins": 2}, -1)
    {'luck': 0.5}
    """
    total = dict(one)
    for name, number in other.items():
        total[name] = round(total.get(name, 0) + sign * number, 3)
    return {name: number for name, number in total.items() if number}


def _of_driver(race: Race, driver: str, cars: list[Entry]) -> Brought:
    tally: Tally = {"races": 1}
    for entry in cars:
        tally = added(tally, dict(_counted(entry)))
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
        won=any(one.place == 1 and is_classified(one) for one in cars),
        best_lap=min(laps, default=None),
        rolls=min(rolls, default=None),
        tally=tally,
    )


def _counted(entry: Entry) -> Iterable[tuple[str, float]]:
    yield "cars", 1
    yield "places", entry.place
    yield "poles", entry.grid == 1
    if is_classified(entry):
        yield "home", 1
        yield "wins", entry.place == 1
        yield "podiums", entry.place <= PODIUM
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
