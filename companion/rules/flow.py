"""The work of one decision: events emitted one after another, and the queue they leave.

A `Flow` starts from a state, tells events (each applied at once, so that what follows sees
it) and keeps the queue of pending steps. What comes out are the events, the last of which is
the queue, and the state after them. Every game has its own, with the steps and events of that game.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from companion.rules.game import Decision


class HasPending(Protocol):
    """A state with a queue of pending steps, the first of which waits for an answer."""

    @property
    def pending(self) -> tuple[object, ...]:
        """The steps, first to last."""


StateT = TypeVar("StateT", bound=HasPending)
EventT = TypeVar("EventT")
StepT = TypeVar("StepT")


class Flow(Generic[StateT, EventT, StepT]):
    """Collects what follows from one answer. A game says how events apply and steps are told."""

    def __init__(self, state: StateT, steps: tuple[StepT, ...]) -> None:
        self.state = state
        self.events: list[EventT] = []
        self.queue: list[StepT] = list(steps)

    def evolve(self, state: StateT, event: EventT) -> StateT:
        """The state after one event."""
        raise NotImplementedError

    def pended(self, steps: tuple[StepT, ...]) -> EventT:
        """The event that tells the queue."""
        raise NotImplementedError

    def tell(self, event: EventT) -> None:
        """Emit an event and apply it."""
        self.events.append(event)
        self.state = self.evolve(self.state, event)

    def take(self) -> StepT:
        """Take the first pending step off the queue."""
        return self.queue.pop(0)

    def first(self, *steps: StepT) -> None:
        """Put steps before all others, in this order."""
        self.queue[:0] = steps

    def done(self) -> Decision[StateT, EventT]:
        """This decision: all its events, the queue last, and the state after them."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            self.tell(self.pended(queue))
        return Decision(self.events, self.state)
