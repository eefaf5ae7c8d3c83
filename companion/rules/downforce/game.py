"""Downforce as a `Game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.rules.board.track import Track
from companion.rules.downforce import events as ev
from companion.rules.downforce.answers import decide
from companion.rules.downforce.asks import asks
from companion.rules.downforce.evolve import evolve
from companion.rules.downforce.header import read_header
from companion.rules.downforce.referee import referee
from companion.rules.downforce.setup import begin
from companion.rules.downforce.state import State
from companion.rules.downforce.tables import REVEALED_BY
from companion.rules.downforce.tell import secrets_of, tell_state
from companion.rules.game import JSON, Answer, Ask, Decision


class Downforce:
    """The rules of Downforce; see `companion.rules.game.Game`."""

    name = "downforce"
    needs_track = False
    plays_boardless = True
    revealed_by = REVEALED_BY

    def begin(self, header: JSON, track: Track | None) -> Decision[State, ev.Event]:
        """The state before all events, and the events that open the game.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        read = read_header(header)
        return _decision(read.blank, begin(read))

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(
        self, state: State, answer: Answer, asks: Sequence[Ask]
    ) -> Decision[State, ev.Event]:
        """What follows from an answer."""
        return _decision(state, decide(state, answer))

    def referee(self, state: State, line: JSON) -> Decision[State, ev.Event]:
        """What follows from a referee's line."""
        return _decision(state, referee(state, line))

    def evolve(self, state: State, event: ev.Event) -> State:
        """The state after one event."""
        return evolve(state, event)

    def tell(self, state: State) -> dict[str, Any]:
        """STATE of the engine protocol, secrets left out."""
        return tell_state(state)

    def public(self, events: Iterable[ev.Event]) -> list[dict[str, Any]]:
        """The events as the engine protocol tells them, secrets left out."""
        return [event.as_json() for event in events if event.public]

    def secrets(self, state: State, seat: int) -> dict[str, Any]:
        """What only this seat may see: its bets, and its bid that is face down."""
        return secrets_of(state, seat)

    def seats(self, state: State) -> frozenset[int]:
        """The seats that may answer; 0 is the table."""
        return frozenset((0, *state.players))


def _decision(state: State, events: Sequence[ev.Event]) -> Decision[State, ev.Event]:
    for event in events:
        state = evolve(state, event)
    return Decision(events, state)
