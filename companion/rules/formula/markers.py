"""The markers on the board: how many there are, and how long each of them lies (FD-DEBRIS-4).

House switches: `debris_limit`, so many markers and no more, the one that has lain longest is moved
(Québec); `debris_swept`, a space is free again once the car that runs last has gone over it, or
after the fourth roll for it (the federation's variants, 17-C and 17-D). Neither touches the dark
spaces of a street, which are no markers; without a board nobody knows where markers lie.
"""

from __future__ import annotations

from companion.rules.copies import replace
from companion.rules.formula.order import by_position
from companion.rules.formula.state import Event, Flow, State
from companion.rules.formula.tables import PASSAGES

RULE = "FD-DEBRIS-4"


class DebrisTaken(Event):
    """A marker is taken off its space."""

    space: str

    def applied(self, state: State) -> State:
        return _without(state, state.setup.track.index[self.space])


class DebrisPassed(Event):
    """One more roll for a space of which passages are counted."""

    space: str
    passages: int

    def applied(self, state: State) -> State:
        space = state.setup.track.index[self.space]
        return replace(state, passages={**state.passages, space: self.passages})


def with_marker(state: State, space: int) -> State:
    """The state with one marker more; where it matters it is the latest."""
    counts = state.setup.debris_limit != "none"
    laid = (*state.laid, space) if counts else ()
    return replace(state, debris=state.debris | {space}, laid=laid)


def _without(state: State, space: int) -> State:
    laid = tuple(other for other in state.laid if other != space)
    passages = {other: n for other, n in state.passages.items() if other != space}
    return replace(state, debris=state.debris - {space}, laid=laid, passages=passages)


def cleared(state: State) -> State:
    """The state with no marker on the board."""
    return replace(state, debris=frozenset(), laid=(), passages={})


def make_room(flow: Flow, seat: int) -> None:
    """Before a marker is laid: the one that has lain longest is taken, where all are out."""
    limit, laid = flow.state.setup.debris_limit, flow.state.laid
    if limit != "none" and len(laid) >= int(limit):
        _take(flow, seat, laid[0])


def sweep(flow: Flow, seat: int, space: int) -> None:
    """After a roll for a space: whether its marker is taken away."""
    state = flow.state
    if space not in state.debris:
        return
    match state.setup.debris_swept:
        case "last-car" if by_position(state, state.running())[-1].seat == seat:
            _take(flow, seat, space)
        case "4-passes":
            count = state.passages.get(space, 0) + 1
            if count >= PASSAGES:
                _take(flow, seat, space)
                return
            where = state.setup.track.ids[space]
            flow.tell(DebrisPassed(seat=seat, rule=RULE, space=where, passages=count))


def _take(flow: Flow, seat: int, space: int) -> None:
    flow.tell(DebrisTaken(seat=seat, rule=RULE, space=flow.state.setup.track.ids[space]))
