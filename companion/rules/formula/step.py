"""What is pending in a turn, and in which order it comes (FD-TURN-1).

A turn is a queue of steps, kept in the state. The first of them is what happens now: either it
waits, and then it asks (`asks`, `answer`), or it goes by itself (`settle`). What it brings with
it is put into the queue, and so on, until the end of the turn begins the next one.

Each kind of step is a class in the chapter of the rulebook that it belongs to. Besides its fields
it says when it `waits`, what is left of it when a car is gone (`without`), and what of it would
contradict a state (`check`). What a roll or a way brings with it is not listed anywhere: every
kind is asked (`after_roll`, `after_way`), so a rule that hangs on a way is found in its chapter.

The order is this file's list of points and nothing else: a step is put into the queue by its
`point` (`Flow.due`), never by position. Before the race there is no turn: what is settled then is
one list in an order of its own (`setup.plan`), behind all points of a turn, as a trial has turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple, TypedDict, TypeVar, Unpack

from companion.rules.codec import Record
from companion.rules.copies import replace
from companion.rules.forms import Seat, Seats
from companion.rules.game import Ask
from companion.rules.reading import bad

if TYPE_CHECKING:
    from companion.rules.formula.flow import Flow
    from companion.rules.formula.option import Option
    from companion.rules.formula.state import State

Asks = Sequence[Ask]
T = TypeVar("T")


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

    STANDING = (
        10,
        "spun car turned round, 1st its only gear · stalled car: 1st only"
        " · car in its box or the lane: FD-PIT-2, 3",
    )
    """Nothing is pending here: how a car stands decides which gears it is asked for."""
    HELD = 11
    """A roll that may be made once more (`second_roll`): before whatever has asked for it."""
    START = 20, "start roll (first turn)"
    GEAR = 30, "gear, over-rev loss"
    ROLL = 40, "gear roll"
    DOUBLE = 41
    LENGTH = 50, "choices that change the length: soft bonus, nitro, drift"
    WAY = 60, "the way: where to, brakes, slide, Li-Tsu"
    DEBRIS = (
        61,
        "; debris rolls in the order met"
        "; line effects (tire age, nitro refill) as the line is crossed",
    )
    SLIPSTREAM = 70, "slipstream offers, again while they arise, with their debris"
    CHARGE = 80, "overshoot: tires, spin or out; block"
    CHECKPOINT = 81, "; then the checkpoint"
    RECOVERY = 82
    POLICE = 90, "police note"
    PRIZE = 91
    HALT = 100
    TIRES = 101, "pit: tires"
    STOP = 102, ", choice"
    REPAIR = 103
    DIE = 104, ", die, fast exit"
    BUMP = 110, "collision rolls"
    COLLISION = 111
    TESTS = 120, "engine tests"
    ENGINE = 121
    WEATHER = 130, "weather roll"
    REROLL = 131
    NOISE = 140, "noise zone"
    RADIO = 150, "radio"
    THROW = 151
    TRAIL = 152, ", trail"
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
    """FD-TURN-1: what each of its numbers says, from the points in their order."""
    words: dict[int, str] = {}
    for point in Point:
        if point.text:
            words[point.number] = words.get(point.number, "") + point.text
    return words


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


class Kind(TypedDict, total=False):
    """What is said of a kind of step where its class begins; see `Step`."""

    kind: str
    at: Point
    rule: str
    on: On
    needs: Collection[str]
    before_race: bool
    on_trial: bool
    outlives: bool
    on_road: bool


class Step(Record):
    """One pending step; see the head of this file.

    Of its kind is said: its name in STATE; its point; the rule behind it; the ground; `needs`,
    optional rules of which one must be on; whether it may be pending before the race, and of a
    car in its trial; `outlives`: it goes on without its car; `on_road`: it comes after a move, but
    not for a car that the line has lifted (FD-END-2).
    """

    kind: ClassVar[str]
    at: ClassVar[Point]
    rule: ClassVar[str]
    on: ClassVar[On] = On.BOTH
    needs: ClassVar[Collection[str]] = ()
    before_race: ClassVar[bool] = False
    on_trial: ClassVar[bool] = False
    outlives: ClassVar[bool] = False
    on_road: ClassVar[bool] = False

    kinds: ClassVar[dict[str, type[Step]]] = {}
    """All kinds by their names; `decide` has seen to it that they are all there."""

    def __init_subclass__(cls, **about: Unpack[Kind]) -> None:
        super().__init_subclass__()
        for name, value in about.items():
            setattr(cls, name, value)
        if "kind" in about:
            Step.kinds[cls.kind] = cls

    @property
    def point(self) -> Point:
        """Where it comes in a turn."""
        return self.at

    def waits(self, state: State) -> bool:
        """Whether it waits for an answer, as the first step."""
        return True

    def asks(self, state: State) -> Asks:
        """What is asked while it waits."""
        return ()

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """What the answer to one of its asks brings about; it is taken off the queue.

        Raises:
            Malformed: the value is not of the form of this kind.
            Illegal: it is not on offer.
        """
        raise NotImplementedError

    def settle(self, flow: Flow) -> None:
        """What it does by itself, where it does not wait; it is taken off the queue."""

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


class SeatStep(Step):
    """A step that belongs to a car; it falls away with it, unless it outlives it."""

    seat: Annotated[int, Seat()]

    def without(self, seat: int, *, retired: bool) -> Step | None:
        return None if seat == self.seat and not self.outlives else self

    def seats_named(self) -> Iterable[int]:
        return () if self.outlives else (self.seat,)


class ByItself(SeatStep):
    """A step of a car that asks nobody anything."""

    def waits(self, state: State) -> bool:
        return False


class AllSeats(Step):
    """A step that waits as long as one of its `seats` has not answered, in any order."""

    seats: Seats = ()

    def waits(self, state: State) -> bool:
        return bool(self.seats)

    def strike(self, flow: Flow, seat: int) -> None:
        """A seat has answered."""
        flow.due(replace(self, seats=but(self.seats, seat)))

    def without(self, seat: int, *, retired: bool) -> Step:
        """A car that is out is not asked any more."""
        return replace(self, seats=but(self.seats, seat)) if retired else self

    def seats_named(self) -> Iterable[int]:
        return self.seats

    def check(self, state: State) -> None:
        if len(set(self.seats)) != len(self.seats):
            bad("pending-form", f"{self.kind} names a seat twice")


def but(things: Iterable[T], one: T) -> tuple[T, ...]:
    """All of them but one."""
    return tuple(thing for thing in things if thing != one)
