"""How many wrong PINs may still be compared: one count for all processes and hosts of a club.

It lies in a file of the club's storage, as how many were left and when. A process that has compared
a wrong PIN takes one away there, and compares no other before it knows what is left: so all of them
together compare as many as one would, and one more each at the most. That holds while the storage
is away, too: what cannot be counted keeps the next one from being compared.
"""

from __future__ import annotations

from collections.abc import Callable
from logging import getLogger
from threading import Event, Thread

from companion.closing import Closing
from companion.league.errors import LeagueError
from companion.league.storage import Storage

GUESSES = "league/wrong-pins"
"""How many are left, and in which second they were."""
AGAIN_S = 1.0
_log = getLogger(__name__)


class Guesses(Closing):
    """Counts, in a thread of its own.

    Args:
        depth: how many are compared at once. `rate`: how many more in each second.
        told: is told how many are left, once one was counted.
    """

    def __init__(
        self, storage: Storage, *, depth: float, rate: float, told: Callable[[float], object]
    ) -> None:
        self._storage, self._told = storage, told
        self._depth, self._rate = depth, rate
        self._wanted, self._closing = Event(), Event()
        self._thread = Thread(target=self._serve, name="wrong PINs", daemon=True)
        self._thread.start()

    def count(self) -> bool:
        """Have one more counted; never waits. True, as there are others to share it with."""
        self._wanted.set()
        return True

    def close(self) -> None:
        """Count no more. May be called twice."""
        self._closing.set()
        self._wanted.set()
        self._thread.join(timeout=1)  # the storage may be away

    def _serve(self) -> None:
        failed = False
        while self._wanted.wait() and not self._closing.is_set():
            try:
                left = self._take()
            except LeagueError as error:
                if not failed:
                    _log.warning("no PIN is compared until a wrong one can be counted: %s", error)
                failed = True
                self._closing.wait(AGAIN_S)
                continue
            failed = False
            self._wanted.clear()
            self._told(left)

    def _take(self) -> float:
        left = self._depth

        def take(content: bytes) -> bytes:
            nonlocal left
            now = self._storage.seconds()  # while nobody else writes: what refills counts once
            before, since = _read(content) or (self._depth, now)
            since = min(since, now)  # a clock that was put back
            left = min(before + (now - since) * self._rate, self._depth) - 1
            return f"{left} {now}\n".encode()

        self._storage.change(GUESSES, take)
        return left


def _read(content: bytes) -> tuple[float, float] | None:
    """How many were left, and when; None: nobody has counted, or the plug was pulled then."""
    try:
        left, since = map(float, content.split())
    except ValueError:
        return None
    return left, since
