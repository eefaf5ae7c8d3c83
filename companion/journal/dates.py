"""What the computer takes for the date, in the names of files. Nothing relies on it."""

from __future__ import annotations

import time


def now() -> str:
    """Like 20261122-210405."""
    return time.strftime("%Y%m%d-%H%M%S")
