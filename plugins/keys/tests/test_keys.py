"""Seats of number pads, keyboards and controllers, on the kernel's own bytes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.pods.checks import picture
from support.pods.listener import Listener, soon

import race_companion_keys as keys
from companion.app.seats import examine_seats
from companion.seats.plan import SeatPlan, SeatTrouble, parse_seats
from companion.system.plugins import Options
from race_companion_keys import (
    CONTROLLER,
    JOYSTICK,
    PAD,
    ROW,
    KeySeats,
    SimulatedKeys,
    SimulatedPad,
    find_pads,
    sockets_of,
)

HELD_S = 0.7
A = 30


def said(**options: object) -> Options:
    return Options("keys", options)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "LOOK_S", 0.02)


@pytest.fixture
def two(listener: Listener) -> Iterator[SimulatedKeys]:
    with SimulatedKeys((1, 2), listener) as seats:
        for seat in (1, 2):
            seats.show(seat, picture(seat))
        assert soon(lambda: len(seats._pads) == 2)
        yield seats


def tap(seats: SimulatedKeys, seat: int, button: int) -> None:
    seats.finger(seat, button, True)
    seats.finger(seat, button, False)


def failing(listener: Listener) -> dict[int, str]:
    """Why the buttons of each seat fail."""
    return {seat: why for (seat, _), why in dict(listener.troubles).items() if why}


def plugged(*pads: SimulatedPad) -> list[Any]:
    return [opened for pad in pads if (opened := pad.plugged())]


def test_a_sentence_names_them() -> None:
    assert parse_seats("2 keys, 1 key simulated, 1 phone") == {
        1: "keys",
        2: "keys",
        3: "keys simulated",
        4: "phone",
    }


@pytest.mark.parametrize("codes", [ROW, PAD, CONTROLLER, JOYSTICK])
def test_six_keys_of_every_kind_are_the_six_buttons(
    two: SimulatedKeys, listener: Listener, codes: tuple[int, ...]
) -> None:
    for code in (A, *codes):
        two.pads[2].send(code, keys.DOWN)
        two.pads[2].send(code, 2)  # it repeats itself while it is down
        two.pads[2].send(code, keys.UP)
    assert soon(lambda: len(listener.presses) == 6)
    assert listener.presses == [(2, button, False, 2) for button in range(1, 7)]


def test_a_key_is_held_by_the_clock_and_meant_for_the_picture_under_the_finger(
    listener: Listener,
) -> None:
    now = [100.0]
    pad = SimulatedPad("usb-1")
    with KeySeats((1,), listener, lambda: plugged(pad), {}, lambda: now[0]) as seats:
        seats.show(1, picture(7))
        pad.send(PAD[2], keys.DOWN)
        assert soon(lambda: bool(seats._down))
        now[0] += HELD_S
        seats.show(1, picture(8))
        pad.send(PAD[2], keys.UP)
        assert soon(lambda: listener.presses == [(1, 3, True, 7)])


def test_one_that_is_pulled_out_is_told_and_comes_back_to_its_seat(
    two: SimulatedKeys, listener: Listener
) -> None:
    two.finger(1, 4, True)
    assert soon(lambda: bool(two._down))
    for seat in (1, 2):
        two.fault(seat, "cable", True)
        assert soon(lambda seat=seat: seat in failing(listener))  # type: ignore[misc]
    for seat in (2, 1):
        two.fault(seat, "cable", False)
        assert soon(lambda seat=seat: seat not in failing(listener))  # type: ignore[misc]
    two.finger(1, 4, False)  # it came down before the cable was pulled: nobody knows of what
    tap(two, 1, 5)
    tap(two, 2, 6)
    assert soon(lambda: sorted(press[:2] for press in listener.presses) == [(1, 5), (2, 6)])


def test_a_seat_without_a_device_says_so_and_a_new_one_goes_where_none_ever_was(
    listener: Listener,
) -> None:
    pads = [SimulatedPad("usb-1")]
    with KeySeats((3, 4), listener, lambda: plugged(*pads), {}) as seats:
        assert soon(lambda: list(failing(listener)) == [4])
        assert "plug one in" in failing(listener)[4]
        pads[0].plug(False)
        assert soon(lambda: sorted(failing(listener)) == [3, 4])
        pads.append(SimulatedPad("usb-2"))
        assert soon(lambda: list(failing(listener)) == [3])
        pads.append(SimulatedPad("usb-3"))
        assert soon(lambda: not failing(listener))
        found = {seat: keys.socket_of(pad) for seat, pad in seats._pads.items()}
        assert found == {3: "usb-3", 4: "usb-2"}


def test_two_equal_devices_are_told_apart_by_their_sockets(listener: Listener) -> None:
    sockets = sockets_of((1, 2), Options("keys", {"sockets": {"1": "usb-simulated-1.2"}}))
    with SimulatedKeys((1, 2), listener, sockets) as seats:
        assert soon(lambda: len(seats._pads) == 2)
        tap(seats, 2, 3)
        assert soon(lambda: [press[:2] for press in listener.presses] == [(1, 3)])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"sockets": {"1": 3}}, "[keys] sockets = {'1': 3} should be a table of texts by seat"),
        ({"sockets": {"9": "usb"}}, "[keys.sockets] names seat '9'; the seats of keys are 1, 2"),
    ],
)
def test_a_configuration_that_cannot_be_followed_is_a_sentence(
    options: dict[str, object], says: str
) -> None:
    with pytest.raises(SeatTrouble, match=r".") as told:
        sockets_of((1, 2), Options("keys", options))
    assert str(told.value) == says
    found = examine_seats(SeatPlan({1: "keys", 2: "keys"}, {"keys": options}))
    assert [one.says for one in found] == [says]


def test_an_option_that_there_is_not_is_one_finding(machine: dict[str, Any]) -> None:
    (found,) = examine_seats(SeatPlan({1: "keys"}, {"keys": {"socket": {}}}))
    assert "[keys] has 'socket'; its options are: sockets" in found.says
    assert (found.what, found.ok) == ("keys", False)


def once(fault: Callable[[], Any], pad: SimulatedPad) -> Callable[[], list[Any]]:
    """Finds a pad, but for the first time."""
    faults = [fault]
    return lambda: faults.pop()() if faults else plugged(pad)


def test_a_look_that_raises_is_told_and_done_again(listener: Listener) -> None:
    def fail() -> Any:
        raise TypeError("a device vanished while it was read")

    with KeySeats((1,), listener, once(fail, SimulatedPad("usb-1")), {}) as seats:
        assert soon(lambda: 1 in seats._pads)
    assert failing(listener) == {}
    assert listener.keys == {(1, "buttons"): None}


def test_a_device_that_another_program_has_is_told_and_tried_again(listener: Listener) -> None:
    pad = SimulatedPad("usb-1")
    told: list[str] = []

    def busy() -> list[Any]:
        (opened,) = plugged(pad)
        opened.grab = lambda: (_ for _ in ()).throw(OSError(16, "Device or resource busy"))
        return [opened]

    listener_health = listener.health

    def health(seat: int, part: str, trouble: Any) -> None:
        told.append(str(trouble))
        listener_health(seat, part, trouble)

    listener.health = health  # type: ignore[method-assign]
    with KeySeats((1,), listener, once(busy, pad), {}) as seats:
        assert soon(lambda: 1 in seats._pads)
    assert told == ["simulated pad at usb-1: Device or resource busy", "None"]


# -- what a machine has, by a stand-in for evdev --------------------------------------------------


def device(phys: str, codes: tuple[int, ...], bus: int = 3, uniq: str = "") -> Any:
    return SimpleNamespace(
        name="one",
        phys=phys,
        uniq=uniq,
        info=SimpleNamespace(bustype=bus),
        capabilities=lambda: {1: list(codes)},
        close=lambda: None,
    )


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The devices of a machine by their files."""
    devices: dict[str, Any] = {}
    evdev: Any = SimpleNamespace(
        list_devices=lambda: list(devices),
        InputDevice=lambda path: devices[path],
        __spec__=object(),
    )
    monkeypatch.setitem(sys.modules, "evdev", evdev)
    return devices


def test_pads_come_before_keyboards_and_what_is_built_in_is_left_alone(
    machine: dict[str, Any],
) -> None:
    letters = tuple(range(16, 51))
    air = device("b8:27:eb:00:00:01", PAD, bus=5, uniq="dc:2c:26:00:00:02")
    machine |= {
        "/dev/input/event0": device("isa0060/serio0/input0", ROW + letters, bus=0x11),
        "/dev/input/event1": device("usb-1.1/input0", ROW + letters),
        "/dev/input/event2": device("usb-1.4/input0", PAD),
        "/dev/input/event3": device("usb-1.4/input1", PAD),  # its second part
        "/dev/input/event4": device("usb-1.2/input0", CONTROLLER),
        "/dev/input/event5": device("usb-1.3/input0", (0x110, 0x111)),  # a mouse
        "/dev/input/event10": air,
    }
    found = [keys.socket_of(pad) for pad in find_pads()]
    assert found == ["dc:2c:26:00:00:02", "usb-1.2", "usb-1.4", "usb-1.1"]


def test_the_doctor_says_what_is_plugged_in_and_what_is_missing(
    machine: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dev/input").mkdir(parents=True)
    (tmp_path / "dev/input/event2").touch()
    machine["/dev/input/event2"] = device("usb-1.4/input0", PAD)
    two = {"seats": (1, 2)}
    found = list(keys.examine(two, said(sockets={"2": "usb-1.4"}), root=tmp_path))
    assert [(one.get("seat"), one["ok"], one["says"]) for one in found] == [
        (2, True, "one at usb-1.4"),
        (None, False, "2 seats of keys, and 1 with the keys 1 to 6 plugged in"),
    ]
    monkeypatch.setattr(os, "access", lambda *_: False)
    shut, *_ = keys.examine(two, said(), root=tmp_path)
    assert shut["says"] == "/dev/input/event2 may not be opened"
    assert shut["mend"] == "sudo usermod -aG input $USER, then log in again"
    monkeypatch.setattr(keys, "has_evdev", lambda: False)
    (missing,) = keys.examine(two, said())
    assert missing["mend"] == "sudo apt install python3-evdev"


def test_nothing_is_left_open(listener: Listener) -> None:
    before = len(os.listdir("/proc/self/fd"))
    seats = SimulatedKeys((1,), listener)
    assert soon(lambda: 1 in seats._pads)
    seats.close()
    seats.close()
    seats.fault(1, "cable", True)
    assert len(os.listdir("/proc/self/fd")) == before
