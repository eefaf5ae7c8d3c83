"""Draws docs/turn.svg: the points of a turn (FD-TURN-1) and the steps at each, from the rules.

`make turn`, or with --check only says whether it is up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import escape

from made import renew

from companion.rules.formula import game
from companion.rules.formula.car import On, Point, turn_in_words
from companion.rules.formula.state import Step

assert game.CHAPTERS, "every kind of step is known from here on"

TARGET = Path(__file__).parent.parent / "docs" / "turn.svg"
BEFORE = Point.BEFORE_THE_RACE.number
UNSAID = {10: "where the move ended", 17: "the order of the next round", BEFORE: "before the race"}
"""What stands at points that FD-TURN-1 has no words for, or more than words for a part of it."""

WIDTH, ROW, MARGIN = 960, 58, 16
NUMBER_X, TEXT_X, CHIPS_X = 34, 62, 400
CHIP, CHIP_HEIGHT, GAP = 100, 38, 8
TEXT_LETTERS = 46
INK, PAPER, WAITS, PALE = "#222", "#fff", "#ffe9a8", "#777"
GROUNDS = {On.BOARD: "on a board", On.REPORT: "by report", On.BOTH: ""}


def kinds_at(number: int) -> list[type[Step]]:
    """The kinds of steps at a point with this number, in their order; of one point by name."""
    kinds = (kind for kind in Step.kinds.values() if kind.at.number == number)
    return sorted(kinds, key=lambda kind: (kind.at, kind.kind))


def rows() -> Iterator[tuple[int, str, list[type[Step]]]]:
    """Each point with its number, its words and its steps."""
    words = turn_in_words()
    for number in dict.fromkeys(point.number for point in Point):
        said = [text for text in (UNSAID.get(number), words.get(number)) if text]
        yield number, "; ".join(said), kinds_at(number)


def drawing() -> str:
    """The whole picture."""
    parts, y = [], MARGIN + 44
    top = y
    for number, text, kinds in rows():
        high = max(1, (len(kinds) + 4) // 5) * ROW
        parts.append(_row(number, text, kinds, y))
        y += high
    last = y - 2 * ROW + 20  # what is before the race has no place in a turn
    line = f'<path d="M{NUMBER_X} {top + 20}V{last}" stroke="{PALE}" fill="none"/>'
    height = y + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">'
        "<title>The points of a turn and their steps</title>"
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    )
    return "\n".join([head, _legend(), line, *parts, "</svg>"]) + "\n"


def _legend() -> str:
    key = "yellow: waits for an answer · white: goes by itself · dashed: of an optional rule"
    return (
        f'<text x="{NUMBER_X - 14}" y="26" font-size="16" font-weight="bold" fill="{INK}">'
        "A turn (FD-TURN-1)</text>"
        f'<text x="{CHIPS_X}" y="26" fill="{PALE}">{key}</text>'
    )


def _row(number: int, text: str, kinds: list[type[Step]], y: int) -> str:
    name = str(number) if number in turn_in_words() else ""
    parts = [
        f'<circle cx="{NUMBER_X}" cy="{y + 20}" r="14" fill="{PAPER}" stroke="{INK}"/>'
        f'<text x="{NUMBER_X}" y="{y + 25}" text-anchor="middle" fill="{INK}">{name}</text>'
    ]
    lines = wrap(text, TEXT_LETTERS, break_on_hyphens=False)
    first = y + 25 - 8 * (len(lines) - 1)
    for place, line in enumerate(lines):
        at = first + 16 * place
        parts.append(f'<text x="{TEXT_X}" y="{at}" fill="{INK}">{escape(line)}</text>')
    for place, kind in enumerate(kinds):
        x, down = CHIPS_X + place % 5 * (CHIP + GAP), place // 5 * ROW
        parts.append(_chip(kind, x, y + down))
    return "\n".join(parts)


def _chip(kind: type[Step], x: int, y: int) -> str:
    fill = WAITS if kind.asks is not Step.asks else PAPER
    dashed = ' stroke-dasharray="4 3"' if kind.needs else ""
    small = " · ".join(part for part in (kind.rule, GROUNDS[kind.on]) if part)
    size = 8 if GROUNDS[kind.on] else 10
    middle = x + CHIP // 2
    return (
        f'<rect x="{x}" y="{y + 1}" width="{CHIP}" height="{CHIP_HEIGHT}" rx="6" '
        f'fill="{fill}" stroke="{INK}"{dashed}/>'
        f'<text x="{middle}" y="{y + 17}" text-anchor="middle" fill="{INK}">{kind.kind}</text>'
        f'<text x="{middle}" y="{y + 31}" text-anchor="middle" font-size="{size}" '
        f'fill="{INK}">{small}</text>'
    )


if __name__ == "__main__":
    sys.exit(renew({TARGET: drawing()}))
