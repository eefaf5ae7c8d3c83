"""From edges to presses: debounced, acting on release, read from the picture under the finger.

`Presses` has no thread and no clock: edges come with their times, and `due` is asked with the time.
The lines are read through gpiozero. The back end is named in the configuration and no other is
tried: gpiozero by itself would fall back to the next one, and a button that is dead looks like one
that nobody presses. Of gpiozero the pins are used, not its `Button`, which keeps a thread for each.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from companion.seats.contacts import HOLD_MS, SETTLE_MS, Contact, first_seen, observe
from companion.seats.plan import SeatTrouble
from race_companion_wired.pinmap import HEADER, Expander, Line

LATE_MS = 5
"""An edge may come so much later than its time says: the back end has a thread of its own."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A level of a button, at a time in milliseconds on a monotonic clock."""

    at_ms: int
    seat: int
    button: int
    down: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down and up; `picture` is what the screen showed when it went down."""

    seat: int
    button: int
    hold: bool
    picture: int


@dataclass(frozen=True, slots=True)
class _Down:
    at_ms: int
    picture: int
    wakes: bool


class Presses:
    """All buttons of the wired seats.

    Args:
        number: the number of the picture on a seat's screen.
        touch: called when a seat is touched; returns whether that only woke its screen.
        settle_ms: how long a contact must be steady.
    """

    def __init__(
        self,
        number: Callable[[int], int],
        touch: Callable[[int], bool],
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self._settle_ms = settle_ms
        self._number = number
        self._touch = touch
        self._contacts: dict[tuple[int, int], Contact] = {}
        self._down: dict[tuple[int, int], _Down] = {}
        self.duplicates = 0

    def see(self, seen: Seen) -> list[Pressed]:
        """A level was seen; the first of a button only says how it is."""
        key = seen.seat, seen.button
        contact = self._contacts.get(key)
        if contact is None:
            self._contacts[key] = first_seen(seen.at_ms, seen.down)
            return []
        if seen.down == contact.seems_down:
            self.duplicates += 1
        return self._observe(key, contact, seen.at_ms, seen.down)

    def due(self, now_ms: int) -> list[Pressed]:
        """What has settled, as far as can be known at `now_ms`."""
        pressed = []
        for key, contact in list(self._contacts.items()):
            if contact.seems_down != contact.is_down:
                pressed += self._observe(key, contact, now_ms - LATE_MS, contact.seems_down)
        return pressed

    def wake_ms(self) -> int | None:
        """When the next contact settles; None: all are steady."""
        unsettled = [c.since_ms for c in self._contacts.values() if c.seems_down != c.is_down]
        return min(unsettled) + self._settle_ms + LATE_MS if unsettled else None

    def _observe(
        self, key: tuple[int, int], contact: Contact, at_ms: int, down: bool
    ) -> list[Pressed]:
        # Threads of the back end may deliver out of order; time does not go back here.
        at_ms = max(at_ms, contact.since_ms)
        self._contacts[key], edge = observe(contact, at_ms, down, self._settle_ms)
        if edge is None:
            return []
        seat, button = key
        if edge.down:
            # Read before the screen is woken: a sleeping screen shows nothing to press for.
            number = self._number(seat)
            self._down[key] = _Down(edge.at_ms, number, self._touch(seat))
            return []
        began = self._down.pop(key, None)
        # Without a beginning it was down when the power came on; one that wakes does nothing else.
        if began is None or began.wakes:
            return []
        return [Pressed(seat, button, edge.at_ms - began.at_ms >= HOLD_MS, began.picture)]


# -- the lines, through gpiozero ------------------------------------------------------------------


class Pin(Protocol):
    """What is used of gpiozero's pin."""

    edges: str
    when_changed: Callable[[float, int], None] | None

    state: Any
    """True where the line is high."""

    def input_with_pull(self, pull: str) -> None:
        """Read the line, pulled "up"."""

    def output_with_state(self, state: int) -> None:
        """Drive the line."""


class PinFactory(Protocol):
    """What is used of gpiozero's pin factory; `ticks` are of a clock of its own."""

    pins: dict[object, Pin]

    def pin(self, name: str) -> Pin:
        """The pin of this name, as GPIO17."""

    def ticks(self) -> float:
        """Now."""

    def ticks_diff(self, later: float, earlier: float) -> float:
        """The seconds between two times."""

    def close(self) -> None:
        """Let go of all pins."""


BACK_ENDS = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
"""`lgpio` for every Pi and the only one for a Pi 5, `rpigpio` up to the Pi 4."""
EXPANDER_BACK_ENDS = {
    "lgpio": BACK_ENDS["lgpio"],
    "mock": ("race_companion_wired.simulated", "ExpanderFactory"),
}


def open_factory(name: str, chip: int | None = None) -> PinFactory:
    """gpiozero's pin factory of this name.

    Args:
        chip: the number of an expander's gpiochip; None: the header.

    Raises:
        SeatTrouble: there is none of this name, or it does not work on this machine.
    """
    if name not in BACK_ENDS:
        raise SeatTrouble(
            f"[wired] pin_factory = {name!r} is none of {', '.join(BACK_ENDS)}: "
            'write "lgpio", which serves every Pi'
        )
    module, factory = BACK_ENDS[name] if chip is None else EXPANDER_BACK_ENDS[name]
    _give_a_folder()
    try:
        maker = getattr(import_module(module), factory)
        made: PinFactory = maker() if chip is None else maker(chip=chip)
    except Exception as error:  # every back end raises errors of its own kind
        raise SeatTrouble(f"the pin factory {name!r} does not work here: {error}") from error
    if chip is not None:
        # gpiozero's factories share one table of pins, by their names on the header: line 5 of
        # an expander would be GPIO5 of the Pi.
        made.pins = {}
    return made


def _give_a_folder() -> None:
    """Where lgpio makes its pipe when it is imported: else in a folder that may not be written."""
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="companion-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


I2C_DEVICES = Path("/sys/bus/i2c/devices")


def chip_of(expander: Expander, devices: Path = I2C_DEVICES) -> int:
    """The number of an expander's gpiochip, by the bus and address where the kernel found it.

    Raises:
        SeatTrouble: the kernel has found none there.
    """
    place = devices / f"{expander.bus}-{expander.address:04x}"
    chips = sorted(place.glob("gpiochip*"))
    if not chips:
        overlay = f"addr=0x{expander.address:02x},gpiopin={expander.interrupt}"
        raise SeatTrouble(
            f"expander {expander.name} is not there: dtoverlay=mcp23017,{overlay} in config.txt"
        )
    return int(chips[0].name.removeprefix("gpiochip"))


class Factories:
    """The pin factory of the header and of each expander, opened when first needed.

    Args:
        name: the back end, for the header; expanders are lgpio's.
    """

    def __init__(self, name: str, expanders: Iterable[Expander], devices: Path = I2C_DEVICES):
        self._name = name
        self._expanders = {expander.name: expander for expander in expanders}
        self._devices = devices
        self._open: dict[str, PinFactory] = {}

    def of(self, line: Line) -> PinFactory:
        """The factory of a line.

        Raises:
            SeatTrouble: it cannot be opened.
        """
        if line.chip not in self._open:
            self._open[line.chip] = self._make(line.chip)
        return self._open[line.chip]

    def close(self) -> None:
        """Let go of all lines. May be called twice."""
        while self._open:
            self._open.popitem()[1].close()

    def _make(self, chip: str) -> PinFactory:
        if chip == HEADER:
            return open_factory(self._name)
        if self._name == "mock":
            return open_factory("mock", chip=0)
        if self._name not in EXPANDER_BACK_ENDS:
            raise SeatTrouble(
                f"{self._name} cannot read expander {chip}: write pin_factory = 'lgpio' in [wired]"
            )
        return open_factory("lgpio", chip_of(self._expanders[chip], self._devices))


OLDEST_EDGE_S = 1.0
"""An edge that claims to be older was stamped by another clock than ours."""


def _holder(factory: PinFactory, line: Line) -> str:
    """Who has a line, a driver of the kernel too; empty where that is not told."""
    with suppress(Exception):  # only lgpio tells it
        handle = factory._handle  # type: ignore[attr-defined]
        *_, user = import_module("lgpio").gpio_get_line_info(handle, line.number)
        return f", held by {user}" if user else ""
    return ""


class Button:
    """One line, watched. Its callback only hands on what was seen.

    Raises:
        SeatTrouble: the line cannot be had.
    """

    def __init__(
        self,
        factory: PinFactory,
        line: Line,
        name: tuple[int, int],
        see: Callable[[Seen], None],
        now: Callable[[], float],
    ) -> None:
        self._factory = factory
        self._seat, self._number = name
        self._see = see
        self._now = now
        try:
            self._pin = factory.pin(f"GPIO{line.number}")
            # An expander's driver drops this; the resistors there do it (hardware/parts.csv).
            self._pin.input_with_pull("up")
            self._hand_on(self._is_down(), now())
            self._pin.edges = "both"
            self._pin.when_changed = self._changed
            self._hand_on(self._is_down(), now())  # what changed before the line was watched
        except Exception as error:  # every back end raises errors of its own kind
            says = f"{line}, button {name[1]}, cannot be read: {error}{_holder(factory, line)}"
            raise SeatTrouble(says, "button-unread", n=name[1]) from error

    def close(self) -> None:
        """Watch no more. May be called twice."""
        self._pin.when_changed = None

    def _is_down(self) -> bool:
        return not self._pin.state

    def _changed(self, ticks: float, state: int) -> None:
        """The back end's thread."""
        age = self._factory.ticks_diff(self._factory.ticks(), ticks)
        self._hand_on(not state, self._now() - (age if 0 <= age <= OLDEST_EDGE_S else 0))

    def _hand_on(self, down: bool, at: float) -> None:
        self._see(Seen(round(at * 1000), self._seat, self._number, down))
