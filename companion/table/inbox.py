"""What waits for the table's thread, and the signs of life that it gives while it waits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import field
from queue import Empty, SimpleQueue

from companion.frozen import dataclass
from companion.table.ports import Caller, Line, Reply, Trouble
from companion.table.screens import Press

MOST_AT_ONCE = 32
"""Requests that share a sync; more wait for the next."""


@dataclass(frozen=True, slots=True)
class Health:
    """A part of a seat fails, and why; None: it can be reached."""

    seat: int
    part: str
    trouble: Trouble | None


@dataclass(slots=True)
class Request:
    """What is asked of the table, by whom, and where its reply goes; a line as it came."""

    caller: Caller
    what: Press | Health | Line
    reply: Future[Reply] = field(default_factory=Future)


class Inbox:
    """The queue of the table's thread; None in it means stop.

    Args:
        alive: is called at each batch, and at least every `every_s` seconds (None: it need not be).
    """

    def __init__(self, alive: Callable[[], None], every_s: float | None) -> None:
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._alive = alive
        self._every_s = every_s

    def put(self, request: Request | None) -> None:
        """From every thread; no waiting."""
        self._queue.put(request)

    def batch(self, patience_s: float | None) -> list[Request | None]:
        """What waits, None at its end; nothing where patience has come to its end before."""
        self._alive()
        try:
            batch = [self._next(patience_s)]
        except Empty:
            return []
        while len(batch) < MOST_AT_ONCE and batch[-1] is not None and not self._queue.empty():
            batch.append(self._queue.get())
        return batch

    def _next(self, patience_s: float | None) -> Request | None:
        """The next request.

        Raises:
            Empty: patience has come to its end.
        """
        every_s = self._every_s
        while every_s is not None and (patience_s is None or patience_s > every_s):
            with suppress(Empty):
                return self._queue.get(timeout=every_s)
            self._alive()
            patience_s = None if patience_s is None else patience_s - every_s
        return self._queue.get(timeout=patience_s)
