"""The chain on a recorded SPI bus, at a table that plays."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from support.screens.spi import SpiBus

import race_companion_lights
from companion.app.plugins import TableSeen
from companion.app.seats import examine_seats, wires_of
from companion.seats.plan import SeatPlan, read_plan
from companion.system.plugins import Options
from companion.table.ports import Picture, Snapshot
from companion.views.screen import Lamp
from race_companion_lights import (
    CARS,
    DARK,
    RAIN,
    Chain,
    Lights,
    Lines,
    LumaChain,
    examine,
    open_lights,
)
from race_companion_wired.doctor import Machine
from race_companion_wired.pinmap import layouts, light

# luma's own; Pillow is bound below the version that takes it away.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
CHAIN = Chain(seats=2)
BLUE = CARS["blue"]


def published(version: int, lamps: dict[int, Lamp], *, raining: bool = False) -> Snapshot:
    wet = "true" if raining else "false"
    body = (
        '{"id": "one", "seats": [{"seat": 1, "color": "red"}, {"seat": 2, "color": "blue"}], '
        f'"state": {{"round": 2, "raining": {wet}, "debris": []}}}}'
    )
    pictures = {seat: Picture(version, b"", lamp) for seat, lamp in lamps.items()}
    return Snapshot(version, body.encode, pictures)


class Table:
    """A table that shows what it is told to."""

    def __init__(self) -> None:
        self.now = published(1, {1: "off", 2: "on"})

    def snapshot(self) -> Snapshot:
        return self.now


SPI = {"factory": "lgpio", "light": None}


@pytest.fixture
def bus() -> SpiBus:
    return SpiBus()


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def lit(bus: SpiBus, table: Table) -> Lights:
    wire = LumaChain(len(CHAIN), brightness=4, spidev=bus)
    return Lights(TableSeen(table, lambda: SPI), CHAIN, wire)  # type: ignore[arg-type] # one of its methods


def test_the_chain_follows_the_table_and_is_dark_when_it_closes(
    lit: Lights, bus: SpiBus, table: Table
) -> None:
    assert lit.changed() is None
    assert bus.shown(len(CHAIN)) == [DARK] * 6 + [BLUE]
    assert bus.brightness() == {4}
    assert bus.max_speed_hz == 1_000_000
    table.now = published(2, {1: "on", 2: "off"}, raining=True)
    lit.changed()
    assert bus.shown(len(CHAIN)) == [RAIN] * 5 + [CARS["red"], DARK]
    lit.close()
    assert bus.shown(len(CHAIN)) == [DARK] * 7


def test_lights_that_blink_are_looked_at_again(lit: Lights, table: Table) -> None:
    table.now = published(2, {1: "blinks"})
    assert lit.changed() == race_companion_lights.STEP_S


def test_what_does_not_change_is_not_sent_again(lit: Lights, bus: SpiBus, table: Table) -> None:
    lit.changed()
    sent = len(bus.frames)
    table.now = published(2, {1: "off", 2: "on"})
    lit.changed()
    assert len(bus.frames) == sent
    table.now = published(3, {1: "on", 2: "off"})
    lit.changed()
    assert len(bus.frames) == sent + 1


def test_a_bus_that_fails_is_told_once_and_tried_again(
    lit: Lights, bus: SpiBus, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    lit.changed()
    opened, bus.fault = bus.opened, OSError(errno.ESHUTDOWN, "cannot send")
    table.now = published(2, {1: "on", 2: "off"})
    assert [lit.changed(), lit.changed()] == [race_companion_lights.RETRY_S] * 2
    bus.fault = None
    assert lit.changed() is None
    assert bus.shown(len(CHAIN)) == [DARK] * 5 + [CARS["red"], DARK]
    assert [record.getMessage() for record in caplog.records] == [
        "the lights cannot be reached: [Errno 108] cannot send"
    ]
    assert bus.opened > opened


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"seat": 4}, "[light] has 'seat'; its options are: brightness, each, seats"),
        ({"seats": 11}, "[light] seats = 11 should be a whole number from 1 to 10"),
        ({"brightness": True}, "[light] brightness = True should be a whole number from 1 to 15"),
    ],
)
def test_a_chain_that_cannot_be_is_told_in_a_sentence_by_the_doctor(
    options: dict[str, Any], says: str
) -> None:
    found = [one for one in examine_seats(SeatPlan({}, {"light": options})) if one.what == "light"]
    assert [(one.says, one.ok) for one in found] == [(says, False)]


def test_beside_a_fourth_seat_on_the_header_the_lights_hang_on_the_lines_that_are_left(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory: Any = MockFactory()
    spare_data, spare_clock = light().spare
    assert not {spare_data, spare_clock} & {
        line for one in layouts()["header"].seats.values() for line in one.buttons
    }
    monkeypatch.setattr(race_companion_lights, "open_factory", lambda _: factory)
    moved: list[tuple[str, int]] = []

    class Pin(MockPin):  # type: ignore[misc] # gpiozero has no types
        def _set_state(self, value: int) -> None:
            moved.append((str(self.info.name), int(value)))
            super()._set_state(value)

    factory.pin_class = Pin
    chain = LumaChain(
        len(CHAIN), brightness=4, lines=Lines(spare_data.number, spare_clock.number, "mock")
    )
    bus = SpiBus()
    chain.show([DARK] * 6 + [BLUE])
    moved.clear()
    chain.show([RAIN] * 5 + [CARS["red"], DARK])
    bits, level = "", 0
    for name, value in moved:
        if name == str(spare_data):
            level = value
        elif value:  # the chips take a bit where the clock rises
            bits += str(level)
    bus.frames.append(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)))
    assert bus.shown(len(CHAIN)) == [RAIN] * 5 + [CARS["red"], DARK]
    assert bus.brightness() == {4}
    chain.close()
    chain.close()


def test_the_configuration_names_the_lights(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[light]\nseats = 4\n", "utf-8")
    options = read_plan(file).options_of("light")
    table = TableSeen(Table(), lambda: SPI)  # type: ignore[arg-type] # one of its methods
    assert len(open_lights(table, Options("light", options))._chain) == 9


def machine(root: Path, *, has: bool = True, may: bool = True) -> Machine:
    return Machine(root, lambda _: has, lambda _: False, lambda _: may)


def test_the_doctor_says_what_keeps_the_lights_dark(tmp_path: Path) -> None:
    def found(wires: dict[str, Any], machine: Machine) -> dict[str, Any]:
        (one,) = examine(wires, Options("light", {}), machine)
        return one

    expanded = {**dict.fromkeys(range(1, 11), "wired")}
    wires = wires_of(SeatPlan(expanded, {"wired": {"layout": "expanded"}}))
    assert wires == SPI
    assert found(wires, machine(tmp_path, has=False))["says"] == "missing: luma.led_matrix, spidev"
    absent = found(wires, machine(tmp_path))
    assert absent["says"] == "there is no /dev/spidev0.0"
    assert absent["mend"] == "sudo companion boot LAYOUT --light"
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    shut = found(wires, machine(tmp_path, may=False))
    assert shut["says"] == "/dev/spidev0.0 may not be opened"
    good = found(wires, machine(tmp_path))
    assert good == {"ok": None, "says": "6 seats; look whether they shine"}
    four = wires_of(SeatPlan(dict.fromkeys(range(1, 5), "wired"), {"wired": {"layout": "header"}}))
    spare = found(four, machine(tmp_path))
    assert spare["says"] == "6 seats; look whether they shine, on GPIO0 and GPIO1"
