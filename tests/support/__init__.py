"""Helpers of the tests: drivers, headers, scripted races; here, what a process of a test needs."""

from __future__ import annotations

import os
import sys
import time


def environment() -> dict[str, str]:
    """For a process that imports what the tests do: pytest tells its paths to nobody else."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def never_ends(*_: object) -> None:
    """What a process is to carry out that goes on until it is killed."""
    while True:
        time.sleep(60)
