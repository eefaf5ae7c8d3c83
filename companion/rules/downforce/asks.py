"""What people are asked: a class for each kind, its fields the keys of the engine protocol.

`options` are the answers themselves where there are few of them (`lot`, `award`, `keep`,
`bet`); of the others they are what the answer is made of: the cars to be put in order (`pole`,
`standing`, `end` of a long-distance race), the amounts of a `bid`, the cars that may finish
(`played`), what a line of a card may move (`hand`, `card`). Who is asked when is for the chapter of
each step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from companion.rules import codec
from companion.rules.codec import Many, Maybe, Nested, Spread, Word
from companion.rules.downforce import tables
from companion.rules.downforce.state import NOWHERE, Lot
from companion.rules.downforce.tables import CARS, LINE_COLORS, LINE_SPACES, Card
from companion.rules.game import Ask
from companion.rules.lines import bad, only_keys
from companion.system.frozen import dataclass


class _Ask(Ask):
    """An ask of Downforce, its fields the keys of the protocol's object."""

    __slots__ = ()

    def data(self) -> dict[str, object]:
        """All its fields but the seat."""
        return {key: value for key, value in codec.tell(self, NOWHERE).items() if key != "seat"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PoleAsk(_Ask):
    """The order of the cars on the grid, pole first, as the board shows it."""

    kind: ClassVar[str] = "pole"
    cars: Annotated[tuple[str, ...], Word("options")] = CARS


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAsk(_Ask):
    """The cards that lie face down beside a seat, `cards` of them (DF-CARD-1)."""

    kind: ClassVar[str] = "hand"
    revealed_by: ClassVar[str | None] = "HandsRevealed"
    by_hand: ClassVar[bool] = True
    colors: Annotated[tuple[str, ...], Word("options")] = LINE_COLORS
    spaces: tuple[int, ...] = LINE_SPACES
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LotAsk(_Ask):
    """Which lot is turned up next.

    Where the table enters who has it: one of `seats` (None: nobody) for one of `prices`, and
    `again` where it was set aside once; dealt cars have no price.
    """

    kind: ClassVar[str] = "lot"
    lots: Annotated[tuple[Lot, ...], Word("options"), Many(Nested(Lot))]
    seats: Annotated[tuple[int | None, ...], Word(sparse=True)] = ()
    prices: Annotated[tuple[int, ...], Word(sparse=True)] = ()
    again: Annotated[bool, Word(sparse=True)] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BidAsk(_Ask):
    """A secret bid for a lot; `again`: it was set aside once, `forced`: not 0 (DF-BID-4)."""

    kind: ClassVar[str] = "bid"
    revealed_by: ClassVar[str | None] = "BidsRevealed"
    amounts: Annotated[tuple[int, ...], Word("options")]
    lot: Annotated[Lot, Spread(Lot)]
    again: bool
    forced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardAsk(_Ask):
    """Who gets a lot: one of these seats (None: nobody), at this price (None: it is dealt)."""

    kind: ClassVar[str] = "award"
    seats: Annotated[tuple[int | None, ...], Word("options")]
    lot: Annotated[Lot, Spread(Lot)]
    price: Annotated[int | None, Word(sparse=True)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepAsk(_Ask):
    """Which power is kept."""

    kind: ClassVar[str] = "keep"
    powers: Annotated[tuple[str, ...], Word("options")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedAsk(_Ask):
    """What a card did: cars that finished, and lines of bets crossed for the first time.

    Of the table (seat 0): what has happened since, whoever's cards it was. `card` is the one that
    lies open, where it is known (DF-CARD-3).
    """

    kind: ClassVar[str] = "played"
    by_hand: ClassVar[bool] = True
    cars: Annotated[tuple[str, ...], Word("options")]
    lines: tuple[int, ...]
    card: Annotated[Card | None, Maybe(tables.CARD), Word(sparse=True)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAsk(_Ask):
    """Which of the `cards` left of an entered hand is turned up; the ask does not list them.

    The hand is a secret, and an ask is for everybody (DF-CARD-3).
    """

    kind: ClassVar[str] = "card"
    of_secret: ClassVar[bool] = True
    colors: Annotated[tuple[str, ...], Word("options")] = LINE_COLORS
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingAsk(_Ask):
    """How the cars on the road stand, the foremost first (DF-CARD-4)."""

    kind: ClassVar[str] = "standing"
    cars: Annotated[tuple[str, ...], Word("options")]


@dataclass(frozen=True, slots=True, kw_only=True)
class BetAsk(_Ask):
    """A secret bet at line `number`; `again`: it is given once more."""

    kind: ClassVar[str] = "bet"
    revealed_by: ClassVar[str | None] = "BetsRevealed"
    cars: Annotated[tuple[str, ...], Word("options")] = CARS
    number: int
    again: Annotated[bool, Word(sparse=True)] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndAsk(_Ask):
    """The end of the race: that nobody can move, or how far the cars have come (DF-VAR-3)."""

    kind: ClassVar[str] = "end"
    of_table: ClassVar[bool] = True
    options: tuple[str | bool, ...]


KINDS: Mapping[str, type[Ask]] = {
    one.kind: one
    for one in (
        PoleAsk,
        HandAsk,
        LotAsk,
        BidAsk,
        AwardAsk,
        KeepAsk,
        CardAsk,
        PlayedAsk,
        StandingAsk,
        BetAsk,
        EndAsk,
    )
}
"""What can be asked in a game of Downforce, by the names of the engine protocol."""


# -- why an answer is refused ---------------------------------------------------------------------

# What a seat says in secret is never quoted, not even when it is wrong (DF-BET-2).


def an_object(value: object, keys: Sequence[str], kind: str) -> Mapping[str, object]:
    """The value as an object with no other keys than these; else Malformed."""
    known = ", ".join(keys)
    if not isinstance(value, dict):
        bad(f"{kind}-form", f"{kind} is an object of {known}", keys=known)
    # `only_keys` would quote the key, and a secret may stand in it (DF-BET-2).
    if KINDS[kind].revealed_by and not set(value) <= set(keys):
        bad("unknown-key", f"{kind} has only {known}", what=kind)
    only_keys(value, keys, kind)
    return value


def a_number(value: object, what: str) -> int:
    """A whole number, unquoted where it is none; else Malformed (true and 3.0 too)."""
    if not isinstance(value, int) or isinstance(value, bool):
        bad("not-a-number", f"{what} is a whole number", kind=what)
    return value


def a_flag(value: object, what: str) -> bool:
    """True or false; else Malformed."""
    if not isinstance(value, bool):
        bad("not-a-flag", f"{what} is true or false", kind=what)
    return value


def a_car(value: object, what: str) -> str:
    """One of the six cars, unquoted where it is none; else Malformed."""
    if not isinstance(value, str) or value not in CARS:
        bad("no-such-car", f"{what} is one of {', '.join(CARS)}", kind=what)
    return value


def cars_in_order(value: object, what: str) -> tuple[str, ...]:
    """Different cars in an order; else Malformed."""
    if not isinstance(value, list):
        bad("order-form", f"{what} is a list of cars", kind=what)
    found = tuple(a_car(one, what) for one in value)
    if len(set(found)) != len(found):
        bad("car-twice", f"{what} names a car twice", kind=what)
    return found


def all_cars(value: object, what: str) -> tuple[str, ...]:
    """All six cars in an order; else Malformed."""
    found = cars_in_order(value, what)
    if len(found) != len(CARS):
        bad("order-form", f"{what} names each of the six cars once: {', '.join(CARS)}", kind=what)
    return found
