"""The work of one decision: events emitted one after another, and the queue they leave.

A `Flow` starts from a state, tells events (each applied at once, so that what follows sees
it) and keeps the queue of pending steps. What comes out are the events alone; the queue is
the last of them.
"""

from __future__ import annotations

from companion.rules.downforce import events as ev
from companion.rules.downforce.evolve import evolve
from companion.rules.downforce.state import State, Step


class Flow:
    """Collects what follows from one answer."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[ev.Event] = []
        self.queue: list[Step] = list(state.pending)

    def tell(self, event: ev.Event) -> None:
        """Emit an event and apply it."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def take(self) -> Step:
        """Take the first pending step off the queue."""
        return self.queue.pop(0)

    def first(self, *steps: Step) -> None:
        """Put steps before all others, in this order."""
        self.queue[:0] = steps

    def put(self, *steps: Step) -> None:
        """Put steps after all others, in this order."""
        self.queue += steps

    def done(self) -> list[ev.Event]:
        """All events of this decision, the queue last."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            self.tell(ev.StepsPended(steps=queue))
        return self.events
