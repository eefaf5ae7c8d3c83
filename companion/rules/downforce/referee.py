"""The referee's lines: correct, retire, return and end.

A player who retires leaves the table: the hand is put aside, nothing is asked of that seat
any more, and turns skip it. Its cars stay on the board and go on under everybody's cards;
what they earn, and the bets made until then, count. One who returns takes the hand up again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.commands import Correct, End, Referee, Retire
from companion.rules.downforce import events as ev
from companion.rules.downforce import turns
from companion.rules.downforce.flow import Decision, Flow
from companion.rules.downforce.position import DERIVED, read_state
from companion.rules.downforce.setup import resume
from companion.rules.downforce.state import Phase, Player, State, Step, Why
from companion.rules.downforce.tell import tell_state
from companion.rules.errors import Illegal
from companion.rules.reading import merged


def referee(state: State, command: Referee) -> Decision:
    """What follows from a referee's command.

    Raises:
        Malformed: a correction contradicts itself.
        Illegal: it makes no sense now.
    """
    match command:
        case Correct():
            return _correct(state, command)
        case End():
            return _end(state)
    player = state.players.get(command.seat)
    if player is None:
        seats = list(state.players)
        raise Illegal("no-such-seat", f"this game has seats {seats}, not {command.seat}",
            args={"seat": command.seat})  # fmt: skip
    if isinstance(command, Retire):
        return _retire(state, player, command.reason or "")
    return _return(state, player)


def _correct(state: State, command: Correct) -> Decision:
    """Merge a part of STATE into the state; all else stays, secrets and open steps too."""
    part = command.part
    told = merged(_without_derived(tell_state(state)), part)
    if "turn" in part and "pending" not in part:
        told["pending"] = [step for step in told.get("pending", []) if step["step"] != "play"]
    corrected = read_state(replace(state, pending=(), turn=None), told, state)
    flow = Flow(corrected)
    flow.tell(ev.Corrected(reason=command.reason or "", state=corrected))
    resume(flow)
    return flow.done()


def _without_derived(told: dict[str, Any]) -> dict[str, Any]:
    """STATE without what is worked out: it will follow from what is corrected."""
    players = {
        seat: {key: value for key, value in part.items() if key not in DERIVED}
        for seat, part in told["players"].items()
    }
    told = {key: value for key, value in told.items() if key != "classification"}
    return {**told, "players": players}


def _retire(state: State, player: Player, reason: str) -> Decision:
    if state.phase is Phase.FINISHED or not player.here:
        raise Illegal("not-running", f"seat {player.seat} is not playing",
            args={"seat": player.seat})  # fmt: skip
    seat = player.seat
    flow = Flow(state)
    flow.tell(ev.Retired(seat=seat, reason=reason))
    for step in flow.queue:
        if step.kind == "bets" and seat in step.seats and not step.again:
            flow.tell(ev.BetMissed(seat=seat, rule="DF-BET-1", number=step.number))
    flow.queue = [_without(step, seat) for step in flow.queue]
    if flow.state.here():
        turns.settle(flow)
    else:
        turns.end_race(flow, Why.STOPPED)
    return flow.done()


def _without(step: Step, seat: int) -> Step:
    """A pending step that does not wait for this seat, nor count its bid."""
    bids = {other: bid for other, bid in step.bids.items() if other != seat}
    return replace(step, seats=tuple(other for other in step.seats if other != seat), bids=bids)


def _return(state: State, player: Player) -> Decision:
    if state.phase is Phase.FINISHED or player.here:
        raise Illegal("not-out", f"seat {player.seat} has not left a running game",
            args={"seat": player.seat})  # fmt: skip
    flow = Flow(state)
    flow.tell(ev.Returned(seat=player.seat))
    if state.phase is Phase.RACE and len(player.powers) > 1:
        flow.first(Step("keep", seats=(player.seat,)))
    turns.settle(flow)
    return flow.done()


def _end(state: State) -> Decision:
    """End now: what the cars have earned so far counts."""
    if state.phase is Phase.FINISHED:
        raise Illegal("race-over", "the race is over")
    flow = Flow(state)
    turns.end_race(flow, Why.STOPPED)
    return flow.done()
