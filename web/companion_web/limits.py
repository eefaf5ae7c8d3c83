"""How much one address may ask: counted in memory, forgotten with time.

Two questions, two counters. `Window` is exact (no more than so many in any second) and
guards the table against a phone that has gone wild. `Bucket` refills slowly and guards
the referee's PIN against guessing: only wrong keys take from it, so nobody who knows a
key ever meets it.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock
from typing import Final

MOST_ADDRESSES: Final = 1024


class Window:
    """At most `most` in any `span_s` seconds from one address."""

    def __init__(
        self, most: int, span_s: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._span_s = span_s
        self._clock = clock
        self._lock = Lock()
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def admits(self, address: str) -> bool:
        """Count one more from this address, if it may; a refused one is not counted."""
        now = self._clock()
        with self._lock:
            seen = self._seen.setdefault(address, deque())
            self._seen.move_to_end(address)
            _forget_oldest(self._seen)
            while seen and now - seen[0] >= self._span_s:
                seen.popleft()
            if len(seen) >= self._most:
                return False
            seen.append(now)
            return True


class Bucket:
    """`depth` at once from one address, and then `rate` a second."""

    def __init__(
        self, depth: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._depth = depth
        self._rate = rate
        self._clock = clock
        self._lock = Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def is_empty(self, address: str) -> bool:
        """Whether nothing is left for this address at the moment."""
        with self._lock:
            return self._now_left(address) < 1

    def take(self, address: str) -> None:
        """Take one away."""
        with self._lock:
            left = max(self._now_left(address) - 1, 0.0)
            self._left[address] = (left, self._clock())
            self._left.move_to_end(address)
            _forget_oldest(self._left)

    def _now_left(self, address: str) -> float:
        left, since = self._left.get(address, (self._depth, 0.0))
        return min(left + (self._clock() - since) * self._rate, self._depth)


def _forget_oldest(
    counters: OrderedDict[str, deque[float]] | OrderedDict[str, tuple[float, float]],
) -> None:
    if len(counters) > MOST_ADDRESSES:
        counters.popitem(last=False)
