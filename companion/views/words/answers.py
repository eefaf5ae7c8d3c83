"""An answer of the engine protocol in words, for a page."""

from __future__ import annotations

from typing import Any

from companion.rules.board.track import Track
from companion.views.words import Words
from companion.views.words.places import place_name


def answer_text(value: Any, track: Track, say: Words) -> str:
    """A gear, an end, a length, no slipstream; what it does not know as it stands."""
    match value:
        case None:
            return say("no slipstream")
        case {"to": str(to), "brakes": int(brakes)} if to in track.index:
            place = place_name(track, track.index[to], say)
            braked = say.many("{n} space braked", "{n} spaces braked", brakes)
            return f"{place}, {braked}" if brakes else place
        case {"spaces": int(spaces)}:
            return say.many("{n} space", "{n} spaces", spaces)
        case int():
            return say.nth(value)
    return str(value)
