"""The numbers of the rulebook, each table named after the thing, with its rule.

Formula D and Formule Dé are one body of rules. Where they differ, the rules ask the edition of the
race (`Setup.edition`): a number or a table stands here as such, and where the two differ in shape,
the edition names the way that is played. No rule asks which game it is in. House switches, and what
a header settles for the whole race, stand at the end.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping, Set
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final, Literal, NamedTuple, SupportsIndex

from companion.rules.board.track import Track
from companion.rules.game import Choices, Clash
from companion.rules.lines import bad
from companion.system.frozen import dataclass

MANY: Final = 10_000
"""More laps, stops and rounds than any race has."""

# FD-CAR-1: the wear points of a car at the start, in the order of the car's board.
CATEGORIES: Final = ("tires", "brakes", "gearbox", "body", "engine", "handling")
TIRES, BRAKES, GEARBOX, BODY, ENGINE, HANDLING = range(6)
START_WEAR: Final = (6, 3, 3, 3, 3, 2)

# FD-BUILD-1: all points of a constructed car, and the bounds of each category.
BUILD_POINTS: Final = 20
BUILD_LIMITS: Final = ((1, 14), (1, 7), (1, 7), (1, 7), (1, 7), (1, 7))

# FD-DIE-1: the lowest and highest face of each gear's die.
GEAR_DICE: Final = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20), 6: (21, 30)}
TOP_GEAR: Final = 6
BLACK_DIE: Final = (1, 20)

# FD-REV-1: what an over-rev costs, by the number of gears skipped.
OVER_REV_COST: Final = {
    1: {GEARBOX: 1},
    2: {GEARBOX: 1, BRAKES: 1},
    3: {GEARBOX: 1, BRAKES: 1, ENGINE: 1},
}

# FD-BLOCK-1: what the spaces not moved cost; one more than the last puts the car out.
BLOCKED_COST: Final = {
    0: {},
    1: {BRAKES: 1},
    2: {BRAKES: 2},
    3: {BRAKES: 3},
    4: {BRAKES: 3, TIRES: 1},
    5: {BRAKES: 3, TIRES: 2},
    6: {BRAKES: 3, TIRES: 3},
}

# FD-START-2, FD-START-3, FD-START-4: the start roll.
START_RANGES: Final = ((1, 1), (2, 19), (20, 20))
GREAT_START: Final = 4

# FD-SLIP-1, FD-SLIP-2, FD-SLIP-5
SLIPSTREAM_GEAR: Final = 4
SLIPSTREAM: Final = 3
SLIPSTREAM_CORNER_COST: Final = 1

# FD-PIT-2: a slow stop; a fast one moves half the roll, rounded up, in this gear.
PIT_SLOW: Final = (11, 20)
PIT_GEAR: Final = 4

PIT_ENTRY_GEAR: Final = 4  # FD-PIT-1, where a house bounds it

COAST_GEAR: Final = 4
"""FD-ENGINE-3: the die on which a car without an engine rolls on."""
HOME_FROM: Final = {"never": 0, "straight": 1, "last-but-one-corner": 2}
"""House switch `coast_home`: behind which corner, from the last one, a car coasts to the line."""

# FD-ENGINE-1: the faces that ask for engine tests, by gear, and the gears that are tested.
ENGINE_FACES: Final = {5: frozenset({20}), 6: frozenset({30})}

# FD-WEATHER-3: the faces that make the roller roll for the weather.
WEATHER_FACES: Final = {5: 20, 6: 30}

# The black die hurts from 1 up to this: dry, and in rain (FD-WEATHER-4).
COLLISION_HURTS: Final = {False: 1, True: 2}  # FD-BUMP-1
ENGINE_HURTS: Final = {False: 4, True: 3}  # FD-ENGINE-1
WORSE_COLLISION: Final = {False: 2, True: 3}  # house switch `worse_collision`
DEBRIS_HURTS: Final = {False: 4, True: 5}  # FD-DEBRIS-2

# FD-TRIAL-1: a trial begins before the line and is over when it is crossed again.
TRIAL_LAPS: Final = 1

# FD-WEATHER-3: the rows from the top; a roll in the race moves one row up or down.
WEATHER_ROWS: Final = ("fine", "variable", "variable-rain", "rain")
WEATHER_STEP: Final = {"fine": -1, "variable": 0, "rain": 1}
USUAL_WEATHER: Final = {"rain": (1, 7), "variable": (8, 12), "fine": (13, 20)}
"""The table of the board in the box, for boards of which none is known (FD-WEATHER-1)."""
TEMPORARY: Final = {"fine": "variable", "rain": "variable-rain"}
"""FD-WEATHER-3, by the federation's machine: what a line brings until the next roll."""
CHANGEABLE: Final = frozenset({"variable", "variable-rain"})
RAINS: Final = frozenset({"variable-rain", "rain"})

# FD-TIRE-1
TIRE_KINDS: Final = ("hard", "soft", "rain")

# FD-TIRE-2, FD-TIRE-4, FD-TIRE-5: spaces of a slide in rain, by kind of tires.
SLIDE: Final = {"hard": 3, "soft": 3, "rain": 1}
SOFT_BONUS: Final = 1  # FD-TIRE-3

# What an overshoot costs, by kind of tires, rain, and lap on them; the last lap named stays
# (FD-TIRE-2 to FD-TIRE-6).
OVERSHOOT: Final = {
    ("hard", False): (1,),
    ("hard", True): (1,),
    ("soft", False): (2, 2, 3),
    ("soft", True): (1, 1, 3),
    ("rain", False): (2, 2, 3),
    ("rain", True): (1,),
}
SOFT_RAIN_DOUBLE: Final = (2, 2, 3)  # house switch `soft_rain: double`
SOFT_DRY_BY_THE_LETTER: Final = (2, 1, 3)  # house switch `soft_second_lap: single`


# FD-TECH-1: generic WP of a car for the race, and how many of them one stop takes at most.
POOL: Final = 2
POOL_A_STOP: Final = 2
TEAM_POOL: Final = 4  # FD-TEAM-1
TEAM_SIZE: Final = 2

# FD-TEAM-1: points by place.
POINTS: Final = (10, 8, 6, 5, 4, 3, 2, 1)
# House switch `points`: what championships give by place, named by their first four.
POINTS_BY_PLACE: Final = {
    "10-8-6-5": POINTS,
    "10-8-6-4": (10, 8, 6, 4, 3, 2, 1),
    "10-6-4-3": (10, 6, 4, 3, 2, 1),
    "12-10-8-7": (12, 10, 8, 7, 6, 5, 4, 3, 2, 1),
    "25-18-15-12": (25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
}

# FD-END-1, FD-LAPS-1
DEFAULT_LAPS: Final = 2
LAPS: Final = (1, 10)


# -- wear points as tuples, in the order of the board of a car ------------------------------------

Wear = tuple[int, ...]
NOTHING: Wear = (0,) * len(CATEGORIES)


class Pool(tuple[int, ...]):
    """The one pool of the basic game: of whatever category it is asked, it has all its points.

    So every cost comes off it point for point (FD-BASIC-3). Of handling it has none, as a car that
    does not roll for debris (FD-BASIC-13). It names its points itself (FD-BASIC-2).
    """

    __slots__ = ()
    categories: ClassVar = ("points",)

    def __getitem__(self, category: SupportsIndex) -> int:  # type: ignore[override]
        return 0 if category == HANDLING else sum(self)


def paid_by(wear: Wear, cost: Wear) -> Wear:
    """A cost as it comes off this wear: by its categories, or in one sum from a pool."""
    return Pool((sum(cost),)) if isinstance(wear, Pool) else cost


def spare(wear: Wear, category: int) -> int:
    """The points that may be spent by choice; of a pool one must be left (FD-BASIC-8)."""
    return wear[category] - isinstance(wear, Pool)


def as_wear(cost: Mapping[int, int]) -> Wear:
    """A table's cost (`{BRAKES: 1}`) as wear.

    >>> as_wear({1: 3, 0: 2})
    (2, 3, 0, 0, 0, 0)
    """
    return tuple(cost.get(category, 0) for category in range(len(CATEGORIES)))


BLOCK_COST: Final = {spaces: as_wear(cost) for spaces, cost in BLOCKED_COST.items()}
"""What spaces not moved cost, by their number (FD-BLOCK-1); of any other number the car is out."""


def one(category: int, points: int = 1) -> Wear:
    """Wear of one category only."""
    return (*NOTHING[:category], points, *NOTHING[category + 1 :])


def total(wear: Wear, cost: Wear) -> Wear:
    """Two costs added."""
    if isinstance(wear, Pool):
        return Pool((sum(wear) + sum(cost),))
    # A list, not a generator, here and below: it is faster, and wear is reckoned with often.
    return tuple([a + b for a, b in zip(wear, cost, strict=True)])


def less(wear: Wear, cost: Wear) -> Wear:
    """What is left; never below 0 (FD-CAR-2)."""
    if isinstance(wear, Pool):
        return Pool((max(0, sum(wear) - sum(cost)),))
    return tuple([have - gone if have > gone else 0 for have, gone in zip(wear, cost, strict=True)])


def lost(wear: Wear, cost: Wear) -> Wear:
    """What a car can really lose of a cost: no more than it has (FD-CAR-2)."""
    if isinstance(wear, Pool):
        return Pool((min(sum(wear), sum(cost)),))
    return tuple([min(have, gone) for have, gone in zip(wear, cost, strict=True)])


def affords(wear: Wear, cost: Wear) -> bool:
    """Whether every point of the cost is there; of a pool one must be left (FD-BASIC-5)."""
    if isinstance(wear, Pool):
        return sum(wear) > sum(cost)
    return all(have >= gone for have, gone in zip(wear, cost, strict=True))


def tell_wear(wear: Wear, names: tuple[str, ...] = CATEGORIES) -> dict[str, int]:
    """All categories by the names of an edition, as STATE tells them."""
    return dict(zip(getattr(wear, "categories", names), wear, strict=True))


def tell_cost(cost: Wear, names: tuple[str, ...] = CATEGORIES) -> dict[str, int]:
    """Only the categories that lose.

    >>> tell_cost((2, 0, 0, 0, 0, 0))
    {'tires': 2}
    """
    return dict(_named(cost, getattr(cost, "categories", names))) if any(cost) else {}


@lru_cache(maxsize=1024)
def _named(cost: Wear, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The categories that lose by their names; a race has few costs, and tells them often."""
    return tuple((name, points) for name, points in zip(names, cost, strict=True) if points)


# -- the faces of the gear dice, of which FD-DIE-1 gives the ranges -------------------------------

GEAR_FACES: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        1: (1, 1, 2, 2),
        2: (2, 3, 3, 4, 4, 4),
        3: (4, 5, 6, 6, 7, 7, 8, 8),
        4: tuple(range(7, 13)) * 2,
        5: tuple(range(11, 21)) * 2,
        6: tuple(range(21, 31)) * 3,
    }
)
"""By gear; the dice have 4, 6, 8, 12, 20 and 30 sides."""


def mean_face(gear: int) -> Fraction:
    """What the die of a gear shows in the long run.

    >>> mean_face(2), float(mean_face(4))
    (Fraction(10, 3), 9.5)
    """
    faces = GEAR_FACES[gear]
    return Fraction(sum(faces), len(faces))


# -- what the black die is rolled for, and what each number does ----------------------------------


class Reason(StrEnum):
    """What the black die is rolled for."""

    GRID = "grid"
    START = "start"
    COLLISION = "collision"
    ENGINE = "engine"
    DEBRIS = "debris"
    PIT = "pit"
    WEATHER = "weather"
    NOISE = "noise"
    RADIO = "radio"


@dataclass(frozen=True, slots=True)
class Unhurt:
    """Nothing happens."""


@dataclass(frozen=True, slots=True)
class Loses:
    """A point of this category (an index into `CATEGORIES`) is lost."""

    category: int


@dataclass(frozen=True, slots=True)
class Starts:
    """The start is stalled, normal, great, or double (FD-START-2 to FD-START-4, DE-START-1)."""

    how: str


@dataclass(frozen=True, slots=True)
class LeavesPit:
    """The car leaves its box at once by so many spaces; 0: it stays until its next turn."""

    spaces: int


@dataclass(frozen=True, slots=True)
class Sky:
    """This line of the weather table is hit: fine, variable or rain."""

    line: str


Meaning = Unhurt | Loses | Starts | LeavesPit | Sky | None
"""What an outcome of the black die does; None: the number itself counts (FD-GRID-1)."""


class Outcome(NamedTuple):
    """The numbers of the black die from `low` to `high`, both included, and what they do."""

    low: int
    high: int
    meaning: Meaning = None


# -- the urban races, and their ten drivers -------------------------------------------------------

URBAN: Final = "urban"
"""The optional rule of a race through the streets."""
URBAN_LAPS: Final = 1  # FD-URBAN-1: laps unless chosen

# FD-URBAN-3: what the black die hits in the noise zone, "" where the shot misses.
NOISE: Final = {(1, 15): "", (16, 18): "tires", (19, 19): "body", (20, 20): "engine"}

SPEED_OF_A_FACE: Final = 10  # FD-URBAN-5
TOP_FACE: Final = max(high for _, high in GEAR_DICE.values())  # FD-DIE-1
USUAL_RECOVERY: Final = 2  # FD-URBAN-7
POLICE_PRIZE: Final = 2  # FD-URBAN-5
DRIFT: Final = 1  # FD-DRV-2: spaces more or less
DRIFT_COST: Final = 1  # FD-DRV-2: tires WP
CHARM: Final = 1  # FD-DRV-1: spaces less

# FD-BUMP-2, FD-ENGINE-3, FD-DEBRIS-3: the last of these puts a car out; of the first two each
# leaves debris (FD-DEBRIS-1).
VITAL: Final = ("body", "engine", "handling")
LEAVES_DEBRIS: Final = ("body", "engine")


@dataclass(frozen=True, slots=True)
class Driver:
    """One driver. `wear` stands in the order of `CATEGORIES`.

    `hurts` are upper ends of hurting ranges that are the driver's own, by what is rolled for
    and whether it rains; `slide` are the spaces in rain. `regains` WP come back at the
    checkpoint, `nitro` spaces may be added to each nitro, `blows` is how often an opponent
    rolls in a collision. What is done at will or by others: `charms` those who pass, `drifts`,
    `throws` things, rolls the weather `twice`, goes `first` of equals, `litters` the road.
    `needs` is an optional rule without which the driver stays at home.
    """

    name: str
    wear: Wear
    hurts: Mapping[tuple[str, bool], int]
    slide: int = 3
    regains: int = 2
    nitro: int = 0
    blows: int = 1
    charms: bool = False
    drifts: bool = False
    throws: bool = False
    twice: bool = False
    needs: str | None = None
    first: bool = False
    litters: bool = False


_PLAIN: Mapping[tuple[str, bool], int] = {}
_ENGINE = {("engine", False): 3, ("engine", True): 2}
_DEBRIS = {("debris", False): 2, ("debris", True): 2}

_ALL = (
    Driver("Li-Tsu Sin", (7, 3, 2, 2, 3, 3), _PLAIN, charms=True),  # FD-DRV-1
    Driver("Jack Owens", (9, 2, 2, 2, 3, 2), _PLAIN, drifts=True),  # FD-DRV-2
    Driver("Stanley Washington", (7, 2, 3, 2, 3, 3), _PLAIN, throws=True),  # FD-DRV-3
    Driver("Dimitri Tzarof", (5, 4, 3, 3, 3, 4), _ENGINE),  # FD-DRV-4
    Driver(
        "Julien Marcellin", (8, 4, 2, 2, 3, 2), _PLAIN, slide=1, twice=True, needs="weather"
    ),  # FD-DRV-5
    Driver("Jenny Slivers", (4, 6, 2, 3, 3, 2), _PLAIN, regains=4),  # FD-DRV-6
    Driver("Montoya Cadena", (5, 5, 3, 2, 3, 2), _PLAIN, nitro=3),  # FD-DRV-7
    Driver("Derek Manson", (6, 3, 2, 4, 3, 3), _PLAIN, blows=2),  # FD-DRV-8
    Driver("Diane Montfort", (6, 4, 2, 3, 3, 3), _PLAIN, first=True),  # FD-DRV-9
    Driver("Temana Matahi", (6, 3, 3, 3, 3, 3), _DEBRIS, litters=True),  # FD-DRV-10
)

DRIVERS: Mapping[str, Driver] = {driver.name: driver for driver in _ALL}
"""The drivers by name, in the order of their rules."""

NOBODY = Driver("", START_WEAR, _PLAIN)


# -- an edition -----------------------------------------------------------------------------------

NEVER: Final = sys.maxsize
"""A count of spaces that no move reaches: what would happen from there on does not."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Edition:
    """One edition; two are equal only if they are the same one.

    `ids` are the rules that have another id here than in Formula D. `optional_rules` are
    those that a header may put on.
    """

    name: str
    ids: Mapping[str, str]
    optional_rules: tuple[str, ...]

    # The race: laps from–to, cars at most (FD-LAPS-1, DE-CAR-2).
    laps: tuple[int, int]
    most_cars: int

    # The car (FD-CAR-1, DE-CAR-1): wear by laps where it is not `start_wear`; `built_wear` is
    # what a constructed car is taken to have where nothing is said.
    categories: tuple[str, ...]
    start_wear: Wear
    wear_by_laps: Mapping[int, Wear]
    built_wear: Wear
    build_rule: str
    build_limits: tuple[tuple[int, int], ...]
    pool_rules: Set[str]
    """The rules of which any gives each car, or team, generic WP (FD-TECH-1, DE-PIT-2)."""

    # The start (FD-START-2 to FD-START-4, DE-START-1).
    start_outcomes: tuple[str, str, str]
    start_ranges: tuple[tuple[int, int], ...] = START_RANGES

    # The turn. In the pit lane who drove in first plays first (DE-PIT-4), else who is further.
    pit_in_order_of_entry: bool
    engine_faces: Mapping[int, Set[int]]
    """The faces that ask for engine tests, by gear (FD-ENGINE-1, DE-ENGINE-1)."""

    # Overshoot by its spaces, whatever it costs (DE-CORNER-1).
    overshoot_spins: int
    overshoot_out: int

    collisions: Literal["mover", "group"]
    """Who rolls: the mover and whom it met (FD-BUMP-1), or all who touch one another
    (DE-BUMP-1)."""
    # The black die hurts up to this, dry and in rain (FD-BUMP-1, FD-ENGINE-1; FD-WEATHER-4).
    collision_hurts: Mapping[bool, int] = field(default_factory=lambda: COLLISION_HURTS)
    engine_hurts: Mapping[bool, int] = field(default_factory=lambda: ENGINE_HURTS)

    debris: bool = True
    """Whether markers are laid (FD-DEBRIS-1)."""
    slipstreams: bool = True
    pit_die: bool = True
    """Whether a stop rolls the black die (FD-PIT-2)."""
    whys: Mapping[str, str] = field(default_factory=dict)
    """What puts a car out, where it has another name than in the complete rules."""

    # The pit (DE-PIT-1, DE-PIT-2): only with worn tires; the highest gear that may enter
    # without standing a turn; whether the gear after a fast stop is held down.
    stops_worn_only: bool
    pit_entry_gear: int
    holds_gear_after_pit: bool

    @property
    def one_pool(self) -> bool:
        """Whether one pool pays for everything (FD-BASIC-3)."""
        return isinstance(self.start_wear, Pool)

    def category(self, at: int) -> str:
        """The name of a category, by its place on the card; of all of them the pool's."""
        return self.categories[0 if self.one_pool else at]

    def block_cost(self, spaces: int) -> Wear | None:
        """What so many spaces not moved cost; None: the car is out (FD-BLOCK-1).

        FD-BASIC-9: a point each, however many.
        """
        return Pool((spaces,)) if self.one_pool else BLOCK_COST.get(spaces)

    @property
    def house(self) -> Mapping[str, tuple[str, ...]]:
        """The house switches that it offers, each with its values, the default first."""
        return _offered(self.name)

    @property
    def choices(self) -> Choices:
        """What a header may choose."""
        return Choices(self.optional_rules, self.house, _clashes_in(self.name))

    def rule(self, rule: str | None) -> str | None:
        """The id that this rule of Formula D has here."""
        return None if rule is None else self.ids.get(rule, rule)

    def standard_wear(self, laps: int, rules: Set[str]) -> Wear:
        """What a car has of which nothing is said (FD-CAR-1, DE-CAR-1)."""
        if self.build_rule in rules:
            return self.built_wear
        return self.wear_by_laps.get(laps, self.start_wear)


# -- Formula D: the rules as the tables above have them -------------------------------------------

FORMULA_D: Final = Edition(
    name="formula-d",
    ids={},
    optional_rules=("build", "trials", "weather", "tires", "technical", "teams", "urban", "basic"),
    laps=LAPS,
    most_cars=NEVER,  # as many as the grid of the board has room for
    categories=CATEGORIES,
    start_wear=START_WEAR,
    wear_by_laps={},
    built_wear=START_WEAR,
    build_rule="build",
    build_limits=BUILD_LIMITS,
    pool_rules=frozenset({"technical"}),
    start_outcomes=("stalled", "normal", "great"),
    pit_in_order_of_entry=False,
    engine_faces=ENGINE_FACES,
    overshoot_spins=NEVER,
    overshoot_out=NEVER,
    collisions="mover",
    stops_worn_only=False,
    pit_entry_gear=TOP_GEAR,
    holds_gear_after_pit=False,
)


def choices_d() -> Choices:
    """What a header of Formula D may choose."""
    return FORMULA_D.choices


# -- the basic game of its other booklet: what differs, all else as above (FD-BASIC-3) ------------

BASIC: Final = "basic"
"""The optional rule of a race of the basic game, which stands alone."""
BASIC_LAPS: Final = 1  # FD-BASIC-1: laps unless chosen
BASIC_POINTS: Final = 18  # FD-BASIC-2

BASIC_GAME: Final = replace(
    FORMULA_D,
    ids={
        "FD-CAR-1": "FD-BASIC-2",
        "FD-REV-1": "FD-BASIC-5",
        "FD-REV-2": "FD-BASIC-5",
        "FD-CORNER-2": "FD-BASIC-6",
        "FD-CORNER-3": "FD-BASIC-6",
        "FD-CORNER-6": "FD-BASIC-7",
        "FD-CORNER-7": "FD-BASIC-7",
        "FD-BRAKE-1": "FD-BASIC-8",
        "FD-BLOCK-1": "FD-BASIC-9",
        "FD-BUMP-1": "FD-BASIC-10",
        "FD-BUMP-2": "FD-BASIC-12",
        "FD-ENGINE-1": "FD-BASIC-11",
        "FD-ENGINE-3": "FD-BASIC-12",
        "FD-DEBRIS-2": "FD-BASIC-13",
        "FD-SLIP-1": "FD-BASIC-13",
        "FD-PIT-2": "FD-BASIC-14",
    },
    categories=Pool.categories,
    start_wear=Pool((BASIC_POINTS,)),
    build_limits=((BASIC_POINTS, BASIC_POINTS),),
    start_ranges=((1, 1), (2, 16), (17, 20)),  # FD-BASIC-4
    collision_hurts={False: 4, True: 4},  # FD-BASIC-10
    engine_hurts={False: 4, True: 4},  # FD-BASIC-11
    debris=False,  # FD-BASIC-13
    slipstreams=False,  # FD-BASIC-13
    pit_die=False,  # FD-BASIC-14
    whys={"tires": "overshoot", "body": "collision"},  # FD-BASIC-12
)
"""The basic game; what is not named here is as in the complete rules (FD-BASIC-15)."""


def edition_of(edition: Edition, rules: Set[str]) -> Edition:
    """The edition that these optional rules are played in (FD-BASIC-1)."""
    return BASIC_GAME if BASIC in rules else edition


def usual_laps(rules: Set[str]) -> int:
    """The laps of a race of which nothing is said (FD-END-1, FD-URBAN-1, FD-BASIC-1)."""
    if BASIC in rules:
        return BASIC_LAPS
    return URBAN_LAPS if URBAN in rules else DEFAULT_LAPS


# -- Formule Dé (1991) ----------------------------------------------------------------------------

# What it words itself and plays as Formula D does needs no figure: brakes mixed with tires
# (DE-CORNER-2), slipstreams (DE-SLIP-1), the ways in straights and corners, here without a switch
# (DE-MOVE-1). The boxes that the teams choose come with the header (DE-PIT-3).


# The rules that Formule Dé words itself; all others keep the id of Formula D.
_IDS: Final = {
    "FD-CAR-1": "DE-CAR-1",
    "FD-BUILD-1": "DE-CAR-1",
    "FD-LAPS-1": "DE-CAR-2",
    "FD-GRID-1": "DE-GRID-1",
    "FD-START-2": "DE-START-1",
    "FD-START-3": "DE-START-1",
    "FD-START-4": "DE-START-1",
    "FD-ORDER-3": "DE-ORDER-1",
    "FD-GEAR-3": "DE-REV-1",
    "FD-CORNER-2": "DE-CORNER-1",
    "FD-CORNER-3": "DE-CORNER-1",
    "FD-CORNER-6": "DE-CORNER-3",
    "FD-CORNER-7": "DE-CORNER-3",
    "FD-BRAKE-1": "DE-BRAKE-1",
    "FD-BLOCK-1": "DE-BLOCK-1",
    "FD-REV-1": "DE-REV-1",
    "FD-REV-2": "DE-REV-1",
    "FD-BUMP-1": "DE-BUMP-1",
    "FD-BUMP-2": "DE-OUT-1",
    "FD-ENGINE-1": "DE-ENGINE-1",
    "FD-ENGINE-3": "DE-OUT-1",
    "FD-DEBRIS-1": "DE-DEBRIS-1",
    "FD-DEBRIS-2": "DE-DEBRIS-1",
    "FD-DEBRIS-3": "DE-DEBRIS-1",
    "FD-PIT-2": "DE-PIT-2",
    "FD-PIT-4": "DE-PIT-4",
    "FD-END-1": "DE-END-1",
}

FORMULE_DE: Final = Edition(
    name="formule-de",
    ids=_IDS,
    optional_rules=("advanced", "weather", "tires", "technical", "teams"),
    laps=(1, 3),  # DE-CAR-2
    most_cars=10,  # DE-CAR-2
    # DE-CAR-1: `fuel` stands where Formula D has gearbox; handling in advanced races only.
    categories=("tires", "brakes", "fuel", "body", "engine", "handling"),
    start_wear=(6, 4, 3, 3, 3, 0),
    wear_by_laps={1: (4, 3, 2, 2, 2, 0)},
    built_wear=(6, 4, 3, 3, 3, 1),
    build_rule="advanced",
    build_limits=((1, 15),) * 6,
    pool_rules=frozenset({"technical", "advanced"}),  # DE-PIT-2
    start_outcomes=("stalled", "normal", "double"),  # DE-START-1
    pit_in_order_of_entry=True,  # DE-PIT-4
    engine_faces={5: frozenset({19, 20}), 6: frozenset({29, 30})},  # DE-ENGINE-1
    overshoot_spins=6,  # DE-CORNER-1
    overshoot_out=7,  # DE-CORNER-1
    collisions="group",  # DE-BUMP-1
    stops_worn_only=True,  # DE-PIT-1
    pit_entry_gear=4,  # DE-PIT-1
    holds_gear_after_pit=True,  # DE-PIT-2
)


def choices_de() -> Choices:
    """What a header of Formule Dé may choose."""
    return FORMULE_DE.choices


# -- house switches: what clubs play otherwise than the rulebook ----------------------------------

# All that there is to say of one stands in `switches.toml`, and only there. It is read when a
# race, a pack or a lobby first asks; a start that needs none of them does not pay for it. A rule
# reads `setup.house.NAME == "VALUE"`: a test holds every such name and value against the file, as
# no type checker can.


@dataclass(frozen=True, slots=True)
class Switch:
    """A house switch as the file has it; of an entry that is left out the usual.

    `values` are rows of name, label, sentence and, where there is one, a note for programs; the
    first is played where nothing is said and `usual` of the edition says nothing else.
    """

    name: str
    title: str
    asks: str
    group: str
    rule: str
    values: tuple[tuple[str, ...], ...]
    editions: tuple[str, ...]
    usual: Mapping[str, str]
    needs: str
    unless: str
    is_known_to_advice: bool
    clashes: tuple[Clash, ...]
    refused: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The values that a header may say."""
        return tuple(row[0] for row in self.values)

    def usual_in(self, edition: str) -> str:
        """What this edition plays where nothing is said; one that does not offer it always does."""
        return self.usual.get(edition, self.values[0][0])


class House:
    """How the switches of a race stand, each by its name; it is not to be changed.

    >>> House({"causer": "rolls"}).but(causer="pays").causer
    'pays'
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        # Around `__setattr__`, which refuses all changes.
        vars(self).update(values)

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"switches.toml has no house switch {name!r}")

    def but(self, **values: str) -> House:
        """The same house with some switches otherwise."""
        return House({**vars(self), **values})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, House) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(frozenset(vars(self).items()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a house is not changed: {name}")

    def __repr__(self) -> str:
        return f"House({vars(self)})"


@cache
def switches() -> Mapping[str, Switch]:
    """Every switch by its name, in the order in which a lobby shows them."""
    text = Path(__file__).with_name("switches.toml").read_text("utf-8")
    return {
        name: Switch(
            name=name,
            title=one["title"],
            asks=one.get("asks", ""),
            group=one.get("group", ""),
            rule=one.get("rule", ""),
            values=tuple(map(tuple, one["values"])),
            editions=tuple(one.get("editions", ("formula-d",))),
            usual=one.get("usual", {}),
            needs=one.get("needs", ""),
            unless=one.get("unless", ""),
            is_known_to_advice=one.get("advice", True),
            clashes=tuple(_clashes(name, one.get("clashes", ()))),
            refused=one.get("refused", {}),
        )
        for name, one in tomllib.loads(text).items()
    }


def _clashes(name: str, rows: object) -> Iterator[Clash]:
    """Each pair of values by itself, out of rows of values, a switch, its values, and why."""
    assert isinstance(rows, (list, tuple))
    for own, other, others, why in rows:
        for one, against in product(own, others):
            yield Clash((name, one), (other, against), why)


@cache
def _offered(edition: str) -> Mapping[str, tuple[str, ...]]:
    """What a header of this edition may say of each switch; what it plays unsaid comes first."""
    return {one.name: one.names for one in switches().values() if edition in one.editions}


@cache
def _clashes_in(edition: str) -> tuple[Clash, ...]:
    """The values that are not played together in this edition."""
    names = _offered(edition)
    return tuple(clash for name in names for clash in switches()[name].clashes)


@cache
def usual_house(edition: str) -> House:
    """The house of a race of this edition whose header says nothing of it."""
    return House({one.name: one.usual_in(edition) for one in switches().values()})


def as_advice_has_it(house: House, edition: str) -> House:
    """The house with the switches that change figures, and that advice does not know, as usual."""
    unknown = (one for one in switches().values() if not one.is_known_to_advice)
    return house.but(**{one.name: one.usual_in(edition) for one in unknown})


def refuse_unknown_to_advice(house: House, edition: str) -> None:
    """Refuse to give advice where a switch changes figures that advice does not know.

    Raises:
        Malformed: naming the switch.
    """
    for one in switches().values():
        value = getattr(house, one.name)
        if not one.is_known_to_advice and value != one.usual_in(edition):
            message = (
                f"advice does not know the house switch {one.name}: {value}, which changes figures"
            )
            bad("advice-unknown-switch", message, name=one.name)


# -- what a header settles for the whole race -----------------------------------------------------

# `header` reads it and refuses what contradicts itself; here is what follows from it.


@dataclass(frozen=True)
class Setup:
    """What a header settles for the whole race.

    `builds` and `fits` are the seats whose wear and tires the header leaves to be asked for;
    `house` is how the house switches stand (`switches.toml`). `pack` is the name of the rules pack
    that the header came with, for people; "": none.
    """

    track: Track
    laps: int = DEFAULT_LAPS
    start_rolls: bool = True
    rules: frozenset[str] = frozenset()
    house: House = field(default_factory=partial(usual_house, FORMULA_D.name))
    builds: tuple[int, ...] = ()
    fits: tuple[int, ...] = ()
    edition: Edition = FORMULA_D
    pack: str = ""

    @property
    def boardless(self) -> bool:
        """Whether nobody knows where the cars stand: no board, or only the card of one."""
        return self.track.is_blank

    @property
    def wrecks_stand(self) -> bool:
        """Whether a car that is out may stand in the way until its next turn (DE-BLOCK-1)."""
        return self.house.wrecks != "lifted"

    @property
    def standard_wear(self) -> tuple[int, ...]:
        """What a car of this race has of which nothing is said (FD-CAR-1)."""
        return self.edition.standard_wear(self.laps, self.rules)

    @property
    def most_on_car(self) -> int:
        """How many WP of the pit a constructed car may have on it (FD-TECH-1)."""
        pools = self.rules & self.edition.pool_rules
        return POOL if self.house.pool_on_car == "yes" and pools else 0

    def on_car(self, wear: Wear) -> int:
        """How many WP of the pit a car of this wear has on it."""
        built = self.most_on_car and self.edition.build_rule in self.rules
        return max(0, sum(wear) - int(self.house.build_points)) if built else 0

    @property
    def build_limits(self) -> tuple[tuple[int, int], ...]:
        """The bounds of each category of a constructed car (FD-BUILD-1, DE-CAR-1).

        House switch `build_most` with "any": all that the others leave, with what would lie in the
        pit too.
        """
        bounds = self.edition.build_limits
        if self.edition.build_rule not in self.rules or self.house.build_most != "any":
            return bounds
        points = int(self.house.build_points) + self.most_on_car
        free = points - sum(low for low, _ in bounds)
        return tuple((low, low + free) for low, _ in bounds)
