"""Case, parts list, service and guide: what can be checked of them without building them."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SCAD = ROOT / "hardware" / "case" / "seat.scad"

needs_openscad = pytest.mark.skipif(not shutil.which("openscad"), reason="OpenSCAD is missing")


def openscad(target: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Run OpenSCAD on the case with these settings."""
    options = [word for setting in settings for word in ("-D", setting)]
    command = ["openscad", "-o", target, *options, SCAD]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@needs_openscad
@pytest.mark.parametrize("settings", [(), ('screen="1.3"', "pod=false", "button_hole=16.2")])
def test_the_buttons_of_the_case_stand_like_a_gear_gate(
    tmp_path: Path, settings: tuple[str, ...]
) -> None:
    done = openscad(tmp_path / "case.echo", *settings)
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "case.echo").read_text()
    found = re.findall(r"gear = (\d), place = \[(-?[\d.]+), (-?[\d.]+)\]", told)
    place = {int(gear): (float(x), float(y)) for gear, x, y in found}
    rows = {gear: place[gear][1] for gear in place}
    assert rows[1] == rows[3] == rows[5] > rows[2] == rows[4] == rows[6]
    assert place[1][0] == place[2][0] < place[3][0] == place[4][0] < place[5][0] == place[6][0]


@needs_openscad
def test_a_case_without_room_for_fingers_is_refused(tmp_path: Path) -> None:
    done = openscad(tmp_path / "case.echo", "pitch_x=20")
    assert "fingers need room between buttons" in done.stderr + (tmp_path / "case.echo").read_text()


def test_the_numbers_of_the_front_are_right_for_who_looks_at_it() -> None:
    """The shell lies on its front: drawn as seen from there, then turned as a whole."""
    told = SCAD.read_text()
    assert "module shell() mirror([1, 0, 0]) front_and_walls();" in told
    assert told.count("mirror(") == 1


def test_the_parts_list_has_a_count_and_a_price_for_every_part() -> None:
    with (ROOT / "hardware" / "parts.csv").open(encoding="utf-8", newline="") as file:
        parts = list(csv.DictReader(file))
    assert len(parts) > 15
    for part in parts:
        assert None not in part, f"too many columns: {part}"
        assert part["part"]
        assert int(part["count"]) > 0
        assert re.fullmatch(r"\d+(–\d+)?", part["price_eur"]), part
        line_eur = float(part["each_eur"]) * int(part["count"])
        assert line_eur - 0.5 <= float(part["price_eur"].split("–")[-1]) <= line_eur * 2 + 1, part
    assert {"wired seat", "pod", "table"} <= {part["for"] for part in parts}


BORES = {"PBS-33B": 12.0, "R13-507": 16.0}
"""Threads of push buttons, millimetres; sellers mistake one for the other."""
HOLES = {"button": "button_hole", "lamp": "lamp_hole", "LED": "lamp_hole", "buzzer": "buzzer_size",
         "BUZZER": "buzzer_size"}  # fmt: skip
"""What the case calls the hole or ring of a part."""


def test_what_goes_through_the_case_has_the_bore_of_its_hole() -> None:
    text = SCAD.read_text()
    with (ROOT / "hardware" / "parts.csv").open(encoding="utf-8", newline="") as file:
        bored = [one for one in csv.DictReader(file) if one["bore_mm"]]
    assert {one["stands_for"] for one in bored} == {*HOLES, "screw"}
    for one in bored:
        bore = float(one["bore_mm"])
        if one["stands_for"] == "screw":
            assert f"M{bore:g}×" in one["part"]
            continue
        (hole,) = re.findall(rf"^{HOLES[one['stands_for']]} = ([\d.]+);", text, re.MULTILINE)
        assert 0.05 < float(hole) - bore <= 0.5, one["part"]


def test_the_buttons_that_the_list_names_fit_the_case() -> None:
    """R13-507 is a button of 16 mm; ordered for the hole of 12.2 it was six a seat for nothing."""
    with (ROOT / "hardware" / "parts.csv").open(encoding="utf-8", newline="") as file:
        buttons = [one for one in csv.DictReader(file) if one["part"].startswith("push button")]
    assert len(buttons) == 2
    for one in buttons:
        assert float(one["bore_mm"]) == BORES[one["maker_number"]]
        assert f"push button {one['bore_mm']} mm" in one["part"]
        other = re.findall(r"(R13-507|PBS-33B), with button_hole = ([\d.]+)", one["alternatives"])
        assert [0.1 <= float(bore) - BORES[name] <= 0.5 for name, bore in other] == [True]


def service() -> tuple[ConfigParser, str]:
    text = (ROOT / "systemd" / "companion.service").read_text()
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser, text


def test_the_service_gives_lgpio_a_folder_and_the_groups_of_the_hardware() -> None:
    unit = service()[0]["Service"]
    folder = f"/run/{unit['RuntimeDirectory']}"
    assert unit["Environment"] == f"LG_WD={folder}"
    assert unit["WorkingDirectory"] == folder
    assert set(unit["SupplementaryGroups"].split()) == {"gpio", "i2c", "spi", "dialout", "input"}


def test_the_service_leaves_the_devices_of_the_seats_in_reach() -> None:
    parser, text = service()
    allowed = re.findall(r"^DeviceAllow=(\S+) rw$", text, re.MULTILINE)
    kinds = {"gpiochip", "i2c", "spi", "ttyUSB", "ttyACM", "input"}
    assert {f"char-{kind}" for kind in kinds} <= set(allowed)
    assert not {"PrivateDevices", "ProcSubset"} & set(parser["Service"])
    # A kind of device that no driver has announced yet is not allowed, however it is listed.
    for module in ("i2c_dev", "spidev", "usbserial", "cdc_acm"):
        assert f"modprobe@{module}.service" in parser["Unit"]["After"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is missing")
def test_systemd_understands_every_line_of_the_service() -> None:
    unit = ROOT / "systemd" / "companion.service"
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    # That the program is not installed on this machine is the only thing to say.
    told = [line for line in done.stderr.splitlines() if "companion.service" in line]
    assert [line for line in told if "is not executable" not in line] == []


def test_every_file_that_the_guide_names_is_there() -> None:
    guide = (ROOT / "docs" / "build.md").read_text("utf-8")
    named = set(re.findall(r"(?<!/)\b(?:hardware|systemd)/[\w./-]+\w", guide))
    assert len(named) > 5
    made = set(re.findall(r"mkdir -p (\S+)", guide))
    assert [name for name in sorted(named - made) if not (ROOT / name).exists()] == []
