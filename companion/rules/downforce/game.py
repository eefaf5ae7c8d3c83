"""Downforce as a `Game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.frozen import dataclass
from companion.rules.board.track import Track
from companion.rules.commands import Correct, Referee
from companion.rules.downforce.asks import KINDS
from companion.rules.downforce.header import read_header
from companion.rules.downforce.phases import asks, decide, resumed
from companion.rules.downforce.position import read_state
from companion.rules.downforce.public import Own, own, tell_state, visible
from companion.rules.downforce.referee import referee
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, State, Step
from companion.rules.errors import no_such_space
from companion.rules.explain import Explanation, by_trying
from companion.rules.game import JSON, Answer, Ask, Decision, Outline


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSet(Event):
    """A game was set up, or set half-way by a position: the whole state that it begins with."""

    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self) -> dict[str, object]:
        """Only that a game began; what it began with is STATE."""
        rules = sorted(self.state.setup.rules)
        return {"event": "RaceSet", "seat": TABLE, "rule": self.rule, "rules": rules}


STEPS, EVENTS = Step.kinds, Event.names
"""All kinds of steps, and of public events, by their names."""


class Downforce:
    """The rules of Downforce; see `companion.rules.game.Game`."""

    name = "downforce"
    needs_track = False
    plays_boardless = True
    kinds = KINDS

    def begin(self, header: JSON, track: Track | None) -> Decision[State, Event]:
        """The events that open the game, and the state after them.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        blank, position = read_header(header)
        state = blank if position is None else read_state(blank, position)
        flow = Flow(state)
        flow.emit(RaceSet(seat=TABLE, rule=None, state=state))
        return resumed(flow)

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Decision[State, Event]:
        """What follows from an answer."""
        return decide(state, answer, asks)

    def explain(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
        """Why an answer is, or is not, legal now."""
        return by_trying(lambda: decide(state, answer, asks))

    def referee(self, state: State, command: Referee) -> Decision[State, Event]:
        """What follows from a referee's command."""
        return referee(state, command)

    def tell(self, state: State) -> dict[str, object]:
        """STATE of the engine protocol, secrets left out."""
        return tell_state(state)

    def public(self, events: Iterable[Event]) -> list[dict[str, object]]:
        """The events as the engine protocol tells them, secrets left out."""
        return [event.as_json() for event in events if event.public]

    def visible(self, state: State) -> State:
        """The state without the bids that are face down and the bets before their reveal."""
        return visible(state)

    def own(self, state: State, seat: int) -> Own | None:
        """What only this seat may see: its bets, and its bid that is face down."""
        return own(state, seat)

    def seats(self, state: State) -> frozenset[int]:
        """The seats that may answer; 0 is the table."""
        return frozenset((TABLE, *state.players))

    def outline(self, state: State) -> Outline:
        """Whoever has left has no part any more."""
        return Outline(
            phase=state.phase,
            is_over=state.phase is Phase.FINISHED,
            round=0,
            on_trial=False,
            mover=state.turn,
            bystanders=frozenset(seat for seat, one in state.players.items() if one.left),
        )

    def elsewhere(
        self, state: State, asks: Sequence[Ask], seat: int, space: str
    ) -> Answer | Correct:
        """The companion does not know this board."""
        raise no_such_space(space)
