"""Run by `make test-kernel` in an emulated machine: wired seats on real lines of a real kernel.

The kernel's GPIO simulator stands for header and expander; gpiozero and lgpio are the real
ones, opening /dev/gpiochipN. The expander's chip is built without the call that sets a bias,
as the driver of the MCP23017 is: a request for a pull-up is taken there and does nothing.
Screens have no bus there and are left out. The first argument is a folder to write in.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from companion.table.ports import Reply
from companion.views.model import Trouble
from race_companion_wired.buttons import Factories
from race_companion_wired.driver import WiredSeats
from race_companion_wired.pinmap import HEADER, Line, ScreenPlace, layouts
from race_companion_wired.screens import Silent

PI_4B = 0xC03111
LAYOUT = layouts()["expanded"]
WIRED = [LAYOUT.seats[seat] for seat in (1, 2, 4)]
"""Two seats on the header, one on an expander."""
FIRST_S, QUIET_S = 5.0, 0.3
TOO_LONG_S = 0.5
"""An emulated machine may stand still for a while; a press that took so long may be a hold."""


class NoScreen:
    """The way to a screen that is not there."""

    def __init__(self, place: ScreenPlace) -> None:
        self.place = place

    def command(self, *commands: int) -> None:
        raise Silent("there is no bus here")

    def data(self, dots: bytes) -> None:
        raise Silent("there is no bus here")

    def close(self) -> None:
        pass


class Listener:
    def __init__(self) -> None:
        self.presses: SimpleQueue[tuple[int, int, bool]] = SimpleQueue()
        self.troubles: dict[tuple[int, str], Trouble] = {}

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.presses.put((seat, button, hold))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        if part != "screen" and trouble:
            self.troubles[seat, part] = trouble

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """Nobody looks so closely."""

    def heard(self) -> list[tuple[int, int, bool]]:
        """What was pressed: waits for a first press, then until nothing more comes."""
        told = []
        patience = FIRST_S
        while True:
            try:
                told.append(self.presses.get(timeout=patience))
            except Empty:
                return told
            patience = QUIET_S


def devices() -> Path:
    """Where the kernel of a Pi would list its expanders."""
    return Path(sys.argv[1]) / "devices"


def chips() -> dict[int, tuple[str, Path]]:
    """By the count of its lines: the name and the folder of each simulated chip."""
    found = {}
    for folder in Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"):
        found[len(list(folder.glob("sim_gpio*")))] = (folder.name, folder)
    return found


def pull(line: Line, level: str) -> None:
    """Press (`pull-down`) or let go of (`pull-up`) what is wired to a line."""
    _, folder = chips()[28 if line.chip == "GPIO" else 16]
    (folder / f"sim_gpio{line.number}" / "pull").write_text(level)


def touch(line: Line, seconds: float) -> float:
    """Press a button and let go of it; how long that took."""
    began = time.monotonic()
    pull(line, "pull-down")
    time.sleep(seconds)
    pull(line, "pull-up")
    return time.monotonic() - began


def open_seats(listener: Listener) -> WiredSeats:
    factories = Factories("lgpio", LAYOUT.expanders.values(), devices())
    return WiredSeats(WIRED, listener, factories, NoScreen)


def only_the_header_pulls_its_lines_up() -> None:
    """Of lines without a resistor the expander's stay down, though all were asked to be high."""
    factories = Factories("lgpio", LAYOUT.expanders.values(), devices())
    for seat in WIRED:
        for line in seat.buttons:
            pin = factories.of(line).pin(f"GPIO{line.number}")
            pin.input_with_pull("up")
            assert bool(pin.state) == (line.chip == HEADER), line
    factories.close()


def every_button_presses_itself(listener: Listener) -> None:
    for seat in WIRED:
        for button, line in enumerate(seat.buttons, 1):
            while touch(line, 0.05) > TOO_LONG_S:
                listener.heard()
            heard = listener.heard()
            assert heard == [(seat.seat, button, False)], (seat.seat, button, heard)


def a_held_button_is_a_hold(listener: Listener) -> None:
    touch(WIRED[0].buttons[0], 0.7)
    assert listener.heard() == [(1, 1, True)]


def two_at_once_are_two_presses(listener: Listener) -> None:
    one, other = WIRED[0].buttons[1], WIRED[2].buttons[1]
    pull(one, "pull-down")
    pull(other, "pull-down")
    time.sleep(0.05)
    pull(one, "pull-up")
    pull(other, "pull-up")
    assert sorted(listener.heard()) == [(1, 2, False), (4, 2, False)]


def a_line_that_is_taken_is_told(listener: Listener) -> None:
    import lgpio

    handle = lgpio.gpiochip_open(int(chips()[28][0].removeprefix("gpiochip")))
    lgpio.gpio_claim_output(handle, WIRED[1].buttons[0].number, 0)
    second = Listener()
    open_seats(second).close()
    lgpio.gpiochip_close(handle)
    assert list(second.troubles) == [(2, "buttons")], second.troubles
    assert "held by" in second.troubles[2, "buttons"].message, second.troubles


CHECKS: list[Callable[[Listener], Any]] = [
    every_button_presses_itself,
    a_held_button_is_a_hold,
    two_at_once_are_two_presses,
]


def main() -> int:
    from gpiozero.pins.lgpio import LGPIOFactory

    name = chips()[16][0]
    for expander in LAYOUT.expanders.values():
        (devices() / f"1-{expander.address:04x}" / name).mkdir(parents=True)
    LGPIOFactory._get_revision = lambda self: PI_4B  # this machine does not say that it is a Pi
    only_the_header_pulls_its_lines_up()
    print("ok only the header pulls its lines up", flush=True)
    for line in (line for seat in WIRED for line in seat.buttons if line.chip != HEADER):
        pull(line, "pull-up")  # the resistors
    listener = Listener()
    seats = open_seats(listener)
    assert listener.troubles == {}, listener.troubles
    for check in CHECKS:
        check(listener)
        print("ok", check.__name__.replace("_", " "), flush=True)
    seats.close()
    a_line_that_is_taken_is_told(listener)
    print("ok a line that is taken is told", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
