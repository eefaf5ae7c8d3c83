"""What a press means, as a line that the table understands."""

from __future__ import annotations

from typing import Any, assert_never

from companion.views.model import Agree, Intent, Preset, Propose, Send, Table, TakeBack


def line_of(intent: Intent, seat: int) -> dict[str, Any]:
    """The line of an intent that came from the buttons of a seat.

    >>> line_of(Preset(3), 2)
    {'table': 'preset', 'seat': 2, 'gear': 3}
    >>> line_of(Send({"seat": 4, "black": 7}), 2)
    {'seat': 4, 'black': 7}
    """
    match intent:
        case Send(line):
            return dict(line)
        case TakeBack():
            return {"table": "take-back", "seat": seat}
        case Preset(gear):
            return {"table": "preset", "seat": seat, "gear": gear}
        case Propose(moved, space):
            return {"table": "propose", "seat": moved, "space": space, "from": seat}
        case Agree(yes):
            return {"table": "agree", "seat": seat, "yes": yes}
        case Table(word, value):
            return {"table": word, "seat": seat, "value": value}
        case _ as never:
            assert_never(never)
