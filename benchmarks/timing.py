"""Pairs of timings taken in turn: a machine's noise then meets both alike."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def bare_fsync(folder: Path) -> Callable[[], None]:
    """Append an answer's worth of bytes to a file in this folder and sync it."""
    file = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def once() -> None:
        os.write(file, b"x" * 120)
        os.fsync(file)

    return once


def compare(
    rounds: int, ours: Callable[[], object], other: Callable[[], object]
) -> dict[str, float]:
    """Medians in microseconds of paired runs, and their ratio."""
    pairs = [(seconds(ours), seconds(other)) for _ in range(rounds)]
    return {
        "ours_us": round(statistics.median(a for a, _ in pairs) * 1e6, 1),
        "other_us": round(statistics.median(b for _, b in pairs) * 1e6, 1),
        "ratio": round(
            statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs), 2
        ),
    }
