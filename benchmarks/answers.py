"""Answers a second through the engine, in processor time.

Run: python benchmarks/answers.py [--mixed] [--against CHECKOUT] [--rounds N]

Whole races of six cars, played here by seeded dice; or (`--mixed`) what the races of the corpus
accept: headers, corrections, positions and undo among few answers. With another checkout both are
run in turn, as processes, on the same lines, and the medians compared; a machine's noise then
meets both alike. Lines that the other one refuses count for neither side of it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

ROOT = Path(__file__).parents[1]
RACES = ROOT / "tests" / "corpus" / "races"
SEATS = [{"seat": seat, "name": f"Driver {seat}"} for seat in range(1, 7)]
HEADERS: tuple[dict[str, Any], ...] = tuple(
    {"game": game, "track": track, "laps": 2, "rules": rules, "seats": SEATS}
    for track in ("monaco", "zeltweg")
    for game in ("formula-d", "formule-de")
    for rules in ([], ["weather", "tires"])
)


def whole_races() -> list[list[Any]]:
    """The lines of whole races, each from its header on."""
    return [_played(header, Random(seed)) for seed, header in enumerate(HEADERS)]


def _played(header: dict[str, Any], dice: Random) -> list[Any]:
    engine, lines = Engine(TrackLibrary()), [{"new": header}]
    assert engine.handle(lines[0])["ok"]
    while engine.asks():
        ask = dice.choice(engine.asks())
        lines.append({"seat": ask["seat"], ask["kind"]: _chosen(ask, dice)})
        reply = engine.handle(lines[-1])
        assert reply["ok"], reply
    return lines


def _chosen(ask: dict[str, Any], dice: Random) -> Any:
    """Gears in the middle, the cheapest way, all points in one place; else by chance."""
    options = ask.get("options")
    match ask["kind"]:
        case "gear":
            return min(set(options) - {*ask["out"]} or options, key=lambda g: abs(g - 4))
        case "black":
            return dice.randint(*dice.choice(options))
        case "move" | "slipstream":
            ends = [end for end in options if end is not None]
            best = min(ends, key=lambda e: (e["out"], e["spin"], sum(e["cost"].values())))
            return {"to": best["to"], "brakes": best["brakes"]}
        case "repair":
            return {options["categories"][0]: options["points"]}
    return dice.choice(options)


def mixed() -> list[list[Any]]:
    """The lines of the corpus' races of both Formula games, up to where each begins anew."""
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
    engine = Engine(TrackLibrary())
    taken = [line for lines in given for line in lines if engine.handle(line)["ok"]]
    begun = time.process_time()
    for line in taken:
        engine.handle(line)
    return len(taken) / (time.process_time() - begun)


def measured(checkout: Path, lines: Path) -> float:
    """The same in a process of a checkout."""
    env = {**os.environ, "PYTHONPATH": f"{checkout}{os.pathsep}{checkout / 'web'}"}
    command = [sys.executable, __file__, "--alone", str(lines)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    """Print answers a second, and the ratio to another checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mixed", action="store_true", help="the lines of the corpus")
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        print(answer_all(json.loads(asked.alone.read_text("utf-8"))))
        return
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines.json"
        lines.write_text(json.dumps(mixed() if asked.mixed else whole_races()), "utf-8")
        pairs = [
            (measured(ROOT, lines), measured(asked.against, lines) if asked.against else 0.0)
            for _ in range(asked.rounds)
        ]
    print(f"{statistics.median(a for a, _ in pairs):,.0f} answers a second")
    if asked.against:
        there = statistics.median(b for _, b in pairs)
        print(f"{there:,.0f} there; {statistics.median(a / b for a, b in pairs):.2f} of it here")


if __name__ == "__main__":
    main()
