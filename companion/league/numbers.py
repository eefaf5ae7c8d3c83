"""What was kept of many races when they came in, as plain records: for pages that list.

Skill over positions, of many drivers at once: Plackett–Luce, as the library openskill has it.

R. C. Weng, C.-J. Lin, A Bayesian Approximation Method for Online Ranking (2011), algorithm 4: what
is known of a driver is a bell curve, `mu` and `sigma`, and a race moves both at once by the whole
order, where Elo takes it to duels. The library comes with the extra `league`; without it nobody's
skill is reckoned, and a league that gets it makes itself again.

What the reviews of a season's races come to: luck and accuracy, and standings without luck.

A review tells of each car `result` = start + luck + errors + traffic, in turns (docs/advice.md).
Without luck a car that came home would have taken `result` - `luck` turns. In that order the cars
that came home share out the very places and points that they had between them, so what a race gives
in all stays what it was; everything else of a race, and a race without a review, stays as it is.

What a race adds to a driver's figures: numbers by name, so that they can be added up; pure.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from statistics import fmean
from typing import Any, Final, NamedTuple

from companion.league.games import AnyReplayed, Measured, game_of
from companion.league.plain import CarNumbers, Driver, Entry, Race
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


# -- book -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """All that a driver has done, added up: `tally` as `numbers.tally` names it; `skill` is None
    where nobody reckons it."""

    driver: Driver
    rating: float
    skill: Skill | None = None
    tally: Mapping[str, float] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """A count by its name; 0 where nothing was counted."""
        return round(self.tally.get(name, 0))

    def under(self, head: str) -> dict[str, int]:
        """The counts whose names begin so, by what is behind the dot, the greatest first."""
        own = {
            name.partition(".")[2]: round(number)
            for name, number in self.tally.items()
            if name.startswith(f"{head}.")
        }
        return dict(sorted(own.items(), key=lambda one: (-one[1], one[0])))

    @property
    def mean_place(self) -> float | None:
        """Over all cars; None without one."""
        cars = self.tally.get("cars", 0)
        return self.tally.get("places", 0) / cars if cars else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outing:
    """A race that a driver was in: the best car's place, and the rating after it."""

    race: str
    date: str
    game: str
    title: str
    place: int
    status: str
    rating: float | None = None
    season: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Somebody whom a driver has met: the driver was so often `ahead`, `behind`, or neither."""

    driver: str
    name: str
    races: int
    ahead: int
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a driver has done in a season, or on a board: `key` is that of the season, or the board
    with its game. `best` is the best place of a car that came home; None: none did."""

    key: str
    title: str
    races: int
    wins: int
    podiums: int
    best: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Championship:
    """A title that a driver holds: of the season or the competition with a key, of which kind;
    `team` is the one whose title it is, None: the driver's own. `seasons` have decided it."""

    key: str
    title: str
    kind: str
    team: str | None = None
    seasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A driver's page: outings newest first, rivals met most first; `curve` is the rating after
    each race, `skills` what one surely has, and `luck` the spaces that the dice have given in all,
    all oldest first. `seasons` stand newest first, `boards` by how often they were driven."""

    totals: Totals
    outings: tuple[Outing, ...] = ()
    rivals: tuple[Meeting, ...] = ()
    curve: tuple[float, ...] = ()
    luck: tuple[float, ...] = ()
    seasons: tuple[Part, ...] = ()
    boards: tuple[Part, ...] = ()
    skills: tuple[float, ...] = ()
    championships: tuple[Championship, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A record of a board: so few rolls (or so many wins), whose, and in which race."""

    number: int
    driver: str
    name: str
    race: str | None = None
    date: str = ""
    season: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardBook:
    """The records of a board in a game; `race` by laps."""

    game: str
    title: str
    races: int
    lap: Held | None = None
    race: Mapping[int, Held] = field(default_factory=dict)
    wins: Held | None = None


# -- skill ----------------------------------------------------------------------------------------


class Skill(NamedTuple):
    """What is known of a driver."""

    mu: float
    sigma: float

    @property
    def sure(self) -> float:
        """What somebody is at least, in 997 of 1000 cases: what one is ranked by."""
        return self.mu - 3 * self.sigma


UNKNOWN: Final = Skill(25.0, 25.0 / 3.0)
"""Of whom nothing is known: at least 0."""


@cache
def is_reckoned() -> bool:
    """Whether the library is there."""
    return find_spec("openskill") is not None


@cache
def _model() -> Any:
    # Imported here: whoever only reads pages needs none of it.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=UNKNOWN.mu, sigma=UNKNOWN.sigma)


def after(places: Mapping[str, int], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills after a race; who is not in `before` is new.

    Only where `is_reckoned`.
    """
    model, drivers = _model(), list(places)
    known = [before.get(driver, UNKNOWN) for driver in drivers]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in known]
    rated = model.rate(teams, ranks=[float(places[driver]) for driver in drivers])
    return {driver: Skill(one.mu, one.sigma) for driver, [one] in zip(drivers, rated, strict=True)}


# -- luck -----------------------------------------------------------------------------------------


Review = Mapping[str, Any]
Reviews = Mapping[str, Review]
"""Reviews by race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckLine:
    """A driver's season: `luck` and `errors` in turns over all its cars that came home.

    Positive is slower. `accuracy` is the mean over all cars reviewed, from 0 to 100.
    """

    driver: str
    races: int
    luck: float
    errors: float
    traffic: float
    accuracy: float


def luck_lines(races: Iterable[Race], reviews: Reviews) -> list[LuckLine]:
    """The drivers of the races that were reviewed, the most accurate first."""
    cars: dict[str, list[Mapping[str, Any]]] = {}
    for race in races:
        for entry, car in reviewed(race, reviews):
            cars.setdefault(entry.driver, []).append(car)
    lines = [_line(driver, own) for driver, own in cars.items()]
    return sorted(lines, key=lambda line: (-line.accuracy, line.driver))


def _line(driver: str, cars: Sequence[Mapping[str, Any]]) -> LuckLine:
    home = [car for car in cars if car["result"] is not None]
    return LuckLine(
        driver=driver,
        races=len(cars),
        luck=sum(car["luck"] for car in home),
        errors=sum(car["errors"] for car in home),
        traffic=sum(car["traffic"] for car in home),
        accuracy=fmean(car["accuracy"] for car in cars),
    )


def reviewed(race: Race, reviews: Reviews) -> list[tuple[Entry, Mapping[str, Any]]]:
    """The cars of a race that its review knows, by their place."""
    cars = reviews.get(race.id, {}).get("cars", {})
    known = ((entry, cars.get(str(entry.seat))) for entry in race.entries)
    return [(entry, car) for entry, car in known if car is not None and car["start"] is not None]


def without_luck(race: Race, reviews: Reviews) -> Race:
    """The race as it would have ended with mean dice; without a review, the race itself."""
    home = [
        (car["result"] - car["luck"], entry)
        for entry, car in reviewed(race, reviews)
        if entry.status == "finished" and car["result"] is not None
    ]
    entries = [entry for _, entry in home]
    order = [entry for _, entry in sorted(home, key=lambda one: (one[0], one[1].place))]
    given = sorted(entries, key=lambda entry: entry.place)
    moved = {
        entry.seat: replace(entry, place=won.place, points=won.points)
        for entry, won in zip(order, given, strict=True)
    }
    return replace(race, entries=tuple(moved.get(e.seat, e) for e in race.entries))
