"""The base of all events of a Formula race, and how one is told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.wear import tell_cost, tell_wear


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `seat` 0 is the table."""

    seat: int = 0
    rule: str | None = None

    public: ClassVar[bool] = True

    def as_json(self, categories: tuple[str, ...] = CATEGORIES) -> dict[str, Any]:
        """The event as the engine protocol tells it, in the edition's names of categories."""
        told: dict[str, Any] = {"event": type(self).__name__, "seat": self.seat}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("cost", "gain"):
                value = tell_cost(value, categories)
            elif field.name == "wear":
                value = tell_wear(value, categories)
            elif isinstance(value, tuple):
                value = list(value)
            told[field.name] = value
        return told
