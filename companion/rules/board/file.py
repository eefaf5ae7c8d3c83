"""A track file (TOML, docs/tracks.md) made into a board."""

from __future__ import annotations

from functools import lru_cache

from companion.rules.board.build import Compiler
from companion.rules.board.card import compile_card, is_card
from companion.rules.board.faults import Fault, Faults
from companion.rules.board.graph import Graph
from companion.rules.board.plan import read_plan
from companion.rules.board.track import Track
from companion.rules.errors import Malformed


@lru_cache(maxsize=32)
def load_track(text: str) -> Track:
    """The board that a track file describes; the same object for the same text.

    Raises:
        Malformed: no board can be made of it; the message names section and lane.
    """
    track, faults = compile_track(text)
    if track is None:
        fault = faults[0]
        raise Malformed(
            "track-faulty",
            f"the track file cannot be used: {fault}",
            args={"where": fault.where, "what": fault.what},
        )
    return track


def compile_track(text: str) -> tuple[Track | None, list[Fault]]:
    """The board, or None and everything that stands in its way; a card has no space."""
    if is_card(text):
        return compile_card(text)
    faults = Faults()
    plan = read_plan(text, faults)
    if plan is None:
        return None, faults.found
    return Compiler(text, plan, Graph(plan, faults), faults).track(), faults.found
