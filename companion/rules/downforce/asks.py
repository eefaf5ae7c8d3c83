"""What is asked in a game of Downforce: a class for each kind.

`options` are the answers themselves where there are few of them (`lot`, `award`, `keep`,
`bet`); of the others they are what the answer is made of: the cars to be put in order
(`pole`, `end` of a long-distance race), the amounts of a `bid`, the cars that may finish
(`played`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.downforce.state import Lot
from companion.rules.downforce.tables import CARS
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True)
class PoleAsk(Ask):
    """The order of the cars on the grid, pole first, as the board shows it."""

    kind: ClassVar[str] = "pole"

    def data(self) -> dict[str, Any]:
        """All cars."""
        return {"options": list(CARS)}


@dataclass(frozen=True, slots=True)
class LotAsk(Ask):
    """Which lot is turned up next."""

    kind: ClassVar[str] = "lot"
    lots: tuple[Lot, ...]

    def data(self) -> dict[str, Any]:
        """The lots that may come."""
        return {"options": [{"car": lot.car, "power": lot.power} for lot in self.lots]}


@dataclass(frozen=True, slots=True)
class BidAsk(Ask):
    """A secret bid for a lot; `again`: after a tie, `forced`: it may not be 0 (DF-BID-4)."""

    kind: ClassVar[str] = "bid"
    revealed_by: ClassVar[str | None] = "BidsRevealed"
    amounts: tuple[int, ...]
    lot: Lot
    again: bool
    forced: bool

    def data(self) -> dict[str, Any]:
        """The amounts, and what is bid for."""
        return {
            "options": list(self.amounts),
            "car": self.lot.car,
            "power": self.lot.power,
            "again": self.again,
            "forced": self.forced,
        }


@dataclass(frozen=True, slots=True)
class AwardAsk(Ask):
    """Who gets a lot: one of these seats (None: nobody), at this price (None: dealt)."""

    kind: ClassVar[str] = "award"
    seats: tuple[int | None, ...]
    lot: Lot
    price: int | None = None

    def data(self) -> dict[str, Any]:
        """The seats, and what is awarded."""
        data = {"options": list(self.seats), "car": self.lot.car, "power": self.lot.power}
        return data if self.price is None else {**data, "price": self.price}


@dataclass(frozen=True, slots=True)
class KeepAsk(Ask):
    """Which power is kept."""

    kind: ClassVar[str] = "keep"
    powers: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """The powers that the seat has."""
        return {"options": list(self.powers)}


@dataclass(frozen=True, slots=True)
class PlayedAsk(Ask):
    """What a card did: cars that finished, and lines of bets crossed for the first time."""

    kind: ClassVar[str] = "played"
    cars: tuple[str, ...]
    lines: tuple[int, ...]

    def data(self) -> dict[str, Any]:
        """The cars that may finish, and how many lines there may be."""
        return {"options": list(self.cars), "lines": list(self.lines)}


@dataclass(frozen=True, slots=True)
class BetAsk(Ask):
    """A secret bet, the first, second or third; `again`: it is given once more."""

    kind: ClassVar[str] = "bet"
    revealed_by: ClassVar[str | None] = "BetsRevealed"
    number: int
    again: bool

    def data(self) -> dict[str, Any]:
        """The cars, and which bet it is."""
        data = {"options": list(CARS), "number": self.number}
        return {**data, "again": True} if self.again else data


@dataclass(frozen=True, slots=True)
class EndAsk(Ask):
    """The end of the race: that nobody can move, or how far the cars have come (DF-VAR-3)."""

    kind: ClassVar[str] = "end"
    of_table: ClassVar[bool] = True
    options: tuple[Any, ...]

    def data(self) -> dict[str, Any]:
        """True, or all cars to be put in order."""
        return {"options": list(self.options)}


KINDS: Mapping[str, type[Ask]] = {
    one.kind: one for one in (PoleAsk, LotAsk, BidAsk, AwardAsk, KeepAsk, PlayedAsk, BetAsk, EndAsk)
}
"""What can be asked in a game of Downforce, by the names of the engine protocol."""
