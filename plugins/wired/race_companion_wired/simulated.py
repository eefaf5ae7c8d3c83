"""Wired seats without wires: gpiozero's mock pins and simulated buses under the real driver.

with SimulatedSeats((1, 2), listener) as seats:
    seats.press(1, 3)
    seats.picture(1)
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from threading import Lock
from typing import Any
from unittest.mock import patch

import smbus2
from gpiozero.pins.mock import MockFactory, MockPin

from companion.drawing.bitmap import SIZE
from companion.seats.contacts import settle_of
from race_companion_wired.buttons import Factories
from race_companion_wired.driver import Said, WiredSeats, layout_of, said_in, wired_of
from race_companion_wired.oled import Oled
from race_companion_wired.pinmap import HEADER, ScreenPlace
from race_companion_wired.screens import LumaWire

BOUNCE_S = 0.0007
"""Between two moves of a contact that bounces."""
FINGER_S = 0.02
"""How long a simulated finger stays on a button, and off it before the next press."""


class SimulatedSeats(WiredSeats):
    """The driver of wired seats with all that it is wired to.

    Args:
        options: `[wired]` of the configuration; its pin factory is not used.
        built: the screens as they really are, where they are not as the driver believes.
        resistors: whether the lines of expanders have theirs; the header's are in the Pi.
    """

    def __init__(
        self,
        seats: Sequence[int],
        listener: Any,
        options: Said | None = None,
        built: Mapping[int, ScreenPlace] | None = None,
        *,
        resistors: bool = True,
    ) -> None:
        options = said_in(options or {})
        layout = layout_of(seats, options)
        self._pulled: set[int] = set()
        self._noisy: set[int] = set()
        self._dead: set[int] = set()
        self.wired = {one.seat: one for one in wired_of(seats, layout, options)}
        self.places = {n: (built or {}).get(n, one.screen) for n, one in self.wired.items()}
        self.buses = _buses(self.places)
        self._factories = Factories("mock", layout.expanders.values())
        if resistors:
            self._pull_up()
        self._settle_ms = settle_of("wired", options)
        wired, way = list(self.wired.values()), self._make_wire
        super().__init__(wired, listener, self._factories, way, settle_ms=self._settle_ms)

    def press(
        self,
        seat: int,
        button: int,
        hold_s: float = FINGER_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """A finger presses a button and lets go of it."""
        pin = self.pin(seat, button)
        pin.drive_low()
        # A shorter touch would pass for a bounce.
        sleep(max(hold_s, (self._settle_ms + 1) / 1000))
        pin.drive_high()
        sleep(FINGER_S)

    # -- what a hand at the page does ----------------------------------------------------------

    kind = "wired"

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen; see `hub.Touchable`."""
        return bytes(SIZE) if seat in self._pulled else self.picture(seat)

    def lamp(self, seat: int) -> bool | None:
        """On the header every line is a button: none has a lamp."""
        return None

    def finger(self, seat: int, button: int, down: bool) -> None:
        """A finger goes down on a button, or up; with noise the contact bounces."""
        if seat in self._pulled | self._dead:
            return
        pin = self.pin(seat, button)
        for level in (down, not down) * (3 if seat in self._noisy else 0) + (down,):
            (pin.drive_low if level else pin.drive_high)()
            time.sleep(BOUNCE_S if seat in self._noisy else 0)

    def fault(self, seat: int, name: str, on: bool) -> None:
        """Put a fault in, or take it out; see `hub.Touchable`."""
        broken = {"cable": self._pulled, "noise": self._noisy, "dead": self._dead}[name]
        (broken.add if on else broken.discard)(seat)
        if name == "cable":
            place = self.places[seat]
            silent = self.buses[place.bus].silent
            (silent.add if on else silent.discard)(place.address)
        if on and name != "noise":
            for button in range(1, 7):
                self.pin(seat, button).drive_high()  # the pull-ups alone are left

    def pin(self, seat: int, button: int) -> Any:
        """gpiozero's mock pin of a button: `drive_low` presses it."""
        line = self.wired[seat].buttons[button - 1]
        return self._factories.of(line).pin(f"GPIO{line.number}")

    def screen(self, seat: int) -> Oled:
        """The model of a seat's screen."""
        return self.buses[self.places[seat].bus].devices[self.places[seat].address]

    def picture(self, seat: int) -> bytes:
        """What can be seen on a seat's screen."""
        place = self.places[seat]
        with self.buses[place.bus].stopped:  # not in the middle of a transfer
            return self.screen(seat).picture()

    def _pull_up(self) -> None:
        for seat, one in self.wired.items():
            for button, line in enumerate(one.buttons, 1):
                if line.chip != HEADER:
                    self.pin(seat, button).drive_high()

    def _make_wire(self, place: ScreenPlace) -> SimulatedWire:
        return SimulatedWire(place, smbus_of(self.buses))


_LOOKING = Lock()
"""Held while smbus2's class is exchanged: the buses are opened by a thread each."""


class SimulatedWire(LumaWire):
    """luma's interface on a simulated bus.

    luma makes its bus by itself, and splits what it sends where it is given one. So that what is
    seen is what a Pi would send, smbus2's class is exchanged while luma looks for it.
    """

    def __init__(self, place: ScreenPlace, smbus: type) -> None:
        super().__init__(place)
        self._smbus = smbus

    def _open(self) -> Any:
        if self._serial is not None:
            return self._serial
        with _LOOKING, patch.object(smbus2, "SMBus", self._smbus):
            return super()._open()


def _buses(places: Mapping[int, ScreenPlace]) -> dict[int, SimulatedBus]:
    chance = Random(1306)
    buses: dict[int, dict[int, Oled]] = {}
    for place in places.values():
        buses.setdefault(place.bus, {})[place.address] = Oled(place.controller, chance)
    return {number: SimulatedBus(devices) for number, devices in buses.items()}


# -- the lines of an expander ---------------------------------------------------------------------


class _ExpanderPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A line of an MCP23017 as the Pi's kernel serves it: it takes a request for a pull-up, and
    stays as it is.

    The chip has pull-ups, off at power-up, and the kernel's driver (pinctrl-mcp23s08) has no call
    to set them (raspberrypi/linux #6763). A line without a resistor of its own floats; here it then
    reads low, as if it were pressed.
    """

    def __init__(self, factory: object, info: object) -> None:
        super().__init__(factory, info)
        self._state = False

    def _set_pull(self, value: str) -> None:
        self._pull = value


class ExpanderFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """The pins of an expander; its number is nothing to a mock."""

    def __init__(self, chip: int) -> None:
        super().__init__(pin_class=_ExpanderPin)


# -- the buses ------------------------------------------------------------------------------------


@dataclass(slots=True)
class SimulatedBus:
    """A bus with screens by address, which records what it carries.

    It stands where `smbus2.SMBus` does, so that all that is ours and luma's above it is the real
    thing. A byte is counted as it goes over the wire: the address of a transfer is one of its own.
    `silent` addresses do not answer; `left` more bytes pass.
    """

    devices: Mapping[int, Oled]
    silent: set[int] = field(default_factory=set)
    left: int | None = None
    bytes_sent: int = 0
    transfers: int = 0
    stopped: Lock = field(default_factory=Lock)

    def transfer(self, address: int, payload: bytes) -> None:
        """One transfer from start to stop.

        Raises:
            OSError: nobody answers, as the kernel says it.
        """
        with self.stopped:
            self.transfers += 1
            self.bytes_sent += 1
            if address not in self.devices or address in self.silent:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")
            if self.left is not None:
                passed, self.left = payload[: self.left], max(0, self.left - len(payload))
                if len(passed) < len(payload):
                    self._carry(address, passed)
                    raise OSError(errno.EREMOTEIO, "Remote I/O error")
            self._carry(address, payload)

    def read(self, address: int) -> int:
        """The byte that a screen answers.

        Raises:
            OSError: nobody answers, as the kernel says it.
        """
        self.transfer(address, b"")
        return self.devices[address].status()

    def _carry(self, address: int, payload: bytes) -> None:
        self.bytes_sent += len(payload)
        self.devices[address].write(payload)


def smbus_of(buses: Mapping[int, SimulatedBus]) -> type:
    """A class to stand for `smbus2.SMBus` while these are the buses of the machine."""

    class SimulatedSMBus:
        """What luma uses of an SMBus."""

        def __init__(self, number: int) -> None:
            if number not in buses:
                raise FileNotFoundError(errno.ENOENT, "No such file", f"/dev/i2c-{number}")
            self._bus = buses[number]

        def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
            self._bus.transfer(address, bytes([register, *data]))

        def i2c_rdwr(self, *messages: Any) -> None:
            for message in messages:
                self._bus.transfer(message.addr, bytes(message))

        def close(self) -> None:
            """Nothing to let go of."""

    return SimulatedSMBus
