"""Press → the changed screens of six cars drawn, durable and published: at most 3 × a bare fsync.

A race of six is driven by answers through the table's session, journal on disk, from the call
to its reply: by then every seat's picture is there. A bare fsync of the same file system is
timed after each answer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from timing import bare_fsync, compare

from companion.bootstrap import RunningTable
from companion.config import Config
from companion.table.ports import Caller

GOAL = 3.0
ROUNDS = 600
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


def main() -> int:
    """Print the figures as JSON; the status says whether the goal is reached."""
    dice = Random(1)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        config = Config(data=Path(name), host="127.0.0.1", port=0)
        with RunningTable(config) as table:
            table.start(header=HEADER)
            lines: list[dict[str, Any]] = []

            def press() -> None:
                reply = table.session.submit(REFEREE, lines.pop())
                assert reply.status == 200, reply

            pairs = []
            bare = bare_fsync(Path(name))
            for _ in range(ROUNDS):
                if not table.state.asks:
                    table.session.submit(REFEREE, {"new": HEADER})
                lines.append(some_answer(table.state.asks[0], dice))
                pairs.append(compare(1, press, bare))
    figures = {
        key: sorted(pair[key] for pair in pairs)[ROUNDS // 2] for key in ("ours_us", "other_us")
    }
    ratio = round(figures["ours_us"] / figures["other_us"], 2)
    print(json.dumps({"what": "press / bare fsync", "goal": GOAL, **figures, "ratio": ratio}))
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
