"""Formula D as a `Game`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.rules.formula import events as ev
from companion.rules.formula.answers import decide
from companion.rules.formula.asks import asks
from companion.rules.formula.evolve import evolve
from companion.rules.formula.header import read_header
from companion.rules.formula.referee import referee
from companion.rules.formula.setup import begin
from companion.rules.formula.state import State
from companion.rules.formula.tell import tell_state
from companion.rules.game import JSON, NO_SECRETS, Answer, Ask
from companion.rules.track import Track


class FormulaD:
    """The rules of Formula D; see `companion.rules.game.Game`."""

    name = "formula-d"
    needs_track = True
    revealed_by = NO_SECRETS

    def begin(self, header: JSON, track: Track) -> tuple[State, Sequence[ev.Event]]:
        """The state before all events, and the events that open the race.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        read = read_header(header, track)
        return State(read.setup, cars=read.cars), begin(read)

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer) -> Sequence[ev.Event]:
        """What follows from an answer."""
        return decide(state, answer)

    def referee(self, state: State, line: JSON) -> Sequence[ev.Event]:
        """What follows from a referee's line."""
        return referee(state, line)

    def evolve(self, state: State, event: ev.Event) -> State:
        """The state after one event."""
        return evolve(state, event)

    def tell(self, state: State) -> dict[str, Any]:
        """STATE of the engine protocol."""
        return tell_state(state)

    def public(self, events: Iterable[ev.Event]) -> list[dict[str, Any]]:
        """The events as the engine protocol tells them."""
        return [event.as_json() for event in events if event.public]

    def secrets(self, state: State, seat: int) -> dict[str, Any]:
        """Nothing: at a race everything is open."""
        return {}

    def seats(self, state: State) -> frozenset[int]:
        """The seats of the race."""
        return frozenset(state.cars)
