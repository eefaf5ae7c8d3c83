"""How a race begins: grid rolls, a given grid, or a position."""

from __future__ import annotations

from companion.rules.formula import events as ev
from companion.rules.formula import rounds, turn
from companion.rules.formula.boardless.rounds import open_round
from companion.rules.formula.flow import Decision, Flow
from companion.rules.formula.header import Header
from companion.rules.formula.position import read_state
from companion.rules.formula.setting_up import plan
from companion.rules.formula.state import Phase, State


def begin(header: Header) -> Decision:
    """What opens a race, down to its first ask.

    Raises:
        Malformed: a position that contradicts itself.
    """
    blank = State(header.setup, weather=header.weather, cars=header.cars, pools=header.pools)
    if header.position is not None:
        return _begin_half_way(blank, header)
    flow = Flow(blank)
    flow.tell(ev.RaceSet(state=blank))
    seats = tuple(header.cars)
    alone = len(seats) == 1 and "trials" not in header.setup.rules
    order = header.grid or (seats if alone else None)
    if order is not None:
        flow.tell(ev.GridSet(rule="FD-GRID-1", order=order))
    flow.first(*plan(flow.state))
    turn.settle(flow)
    return flow.done()


def _begin_half_way(blank: State, header: Header) -> Decision:
    assert header.position is not None
    state = read_state(blank, header.position, header.grid)
    flow = Flow(state)
    flow.tell(ev.RaceSet(state=state))
    resume(flow)
    return flow.done()


def resume(flow: Flow) -> None:
    """Go on from a state that was set: in mid-turn, in mid-round, or with a new round."""
    state = flow.state
    if state.phase is Phase.SETUP and not flow.queue:
        flow.first(*plan(state))
        turn.settle(flow)
    elif state.phase is not Phase.RACE or flow.queue:
        turn.settle(flow)
    elif not state.running():
        rounds.end_race(flow)
    elif state.turn is not None:
        rounds.begin_turn(flow, state.turn)
        turn.settle(flow)
    else:
        open_round(flow)
        turn.settle(flow)
