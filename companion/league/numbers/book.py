"""What was kept of many races when they came in, as plain records: for pages that list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.frozen import dataclass
from companion.league.numbers.skill import Skill
from companion.league.plain import Driver


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
