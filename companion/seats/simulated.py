"""Wired seats without wires: gpiozero's mock pins and simulated buses under the real driver.

with SimulatedSeats((1, 2), listener) as seats:
    seats.press(1, 3)
    seats.picture(1)
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from random import Random
from threading import Lock
from typing import Any
from unittest.mock import patch

import smbus2
from gpiozero.pins.mock import MockFactory, MockPin

from companion.drawing.bitmap import PAGES, SIZE, WIDTH
from companion.seats.contacts import settle_of
from companion.seats.pinmap import HEADER, ScreenPlace
from companion.seats.plan import BUTTONS, Options
from companion.seats.wired.buttons import Factories
from companion.seats.wired.driver import WiredSeats, layout_of, wired_of
from companion.seats.wired.screens import LumaWire
from companion.system.frozen import dataclass
from companion.table.ports import SeatListener

BOUNCE_S = 0.0007
"""Between two moves of a contact that bounces."""
FINGER_S = 0.02
"""How long a simulated finger stays on a button, and off it before the next press."""


def open_seats(seats: Sequence[int], listener: SeatListener, options: Options) -> SimulatedSeats:
    """Start wired seats on simulated pins and buses.

    Raises:
        SeatTrouble: the configuration asks for what there is not.
    """
    return SimulatedSeats(seats, listener, options)


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
        listener: SeatListener,
        options: Options | None = None,
        built: Mapping[int, ScreenPlace] | None = None,
        *,
        resistors: bool = True,
    ) -> None:
        options = options or {}
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
            for button in BUTTONS:
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


# -- the controller of a screen -------------------------------------------------------------------


_COLUMNS = {"SSD1306": 128, "SSD1309": 128, "SH1106": 132}
_SEEN_FROM = {"SSD1306": 0, "SSD1309": 0, "SH1106": 2}
"""The column of the memory that stands at the left edge of the glass."""
_SSD_ARGUMENTS = {
    **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, 0xFD), 1),
    **dict.fromkeys((0x21, 0x22), 2),
}
_SH_ARGUMENTS = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)
_HORIZONTAL, _VERTICAL, _PAGED = 0, 1, 2


class Oled:
    """A screen's controller as its data sheet tells it: SSD1306, SSD1309 or SH1106.

    It takes the bytes of I2C transfers and keeps the memory; what can be seen on it is another
    matter: nothing while it is off or without its high voltage, and the memory holds anything at
    power-up. Only what the three can do on a screen of 128×64 is here.
    """

    def __init__(self, controller: str, chance: Random) -> None:
        self.controller = controller
        self.columns = _COLUMNS[controller]
        self._is_sh = controller == "SH1106"
        self._arguments = _SH_ARGUMENTS if self._is_sh else _SSD_ARGUMENTS
        self.power_up(chance)

    def power_up(self, chance: Random) -> None:
        """The power comes on: the registers as the data sheet says, the memory as it likes."""
        self.memory = bytearray(chance.randbytes(PAGES * self.columns))
        self.on = False
        self.pump = self.controller != "SSD1306"
        self.contrast = 0x80 if self._is_sh else 0x7F
        self._page = self._column = 0
        self._mode = _PAGED
        self._window = [0, self.columns - 1, 0, PAGES - 1]
        self._mirrored = self._upside_down = True
        self._inverted = self._all_on = False
        self._start_line = self._offset = 0
        self._multiplex = 63
        self._pending: list[int] = []

    def write(self, payload: bytes) -> None:
        """One transfer, from the control byte on."""
        rest = payload
        while rest:
            control, rest = rest[0], rest[1:]
            taken, rest = (rest[:1], rest[1:]) if control & 0x80 else (rest, b"")
            for byte in taken:
                (self._store if control & 0x40 else self._command)(byte)

    def status(self) -> int:
        """The byte that it answers to a reading: bit 6 while it is off, then what it is."""
        return (0 if self.on else 0x40) | (0x08 if self._is_sh else 0x03)

    def picture(self) -> bytes:
        """What can be seen, in the order of a `Picture`: dark unless it is on and has power."""
        if not (self.on and self.pump) or self._multiplex != 63:
            return bytes(SIZE)
        if self._all_on:
            return b"\xff" * SIZE
        rows = [self._row(y) for y in range(PAGES * 8)]
        if self._upside_down:
            rows.reverse()
        seen = bytearray(SIZE)
        for y, row in enumerate(rows):
            for x, dot in enumerate(reversed(row) if self._mirrored else row):
                if dot != self._inverted:
                    seen[y // 8 * WIDTH + x] |= 1 << y % 8
        return bytes(seen)

    def _row(self, y: int) -> list[bool]:
        """The dots of a row of the glass; module and memory agree when remapped both ways."""
        y = (y + self._start_line + self._offset) % (PAGES * 8)
        first = y // 8 * self.columns + _SEEN_FROM[self.controller]
        return [bool(self.memory[first + x] >> y % 8 & 1) for x in range(WIDTH)]

    def _store(self, byte: int) -> None:
        self.memory[self._page * self.columns + self._column] = byte
        if self._mode == _PAGED:
            # An SH1106 stops at its last column, the others begin the page again.
            last = self.columns - 1
            self._column = min(self._column + 1, last) if self._is_sh else (self._column + 1) & last
            return
        left, right, top, bottom = self._window
        if self._mode == _HORIZONTAL:
            self._column += 1
            if self._column > right:
                self._column = left
                self._page = top if self._page == bottom else self._page + 1
        else:
            self._page += 1
            if self._page > bottom:
                self._page = top
                self._column = left if self._column == right else self._column + 1

    def _command(self, byte: int) -> None:
        self._pending.append(byte)
        code, *arguments = self._pending
        if len(arguments) < self._arguments.get(code, 0):
            return
        self._pending = []
        if arguments:
            self._set(code, arguments)
        else:
            self._switch(code)

    def _switch(self, code: int) -> None:
        """A command of one byte; those that a controller does not know do nothing."""
        match code:
            case _ if code <= 0x0F:
                self._column = self._column & 0xF0 | code
            case _ if code <= 0x1F:
                self._column = min((code & 0x0F) << 4 | self._column & 0x0F, self.columns - 1)
            case _ if 0x40 <= code <= 0x7F:
                self._start_line = code & 0x3F
            case 0xA0 | 0xA1:
                self._mirrored = code == 0xA0
            case 0xA4 | 0xA5:
                self._all_on = code == 0xA5
            case 0xA6 | 0xA7:
                self._inverted = code == 0xA7
            case 0xAE | 0xAF:
                self.on = code == 0xAF
            case _ if 0xB0 <= code <= 0xB7:
                self._page = code & 0x07
            case 0xC0 | 0xC8:
                self._upside_down = code == 0xC0

    def _set(self, code: int, arguments: list[int]) -> None:
        match code:
            case 0x20:
                self._mode = arguments[0] & 0x03
            case 0x21:
                self._window[:2] = arguments
                self._column = arguments[0]
            case 0x22:
                self._window[2:] = arguments
                self._page = arguments[0]
            case 0x81:
                self.contrast = arguments[0]
            case 0x8D if self.controller == "SSD1306":
                self.pump = bool(arguments[0] & 0x04)
            case 0xAD:
                self.pump = bool(arguments[0] & 0x01)
            case 0xA8:
                self._multiplex = arguments[0]
            case 0xD3:
                self._offset = arguments[0]


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
