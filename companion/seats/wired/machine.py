"""The machine under the wired seats, as its files tell it: what is missing, and what mends it.

Nothing here opens a line or a bus; `root` stands for the whole of its files in tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from companion.frozen import dataclass
from companion.seats.findings import Finding
from companion.seats.wiring import Expander, Layout, Line

BAUDRATE = 400_000
_MODULES = {"lgpio": "lgpio", "rpigpio": "RPi"}


def _has_module(name: str) -> bool:
    return find_spec(name) is not None


def _has_package(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


@dataclass(frozen=True)
class Machine:
    """Where the machine's files are, and what is installed on it."""

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

    @property
    def i2c_devices(self) -> Path:
        """Where the kernel lists what it has found on its buses."""
        return self.root / "sys/bus/i2c/devices"


def examine_libraries(machine: Machine, pin_factory: str) -> Iterator[Finding]:
    """What must be installed, and what must not be beside it."""
    needed = ("gpiozero", "luma.core", "smbus2", _MODULES[pin_factory])
    missing = [name for name in needed if not machine.has_module(name.partition(".")[0])]
    apt = "" if "lgpio" not in missing else "; for lgpio on Python 3.13: apt install python3-lgpio"
    yield _finding(
        "libraries",
        missing,
        good="all there",
        bad=f"missing: {', '.join(missing)}",
        mend=f"pip install 'race-companion[pi]'{apt}",
    )
    both = machine.has_package("RPi.GPIO") and machine.has_package("rpi-lgpio")
    if both:
        yield Finding(
            "libraries",
            "RPi.GPIO and rpi-lgpio are both installed and overwrite one another",
            ok=False,
            mend="pip uninstall rpi-lgpio RPi.GPIO && pip install 'race-companion[pi]'",
        )


def examine_board(machine: Machine, pin_factory: str) -> Iterator[Finding]:
    """Whether the board and the pin factory go together."""
    model = machine.text("proc/device-tree/model")
    if not model.startswith("Raspberry Pi"):
        says = f"this is no Raspberry Pi ({model or 'it does not say what it is'})"
        mend = "try it out with: companion race --seats '2 wired simulated'"
        yield Finding("board", says, ok=False, mend=mend)
    elif "Pi 5" in model and pin_factory == "rpigpio":
        yield Finding(
            "board",
            f"{model}: RPi.GPIO does not work on it",
            ok=False,
            mend='write pin_factory = "lgpio" in [wired] of companion.toml',
        )
    else:
        yield Finding("board", model)


def examine_lines(machine: Machine, lines: list[Line]) -> Iterator[Finding]:
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
    command_line = machine.text("proc/cmdline")
    if on_console and any(
        f"console={tty}" in command_line for tty in ("serial0", "ttyAMA", "ttyS0")
    ):
        yield Finding(
            "console",
            "a console speaks on GPIO14 and GPIO15, which are buttons: it would be shorted",
            ok=False,
            mend="sudo raspi-config nonint do_serial_cons 1 && sudo reboot",
        )


def examine_buses(machine: Machine, layout: Layout, buses: list[int]) -> Iterator[Finding]:
    """Whether the buses are there, may be opened, and are fast."""
    for bus in buses:
        device = machine.root / f"dev/i2c-{bus}"
        if not device.exists():
            yield _no_bus(machine, layout, bus)
        elif not machine.may_open(device):
            yield Finding(
                "bus",
                f"/dev/i2c-{bus} may not be opened",
                ok=False,
                mend="sudo usermod -aG i2c $USER, then log in again",
            )
        else:
            yield Finding("bus", f"/dev/i2c-{bus}")
    yield from _speed(machine)
    for expander in layout.expanders.values():
        yield _expander(machine, expander)


def _no_bus(machine: Machine, layout: Layout, bus: int) -> Finding:
    says = f"there is no bus /dev/i2c-{bus}"
    if machine.i2c_devices.exists() and (machine.i2c_devices / f"i2c-{bus}").exists():
        mend = "sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf"
        return Finding("bus", f"{says}, but the kernel has it", ok=False, mend=mend)
    sign = "i2c-mux" if bus >= 20 else "i2c_arm=on"
    line = next((one for one in layout.config if sign in one), layout.config[0])
    return Finding("bus", says, ok=False, mend=_config(line))


def _speed(machine: Machine) -> Iterator[Finding]:
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
        mend=_config(f"dtparam=i2c_arm_baudrate={BAUDRATE}"),
    )


def _expander(machine: Machine, expander: Expander) -> Finding:
    place = machine.i2c_devices / f"{expander.bus}-{expander.address:04x}"
    line = f"dtoverlay=mcp23017,addr=0x{expander.address:02x},gpiopin={expander.interrupt}"
    return _finding(
        "expander",
        not any(place.glob("gpiochip*")),
        good=f"{expander.name} at 0x{expander.address:02X}",
        bad=f"{expander.name} is not at 0x{expander.address:02X}",
        mend=_config(line),
    )


def _config(line: str) -> str:
    return f"echo {line} | sudo tee -a /boot/firmware/config.txt && sudo reboot"


def _finding(what: str, wrong: object, *, good: str, bad: str, mend: str) -> Finding:
    return Finding(what, bad, ok=False, mend=mend) if wrong else Finding(what, good)
