"""The chain of lights at a table that is open: it looks at the table as a page would.

The chain begins with the five start lights; the seats follow, seat 1 first. A seat's lights have
the color of its car while it is asked, blink while its press stands refused, and are dark
otherwise. The five go on one after the other before the first round and out together; after that
they are blue in the rain, yellow while debris lies on the road, both in turn where both are.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from logging import getLogger
from math import inf
from threading import Condition
from types import MappingProxyType
from typing import Any, Protocol

from companion.seats.pinmap import Line, WiredSeat, light
from companion.seats.plan import Finding, Options, SeatTrouble
from companion.seats.wired.buttons import PinFactory, open_factory
from companion.seats.wired.doctor import Machine
from companion.system.frozen import dataclass
from companion.system.host import Closing, Lasting, how_to_install
from companion.table.ports import Lamp, Snapshot, TablePort

# -- what each light shows: no thread, no clock and no wire ---------------------------------------


FIVE = 5
LIGHT_S = 0.7
"""From one start light to the next; the television shows them at the same pace."""
BLINK_S = 0.5

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""
DARK: Color = (0, 0, 0)
START: Color = (255, 0, 0)
RAIN: Color = (0, 0, 255)
DEBRIS: Color = (255, 150, 0)
CARS: Mapping[str, Color] = MappingProxyType(
    {
        "red": (255, 0, 0),
        "blue": (0, 0, 255),
        "yellow": (255, 180, 0),
        "green": (0, 255, 0),
        "black": (255, 255, 255),  # a light cannot be black: the black car's is white
        "orange": (255, 70, 0),
        "violet": (110, 0, 255),
        "cyan": (0, 200, 200),
        "pink": (255, 40, 110),
        "brown": (90, 25, 0),
    }
)
"""The light of each color of a car: what a diode shows of it, not what a screen does."""


@dataclass(frozen=True, slots=True)
class Chain:
    """How a chain is built: so many seats, `each` lights a seat, behind the five."""

    seats: int
    each: int = 1

    def __len__(self) -> int:
        return FIVE + self.seats * self.each


@dataclass(frozen=True, slots=True)
class Sight:
    """What the lights need to know of a table. `race` and `round` are None without a race."""

    lamps: Mapping[int, Lamp] = field(default_factory=dict)
    colors: Mapping[int, str] = field(default_factory=dict)
    race: str | None = None
    round: int | None = None
    raining: bool = False
    debris: bool = False


def begins(before: Sight, now: Sight) -> bool:
    """Whether the first round of a race has come between two sights of it."""
    return before.race == now.race and (before.round or 0) < 1 == now.round


def lights(chain: Chain, sight: Sight, elapsed: float, started: float) -> list[Color]:
    """The color of each light.

    Args:
        elapsed: seconds on the clock that blinking follows.
        started: seconds since the first round began; infinity where it was not seen.
    """
    shown = _five(sight, started)
    is_lit = elapsed % (2 * BLINK_S) < BLINK_S
    for seat in range(1, chain.seats + 1):
        lamp = sight.lamps.get(seat, "off")
        is_on = lamp == "on" or (lamp == "blinks" and is_lit)
        color = CARS.get(sight.colors.get(seat, ""), CARS["black"])
        shown += [color if is_on else DARK] * chain.each
    return shown


def rests(sight: Sight, started: float) -> bool:
    """Whether the lights stay as they are until the table changes."""
    return "blinks" not in sight.lamps.values() and started >= (FIVE + 1) * LIGHT_S


def _five(sight: Sight, started: float) -> list[Color]:
    if started < (FIVE + 1) * LIGHT_S:
        lit = min(int(started / LIGHT_S), FIVE)
        return [START] * lit + [DARK] * (FIVE - lit)
    even = RAIN if sight.raining else DEBRIS if sight.debris else DARK
    odd = DEBRIS if sight.debris else even
    return [odd if place % 2 else even for place in range(FIVE)]


# -- the thread that looks at the table -----------------------------------------------------------


def open_lights(
    table: TablePort, options: Options, wired: Sequence[WiredSeat] = (), factory: str = "lgpio"
) -> Lights:
    """Light the chain that `[light]` describes.

    Args:
        wired: the seats whose buttons are on the lines of this machine.
        factory: the pin factory of these seats.

    Raises:
        SeatTrouble: it describes none.
    """
    figures = figures_of(options)
    chain = Chain(figures["seats"], figures["each"])
    lines = Lines(*light().spare, factory) if light().taken_by(wired) else None
    return Lights(table, chain, LumaChain(len(chain), figures["brightness"], lines=lines))


SEATS = range(1, 11)
EACH = range(1, 9)
BRIGHTNESS = range(1, 16)
_KNOWN = {"seats": (SEATS, 6), "each": (EACH, 1), "brightness": (BRIGHTNESS, 4)}
"""What `[light]` may say, within which bounds, and what it says where it does not."""


def figures_of(options: Options) -> dict[str, int]:
    """The figures of `[light]`: `seats`, lights of `each` of them, `brightness` of 15.

    Raises:
        SeatTrouble: one that there is not, or that is out of bounds.
    """
    unknown = sorted(options.keys() - _KNOWN.keys())
    if unknown:
        raise SeatTrouble(f"[light] has {unknown[0]!r}; it knows {', '.join(sorted(_KNOWN))}")
    figures = {}
    for name, (bounds, usual) in _KNOWN.items():
        figure = options.get(name, usual)
        if type(figure) is not int or figure not in bounds:
            at = f"from {bounds[0]} to {bounds[-1]}"
            raise SeatTrouble(f"[light] {name} = {figure!r} should be a number {at}")
        figures[name] = figure
    return figures


STEP_S = min(BLINK_S, LIGHT_S) / 2
"""How often lights that move are looked at."""
RETRY_S = 8.0
_log = getLogger(__name__)


class Wire(Protocol):
    """The way to a chain."""

    def show(self, colors: Sequence[Color]) -> None:
        """Send a color to every light. Raises `OSError`."""

    def close(self) -> None:
        """May be called twice."""


class Lights(Closing):
    """A chain that follows a table; a bus that fails is tried again, and told once in the log.

    Args:
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        table: TablePort,
        chain: Chain,
        wire: Wire,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chain = chain
        self._wire = wire
        self._now = now
        self._fresh: Snapshot | None = None
        self._is_open = True
        self._changed = Condition()
        self._unwatch = table.watch(self._look)
        self._look(table.snapshot())
        self._thread = Lasting("lights", self._serve, lambda: not self._is_open)
        self._thread.start()

    def close(self) -> None:
        """Put the lights out. May be called twice."""
        self._unwatch()
        with self._changed:
            self._is_open = False
            self._changed.notify()
        self._thread.join()

    def _look(self, snapshot: Snapshot) -> None:
        """The table's thread: must not block."""
        with self._changed:
            self._fresh = snapshot
            self._changed.notify()

    def _serve(self) -> None:
        sight, started, shown, failed = Sight(), -inf, None, False
        pause: float | None = 0.0
        while self._wait(pause):
            with self._changed:
                fresh, self._fresh = self._fresh, None
            if fresh is not None:
                before, sight = sight, _sight_of(fresh)
                started = self._now() if begins(before, sight) else started
            now = self._now()
            wanted = lights(self._chain, sight, now, now - started)
            if wanted != shown:
                shown, failed = self._show(wanted, failed)
            moves = STEP_S if not rests(sight, now - started) else None
            pause = RETRY_S if failed else moves
        # `failed` keeps quiet about a bus that is dead by now.
        self._show([DARK] * len(self._chain), failed=True)
        self._wire.close()

    def _wait(self, pause: float | None) -> bool:
        """Until the table changes, for so many seconds at most; whether to go on."""
        with self._changed:
            # A snapshot that came while the lights were sent woke nobody: it is here already.
            if self._fresh is None and self._is_open:
                self._changed.wait(pause)
            return self._is_open

    def _show(self, wanted: list[Color], failed: bool) -> tuple[list[Color] | None, bool]:
        """What is on the chain now, None where nobody knows, and whether it failed."""
        try:
            self._wire.show(wanted)
        except Exception as error:  # the libraries of a bus have errors of their own
            # The next try opens the bus anew.
            self._wire.close()
            if not failed:
                _log.warning("the lights cannot be reached: %s", error)
            return None, True
        return wanted, False


def _sight_of(snapshot: Snapshot) -> Sight:
    """What the lights need of what the table has published."""
    table: Mapping[str, Any] = json.loads(snapshot.body)
    state = table.get("state") or {}
    return Sight(
        {seat: picture.lamp for seat, picture in snapshot.private.items()},
        {one["seat"]: one["color"] for one in table["seats"]},
        table.get("id"),
        state.get("round"),
        bool(state.get("raining")),
        bool(state.get("debris")),
    )


# -- the chain of APA102 (or SK9822), through luma ------------------------------------------------


RATE_HZ = 1_000_000
"""A meter of loose wire carries that; fifteen lights take 0.6 ms."""
STEPS = 16
"""luma sets the brightness of a whole chain in so many steps, of the chip's 31."""


class Lines:
    """Two lines that are moved bit by bit, as luma moves those of RPi.GPIO.

    Args:
        factory: the name of the pin factory.
    """

    OUT, LOW, HIGH = "out", 0, 1

    def __init__(self, data: Line, clock: Line, factory: str) -> None:
        self.data, self.clock = data.number, clock.number
        self._name = factory
        self._factory: PinFactory | None = None

    def setup(self, number: int, direction: str) -> None:
        """Drive a line, low.

        Raises:
            OSError: it cannot be had.
        """
        try:
            self._factory = self._factory or open_factory(self._name)
            self._factory.pin(f"GPIO{number}").output_with_state(self.LOW)
        except Exception as error:  # every back end raises errors of its own kind
            raise OSError(f"GPIO{number} cannot be driven: {error}") from error

    def output(self, number: int, level: int) -> None:
        """Move a line."""
        if self._factory is not None:
            self._factory.pin(f"GPIO{number}").state = bool(level)

    def close(self) -> None:
        """Let go of them. May be called twice."""
        factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()


class LumaChain:
    """A chain that is there, on SPI 0 without a chip select, or on two lines.

    The bus is opened when it is needed, and again after a failure.

    Args:
        length: lights on the chain.
        brightness: 1 to 15, of the 31 that the chip knows.
        spidev: stands for the kernel's bus in tests.
        lines: those that it hangs on instead of SPI 0.
    """

    def __init__(
        self, length: int, brightness: int, spidev: Any = None, lines: Lines | None = None
    ) -> None:
        self._lines = lines
        self._length = length
        self._brightness = brightness
        self._spidev = spidev
        self._chain: Any = None

    def show(self, colors: Sequence[Color]) -> None:
        """Send a color to every light.

        Raises:
            OSError: the bus is not there, may not be opened, or took no bytes.
        """
        from PIL import Image

        if self._chain is None:
            self._chain = self._open()
        picture = Image.new("RGBA", (self._length, 1))
        picture.putdata([(*color, 255) for color in colors])
        self._chain.display(picture)

    def close(self) -> None:
        """May be called twice."""
        if self._chain is not None:
            self._chain.persist = True  # else luma would send one more frame, to a dead bus too
            self._chain.cleanup()
            self._chain = None
        if self._lines is not None:
            self._lines.close()

    def _open(self) -> Any:
        # Not imported above: the examination tells where luma is not installed, so it runs without.
        from luma.core.error import DeviceNotFoundError
        from luma.core.interface.serial import bitbang, noop, spi
        from luma.led_matrix.device import apa102

        lines = self._lines
        try:
            if lines is not None:
                bus = bitbang(lines, SDA=lines.data, SCLK=lines.clock)
            else:
                bus = spi(self._spidev, gpio=noop(), bus_speed_hz=RATE_HZ)
        except DeviceNotFoundError as error:
            raise OSError("there is no /dev/spidev0.0") from error
        except ImportError as error:
            raise OSError(f"spidev is missing: {how_to_install(WHAT)}") from error
        chain = apa102(bus, cascaded=self._length)
        chain.contrast(self._brightness * STEPS)
        return chain


# -- the examination of the lights ----------------------------------------------------------------


WHAT = "light"
DEVICE = "dev/spidev0.0"


def examine(options: Options, wired: Sequence[WiredSeat], machine: Machine) -> list[Finding]:
    """Examine the lights of this machine; `wired` are the seats on its lines.

    Whether they shine nobody can ask them: the chain does not answer.
    """
    try:
        figures = figures_of(options)
    except SeatTrouble as trouble:
        return [_wrong(str(trouble), "edit [light] of companion.toml")]
    on_spi = not light().taken_by(wired)
    needed = ("luma.led_matrix", *(("spidev",) if on_spi else ()))
    missing = [name for name in needed if not machine.has_module(name)]
    if missing:
        return [_wrong(f"missing: {', '.join(missing)}", how_to_install(WHAT))]
    shines = f"{figures['seats']} seats; look whether they shine"
    if not on_spi:
        data, clock = light().spare
        return [Finding(WHAT, f"{shines}, on {data} and {clock}", ok=None)]
    device = machine.root / DEVICE
    if not device.exists():
        return [_wrong(f"there is no /{DEVICE}", "sudo companion boot LAYOUT --light")]
    if not machine.may_open(device):
        mend = "sudo usermod -aG spi $USER, then log in again"
        return [_wrong(f"/{DEVICE} may not be opened", mend)]
    return [Finding(WHAT, shines, ok=None)]


def _wrong(says: str, mend: str) -> Finding:
    return Finding(WHAT, says, ok=False, mend=mend)
