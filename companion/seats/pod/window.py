"""Numbered frames under way: a window of them, sent again until they are acknowledged.

The other side acts on them in order and acknowledges the last one, so an acknowledgement
covers all before it, and after a loss everything from the lost one on is sent again. Twice
received does nothing: the numbers show it.
"""

from __future__ import annotations

from collections import deque

NUMBERS = 256
"""Numbers go round: 255 is followed by 0. The first of a session is 1."""


def follows(last: int, number: int) -> bool:
    """Whether `number` comes right after `last`.

    >>> follows(255, 0), follows(3, 3)
    (True, False)
    """
    return number == (last + 1) % NUMBERS


class Window:
    """The frames that are not acknowledged yet, oldest first."""

    def __init__(self, *, size: int, resend_ms: float, longest_ms: float) -> None:
        self.resent = 0
        self._size = size
        self._shortest_ms, self._longest_ms = resend_ms, longest_ms
        self._wait_ms = resend_ms
        self._last = 0
        self._under_way: deque[tuple[int, bytes]] = deque()
        self._due_ms = 0.0

    @property
    def has_room(self) -> bool:
        """Whether one more may be sent."""
        return len(self._under_way) < self._size

    @property
    def is_empty(self) -> bool:
        """Whether all has been acknowledged."""
        return not self._under_way

    @property
    def due_ms(self) -> float | None:
        """When the frames are to be sent again; None: there is nothing to wait for."""
        return self._due_ms if self._under_way else None

    @property
    def next_number(self) -> int:
        """The number that the next frame must carry."""
        return (self._last + 1) % NUMBERS

    def add(self, frame: bytes, now_ms: float) -> None:
        """A frame with `next_number` is being sent."""
        self._last = self.next_number
        self._under_way.append((self._last, frame))
        self._due_ms = now_ms + self._wait_ms

    def acknowledge(self, number: int, now_ms: float) -> None:
        """Everything up to `number` has arrived; any other number is an old word, and nothing."""
        if number not in (known for known, _ in self._under_way):
            return
        while self._under_way.popleft()[0] != number:
            pass
        self._wait_ms = self._shortest_ms
        self._due_ms = now_ms + self._wait_ms

    def again(self, now_ms: float) -> bytes:
        """The frames, if it is time to send them again; each time the wait doubles."""
        if not self._under_way or now_ms < self._due_ms:
            return b""
        self.resent += len(self._under_way)
        self._wait_ms = min(self._wait_ms * 2, self._longest_ms)
        self._due_ms = now_ms + self._wait_ms
        return b"".join(frame for _, frame in self._under_way)

    def begin(self) -> None:
        """A new session: nothing is under way, numbers begin again."""
        self._under_way.clear()
        self._last = 0
        self._wait_ms = self._shortest_ms
