"""What tools make of the sources: written, or (`--check`) held against what is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path


def stale(files: Mapping[Path, str]) -> list[Path]:
    """Files that are not there, or have another text."""
    return [p for p, text in files.items() if not p.exists() or p.read_text("utf-8") != text]


def renew(files: Mapping[Path, str], faults: Iterable[str] = ()) -> int:
    """Write what is stale; with `--check` only name it. What is wrong besides is told.

    Returns the status of the command: 1 if there is anything that somebody has to do.
    """
    wrong, old = list(faults), stale(files)
    if "--check" in sys.argv:
        wrong += [f"{path.name} is not up to date: run python {sys.argv[0]}" for path in old]
    else:
        for path in old:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], "utf-8")
    for fault in wrong:
        print(f"{Path(sys.argv[0]).stem}: {fault}", file=sys.stderr)
    return int(bool(wrong))
