"""A table of a track file, asked key by key; whatever is wrong becomes a fault.

Each method returns a value of the right type even when it has noted a fault, so that one
reading finds everything that is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from companion.rules.board.faults import Faults

T = TypeVar("T")

QUOTED_MOST = 60
"""Characters of a wrong value that a fault quotes."""

_SPAN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")


class Table:
    """One TOML table: `where` is how faults name it."""

    def __init__(self, values: Mapping[str, Any], where: str, faults: Faults) -> None:
        self.where = where
        self._values = values
        self._faults = faults
        self._asked: set[str] = set()

    def has(self, key: str) -> bool:
        """Whether the key is written."""
        return key in self._values

    def no_other_keys(self) -> None:
        """Note a fault for each key that nobody has asked for."""
        for key in self._values:
            if key not in self._asked:
                self._faults.add(self.where, f"{key!r} is not a key of a track file here")

    def text(self, key: str, *, default: str | None = None) -> str:
        """A text on one line, not empty where there is no default."""
        value = self._value(key, default)
        if isinstance(value, str) and value.isprintable() and (value or default is not None):
            return value
        return self._wrong(key, value, "a text on one line", "")

    def flag(self, key: str, *, default: bool) -> bool:
        """true or false."""
        value = self._value(key, default)
        return value if isinstance(value, bool) else self._wrong(key, value, "true or false", False)

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self._value(key)
        if _is_whole(value, low, high):
            return int(value)
        return self._wrong(key, value, f"a whole number from {low} to {high}", low)

    def wholes(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers from `low` to `high`."""
        value = self._value(key)
        if isinstance(value, list) and all(_is_whole(item, low, high) for item in value):
            return tuple(value)
        return self._wrong(key, value, f"a list of whole numbers from {low} to {high}", ())

    def words(self, key: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts."""
        value = self._value(key, None if default is None else list(default))
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        return self._wrong(key, value, "a list of texts", ())

    def choice(self, key: str, among: Sequence[str], *, where: str = "") -> str:
        """One of a few words."""
        self.where = where or self.where
        value = self._value(key)
        if isinstance(value, str) and value in among:
            return value
        return self._wrong(key, value, "one of " + ", ".join(among), among[0])

    def span(self, key: str, low: int, high: int) -> tuple[int, int]:
        """A range of whole numbers, written "8-12" or "8"."""
        value = self._value(key)
        match = _SPAN.fullmatch(value) if isinstance(value, str) else None
        if match:
            first, last = int(match[1]), int(match[2] or match[1])
            if low <= first <= last <= high:
                return first, last
        return self._wrong(key, value, f'a range within "{low}-{high}"', (low, low))

    def table(self, key: str) -> Table:
        """A table in this table."""
        value = self._value(key)
        if isinstance(value, dict):
            return Table(value, key, self._faults)
        return Table(self._wrong(key, value, "a table", {}), key, Faults())  # noted once

    def tables(self, key: str) -> list[Table]:
        """A list of tables, `[[key]]`."""
        value = self._value(key)
        if not (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
            value = self._wrong(key, value, f"a list of tables [[{key}]]", [])
        return [Table(item, key, self._faults) for item in value]

    def _value(self, key: str, default: object = None) -> Any:
        self._asked.add(key)
        return self._values.get(key, default)

    def _wrong(self, key: str, value: object, wanted: str, instead: T) -> T:
        if value is None:
            self._faults.add(self.where, f"{key!r} is missing; it is {wanted}")
        else:
            quoted = repr(value)
            quoted = quoted if len(quoted) <= QUOTED_MOST else quoted[:QUOTED_MOST] + "…"
            self._faults.add(self.where, f"{key} = {quoted} should be {wanted}")
        return instead


def _is_whole(value: object, low: int, high: int) -> bool:
    """Whether this is an int in the range; TOML's true is none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
