"""The chain on a recorded SPI bus, at a table that plays."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from support.screens.spi import SpiBus

from companion.app.seats import light_up
from companion.seats import light
from companion.seats.light import CARS, DARK, RAIN, Chain, Lights, LumaChain, figures_of
from companion.seats.pinmap import layouts
from companion.seats.plan import SeatPlan, SeatTrouble, read_plan
from companion.seats.wired.doctor import Machine
from companion.table.ports import Picture, Snapshot
from companion.views.screen import Lamp

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


@dataclass
class Table:
    """A table that publishes what it is told to."""

    now: Snapshot = field(default_factory=lambda: published(1, {1: "off", 2: "on"}))
    listeners: list[Callable[[Snapshot], None]] = field(default_factory=list)

    def snapshot(self) -> Snapshot:
        return self.now

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.clear()

    def publish(self, snapshot: Snapshot) -> None:
        for listener in self.listeners:
            listener(snapshot)


@pytest.fixture
def bus() -> SpiBus:
    return SpiBus()


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def lit(bus: SpiBus, table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lights]:
    monkeypatch.setattr(light, "RETRY_S", 0.01)
    wire = LumaChain(len(CHAIN), brightness=4, spidev=bus)
    with Lights(table, CHAIN, wire) as lights:  # type: ignore[arg-type] # two of its methods
        yield lights


def test_the_chain_follows_the_table_and_is_dark_when_it_closes(
    lit: Lights, bus: SpiBus, table: Table
) -> None:
    bus.wait_for([DARK] * 6 + [BLUE])
    assert bus.brightness() == {4}
    assert bus.max_speed_hz == 1_000_000
    table.publish(published(2, {1: "on", 2: "off"}, raining=True))
    bus.wait_for([RAIN] * 5 + [CARS["red"], DARK])
    lit.close()
    assert bus.shown(len(CHAIN)) == [DARK] * 7


def test_what_does_not_change_is_not_sent_again(lit: Lights, bus: SpiBus, table: Table) -> None:
    bus.wait_for([DARK] * 6 + [BLUE])
    sent = len(bus.frames)
    table.publish(published(2, {1: "off", 2: "on"}))
    table.publish(published(3, {1: "on", 2: "off"}))
    bus.wait_for([DARK] * 5 + [CARS["red"], DARK])
    assert len(bus.frames) == sent + 1


def test_a_bus_that_fails_is_told_once_and_tried_again(
    lit: Lights, bus: SpiBus, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    bus.wait_for([DARK] * 6 + [BLUE])
    opened, bus.fault = bus.opened, OSError(errno.ESHUTDOWN, "cannot send")
    table.publish(published(2, {1: "on", 2: "off"}))
    while not caplog.records:
        lit._thread.join(0.01)
    bus.fault = None
    bus.wait_for([DARK] * 5 + [CARS["red"], DARK])
    assert [record.getMessage() for record in caplog.records] == [
        "the lights cannot be reached: [Errno 108] cannot send"
    ]
    assert bus.opened > opened


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"seat": 4}, "[light] has 'seat'; it knows brightness, each, seats"),
        ({"seats": 11}, "[light] seats = 11 should be a number from 1 to 10"),
        ({"brightness": True}, "[light] brightness = True should be a number from 1 to 15"),
    ],
)
def test_a_chain_that_cannot_be_is_refused_in_a_sentence(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(SeatTrouble) as told:
        figures_of(options)
    assert str(told.value) == says
    found = light.examine(options, (), Machine())
    assert [one.says for one in found] == [says]


def test_lights_that_cannot_be_lit_stay_dark_and_the_table_opens(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    plan = SeatPlan({}, {"light": {"seats": 99}})
    assert light_up(table, plan) is None  # type: ignore[arg-type] # two of its methods
    (said,) = caplog.messages
    assert said.startswith("the lights stay dark: [light] seats = 99")


def test_beside_a_fourth_seat_on_the_header_the_lights_hang_on_the_lines_that_are_left(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory: Any = MockFactory()
    spare_data, spare_clock = light.light().spare
    assert not {spare_data, spare_clock} & {
        line for one in layouts()["header"].seats.values() for line in one.buttons
    }
    monkeypatch.setattr(light, "open_factory", lambda _: factory)
    moved: list[tuple[str, int]] = []

    class Pin(MockPin):  # type: ignore[misc] # gpiozero has no types
        def _set_state(self, value: int) -> None:
            moved.append((str(self.info.name), int(value)))
            super()._set_state(value)

    factory.pin_class = Pin
    chain = LumaChain(len(CHAIN), brightness=4, lines=light.Lines(spare_data, spare_clock, "mock"))
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
    assert read_plan(file).options_of("light") == {"seats": 4}
    assert light_up(Table(), SeatPlan()) is None  # type: ignore[arg-type] # two of its methods


def machine(root: Path, *, has: bool = True, may: bool = True) -> Machine:
    return Machine(root, lambda _: has, lambda _: False, lambda _: may)


def test_the_doctor_says_what_keeps_the_lights_dark(tmp_path: Path) -> None:
    seats = [layouts()["expanded"].seats[one] for one in range(1, 11)]
    (missing,) = light.examine({}, seats, machine(tmp_path, has=False))
    assert missing.says == "missing: luma.led_matrix, spidev"
    (absent,) = light.examine({}, seats, machine(tmp_path))
    assert absent.says == "there is no /dev/spidev0.0"
    assert absent.mend == "sudo companion boot LAYOUT --light"
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    (shut,) = light.examine({}, seats, machine(tmp_path, may=False))
    assert shut.says == "/dev/spidev0.0 may not be opened"
    (good,) = light.examine({}, seats, machine(tmp_path))
    assert (good.ok, good.says) == (None, "6 seats; look whether they shine")
    four = [layouts()["header"].seats[4]]
    (spare,) = light.examine({}, four, machine(tmp_path))
    assert spare.says == "6 seats; look whether they shine, on GPIO0 and GPIO1"
