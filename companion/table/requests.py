"""What is put to the table's thread, one queue for all: presses, lines, a seat's health."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from companion.table.ports import JSON, Caller, Reply, Trouble

MOST_AT_ONCE = 32
"""Requests that share a sync; more wait for the next."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button of a seat was released; `picture` is the number that it was read from."""

    seat: int
    button: int
    hold: bool
    picture: int | None


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
    what: Press | Health | JSON
    reply: Future[Reply] = field(default_factory=Future)


class Requests:
    """The queue. All threads put in; the table's thread takes out."""

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
