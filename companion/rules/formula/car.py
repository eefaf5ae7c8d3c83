"""One car of a Formula race: an immutable record, nothing that could be worked out."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Annotated, Literal

from companion.frozen import dataclass
from companion.rules.codec import Context, Form, Nested, Spread, Word
from companion.rules.forms import Flag, Maybe, Name, OneOf, Pair, Points, Seat, Space, Within
from companion.rules.formula import tables
from companion.rules.formula.tables import MANY
from companion.rules.formula.urban.memory import Street
from companion.rules.formula.wear import Wear
from companion.rules.reading import bad

LONGEST_TRIAL_S = 86_400
MOST_SEATS = 99


class Status(StrEnum):
    """How a car stands."""

    GRID = "grid"
    RACING = "racing"
    STALLED = "stalled"
    SPUN = "spun"
    PIT = "pit"
    FINISHED = "finished"
    OUT = "out"


class Place(Enum):
    """Where a car stands, or stood when it went out."""

    TRACK = auto()
    LANE = auto()
    BOX = auto()
    NOWHERE = auto()


RUNNING = frozenset({Status.GRID, Status.RACING, Status.STALLED, Status.SPUN, Status.PIT})


@dataclass(frozen=True)
class Out:
    """Why a car is out: the reason, its rule (None: retired), the round, and where it stood.

    `stands`: the wreck is still there, until the car's next turn (DE-BLOCK-1).
    """

    why: Annotated[str, Name()] = "retired"
    rule: Annotated[str | None, Maybe(Name())] = None
    round: Annotated[int, Within(0, MANY)] = 0
    space: Annotated[int | None, Maybe(Space())] = None
    was: Annotated[Status, OneOf(tuple(sorted(RUNNING)))] = Status.RACING
    stands: Annotated[bool, Flag("DE-BLOCK-1"), Word(sparse=True)] = False


class Seconds(Form[float | None]):
    """The time of a lap in seconds, with or without a fraction; None: it was not driven."""

    def read(self, data: object, what: str, context: Context) -> float | None:
        if data is None:
            return None
        if isinstance(data, bool) or not isinstance(data, int | float):
            data = -1
        if not 0 < data <= LONGEST_TRIAL_S:
            message = f"{what} is a number of seconds, up to a day"
            bad("time-form", message, rule="FD-TRIAL-1")
        return data


@dataclass(frozen=True)
class Trial:
    """A time trial so far: gear rolls, and spaces of overshoot (FD-TRIAL-2).

    `seconds` is None until the lap is driven; `reached` is how far an ended trial came, in
    levels from the line (FD-TRIAL-3), None for all others.
    """

    rolls: Annotated[int, Within(0, MANY)] = 0
    beyond: Annotated[int, Within(0, MANY)] = 0
    seconds: Annotated[float | None, Seconds()] = None
    reached: Annotated[int | None, Maybe(Within(0, MANY))] = None


class OnCard(Form[int]):
    """A corner of the card of a board, by its label."""

    def tell(self, value: int, context: Context) -> str | None:
        corners = context.board.corners
        return corners[value].label if corners else None

    def read(self, data: object, what: str, context: Context) -> int:
        labels = [corner.label for corner in context.board.corners if context.board.is_blank]
        if data is not None and data not in labels:
            bad("no-such-corner", f"the card has no corner {data!r:.20}", rule="FD-CORNER-1")
        return labels.index(str(data)) if data is not None else 0


Count = Annotated[int, Within(0, MANY)]
Few = Annotated[int, Within(0, MANY), Word(sparse=True)]
Mark = Annotated[bool, Flag(), Word(sparse=True)]


class PitMark(StrEnum):
    """What the pit still holds against a car.

    It came into the lane too fast; stands a turn in its box for it (DE-PIT-1); or has left it by
    a fast stop (DE-PIT-2).
    """

    LATE = "late"
    WAITS = "waits"
    FRESH = "fresh"


@dataclass(frozen=True)
class Memory:
    """What house switches have a car remember.

    `limited`: a gearbox that was at 0 shifts down by one gear for good (FD-REV-2); `extra`: it has
    had its extra move of this lap (`extra_move`); `second_roll`: its second roll of this race;
    `two_kinds`: it owes no other kind of tires (`mandatory_tires`); `wing`: how that is set;
    `weather_due`: it rolls for the weather when the round ends (FD-WEATHER-3); `blown`: its engine
    is gone and it rolls on, once more or home (FD-ENGINE-3); `laps_down`: how often it was lapped
    as its turn began (FD-ORDER-1); `grace`: whether this is the one turn in which tires at 0 allow
    a space of overshoot (FD-CORNER-7), None before that turn.
    """

    limited: Mark = False
    extra: Mark = False
    second_roll: Mark = False
    two_kinds: Mark = False
    wing: Annotated[str | None, Maybe(OneOf(tables.WINGS, "FD-MOVE-1")), Word(sparse=True)] = None
    weather_due: Mark = False
    blown: Annotated[
        Literal["last", "home"] | None,
        Maybe(OneOf(("last", "home"), "FD-ENGINE-3")),
        Word(sparse=True),
    ] = None
    laps_down: Annotated[int, Within(0, MANY, "FD-ORDER-1"), Word(sparse=True)] = 0
    grace: Annotated[bool | None, Maybe(Flag()), Word(sparse=True)] = None


@dataclass(frozen=True)
class Flags:
    """The flags that a car was given, and the turns that it has to lose for them (`pace`)."""

    time: Annotated[int, Within(0, MANY), Word("time_flags", sparse=True)] = 0
    error: Annotated[int, Within(0, MANY), Word("error_flags", sparse=True)] = 0
    sits_out: Few = 0


@dataclass(frozen=True)
class Reckoning:
    """Where a boardless car is, as far as the reports of its moves tell.

    `corner` is the corner of the card that it is in or comes to next; `depth` are the fewest and
    the most spaces that it can have come in it (both 0: it is before it, or nobody knows),
    `line_due` tells that the last corner is behind it and the line is not, and `run` counts the
    spaces it has moved.
    """

    corner: Annotated[int, OnCard()] = 0
    depth: Annotated[tuple[int, int], Pair(Within(0, MANY), Within(0, MANY)), Word(sparse=True)] = (
        0,
        0,
    )
    line_due: Mark = False
    run: Few = 0


@dataclass(frozen=True)
class Car:
    """One car. `space` is an index of the track, None when finished or out.

    `wear` stands in the order of `tables.CATEGORIES`; `full` is what it started with
    (FD-CAR-2). `lap` counts the crossings of the line (FD-END-2). `stops` are those made in
    the corner that the car is in. `served` tells, in the pit lane, that the stop is over.
    `pool` are the car's own generic WP (FD-TECH-1); None where there are none, or the team's.
    `arrived` tells who came first where it matters: the later, the higher (DE-ORDER-1; in the
    pit, when it drove in: DE-PIT-4).

    What it must remember for one chapter only is a record of that chapter, at its default where
    the chapter is not in force; its keys stand among those of the car. Boardless, `space` is None
    for every car, and `stops` counts the moves in a row that ended in a corner.
    """

    seat: Annotated[int, Seat()]
    name: Annotated[str, Name()]
    box: Annotated[int, Word(hidden=True)]
    gear: Annotated[int, Within(0, tables.TOP_GEAR, "FD-GEAR-1")] = 0
    lap: Count = 0
    space: Annotated[int | None, Maybe(Space())] = None
    stops: Count = 0
    wear: Annotated[Wear, Points()] = tables.START_WEAR
    tires: Annotated[str, OneOf(tables.TIRE_KINDS)] = "hard"
    tires_lap: Annotated[int, Within(1, MANY)] = 1
    status: Annotated[Status, OneOf(tuple(Status))] = Status.GRID
    out: Annotated[Out | None, Maybe(Nested(Out))] = None
    place: Annotated[int | None, Maybe(Within(1, MOST_SEATS))] = None
    pit_stops: Count = 0
    served: Annotated[bool, Flag("FD-PIT-6")] = False
    full: Annotated[Wear, Points()] = tables.START_WEAR
    trial: Annotated[Trial | None, Maybe(Nested(Trial, what="a trial")), Word(sparse=True)] = None
    arrived: Annotated[int, Within(0, MANY, "DE-ORDER-1"), Word(sparse=True)] = 0
    pit_mark: Annotated[
        PitMark | None, Maybe(OneOf(tuple(PitMark), "DE-PIT-1")), Word(sparse=True)
    ] = None
    pool: Annotated[int | None, Maybe(Within(0, tables.POOL, "FD-TECH-1")), Word(sparse=True)] = (
        None
    )
    street: Annotated[Street, Spread(Street), Word(sparse=True)] = Street()
    memory: Annotated[Memory, Spread(Memory), Word(sparse=True)] = Memory()
    flags: Annotated[Flags, Spread(Flags), Word(sparse=True)] = Flags()
    reckoning: Annotated[Reckoning, Spread(Reckoning)] = Reckoning()
    team: Annotated[str | None, Word(hidden=True)] = None

    @property
    def runs(self) -> bool:
        """Whether the car is still in the race."""
        return self.status in RUNNING

    @property
    def is_wreck(self) -> bool:
        """Whether it is out and still stands in the way (DE-BLOCK-1)."""
        return self.out is not None and self.out.stands

    @property
    def coasts(self) -> bool:
        """Whether it moves, or has moved, without an engine (house switch `blown_engine`)."""
        return self.memory.blown is not None and self.gear <= tables.COAST_GEAR

    @property
    def stood(self) -> int | None:
        """The space on which it stands, or stood when it went out."""
        return self.out.space if self.out else self.space

    @property
    def counts_lap_early(self) -> bool:
        """Whether its lap counts what its place does not: since it came to its box (FD-PIT-5)."""
        return self.served or self.pit_mark is PitMark.WAITS
