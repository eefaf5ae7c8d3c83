"""The state of a Formula race: immutable records, nothing that could be worked out.

A turn is one explicit queue of pending steps (`step`): the first one is what waits for an answer;
what comes after it is known already or is put in by what happens.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

from companion.rules.board.track import Track
from companion.rules.codec import Context, Flag, Maybe, Name, OneOf, Space, Within, Word
from companion.rules.formula import tables
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.step import Step
from companion.rules.formula.wear import Wear, less
from companion.rules.reading import bad

if TYPE_CHECKING:
    from companion.rules.formula.ground import Ground

MANY = 10_000
"""More laps, stops and rounds than any race has."""
LONGEST_TRIAL_S = 86_400


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

    why: Annotated[str, Name()]
    rule: Annotated[str | None, Maybe(Name())]
    round: Annotated[int, Within(0, MANY)]
    space: Annotated[int | None, Maybe(Space())]
    was: Annotated[Status, OneOf(tuple(sorted(map(str, RUNNING))))]
    stands: Annotated[bool, Flag("DE-BLOCK-1"), Word(sparse=True)] = False


@dataclass(frozen=True, slots=True)
class Seconds:
    """The time of a lap in seconds, with or without a fraction; None: it was not driven."""

    def tell(self, value: float | None, context: Context) -> float | None:
        """The number."""
        return value

    def read(self, data: Any, what: str, context: Context) -> Any:
        """A number above 0 and of a day at most."""
        if data is not None and (type(data) not in (int, float) or not 0 < data <= LONGEST_TRIAL_S):
            message = f"{what} is a number of seconds, not {data!r:.60}"
            bad("time-form", message, rule="FD-TRIAL-1")
        return data


@dataclass(frozen=True, slots=True)
class Trial:
    """A time trial so far: gear rolls, and spaces of overshoot (FD-TRIAL-2).

    `seconds` is None until the lap is driven; `reached` is how far an ended trial came, in
    levels from the line (FD-TRIAL-3), None for all others.
    """

    rolls: Annotated[int, Within(0, MANY)] = 0
    beyond: Annotated[int, Within(0, MANY)] = 0
    seconds: Annotated[float | None, Seconds()] = None
    reached: Annotated[int | None, Maybe(Within(0, MANY))] = None


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
    slipstream_chain: Literal["any", "one"] = "any"
    edition: Edition = FORMULA_D

    @property
    def boardless(self) -> bool:
        """Whether nobody knows where the cars stand: no board, or only the card of one."""
        return self.track.is_blank

    @property
    def ground(self) -> Ground:
        """What knows where the cars are: the board, or (boardless) what seats report."""
        from companion.rules.formula.grounds import BY_REPORT, ON_BOARD  # they know the chapters

        return BY_REPORT if self.boardless else ON_BOARD

    @property
    def context(self) -> Context:
        """What events are told with."""
        return Context(self.track, (), self.edition.categories)

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

    @property
    def context(self) -> Context:
        """What its steps are told and read with."""
        return Context(self.setup.track, self.cars, self.setup.edition.categories)

    def change(self, seat: int, **values: Any) -> State:
        """The state with some fields of one car set."""
        return replace(self, cars={**self.cars, seat: replace(self.cars[seat], **values)})

    def worn(self, seat: int, cost: Wear) -> State:
        """The state with these wear points of a car lost (FD-CAR-2)."""
        return self.change(seat, wear=less(self.cars[seat].wear, cost)) if any(cost) else self

    def plays(self, rules: Collection[str]) -> bool:
        """Whether any of these optional rules is on."""
        return not self.setup.rules.isdisjoint(rules)

    def wrecks(self) -> dict[int, Car]:
        """The cars that are out and still stand in the way, by space (DE-BLOCK-1)."""
        gone = (car for car in self.cars.values() if car.is_wreck)
        return {car.out.space: car for car in gone if car.out and car.out.space is not None}
