"""The screens of one bus: what each shows, what it should show, and how it gets there.

`Screen` has no thread and no clock: `work` is called with the time, does what is due, and says when
it wants to be called again. Only dots that changed are sent. What a screen shows is unknown after
it has been silent (it may have lost its power), so it is set up again and painted whole. A screen
that nobody asks anything is asked for a sign of life now and then, and painted anew once in a
while, for a screen that lost its power between two signs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from logging import getLogger
from threading import Event, Thread
from types import MappingProxyType
from typing import Any, Protocol

from companion.drawing.bitmap import PAGES, WIDTH, Span, changed_spans
from companion.table.ports import Picture
from race_companion_wired.pinmap import ScreenPlace

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
        # Dark first, or what its memory holds by chance would be seen.
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


# -- the controllers ------------------------------------------------------------------------------


OFF, ON, NOTHING = 0xAE, 0xAF, 0xE3
"""Commands that all of them know: dark, lit, and one that does nothing but be answered."""
CONTRAST = 0x81

_GEOMETRY = (0xA8, 0x3F, 0xD3, 0x00, 0x40, 0xA1, 0xC8, 0xDA, 0x12)
"""64 rows, no offset, first row on top; the module's connector above; alternating row pins."""
_PICTURE = (0xA4, 0xA6)
"""Show the memory, a set bit lit."""
_STILL = (0x2E, *_PICTURE)
"""The same, and no scrolling."""


@dataclass(frozen=True, slots=True)
class Controller:
    """One kind of controller. `setup` leaves the screen as lit or dark as it was.

    All are written in page addressing mode: a page (eight rows) and a first column, then the dots.
    That is the only mode of the SH1106, and costs the SSD1306 three bytes a window, two where the
    page is the last one written; its own horizontal mode takes six. The SH1106 has 132 columns, of
    which the screen shows the middle 128.
    """

    name: str
    setup: tuple[int, ...]
    bright: int
    dim: int = 0x01
    first_column: int = 0

    def window(self, span: Span, page: int | None = None) -> tuple[int, ...]:
        """The commands after which data goes to the span's page and columns.

        Args:
            page: the one that was written last, if that is known: dots written move on to the
                next column, never to another page.
        """
        column = span.start + self.first_column
        place = column & 0x0F, 0x10 | column >> 4
        return place if span.page == page else (0xB0 | span.page, *place)


CONTROLLERS: Mapping[str, Controller] = MappingProxyType(
    {
        "SSD1306": Controller(
            "SSD1306",
            # The charge pump (0x8D) must be on before the screen is.
            (0xD5, 0x80, *_GEOMETRY, 0x8D, 0x14, 0x20, 0x02, 0xD9, 0xF1, 0xDB, 0x40, *_STILL),
            bright=0xCF,
        ),
        "SSD1309": Controller(
            "SSD1309",
            # Supplied with its high voltage from outside; a lock (0xFD) that may be closed.
            (0xFD, 0x12, 0xD5, 0xA0, *_GEOMETRY, 0x20, 0x02, 0xD9, 0x82, 0xDB, 0x34, *_STILL),
            bright=0x7F,
        ),
        "SH1106": Controller(
            "SH1106",
            # Its DC-DC converter (0xAD) in place of the charge pump, at 8 volts (0x32).
            (0xD5, 0x80, *_GEOMETRY, 0xAD, 0x8B, 0x32, 0xD9, 0x22, 0xDB, 0x35, *_PICTURE),
            bright=0x80,
            first_column=2,
        ),
    }
)  # fmt: skip


# -- the way to a screen --------------------------------------------------------------------------


class LumaWire:
    """A screen on `/dev/i2c-N`. The bus is opened when it is needed, and again after a failure.

    Of luma only the I2C interface is used: its devices send all 1024 bytes of a picture each time,
    and one that is closed blanks the screen.
    """

    def __init__(self, place: ScreenPlace) -> None:
        # Not imported above: the examination tells where luma is not installed, so it runs without.
        from luma.core import error

        self._errors, self._place = error, place
        self._serial: Any = None

    def command(self, *commands: int) -> None:
        """Send commands. Raises `Silent`."""
        try:
            self._open().command(*commands)
        except (self._errors.DeviceNotFoundError, OSError) as error:
            raise self._silent() from error

    def data(self, dots: bytes) -> None:
        """Send dots. Raises `Silent`."""
        try:
            # Of a screen that does not answer luma says OSError here, but not above.
            self._open().data(dots)
        except (self._errors.DeviceNotFoundError, OSError) as error:
            raise self._silent() from error

    def close(self) -> None:
        """May be called twice."""
        if self._serial is not None:
            self._serial.cleanup()
            self._serial = None

    def _open(self) -> Any:
        from luma.core.interface.serial import i2c

        if self._serial is None:
            bus = self._place.bus
            try:
                self._serial = i2c(port=bus, address=self._place.address)
            except self._errors.DeviceNotFoundError as error:
                raise Silent(
                    f"there is no bus /dev/i2c-{bus}: add the lines of docs/wiring.md to config.txt"
                ) from error
            except self._errors.DevicePermissionError as error:
                raise Silent(
                    f"/dev/i2c-{bus} may not be opened: sudo usermod -aG i2c $USER"
                ) from error
        return self._serial

    def _silent(self) -> Silent:
        self.close()
        place = self._place
        return Silent(
            f"the screen at 0x{place.address:02X} on bus {place.bus} does not answer: "
            "look at its four wires and its address"
        )


# -- the thread of a bus --------------------------------------------------------------------------


_log = getLogger(__name__)


class BusWriter:
    """The thread that writes to the screens of one bus; nobody else does, so none needs locks.

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
