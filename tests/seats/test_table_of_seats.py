"""A whole table, page and all, with seats by name: `companion race --seats "..."`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.formula.by_hand import is_as_by_hand, sensible
from support.pods.listener import soon
from support.tables.mixed import MixedTable

from companion.app.table import RunningTable
from companion.seats.plan import SeatPlan, parse_seats
from companion.system.config import Config
from race_companion_wired.simulated import SimulatedSeats

ALONE = "127.0.0.1"
SEED = 5


def test_wired_simulated_seats_join_with_any_button_and_phones_beside_them(tmp_path: Path) -> None:
    plan = SeatPlan(parse_seats("2 wired simulated, 1 phone"))
    began = time.monotonic()
    with RunningTable(Config(tmp_path, ALONE, 0), seats=plan) as table:
        table.start()
        driver: Any = table.hub._drivers[1]
        driver.begin()
        seats = driver.opened
        assert isinstance(seats, SimulatedSeats)
        wanted = table.session.snapshot().private[2].bitmap
        assert soon(lambda: seats.picture(2) == wanted)
        seats.press(2, 4)
        assert soon(lambda: bool(table.state.lobby.joined))
        assert list(table.state.lobby.joined) == [2]
        assert table.hub.troubles == {}
    assert time.monotonic() - began < 30


def test_wired_seats_without_their_hardware_leave_the_table_open(tmp_path: Path) -> None:
    plan = SeatPlan(parse_seats("1 wired, 1 phone"), {"wired": {"pin_factory": "lgpio"}})
    with RunningTable(Config(tmp_path, ALONE, 0), seats=plan) as table:
        table.start()
        driver: Any = table.hub._drivers[1]
        driver.begin()
        assert "lgpio" in table.hub.troubles[1]["buttons"]


@pytest.mark.slow
def test_a_race_of_four_pads_ends_as_one_by_hand(tmp_path: Path) -> None:
    dice = Random(SEED)
    with MixedTable(tmp_path, "4 keys simulated") as table:
        while table.race.asks:
            table.reads()
            table.gives(sensible(table.race, dice))
        assert table.table.hub.troubles == {}
        record = table.record()
    assert is_as_by_hand(4, 1, record)
    assert {line["by"] for line in record[1:-1]} == {"seat"}


@pytest.mark.slow
def test_a_table_of_phones_imports_no_library_of_the_hardware(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PHONES_ONLY, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


PHONES_ONLY = """
import sys
from pathlib import Path
from companion.app.table import RunningTable
from companion.system.config import Config
with RunningTable(Config(Path(sys.argv[1]), "127.0.0.1", 0)) as table:
    table.start()
    hardware = {"gpiozero", "luma", "smbus2", "PIL", "serial", "lgpio", "evdev"}
    hardware |= {"race_companion_pods", "race_companion_keys", "race_companion_wired"}
    print(sorted(hardware & sys.modules.keys()))
"""
