"""What is wrong with a track file, in the language of a page.

The rules give a key and its arguments where a fault can come of drawing a corner; any other
fault keeps the rules' own English, as `companion track check` says it.
"""

from __future__ import annotations

from companion.rules.board.faults import Fault
from companion.views.words import Words, phrase

FAULTS: dict[str, str] = {
    "no-space": phrase("there is no space {space}; the lane has {count}"),
    "circle": phrase("{way} leads in a circle"),
    "below-shortest": phrase("{count} spaces are below the printed shortest way of {printed}"),
    "above-longest": phrase("{count} spaces are above the printed longest way of {printed}"),
    "ways-differ": phrase(
        "its ways through have {shortest} to {longest} spaces; printed are {low} to {high}"
    ),
    "cross": phrase("{one} and {other} cross"),
    "merge": phrase("{one} and {other} both change to {space}"),
    "not-reached": phrase("nothing leads to {space}"),
    "leads-nowhere": phrase("{space} leads nowhere"),
    "lonely": phrase("{space} lies beside nothing of lane {lane}"),
}
IN_LANE = phrase("{section}, lane {lane}")


def fault_text(fault: Fault, say: Words) -> str:
    """A fault in one line.

    >>> from companion.views.words import words
    >>> crossing = {"one": "T1.l1>T1.m2", "other": "T1.l2>T1.m1"}
    >>> fault_text(Fault("T1 East", "they cross", "cross", crossing), words("en"))
    'T1 East: T1.l1>T1.m2 and T1.l2>T1.m1 cross'
    """
    section, _, lane = fault.where.partition(", lane ")
    where = say(IN_LANE, section=section, lane=lane) if lane else section
    what = say(FAULTS[fault.key], **fault.args) if fault.key in FAULTS else fault.what
    return f"{where}: {what}"
