"""Press → the changed screens of six cars drawn, durable and published: at most 5 × a bare fsync.

A race of six is driven by answers through the table's session, journal on disk, from the call
to its reply: by then every seat's picture is there. A bare fsync of the same file system is
timed after each answer. `--against CHECKOUT` measures another checkout in turn with this one,
each time in a process of its own, and says how the medians compare.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from http import HTTPStatus
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from timing import bare_fsync, compare

from companion.app.table import RunningTable
from companion.system.config import Config
from companion.table.ports import Caller

GOAL = 5.0
ROUNDS = 600
TURNS = 5
"""How often this checkout and another are measured in turn."""
SEATS = 6
REFEREE = Caller(referee=True, by="referee")
HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 3,
    "seats": [{"seat": seat, "name": f"Driver {seat}"} for seat in range(1, SEATS + 1)],
}


def some_answer(ask: dict[str, Any], dice: Random) -> dict[str, Any]:
    """A legal answer that seldom ends a race: a low gear, an end that costs little."""
    kind, options = ask["kind"], ask["options"]
    if kind == "gear":
        value: Any = min(options, key=lambda gear: (gear in ask["out"], abs(gear - 3)))
    elif kind == "black":
        value = dice.randint(*dice.choice(options))
    elif kind == "move":
        best = min(options, key=lambda o: (o["out"], o["spin"], sum(o["cost"].values())))
        value = {"to": best["to"], "brakes": best["brakes"]}
    else:
        value = None if kind == "slipstream" else dice.choice(options)
    return {"seat": ask["seat"], kind: value}


def measure() -> dict[str, float]:
    """Medians in microseconds of a press and of a bare fsync, and their ratio."""
    dice = Random(1)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        config = Config(data=Path(name), host="127.0.0.1", port=0)
        with RunningTable(config) as table:
            reply = table.start(header=HEADER)
            line: dict[str, Any] = {}

            def press() -> None:
                nonlocal reply
                reply = table.session.submit(REFEREE, line)

            pairs = []
            bare = bare_fsync(Path(name))
            for _ in range(ROUNDS):
                assert reply is not None
                assert reply.status == HTTPStatus.OK, reply
                asks = reply.body["asks"]
                if not asks:
                    reply = table.session.submit(REFEREE, {"new": HEADER})
                    asks = reply.body["asks"]
                line = some_answer(asks[0], dice)
                pairs.append(compare(1, press, bare))
    ours, other = (median(pair[key] for pair in pairs) for key in ("ours_us", "other_us"))
    return {"ours_us": round(ours, 1), "other_us": round(other, 1), "ratio": round(ours / other, 2)}


def measure_at(checkout: Path) -> dict[str, float]:
    """The same of another checkout, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": f"{checkout}{os.pathsep}{checkout / 'web'}"}
    words = [sys.executable, __file__]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main() -> int:
    """Print the figures as JSON; the status says whether the goal is reached."""
    parser = argparse.ArgumentParser(description="Press to durable and drawn.")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    against = parser.parse_args().against
    if against is None:
        figures = measure()
        print(json.dumps({"what": "press / bare fsync", "goal": GOAL, **figures}))
        return 0 if figures["ratio"] <= GOAL else 1
    checkouts = {"this": Path(__file__).parent.parent.resolve(), "against": against.resolve()}
    turns = [{name: measure_at(at) for name, at in checkouts.items()} for _ in range(TURNS)]
    ratios = {name: median(turn[name]["ratio"] for turn in turns) for name in checkouts}
    times = {f"{name}_us": median(turn[name]["ours_us"] for turn in turns) for name in checkouts}
    faster = round(
        median(turn["against"]["ours_us"] / turn["this"]["ours_us"] for turn in turns), 2
    )
    print(json.dumps({"what": "press / bare fsync", "goal": GOAL, **ratios, **times, "×": faster}))
    return 0 if ratios["this"] <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
