"""The doctor on fake roots of real machines: every fault found, no false alarm, no traceback."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from companion.app.seats import wires_of
from companion.cli import main
from companion.machine import findings
from companion.seats.plan import Finding, SeatPlan
from companion.system.plugins import Options
from race_companion_lights import examine as examine_light
from race_companion_wired import doctor
from race_companion_wired.doctor import Machine
from race_companion_wired.pinmap import layouts

MACHINES = tomllib.loads((Path(__file__).parent / "machines.toml").read_text("utf-8"))
HEADER = layouts()["header"]


def lay(root: Path, told: dict[str, Any]) -> Machine:
    """The files of a machine, and what is installed there."""
    files = {
        "proc/cmdline": told["cmdline"],
        "sys/class/tty/console/active": told["consoles"],
        "proc/meminfo": "MemAvailable:     300000 kB",
        "sys/class/thermal/thermal_zone0/temp": "48312",
    }
    if "model" in told:
        files["proc/device-tree/model"] = f"{told['model']}\0"
        files["proc/device-tree/compatible"] = "\0".join([*told["compatible"], ""])
    if "throttled" in told:
        files[findings.FIRMWARE] = told["throttled"]
    if "undervoltage" in told:
        files["sys/class/hwmon/hwmon2/name"] = "rpi_volt"
        files["sys/class/hwmon/hwmon2/in0_lcrit_alarm"] = told["undervoltage"]
    for bus, name in told["buses"].items():
        files[f"dev/i2c-{bus}"] = ""
        files[f"sys/bus/i2c/devices/i2c-{bus}/name"] = name
    for chip in told["chips"]:
        files[f"dev/{chip}"] = ""
    if told.get("spi"):
        files["dev/spidev0.0"] = ""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n" if text else "", "utf-8")
    has = told.get("modules")
    return Machine(
        root,
        lambda name: has is None or name in has,
        lambda name: name in told.get("packages", ()),
        lambda path: not told.get("shut", False) or group_of(path) in told.get("groups", ()),
    )


def group_of(device: Path) -> str:
    return device.name.rstrip("0123456789-").removesuffix("chip")


def examined(machine: Machine, told: dict[str, Any]) -> Iterator[Finding]:
    factory, seats = told.get("factory", "lgpio"), HEADER.seats.values()
    yield from doctor.examine_libraries(machine, factory)
    yield from doctor.examine_board(machine, factory)
    yield from doctor.examine_lines(machine, [line for one in seats for line in one.buttons])
    buses = sorted({one.screen.bus for one in seats})
    yield from doctor.examine_buses(machine, HEADER, buses)
    if told.get("light"):
        wires, options = wires_of(SeatPlan()), Options("light", {})
        yield from (Finding("light", **one) for one in examine_light(wires, options, machine))
    for look in (findings.power, findings.heat, findings.memory):
        yield look(machine.root)


@pytest.mark.parametrize("name", MACHINES)
def test_every_fault_of_a_machine_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    told = MACHINES[name]
    found = list(examined(lay(tmp_path, told), told))
    wrong = [one for one in found if one.ok is False]
    assert [one.what for one in wrong] == sorted(told["wrong"], key=[o.what for o in wrong].index)
    assert all(one.mend for one in wrong)
    for words in told.get("says", ()):
        assert any(words in one.says for one in found)
    for mend in told.get("mends", ()):
        assert mend in [one.mend for one in wrong]


def test_every_mend_that_installs_names_what_is_there_to_be_installed(tmp_path: Path) -> None:
    """Nothing of ours is on an index, and a Debian refuses pip outside of a venv."""
    found = [
        one
        for number, told in enumerate(MACHINES.values())
        for one in examined(lay(tmp_path / str(number), told), told)
    ]
    mends = [one.mend for one in found if "install" in one.mend]
    assert len(mends) >= 3
    for mend in mends:
        assert "pip install 'race-companion" not in mend
        assert re.search(r"sudo apt install python3-|/bin/pip install '\.\[", mend), mend


# -- every mend carried out -----------------------------------------------------------------------

BROUGHT = {
    "python3-lgpio": ["lgpio"],
    "python3-rpi.gpio": ["RPi.GPIO"],
    "python3-spidev": ["spidev"],
    "python3-pil": ["PIL"],
    "'.[light]'": ["luma.core", "luma.led_matrix", "spidev"],
    "'.[pi]'": ["gpiozero", "luma.core", "luma.oled", "smbus2", "lgpio"],
}
"""Modules of a package, and of an extra of ours; what is on no index for a machine, as lgpio for
the newest Python, another part of the mend brings from Debian."""


class Repaired:
    """A machine on which somebody does what the doctor says, word for word.

    `companion boot` and `usermod` are the real ones, on its files; a restart follows config.txt and
    cmdline.txt as the firmware does, and what only a Pi or a hand has is acted.
    """

    def __init__(self, root: Path, told: dict[str, Any]) -> None:
        self.root, self.told, self._round = root, deepcopy(told), 0
        self.told.setdefault("modules", sorted({one for some in BROUGHT.values() for one in some}))
        self.config = root / "config.txt"
        self.config.write_text("[pi4]\narm_boost=1\n")
        users = root / "users/etc"
        users.mkdir(parents=True)
        (users / "passwd").write_text("pi:x:1000:1000::/home/pi:/bin/sh\n")
        (users / "group").write_text("pi:x:1000:\ngpio:x:997:\ni2c:x:998:\nspi:x:999:\n")

    def examined(self) -> list[Finding]:
        """What is wrong now."""
        self._round += 1
        machine = lay(self.root / f"{self._round}", self.told)
        return [one for one in examined(machine, self.told) if one.ok is False]

    def do(self, mend: str) -> None:
        for step in re.split(r"; (?:then )?| && |, then |, in the folder", mend):
            (act,) = [act for start, act in ACTS.items() if step.startswith(start)] or [None]
            assert act is not None, f"nobody can do this: {step!r}"
            act(self, step)

    def install(self, step: str) -> None:
        names = step.partition("install ")[2].split()
        self.told["modules"] += [one for name in names for one in BROUGHT[name]]

    def uninstall(self, step: str) -> None:
        gone = step.partition("uninstall ")[2].split()
        self.told["packages"] = [one for one in self.told["packages"] if one not in gone]
        self.told["modules"] = [one for one in self.told["modules"] if one != "lgpio"]

    def boot(self, step: str) -> None:
        words = step.removeprefix("sudo companion ").replace("LAYOUT", "header").split()
        assert main([*words, "--file", str(self.config)]) == 0
        self.told["spi"] = "dtoverlay=spi0" in self.config.read_text()

    def restart(self, step: str) -> None:
        lines = self.config.read_text().splitlines()
        assert lines.index("[all]") < lines.index("dtparam=i2c_arm=on")
        self.told["buses"]["1"] = "the header's own"
        base = next(
            int(found[1]) for one in lines if (found := re.search(r"pca9548.*base=(\d+)", one))
        )
        taken = self.told["buses"].keys() & {str(base + n) for n in range(8)}
        assert all("mux" in self.told["buses"][one] for one in taken), "another bus has this number"
        self.told["buses"] |= {str(base + n): f"i2c-1-mux (chan_id {n})" for n in range(8)}

    def join(self, step: str) -> None:
        (group,) = re.findall(r"-aG (\w+) \$USER", step)
        command = ["usermod", "-P", self.root / "users", "-a", "-G", group, "pi"]
        subprocess.run(command, check=True, capture_output=True)
        rows = (self.root / "users/etc/group").read_text().splitlines()
        self.told["groups"] = [row.split(":")[0] for row in rows if row.endswith("pi")]

    def quieten(self, step: str) -> None:
        """`raspi-config nonint do_serial_cons 1`; it counts from a start on, which config.txt of a
        machine without our block cannot tell: so it is acted whole.
        """
        self.told["consoles"] = "tty1"
        self.config.write_text("[all]\ndtparam=i2c_arm=on\ndtoverlay=i2c-mux,pca9548,base=40\n")

    def configure(self, step: str) -> None:
        assert 'pin_factory = "lgpio"' in step
        self.told["factory"] = "lgpio"

    def power(self, step: str) -> None:
        self.told |= {"throttled": "0", "undervoltage": "0"}


ACTS: dict[str, Callable[[Repaired, str], None]] = {
    "sudo apt install": Repaired.install,
    f"{sys.prefix}/bin/pip install": Repaired.install,
    f"{sys.prefix}/bin/pip uninstall": Repaired.uninstall,
    "sudo companion boot": Repaired.boot,
    "sudo reboot": Repaired.restart,
    "sudo usermod": Repaired.join,
    "sudo raspi-config nonint do_serial_cons 1": Repaired.quieten,
    "log in again": lambda machine, step: None,
    " of the sources": lambda machine, step: None,
    'write pin_factory = "lgpio"': Repaired.configure,
    "a supply of 5.1 V": Repaired.power,
    " a fan where it is hot": lambda machine, step: None,
    "a fan where it is hot": lambda machine, step: None,
}
MENDED = [name for name, told in MACHINES.items() if told["wrong"] and "model" in told]


@pytest.mark.parametrize("name", MENDED)
def test_what_the_doctor_says_is_done_and_the_finding_is_gone(name: str, tmp_path: Path) -> None:
    machine = Repaired(tmp_path, MACHINES[name])
    assert len(MENDED) >= 9
    for _ in range(4):  # a mend may be for what another finding hid
        wrong = machine.examined()
        if not wrong:
            break
        first = wrong[0]
        machine.do(first.mend)
        assert (first.what, first.says) not in [(one.what, one.says) for one in machine.examined()]
    assert machine.examined() == []
