"""The work of one decision in a game of Downforce; see `companion.rules.flow`."""

from __future__ import annotations

from companion.rules import flow, game
from companion.rules.downforce import events as ev
from companion.rules.downforce.evolve import evolve
from companion.rules.downforce.state import State, Step

Decision = game.Decision[State, ev.Event]


class Flow(flow.Flow[State, ev.Event, Step]):
    """Collects what follows from one answer."""

    def __init__(self, state: State) -> None:
        super().__init__(state, state.pending)

    def evolve(self, state: State, event: ev.Event) -> State:
        """The state after one event."""
        return evolve(state, event)

    def pended(self, steps: tuple[Step, ...]) -> ev.Event:
        """The event that tells the queue."""
        return ev.StepsPended(steps=steps)

    def put(self, *steps: Step) -> None:
        """Put steps after all others, in this order."""
        self.queue += steps
