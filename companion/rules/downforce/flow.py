"""Events, and the work of one decision.

An event is a record in the past tense that carries all that it changes, so that applying it
(`applied`) decides no rule and refuses nothing. Each stands in its chapter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from companion.frozen import dataclass
from companion.rules import codec
from companion.rules.codec import Context
from companion.rules.downforce.state import State, Step
from companion.rules.game import Decision

TABLE = 0
"""The seat of what the whole table is asked, and of events that are nobody's."""
NOWHERE = Context()
"""Nothing here needs a board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all events; `rule` is the id of the rule behind it."""

    seat: int
    rule: str | None

    public: ClassVar[bool] = True
    names: ClassVar[dict[str, type[Event]]] = {}
    """Every public event, by its name."""

    def __init_subclass__(cls) -> None:
        if cls.public:
            Event.names[cls.__name__] = cls

    def applied(self, state: State) -> State:
        """The state after it."""
        return state

    def as_json(self) -> dict[str, object]:
        """The event as the engine protocol tells it to everybody."""
        return {"event": type(self).__name__, **codec.tell(self, NOWHERE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsPended(Event):
    """The queue of pending steps after an answer; not public."""

    public = False
    steps: tuple[Step, ...]

    def applied(self, state: State) -> State:
        return replace(state, pending=self.steps)


class Flow:
    """Collects the events of one decision, each applied at once, and keeps the queue of steps."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.queue = list(state.pending)

    def emit(self, event: Event) -> None:
        """Something happens: what follows sees it."""
        self.events.append(event)
        self.state = event.applied(self.state)

    def take(self) -> Literal[True]:
        """Take the first step off the queue: it is done."""
        del self.queue[0]
        return True

    def first(self, *steps: Step) -> None:
        """Put steps before all others, in this order."""
        self.queue[:0] = steps

    def instead(self, step: Step) -> None:
        """Put a step in the place of the first."""
        self.queue[0] = step

    def done(self) -> Decision[State, Event]:
        """All events, the queue last, and the state after them."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            self.emit(StepsPended(seat=TABLE, rule=None, steps=queue))
        return Decision(self.events, self.state)
