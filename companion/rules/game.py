"""What a game is to the rest of the companion.

A game says who is asked what (`asks`), turns an answer into events (`decide`, which
refuses by raising and changes nothing) and gives the state after them. A state is
immutable: taking back is to go on from the state before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from companion.rules.codec import Fielded
from companion.rules.lines import Answer, Correct, Illegal, Referee, Refusal
from companion.system.frozen import dataclass

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """One open question to one seat (seat 0 is the table); each game has a class for a kind.

    Of a kind it is known: `revealed_by`, the event that turns its answers up, None where they
    are no secret; `by_mover`, that the seat on turn may answer it for others, as its screen has
    the list of all who roll because of its move; `by_hand`, that it is about what lies on the
    table, so that a person answers it for a bot too; `of_table`, that the whole table is asked and
    never one seat, from which the word means something else; `of_secret`, that what may be answered
    is a secret of the seat's until it is answered.
    """

    kind: ClassVar[str]
    revealed_by: ClassVar[str | None] = None
    by_mover: ClassVar[bool] = False
    by_hand: ClassVar[bool] = False
    of_table: ClassVar[bool] = False
    of_secret: ClassVar[bool] = False
    seat: int

    @property
    def sides(self) -> Sequence[int] | None:
        """The sides of the die that is asked for, faces that it has twice twice; None: no die."""
        return None

    def puts_out(self, value: object) -> bool:
        """Whether this answer would put the car out."""
        return False

    def data(self) -> dict[str, Any]:
        """The further keys of the engine protocol's object: `options`, `costs`, `for` …"""
        return {}

    def as_json(self) -> dict[str, Any]:
        """The ask as the engine protocol writes it, without `since`."""
        return {"seat": self.seat, "kind": self.kind} | self.data()


@dataclass(frozen=True)
class OpenAsk:
    """An ask and the version at which it opened; `line` is its JSON, made once and kept."""

    ask: Ask
    since: int

    @property
    def seat(self) -> int:
        """Who is asked; 0 is the table."""
        return self.ask.seat

    @property
    def kind(self) -> str:
        """What is asked, as the engine protocol calls it."""
        return self.ask.kind

    # This is why the class has no slots: the line is kept in the instance's dict.
    @cached_property
    def line(self) -> dict[str, Any]:
        """The ask as the engine protocol writes it."""
        return self.ask.as_json() | {"since": self.since}


def not_asked(answer: Answer, asks: Sequence[Ask], rule: str | None = None) -> Illegal:
    """Nobody asked this seat that; `rule` is the one by which it is not its moment."""
    wanted = ", ".join(f"seat {ask.seat}: {ask.kind}" for ask in asks) or "nothing"
    message = f"seat {answer.seat} is not asked for {answer.kind} now; asked is {wanted}"
    args = {"seat": answer.seat, "kind": answer.kind}
    return Illegal("not-asked", message, rule=rule, args=args)


Kinds = Mapping[str, type[Ask]]
"""Kinds of asks by their names."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two values of house switches that contradict each other, and why."""

    one: tuple[str, str]
    other: tuple[str, str]
    why: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What a header of a game may choose, as far as this version plays it.

    `optional_rules` are the names in `rules`, `house` the switches with the values they take,
    `clashes` what of them cannot be together. The first value of a switch is what is played where a
    header is silent, but `at_the_table` a table says its own. `powers` reads the table's own
    powers, each with `name` and `reminder`; None: the game has none. `of_bot` is what the rules are
    given of a seat whose player is a bot.
    """

    optional_rules: Collection[str]
    house: Mapping[str, Sequence[str]] = field(default_factory=dict)
    clashes: Sequence[Clash] = ()
    at_the_table: Mapping[str, str] = field(default_factory=dict)
    powers: Callable[[object], Iterable[Any]] | None = None
    of_bot: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Timing:
    """What a race says of time; a table has the clock, and a line brings what it comes to.

    `turn_s` is what a turn may take and `race_s` the race, None for as long as they like; `late`
    what comes of a turn that takes longer: `show`, `flag`, `lost`, `warn-out` or `bank`, of which a
    seat has `bank_s`; `freezes` whether the race ends where it stands, not with a last lap.
    """

    turn_s: int | None = None
    late: str = "show"
    bank_s: int = 0
    race_s: int | None = None
    freezes: bool = False

    @property
    def has_clock(self) -> bool:
        """Whether the turns are measured for everybody to see."""
        return self.turn_s is not None or self.late == "bank"

    @property
    def is_on(self) -> bool:
        """Whether a table has to have a clock for it."""
        return self.has_clock or self.race_s is not None


UNTIMED = Timing()


@dataclass(frozen=True, slots=True)
class Outline:
    """What a table has to know of a state of any game.

    `phase` is what STATE calls it; `round` is 0 where rounds are not counted; `on_trial` whether
    a stopwatch measures the seat that is asked; `mover` is the seat on turn; `bystanders` are the
    seats whose people have no part to play any more; `alone` is the seat that races on when all
    others have none, None where several do or one always did; `timing` what it says of time.
    `was_driven`: a race that is over before anybody has moved is none, and is not kept. `laps` are
    those it goes over, 0 where it does not go by laps.
    """

    phase: str
    is_over: bool
    round: int
    on_trial: bool
    mover: int | None
    bystanders: frozenset[int]
    alone: int | None = None
    timing: Timing = UNTIMED
    was_driven: bool = True
    laps: int = 0


class Left(NamedTuple):
    """The turns that are left, and a span: how often it holds them stands in docs/pace.md."""

    turns: float
    low: float
    high: float


StateT = TypeVar("StateT")
EventT = TypeVar("EventT")


class Decision(NamedTuple, Generic[StateT, EventT]):
    """What follows from an answer: the events, and the state after all of them."""

    events: Sequence[EventT]
    state: StateT


class Game(Protocol[StateT, EventT]):
    """One of the games, as a pure core."""

    @property
    def name(self) -> str:
        """As a header names it."""

    @property
    def needs_track(self) -> bool:
        """Whether it is played on a board that the companion knows."""

    @property
    def plays_boardless(self) -> bool:
        """Whether a header may name no board all the same (`"track": null`)."""

    @property
    def kinds(self) -> Kinds:
        """What it asks."""

    def begin(self, header: JSON, track: Any) -> Decision[StateT, EventT]:
        """The events that open the race, the first of which sets its state.

        `track` is None for a game without one, and for a race on no board that is known.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """

    def asks(self, state: StateT) -> Sequence[Ask]:
        """Every open ask, in the order in which a table would take them."""

    def decide(
        self, state: StateT, answer: Answer, asks: Sequence[Ask]
    ) -> Decision[StateT, EventT]:
        """What follows from an answer.

        Args:
            asks: the open asks of the state, which whoever holds the state has.

        Raises:
            Illegal: nobody asked this seat that, or the value is not on offer.
            Malformed: the value is not of the kind's form.
        """

    def explain(self, state: StateT, answer: Answer, asks: Sequence[Ask]) -> Explanation:
        """Why an answer is, or is not, legal now; never refuses."""

    def referee(self, state: StateT, command: Referee) -> Decision[StateT, EventT]:
        """What follows from a referee's command.

        Raises:
            Refusal: as for `decide`.
        """

    def tell(self, state: StateT) -> dict[str, Any]:
        """STATE of the engine protocol; `position` reads it back to an equal state.

        It is for everybody: a secret is null until it is revealed.
        """

    def public(self, events: Iterable[EventT]) -> list[dict[str, Any]]:
        """The events as the engine protocol tells them to everybody, secrets as null."""

    def visible(self, state: StateT) -> StateT:
        """The state as everybody may see it, as in STATE: without what is secret yet."""

    def own(self, state: StateT, seat: int) -> Fielded | None:
        """What only this seat may see; None for nothing."""

    def seats(self, state: StateT) -> Collection[int]:
        """The seats that may answer; 0, the table, where the game asks it."""

    def outline(self, state: StateT) -> Outline:
        """What a table has to know of a state."""

    def turns_left(self, state: StateT, begun: StateT, had: Mapping[int, int]) -> Left | None:
        """The turns that a race which began as `begun` has left, after so many of each seat; None:
        who knows."""

    def elsewhere(
        self, state: StateT, asks: Sequence[Ask], seat: int, space: str
    ) -> Answer | Correct:
        """What says that what a seat moves stands at this space, whatever the state says.

        Args:
            asks: the open asks of the state.

        Raises:
            Malformed: the board has no such space.
            Illegal: it cannot stand there.
        """


# -- why an answer is, or is not, legal now -------------------------------------------------------

NEAREST = 3
"""Options that an explanation names instead."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a referee says of an answer when somebody asks; it changes nothing.

    `rules` stand in the order in which the answer meets them: those that it breaks, or, of an
    answer that is legal and ends badly (a spin, out of the race), those by which it does. `at` are
    the ids of the spaces where the rules break; `instead` the nearest options, nearest first, each
    as an answer would say it. `ways` are the spaces of the way that was meant and of the one to the
    nearest option, as far as there are such.
    """

    legal: bool
    rules: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    instead: tuple[object, ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()

    def as_json(self) -> dict[str, object]:
        """The `explain` object of the engine protocol."""
        return {
            "legal": self.legal,
            "rules": list(self.rules),
            "at": list(self.at),
            "instead": list(self.instead),
            **({"ways": [list(way) for way in self.ways]} if self.ways else {}),
        }


def refusal_by(decide: Callable[[], object]) -> Refusal | None:
    """How what is tried is refused; None: it is not."""
    try:
        decide()
    except Refusal as refusal:
        return refusal
    return None


def by_trying(decide: Callable[[], object]) -> Explanation:
    """What is known of any answer by trying it: legal, or the rule of its refusal."""
    refusal = refusal_by(decide)
    rule = refusal.rule if refusal else None
    return Explanation(refusal is None, () if rule is None else (rule,))
