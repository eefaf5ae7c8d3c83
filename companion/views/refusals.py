"""Why a press or an answer was refused, in a seat's language.

The rules give a key and its arguments; the sentence here is short enough for three lines of
a seat's screen. A key that nobody has put into words falls back on the rules' own English.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.words import Words, phrase

REFUSALS: dict[str, str] = {
    "not-asked": phrase("Nobody asked you for that now."),
    "not-a-number": phrase("A whole number is wanted."),
    "black-out-of-range": phrase("The black die does not show {number}."),
    "no-such-gear": phrase("There is no gear {gear}."),
    "after-spin": phrase("After a spin a car starts in 1st."),
    "after-stall": phrase("A stalled car starts in 1st."),
    "first-gear-first": phrase("The first gear is 1st."),
    "leave-box": phrase("A car leaves its box in 4th or lower."),
    "gear-too-high": phrase("From {from} at most one gear up, not {gear}."),
    "gear-too-low": phrase("From {from} down to {gear} is impossible."),
    "no-gearbox": phrase("No gearbox points: only one gear down."),
    "over-rev-unaffordable": phrase("Too few wear points for {from} down to {gear}."),
    "face-out-of-range": phrase("The die of gear {gear} shows {low} to {high}, not {face}."),
    "no-such-space": phrase("This track has no such space."),
    "no-such-move": phrase("The move cannot end there."),
    "stale": phrase("Too late: the race has gone on."),
    "no-race": phrase("There is no race."),
}


def told_refusal(error: Mapping[str, Any], say: Words) -> str:
    """The sentence of an `error` object of the engine protocol."""
    template = REFUSALS.get(str(error.get("key")))
    if template is None:
        return str(error.get("message", ""))
    try:
        return say(template, **dict(error.get("args") or {}))
    except (KeyError, IndexError):  # a key of this name without the arguments it should have
        return str(error.get("message", ""))
