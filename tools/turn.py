"""Writes docs/turn.md: a turn in its order (FD-TURN-1), from the points and the kinds of steps.

Run: python tools/turn.py, or with --check.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.rules.formula import decide
from companion.rules.formula.step import Point, Step, turn_in_words

TARGET = Path(__file__).parent.parent / "docs" / "turn.md"
_HEAD = """\
# A turn of Formula D and Formule Dé

What may be pending in a turn, in its order (FD-TURN-1). A step stands in the queue of STATE
(`pending`, [engine.md](engine.md)) by its point, and is there only where something brings it: a
face of the die, a way, a rule that is on. Made by `python tools/turn.py` from `Point`
(companion/rules/formula/step.py) and the chapters; not to be written by hand.

| | | steps, with their rule and chapter |
| --- | --- | --- |
"""
_FOOT = """
Debris is rolled before the overshoot is charged; an out by debris ends the turn at its end space.

"""


def text_of() -> str:
    """docs/turn.md, whole."""
    rows = [f"| {n} | {words} | {_steps(n)} |\n" for n, words in turn_in_words().items()]
    order, before = Point.ORDER.number, Point.BEFORE_THE_RACE.number
    after = f"Between two rounds without a board: {_steps(order)}. Before the race, in an order of"
    return _HEAD + "".join(rows) + _FOOT + f"{after} its own: {_steps(before)}.\n"


def _steps(number: int) -> str:
    """The kinds of steps at the points of this number, in their order."""
    assert decide.CHAPTERS, "all kinds are known"
    kinds = sorted(Step.kinds.values(), key=lambda kind: kind.at)
    return ", ".join(_in_words(kind) for kind in kinds if kind.at.number == number)


def _in_words(kind: type[Step]) -> str:
    module = kind.__module__.removeprefix("companion.rules.formula.").replace(".", "/")
    return f"`{kind.kind}` {kind.rule} ({module})"


def is_stale() -> bool:
    """Whether docs/turn.md is not what the code says."""
    return not TARGET.exists() or TARGET.read_text("utf-8") != text_of()


def main() -> int:
    """Write the page, or with --check say whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        return int(is_stale())
    TARGET.write_text(text_of(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
