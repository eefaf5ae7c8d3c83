"""The real firmware at a pseudo-terminal, the real driver and pyserial at its other end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pods.checks import picture
from support.pods.listener import Listener, is_read, pass_time, soon

from companion.seats.plan import SeatTrouble
from race_companion_pods.ports import PortLost, SerialPort
from race_companion_pods.simulator import SimulatedPods

pytestmark = pytest.mark.slow


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def pods(firmware: Path, listener: Listener) -> Iterator[SimulatedPods]:
    """Pods at the seats 1 and 3, each with its picture on."""
    program = firmware / "build/podsim"
    with SimulatedPods((1, 3), listener, program=program) as pods:
        for seat in (1, 3):
            pods.show(seat, picture(seat))
        for seat in (1, 3):
            wanted = picture(seat).bitmap
            assert soon(lambda: pods.boards[seat].screen() == wanted)  # noqa: B023
            assert soon(lambda: is_read(pods, seat))  # noqa: B023
        yield pods


def tap(pods: SimulatedPods, seat: int, button: int) -> None:
    pods.boards[seat].bounce(button, 7)
    pass_time(pods.boards[seat], 50)
    pods.boards[seat].bounce(button, 7)


def test_each_pod_shows_its_seats_picture_and_presses_for_its_seat(
    pods: SimulatedPods, listener: Listener
) -> None:
    tap(pods, 3, 2)
    assert soon(lambda: listener.presses == [(3, 2, False, 3)])
    tap(pods, 1, 6)
    assert soon(lambda: listener.presses == [(3, 2, False, 3), (1, 6, False, 1)])
    assert not any(listener.troubles.values())


@pytest.mark.faults("a pod: reboot and pulled plug")
def test_a_pulled_plug_is_told_and_the_picture_is_whole_after_it_is_in_again(
    pods: SimulatedPods, listener: Listener
) -> None:
    pods.boards[1].tell("unplug")
    assert soon(lambda: bool(listener.troubles.get((1, "pod"))))
    assert not listener.troubles.get((3, "pod"))
    pods.show(1, picture(9))
    pods.boards[1].tell("plug")
    assert soon(lambda: listener.troubles[1, "pod"] is None)
    assert soon(lambda: pods.boards[1].screen() == picture(9).bitmap)
    assert soon(lambda: is_read(pods, 1))
    tap(pods, 1, 4)
    assert soon(lambda: listener.presses == [(1, 4, False, 9)])


@pytest.mark.faults("a pod: reboot and pulled plug")
def test_a_reboot_in_mid_race_is_mended_without_a_word(
    pods: SimulatedPods, listener: Listener
) -> None:
    pods.boards[3].tell("reboot")
    assert soon(lambda: pods.boards[3].figures()["resets"] == 2)
    pods.show(3, picture(9))
    assert soon(lambda: pods.boards[3].screen() == picture(9).bitmap)
    assert not listener.troubles.get((3, "pod"))


def test_a_port_in_use_says_so(pods: SimulatedPods) -> None:
    port = next(iter(pods._driver._talks))
    with pytest.raises(PortLost, match="is used by another program"):
        SerialPort(port)


def test_without_the_simulator_the_message_says_how_to_build_it(
    listener: Listener, tmp_path: Path
) -> None:
    with pytest.raises(SeatTrouble, match="make -C"):
        SimulatedPods((1,), listener, program=tmp_path / "podsim")
