"""The chain of lights at a table that is open: it looks at the table as a page would.

The chain begins with the five start lights; the seats follow, seat 1 first. A seat's lights have
the color of its car while it is asked, blink while its press stands refused, and are dark
otherwise. The five go on one after the other before the first round and out together; after that
they are blue in the rain, yellow while debris lies on the road, both in turn where both are.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from logging import getLogger
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from companion.system.host import how_to_install
from race_companion_wired.buttons import open_factory

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

    lamps: Mapping[int, str] = field(default_factory=dict)
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


# -- what follows the table -----------------------------------------------------------------------


def open_lights(table: Any, options: Any) -> Lights:
    """Light the chain that `[light]` describes."""
    chain, brightness = chain_of(options)
    wires = table.wires()
    lines = None
    if wires["light"] is not None:
        data, clock = wires["light"]
        lines = Lines(data, clock, wires["factory"])
    return Lights(table, chain, LumaChain(len(chain), brightness, lines=lines))


def chain_of(options: Any) -> tuple[Chain, int]:
    """The chain of `[light]`, with its brightness of 15."""
    chain = Chain(options.number("seats", 6, 1, 10), options.number("each", 1, 1, 8))
    return chain, options.number("brightness", 4, 1, 15)


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


class Lights:
    """A chain that follows a table; a bus that fails is tried again, and told once in the log.

    Args:
        now: a monotonic clock in seconds.
    """

    def __init__(
        self, table: Any, chain: Chain, wire: Wire, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._table, self._chain, self._wire, self._now = table, chain, wire, now
        self._sight, self._started = Sight(), -inf
        self._shown: list[Color] | None = None
        self._has_failed = False

    def __call__(self, event: object) -> None:
        """An event alone changes no light."""

    def changed(self) -> float | None:
        """Show what there is to see; seconds until the next look, None: once the table changes."""
        before, self._sight = self._sight, sight_of(self._table)
        now = self._now()
        if begins(before, self._sight):
            self._started = now
        started = now - self._started
        self._show(lights(self._chain, self._sight, now, started))
        if self._has_failed:
            return RETRY_S
        return None if rests(self._sight, started) else STEP_S

    def close(self) -> None:
        """Put the lights out. May be called twice."""
        # It keeps quiet about a bus that is dead by now.
        self._has_failed = True
        self._show([DARK] * len(self._chain))
        self._wire.close()

    def _show(self, wanted: list[Color]) -> None:
        """Send what is not on the chain yet."""
        if wanted == self._shown:
            return
        try:
            self._wire.show(wanted)
            self._shown, self._has_failed = wanted, False
        except Exception as error:  # the libraries of a bus have errors of their own
            # The next try opens the bus anew.
            self._wire.close()
            if not self._has_failed:
                _log.warning("the lights cannot be reached: %s", error)
            self._shown, self._has_failed = None, True


def sight_of(table: Any) -> Sight:
    """What the lights need of what the table shows."""
    shown = table.snapshot()
    state = shown.get("state") or {}
    return Sight(
        table.lamps(),
        {one["seat"]: one["color"] for one in shown["seats"]},
        shown.get("id"),
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

    def __init__(self, data: int, clock: int, factory: str) -> None:
        self.data, self.clock = data, clock
        self._name = factory
        self._factory: Any = None

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


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _may_open(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


@dataclass(frozen=True)
class Machine:
    """What is asked of the machine; its files are under `root`."""

    root: Path = Path("/")
    has_module: Callable[[str], bool] = _has_module
    may_open: Callable[[Path], bool] = _may_open


def examine(
    wires: Mapping[str, Any], options: Any, machine: Any = None
) -> Iterator[dict[str, object]]:
    """Examine the lights of this machine.

    Whether they shine nobody can ask them: the chain does not answer.
    """
    here, lines = machine or Machine(), wires["light"]
    chain, _ = chain_of(options)
    needed = ("luma.led_matrix", *(() if lines else ("spidev",)))
    missing = [name for name in needed if not here.has_module(name)]
    device = here.root / DEVICE
    if missing:
        yield _wrong(f"missing: {', '.join(missing)}", how_to_install(WHAT))
    elif not (lines or device.exists()):
        yield _wrong(f"there is no /{DEVICE}", "sudo companion boot LAYOUT --light")
    elif not (lines or here.may_open(device)):
        mend = "sudo usermod -aG spi $USER, then log in again"
        yield _wrong(f"/{DEVICE} may not be opened", mend)
    else:
        at = ", on GPIO{} and GPIO{}".format(*lines) if lines else ""
        yield {"says": f"{chain.seats} seats; look whether they shine{at}", "ok": None}


def _wrong(says: str, mend: str) -> dict[str, object]:
    return {"says": says, "ok": False, "mend": mend}


open_lights.examine = examine  # type: ignore[attr-defined]  # as docs/plugins.md has it
