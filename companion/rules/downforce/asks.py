"""Who is asked what: the asks of the first pending step, and through the race its end.

`options` are the answers themselves where there are few of them (`lot`, `award`, `keep`,
`bet`); of the others they are what the answer is made of: the cars to be put in order
(`pole`, `end` of a long-distance race), the amounts of a `bid`, the cars that may finish
(`played`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.downforce import auction
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
        told.append(Ask(0, "end", end_options(state)))
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
    lots = [{"car": lot.car, "power": lot.power} for lot in auction.lots_to_turn(state)]
    return [Ask(0, "lot", lots)]


def _bids(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    details = {
        "car": step.lot.car,
        "power": step.lot.power,
        "again": step.again,
        "forced": auction.is_forced(state, again=step.again),
    }
    return [Ask(seat, "bid", amounts(state, step), details) for seat in step.seats]


def _award(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    details = {"car": step.lot.car, "power": step.lot.power, "price": step.number}
    return [Ask(0, "award", step.seats, details)]


def _deal(state: State, step: Step) -> list[Ask]:
    assert step.lot is not None
    details = {"car": step.lot.car, "power": step.lot.power}
    return [Ask(0, "award", auction.shares(state), details)]


def _keep(state: State, step: Step) -> list[Ask]:
    return [Ask(seat, "keep", state.players[seat].powers) for seat in step.seats]


def _play(state: State, step: Step) -> list[Ask]:
    return [Ask(step.seat, "played", running(state), {"lines": lines_left(state)})]


def _bets(state: State, step: Step) -> list[Ask]:
    details = {"number": step.number, **({"again": True} if step.again else {})}
    return [Ask(seat, "bet", CARS, details) for seat in step.seats]


_ASKS: dict[str, Callable[[State, Step], Sequence[Ask]]] = {
    "pole": lambda state, step: [Ask(0, "pole", CARS)],
    "lot": _lot,
    "bids": _bids,
    "award": _award,
    "deal": _deal,
    "keep": _keep,
    "play": _play,
    "bets": _bets,
    "order": lambda state, step: [],
}
