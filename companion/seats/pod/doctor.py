"""The examination of pods: each port, who is on it, its screen, its buttons, its firmware."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.seats.plan import Finding, Options, SeatTrouble
from companion.seats.pod.driver import has_buzzer, ports_of
from companion.seats.pod.link import describe, format_firmware
from companion.seats.pod.ports import NoAnswer, PortLost, foreign_ports, identify
from companion.seats.pod.simulator import BOARD, NEEDED, PROGRAM, NoSimulator, build
from companion.seats.pod.wire import FIRMWARE, Hello, Stranger

Look = Callable[[str], Hello | Stranger]
"""Who is on a port; raises PortLost or NoAnswer."""
_PORT_MENDS = {
    "no-port": "put its cable in; ls /dev/ttyUSB* /dev/ttyACM* tells what is there",
    "port-shut": "sudo usermod -aG dialout $USER, then log in again",
    "port-busy": "sudo systemctl stop companion, or end what this names: fuser -v {port}",
}
_PORT_MEND = "pull its cable out and put it in again; sudo dmesg | tail tells how Linux finds it"


def examine(
    seats: Sequence[int],
    options: Options,
    look: Look = identify,
    foreign: Callable[[], Mapping[str, str]] = foreign_ports,
    root: Path = Path("/"),
) -> list[Finding]:
    """Examine the pods of these seats; the table must not be running."""
    try:
        has_buzzer(options)
        ports = ports_of(options)()
        found = [*_left_alone(ports, foreign()), *_unsteady(options.get("ports", ()))]
    except SeatTrouble as trouble:
        return [Finding("configuration", str(trouble), ok=False, mend="edit companion.toml")]
    except PortLost as lost:
        return [Finding("port", str(lost), ok=False, mend="companion doctor, once more")]
    found += _braille(root)
    pods: dict[int, str] = {}
    for port in ports:
        found += _examine_port(port, look, pods)
    return [*found, *_missing(seats, pods)]


def _left_alone(ports: Sequence[str], foreign: Mapping[str, str]) -> Iterator[Finding]:
    """Ports that are no pod's as far as we know, and were not opened."""
    opened = {os.path.realpath(port) for port in ports}  # their names by socket are links
    for port, about in foreign.items():
        if os.path.realpath(port) not in opened:
            says = f"{port} ({about}) is no board that pods are made of, and was left alone"
            yield Finding("port", f"{says}; if it is one, name it in [pod] ports")


def _unsteady(named: object) -> Iterator[Finding]:
    """Names of ports that may be another board's after the next start."""
    for port in re.findall(r"/dev/tty(?:USB|ACM)\d+", str(named)):
        mend = "name it in [pod] ports as ls -l /dev/serial/by-path does"
        yield Finding("port", f"{port} is whichever board comes first", ok=None, mend=mend)


def _braille(root: Path) -> Iterator[Finding]:
    """The program for braille displays takes every CH340 and CP210x for one."""
    if any((root / "usr/lib/udev/rules.d").glob("*brltty*.rules")):
        says = "brltty is installed: it takes boards with a CH340 or CP210x away"
        yield Finding("port", says, ok=None, mend="sudo apt remove brltty")


def examine_simulated(
    seats: Sequence[int], options: Options, program: Path = PROGRAM
) -> list[Finding]:
    """Whether simulated pods can run on this machine."""
    if program == PROGRAM:
        try:
            build()
        except NoSimulator as lacking:
            return [Finding("pod", str(lacking), ok=False, mend=f"sudo {NEEDED}")]
    if program.exists():
        return [Finding("pod", "simulated", seat=seat) for seat in seats]
    mend = f"make -C {BOARD}, which needs: {NEEDED}"
    return [Finding("pod", f"{program} is not built", ok=False, mend=mend)]


def _examine_port(port: str, look: Look, pods: dict[int, str]) -> Iterator[Finding]:
    """What is on a port; a pod's number is put down in `pods`."""
    try:
        met = look(port)
    except PortLost as lost:
        mend = _PORT_MENDS.get(lost.trouble.key, _PORT_MEND).format(port=port)
        yield Finding("port", str(lost), ok=False, mend=mend)
        return
    except NoAnswer as silence:
        yield Finding("port", str(silence), ok=False, mend=f"companion pod flash {port}")
        return
    if isinstance(met, Stranger):
        yield Finding("firmware", describe(met), ok=False, mend=f"companion pod flash {port}")
        return
    seat = met.pod or None
    if met.pod in pods:
        says = f"{port} and {pods[met.pod]} are both pod {met.pod}"
        yield Finding("number", says, ok=False, mend=f"companion pod flash {port} --number N")
    pods.setdefault(met.pod, port)
    yield _firmware(port, met, seat)
    yield _screen(port, met, seat)
    yield from _buttons(port, met, seat)


def _firmware(port: str, hello: Hello, seat: int | None) -> Finding:
    version = (hello.major, hello.minor, hello.patch)
    says = f"{port} has firmware {format_firmware(version)}"
    if version >= FIRMWARE:
        return Finding("firmware", says, seat=seat)
    says += f", this companion brings {format_firmware(FIRMWARE)}"
    return Finding("firmware", says, ok=False, mend=f"companion pod flash {port}", seat=seat)


def _screen(port: str, hello: Hello, seat: int | None) -> Finding:
    if hello.screen:
        return Finding("screen", f"{port}: it answers", seat=seat)
    mend = "look at its four wires and its address, 0x3C"
    return Finding("screen", f"{port}: it does not answer", ok=False, mend=mend, seat=seat)


def _buttons(port: str, hello: Hello, seat: int | None) -> Iterator[Finding]:
    for button in range(6):
        if hello.down >> button & 1:
            says = f"{port}: button {button + 1} is down"
            mend = "let it go; if nobody holds it, look for a short between its two wires"
            yield Finding("buttons", says, ok=False, mend=mend, seat=seat)


def _missing(seats: Sequence[int], pods: Mapping[int, str]) -> Iterator[Finding]:
    """The seats that no pod is for; one without a number would take the first of them."""
    missing = [seat for seat in seats if seat not in pods]
    for seat in missing[1:] if 0 in pods else missing:
        mend = f"put its cable in, or number a pod: companion pod flash PORT --number {seat}"
        yield Finding("pod", f"none is pod {seat}", ok=False, mend=mend, seat=seat)
