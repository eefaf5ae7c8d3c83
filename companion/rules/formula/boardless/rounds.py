"""The running order of a boardless race: asked of the table between two rounds (FD-ORDER-1)."""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import OrderAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.order import by_position
from companion.rules.formula.rounds import begin_round, begin_turn
from companion.rules.formula.state import State, Step
from companion.rules.game import Ask


def ask_order(state: State, _: Step) -> list[Ask]:
    """The running seats as far as is known: by laps, then as they ran in this round."""
    return [OrderAsk(0, tuple(_as_it_is(state)))]


def _as_it_is(state: State) -> list[int]:
    return [car.seat for car in by_position(state, state.running())]


def answer_order(flow: Flow, _: int, value: Any) -> None:
    """FD-ORDER-1 to FD-ORDER-3: the table sees who is ahead; it decides ties too."""
    seats = _as_it_is(flow.state)
    if not isinstance(value, list) or not all(type(seat) is int for seat in value):
        raise Malformed(
            "order-form",
            f"order is a list of the seats {sorted(seats)}, not {value!r:.60}",
            rule="FD-ORDER-1",
        )
    if sorted(value) != sorted(seats):
        raise Illegal(
            "order-names-all",
            f"order names each of the running seats {sorted(seats)} once, not {value!r:.60}",
            rule="FD-ORDER-1",
            args={"seats": sorted(seats)},
        )
    _go_on(flow, tuple(value))


def begin_if_plain(flow: Flow, _: Step) -> bool:
    """An automatic step: of a single car there is nothing to ask."""
    seats = _as_it_is(flow.state)
    if len(seats) > 1:
        return False
    _go_on(flow, tuple(seats))
    return True


def _go_on(flow: Flow, order: tuple[int, ...]) -> None:
    """The next round in this order; a wreck has its turn where it had it (DE-BLOCK-1)."""
    flow.take()
    seats = list(order)
    for at, seat in enumerate(flow.state.order):
        if flow.car(seat).is_wreck:
            seats.insert(at, seat)
    begin_round(flow, tuple(seats))
    begin_turn(flow, flow.state.order[0])


def open_round(flow: Flow) -> None:
    """A round from a position: in its order, or where it names none the table is asked."""
    state = flow.state
    if state.setup.boardless and not state.order:
        flow.first(Step("order"))
        return
    said = [seat for seat in state.order if state.cars[seat].runs or state.cars[seat].is_wreck]
    rest = [seat for seat in _as_it_is(state) if seat not in said]
    begin_round(flow, (*said, *rest) if state.setup.boardless else None)
    begin_turn(flow, flow.state.order[0])
