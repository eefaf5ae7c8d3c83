"""The state of a Formula race: immutable records, nothing that could be worked out.

A turn is one explicit queue of pending steps (FD-TURN-1): the first step is the one that
waits for an answer; what comes after it is known already or is appended by what happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from companion.rules.board.track import Track
from companion.rules.formula import tables
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D


class Phase(StrEnum):
    """Where a race is."""

    SETUP = "setup"
    TRIALS = "trials"
    RACE = "race"
    FINISHED = "finished"


class Status(StrEnum):
    """How a car stands."""

    GRID = "grid"
    RACING = "racing"
    STALLED = "stalled"
    SPUN = "spun"
    PIT = "pit"
    FINISHED = "finished"
    OUT = "out"


RUNNING = frozenset({Status.GRID, Status.RACING, Status.STALLED, Status.SPUN, Status.PIT})


@dataclass(frozen=True, slots=True)
class Out:
    """Why a car is out: the reason, its rule (None: retired), the round, and where it stood.

    `stands`: the wreck is still there, until the car's next turn (DE-BLOCK-1).
    """

    why: str
    rule: str | None
    round: int
    space: int | None
    was: Status
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """A time trial so far: gear rolls, and spaces of overshoot (FD-TRIAL-2).

    `seconds` is None until the lap is driven; `reached` is how far an ended trial came, in
    levels from the line (FD-TRIAL-3), None for all others.
    """

    rolls: int = 0
    beyond: int = 0
    seconds: float | None = None
    reached: int | None = None


@dataclass(frozen=True, slots=True)
class Car:
    """One car. `space` is an index of the track, None when finished or out.

    `wear` stands in the order of `tables.CATEGORIES`; `full` is what it started with
    (FD-CAR-2). `lap` counts the crossings of the line (FD-END-2). `stops` are those made in
    the corner that the car is in. `served` tells, in the pit lane, that the stop is over.
    `pool` are the car's own generic WP (FD-TECH-1); None where there are none, or the team's.
    `arrived` tells who came first where it matters: the later, the higher (DE-ORDER-1; in the
    pit, when it drove in: DE-PIT-4). `pit_mark`: it came into the pit lane too fast ("late"),
    stands a turn in its box for it ("waits", DE-PIT-1), or has left it by a fast stop ("fresh",
    DE-PIT-2).

    In urban races `driver` is a name of `urban.drivers`; used up are `nitro` and `trail` in this
    lap, `radio` in this race; `drift` are corners with the lap of their latest drift, `police`
    the notes of open contests: lap, speed, and as which car it passed.

    Boardless, `space` is None for every car, `stops` counts the moves in a row that ended in a
    corner, and `corner` is the corner of the card that it is in or comes to next.
    """

    seat: int
    name: str
    box: int
    gear: int = 0
    lap: int = 0
    space: int | None = None
    stops: int = 0
    wear: tuple[int, ...] = tables.START_WEAR
    full: tuple[int, ...] = tables.START_WEAR
    tires: str = "hard"
    tires_lap: int = 1
    status: Status = Status.GRID
    out: Out | None = None
    place: int | None = None
    pit_stops: int = 0
    served: bool = False
    team: str | None = None
    pool: int | None = None
    trial: Trial | None = None
    arrived: int = 0
    pit_mark: Literal["late", "waits", "fresh"] | None = None
    driver: str | None = None
    nitro: bool = False
    trail: bool = False
    radio: bool = False
    drift: tuple[tuple[int, int], ...] = ()
    police: tuple[tuple[int, int, int], ...] = ()
    corner: int = 0

    @property
    def runs(self) -> bool:
        """Whether the car is still in the race."""
        return self.status in RUNNING

    @property
    def is_wreck(self) -> bool:
        """Whether it is out and still stands in the way (DE-BLOCK-1)."""
        return self.out is not None and self.out.stands

    @property
    def counts_lap_early(self) -> bool:
        """Whether its lap counts what its place does not: since it came to its box (FD-PIT-5)."""
        return self.served or self.pit_mark == "waits"


@dataclass(frozen=True, slots=True)
class Step:
    """One pending step of a turn; which fields are used depends on `kind` (see `STEPS`)."""

    kind: str
    seat: int = 0
    number: int = 0
    seats: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    spaces: tuple[int, ...] = ()
    rolls: tuple[tuple[int, int], ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    damage: tuple[int, ...] = ()
    flags: tuple[str, ...] = ()


# The fields that each kind of step uses besides `kind`, in the words that STATE tells them in.
STEPS: Mapping[str, Mapping[str, str]] = {
    # FD-GRID-1: groups of tied cars in order, and the rolls of those who have rolled again
    "grid": {"groups": "groups", "rolls": "rolls"},
    # time trials: who drives next, the end of a move, the stopwatch, the grid that comes of it
    "trial": {"seat": "seat"},
    "judge": {"seat": "seat", "flags": "how"},
    "time": {"seat": "seat"},
    "ranking": {},
    # the black die on the weather table; seat 0: rolled for the table, before the race
    # (FD-DRV-5: "again" where it has been rolled once)
    "weather": {"seat": "seat", "flags": "how"},
    # who still constructs a car, and who still chooses tires (before the race, or in the box)
    "build": {"seats": "seats"},
    "tires": {"seats": "seats"},
    "start": {"seat": "seat"},
    "gear": {"seat": "seat"},
    # the first roll of the gear die counts double (DE-START-1)
    "double": {"seat": "seat"},
    "roll": {"seat": "seat"},
    # what may be moved, with a bonus or without (FD-TIRE-3)
    "length": {"seat": "seat", "number": "spaces", "flags": "how"},
    # what is to be moved, and how: "great" start, "fast" pit exit, with a "drift"
    "move": {"seat": "seat", "number": "spaces", "flags": "how"},
    # the debris spaces still to be rolled for, in the order met (FD-DEBRIS-2)
    "debris": {"seat": "seat", "spaces": "at"},
    # "charmed": Li-Tsu has cost this move its space already (FD-DRV-1)
    "slipstream": {"seat": "seat", "flags": "how"},
    # what the way still costs once its debris is rolled for: spaces blocked; tires asked by the
    # overshoot, spaces beyond the limit, corner overshot + 1, stops missing by two ("fatal")
    "charge": {"seat": "seat", "damage": "damage", "flags": "how"},
    "halt": {"seat": "seat"},
    # boardless, after a report: "corner" or "pit" where it ended, and whom it touched there
    "arrive": {"seat": "seat", "flags": "how", "seats": "touched"},
    # boardless, between two rounds: the running order is asked of the table
    "order": {},
    # in the box: which stop, the repair of a technical one, the die of a tire stop
    "stop": {"seat": "seat"},
    "repair": {"seat": "seat"},
    "pit": {"seat": "seat"},
    "bump": {"seat": "seat"},
    # cars that still roll against the mover, and those that the mover still rolls against
    "collision": {"seat": "seat", "others": "others", "seats": "against"},
    # who still rolls for whom, as pairs, and whom the mover then rolls for (DE-BUMP-1)
    "touch": {"seat": "seat", "rolls": "rolls", "seats": "against"},
    "tests": {"seat": "seat"},
    "engine": {"seats": "seats"},
    # the turn of a car that a block put out: it is taken away (DE-BLOCK-1)
    "lift": {"seat": "seat"},
    # urban races: the line at the end of a lap, wear that comes back ("checkpoint" or "police"),
    # a car that may have passed the police station, with its face and where its move began
    "checkpoint": {"seat": "seat"},
    "recover": {"seat": "seat", "number": "points", "flags": "how"},
    "police": {"seat": "seat", "number": "face", "spaces": "from"},
    # a shot in the noise zone; the radio, and whom it was thrown at; debris left behind
    "noise": {"seat": "seat"},
    "radio": {"seat": "seat"},
    "throw": {"seat": "seat", "seats": "at"},
    "trail": {"seat": "seat", "spaces": "at"},
    # a weather roll that Julien may have rolled again: the number, and who has rolled it
    "reroll": {"seat": "seat", "number": "roll", "seats": "by"},
    # the end of a turn: markers are laid where these cars stand, or stood (FD-DEBRIS-1)
    "end": {"seat": "seat", "seats": "lost"},
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a header settles for the whole race.

    `builds` and `fits` are the seats whose wear and tires the header leaves to be asked for.
    """

    track: Track
    laps: int = tables.DEFAULT_LAPS
    corner_ways: Literal["any", "shortest"] = "any"
    start_rolls: bool = True
    rules: frozenset[str] = frozenset()
    soft_second_lap: Literal["double", "single"] = "double"
    builds: tuple[int, ...] = ()
    fits: tuple[int, ...] = ()
    late_block: bool = False
    edition: Edition = FORMULA_D

    @property
    def boardless(self) -> bool:
        """Whether nobody knows where the cars stand: no board, or only the card of one."""
        return self.track.is_blank

    @property
    def standard_wear(self) -> tuple[int, ...]:
        """What a car of this race has of which nothing is said (FD-CAR-1)."""
        return self.edition.standard_wear(self.laps, self.rules)


@dataclass(frozen=True, slots=True)
class State:
    """A race at one moment; neither `cars` nor `pools` is ever changed in place.

    `weather` is None until it is rolled. `pools` are the teams' generic WP (FD-TEAM-1).
    """

    setup: Setup
    phase: Phase = Phase.SETUP
    round: int = 0
    turn: int | None = None
    order: tuple[int, ...] = ()
    weather: str | None = "fine"
    cars: Mapping[int, Car] = field(default_factory=dict)
    debris: frozenset[int] = frozenset()
    pending: tuple[Step, ...] = ()
    pools: Mapping[str, int] = field(default_factory=dict)

    @property
    def raining(self) -> bool:
        """Whether it rains (FD-WEATHER-3)."""
        return self.weather in tables.RAINS

    def running(self) -> list[Car]:
        """The cars still in the race, by seat."""
        return [car for car in self.cars.values() if car.runs]

    def wrecks(self) -> dict[int, Car]:
        """The cars that are out and still stand in the way, by space (DE-BLOCK-1)."""
        gone = (car for car in self.cars.values() if car.is_wreck)
        return {car.out.space: car for car in gone if car.out and car.out.space is not None}
