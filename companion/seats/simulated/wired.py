"""Wired seats without wires: gpiozero's mock pins and simulated buses under the real driver.

with SimulatedSeats((1, 2), listener) as seats:
    seats.press(1, 3)
    seats.picture(1)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from threading import Lock
from typing import Any
from unittest.mock import patch

import smbus2

from companion.closing import Closing
from companion.drawing.bitmap import SIZE
from companion.seats.plan import Options
from companion.seats.settling import settle_of
from companion.seats.simulated.bus import SimulatedBus, smbus_of
from companion.seats.simulated.oled import Oled
from companion.seats.wired.driver import WiredSeats, layout_of, wired_of
from companion.seats.wired.pins import Factories
from companion.seats.wired.wire import LumaWire
from companion.seats.wiring import HEADER, ScreenPlace
from companion.table.ports import Picture, SeatListener

_LOOKING = Lock()
"""Held while smbus2's class is exchanged: the buses are opened by a thread each."""
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


class SimulatedSeats(Closing):
    """The driver of wired seats with all that it is wired to. A `SeatDriver`.

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
        self.driver = WiredSeats(
            list(self.wired.values()),
            listener,
            self._factories,
            self._make_wire,
            settle_ms=self._settle_ms,
        )

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture."""
        self.driver.show(seat, picture)

    def errors(self, seat: int) -> dict[str, int]:
        """What went wrong on the way to a seat's screen."""
        return self.driver.errors(seat)

    def close(self) -> None:
        """May be called twice."""
        self.driver.close()

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
        sleep(max(hold_s, (self._settle_ms + 1) / 1000))
        pin.drive_high()
        sleep(FINGER_S)

    kind = "wired"

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen; see `Touchable`."""
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
        """Put a fault in, or take it out; see `Touchable`."""
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
