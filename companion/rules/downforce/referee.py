"""The referee's commands: correct, retire, return and end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.frozen import dataclass
from companion.rules.commands import Bell, Correct, End, Flag, Join, Referee, Retire, Return
from companion.rules.downforce import ending, players
from companion.rules.downforce.phases import resumed, settled
from companion.rules.downforce.position import DERIVED, read_state
from companion.rules.downforce.public import tell_state
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, State
from companion.rules.errors import Illegal
from companion.rules.game import Decision
from companion.rules.reading import merged


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Event):
    """The referee set this state; what was changed is STATE."""

    reason: str
    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self) -> dict[str, object]:
        """Only that there was a correction."""
        return {"event": "Corrected", "seat": TABLE, "rule": None, "reason": self.reason}


def referee(state: State, command: Referee) -> Decision[State, Event]:
    """What follows from a referee's command.

    Raises:
        Malformed: a correction contradicts itself.
        Illegal: it makes no sense now.
    """
    flow = Flow(state)
    match command:
        case Correct():
            return _correct(state, command)
        case Retire():
            players.leave(flow, command.seat, command.reason or "")
        case Return():
            players.come_back(flow, command.seat)
        case Join():
            raise Illegal("no-late-join", "all cars have been sold: nobody comes in late")
        case Flag() | Bell():
            raise Illegal("no-clock", "downforce is played without a clock")
        case End():
            if state.phase is Phase.FINISHED:
                raise Illegal("race-over", "the race is over")
            ending.end_race(flow, ending.Why.STOPPED)
    return settled(flow)


def _correct(state: State, command: Correct) -> Decision[State, Event]:
    """Merge a part of STATE into the state; all else stays, secrets and open steps too."""
    part = command.part
    whole = tell_state(state)
    data = merged(_without_derived(state, part.get("players")), part)
    if "turn" in part and "pending" not in part:
        data["pending"] = [step for step in whole.get("pending", []) if step["step"] != "play"]
    corrected = read_state(replace(state, pending=(), turn=None), data, state)
    flow = Flow(corrected)
    flow.emit(Corrected(seat=TABLE, rule=None, reason=command.reason or "", state=corrected))
    return resumed(flow)


def _without_derived(state: State, corrected: object) -> dict[str, Any]:
    """STATE without what is worked out: it will follow from what is corrected."""
    data, by_seat = tell_state(state), corrected if isinstance(corrected, dict) else {}
    players = {}
    for seat, part in data["players"].items():
        follows = _followed(state, seat, by_seat.get(seat))
        players[seat] = {key: value for key, value in part.items() if key not in follows}
    data = {key: value for key, value in data.items() if key != "classification"}
    return {**data, "players": players}


def _followed(state: State, seat: str, part: object) -> frozenset[str]:
    """What is worked out of a player: of counted cards who has none, and full hands."""
    if not state.setup.counts:
        return DERIVED
    is_told = isinstance(part, dict) and "out_of_cards" in part
    follows = is_told or state.players[int(seat)].hand is None
    return DERIVED | {"out_of_cards"} | ({"hand"} if follows else frozenset())
