"""The forms of plain values in headers and positions; each refuses with `Malformed`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from companion.rules.errors import Malformed

NAME_LENGTH = 40


def bad(key: str, message: str, *, rule: str | None = None, **args: Any) -> NoReturn:
    """Refuse a header or position."""
    raise Malformed(key, message, rule=rule, args=args)


def only_keys(told: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    """Refuse keys that mean nothing here."""
    unknown = sorted(set(told) - known)
    if unknown:
        bad(
            "unknown-key",
            f"{what} has no {unknown[0]!r:.40}; known are {', '.join(sorted(known))}",
            what=what,
            name=unknown[0][:40],
        )


def whole(value: Any, what: str, low: int, high: int, *, rule: str | None = None) -> int:
    """A whole number within bounds, both included."""
    if type(value) is not int:
        bad("not-a-number", f"{what} is a whole number, not {value!r:.60}", kind=what)
    if not low <= value <= high:
        bad(
            "out-of-bounds",
            f"{what} is {low} to {high}, not {value}",
            rule=rule,
            kind=what,
            low=low,
            high=high,
        )
    return int(value)


def one_of(value: Any, what: str, known: tuple[str, ...], *, rule: str | None = None) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in known:
        words = ", ".join(known)
        bad("not-one-of", f"{what} is one of {words}, not {value!r:.60}", rule=rule, kind=what)
    return value


def read_name(value: Any, what: str) -> str:
    """A name of 1 to 40 printable characters."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        bad("name-form", f"{what} is a text of 1 to {NAME_LENGTH} characters, not {value!r:.60}")
    if not value.isprintable():
        bad("name-form", f"{what} has characters that cannot be shown: {value!r:.60}")
    return value
