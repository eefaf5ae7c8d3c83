"""Pods, wired seats and phones at one table, and seats that move from one to another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.formula.by_hand import by_hand, is_as_by_hand, sensible, told
from support.pods.listener import soon
from support.tables.mixed import MixedTable

from companion.table.ports import SeatListener
from race_companion_pods.link import format_firmware
from race_companion_pods.simulator import SimulatedPods
from race_companion_pods.wire import FIRMWARE

pytestmark = pytest.mark.slow
SEED = 5
Open = Callable[[str], MixedTable]


@pytest.fixture
def opened(firmware: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a table with these seats; its pods run the firmware as it is built now."""

    def open_seats(
        seats: Sequence[int], listener: SeatListener, options: Mapping[str, Any]
    ) -> SimulatedPods:
        image, program = firmware / "build/pod.hex", firmware / "build/podsim"
        return SimulatedPods(seats, listener, image=image, program=program)

    monkeypatch.setattr("race_companion_pods.door.open_simulated", open_seats)
    return lambda seats: MixedTable(tmp_path, seats)


@pytest.mark.long
def test_a_whole_race_of_pods_wires_and_phones_ends_as_one_by_hand(opened: Open) -> None:
    dice, began = Random(SEED), time.monotonic()
    with opened("2 pods simulated, 2 wired simulated, 2 phones") as table:
        while table.race.asks:
            table.reads()  # all six, at every ask
            table.gives(sensible(table.race, dice))
        assert table.table.hub.troubles == {}
        record = table.record()
    assert is_as_by_hand(6, 1, record)
    assert {line["by"] for line in record[1:-1]} == {"seat", "phone"}
    assert min(table.presses.values()) > 20
    print(f"\n{dict(table.presses)} presses in {time.monotonic() - began:.0f} s")


def begins_an_entry(table: MixedTable, seat: int, dice: Random) -> tuple[int, ...]:
    """The race goes on until a seat has an answer of several presses, and made the first.

    The presses that are left.
    """
    for _ in range(60):
        line = sensible(table.race, dice)
        buttons = table.buttons(line) or ()
        if line["seat"] == seat and len(buttons) > 1:
            table.reads(seat)
            table.taps(seat, buttons[0])
            return buttons[1:]
        table.gives(line)
    pytest.fail("no answer of several presses came up")


def is_dead(table: MixedTable, seat: int) -> bool:
    return seat in table.table.hub.troubles


def is_refused(table: MixedTable, seat: int) -> bool:
    """Whether the last press of a seat was refused, and its screen says why."""
    return seat in table.table.session._refused


def trouble(table: MixedTable, seat: int) -> Any:
    """What the page says of a seat that is out of reach."""
    return table.client.get("/api/table")["seats"][seat - 1]["trouble"]


def answers(table: MixedTable) -> list[Any]:
    return [line for line in table.race.lines[1:] if "seat" in line]


def ends_the_entry_by_phone(table: MixedTable, seat: int, buttons: Sequence[int]) -> None:
    """The phone has the code of a neighbour's screen, and finds the entry where it stood."""
    before = len(answers(table))
    for button in buttons:
        table.taps(seat, button, by="phone")
    assert len(answers(table)) == before + 1
    assert answers(table)[-1]["seat"] == seat


def is_alive_again(table: MixedTable, seat: int) -> None:
    """It is out of reach no more, shows its picture, and its next answer comes from itself."""
    assert soon(lambda: not is_dead(table, seat))
    dice = Random(SEED)
    table.reads(seat)
    for _ in range(60):
        line = sensible(table.race, dice)
        on_its_keys = line["seat"] == seat and table.buttons(line) is not None
        table.gives(line)
        if on_its_keys:
            break
    assert (answers(table)[-1]["seat"], answers(table)[-1]["by"]) == (seat, "seat")


def nothing_was_lost_or_told_twice(table: MixedTable, seats: int) -> None:
    hand = by_hand(seats, 1, told(answers(table)))
    assert hand.race.state == table.race.state
    assert hand.race.asks == table.race.asks


@pytest.mark.faults("a seat dies in mid-entry, and a phone takes over")
def test_a_phone_takes_over_where_a_pod_was_unplugged_in_mid_entry_and_gives_back(
    opened: Open,
) -> None:
    with opened("1 pod simulated, 2 phones") as table:
        rest = begins_an_entry(table, 1, Random(SEED))
        table.pods.boards[1].tell("unplug")
        assert soon(lambda: is_dead(table, 1))
        ends_the_entry_by_phone(table, 1, rest)
        table.pods.boards[1].tell("plug")
        is_alive_again(table, 1)
        nothing_was_lost_or_told_twice(table, 3)


@pytest.mark.faults("a seat dies in mid-entry, and a phone takes over")
def test_a_press_that_was_under_way_when_a_pod_fell_silent_is_no_second_answer(
    opened: Open,
) -> None:
    with opened("1 pod simulated, 2 phones") as table:
        rest = begins_an_entry(table, 1, Random(SEED))
        board = table.pods.boards[1]
        table.reads(1)
        board.fault("from", "drop", 1000)
        table.touches(1, rest[0], "pod simulated")  # pressed, and never heard of
        assert soon(lambda: is_dead(table, 1))
        ends_the_entry_by_phone(table, 1, rest)
        given = len(answers(table))
        board.fault("from", "drop", 0)  # now it comes, on a picture that has passed
        assert soon(lambda: not is_dead(table, 1))
        assert soon(lambda: is_refused(table, 1)), "the late press is not heard of"
        table.reads(1)
        assert len(answers(table)) == given
        is_alive_again(table, 1)
        nothing_was_lost_or_told_twice(table, 3)


@pytest.mark.faults("a seat dies in mid-entry, and a phone takes over")
def test_a_phone_takes_over_from_a_wired_seat_whose_screen_has_died_and_gives_back(
    opened: Open,
) -> None:
    with opened("1 wired simulated, 2 phones") as table:
        rest = begins_an_entry(table, 1, Random(SEED))
        place = table.wired.places[1]
        bus = table.wired.buses[place.bus]
        with bus.stopped:
            bus.silent.add(place.address)
        assert soon(lambda: is_dead(table, 1))
        ends_the_entry_by_phone(table, 1, rest)
        with bus.stopped:
            bus.silent.clear()
        is_alive_again(table, 1)
        nothing_was_lost_or_told_twice(table, 3)


@pytest.mark.faults("a pod: firmware of another level")
def test_the_page_says_that_a_pod_has_old_firmware_and_which_it_needs(
    opened: Open, firmware: Path
) -> None:
    with opened("1 pod simulated, 2 phones") as table:
        table.reads(1)
        board = table.pods.boards[1]
        board.tell(f"flash {firmware / 'build/old.hex'}")
        needs = format_firmware(FIRMWARE)
        old = format_firmware((0, *FIRMWARE[1:]))
        says = f"pod: old firmware {old}, needs {needs}, since round 1"
        assert soon(lambda: (trouble(table, 1) or {}).get("en") == says)
        board.tell(f"flash {firmware / 'build/pod.hex'}")
        is_alive_again(table, 1)
