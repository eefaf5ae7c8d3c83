"""What a seat is asked in a Formula race: a class for each kind.

An option knows what it means (what a range of the black die costs, how a move ends), so that
whoever shows an ask decides no rule. `data` tells it in the JSON of the engine protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from companion.rules.board.track import Track
from companion.rules.formula.option import Option
from companion.rules.formula.sketch import NearEnd
from companion.rules.formula.tables import GEAR_DICE, TIRE_KINDS
from companion.rules.formula.wear import NOTHING, Wear, tell_cost
from companion.rules.game import Ask


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
    """A point of this category (an index into `tables.CATEGORIES`) is lost."""

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


@dataclass(frozen=True, slots=True)
class GearChoice:
    """A gear on offer: what an over-rev costs, and whether it puts the car out."""

    gear: int
    cost: Wear = NOTHING
    skipped: int = 0
    out: bool = False


@dataclass(frozen=True, slots=True)
class GearAsk(Ask):
    """The gears on offer, ascending; `categories` are the names of wear points in this game."""

    kind: ClassVar[str] = "gear"
    choices: Sequence[GearChoice]
    categories: tuple[str, ...]

    def puts_out(self, value: object) -> bool:
        """A gear that over-revs the engine to its end, say."""
        return any(choice.out and choice.gear == value for choice in self.choices)

    def data(self) -> dict[str, Any]:
        """The gears, what over-revs cost, and those that put the car out."""
        costs = {str(c.gear): tell_cost(c.cost, self.categories) for c in self.choices}
        return {
            "options": [choice.gear for choice in self.choices],
            "costs": {gear: cost for gear, cost in costs.items() if cost},
            "out": [choice.gear for choice in self.choices if choice.out],
        }


@dataclass(frozen=True, slots=True)
class RollAsk(Ask):
    """The face of the die of this gear (FD-DIE-1)."""

    kind: ClassVar[str] = "roll"
    gear: int

    @property
    def faces(self) -> range:
        """The faces, each once."""
        low, high = GEAR_DICE[self.gear]
        return range(low, high + 1)

    def data(self) -> dict[str, Any]:
        """The faces."""
        return {"options": list(self.faces)}


@dataclass(frozen=True, slots=True)
class BlackAsk(Ask):
    """The black die, for a reason; `against` is the other car of a collision or a throw.

    `at` is the id of the debris space that is rolled for, None where none is known; `times` is how
    often this seat still rolls for what is open: once for each car that it met.
    """

    kind: ClassVar[str] = "black"
    by_mover: ClassVar[bool] = True
    reason: Reason
    outcomes: Sequence[Outcome]
    against: int | None = None
    at: str | None = None
    times: int = 1

    def data(self) -> dict[str, Any]:
        """The ranges that matter, and what it is for."""
        data: dict[str, Any] = {
            "options": [[outcome.low, outcome.high] for outcome in self.outcomes],
            "for": str(self.reason),
        }
        if self.against is not None:
            data["with"] = self.against
        if self.at is not None:
            data["at"] = self.at
        return data


class Length(NamedTuple):
    """A total that a move may have, and what gives it: soft, nitro, drift."""

    spaces: int
    by: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The option as the ask tells it."""
        return {"spaces": self.spaces, "by": list(self.by)}


@dataclass(frozen=True, slots=True)
class LengthAsk(Ask):
    """How many spaces the move has in all (FD-TIRE-3, FD-URBAN-2, FD-DRV-2)."""

    kind: ClassVar[str] = "length"
    lengths: Sequence[Length]

    def data(self) -> dict[str, Any]:
        """The totals."""
        return {"options": [length.as_json() for length in self.lengths]}


@dataclass(frozen=True, slots=True, eq=False)
class MoveAsk(Ask):
    """Where the move ends; `near` are ends beside them on a board that is a sketch."""

    kind: ClassVar[str] = "move"
    track: Track
    ends: Sequence[Option]
    near: Sequence[NearEnd] = ()

    def data(self) -> dict[str, Any]:
        """The ends with their prices."""
        data: dict[str, Any] = {"options": [end.as_json(self.track) for end in self.ends]}
        if not self.track.exact:
            data["near"] = [end.as_json(self.track) for end in self.near]
        return data


@dataclass(frozen=True, slots=True, eq=False)
class SlipstreamAsk(Ask):
    """Where a slipstream ends, or that it is not used (FD-SLIP-6)."""

    kind: ClassVar[str] = "slipstream"
    track: Track
    ends: Sequence[Option]

    def data(self) -> dict[str, Any]:
        """The ends with their prices, then null."""
        return {"options": [*(end.as_json(self.track) for end in self.ends), None]}


STOPS = ("tires", "technical")


@dataclass(frozen=True, slots=True)
class PitAsk(Ask):
    """Which stop it is (FD-TECH-1)."""

    kind: ClassVar[str] = "pit"

    def data(self) -> dict[str, Any]:
        """The two stops."""
        return {"options": list(STOPS)}


@dataclass(frozen=True, slots=True)
class TiresAsk(Ask):
    """Which tires are fitted (FD-TIRE-1, FD-TIRE-7)."""

    kind: ClassVar[str] = "tires"

    def data(self) -> dict[str, Any]:
        """The kinds of tires."""
        return {"options": list(TIRE_KINDS)}


@dataclass(frozen=True, slots=True)
class BuildAsk(Ask):
    """All points of a car and the bounds of each category, by its name (FD-BUILD-1)."""

    kind: ClassVar[str] = "build"
    points: int
    limits: Mapping[str, tuple[int, int]]

    def data(self) -> dict[str, Any]:
        """Points and bounds."""
        limits = {name: list(bounds) for name, bounds in self.limits.items()}
        return {"options": {"points": self.points, "limits": limits}}


@dataclass(frozen=True, slots=True)
class PointsAsk(Ask):
    """So many points go back to one or more of these categories, by their names."""

    points: int
    categories: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """Points and categories."""
        return {"options": {"points": self.points, "categories": list(self.categories)}}


@dataclass(frozen=True, slots=True)
class RepairAsk(PointsAsk):
    """A technical stop (FD-TECH-1)."""

    kind: ClassVar[str] = "repair"


@dataclass(frozen=True, slots=True)
class RecoverAsk(PointsAsk):
    """A checkpoint or the prize of the police station (FD-URBAN-7, FD-URBAN-5)."""

    kind: ClassVar[str] = "recover"


@dataclass(frozen=True, slots=True)
class RadioAsk(Ask):
    """At whom the radio is thrown (FD-DRV-3); nobody is an answer too."""

    kind: ClassVar[str] = "radio"
    seats: tuple[int, ...]

    def data(self) -> dict[str, Any]:
        """The seats near by, then null."""
        return {"options": [*self.seats, None]}


@dataclass(frozen=True, slots=True)
class TrailAsk(Ask):
    """Whether debris is left on the space with this id (FD-DRV-10)."""

    kind: ClassVar[str] = "trail"
    at: str

    def data(self) -> dict[str, Any]:
        """Yes or no, and where."""
        return {"options": [True, False], "at": self.at}


@dataclass(frozen=True, slots=True)
class RerollAsk(Ask):
    """Whether the weather is rolled again, which was this line at first (FD-DRV-5)."""

    kind: ClassVar[str] = "reroll"
    outcome: str

    def data(self) -> dict[str, Any]:
        """Yes or no, and what came the first time."""
        return {"options": [True, False], "outcome": self.outcome}


@dataclass(frozen=True, slots=True)
class TimeAsk(Ask):
    """How long a trial took; the stopwatch of the table answers (FD-TRIAL-1)."""

    kind: ClassVar[str] = "time"


@dataclass(frozen=True, slots=True)
class ReportAsk(Ask):
    """Boardless: what a seat says of its move of so many spaces.

    `bounds` are lowest and highest number, the seats, or the words on offer, by what is
    reported; `slide` the spaces of a slide in rain (0: none); `card` tells of the corner ahead.
    """

    kind: ClassVar[str] = "report"
    bounds: Mapping[str, Sequence[Any]]
    spaces: int
    slide: int = 0
    card: Mapping[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """The bounds, and what is known of the move."""
        data: dict[str, Any] = {"options": dict(self.bounds), "spaces": self.spaces}
        if self.slide:
            data["slide"] = self.slide
        if self.card is not None:
            data["card"] = dict(self.card)
        return data


@dataclass(frozen=True, slots=True)
class OrderAsk(Ask):
    """Boardless: who runs where, asked of the table; `seats` as far as is known."""

    kind: ClassVar[str] = "order"
    seats: tuple[int, ...]

    def data(self) -> dict[str, Any]:
        """The running seats."""
        return {"options": list(self.seats)}


KINDS: Mapping[str, type[Ask]] = {
    one.kind: one
    for one in (
        *(GearAsk, RollAsk, BlackAsk, LengthAsk, MoveAsk, SlipstreamAsk, PitAsk, TiresAsk),
        *(RepairAsk, RecoverAsk, BuildAsk, RadioAsk, TrailAsk, RerollAsk, TimeAsk),
        *(ReportAsk, OrderAsk),
    )
}
"""What can be asked in a Formula race, by the names of the engine protocol."""
