"""A checkout that lists its legal moves in a process of its own, pass by pass.

Nothing of the companion is imported here, so the process may be one of another checkout.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random


class Lister:
    """A process that lists the moves of a checkout."""

    def __init__(self, checkout: Path) -> None:
        self.rates: list[float] = []
        self.options = self.peak_kib = 0.0
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(checkout)],
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def once(self) -> None:
        """One pass over all positions."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        rate, self.options, self.peak_kib = map(float, self._process.stdout.readline().split())
        self.rates.append(rate)

    def in_words(self, name: str) -> str:
        """Medians in words."""
        rate = statistics.median(self.rates)
        return (
            f"{name}: {rate:,.0f} lists a second, {self.options:.1f} options a list, "
            f"{self.peak_kib / 1024:.1f} MiB"
        )

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


def answer(checkout: Path) -> None:
    """Pass over the positions of a checkout for each line that comes in, and say what it took.

    Of its benchmark `positions` and `move_options` are used, whatever the two agree on.
    """
    spec = spec_from_file_location("listed", checkout / "benchmarks" / "moves.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    cases = module.positions(Random(1))
    for _ in sys.stdin:
        begun = time.process_time()
        options = sum(len(module.move_options(*case)) for case in cases)
        took = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(len(cases) / took, options / len(cases), peak, flush=True)


if __name__ == "__main__":
    answer(Path(sys.argv[1]))
