"""Who is asked what: the asks of the first pending step, and through the race its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.downforce import auction
from companion.rules.downforce.asks import (
    AwardAsk,
    BetAsk,
    BidAsk,
    EndAsk,
    KeepAsk,
    LotAsk,
    PlayedAsk,
    PoleAsk,
)
from companion.rules.downforce.state import Phase, State, Step
from companion.rules.downforce.tables import BIDS, CARS, LINES
from companion.rules.game import Ask


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
