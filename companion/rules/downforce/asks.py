"""Who is asked what: a class for each kind, the asks of the first pending step, and the end.

`options` are the answers themselves where there are few of them (`lot`, `award`, `keep`,
`bet`); of the others they are what the answer is made of: the cars to be put in order
(`pole`, `end` of a long-distance race), the amounts of a `bid`, the cars that may finish
(`played`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.downforce import auction
from companion.rules.downforce.state import Lot, Phase, State, Step
from companion.rules.downforce.tables import BIDS, CARS, LINES
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
    options: tuple[Any, ...]

    def data(self) -> dict[str, Any]:
        """True, or all cars to be put in order."""
        return {"options": list(self.options)}


KINDS: Mapping[str, type[Ask]] = {
    one.kind: one for one in (PoleAsk, LotAsk, BidAsk, AwardAsk, KeepAsk, PlayedAsk, BetAsk, EndAsk)
}
"""What can be asked in a game of Downforce, by the names of the engine protocol."""


def asks(state: State) -> list[Ask]:
    """Every open ask, in the order in which a table would take them."""
    if not state.pending:
        return []
    step = state.pending[0]
    told = list(_ASKS[step.kind](state, step))
    if state.phase is Phase.RACE and all(other.kind != "count" for other in state.pending):
        told.append(EndAsk(0, tuple(end_options(state))))
    return told


def end_options(state: State) -> list[Any]:
    """What ends a race: that nobody can move, or how far the cars have come (DF-VAR-3)."""
    return list(CARS) if state.setup.plays("long-distance") else [True]


def amounts(state: State, step: Step) -> list[int]:
    """The legal bids; a player who must take the lot has a card that bids (DF-BID-4)."""
    forced = auction.is_forced(state, again=step.again)
    return [amount for amount in BIDS if amount or not forced]


def running(state: State) -> list[str]:
    """The cars that have not finished; without a finish line none can (DF-VAR-3)."""
    if state.setup.plays("long-distance"):
        return []
    return [name for name, car in state.cars.items() if car.place is None]


def lines_left(state: State) -> list[int]:
    """How many lines one card can cross for the first time (DF-BET-1)."""
    return list(range(LINES - state.lines + 1))


def _lot(state: State, step: Step) -> list[Ask]:
    return [LotAsk(0, tuple(auction.lots_to_turn(state)))]


def _bids(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    listed, forced = tuple(amounts(state, step)), auction.is_forced(state, again=step.again)
    return [BidAsk(seat, listed, step.lot, step.again, forced) for seat in step.seats]


def _award(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    return [AwardAsk(0, step.seats, step.lot, step.number)]


def _deal(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    return [AwardAsk(0, tuple(auction.shares(state)), step.lot)]


def _keep(state: State, step: Step) -> list[Ask]:
    return [KeepAsk(seat, tuple(state.players[seat].powers)) for seat in step.seats]


def _play(state: State, step: Step) -> list[Ask]:
    return [PlayedAsk(step.seat, tuple(running(state)), tuple(lines_left(state)))]


def _bets(state: State, step: Step) -> list[Ask]:
    return [BetAsk(seat, step.number, step.again) for seat in step.seats]


_ASKS: dict[str, Callable[[State, Step], Sequence[Ask]]] = {
    "pole": lambda state, step: [PoleAsk(0)],
    "lot": _lot,
    "bids": _bids,
    "award": _award,
    "deal": _deal,
    "keep": _keep,
    "play": _play,
    "bets": _bets,
    "order": lambda state, step: [],
}
