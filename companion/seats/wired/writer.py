"""The thread that writes to the screens of one bus: nobody else does, so none of it needs locks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from logging import getLogger
from threading import Event, Thread

from companion.seats.wired.screen import SIGN_S, Screen
from companion.table.ports import Picture

_log = getLogger(__name__)


class BusWriter:
    """The writer of one bus.

    Args:
        name: of its thread.
        screens: the screens of this bus by seat.
        now: a monotonic clock in seconds.
    """

    def __init__(self, name: str, screens: Mapping[int, Screen], now: Callable[[], float]) -> None:
        self._screens = screens
        self._now = now
        self._work = Event()
        self._stopping = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def show(self, seat: int, picture: Picture) -> None:
        """Show a picture on a seat's screen; returns at once."""
        self._screens[seat].show(picture)
        self._work.set()

    def wake(self, seat: int) -> bool:
        """Somebody touched the seat; whether its screen was asleep."""
        was_asleep = self._screens[seat].wake()
        self._work.set()
        return was_asleep

    def close(self) -> None:
        """Finish the picture that is being written and stop. May be called twice."""
        self._stopping = True
        self._work.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping:
            # Cleared first: what is shown while the screens are written wakes it again.
            self._work.clear()
            due = min(self._serve(screen) for screen in self._screens.values())
            self._work.wait(max(0.0, due - self._now()))
        for screen in self._screens.values():
            self._serve(screen)  # the last picture is not lost on the way out
            screen.close()

    def _serve(self, screen: Screen) -> float:
        now = self._now()
        try:
            return screen.work(now)
        except Exception:  # one screen's trouble must not leave the others of its bus dark
            _log.exception("a screen could not be written")
            return now + SIGN_S
