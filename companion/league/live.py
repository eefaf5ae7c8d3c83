"""How the tables of a club stand: a small file a table, so that all processes of a server see it.

What is in it is forgotten when the table falls silent; nothing is synced, nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from companion.league.names import key_of
from companion.league.plain import Line
from companion.league.ports import LiveTable
from companion.league.storage import LIVE, Storage, contents

SILENT_AFTER_S = 90.0
"""A table that has reported nothing for so long is not shown; it does every half minute or so."""


class LiveFiles:
    """The `LiveTables` in a storage.

    Args:
        clock: seconds since any moment, the same one for all who write there.
        tell: makes of a text what may be kept and shown of it.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], float] | None = None,
        tell: Callable[[str], str] = str,
    ) -> None:
        self._storage = storage
        self._clock = clock or storage.seconds
        self._tell = tell

    def show(self, table: str, state: Line) -> None:
        """Keep how a table stands, instead of how it stood before."""
        told = {"table": table, "at": self._clock(), "state": self._told(state)}
        name = f"{LIVE}/{key_of(table)}.json"
        self._storage.write(name, json.dumps(told).encode(), lasting=False)

    def watch(self, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told when a table has reported; what ends it."""
        return self._storage.watch(LIVE, tell)

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
        for _, content in contents(self._storage, LIVE):
            one = _read(content, now)
            if one is not None and one.age_s < SILENT_AFTER_S:
                found.append(one)
        return sorted(found, key=lambda one: one.table.casefold())


def _read(content: bytes, now: float) -> LiveTable | None:
    """How a table stands; None: this is no file of ours."""
    try:
        told = json.loads(content)
        table, state = str(told["table"]), told["state"]
        age_s = max(now - float(told["at"]), 0.0)
    except (ValueError, KeyError, TypeError):
        return None
    return LiveTable(table, age_s, state) if isinstance(state, dict) else None
