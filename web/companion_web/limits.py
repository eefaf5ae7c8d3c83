"""How much may be asked: counted in memory, forgotten with time.

Two questions, two counters. `Window` is exact (no more than so many in any second from one
address) and guards the table against a phone that has gone wild. `Bucket` refills slowly and
guards the referee's PIN against guessing.
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
            if len(self._seen) > MOST_ADDRESSES:
                self._seen.popitem(last=False)
            while seen and now - seen[0] >= self._span_s:
                seen.popleft()
            if len(seen) >= self._most:
                return False
            seen.append(now)
            return True


class Bucket:
    """`depth` at once, and then `rate` a second."""

    def __init__(
        self, depth: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._depth = self._left = depth
        self._rate = rate
        self._clock = clock
        self._since = clock()
        self._lock = Lock()

    def take(self) -> bool:
        """Take one, if there is one."""
        with self._lock:
            now = self._clock()
            self._left = min(self._left + (now - self._since) * self._rate, self._depth)
            self._since = now
            if self._left < 1:
                return False
            self._left -= 1
            return True

    def put_back(self) -> None:
        """What was taken has not been needed."""
        with self._lock:
            self._left = min(self._left + 1, self._depth)

    def set(self, left: float) -> None:
        """So many are left now, less than none too."""
        with self._lock:
            self._left, self._since = left, self._clock()
