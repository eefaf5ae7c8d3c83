"""The record of a race itself: `league add` takes it in elsewhere."""

from __future__ import annotations

import json

from companion.league.errors import BadAct
from companion.league.ports import LeagueQueries


def write(queries: LeagueQueries, key: str) -> bytes:
    """The lines of a race's record.

    Raises:
        BadAct: the race has none, for it was entered by hand.
    """
    lines = queries.record(key)
    if lines is None:
        raise BadAct(f"the race {key!r} has no record: it was entered by hand, or the file is gone")
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
