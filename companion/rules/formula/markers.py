"""The markers on the board: how many there are (FD-DEBRIS-4).

House switch `debris_limit`: so many markers and no more, the one that has lain longest is moved
(Québec). The dark spaces of a street are no markers; without a board nobody knows where markers
lie.
"""

from __future__ import annotations

from companion.rules.copies import replace
from companion.rules.formula.state import Event, Flow, State

RULE = "FD-DEBRIS-4"


class DebrisTaken(Event):
    """A marker is taken off its space."""

    space: str

    def applied(self, state: State) -> State:
        return _without(state, state.setup.track.index[self.space])


def with_marker(state: State, space: int) -> State:
    """The state with one marker more; where it matters it is the latest."""
    counts = state.setup.house.debris_limit != "none"
    laid = (*state.laid, space) if counts else ()
    return replace(state, debris=state.debris | {space}, laid=laid)


def _without(state: State, space: int) -> State:
    laid = tuple(other for other in state.laid if other != space)
    return replace(state, debris=state.debris - {space}, laid=laid)


def make_room(flow: Flow, seat: int) -> None:
    """Before a marker is laid: the one that has lain longest is taken, where all are out."""
    limit, laid = flow.state.setup.house.debris_limit, flow.state.laid
    if limit != "none" and len(laid) >= int(limit):
        _take(flow, seat, laid[0])


def _take(flow: Flow, seat: int, space: int) -> None:
    flow.tell(DebrisTaken(seat=seat, rule=RULE, space=flow.state.setup.track.ids[space]))
