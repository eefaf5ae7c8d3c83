"""What every act is: a record with a word for its kind."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from companion.rules.codec import Record


class Act(Record):
    """Base of all acts; `kind` is its word."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Act]]] = {}

    def __init_subclass__(cls, kind: str) -> None:
        super().__init_subclass__()
        cls.kind, Act.kinds[kind] = kind, cls


class Done(NamedTuple):
    """An act in the journal: its number, when (ISO 8601) and by whom it was done."""

    n: int
    act: Act
    at: str
    by: str
