"""The examination of wired seats: each fault is found, and its mend named."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import rmtree
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.seats import examine_seats
from companion.seats.plan import Finding, SeatPlan
from race_companion_wired import doctor
from race_companion_wired.buttons import Factories
from race_companion_wired.doctor import Machine
from race_companion_wired.oled import Oled
from race_companion_wired.pinmap import ScreenPlace, layouts
from race_companion_wired.simulated import SimulatedBus, SimulatedWire, smbus_of

PAIR, FOUR, TEN = (layouts()[name] for name in ("pair", "header", "expanded"))


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """A Pi 4 on which all is as it should be, for ten seats."""
    for bus in (1, 20, *range(40, 48)):
        (tmp_path / f"dev/i2c-{bus}").mkdir(parents=True)
        is_behind = bus >= 40
        write(
            tmp_path,
            f"sys/bus/i2c/devices/i2c-{bus}/name",
            f"i2c-1-mux (chan_id {bus - 40})\n" if is_behind else "bcm2835 (i2c@7e804000)\n",
        )
    (tmp_path / "dev/gpiochip0").touch()
    for expander in TEN.expanders.values():
        place = f"sys/bus/i2c/devices/{expander.bus}-{expander.address:04x}/gpiochip3"
        (tmp_path / place).mkdir(parents=True)
    write(tmp_path, "proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    write(tmp_path, "proc/device-tree/compatible", "raspberrypi,4-model-b\0brcm,bcm2711\0")
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
        *doctor.examine_buses(pi, TEN, [1, 40, 47]),
    ]


def wrong(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.says, one.mend) for one in wrong_ones(found)]


def wrong_ones(found: list[Finding]) -> list[Finding]:
    return [one for one in found if not one.ok]


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
    rmtree(pi.i2c_devices / "i2c-1")
    return pi


def no_module(pi: Machine) -> Machine:
    (pi.root / "dev/i2c-1").rmdir()
    return pi


def no_multiplexer(pi: Machine) -> Machine:
    (pi.root / "dev/i2c-47").rmdir()
    rmtree(pi.i2c_devices / "i2c-47")
    return pi


def no_expander(pi: Machine) -> Machine:
    (pi.i2c_devices / "1-0022/gpiochip3").rmdir()
    return pi


def slow_bus(pi: Machine) -> Machine:
    (pi.i2c_devices / "i2c-1/of_node/clock-frequency").write_bytes((100_000).to_bytes(4, "big"))
    return pi


def console(pi: Machine) -> Machine:
    write(pi.root, "sys/class/tty/console/active", "tty1 ttyS0\n")
    return pi


def laptop(pi: Machine) -> Machine:
    rmtree(pi.root / "proc/device-tree")
    return pi


def an_hdmi_socket(pi: Machine) -> Machine:
    """A number that was taken before the multiplexer came."""
    write(pi.i2c_devices, "i2c-47/name", "fef04500.i2c\n")
    return pi


def no_screens_library(pi: Machine) -> Machine:
    return replace(pi, has_module=lambda name: name != "luma.core")


@pytest.mark.parametrize(
    ("spoil", "says", "mend"),
    [
        (no_gpio_group, "/dev/gpiochip0 may not be opened", "usermod -aG gpio"),
        (no_i2c_group, "/dev/i2c-1 may not be opened", "usermod -aG i2c"),
        (no_lgpio, "missing: lgpio", "sudo apt install python3-lgpio"),
        (no_screens_library, "missing: luma.core", "pip install '.[pi]'"),
        (both_rpigpios, "are both installed", "pip uninstall rpi-lgpio"),
        (no_bus, "there is no bus /dev/i2c-1", "sudo companion boot expanded"),
        (no_module, "but the kernel has it", "modprobe i2c-dev"),
        (no_multiplexer, "no bus /dev/i2c-47", "sudo companion boot expanded"),
        (an_hdmi_socket, "/dev/i2c-47 is fef04500.i2c, no channel", "sudo companion boot expanded"),
        (no_expander, "X3 is not at 0x22", "sudo companion boot expanded"),
        (slow_bus, "at 100000 bits a second", "sudo companion boot expanded"),
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


FIVES = {
    "Raspberry Pi 5 Model B Rev 1.0": "raspberrypi,5-model-b",
    "Raspberry Pi 500 Rev 1.0": "raspberrypi,500",
    "Raspberry Pi Compute Module 5 Rev 1.0": "raspberrypi,5-compute-module",
}


@pytest.mark.parametrize("model", FIVES)
def test_a_pi_5_needs_lgpio_whatever_its_name(pi: Machine, model: str) -> None:
    write(pi.root, "proc/device-tree/model", f"{model}\0")
    write(pi.root, "proc/device-tree/compatible", f"{FIVES[model]}\0brcm,bcm2712\0")
    assert wrong(examined(pi)) == []
    ((says, mend),) = wrong(examined(pi, "rpigpio"))
    assert "RPi.GPIO does not work on it" in says
    assert 'pin_factory = "lgpio"' in mend


@pytest.mark.parametrize(
    ("active", "is_shorted"),
    [("tty1 ttyAMA10", False), ("ttyAMA0 tty1", True), ("tty1 ttyS0", True), ("tty1", False)],
)
def test_a_console_is_a_short_only_where_it_is_open_on_the_header(
    pi: Machine, active: str, is_shorted: bool
) -> None:
    # What the command line names is there on every Pi, with a port to speak on or without.
    write(pi.root, "proc/cmdline", "8250.nr_uarts=0 console=ttyS0,115200 console=tty1")
    write(pi.root, "sys/class/tty/console/active", active)
    assert ("console" in {one.what for one in examined(pi)}) == is_shorted


def test_a_library_below_one_that_is_not_there_is_missing_and_no_fault() -> None:
    assert not Machine().has_module("no_such_library.below")
    assert Machine().has_module("luma.core")


def test_a_line_that_reads_and_cannot_be_watched_is_no_button() -> None:
    """RPi.GPIO on kernels from 6.6: reading works, edges do not."""
    factories = Factories("mock", ())
    seat = PAIR.seats[1]
    pin = factories.of(seat.buttons[0]).pin("GPIO4")

    class NoEdges(type(pin)):  # type: ignore[misc] # the mock's own class
        def _set_edges(self, value: str) -> None:
            raise RuntimeError("Failed to add edge detection")

    pin.__class__ = NoEdges
    (found,) = doctor.examine_buttons([seat], factories)
    assert "Failed to add edge detection" in found.says
    assert found.mend == 'write pin_factory = "lgpio" in [wired] of companion.toml'


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
    factories = Factories("mock", ())
    seat = PAIR.seats[1]

    def taken(_: str) -> None:
        raise OSError("GPIO busy")

    factories.of(seat.buttons[0]).pin("GPIO4").input_with_pull = taken
    (found,) = doctor.examine_buttons([seat], factories)
    assert found.says == "GPIO4, button 1, cannot be read: GPIO busy"
    assert "systemctl stop companion" in found.mend


@pytest.mark.parametrize(
    ("holder", "mend"),
    [("onewire@4", "dtoverlay=w1-gpio"), ("lg", "systemctl stop companion"), ("", "end what else")],
)
def test_who_holds_a_line_is_named_a_driver_of_the_kernel_too(
    holder: str, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories, seat = Factories("mock", ()), PAIR.seats[1]
    factory: Any = factories.of(seat.buttons[0])
    factory._handle = 5
    info = SimpleNamespace(gpio_get_line_info=lambda *asked: [0, *asked, "GPIO4", holder])
    monkeypatch.setitem(sys.modules, "lgpio", info)

    def taken(_: str) -> None:
        raise OSError("GPIO busy")

    factory.pin("GPIO4").input_with_pull = taken
    (found,) = doctor.examine_buttons([seat], factories)
    assert found.says.endswith(f"GPIO busy, held by {holder}" if holder else "GPIO busy")
    assert mend in found.mend


def test_the_pipe_of_lgpio_is_made_where_it_may_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is made in the working directory otherwise, by hand in whichever that is."""
    monkeypatch.setenv("LG_WD", "elsewhere")  # so that it is put back
    monkeypatch.delenv("LG_WD")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    Factories("mock", ()).of(PAIR.seats[1].buttons[0])
    assert Path(os.environ["LG_WD"]).parent == tmp_path


def test_a_pin_factory_that_does_not_work_is_told_once_a_seat() -> None:
    found = list(doctor.examine_buttons(list(PAIR.seats.values()), Factories("lgpio", ())))
    assert [one.seat for one in wrong_ones(found)] == [1, 2]
    assert "the pin factory 'lgpio' does not work here" in found[0].says


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
    assert second.mend == (
        "look at its wires, then: i2cdetect -y 1; where its neighbour's picture shows on both "
        "glasses, both answer at 0x3C: move the resistor on the back of this one"
    )


def test_a_screen_at_the_other_address_is_found_there() -> None:
    (found,) = screens({0x3D: oled()}, count=1)
    assert found.says == "it answers at 0x3D instead of 0x3C"
    assert "resistor" in found.mend


def test_a_wrong_controller_is_named_with_the_line_of_the_configuration() -> None:
    first, second = screens({0x3C: oled("SH1106"), 0x3D: oled()})
    assert (first.ok, second.ok) == (False, True)
    assert first.says == "it seems to be an SH1106 and is driven as an SSD1306"
    assert first.mend == 'write 1 = "SH1106" in [wired.controllers] of companion.toml'


def asked(*seats: int, **options: object) -> list[Finding]:
    """What `companion doctor` finds."""
    return examine_seats(SeatPlan(dict.fromkeys(seats, "wired"), {"wired": options}))


def test_a_configuration_that_cannot_be_followed_is_the_first_finding() -> None:
    assert "pin_factory" in asked(1)[0].says
    told = {"pin_factory": "lgpio", "layout": "pair", "controllers": {"1": "SH1106"}}
    (found,) = asked(1, 7, **told)
    assert (found.what, found.ok) == ("configuration", False)
    assert "has not the seats 1, 7" in found.says
    (found,) = asked(1, pin_factory="lgpio", colour="red")
    assert "[wired] has 'colour'; its options are: controllers, layout, pin_factory" in found.says


def test_this_machine_without_wires_is_examined_to_the_end() -> None:
    found = asked(1, 2, pin_factory="lgpio")
    assert {"libraries", "board"} <= {one.what for one in found}
    assert all(one.mend for one in found if not one.ok)
