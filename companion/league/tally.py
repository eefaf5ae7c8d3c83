"""What a race adds to a driver's figures: numbers by name, so that they can be added up; pure.

The names are `races`, `cars`, `places` (their sum), `poles`, `home` (finished, or classified as it
stood) with `wins`, `podiums`, `gained` (places from grid to end), `out`; of cars that were
`measured` `luck` in spaces, `stops` and `stop_turns`; behind a dot stands one of many: `n.rolls`,
`wp.tires`, `out.engine`.

What is counted of a race when it comes into the league: by any game, and by its own.

Elo over positions: every race is a small tournament of duels, the one ahead wins.

A. Elo, The Rating of Chessplayers (1978): expected score 1 / (1 + 10^((Rb − Ra) / 400)). A race
of n drivers is n − 1 duels for each of them, all judged on the ratings before the race, and
their sum is divided by n − 1: so a race weighs as one game does, however many drive in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from companion.league.games import AnyReplayed, Measured, game_of
from companion.league.plain import CarNumbers, Entry, Race
from companion.league.results import classify, is_classified, started
from companion.race.times import Wait
from companion.system.frozen import dataclass

# -- tally ----------------------------------------------------------------------------------------


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


# -- measure --------------------------------------------------------------------------------------


def measure(race: AnyReplayed) -> Measured:
    """The numbers of a race and of its cars."""
    game = game_of(race.game)
    own = game.measure(race)
    times = [move.at for move in race.moves if move.at is not None]
    own.race["seats"] = {f"{seat}": name for seat, name in game.names(race).items()}
    own.race["colors"] = _colors(race)
    own.race["answers"] = len(race.moves) - 1
    own.race["taken_back"] = race.taken_back
    own.race["seconds"] = round(times[-1] - times[0], 1) if times else None
    return replace(own, cars=_with_waits(own.cars, race.waits))


def _with_waits(
    cars: Mapping[int, CarNumbers], waits: Mapping[int, Wait]
) -> Mapping[int, CarNumbers]:
    """The numbers of the cars with who waited for whom; a race without a moment of it has none."""
    told = waits if any(one.kept_s for one in waits.values()) else {}
    more: dict[int, CarNumbers] = {
        seat: {"kept_waiting": round(one.kept_s, 1), "waited": round(one.waited_s, 1)}
        for seat, one in told.items()
    }
    return {seat: {**cars.get(seat, {}), **more.get(seat, {})} for seat in {**cars, **more}}


def _colors(race: AnyReplayed) -> dict[str, str]:
    """The colors of the cars by their seats, as far as the header names them."""
    seats = race.header.get("seats")
    told = [one for one in seats if one.get("color")] if isinstance(seats, list) else []
    return {f"{one['seat']}": one["color"] for one in told}


# -- rating ---------------------------------------------------------------------------------------


START = 1500.0
SCALE = 400.0
K = 32.0
"""The most that one race can move a rating."""


def expected(own: float, other: float) -> float:
    """The score that is expected of a duel, 0 to 1.

    >>> expected(1500, 1500), round(expected(1900, 1500), 3)
    (0.5, 0.909)
    """
    return float(1 / (1 + 10 ** ((other - own) / SCALE)))


def places_of(race: Race) -> dict[str, int]:
    """The best place of each driver in a race, penalties in it."""
    places: dict[str, int] = {}
    for entry in started(classify(race)):
        places[entry.driver] = min(entry.place, places.get(entry.driver, entry.place))
    return places


def gains(places: Mapping[str, int], before: Mapping[str, float]) -> dict[str, float]:
    """What a race moves each rating by, all judged on the ratings before it."""
    gains = dict.fromkeys(places, 0.0)
    weight = K / (len(places) - 1)
    for one, other in combinations(places, 2):
        score = 0.5 + 0.5 * ((places[one] < places[other]) - (places[one] > places[other]))
        gain = weight * (score - expected(before[one], before[other]))
        gains[one] += gain
        gains[other] -= gain
    return gains
