"""What people are asked: a class for each kind, its fields the keys of the engine protocol.

`options` are the answers themselves where there are few of them (`lot`, `award`, `keep`,
`bet`); of the others they are what the answer is made of: the cars to be put in order (`pole`,
`standing`, `end` of a long-distance race), the amounts of a `bid`, the cars that may finish
(`played`), what a line of a card may move (`hand`, `card`). Who is asked when is for the chapter of
each step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, dataclass_transform

from companion.rules import codec
from companion.rules.codec import Many, Maybe, Nested, Spread, Word
from companion.rules.downforce import tables
from companion.rules.downforce.state import NOWHERE, Lot
from companion.rules.downforce.tables import CARS, LINE_COLORS, LINE_SPACES, Card
from companion.rules.game import Ask
from companion.rules.lines import bad, only_keys
from companion.system.frozen import dataclass

KINDS: dict[str, type[Ask]] = {}
"""What can be asked in a game of Downforce, by the names of the engine protocol."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class DownforceAsk(Ask):
    """An ask of Downforce, its fields the keys of the protocol's object."""

    def __init_subclass__(cls, *, kind: str) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        cls.kind = kind
        KINDS[kind] = cls

    def data(self) -> dict[str, object]:
        """All its fields but the seat."""
        return {key: value for key, value in codec.tell(self, NOWHERE).items() if key != "seat"}


class PoleAsk(DownforceAsk, kind="pole"):
    """The order of the cars on the grid, pole first, as the board shows it."""

    cars: Annotated[tuple[str, ...], Word("options")] = CARS


class HandAsk(DownforceAsk, kind="hand"):
    """The cards that lie face down beside a seat, `cards` of them (DF-CARD-1)."""

    revealed_by = "HandsRevealed"
    by_hand = True
    colors: Annotated[tuple[str, ...], Word("options")] = LINE_COLORS
    spaces: tuple[int, ...] = LINE_SPACES
    cards: int


class LotAsk(DownforceAsk, kind="lot"):
    """Which lot is turned up next.

    Where the table enters who has it: one of `seats` (None: nobody) for one of `prices`, and
    `again` where it was set aside once; dealt cars have no price.
    """

    lots: Annotated[tuple[Lot, ...], Word("options"), Many(Nested(Lot))]
    seats: Annotated[tuple[int | None, ...], Word(sparse=True)] = ()
    prices: Annotated[tuple[int, ...], Word(sparse=True)] = ()
    again: Annotated[bool, Word(sparse=True)] = False


class BidAsk(DownforceAsk, kind="bid"):
    """A secret bid for a lot; `again`: it was set aside once, `forced`: not 0 (DF-BID-4)."""

    revealed_by = "BidsRevealed"
    amounts: Annotated[tuple[int, ...], Word("options")]
    lot: Annotated[Lot, Spread(Lot)]
    again: bool
    forced: bool


class AwardAsk(DownforceAsk, kind="award"):
    """Who gets a lot: one of these seats (None: nobody), at this price (None: it is dealt)."""

    seats: Annotated[tuple[int | None, ...], Word("options")]
    lot: Annotated[Lot, Spread(Lot)]
    price: Annotated[int | None, Word(sparse=True)] = None


class KeepAsk(DownforceAsk, kind="keep"):
    """Which power is kept."""

    powers: Annotated[tuple[str, ...], Word("options")]


class CardAsk(DownforceAsk, kind="card"):
    """Which of the `cards` left of an entered hand is turned up; the ask does not list them.

    The hand is a secret, and an ask is for everybody (DF-CARD-3).
    """

    of_secret = True
    colors: Annotated[tuple[str, ...], Word("options")] = LINE_COLORS
    cards: int


class PlayedAsk(DownforceAsk, kind="played"):
    """What a card did: cars that finished, and lines of bets crossed for the first time.

    Of the table (seat 0): what has happened since, whoever's cards it was. `card` is the one that
    lies open, where it is known (DF-CARD-3).
    """

    by_hand = True
    cars: Annotated[tuple[str, ...], Word("options")]
    lines: tuple[int, ...]
    card: Annotated[Card | None, Maybe(tables.CARD), Word(sparse=True)] = None


class StandingAsk(DownforceAsk, kind="standing"):
    """How the cars on the road stand, the foremost first (DF-CARD-4)."""

    cars: Annotated[tuple[str, ...], Word("options")]


class BetAsk(DownforceAsk, kind="bet"):
    """A secret bet at line `number`; `again`: it is given once more."""

    revealed_by = "BetsRevealed"
    cars: Annotated[tuple[str, ...], Word("options")] = CARS
    number: int
    again: Annotated[bool, Word(sparse=True)] = False


class EndAsk(DownforceAsk, kind="end"):
    """The end of the race: that nobody can move, or how far the cars have come (DF-VAR-3)."""

    of_table = True
    options: tuple[str | bool, ...]


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
