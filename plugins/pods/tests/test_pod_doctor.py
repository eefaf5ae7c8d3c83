"""The doctor's look at pods: each fault with what mends it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.each import in_one

from companion.app.seats import examine_seats
from companion.seats.plan import SeatPlan
from companion.system.plugins import Options
from race_companion_pods.doctor import Found, examine, examine_simulated
from race_companion_pods.link import format_firmware
from race_companion_pods.ports import NoAnswer, PortLost
from race_companion_pods.wire import FIRMWARE, LEVEL, Hello, Stranger

NOW = format_firmware(FIRMWARE)
OLD = format_firmware((0, *FIRMWARE[1:]))
WELL = Hello(LEVEL, *FIRMWARE, 1, 1, 0, 1, 0, 0, 0)


def said(**options: object) -> Options:
    return Options("pod", options)


def faults(*met: Hello | Stranger | Exception, seats: tuple[int, ...] = (1,)) -> list[Found]:
    """The faults found where the ports p0, p1 … have these on them."""
    ports = {f"p{number}": one for number, one in enumerate(met)}

    def look(port: str) -> Hello | Stranger:
        one = ports[port]
        if isinstance(one, Exception):
            raise one
        return one

    found = examine({"seats": seats}, said(ports=list(ports)), look)
    return [one for one in found if not one["ok"]]


def test_a_pod_that_is_well_has_no_fault() -> None:
    assert faults(WELL) == []


@in_one(
    ("met", "says", "mend"),
    [
        (replace(WELL, screen=0), "does not answer", "four wires"),
        (replace(WELL, down=0b100100), "button 3 is down", "short"),
        (replace(WELL, major=0), f"firmware {OLD}, this companion brings {NOW}", "pod flash p0"),
        (Stranger(LEVEL + 1, (2, 0, 0)), "2.0.0 speaks a newer protocol", "pod flash p0"),
        (PortLost("p0 may not be opened", "port-shut"), "may not be opened", "-aG dialout"),
        (PortLost("p0 is not there", "no-port"), "is not there", "cable in"),
        (PortLost("p0 is used", "port-busy"), "is used", "fuser -v p0"),
        (PortLost("p0 does not serve: an oddity"), "an oddity", "dmesg"),
        (NoAnswer("p0: no pod answers"), "no pod answers", "pod flash p0"),
    ],
)
def test_a_fault_comes_with_what_mends_it(
    met: Hello | Stranger | Exception, says: str, mend: str
) -> None:
    first = faults(met)[0]
    assert says in first["says"]
    assert mend in first["mend"]


def test_a_seat_without_a_pod_is_named() -> None:
    (missing,) = faults(WELL, seats=(1, 2))
    assert (missing["seat"], missing["what"]) == (2, "pod")
    assert "--number 2" in missing["mend"]


def test_a_pod_without_a_number_will_take_the_first_free_seat() -> None:
    assert faults(WELL, replace(WELL, pod=0), seats=(1, 2)) == []


def test_two_pods_of_one_number_are_told_apart_by_their_ports() -> None:
    (twice,) = faults(WELL, WELL)
    assert twice["says"] == "p1 and p0 are both pod 1"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"baud": 9600}, "[pod] has 'baud'"),
        ({"buzzer": "loud", "ports": []}, "[pod] buzzer = 'loud'"),
        ({"ports": "x", "buzzer": True}, "[pod] ports = 'x'"),
    ],
)
def test_a_wrong_configuration_is_one_finding(told: dict[str, object], says: str) -> None:
    (wrong,) = examine_seats(SeatPlan({1: "pod"}, {"pod": told}))
    assert not wrong.ok
    assert wrong.says.startswith(says)


def test_simulated_pods_without_their_simulator_are_told_what_builds_it(tmp_path: Path) -> None:
    (wrong,) = examine_simulated({"seats": (1, 2)}, said(), tmp_path / "podsim")
    assert not wrong["ok"]
    assert wrong["mend"].startswith("make -C ")
    (tmp_path / "podsim").touch()
    found = examine_simulated({"seats": (1, 2)}, said(), tmp_path / "podsim")
    assert [one["ok"] for one in found] == [True, True]


def test_a_port_by_its_number_is_better_named_by_its_socket(tmp_path: Path) -> None:
    """ttyUSB0 becomes ttyUSB1 when two boards come in another order."""
    link = tmp_path / "usb-0:1.2:1.0-port0"
    link.symlink_to(tmp_path / "ttyUSB5")

    def look(port: str) -> Hello:
        return WELL

    def foreign() -> dict[str, str]:
        return {str(tmp_path / "ttyUSB5"): "1a86:7523 USB Serial"}

    named = {"ports": ["/dev/ttyUSB0", "/dev/serial/by-path/x"]}
    told = examine({"seats": (1,)}, said(**named), look)
    (found,) = [one for one in told if one["what"] == "port"]
    assert (found["ok"], "/dev/serial/by-path" in found["mend"]) == (None, True)
    assert found["says"].startswith("/dev/ttyUSB0")
    # A link to a board is that board, which was opened and not left alone.
    told = examine({"seats": (1,)}, said(ports=[str(link)]), look, foreign)
    assert [one for one in told if one["what"] == "port"] == []


def test_the_program_for_braille_displays_is_named_where_it_is_installed(tmp_path: Path) -> None:
    assert examine({"seats": ()}, said(ports=[]), root=tmp_path) == []
    rules = tmp_path / "usr/lib/udev/rules.d"
    rules.mkdir(parents=True)
    (rules / "85-brltty.rules").touch()
    (found,) = examine({"seats": ()}, said(ports=[]), root=tmp_path)
    assert (found["ok"], found["mend"]) == (None, "sudo apt remove brltty")
