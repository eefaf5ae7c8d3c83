"""What the page says on stderr: one sentence, and the same one not again for a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

EVERY_S: Final = 60.0


class Complaint:
    """A sentence for the log that an attacker may bring about as often as he likes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: float | None = None

    def say(self, sentence: str) -> bool:
        """Say it, unless it was said within the last minute; whether it was said."""
        now = self._clock()
        if self._said is not None and now - self._said < EVERY_S:
            return False
        self._said = now
        print(f"companion: {sentence}", file=sys.stderr, flush=True)
        return True
