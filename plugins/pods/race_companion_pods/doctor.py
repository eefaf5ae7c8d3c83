"""The examination of pods: each port, who is on it, its screen, its buttons, its firmware."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.seats.plan import SeatTrouble
from race_companion_pods.driver import settings_of
from race_companion_pods.link import describe, format_firmware
from race_companion_pods.ports import NoAnswer, PortLost, foreign_ports, identify
from race_companion_pods.simulator import BOARD, NEEDED, PROGRAM, NoSimulator, build
from race_companion_pods.wire import FIRMWARE, Hello, Stranger

Look = Callable[[str], Hello | Stranger]
"""Who is on a port; raises PortLost or NoAnswer."""
Found = dict[str, Any]
"""One thing that was looked at, as docs/plugins.md has it."""
_PORT_MENDS = {
    "no-port": "put its cable in; ls /dev/ttyUSB* /dev/ttyACM* tells what is there",
    "port-shut": "sudo usermod -aG dialout $USER, then log in again",
    "port-busy": "sudo systemctl stop companion, or end what this names: fuser -v {port}",
}
_PORT_MEND = "pull its cable out and put it in again; sudo dmesg | tail tells how Linux finds it"


def examine(
    wires: Mapping[str, Any],
    options: Any,
    look: Look = identify,
    foreign: Callable[[], Mapping[str, str]] = foreign_ports,
    root: Path = Path("/"),
) -> list[Found]:
    """Examine the pods of the seats in `wires`; the table must not be running."""
    try:
        find_ports, _, _ = settings_of(options)
        ports = find_ports()
        all_found = [*_left_alone(ports, foreign()), *_unsteady(options.get("ports", ()))]
    except SeatTrouble as trouble:
        return [found("configuration", str(trouble), ok=False, mend="edit companion.toml")]
    except PortLost as lost:
        return [found("port", str(lost), ok=False, mend="companion doctor, once more")]
    all_found += _braille(root)
    pods: dict[int, str] = {}
    for port in ports:
        all_found += _examine_port(port, look, pods)
    return [*all_found, *_missing(wires["seats"], pods)]


def found(
    what: str, says: str, ok: bool | None = True, mend: str = "", seat: int | None = None
) -> Found:
    """What was found of a part: of a seat, or None: of the machine."""
    return {"what": what, "says": says, "ok": ok, "mend": mend, "seat": seat}


def _left_alone(ports: Sequence[str], foreign: Mapping[str, str]) -> Iterator[Found]:
    """Ports that are no pod's as far as we know, and were not opened."""
    opened = {os.path.realpath(port) for port in ports}  # their names by socket are links
    for port, about in foreign.items():
        if os.path.realpath(port) not in opened:
            says = f"{port} ({about}) is no board that pods are made of, and was left alone"
            yield found("port", f"{says}; if it is one, name it in [pod] ports")


def _unsteady(named: object) -> Iterator[Found]:
    """Names of ports that may be another board's after the next start."""
    for port in re.findall(r"/dev/tty(?:USB|ACM)\d+", str(named)):
        mend = "name it in [pod] ports as ls -l /dev/serial/by-path does"
        yield found("port", f"{port} is whichever board comes first", ok=None, mend=mend)


def _braille(root: Path) -> Iterator[Found]:
    """The program for braille displays takes every CH340 and CP210x for one."""
    if any((root / "usr/lib/udev/rules.d").glob("*brltty*.rules")):
        says = "brltty is installed: it takes boards with a CH340 or CP210x away"
        yield found("port", says, ok=None, mend="sudo apt remove brltty")


def examine_simulated(
    wires: Mapping[str, Any], options: Any, program: Path = PROGRAM
) -> list[Found]:
    """Whether simulated pods can run on this machine."""
    try:
        settings_of(options)
    except SeatTrouble as trouble:
        return [found("configuration", str(trouble), ok=False, mend="edit [pod] of companion.toml")]
    if program == PROGRAM:
        try:
            build()
        except NoSimulator as lacking:
            return [found("pod", str(lacking), ok=False, mend=f"sudo {NEEDED}")]
    if program.exists():
        return [found("pod", "simulated", seat=seat) for seat in wires["seats"]]
    mend = f"make -C {BOARD}, which needs: {NEEDED}"
    return [found("pod", f"{program} is not built", ok=False, mend=mend)]


def _examine_port(port: str, look: Look, pods: dict[int, str]) -> Iterator[Found]:
    """What is on a port; a pod's number is put down in `pods`."""
    try:
        met = look(port)
    except PortLost as lost:
        mend = _PORT_MENDS.get(lost.trouble.key, _PORT_MEND).format(port=port)
        yield found("port", str(lost), ok=False, mend=mend)
        return
    except NoAnswer as silence:
        yield found("port", str(silence), ok=False, mend=f"companion pod flash {port}")
        return
    if isinstance(met, Stranger):
        yield found("firmware", describe(met), ok=False, mend=f"companion pod flash {port}")
        return
    seat = met.pod or None
    if met.pod in pods:
        says = f"{port} and {pods[met.pod]} are both pod {met.pod}"
        yield found("number", says, ok=False, mend=f"companion pod flash {port} --number N")
    pods.setdefault(met.pod, port)
    yield _firmware(port, met, seat)
    yield _screen(port, met, seat)
    yield from _buttons(port, met, seat)


def _firmware(port: str, hello: Hello, seat: int | None) -> Found:
    version = (hello.major, hello.minor, hello.patch)
    says = f"{port} has firmware {format_firmware(version)}"
    if version >= FIRMWARE:
        return found("firmware", says, seat=seat)
    says += f", this companion brings {format_firmware(FIRMWARE)}"
    return found("firmware", says, ok=False, mend=f"companion pod flash {port}", seat=seat)


def _screen(port: str, hello: Hello, seat: int | None) -> Found:
    if hello.screen:
        return found("screen", f"{port}: it answers", seat=seat)
    mend = "look at its four wires and its address, 0x3C"
    return found("screen", f"{port}: it does not answer", ok=False, mend=mend, seat=seat)


def _buttons(port: str, hello: Hello, seat: int | None) -> Iterator[Found]:
    for button in range(6):
        if hello.down >> button & 1:
            says = f"{port}: button {button + 1} is down"
            mend = "let it go; if nobody holds it, look for a short between its two wires"
            yield found("buttons", says, ok=False, mend=mend, seat=seat)


def _missing(seats: Sequence[int], pods: Mapping[int, str]) -> Iterator[Found]:
    """The seats that no pod is for; one without a number would take the first of them."""
    missing = [seat for seat in seats if seat not in pods]
    for seat in missing[1:] if 0 in pods else missing:
        mend = f"put its cable in, or number a pod: companion pod flash PORT --number {seat}"
        yield found("pod", f"none is pod {seat}", ok=False, mend=mend, seat=seat)
