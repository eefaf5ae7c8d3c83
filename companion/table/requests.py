"""What is put to the table's thread, one queue for all: presses, lines, a seat's health."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from companion.table.ports import JSON, Caller, Reply, Trouble

MOST_AT_ONCE = 32
"""Requests that share a sync; more wait for the next."""


@dataclass(slots=True)
class Request:
    """Something said to the table, and where its reply goes.

    `press` is button, hold and picture for a press of `seat`'s buttons, else None; `health`
    which part of that seat fails, and why (None: it can be reached), else None.
    """

    caller: Caller
    line: JSON = field(default_factory=dict)
    seat: int = 0
    press: tuple[int, bool, int | None] | None = None
    health: tuple[str, Trouble | None] | None = None
    reply: Future[Reply] = field(default_factory=Future)


class Requests:
    """The queue. Any thread puts in; the table's thread takes out."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Request | None] = SimpleQueue()

    def put(self, request: Request | None) -> None:
        """Put a request in; None asks the table's thread to stop."""
        self._waiting.put(request)

    def take(self, patience_s: float | None) -> list[Request | None]:
        """What waits, at most `MOST_AT_ONCE`; None at its end means stop.

        Empty where nothing has come within `patience_s` seconds (None: as long as it takes).
        """
        try:
            batch = [self._waiting.get(timeout=patience_s)]
        except Empty:
            return []
        while len(batch) < MOST_AT_ONCE and batch[-1] is not None:
            try:
                batch.append(self._waiting.get_nowait())
            except Empty:
                break
        return batch
