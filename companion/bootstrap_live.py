"""The live test at an open table: it borrows the seats of the drivers that are open."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Final

from companion.closing import Closing
from companion.seats.findings import Finding
from companion.seats.hub import SeatHub
from companion.seats.live import LiveTest, Tried
from companion.table.ports import Snapshot, TablePort
from companion.table.state import TableState

LOOKED_S: Final = 60.0
"""So long after nobody looks at the page any more, the seats are the table's again."""
RACING: Final = "live-racing"
NO_SEATS: Final = "live-no-seats"
NOT_ON: Final = "live-not-on"
NO_LAMP: Final = "live-no-lamp"


class LiveSeats(Closing):
    """The `LivePort` of a table. A race that begins or goes on takes its seats back.

    Args:
        is_racing: whether a race is on the table that is neither paused nor over.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        hub: SeatHub,
        table: TablePort,
        is_racing: Callable[[], bool],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hub, self._is_racing, self._now = hub, is_racing, now
        self._starting = Lock()
        self._live: LiveTest | None = None
        self._thread: Thread | None = None
        self._found: Sequence[Finding] | None = None
        self._tried: Sequence[Tried] = ()
        self._looked_s = 0.0
        self._stop_watching = table.watch(self._watch)

    @property
    def is_on(self) -> bool:
        """Whether the seats are under test."""
        return self._live is not None

    @property
    def asked(self) -> tuple[int, int] | None:
        """The seat and the button that are waited for."""
        live = self._live
        return live.asked if live else None

    def tried(self) -> Sequence[Tried]:
        """The seats under test, or as they were at its end; whoever asks looks at the page."""
        self._looked_s = self._now()
        if (live := self._live) is not None:
            self._tried = live.tried()
        return self._tried

    def found(self) -> Sequence[Finding] | None:
        """What was found; None while it is still asked, and before."""
        return self._found

    def do(self, what: str, seat: int) -> str:
        """`start`, `stop`, `skip`, `lamp` or `buzzer` (of a seat); the key of why not, or ""."""
        if what == "start":
            return self._start()
        live = self._live
        if live is None:
            return NOT_ON
        if what in ("lamp", "buzzer"):
            return "" if live.signal(seat, what) else NO_LAMP
        (live.stop if what == "stop" else live.skip)()
        return ""

    def close(self) -> None:
        """Stop, and give the seats back. May be called twice."""
        self._stop_watching()
        if (live := self._live) is not None:
            live.stop()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> str:
        with self._starting:
            if self._live is not None:
                return ""
            if self._is_racing():
                return RACING
            if not self._hub.drivers:
                return NO_SEATS
            self._found, self._looked_s = None, self._now()
            live = self._live = LiveTest(lambda line: None)
            self._thread = Thread(target=self._run, args=(live,), name="live test", daemon=True)
            self._thread.start()
        return ""

    def _run(self, live: LiveTest) -> None:
        drivers = self._hub.lend(live)
        try:
            if self._is_racing():  # it has begun since
                live.stop()
            self._found = live.run(drivers, self._is_left)
            while not (live.is_over or self._is_left()):
                live.look_on()
            self._tried = live.tried()
        finally:
            self._live = None
            self._hub.take_back()

    def _is_left(self) -> bool:
        return self._now() - self._looked_s > LOOKED_S

    def _watch(self, shown: Snapshot) -> None:
        """In the table's thread."""
        live = self._live
        if live is not None and self._is_racing():
            live.stop()


def is_racing(state: TableState) -> bool:
    """Whether a race is on the table that is neither paused nor over."""
    race = state.race
    return race is not None and not (race.paused or race.is_finished)
