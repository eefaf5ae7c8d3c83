"""One screen on a bus: what it shows, what it should show, and how it gets there.

There is no thread and no clock in here: `work` is called with the time, does what is due, and
says when it wants to be called again. Only dots that changed are sent. What a screen shows is
unknown after it has been silent (it may have lost its power), so it is set up again and
painted whole. A screen that nobody asks anything is asked for a sign of life now and then, and
painted anew once in a while, for a screen that lost its power between two signs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.drawing.bitmap import PAGES, WIDTH, Span, changed_spans
from companion.seats.wired.controllers import CONTRAST, NOTHING, OFF, ON, Controller
from companion.table.ports import Picture

SIGN_S = 2.0
REPAINT_S = 10.0
DIM_S = 120.0
SLEEP_S = 900.0
"""Organic light burns in: a screen on which nothing happens dims, then goes dark."""
FIRST_RETRY_S = 0.25
LAST_RETRY_S = 8.0

_WHOLE = [Span(page, 0, WIDTH) for page in range(PAGES)]


class Silent(Exception):
    """The screen did not answer; the message tells a person where to look."""


class Wire(Protocol):
    """The way to one screen. Both raise `Silent`."""

    def command(self, *commands: int) -> None:
        """Send at most 32 bytes of commands."""

    def data(self, dots: bytes) -> None:
        """Send dots to the window that was opened."""

    def close(self) -> None:
        """May be called twice."""


class Screen:
    """A screen and its picture. `show` and `wake` may be called from any thread, the rest from one.

    Args:
        wire: the way to it.
        report: called with why the screen is silent, or None once it serves again; changes only.
    """

    def __init__(
        self, controller: Controller, wire: Wire, report: Callable[[str | None], None]
    ) -> None:
        self._controller = controller
        self._wire = wire
        self._report = report
        self._wanted: Picture | None = None
        self._painted: bytes | None = None
        self._number = 0
        self._light: int | None = None
        self._last_use = self._last_word = self._last_whole = float("-inf")
        self._used = False
        self._pause = 0.0
        self._retry_at = float("-inf")
        self.errors = 0
        """How often it did not answer."""

    def show(self, picture: Picture) -> None:
        """Show this picture; the latest wins."""
        self._wanted = picture

    def wake(self) -> bool:
        """Somebody touched the seat: bright again at the next `work`; whether it was asleep."""
        self._used = True
        return self._light == OFF

    @property
    def number(self) -> int:
        """The number of the picture that can be read on it; 0: none."""
        return self._number

    def work(self, now: float) -> float:
        """Do what is due at `now` (seconds); returns when there may be something due again."""
        if now < self._retry_at:
            return self._retry_at
        try:
            self._catch_up(now)
        except Silent as silence:
            return self._fall_silent(now, str(silence))
        if self._pause:
            self._pause = 0.0
            self._report(None)
        return now + SIGN_S

    def close(self) -> None:
        """Let go of the bus; what the screen shows stays on it. May be called twice."""
        self._wire.close()

    def darken(self) -> None:
        """Switch the screen off; one that is silent stays as it is."""
        try:
            self._wire.command(OFF)
        except Silent:
            return
        self._light = OFF

    def _catch_up(self, now: float) -> None:
        wanted = self._wanted
        if self._used or (wanted is not None and wanted.number != self._number):
            self._last_use = now
        self._used = False
        if self._painted is None or now - self._last_whole >= REPAINT_S:
            self._set_up(now, wanted)
        if wanted is not None and wanted.number != self._number:
            self._paint(wanted.bitmap, now)
            self._number = wanted.number
        self._lighten(self._light_at(now), now)
        if now - self._last_word >= SIGN_S:
            self._command(now, NOTHING)

    def _set_up(self, now: float, wanted: Picture | None) -> None:
        """Wake the controller and paint all of its memory, which holds anything at power-up."""
        if self._painted is None:
            self._command(now, OFF)
        self._light = None  # whether it is lit is sent again, once its memory is painted
        self._command(now, *self._controller.setup)
        self._send(bytes(PAGES * WIDTH) if wanted is None else wanted.bitmap, _WHOLE, now)
        self._number = 0 if wanted is None else wanted.number
        self._last_whole = now
        if self._last_use == float("-inf"):
            self._last_use = now

    def _paint(self, bitmap: bytes, now: float) -> None:
        assert self._painted is not None
        self._send(bitmap, changed_spans(self._painted, bitmap), now)

    def _send(self, bitmap: bytes, spans: list[Span], now: float) -> None:
        page = None
        for span in spans:
            self._command(now, *self._controller.window(span, page))
            page = span.page
            first = span.page * WIDTH
            self._wire.data(bitmap[first + span.start : first + span.stop])
        self._painted = bitmap

    def _lighten(self, light: int, now: float) -> None:
        if light == self._light:
            return
        if light == OFF:
            self._command(now, OFF)
        else:
            self._command(now, CONTRAST, light, ON)
        self._light = light

    def _light_at(self, now: float) -> int:
        idle = now - self._last_use
        if idle >= SLEEP_S:
            return OFF
        return self._controller.dim if idle >= DIM_S else self._controller.bright

    def _command(self, now: float, *commands: int) -> None:
        self._wire.command(*commands)
        self._last_word = now

    def _fall_silent(self, now: float, why: str) -> float:
        """Nothing is known of the screen now; try again, less and less often."""
        self._painted = self._light = None
        self._number = 0
        self.errors += 1
        if not self._pause:
            self._report(why)
        self._pause = min(self._pause * 2, LAST_RETRY_S) or FIRST_RETRY_S
        self._retry_at = now + self._pause
        return self._retry_at
