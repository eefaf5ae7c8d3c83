"""Downforce as a `Game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.rules.board.track import Track
from companion.rules.commands import Correct, Referee
from companion.rules.downforce import events as ev
from companion.rules.downforce.answers import decide
from companion.rules.downforce.asking import asks
from companion.rules.downforce.asks import KINDS
from companion.rules.downforce.evolve import evolve
from companion.rules.downforce.flow import Decision
from companion.rules.downforce.header import read_header
from companion.rules.downforce.referee import referee
from companion.rules.downforce.setup import begin
from companion.rules.downforce.state import Phase, State
from companion.rules.downforce.tell import tell_state
from companion.rules.downforce.visible import own, visible
from companion.rules.errors import no_such_space
from companion.rules.game import JSON, Answer, Ask, Outline, Own


class Downforce:
    """The rules of Downforce; see `companion.rules.game.Game`."""

    name = "downforce"
    needs_track = False
    plays_boardless = True
    kinds = KINDS

    def begin(self, header: JSON, track: Track | None) -> Decision:
        """What opens the game.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        return begin(read_header(header))

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Decision:
        """What follows from an answer."""
        return decide(state, answer, asks)

    def referee(self, state: State, command: Referee) -> Decision:
        """What follows from a referee's command."""
        return referee(state, command)

    def evolve(self, state: State, event: ev.Event) -> State:
        """The state after one event."""
        return evolve(state, event)

    def tell(self, state: State) -> dict[str, Any]:
        """STATE of the engine protocol, secrets left out."""
        return tell_state(state)

    def public(self, events: Iterable[ev.Event]) -> list[dict[str, Any]]:
        """The events as the engine protocol tells them, secrets left out."""
        return [event.as_json() for event in events if event.public]

    def visible(self, state: State) -> State:
        """The state without the bids that are face down and the bets before their reveal."""
        return visible(state)

    def own(self, state: State, seat: int) -> Own:
        """What only this seat may see: its bets, and its bid that is face down."""
        return own(state, seat)

    def seats(self, state: State) -> frozenset[int]:
        """The seats that may answer; 0 is the table."""
        return frozenset((0, *state.players))

    def outline(self, state: State) -> Outline:
        """Whoever has left has no part any more."""
        return Outline(
            phase=state.phase,
            is_over=state.phase is Phase.FINISHED,
            round=0,
            on_trial=False,
            mover=state.turn,
            bystanders=frozenset(one.seat for one in state.players.values() if not one.here),
        )

    def elsewhere(
        self, state: State, asks: Sequence[Ask], seat: int, space: str
    ) -> Answer | Correct:
        """The companion does not know this board."""
        raise no_such_space(space)
