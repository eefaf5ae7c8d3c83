"""The pin map: all that is made from it is up to date, and what cannot be wired is refused."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pinmap
import pytest
from made import stale
from support.each import in_one
from support.pinmap import faults

from companion.seats.plan import MAP as SHIPPED
from race_companion_wired.pinmap import layouts

ROOT = Path(__file__).parent.parent.parent
MAP = SHIPPED.read_text("utf-8")


def to_renew(root: Path) -> list[str]:
    """What has to be made or drawn anew, by its path."""
    found = [*stale(pinmap.made(root)), *pinmap.undrawn(root)]
    return sorted(path.relative_to(root).as_posix() for path in found)


def test_all_that_is_made_from_the_map_is_up_to_date() -> None:
    assert to_renew(ROOT) == []


def test_every_diagram_has_its_drawing() -> None:
    drawn = sorted(path.stem for path in (ROOT / "hardware/wiring").glob("*.svg"))
    assert drawn == [
        "expander",
        "four-wired",
        "one-wired",
        "pico",
        "pod",
        "three-wired",
        "two-wired",
    ]
    for path in (ROOT / "hardware/wiring").glob("*.svg"):
        assert "Gate" in path.read_text("utf-8")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the map, all that is made from it, and the drawings; the tool works there."""
    monkeypatch.setattr(pinmap, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["pinmap.py"])
    for path in (pinmap.SOURCE, *pinmap.texts(pinmap.read_map(MAP))):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    shutil.copytree(ROOT / pinmap.DRAWINGS, tmp_path / pinmap.DRAWINGS)
    return tmp_path


def made(copy: Path) -> list[Path]:
    """What can be made anew in it."""
    sources = (copy / pinmap.SOURCE, *(copy / pinmap.DRAWINGS).glob("*.yml"))
    return [path for path in copy.rglob("*") if path.is_file() and path not in sources]


def test_a_changed_map_makes_what_names_the_pin_stale(copy: Path) -> None:
    assert to_renew(copy) == []
    (copy / pinmap.SOURCE).write_text(MAP.replace('buzzer = "PB1"', 'buzzer = "PB2"'), "utf-8")
    assert to_renew(copy) == [
        "docs/wiring.fr.md",
        "docs/wiring.md",
        "firmware/pod/pins.h",
    ]


def test_a_changed_diagram_makes_its_drawing_stale(copy: Path) -> None:
    diagram = copy / pinmap.DRAWINGS / "pod.yml"
    diagram.write_text(diagram.read_text("utf-8").replace("D9", "D10"), "utf-8")
    assert to_renew(copy) == ["hardware/wiring/pod.svg"]


def test_a_file_changed_by_hand_is_named(copy: Path) -> None:
    (copy / "firmware/pod/pins.h").write_text("#define BUTTON_1_BIT 3\n")
    assert to_renew(copy) == ["firmware/pod/pins.h"]


@pytest.mark.skipif(not pinmap.can_draw(), reason="WireViz or Graphviz is missing")
@pytest.mark.slow
def test_one_command_writes_everything_anew(copy: Path) -> None:
    before = {path: path.read_bytes() for path in made(copy)}
    assert len(before) == 15
    for path in before:
        path.unlink()
    assert pinmap.main() == 0
    assert to_renew(copy) == []
    assert set(made(copy)) == set(before)


SEAT_1 = '"GPIO4", "GPIO17", "GPIO27", "GPIO22", "GPIO23", "GPIO24"'
BROKEN = {
    "a pin twice": (
        SEAT_1,
        SEAT_1.replace("GPIO24", "GPIO5"),
        "GPIO5 is button 6 of seat 1 and button 1 of seat 2",
    ),
    "a pin of I2C": (
        SEAT_1,
        SEAT_1.replace("GPIO4", "GPIO2"),
        "GPIO2 cannot be button 1 of seat 1: it is I2C's SDA",
    ),
    "a pin of the ID EEPROM": (
        SEAT_1,
        SEAT_1.replace("GPIO4", "GPIO0"),
        "GPIO0 cannot be button 1 of seat 1: it is the ID EEPROM's",
    ),
    "more than the header has": (
        '"GPIO14", "GPIO15"',
        '"GPIO14", "GPIO28"',
        "GPIO28 cannot be button 6 of seat 4: the header has GPIO0 to GPIO27",
    ),
    "an interrupt on a button": (
        'interrupt = "GPIO7"',
        'interrupt = "GPIO8"',
        "GPIO8 is the interrupt of X1 and button 3 of seat 3",
    ),
    "an expander's output": (
        '"X1.5"',
        '"X1.7"',
        "X1.7 cannot be button 6 of seat 4: this line of an MCP23017 can only be an output",
    ),
    "an expander that is not there": (
        '"X1.5"',
        '"X9.5"',
        "X9.5 cannot be button 6 of seat 4: there is no expander X9",
    ),
    "more than an expander has": (
        '"X1.5"',
        '"X1.16"',
        "X1.16 cannot be button 6 of seat 4: X1 has lines 0 to 15",
    ),
    "no line at all": ('"X1.5"', '"left"', "'left' is no line"),
    "a line that a Pico has not": ('led = "GP15"', 'led = "GP25"', "led: a Pico has no pin 'GP25'"),
    "a line of a Pico twice": ('led = "GP15"', 'led = "GP7"', "GP7 is button 6 and led"),
    "a bus where a Pico has none": (
        'sda = "GP0"',
        'sda = "GP8"',
        "I2C0 of an RP2040 is on GP0, GP4, GP8 … (SDA) and the next one each (SCL)",
    ),
    "five buttons": (', "X1.5"', "", "seat 4 has 5 buttons instead of 6"),
    "two screens on an address": (
        "bus = 1, address = 0x3D",
        "bus = 1, address = 0x3C",
        "the screen of seat 1 and the screen of seat 2 both answer to 0x3C",
    ),
    "two expanders on an address": (
        "address = 0x21",
        "address = 0x20",
        "expander X1 and expander X2 both answer to 0x20",
    ),
    "a screen before the multiplexer": (
        "bus = 43, address = 0x3C",
        "bus = 1, address = 0x3C",
        "the screen of seat 1 and the screen of seat 4 both answer to 0x3C",
    ),
    "a bus that is not there": (
        "bus = 43,",
        "bus = 48,",
        "the screen of seat 4 is on bus 48, which there is not",
    ),
    "an address that no screen has": (
        "bus = 43, address = 0x3C",
        "bus = 43, address = 0x20",
        "the screen of seat 4 cannot have the address 0x20",
    ),
    "an unknown controller": (
        'bus = 43, address = 0x3C, controller = "SSD1306"',
        'bus = 43, address = 0x3C, controller = "SSD1327"',
        "seat 4: 'SSD1327' is none of SSD1306, SSD1309, SH1106",
    ),
    "two seats of one number": ("seat = 10", "seat = 9", "there are two seats 9"),
    "a pod's pin twice": ('buzzer = "PB1"', 'buzzer = "PB5"', "PB5 is the led and the buzzer"),
    "a pod's button on the serial line": (
        '"PD2", "PD3"',
        '"PD0", "PD3"',
        "PD0 cannot be button 1: it is the serial line's RX",
    ),
    "a pod's button on I2C": (
        '"PD2", "PD3"',
        '"PC4", "PD3"',
        "PC4 cannot be button 1: it is I2C's SDA",
    ),
    "a pin that no pod has": (
        '"PD2", "PD3"',
        '"PE2", "PD3"',
        "button 1: an ATmega328P has no pin 'PE2'",
    ),
    "a pod's screen elsewhere": ('sda = "PC4"', 'sda = "PC3"', "is on PC4 (SDA) and PC5 (SCL)"),
    "an interrupt on an expander": (
        'interrupt = "GPIO7"',
        'interrupt = "X2.6"',
        "the interrupt of X1: X2.6 is no line of the header",
    ),
    "two expanders of one name": ('name = "X2"', 'name = "X1"', "there are two expanders X1"),
    "an unknown word": ("baudrate =", "baud =", "unexpected keyword argument 'baud'"),
    "a word left out": ('ground = "black"', "", "missing: 'ground'"),
    "no TOML": ("[bus]", "[bus", "Expected ']'"),
    "two wires of one colour": ('"brown", "red"', '"red", "red"', "two wires are red"),
}


@in_one(("right", "wrong", "fault"), BROKEN.values(), ids=BROKEN.keys())
def test_what_cannot_be_wired_is_a_fault_by_name(right: str, wrong: str, fault: str) -> None:
    assert right in MAP
    assert fault in "\n".join(faults(MAP.replace(right, wrong)))


def test_the_map_can_be_wired() -> None:
    assert faults(MAP) == []


def test_a_map_that_cannot_be_read_writes_nothing(copy: Path) -> None:
    (copy / pinmap.SOURCE).write_text(MAP.replace("baudrate =", "baud ="), "utf-8")
    before = {path: path.read_bytes() for path in made(copy)}
    assert pinmap.main() == 2
    assert {path: path.read_bytes() for path in made(copy)} == before


def test_the_command_says_what_is_wrong_with_status_2(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / pinmap.SOURCE).write_text(MAP.replace("baudrate =", "baud ="), "utf-8")
    assert pinmap.main() == 2
    assert "unexpected keyword argument 'baud'" in capsys.readouterr().err


def test_layouts_serve_two_four_and_ten_seats() -> None:
    assert {name: len(layout.seats) for name, layout in layouts().items()} == {
        "pair": 2,
        "header": 4,
        "expanded": 10,
    }


def test_a_seat_keeps_its_wires_in_every_layout_that_has_room_on_the_header() -> None:
    for seat in (1, 2):
        wired = {layout.seats[seat].buttons for layout in layouts().values()}
        assert len(wired) == 1
