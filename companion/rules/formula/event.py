"""What happens in a Formula race: the base of all events.

An event is a frozen record in the past tense; it carries all that it changes, so that applying it
(`applied`) needs no rule and refuses nothing. `rule` is the id of the rule behind it. Every event
stands in the chapter of its rule. Spaces are told by their ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from companion.rules.codec import Context, Record, Word, tell
from companion.rules.forms import Points
from companion.rules.formula.wear import Wear

if TYPE_CHECKING:
    from companion.rules.formula.state import State

Cost = Annotated[Wear, Points(lost=True)]
"""Wear points lost or gained: only the categories that change are told."""
Roll = int | list[int]
"""What was answered for the black die: a number, or a range that was on offer."""


class Event(Record):
    """Base of all events; `seat` 0 is the table. One that is not `public` is not told outside."""

    seat: int
    rule: str | None

    public: ClassVar[bool] = False
    names: ClassVar[dict[str, type[Event]]] = {}
    """Every event that is told outside, by its name."""

    def __init_subclass__(cls, *, public: bool = True) -> None:
        super().__init_subclass__()
        cls.public = public
        if public:
            Event.names[cls.__name__] = cls

    def applied(self, state: State) -> State:
        """The state after it."""
        return state

    def as_json(self, context: Context) -> dict[str, object]:
        """The event as the engine protocol tells it."""
        return {"event": type(self).__name__, **tell(self, context)}


class Wears(Event, public=False):
    """An event by which its car loses wear points."""

    cost: Annotated[Wear, Points(lost=True), Word(last=True)]

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)
