"""The words of boardless races."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.views.words import phrase

BOARDLESS: Final[Mapping[str, str]] = {
    "no-board": phrase("No board (moves are reported)"),
    "card": phrase("{name}: {made} of {needed} stops, {shortest}–{longest} spaces"),
    "report-clean": phrase("A clean move"),
    "report-pit": phrase("It came to its box"),
    "order-up": phrase("{name} one place up"),
}

REPORT: Final[Mapping[str, str]] = {
    "brakes": phrase("brakes spent"),
    "overshoot": phrase("spaces overshot"),
    "missing": phrase("stops missing"),
    "blocked": phrase("spaces blocked"),
    "touched": phrase("touched"),
    "debris": phrase("debris crossed"),
    "corner": phrase("ended in a corner"),
    "line": phrase("crossed the line"),
    "pit": phrase("came to its box"),
}
