"""An act told otherwise: its people by other names, its texts in other words; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

from companion.league.said import By, Cars, CrewForm, PersonForm, called_text, free_text
from companion.rules.codec import Record
from companion.rules.forms import Maybe

RecordOf = TypeVar("RecordOf", bound=Record)


def names_in(record: Record) -> list[str]:
    """The people that a record names."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    retold(record, note, str)
    return found


def retold(record: RecordOf, name: Callable[[str], str], text: Callable[[str], str]) -> RecordOf:
    """A record with its people named otherwise, and its texts told otherwise.

    A text is what people wrote freely, and what a table, team, race or season is called.
    """
    changes: dict[str, object] = {}
    kind: Any = type(record)
    for field, form in _forms(kind).items():
        value = getattr(record, field)
        if isinstance(form, Cars):
            changes[field] = tuple(retold(one, name, text) for one in value)
        elif isinstance(form, CrewForm) and isinstance(value, tuple):
            changes[field] = tuple(map(name, value))
        elif isinstance(value, str):
            changes[field] = (name if isinstance(form, PersonForm) else text)(value)
    own = {**vars(record), **changes}
    return kind(**own) if changes else record


@cache
def _forms(record: object) -> Mapping[str, object]:
    """The fields of a record that hold people, texts, or cars."""
    found: dict[str, object] = {}
    for field, hint in get_type_hints(record, include_extras=True).items():
        for form in getattr(hint, "__metadata__", ()):
            inner = form.form if isinstance(form, Maybe) else form
            is_text = isinstance(inner, By) and inner.function in (called_text, free_text)
            if is_text or isinstance(inner, PersonForm | CrewForm | Cars):
                found[field] = inner
    return found
