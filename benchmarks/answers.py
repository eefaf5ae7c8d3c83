"""Answers a second through the engine: accepted lines of the corpus' races of both Formula games.

Run: python benchmarks/answers.py [--against CHECKOUT] [--rounds N]

With another checkout both are run in turn, as processes, and the medians compared; a machine's
noise then meets both alike. The races are those of this checkout's corpus.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RACES = ROOT / "tests" / "corpus" / "races"


def races() -> list[list[Any]]:
    """The lines of some races, each from its header on."""
    found: list[list[Any]] = []
    for path in sorted(RACES.glob("form*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found += [json.loads(row)["lines"] for row in file]
    return [list(takewhile(_goes_on, lines)) for lines in found]


def _goes_on(line: Any) -> bool:
    """Up to where a race of the corpus begins anew from its STATE."""
    return not (isinstance(line, dict) and "again" in line)


def answer_all(given: list[list[Any]]) -> float:
    """Accepted lines a second, once the boards are known."""
    from companion.engine import Engine

    try:
        from companion.boards import TrackLibrary
    except ImportError:  # a checkout from before the boards had a room
        from companion.tracklib import TrackLibrary  # type: ignore[import-not-found, no-redef]
    engine = Engine(TrackLibrary())
    taken = [line for lines in given for line in lines if engine.handle(line)["ok"]]
    begun = time.process_time()
    for line in taken:
        engine.handle(line)
    return len(taken) / (time.process_time() - begun)


def measured(checkout: Path) -> float:
    """The same in a process of a checkout."""
    env = {**os.environ, "PYTHONPATH": f"{checkout}{os.pathsep}{checkout / 'web'}"}
    command = [sys.executable, __file__, "--alone"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    """Print answers a second, and the ratio to another checkout."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--alone", action="store_true")
    asked = parser.parse_args()
    if asked.alone:
        print(answer_all(races()))
        return
    pairs = [
        (measured(ROOT), measured(asked.against) if asked.against else 0.0)
        for _ in range(asked.rounds)
    ]
    ours = statistics.median(a for a, _ in pairs)
    print(f"{ours:,.0f} answers a second")
    if asked.against:
        other = statistics.median(b for _, b in pairs)
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"{other:,.0f} there; {ratio:.2f} of it here")


if __name__ == "__main__":
    main()
