"""The cabinet: simulated seats seen and touched, with faults put in by a switch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.pods.checks import picture
from support.pods.listener import Listener, is_read, pass_time, soon

from companion.app.plugins import OutsideSeats
from companion.seats.hub import Cabinet
from companion.system.plugins import plugins
from race_companion_wired import screens, simulated
from race_companion_wired.simulated import SimulatedSeats

SETTLE_MS = 20


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def cabinet(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cabinet]:
    """Two wired seats, each with its picture on, and a driver that is not simulated."""
    monkeypatch.setattr(screens, "SIGN_S", 0.2)
    monkeypatch.setattr(simulated, "BOUNCE_S", 0)  # asleep for less, a busy machine wakes too late
    with ExitStack() as opened:
        wired = opened.enter_context(SimulatedSeats((1, 2), listener, {"settle_ms": SETTLE_MS}))
        made = Cabinet({1: wired, 2: wired, 3: object()})
        for seat in (1, 2):
            wired.show(seat, picture(seat))
        assert soon(lambda: [one.glass for one in made.stands()] == [bitmap(1), bitmap(2)])
        yield made


def bitmap(number: int) -> bytes:
    return picture(number).bitmap


def tap(cabinet: Cabinet, seat: int, button: int) -> None:
    assert cabinet.press(seat, button, True)
    assert cabinet.stands()[seat - 1].down == (button,)
    pause()
    assert cabinet.press(seat, button, False)
    pause()


def pause() -> None:
    """A contact must be steady for longer than it is debounced."""
    time.sleep(2 * SETTLE_MS / 1000)


def test_it_shows_the_simulated_seats_alone(cabinet: Cabinet) -> None:
    assert [(one.seat, one.kind, one.lamp) for one in cabinet.stands()] == [
        (1, "wired", None),
        (2, "wired", None),
    ]


def test_a_seat_whose_driver_starts_later_is_in_it_too(cabinet: Cabinet) -> None:
    """A simulated board takes its time, and its page may be open before it."""
    drivers: dict[int, object] = {1: cabinet._drivers[1]}
    made = Cabinet(drivers)
    assert [one.seat for one in made.stands()] == [1]
    drivers[2] = cabinet._drivers[2]
    assert [one.seat for one in made.stands()] == [1, 2]
    assert made.press(2, 1, True)


def test_a_finger_presses(cabinet: Cabinet, listener: Listener) -> None:
    tap(cabinet, 2, 5)
    assert soon(lambda: listener.presses == [(2, 5, False, 2)])


def test_a_contact_that_bounces_presses_once(cabinet: Cabinet, listener: Listener) -> None:
    assert cabinet.spoil(1, "noise", True)
    tap(cabinet, 1, 3)
    assert soon(lambda: listener.presses == [(1, 3, False, 1)])


def test_a_dead_line_presses_nothing_until_it_is_mended(
    cabinet: Cabinet, listener: Listener
) -> None:
    cabinet.spoil(1, "dead", True)
    tap(cabinet, 1, 3)
    cabinet.spoil(1, "dead", False)
    tap(cabinet, 1, 4)
    assert soon(lambda: listener.presses == [(1, 4, False, 1)])


def test_a_pulled_cable_is_dark_and_is_told_and_comes_back(
    cabinet: Cabinet, listener: Listener
) -> None:
    cabinet.spoil(2, "cable", True)
    assert [one.faults for one in cabinet.stands()] == [(), ("cable",)]
    assert [one.glass for one in cabinet.stands()] == [bitmap(1), bytes(1024)]
    assert soon(lambda: listener.troubles.get((2, "screen")) is not None)
    cabinet.spoil(2, "cable", False)
    assert soon(lambda: listener.troubles[2, "screen"] is None)
    assert soon(lambda: cabinet.stands()[1].glass == bitmap(2))


@pytest.mark.slow
def test_a_pod_on_a_pico_is_seen_and_touched_like_any_other(listener: Listener) -> None:
    with OutsideSeats(plugins("seats")["pico simulated"], (2,), listener, {}) as picos:
        picos.begin()
        made = Cabinet({2: picos})
        picos.show(2, replace(picture(7), lamp="on"))
        assert soon(lambda: made.stands()[0].glass == bitmap(7))
        assert made.stands()[0].kind == "pod"
        assert soon(lambda: made.stands()[0].lamp is True)
        assert soon(lambda: is_read(picos.opened, 2))
        for down in (True, False):
            made.press(2, 4, down)
            pass_time(picos.opened.boards[2], 3 * SETTLE_MS)
        assert soon(lambda: listener.presses == [(2, 4, False, 7)])
        made.spoil(2, "cable", True)
        assert made.stands()[0].glass == bytes(1024)
        assert soon(lambda: listener.troubles.get((2, "pod")) is not None)
        made.spoil(2, "cable", False)
        assert soon(lambda: listener.troubles[2, "pod"] is None)
        assert soon(lambda: made.stands()[0].glass == bitmap(7))


def test_what_is_not_there_is_refused(cabinet: Cabinet) -> None:
    assert not cabinet.press(3, 1, True)
    assert not cabinet.press(1, 7, True)
    assert not cabinet.spoil(1, "fire", True)
