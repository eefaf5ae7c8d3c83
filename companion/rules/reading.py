"""Reading what was said: the small checks that headers, positions and lines share.

Each returns what it has read, or raises `Malformed` with what would be accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from companion.rules.errors import Malformed

NAME_LENGTH = 40
REASON_LENGTH = 200


def bad(key: str, message: str, *, rule: str | None = None, **args: Any) -> NoReturn:
    """Refuse a header, a position or a line."""
    raise Malformed(key, message, rule=rule, args=args)


def only_keys(told: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    """Refuse keys that mean nothing here."""
    known = sorted(known)
    unknown = sorted(set(told).difference(known))
    if unknown:
        bad(
            "unknown-key",
            f"{what} has no {unknown[0]!r:.40}; known are {', '.join(known)}",
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


def read_reason(line: Mapping[str, Any]) -> str:
    """The reason of a referee's line, empty where none is given."""
    reason = line.get("reason", "")
    lone = isinstance(reason, str) and any("\ud800" <= letter <= "\udfff" for letter in reason)
    if not isinstance(reason, str) or len(reason) > REASON_LENGTH or lone:
        raise Malformed("reason-form", f"reason is a text of up to {REASON_LENGTH} characters")
    return reason


def is_true(line: Mapping[str, Any], word: str) -> None:
    """The word of a line that says nothing but true."""
    if line[word] is not True:
        raise Malformed("not-true", f"{word} is true, not {line[word]!r:.20}", args={"word": word})


def merged(whole: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """Objects are merged key by key; anything else is replaced.

    >>> merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 5}})
    {'a': {'b': 5, 'c': 2}, 'd': 3}
    """
    told = dict(whole)
    for key, value in part.items():
        old = told.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        told[key] = merged(old, value) if both and old is not None else value
    return told
