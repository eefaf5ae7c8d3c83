"""The examination of wired seats: the machine first, then each line and each screen.

What the machine has is read off its files (`Machine`), which opens no line and no bus.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.seats.plan import Finding, SeatTrouble
from companion.system.host import OF_DEBIAN, how_to_install
from race_companion_wired import pinmap
from race_companion_wired.buttons import BACK_ENDS, Button, Factories, Seen
from race_companion_wired.driver import Said, layout_of, said_in, wired_of
from race_companion_wired.screens import NOTHING, LumaWire, Silent, Wire

ReadByte = Callable[[int, int], int]
"""From a bus and an address to the byte that is read there; raises OSError."""


def examine(wires: Mapping[str, Any], options: Said) -> list[dict[str, object]]:
    """Examine the wired seats of this machine; the table must not be running."""
    return [one.as_json() for one in _examine(wires["seats"], said_in(options))]


def _examine(seats: Sequence[int], options: Said) -> list[Finding]:
    factory = options.get("pin_factory")
    if not isinstance(factory, str) or factory not in BACK_ENDS or factory == "mock":
        mend = 'write pin_factory = "lgpio" in [wired] of companion.toml; "rpigpio" up to a Pi 4'
        says = f"pin_factory is {factory!r}"
        return [Finding("configuration", says, ok=False, mend=mend)]
    try:
        layout = layout_of(seats, options)
        wired = wired_of(seats, layout, options)
    except SeatTrouble as trouble:
        mend = "see docs/build.md, then edit companion.toml"
        return [Finding("configuration", str(trouble), ok=False, mend=mend)]
    machine = Machine()
    found = [
        *examine_libraries(machine, factory),
        *examine_board(machine, factory),
        *examine_lines(machine, [line for one in wired for line in one.buttons]),
        *examine_buses(machine, layout, sorted({one.screen.bus for one in wired})),
    ]
    # Else every line and screen would fail for what has just been found.
    if all(one.ok for one in found if one.what in ("libraries", "board")):
        factories = Factories(factory, layout.expanders.values())
        found += examine_buttons(wired, factories)
        found += examine_screens(wired, LumaWire, read_byte)
    return found


def read_byte(bus: int, address: int) -> int:
    """Read a byte from a bus of this machine."""
    import smbus2

    with smbus2.SMBus(bus) as opened:
        return int(opened.read_byte_data(address, 0))


def examine_buttons(wired: Sequence[pinmap.WiredSeat], factories: Factories) -> Iterator[Finding]:
    """Whether every line can be read, and none reads pressed while nobody presses."""
    try:
        for seat in wired:
            down, unread = _buttons_of(seat, factories)
            for says in unread:
                yield Finding("buttons", says, ok=False, mend=_mend_of(says), seat=seat.seat)
            if len(down) == len(seat.buttons) and seat.buttons[0].chip != pinmap.HEADER:
                yield _without_resistors(seat)
                continue
            for says in down:
                mend = "let go of it; or it sticks, or its wire touches ground (docs/wiring.md)"
                yield Finding(
                    "buttons", f"{says} reads pressed", ok=False, mend=mend, seat=seat.seat
                )
            if not down and not unread:
                yield Finding("buttons", "six, all up", seat=seat.seat)
    finally:
        factories.close()


def _mend_of(says: str) -> str:
    """What helps where a line cannot be watched, by the words of the back end."""
    if "edge detection" in says:  # RPi.GPIO, on kernels from 6.6
        return 'write pin_factory = "lgpio" in [wired] of companion.toml'
    if "held by" in says and "held by lg" not in says:
        return (
            "take the holder out of config.txt (1-Wire is dtoverlay=w1-gpio) and restart, or end it"
        )
    return "sudo systemctl stop companion, or end what else uses this line"


def _without_resistors(seat: pinmap.WiredSeat) -> Finding:
    says = f"all lines on expander {seat.buttons[0].chip} read pressed: they float"
    mend = "10 kΩ from each line to 3.3 volts: Linux leaves the expander's own off (docs/wiring.md)"
    return Finding("buttons", says, ok=False, mend=mend, seat=seat.seat)


def _buttons_of(seat: pinmap.WiredSeat, factories: Factories) -> tuple[list[str], list[str]]:
    """Buttons that read pressed, and lines that cannot be watched as a table does, in words."""
    down: list[str] = []
    unread: list[str] = []
    for number, line in enumerate(seat.buttons, 1):
        seen: list[Seen] = []
        try:
            button = Button(
                factories.of(line), line, (seat.seat, number), seen.append, time.monotonic
            )
        except SeatTrouble as trouble:
            # Where no line at all can be had, that is one thing to mend and not six.
            unread += [] if str(trouble) in unread else [str(trouble)]
            continue
        button.close()
        if seen[0].down:
            down.append(f"button {number} ({line})")
    return down, unread


MakeWire = Callable[[pinmap.ScreenPlace], Wire]


def examine_screens(
    wired: Sequence[pinmap.WiredSeat], make_wire: MakeWire, read: ReadByte
) -> Iterator[Finding]:
    """Whether every screen answers where it should, and is what the configuration names."""
    places = {(one.screen.bus, one.screen.address) for one in wired}
    for seat in wired:
        place = seat.screen
        wire = make_wire(place)
        try:
            wire.command(NOTHING)
        except Silent as silence:
            here = {address for bus, address in places if bus == place.bus}
            answering = [one for one in _answering(place.bus, read) if one != place.address]
            strays = [one for one in answering if one not in here]
            taken = [one for one in answering if one in here]
            yield _silent(seat.seat, place, str(silence), strays, taken)
        else:
            yield _kind(seat.seat, place, read)
        finally:
            wire.close()


def _silent(
    seat: int, place: pinmap.ScreenPlace, says: str, elsewhere: list[int], taken: list[int]
) -> Finding:
    """A screen that does not answer.

    Args:
        elsewhere: addresses of nobody on its bus that answer.
        taken: those of other seats.
    """
    if elsewhere:
        says = f"it answers at 0x{elsewhere[0]:02X} instead of 0x{place.address:02X}"
        mend = "move the resistor on its back that sets the address"
        return Finding("screen", says, ok=False, mend=mend, seat=seat)
    mend = f"look at its wires, then: i2cdetect -y {place.bus}"
    if taken:
        mend += (
            f"; where its neighbour's picture shows on both glasses, both answer at "
            f"0x{taken[0]:02X}: move the resistor on the back of this one"
        )
    return Finding("screen", says, ok=False, mend=mend, seat=seat)


READ_FAMILY = {0x03: "SSD1306", 0x06: "SSD1306", 0x07: "SSD1306", 0x08: "SH1106"}
"""The low bits of the byte that a controller answers to a reading. No data sheet of an SSD1306
promises them; modules at hand all keep to it. An SSD1309 answers as an SSD1306 does."""


def _kind(seat: int, place: pinmap.ScreenPlace, read: ReadByte) -> Finding:
    byte = _byte(place.bus, place.address, read)
    family = None if byte is None else READ_FAMILY.get(byte & 0x0F)
    believed = "SSD1306" if place.controller == "SSD1309" else place.controller
    if family is not None and family != believed:
        says = f"it seems to be an {family} and is driven as an {place.controller}"
        mend = f'write {seat} = "{family}" in [wired.controllers] of companion.toml'
        return Finding("screen", says, ok=False, mend=mend, seat=seat)
    where = f"{place.controller} at 0x{place.address:02X} on bus {place.bus}"
    return Finding("screen", f"{where} answers", seat=seat)


def _answering(bus: int, read: ReadByte) -> list[int]:
    """The addresses of screens on a bus that answer."""
    return [address for address in pinmap.SCREEN_ADDRESSES if _byte(bus, address, read) is not None]


def _byte(bus: int, address: int, read: ReadByte) -> int | None:
    try:
        return read(bus, address)
    except OSError:
        return None


# -- the machine under the seats ------------------------------------------------------------------


def _has_module(name: str) -> bool:
    # Of a dotted name Python imports the packages above it, which may not be there.
    with suppress(ModuleNotFoundError):
        return find_spec(name) is not None
    return False


def _has_package(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


@dataclass(frozen=True)
class Machine:
    """Where the machine's files are, all of them under `root`, and what is installed on it."""

    root: Path = Path("/")
    has_module: Callable[[str], bool] = _has_module
    has_package: Callable[[str], bool] = _has_package
    may_open: Callable[[Path], bool] = field(
        default=lambda path: os.access(path, os.R_OK | os.W_OK)
    )

    def text(self, path: str) -> str:
        """The text of a file; empty where there is none."""
        try:
            return (self.root / path).read_text("utf-8", "replace").strip("\0\n")
        except OSError:
            return ""

    def bus_name(self, bus: int) -> str:
        """What the kernel calls an I2C bus; a multiplexer's channel is `i2c-1-mux (chan_id 0)`."""
        return self.text(f"sys/bus/i2c/devices/i2c-{bus}/name")

    @property
    def i2c_devices(self) -> Path:
        """Where the kernel lists what it has found on its buses."""
        return self.root / "sys/bus/i2c/devices"


_MODULES = {"lgpio": "lgpio", "rpigpio": "RPi.GPIO"}


def examine_libraries(machine: Machine, pin_factory: str) -> Iterator[Finding]:
    """What must be installed, and what must not be beside it."""
    needed = ("gpiozero", "luma.core", "smbus2", _MODULES[pin_factory])
    missing = [name for name in needed if not machine.has_module(name)]
    # No index has lgpio for Python 3.13, nor RPi.GPIO for 64 bits: Debian has both.
    mends = [f"sudo apt install {OF_DEBIAN['pi']}"] if "lgpio" in missing else []
    mends += [f"sudo apt install {OF_DEBIAN['rpigpio']}"] if "RPi.GPIO" in missing else []
    if not {*missing} <= {"lgpio", "RPi.GPIO"}:
        mends.append(how_to_install("pi"))
    yield _finding(
        "libraries",
        missing,
        good="all there",
        bad=f"missing: {', '.join(missing)}",
        mend="; ".join(dict.fromkeys(mends)),
    )
    both = machine.has_package("RPi.GPIO") and machine.has_package("rpi-lgpio")
    if both:
        yield Finding(
            "libraries",
            "RPi.GPIO and rpi-lgpio are both installed and overwrite one another",
            ok=False,
            mend=f"{sys.prefix}/bin/pip uninstall rpi-lgpio RPi.GPIO; then {how_to_install('pi')}",
        )


PI_5 = "brcm,bcm2712"
"""The chip of the 5, the 500 and the Compute Module 5, whose lines RPi.GPIO does not know."""


def examine_board(machine: Machine, pin_factory: str) -> Iterator[Finding]:
    """Whether the board and the pin factory go together."""
    model = machine.text("proc/device-tree/model")
    compatible = machine.text("proc/device-tree/compatible").split("\0")
    if not any(one.startswith("raspberrypi,") for one in compatible):
        says = f"this is no Raspberry Pi ({model or 'it does not say what it is'})"
        mend = "try it out with: companion race --seats '2 wired simulated'"
        yield Finding("board", says, ok=False, mend=mend)
    elif PI_5 in compatible and pin_factory == "rpigpio":
        yield Finding(
            "board",
            f"{model}: RPi.GPIO does not work on it",
            ok=False,
            mend='write pin_factory = "lgpio" in [wired] of companion.toml',
        )
    else:
        yield Finding("board", model)


HEADER_CONSOLES = {"ttyAMA0", "ttyS0"}
"""Consoles on the header, where the kernel has one open: of what its command line names, many have
no port to speak on. ttyAMA10, where a Pi 5 speaks by itself, is a socket of its own."""


def examine_lines(machine: Machine, lines: list[pinmap.Line]) -> Iterator[Finding]:
    """Whether the lines may be opened, and whether a console sits on two of them."""
    chips = sorted((machine.root / "dev").glob("gpiochip*"))
    shut = [chip.name for chip in chips if not machine.may_open(chip)]
    yield _finding(
        "lines",
        shut or not chips,
        good=f"{len(chips)} gpiochips",
        bad=f"/dev/{shut[0]} may not be opened" if shut else "there is no /dev/gpiochip",
        mend="sudo usermod -aG gpio $USER, then log in again" if shut else "update the kernel",
    )
    on_console = [line for line in lines if str(line) in ("GPIO14", "GPIO15")]
    if on_console and HEADER_CONSOLES & set(machine.text("sys/class/tty/console/active").split()):
        yield Finding(
            "console",
            "a console speaks on GPIO14 and GPIO15, which are buttons: it would be shorted",
            ok=False,
            mend="sudo raspi-config nonint do_serial_cons 1 && sudo reboot",
        )


FIRST_BEHIND = 2
"""The first number that can be a multiplexer's channel: the header's own bus is 1."""


def examine_buses(machine: Machine, layout: pinmap.Layout, buses: list[int]) -> Iterator[Finding]:
    """Whether the buses are there, may be opened, and are fast."""
    for bus in buses:
        device = machine.root / f"dev/i2c-{bus}"
        if not device.exists():
            yield _no_bus(machine, layout, bus)
        elif bus >= FIRST_BEHIND and "mux" not in (name := machine.bus_name(bus)):
            says = f"/dev/i2c-{bus} is {name or 'nameless'}, no channel of the multiplexer"
            yield Finding("bus", says, ok=False, mend=_config(layout))
        elif not machine.may_open(device):
            yield Finding(
                "bus",
                f"/dev/i2c-{bus} may not be opened",
                ok=False,
                mend="sudo usermod -aG i2c $USER, then log in again",
            )
        else:
            yield Finding("bus", f"/dev/i2c-{bus}")
    yield from _speed(machine, layout)
    for expander in layout.expanders.values():
        yield _expander(machine, expander, layout)


def _no_bus(machine: Machine, layout: pinmap.Layout, bus: int) -> Finding:
    says = f"there is no bus /dev/i2c-{bus}"
    if machine.i2c_devices.exists() and (machine.i2c_devices / f"i2c-{bus}").exists():
        mend = "sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf"
        return Finding("bus", f"{says}, but the kernel has it", ok=False, mend=mend)
    return Finding("bus", says, ok=False, mend=_config(layout))


BAUDRATE = 400_000


def _speed(machine: Machine, layout: pinmap.Layout) -> Iterator[Finding]:
    path = machine.i2c_devices / "i2c-1/of_node/clock-frequency"
    try:
        speed = int.from_bytes(path.read_bytes(), "big")
    except OSError:
        return
    yield _finding(
        "speed",
        speed < BAUDRATE,
        good=f"{speed} bits a second",
        bad=f"I2C runs at {speed} bits a second: pictures come slowly",
        mend=_config(layout),
    )


def _expander(machine: Machine, expander: pinmap.Expander, layout: pinmap.Layout) -> Finding:
    place = machine.i2c_devices / f"{expander.bus}-{expander.address:04x}"
    return _finding(
        "expander",
        not any(place.glob("gpiochip*")),
        good=f"{expander.name} at 0x{expander.address:02X}",
        bad=f"{expander.name} is not at 0x{expander.address:02X}",
        mend=_config(layout),
    )


def _config(layout: pinmap.Layout) -> str:
    """The command that writes config.txt's lines anew, whatever stood there of ours."""
    return f"sudo companion boot {layout.name} && sudo reboot"


def _finding(what: str, wrong: object, *, good: str, bad: str, mend: str) -> Finding:
    return Finding(what, bad, ok=False, mend=mend) if wrong else Finding(what, good)
