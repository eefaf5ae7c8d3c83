"""A durable commit of an answer against a bare fsync of the same file system: at most 1.6 ×."""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import count
from pathlib import Path

from timing import bare_fsync, compare

from companion.journal.journal import open_journal

GOAL = 1.6


def main() -> int:
    """Print the figures as JSON; the status says whether the goal is reached."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        numbers = count()
        with open_journal(folder, print) as journal:

            def answer() -> None:
                journal.append("race", {"at": next(numbers), "by": "seat", "seat": 2, "gear": 3})

            figures = compare(600, answer, bare_fsync(folder))
    print(json.dumps({"what": "durable commit / bare fsync", "goal": GOAL, **figures}))
    return 0 if figures["ratio"] <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
