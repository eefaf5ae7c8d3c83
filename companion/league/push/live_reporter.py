"""Reports to the club how the table stands: the latest state, and seldom."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Protocol

from companion.closing import Closing
from companion.league.errors import LeagueError

SHORTEST_S = 2.0
"""Between two states, however fast the presses come."""
LONGEST_S = 30.0
"""Between two states where nothing happens, so that the club sees that the table is there."""


class Showing(Protocol):
    """A club, as `push.club.Club`."""

    def show(self, state: bytes) -> None:
        """Tell it how the table stands.

        Raises:
            LeagueError: it did not hear.
        """


class LiveReporter(Closing):
    """A thread that shows `state()` at its start, after changes, and every half minute.

    Troubles are left to the sender of records to tell, which meets the same.
    """

    def __init__(
        self, club: Showing, state: Callable[[], bytes], *, shortest_s: float = SHORTEST_S
    ) -> None:
        self._shortest_s = shortest_s
        self._club = club
        self._state = state
        self._changed = Event()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="live-reporter", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        """The state has changed; never waits."""
        self._changed.set()

    def close(self) -> None:
        """Stop. May be called twice."""
        self._closing.set()
        self._changed.set()
        self._thread.join(timeout=1)  # it may be in the middle of a talk that the club draws out

    def _run(self) -> None:
        while not self._closing.is_set():
            self._changed.clear()
            try:
                self._club.show(self._state())
            except LeagueError:
                self._closing.wait(LONGEST_S)
                continue
            self._changed.wait(LONGEST_S)
            self._closing.wait(self._shortest_s)
