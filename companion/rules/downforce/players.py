"""Players who leave the table and come back.

A player who retires leaves the table: the hand is put aside, nothing is asked of that seat
any more, and turns skip it. Its cars stay on the board and go on under everybody's cards;
what they earn, and the bets made until then, count. One who returns takes the hand up again.
"""

from __future__ import annotations

from dataclasses import replace

from companion.frozen import dataclass
from companion.rules.downforce import ending
from companion.rules.downforce.powers import Keep
from companion.rules.downforce.state import Event, Flow, Phase, Player, State
from companion.rules.errors import Illegal


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired(Event):
    """A player has left the table."""

    reason: str

    def applied(self, state: State) -> State:
        return _left(state, self.seat, left=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    """A player who had left is back."""

    def applied(self, state: State) -> State:
        return _left(state, self.seat, left=False)


def _left(state: State, seat: int, *, left: bool) -> State:
    return state.with_player(seat, replace(state.players[seat], left=left))


def _player(state: State, seat: int) -> Player:
    if seat in state.players:
        return state.players[seat]
    message = f"this game has seats {list(state.players)}, not {seat}"
    raise Illegal("no-such-seat", message, args={"seat": seat})


def leave(flow: Flow, seat: int, reason: str) -> None:
    """A player leaves; the game is over when all have.

    Raises:
        Illegal: the game is over, or there is no such player at the table.
    """
    player = _player(flow.state, seat)
    if flow.state.phase is Phase.FINISHED or player.left:
        raise Illegal("not-running", f"seat {seat} is not playing", args={"seat": seat})
    flow.emit(Retired(seat=seat, rule=None, reason=reason))
    flow.queue = [step.without(flow, seat) for step in flow.queue]
    if not flow.state.here():
        ending.end_race(flow, ending.Why.STOPPED)


def come_back(flow: Flow, seat: int) -> None:
    """A player is back, and keeps one of several powers first (DF-BID-6).

    Raises:
        Illegal: the game is over, or no such player has left.
    """
    player = _player(flow.state, seat)
    if flow.state.phase is Phase.FINISHED or not player.left:
        raise Illegal("not-out", f"seat {seat} has not left a running game", args={"seat": seat})
    flow.emit(Returned(seat=seat, rule=None))
    if flow.state.phase is Phase.RACE and len(player.powers) > 1:
        flow.first(Keep(seats=(seat,)))
