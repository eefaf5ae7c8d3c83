"""What happens in a Formula race: the base of all events.

An event is a frozen record in the past tense; it carries all that it changes, so that applying it
(`applied`) needs no rule and refuses nothing. `rule` is the id of the rule behind it. Every event
stands in the chapter of its rule. Spaces are told by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from companion.rules.codec import Context, Points, tell
from companion.rules.formula.wear import Wear

if TYPE_CHECKING:
    from companion.rules.formula.state import State

Cost = Annotated[Wear, Points(lost=True)]
"""Wear points lost or gained: only the categories that change are told."""
Roll = int | list[int]
"""What was answered for the black die: a number, or a range that was on offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of all events; `seat` 0 is the table."""

    seat: int
    rule: str | None

    public: ClassVar[bool] = True
    names: ClassVar[dict[str, type[Event]]] = {}
    """Every event that is told outside, by its name."""

    def __init_subclass__(cls) -> None:
        if cls.public:
            Event.names[cls.__name__] = cls

    def applied(self, state: State) -> State:
        """The state after it."""
        return state

    def as_json(self, context: Context) -> dict[str, Any]:
        """The event as the engine protocol tells it."""
        return {"event": type(self).__name__, **tell(self, context)}
