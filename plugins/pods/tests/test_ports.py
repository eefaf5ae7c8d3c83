"""Only ports of boards that pods are made of are opened; others are named and left alone."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from companion.system.plugins import Options
from race_companion_pods import doctor, ports
from race_companion_pods.driver import ports_of

CH340 = (0x1A86, 0x7523)
PRINTER, GPS, BUILT_IN = (0x1D50, 0x614E), (0x1546, 0x01A8), (None, None)
"""A 3D printer with Klipper and a u-blox: opening resets the one in mid-print."""


@pytest.fixture(autouse=True)
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"ttyUSB1": CH340, "ttyACM0": PRINTER, "ttyACM1": GPS, "ttyS0": BUILT_IN}
    found = [
        SimpleNamespace(device=name, vid=vid, pid=pid, product="Klipper" if pid == 0x614E else None)
        for name, (vid, pid) in there.items()
    ]
    monkeypatch.setattr(ports.list_ports, "comports", lambda: found)


def test_a_printer_and_a_receiver_are_no_pods() -> None:
    assert ports_of(Options("pod", {}))() == ["ttyUSB1"]


def test_a_port_that_is_named_is_opened_whatever_it_is() -> None:
    assert ports_of(Options("pod", {"ports": ["ttyACM0"]}))() == ["ttyACM0"]


def test_the_doctor_names_what_was_left_alone() -> None:
    looked: list[str] = []

    def look(port: str) -> object:
        looked.append(port)
        raise doctor.NoAnswer(f"{port}: no pod answers")

    found = doctor.examine({"seats": (1,)}, Options("pod", {}), look)  # type: ignore[arg-type]
    assert looked == ["ttyUSB1"]
    left = [one["says"] for one in found if "left alone" in one["says"]]
    assert len(left) == 2
    assert "ttyACM0 (1d50:614e Klipper)" in left[0]
    assert "name it in [pod] ports" in left[0]


def test_every_board_of_the_map_is_known() -> None:
    assert CH340 in ports.boards()
    assert len(ports.boards()) == 5


@pytest.mark.parametrize(
    ("product", "is_pod"),
    [("race-companion pod", True), ("race-companion_pod", True), ("Pico", False), (None, False)],
)
def test_a_pico_is_told_from_others_with_its_numbers_by_its_name(
    monkeypatch: pytest.MonkeyPatch, product: str | None, is_pod: bool
) -> None:
    """Linux writes the spaces of a name as underscores in some places."""
    pico = SimpleNamespace(device="ttyACM2", vid=0x2E8A, pid=0x000A, product=product)
    monkeypatch.setattr(ports.list_ports, "comports", lambda: [pico])
    assert ports.usb_ports() == ["ttyACM2"] * is_pod
    assert list(ports.foreign_ports()) == ["ttyACM2"] * (not is_pod)


@pytest.mark.parametrize(
    ("says", "is_there", "key"),
    [
        # What pyserial says of an adapter that was pulled out: its number hidden, or none.
        ("read failed: [Errno 5] Input/output error", True, "unplugged"),
        ("write failed: [Errno 19] No such device", False, "unplugged"),
        ("device reports readiness to read but returned no data", False, "unplugged"),
        ("device reports readiness to read but returned no data", True, "port-lost"),
    ],
)
def test_a_cable_that_was_pulled_out_is_called_that(
    tmp_path: Path, says: str, is_there: bool, key: str
) -> None:
    controller, device = os.openpty()
    link = tmp_path / "ttyUSB0"
    link.symlink_to(os.ttyname(device))
    port = ports.SerialPort(str(link))

    def fail(_: int) -> bytes:
        raise serial.SerialException(says)

    try:
        port._serial.read = fail
        if not is_there:
            link.unlink()
        with pytest.raises(ports.PortLost) as lost:
            port.read(0.1)
    finally:
        port.close()
        os.close(controller)
        os.close(device)
    assert lost.value.trouble.key == key
