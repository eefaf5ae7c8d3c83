"""The examination of wired seats: each fault is found, and its mend named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.seats.pinmap import ScreenPlace, layouts
from companion.seats.plan import Finding
from companion.seats.simulated import Oled, SimulatedBus, SimulatedWire, smbus_of
from companion.seats.wired import doctor
from companion.seats.wired.buttons import Factories
from companion.seats.wired.doctor import Machine

PAIR, FOUR, TEN = (layouts()[name] for name in ("pair", "header", "expanded"))


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """A Pi 4 on which all is as it should be, for ten seats."""
    for bus in (1, *range(20, 28)):
        (tmp_path / f"dev/i2c-{bus}").mkdir(parents=True)
        (tmp_path / f"sys/bus/i2c/devices/i2c-{bus}").mkdir(parents=True)
    (tmp_path / "dev/gpiochip0").touch()
    for expander in TEN.expanders.values():
        place = f"sys/bus/i2c/devices/{expander.bus}-{expander.address:04x}/gpiochip3"
        (tmp_path / place).mkdir(parents=True)
    write(tmp_path, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    write(tmp_path, "proc/cmdline", "root=/dev/mmcblk0p2 rootwait\n")
    node = tmp_path / "sys/bus/i2c/devices/i2c-1/of_node"
    node.mkdir()
    (node / "clock-frequency").write_bytes((400_000).to_bytes(4, "big"))
    return Machine(tmp_path, lambda _: True, lambda _: False, lambda _: True)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, "utf-8")


def examined(pi: Machine, factory: str = "lgpio") -> list[Finding]:
    lines = [line for seat in FOUR.seats.values() for line in seat.buttons]
    return [
        *doctor.examine_libraries(pi, factory),
        *doctor.examine_board(pi, factory),
        *doctor.examine_lines(pi, lines),
        *doctor.examine_buses(pi, TEN, [1, 20, 27]),
    ]


def wrong(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.says, one.mend) for one in found if not one.ok]


def test_a_good_pi_has_nothing_to_mend(pi: Machine) -> None:
    found = examined(pi)
    assert wrong(found) == []
    assert {one.what for one in found} == {
        "libraries",
        "board",
        "lines",
        "bus",
        "speed",
        "expander",
    }


def no_gpio_group(pi: Machine) -> Machine:
    return replace(pi, may_open=lambda path: "gpio" not in path.name)


def no_i2c_group(pi: Machine) -> Machine:
    return replace(pi, may_open=lambda path: "i2c" not in path.name)


def no_lgpio(pi: Machine) -> Machine:
    return replace(pi, has_module=lambda name: name != "lgpio")


def both_rpigpios(pi: Machine) -> Machine:
    return replace(pi, has_package=lambda _: True)


def no_bus(pi: Machine) -> Machine:
    (pi.root / "dev/i2c-1").rmdir()
    (pi.i2c_devices / "i2c-1/of_node/clock-frequency").unlink()
    (pi.i2c_devices / "i2c-1/of_node").rmdir()
    (pi.i2c_devices / "i2c-1").rmdir()
    return pi


def no_module(pi: Machine) -> Machine:
    (pi.root / "dev/i2c-1").rmdir()
    return pi


def no_multiplexer(pi: Machine) -> Machine:
    (pi.root / "dev/i2c-27").rmdir()
    (pi.i2c_devices / "i2c-27").rmdir()
    return pi


def no_expander(pi: Machine) -> Machine:
    (pi.i2c_devices / "1-0022/gpiochip3").rmdir()
    return pi


def slow_bus(pi: Machine) -> Machine:
    (pi.i2c_devices / "i2c-1/of_node/clock-frequency").write_bytes((100_000).to_bytes(4, "big"))
    return pi


def console(pi: Machine) -> Machine:
    write(pi.root, "proc/cmdline", "console=serial0,115200 console=tty1")
    return pi


def laptop(pi: Machine) -> Machine:
    (pi.root / "proc/device-tree/model").unlink()
    return pi


@pytest.mark.parametrize(
    ("spoil", "says", "mend"),
    [
        (no_gpio_group, "/dev/gpiochip0 may not be opened", "usermod -aG gpio"),
        (no_i2c_group, "/dev/i2c-1 may not be opened", "usermod -aG i2c"),
        (no_lgpio, "missing: lgpio", "pip install 'race-companion[pi]'"),
        (both_rpigpios, "are both installed", "pip uninstall rpi-lgpio"),
        (no_bus, "there is no bus /dev/i2c-1", "dtparam=i2c_arm=on"),
        (no_module, "but the kernel has it", "modprobe i2c-dev"),
        (no_multiplexer, "no bus /dev/i2c-27", "dtoverlay=i2c-mux,pca9548,addr=0x70,base=20"),
        (no_expander, "X3 is not at 0x22", "dtoverlay=mcp23017,addr=0x22,gpiopin=14"),
        (slow_bus, "at 100000 bits a second", "dtparam=i2c_arm_baudrate=400000"),
        (console, "a console speaks on GPIO14", "raspi-config nonint do_serial_cons 1"),
        (laptop, "this is no Raspberry Pi", "2 wired simulated"),
    ],
)
def test_a_fault_of_the_machine_is_named_with_its_mend(
    pi: Machine, spoil: Callable[[Machine], Machine], says: str, mend: str
) -> None:
    found = wrong(examined(spoil(pi)))
    assert found
    assert says in found[0][0]
    assert mend in found[0][1]


def test_a_pi_5_needs_lgpio(pi: Machine) -> None:
    write(pi.root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    assert wrong(examined(pi)) == []
    ((says, mend),) = wrong(examined(pi, "rpigpio"))
    assert "RPi.GPIO does not work on it" in says
    assert 'pin_factory = "lgpio"' in mend


def test_a_stuck_button_is_named_with_its_line() -> None:
    factories = Factories("mock", ())
    seats = list(PAIR.seats.values())
    pin = factories.of(seats[1].buttons[2]).pin("GPIO12")
    pin.input_with_pull("up")
    # A pin that is held down reads low whatever its pull-up does.
    pin.input_with_pull = lambda _: pin.drive_low()
    found = list(doctor.examine_buttons(seats, factories))
    assert [(one.seat, one.ok) for one in found] == [(1, True), (2, False)]
    assert found[1].says == "button 3 (GPIO12) reads pressed"


def test_an_expander_without_its_resistors_is_named() -> None:
    """Linux takes the request for its pull-ups and drops it: the mock does as Linux."""
    (found,) = doctor.examine_buttons([TEN.seats[4]], Factories("mock", TEN.expanders.values()))
    assert found.says == "all lines on expander X1 read pressed: they float"
    assert "10 kΩ from each line" in found.mend


def test_a_line_that_is_taken_is_named() -> None:
    found = list(doctor.examine_buttons(list(PAIR.seats.values()), Factories("lgpio", ())))
    assert len(wrong(found)) == 12
    assert "button 1 (GPIO4) cannot be read" in found[0].says
    assert "systemctl stop companion" in found[0].mend


def screens(there: dict[int, Oled], count: int = 2) -> list[Finding]:
    """What is found of the first seats of a pair whose bus has these screens by address."""
    bus = SimulatedBus(there)

    def make_wire(place: ScreenPlace) -> SimulatedWire:
        return SimulatedWire(place, smbus_of({1: bus}))

    seats = list(PAIR.seats.values())[:count]
    return list(doctor.examine_screens(seats, make_wire, lambda _, address: bus.read(address)))


def oled(controller: str = "SSD1306") -> Oled:
    return Oled(controller, Random(1))


def test_screens_that_answer_are_well() -> None:
    assert [one.says for one in screens({0x3C: oled(), 0x3D: oled()})] == [
        "SSD1306 at 0x3C on bus 1 answers",
        "SSD1306 at 0x3D on bus 1 answers",
    ]


def test_a_screen_that_does_not_answer_is_named_and_its_neighbour_is_well() -> None:
    first, second = screens({0x3C: oled()})
    assert (first.ok, second.ok) == (True, False)
    assert "0x3D on bus 1 does not answer" in second.says
    assert second.mend.endswith("i2cdetect -y 1")


def test_a_screen_at_the_other_address_is_found_there() -> None:
    (found,) = screens({0x3D: oled()}, count=1)
    assert found.says == "it answers at 0x3D instead of 0x3C"
    assert "resistor" in found.mend


def test_a_wrong_controller_is_named_with_the_line_of_the_configuration() -> None:
    first, second = screens({0x3C: oled("SH1106"), 0x3D: oled()})
    assert (first.ok, second.ok) == (False, True)
    assert first.says == "it seems to be an SH1106 and is driven as an SSD1306"
    assert first.mend == 'write 1 = "SH1106" in [wired.controllers] of companion.toml'


def test_a_configuration_that_cannot_be_followed_is_the_first_finding() -> None:
    assert "pin_factory" in doctor.examine((1,), {})[0].says
    (found,) = doctor.examine((1, 7), {"pin_factory": "lgpio", "layout": "pair"})
    assert "has not the seats 1, 7" in found.says


def test_this_machine_without_wires_is_examined_to_the_end() -> None:
    found = doctor.examine((1, 2), {"pin_factory": "lgpio"})
    assert {"libraries", "board"} <= {one.what for one in found}
    assert all(one.mend for one in found if not one.ok)
