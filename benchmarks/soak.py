"""What a table holds over a season: `python benchmarks/soak.py` (with `PYTHONPATH=tests`).

Race after race of ten seats at one table, beside a hundred phones of which ten go and ten come
between two races (`support.tables.soak`). A line of JSON a race: memory in MiB, threads, open
files, seconds. Status 1 where more of files or threads are held at the end than after the
warm-up, or memory has grown by more than `MOST_MIB` a race since.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from support.tables.soak import WARM, Held, growth, season


def main() -> int:
    """Drive the season, and say whether all stayed flat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=WARM + 5)
    parser.add_argument("--phones", type=int, default=100)
    args = parser.parse_args()
    held: list[Held] = []
    with tempfile.TemporaryDirectory() as name:
        begun = time.perf_counter()
        for one in season(Path(name) / "data", args.races, phones=args.phones):
            held.append(one)
            told = {"race": len(held), "memory_mib": round(one.memory_kib / 1024, 1)}
            told |= {"threads": one.threads, "files": one.files}
            print(json.dumps(told | {"seconds": round(time.perf_counter() - begun)}), flush=True)
    grown = growth(held)
    print("flat" if not grown else "; ".join(grown))
    return bool(grown)


if __name__ == "__main__":
    sys.exit(main())
