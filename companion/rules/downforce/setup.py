"""How a game begins: with its grid, or at a position."""

from __future__ import annotations

from companion.rules.downforce import events as ev
from companion.rules.downforce import turns
from companion.rules.downforce.flow import Decision, Flow
from companion.rules.downforce.header import Header
from companion.rules.downforce.position import read_state
from companion.rules.downforce.state import Phase, Step


def begin(header: Header) -> Decision:
    """What opens a game, down to its first ask.

    Raises:
        Malformed: a position that contradicts itself.
    """
    state = header.blank
    if header.position is not None:
        state = read_state(state, header.position)
    flow = Flow(state)
    flow.tell(ev.RaceSet(state=state))
    resume(flow)
    return flow.done()


def resume(flow: Flow) -> None:
    """Go on from a state that was set: with its open steps, or with the seat on turn."""
    state = flow.state
    if state.phase is Phase.RACE and not flow.queue and state.turn is not None:
        flow.first(Step("play", seat=state.turn))
    turns.settle(flow)
