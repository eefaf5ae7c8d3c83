"""The work of one decision in a Formula race; see `companion.rules.flow`."""

from __future__ import annotations

from dataclasses import replace

from companion.rules import flow, game
from companion.rules.formula import events as ev
from companion.rules.formula.evolve import evolve
from companion.rules.formula.state import Car, State, Step

Decision = game.Decision[State, ev.Event]


class Flow(flow.Flow[State, ev.Event, Step]):
    """Collects what follows from one answer."""

    def __init__(self, state: State) -> None:
        super().__init__(state, state.pending)

    def tell(self, event: ev.Event) -> None:
        """Emit an event, with its rule under the id that the edition gives it, and apply it."""
        rule = self.state.setup.edition.rule(event.rule)
        super().tell(event if rule == event.rule else replace(event, rule=rule))

    def evolve(self, state: State, event: ev.Event) -> State:
        """The state after one event."""
        return evolve(state, event)

    def pended(self, steps: tuple[Step, ...]) -> ev.Event:
        """The event that tells the queue."""
        return ev.StepsPended(steps=steps)

    def before_end(self, step: Step) -> None:
        """Put a step just before the end of the turn."""
        at = next((i for i, s in enumerate(self.queue) if s.kind == "end"), len(self.queue))
        self.queue.insert(at, step)

    def drop(self, seat: int, kinds: frozenset[str]) -> None:
        """Drop pending steps of these kinds that belong to a seat."""
        self.queue = [s for s in self.queue if s.seat != seat or s.kind not in kinds]

    def car(self, seat: int) -> Car:
        """The car as it is now."""
        return self.state.cars[seat]
