"""Which optional rules cannot be played boardless, and why."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.reading import bad

NOT_BOARDLESS = {
    "trials": ("FD-TRIAL-3", "whether a corner ends a trial shows on a board only"),
    "urban": ("FD-URBAN-1", "police station, noise zone, tunnel and drivers need a board"),
}
"""The report of a move has no word for what these rules ask of a way."""


def refuse_boardless(rules: Iterable[str]) -> None:
    """Refuse the rules that need to know where the cars stand."""
    for name in rules:
        if name in NOT_BOARDLESS:
            rule, why = NOT_BOARDLESS[name]
            bad("not-boardless", f"{why}; name a track, or leave {name} out", rule=rule, name=name)
