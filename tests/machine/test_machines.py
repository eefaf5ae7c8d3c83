"""The doctor on fake roots of real machines: every fault found, no false alarm, no traceback."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.seats import wires_of
from companion.machine import findings
from companion.seats.pinmap import layouts
from companion.seats.plan import Finding, SeatPlan
from companion.seats.wired import doctor
from companion.seats.wired.doctor import Machine
from companion.system.plugins import Options
from race_companion_lights import examine as examine_light

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
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n" if text else "", "utf-8")
    has = told.get("modules")
    return Machine(
        root,
        lambda name: has is None or name in has,
        lambda name: name in told.get("packages", ()),
        lambda _: not told.get("shut", False),
    )


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
