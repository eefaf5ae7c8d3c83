"""The numbers and words of Downforce's box, each with the rule that it belongs to.

The forms of values that only Downforce has stand with them; see `companion.rules.codec.Form`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.codec import Context, Flag, Form, Maybe, OneOf, Seat
from companion.rules.lines import bad, one_of, only_keys
from companion.system.frozen import dataclass

CARS = ("black", "blue", "green", "yellow", "orange", "red")
"""In the order of a seat's six buttons."""
POWERS = ("aggressive", "cunning", "determined", "strategist", "sly", "unpredictable")
"""DF-POWER-1."""
RULES = (
    "beginners",
    "dealt",
    "hands-of-three",
    "first-wins",
    "no-powers",
    "no-bets",
    "two-players",
    "long-distance",
    "championship",
)
"""DF-VAR-1 to DF-VAR-4."""
PARTS = {"beginners": frozenset({"dealt", "hands-of-three", "first-wins"})}
"""DF-VAR-1: a rule that is several together."""
HOUSE = {
    "auction": ("secret", "entered"),
    "cards": ("counted", "events"),
    "first_home": ("owned", "any"),
}
"""The house switches; the first value is an engine's default."""
AT_THE_TABLE = {"auction": "entered", "cards": "events"}
"""What a table plays where it says nothing: what everybody sees is not entered card by card."""
PLAYERS = (2, 6)
"""DF-SETUP-1: the fewest and the most."""

BIDS = (0, 1, 2, 3, 4, 5, 6, 8)
"""DF-BID-1: what a card can bid, in millions: no line, a speed card's lines, a speed-8 card."""
EIGHT = 8
"""DF-BID-1: the number of a speed-8 card, which only who has won a car holds."""
CARS_ON_CARD = (1, 6)
"""DF-BID-2: a card shows so many cars, wild ones included."""

SPEED_CARDS = 42
"""DF-SETUP-1: dealt evenly; what is left over is out of the game."""
WILD = "wild"
LINE_COLORS = (*CARS, WILD)
"""DF-CARD-1: what a line of a speed card may move."""
LINE_SPACES = (1, 2, 3, 4, 5, 6)
"""DF-CARD-1: how far a line of a dealt card moves it; the 8s come with the cars."""
HAND_OF = 3
"""DF-VAR-1: of hands of three."""

LINES = 3
"""DF-BET-1: yellow lines, one bet for each."""
RACE_MONEY = (12, 9, 6, 4, 2, 0)
"""DF-PAY-1: for places 1 to 6, in millions."""


def race_pay(place: int | None) -> int:
    """What a place earns, in millions (DF-PAY-1); 0 for a car that has none."""
    return RACE_MONEY[place - 1] if place else 0


BET_MONEY = ((9, 6, 3), (6, 4, 2), (3, 2, 1))
"""DF-PAY-2: for each bet, the car's places 1 to 3, in millions."""
LEGS = 2
"""DF-VAR-4: races of a championship."""


# -- forms ----------------------------------------------------------------------------------------

LONGEST_TEXT = 200
Card = tuple[tuple[str, int], ...]
"""A speed card: its lines from top to bottom, each a car or a wild and how far it moves."""
NO_BET = "none"
"""In place of a bet: at that line the player had left the table. Everybody may know it."""


@dataclass(frozen=True, slots=True)
class Listed(Form[tuple[object, ...]]):
    """A list of what another form takes, as a tuple; `key` refuses all else, and a longer one."""

    form: Form[Any]
    key: str
    most: int | None = None

    def tell(self, value: tuple[object, ...], context: Context) -> list[object]:
        return [self.form.tell(one, context) for one in value]

    def read(self, data: object, what: str, context: Context) -> tuple[object, ...]:
        if not isinstance(data, list) or (self.most is not None and len(data) > self.most):
            most = "" if self.most is None else f" of up to {self.most}"
            bad(self.key, f"{what} is a list{most}")
        return tuple(self.form.read(one, what, context) for one in data)


@dataclass(frozen=True, slots=True)
class ByCar(Form[Mapping[str, object]]):
    """An object by car; a car that is left out is read from an empty object."""

    form: Form[Any]

    def tell(self, value: Mapping[str, object], context: Context) -> dict[str, object]:
        return {car: self.form.tell(one, context) for car, one in value.items()}

    def read(self, data: object, what: str, context: Context) -> dict[str, object]:
        if not isinstance(data, dict):
            bad("cars-form", f"{what} is an object by color, not {data!r:.60}")
        only_keys(data, CARS, what)
        return {car: self.form.read(data.get(car, {}), "a car", context) for car in CARS}


@dataclass(frozen=True, slots=True)
class BySeat(Form[Mapping[int, object]]):
    """An object by seat."""

    form: Form[Any]

    def tell(self, value: Mapping[int, object], context: Context) -> dict[str, object]:
        return {str(seat): self.form.tell(one, context) for seat, one in value.items()}

    def read(self, data: object, what: str, context: Context) -> dict[int, object]:
        seats = {str(seat): seat for seat in context.seats}
        if not isinstance(data, dict):
            bad("pending-form", f"{what} is an object by seat, not {data!r:.60}")
        if not set(data) <= set(seats):
            bad("no-such-seat", f"{what} are by seat of the game, not {sorted(data)!r:.60}")
        return {seats[seat]: self.form.read(one, what, context) for seat, one in data.items()}


class FaceDown(Form[object]):
    """A bid or a bet that is on the table face down: null for everybody."""

    def tell(self, value: object, context: Context) -> None:
        return None

    def read(self, data: object, what: str, context: Context) -> None:
        """Null and nothing else, so that it stays a secret (DF-BID-1)."""
        if data is not None:
            bad("pending-form", "a bid that is face down is null", rule="DF-BID-1")


class Bet(Form[str | None]):
    """The car of a bet, `NO_BET`, or null for one that is not known."""

    def read(self, data: object, what: str, context: Context) -> str | None:
        """One of the words; a wrong value is not quoted, as it may be a secret (DF-BET-2)."""
        if data is not None and (not isinstance(data, str) or data not in (*CARS, NO_BET)):
            bad("no-such-car", f"a bet is one of {', '.join(CARS)}, {NO_BET} or null", kind="bet")
        return data


class Power(Form[str]):
    """A power of the box, or of those that the header names."""

    def read(self, data: object, what: str, context: Context) -> str:
        return one_of(data, what, (*POWERS, *context.names))


class Text(Form[str]):
    """A sentence or two, of up to 200 printable characters."""

    def read(self, data: object, what: str, context: Context) -> str:
        if not isinstance(data, str) or len(data) > LONGEST_TEXT or not data.isprintable():
            bad("text-form", f"{what} is a text of up to {LONGEST_TEXT} characters")
        return data


class Grid(Form[tuple[str, ...]]):
    """The cars, pole first, or none as long as that is not known."""

    def read(self, data: object, what: str, context: Context) -> tuple[str, ...]:
        # As texts, so that a list of anything at all can be sorted.
        whole = isinstance(data, list) and sorted(map(str, data)) == sorted(CARS)
        if not isinstance(data, list) or (data and not whole):
            bad("grid-form", f"grid names each of the six cars once, pole first, not {data!r:.80}",
                rule="DF-SETUP-1")  # fmt: skip
        return tuple(data)


class OneCard(Form[Card]):
    """A speed card: a list of its lines, each a list of a car or "wild" and its spaces."""

    def tell(self, value: Card, context: Context) -> list[list[object]]:
        return [[color, spaces] for color, spaces in value]

    def read(self, data: object, what: str, context: Context) -> Card:
        """The card; a wrong value is not quoted, as it may be a secret (DF-CARD-1)."""
        low, high = CARS_ON_CARD
        lines = data if isinstance(data, list) else []
        if not low <= len(lines) <= high or not all(map(_is_line, lines)):
            spaces = ", ".join(map(str, (*LINE_SPACES, EIGHT)))
            bad("card-form", f"{what} is a list of {low} to {high} lines from top to bottom, "
                f"each a list of one of {', '.join(LINE_COLORS)} and one of {spaces}",
                rule="DF-CARD-1")  # fmt: skip
        colors = [color for color, _ in lines if color != WILD]
        if len(set(colors)) < len(colors):
            bad("color-twice", "a card has a car once at most", rule="DF-CARD-1")
        return tuple((color, spaces) for color, spaces in lines)


def _is_line(data: object) -> bool:
    if not isinstance(data, list) or len(data) != 2:
        return False
    color, spaces = data
    known = isinstance(color, str) and color in LINE_COLORS
    return known and type(spaces) is int and spaces in (*LINE_SPACES, EIGHT)


CARD = OneCard()
CAR = OneOf(CARS)
POWER = Maybe(Power())
SEATS = Listed(Seat(), "pending-form")
AGAIN = Flag(key="pending-form")
IS_SO = Flag(key="not-a-flag")
