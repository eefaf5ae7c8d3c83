"""The work of one decision: events told one after another, and the queue of steps they leave.

Everything that edits the queue of a turn stands here. A step is put in by its point (FD-TURN-1):
before the first one that comes later or at the same point, so that what has just arisen is done
first, and what is left of a step that was taken comes back to where it was. Each event is applied
as it is told, and only then; what follows sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import TypeVar

from companion.rules.copies import replace
from companion.rules.formula.event import Event
from companion.rules.formula.state import Car, Phase, State
from companion.rules.formula.step import Point, Step, Way
from companion.rules.game import Decision

StepT = TypeVar("StepT", bound=Step)


class StepsPended(Event, public=False):
    """The queue of pending steps after an answer; not told outside."""

    steps: tuple[Step, ...]

    def applied(self, state: State) -> State:
        return replace(state, pending=self.steps)


class Flow:
    """Collects what follows from one answer or referee's line."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.queue: list[Step] = list(state.pending)

    # -- events -----------------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        """Tell an event, with its rule under the id that the edition gives it, and apply it."""
        ids = self.state.setup.edition.ids
        if event.rule is not None and event.rule in ids:
            event = replace(event, rule=ids[event.rule])
        self.events.append(event)
        self.state = event.applied(self.state)

    def car(self, seat: int) -> Car:
        """The car as it is now."""
        return self.state.cars[seat]

    def done(self) -> Decision[State, Event]:
        """What has come of it: all events, the queue last, and the state."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            self.tell(StepsPended(seat=0, rule=None, steps=queue))
        return Decision(tuple(self.events), self.state)

    # -- the queue --------------------------------------------------------------------------

    def due(self, *steps: Step) -> None:
        """Put steps in, each by its point; those of one point in the order given.

        What is settled before the race is one list (`setup.plan`): there a step comes first.
        """
        queue = self.queue
        for step in reversed(steps):
            point, at = step.point, 0
            if point is not Point.BEFORE_THE_RACE:
                while at < len(queue) and queue[at].point < point:
                    at += 1
            queue.insert(at, step)

    def take(self) -> Step:
        """Take the first step off: it is answered, or goes by itself."""
        return self.queue.pop(0)

    def revise(self, kind: type[StepT], change: Callable[[StepT], Step]) -> None:
        """Change all pending steps of a kind where they stand."""
        self.queue = [change(s) if isinstance(s, kind) else s for s in self.queue]

    def drop_all(self) -> None:
        """Nothing is pending any more: the race is over, or begins again."""
        self.queue = []

    def drop(self, seat: int, kinds: Collection[str]) -> None:
        """Drop what is pending of these kinds for a car."""
        self.queue = [s for s in self.queue if s.kind not in kinds or seat not in s.seats_named()]

    def lift(self, seat: int) -> None:
        """The line has lifted a car: what comes after a move on the road is not for it."""
        self.drop(seat, [kind for kind, step in Step.kinds.items() if step.on_road])

    def drop_car(self, seat: int, *, retired: bool = False) -> None:
        """What is pending goes on without a car that is out."""
        left = (step.without(seat, retired=retired) for step in self.queue)
        self.queue = [step for step in left if step is not None]

    def after_roll(self, seat: int, face: int) -> None:
        """Put in what a roll of the gear die brings with it."""
        for kind in _bringing("after_roll", self.state.setup.rules, len(Step.kinds)):
            kind.after_roll(self, seat, face)

    def after_way(self, way: Way) -> None:
        """Put in what a way brings with it; a trial has ways of its own (FD-TRIAL-1)."""
        on_trial = self.state.phase is Phase.TRIALS
        for kind in _bringing("after_way", self.state.setup.rules, len(Step.kinds)):
            if kind.on_trial == on_trial:
                kind.after_way(self, way)


@cache
def _bringing(method: str, rules: frozenset[str], known: int) -> tuple[type[Step], ...]:
    """The kinds that a roll or a way may bring with it under these optional rules.

    `known`: so many kinds there are by now.
    """
    base = getattr(Step, method).__func__
    on = (k for k in Step.kinds.values() if not k.needs or not rules.isdisjoint(k.needs))
    kinds = tuple(k for k in on if getattr(k, method).__func__ is not base)
    assert len(Step.kinds) == known
    return kinds
