"""What is said at the table, and what comes of it.

`handle` takes what a caller says and gives the reply; a refusal changes nothing. What kind of
line it is decides one table of functions or the other (`said_lines`, `said_words`); every one
of them ends in a line that a race or the desk folds.
"""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Malformed, Refusal
from companion.table import refusals, steward
from companion.table.desk import Desk
from companion.table.ports import JSON, Caller, Reply
from companion.table.said import Said
from companion.table.said_lines import LINES
from companion.table.said_words import WORDS, set_up

OURS_ONLY = ("at", "by", "result", "record", "quit", "state")
"""Keys that a line from outside must not have: the table writes them itself, or never."""


def handle(desk: Desk, caller: Caller, line: JSON, at: float, *, pressed: bool = False) -> Reply:
    """Carry out what a caller says, or refuse it and change nothing.

    Args:
        at: seconds on the table's clock.
        pressed: it was pressed on the caller's own screen, which offers stewards the others'
            asks; a line that is sent otherwise speaks for the caller's seat only.
    """
    try:
        told = plain(line)
        free = steward.free_seats(desk.race.state, told) if pressed and desk.race else ()
        steward.check_may_say(caller, told, desk.host, free)
        return refusals.reply_of(_carry_out(Said(desk, told, caller, at)))
    except Refusal as refusal:
        return refusals.refuse(refusal, desk.asks)


def plain(line: JSON) -> dict[str, Any]:
    """A line from outside in the form that it has inside.

    The page, which is no seat, names the seat of a word within its value.

    >>> plain({"table": "join", "value": {"seat": 3, "value": "Ana"}})
    {'table': 'join', 'value': 'Ana', 'seat': 3}

    Raises:
        Malformed: it has a key that only the table itself writes.
    """
    for key in OURS_ONLY:
        if key in line:
            raise Malformed("unknown-key", f"a line has no {key!r}", args={"name": key})
    told = dict(line)
    value = told.get("value")
    if "table" in told and isinstance(value, dict) and "seat" in value:
        told.update(seat=value["seat"], value=value.get("value"))
    return told


def _carry_out(said: Said) -> dict[str, Any]:
    line = said.line
    if "table" in line:
        word = line["table"]
        work = WORDS.get(word, set_up) if isinstance(word, str) else set_up
        return work(said)
    for key, work in LINES.items():
        if key in line:
            return work(said)
    if said.race.paused and steward.REFEREE_LINES.isdisjoint(line):
        raise refusals.paused()
    return said.say(line)
