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
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib.util import find_spec
from statistics import fmean
from typing import Any, Final, NamedTuple

from companion.league.plain import Driver, Entry, Race
from companion.system.frozen import dataclass

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


START: Final = Skill(25.0, 25.0 / 3.0)
"""Of whom nothing is known: at least 0."""


@cache
def is_reckoned() -> bool:
    """Whether the library is there."""
    return find_spec("openskill") is not None


@cache
def _model() -> Any:
    # Imported here: whoever only reads pages needs none of it.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START.mu, sigma=START.sigma)


def after(places: Mapping[str, int], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills after a race; who is not in `before` is new.

    Only where `is_reckoned`.
    """
    model, drivers = _model(), list(places)
    known = [before.get(driver, START) for driver in drivers]
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
