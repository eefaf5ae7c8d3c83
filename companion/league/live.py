"""How the tables of a club stand: a small file a table, so that all processes of a server see it.

What is in it is forgotten when the table falls silent; nothing is synced, nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from companion.league.errors import BrokenFile
from companion.league.names import key_of
from companion.league.plain import Line
from companion.league.ports import LiveTable

SILENT_AFTER_S = 90.0
"""A table that has reported nothing for so long is not shown; it does every half minute or so."""


class LiveFolder:
    """The `LiveTables` of a folder.

    Args:
        clock: seconds since any moment, the same one for all processes.
        tell: makes of a text what may be kept and shown of it.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], float], tell: Callable[[str], str] = str
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._tell = tell

    def show(self, table: str, state: Line) -> None:
        """Keep how a table stands, instead of how it stood before."""
        content = json.dumps({"table": table, "at": self._clock(), "state": self._told(state)})
        path = self._folder / f"{key_of(table)}.json"
        fresh = path.with_suffix(".new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh.write_text(content, encoding="utf-8")
            fresh.replace(path)
        except OSError as error:
            raise BrokenFile(f"{path} cannot be written: {error.strerror}") from error

    def _told(self, value: object) -> object:
        """A report with all its texts as they may be shown."""
        if isinstance(value, str):
            return self._tell(value)
        if isinstance(value, list):
            return [self._told(one) for one in value]
        if isinstance(value, dict):
            return {key: self._told(one) for key, one in value.items()}
        return value

    def tables(self) -> list[LiveTable]:
        """The tables that are not silent, by name."""
        now = self._clock()
        found = []
        for path in sorted(self._folder.glob("*.json")):
            one = _read(path, now)
            if one is not None and one.age_s < SILENT_AFTER_S:
                found.append(one)
        return sorted(found, key=lambda one: one.table.casefold())


def _read(path: Path, now: float) -> LiveTable | None:
    """How a table stands; None: this is no file of ours, or it is gone by now."""
    try:
        content = json.loads(path.read_bytes())
        table, state = str(content["table"]), content["state"]
        age_s = max(now - float(content["at"]), 0.0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return LiveTable(table, age_s, state) if isinstance(state, dict) else None
