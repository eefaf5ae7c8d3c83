"""The words of the page in a Formula race without a board."""

from __future__ import annotations

from companion.views.words import phrase

WORDS = {
    "no-board": phrase("No board (moves are reported)"),
    "card": phrase("{name}: {made} of {needed} stops, {shortest}–{longest} spaces"),
    "report-clean": phrase("A clean move"),
    "report-pit": phrase("It came to its box"),
    "order-up": phrase("{name} one place up"),
    "report.brakes": phrase("brakes spent"),
    "report.overshoot": phrase("spaces overshot"),
    "report.missing": phrase("stops missing"),
    "report.blocked": phrase("spaces blocked"),
    "report.touched": phrase("touched"),
    "report.debris": phrase("debris crossed"),
    "report.corner": phrase("ended in a corner"),
    "report.next": phrase("ended in the next corner"),
    "report-likely": phrase("By the card:"),
    "report.line": phrase("crossed the line"),
    "report.pit": phrase("came to its box"),
}
