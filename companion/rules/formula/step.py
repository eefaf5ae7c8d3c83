"""What is pending in a turn, and in which order it comes (FD-TURN-1).

A turn is a queue of steps in the state. Each kind of step is a class in the chapter of the
rulebook that it belongs to: its fields, who is asked what (`asks`), what an answer brings about
(`answer`), what goes by itself (`settle`), what is left of it when a car is gone (`without`), and
what of it would contradict a state (`check`). Its `point` is its place in the turn. A step is put
into the queue by its point (`Flow.due`), never by position, so the order of a turn is this file's
list of points and nothing else. Before the race there is no turn: what is settled then is one
list in an order of its own (`setting_up.plan`), behind all points of a turn, as a trial has turns.

What a roll or a way brings with it is said by the step that it brings: `after_roll` and
`after_way` of every kind are asked, so that a rule that hangs on a way is found in its chapter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from companion.rules.codec import Context, Many, Seat, tell
from companion.rules.game import Ask
from companion.rules.reading import bad

if TYPE_CHECKING:
    from companion.rules.formula.flow import Flow
    from companion.rules.formula.option import Option
    from companion.rules.formula.state import State


class Point(IntEnum):
    """The points of a turn in their order: ten times the number in FD-TURN-1, and a place in it.

    `text` is what FD-TURN-1 says of it; a point without a text is between two that it names.
    """

    text: str

    def __new__(cls, value: int, text: str = "") -> Point:
        point = int.__new__(cls, value)
        point._value_ = value
        point.text = text
        return point

    START = 20, "start roll (first turn)"
    GEAR = 30, "gear, over-rev loss"
    ROLL = 40, "gear roll"
    DOUBLE = 41
    LENGTH = 50, "choices that change the length: soft bonus, nitro, drift"
    WAY = 60, "the way: where to, brakes, slide, Li-Tsu"
    DEBRIS = 61, "debris rolls in the order met"
    SLIPSTREAM = 70, "slipstream offers, again while they arise, with their debris"
    CHARGE = 80, "overshoot: tires, spin or out; block"
    CHECKPOINT = 81, "then the checkpoint"
    RECOVERY = 82
    POLICE = 90, "police note"
    PRIZE = 91
    HALT = 100
    TIRES = 101, "pit: tires"
    STOP = 102, "choice"
    REPAIR = 103
    DIE = 104, "die, fast exit"
    BUMP = 110, "collision rolls"
    COLLISION = 111
    TESTS = 120, "engine tests"
    ENGINE = 121
    WEATHER = 130, "weather roll"
    REROLL = 131
    NOISE = 140, "noise zone"
    RADIO = 150, "radio"
    THROW = 151
    TRAIL = 152, "trail"
    JUDGE = 153
    TIME = 154
    LIFT = 160
    END = 161, "debris markers laid, cars out lifted"
    ORDER = 170
    BEFORE_THE_RACE = 200

    @property
    def number(self) -> int:
        """The number of FD-TURN-1 that it belongs to."""
        return self // 10


def turn_in_words() -> dict[int, str]:
    """FD-TURN-1 from 2 on: the numbered points of a turn, each with what belongs to it."""
    told: dict[int, list[str]] = {}
    for point in Point:
        if point.text:
            told.setdefault(point.number, []).append(point.text)
    return {number: ", ".join(texts) for number, texts in told.items()}


class On(Enum):
    """On which ground a kind of step is pending: a board, by report (boardless), or both."""

    BOARD = "board"
    REPORT = "report"
    BOTH = "both"


class Way(NamedTuple):
    """A way that a car has gone: from where, its end with its price, and how.

    `how` is move, great, fast or slipstream; `charmed`: the whole move has lost a space to Li-Tsu
    (FD-DRV-1), so the rest of it does not.
    """

    seat: int
    start: int
    option: Option
    how: str
    charmed: bool

    @property
    def overshot(self) -> bool:
        """Whether a corner was left with a stop missing (FD-CORNER-2)."""
        return self.option.arrival.spaces > 0

    @property
    def slips(self) -> bool:
        """Whether it was a slipstream: the end of its turn is pending already."""
        return self.how == "slipstream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One pending step; see the head of this file.

    `needs` are optional rules of which one must be on; `rule` is the rule behind the step.
    """

    kind: ClassVar[str]
    at: ClassVar[Point]
    rule: ClassVar[str]
    on: ClassVar[On] = On.BOTH
    needs: ClassVar[frozenset[str]] = frozenset()
    before_race: ClassVar[bool] = False
    """Whether it may be pending while a race is set up."""
    on_trial: ClassVar[bool] = False
    """Whether it may be pending of a car in its trial; a way brings nothing else then."""

    kinds: ClassVar[dict[str, type[Step]]] = {}
    """All kinds by their names; `chapters` has seen to it that they are all there."""

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            Step.kinds[cls.kind] = cls

    @property
    def point(self) -> Point:
        """Where it comes in a turn."""
        return self.at

    def asks(self, state: State) -> Sequence[Ask]:
        """What is asked while this is the first step."""
        return ()

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """What the answer to one of its asks brings about; it is still in the queue.

        Raises:
            Malformed: the value is not of the form of this kind.
            Illegal: it is not on offer.
        """
        raise NotImplementedError

    def settle(self, flow: Flow) -> bool:
        """Go by itself as far as it can; False: it waits for an answer."""
        return False

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """What is left when a car is out, or (`retired`) taken from the race by the referee."""
        return self

    def marked(self, seat: int) -> Step:
        """The step when this car leaves debris at the end of the turn (FD-DEBRIS-1)."""
        return self

    def sparing(self, seat: int, other: int) -> Step:
        """The step when a car rolls in no collision that this seat causes now (DE-BLOCK-2)."""
        return self

    def check(self, state: State) -> None:
        """Refuse what contradicts the state.

        Raises:
            Malformed: what is wrong, with its rule.
        """

    def seats_named(self) -> Iterable[int]:
        """The seats that it names and that must be running for it to be pending."""
        return ()

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """Put in what a roll of the gear die brings with it, of this kind; not in trials."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """Put in what a way brings with it, of this kind."""

    @classmethod
    def holds_weather(cls, flow: Flow, seat: int, roll: int, value: Any) -> bool:
        """Whether a roll on the weather table waits for a step of this kind, now put in."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStep(Step):
    """A step that belongs to a car; it falls away with it."""

    seat: Annotated[int, Seat()]

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """Nothing is left of it without its car."""
        return None if seat == self.seat else self

    def seats_named(self) -> Iterable[int]:
        """Its car."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class AllSaid(Step):
    """A step that waits as long as one of its `seats` has not answered, in any order."""

    seats: Annotated[tuple[int, ...], Many(Seat())] = ()

    def settle(self, flow: Flow) -> bool:
        if self.seats:
            return False
        flow.take()
        return True

    def strike(self, flow: Flow, seat: int) -> None:
        """A seat has answered."""
        flow.take()
        flow.put_back(replace(self, seats=tuple(other for other in self.seats if other != seat)))

    def without(self, seat: int, *, retired: bool) -> Step:
        """A car that is out is not asked any more."""
        if not retired:
            return self
        return replace(self, seats=tuple(other for other in self.seats if other != seat))

    def seats_named(self) -> Iterable[int]:
        return self.seats

    def check(self, state: State) -> None:
        if len(set(self.seats)) != len(self.seats):
            bad("pending-form", f"{self.kind} names a seat twice")


def tell_step(step: Step, context: Context) -> dict[str, Any]:
    """One pending step, as STATE tells it."""
    return {"step": step.kind, **tell(step, context)}
