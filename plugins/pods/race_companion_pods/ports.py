"""A serial port, who is on it, and how its board gets the firmware that ships with the companion.

This is the one place that knows pyserial: the operating system's errors come out of here as
`PortLost`, with a sentence for a person.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
import termios
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import serial
from serial.tools import list_ports

from companion.seats.plan import MAP, Troubled
from companion.system.host import Closing
from race_companion_pods.image import IMAGE, PICO_IMAGE
from race_companion_pods.link import Link, Phase, Strange, format_firmware
from race_companion_pods.wire import BAUD, Hello, Stranger

_BUSY = ("port-busy", "is used by another program")
_PULLED = ("unplugged", "was pulled out")
_MEANINGS = {
    errno.ENOENT: ("no-port", "is not there: is the cable in?"),
    errno.EACCES: (
        "port-shut",
        "may not be opened: add the user to the group dialout and log in again",
    ),
    errno.EBUSY: _BUSY,
    errno.EAGAIN: _BUSY,
    errno.EIO: _PULLED,
    errno.ENXIO: _PULLED,
    errno.ENODEV: _PULLED,
}
"""What an error means: its key for the table, and the rest of a sentence about the port."""


class PortLost(Troubled):
    """The port cannot be used (any more); the message tells a person why."""

    key = "port-lost"


class Port(Protocol):
    """An open port. `read` and `write` raise `PortLost`."""

    def read(self, wait_s: float) -> bytes:
        """What has arrived; waits for it, but not longer than this, and not after `wake`."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    def wake(self) -> None:
        """End the `read` that waits, or the next one. For other threads."""

    def close(self) -> None:
        """May be called twice."""


_WRITE_S = 2.0


class SerialPort:
    """A `Port` on a tty, at the pods' rate, for us alone as far as other programs ask."""

    def __init__(self, name: str) -> None:
        """Open the port. Most boards are reset by that, and are deaf for up to two seconds.

        Raises:
            PortLost: it cannot be opened.
        """
        self._name = name
        try:
            self._serial = serial.Serial(name, BAUD, write_timeout=_WRITE_S, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            raise self._lost(error) from error

    def read(self, wait_s: float) -> bytes:
        """See `Port`."""
        try:
            self._serial.timeout = wait_s
            # One byte may be waited for; asked for more, pyserial would wait for all of them.
            first: bytes = self._serial.read(1)
            rest: bytes = self._serial.read(self._serial.in_waiting) if first else b""
        except (OSError, TypeError, termios.error) as error:  # TypeError: closed while it reads
            raise self._lost(error) from error
        return first + rest

    def write(self, data: bytes) -> None:
        """See `Port`."""
        try:
            self._serial.write(data)
        except (OSError, TypeError, termios.error) as error:
            raise self._lost(error) from error

    def wake(self) -> None:
        """See `Port`."""
        with suppress(OSError, TypeError):  # it may be closed meanwhile: then nobody reads
            self._serial.cancel_read()

    def close(self) -> None:
        """See `Port`."""
        self._serial.close()

    def _lost(self, error: BaseException) -> PortLost:
        """The sentence for an error; pyserial hides the number of some of them in its text."""
        number = getattr(error, "errno", None)
        if number is None and error.args and isinstance(error.args[0], int):
            number = error.args[0]
        if number is None and (hidden := re.search(r"\[Errno (\d+)\]", str(error))):
            number = int(hidden[1])
        if number not in _MEANINGS and os.path.exists(self._name):
            return PortLost(f"{self._name} does not serve: {error}")
        key, what = _MEANINGS.get(number or 0, _PULLED)
        return PortLost(f"{self._name} {what}", key)


def usb_ports() -> list[str]:
    """The serial ports on USB that may have a pod, in the order of their names.

    Only those of boards that seat.toml knows: to open a port starts many a machine anew, and a
    3D printer in the middle of its print is no pod.
    """
    return sorted(port.device for port in _comports() if _is_known(port))


def _comports() -> Sequence[Any]:
    """All serial ports.

    Raises:
        PortLost: they cannot be looked at.
    """
    try:
        return list(list_ports.comports())
    # pyserial raises whatever comes of a device that goes away while it is read.
    except Exception as error:
        says = f"the serial ports cannot be looked at: {error!r:.120}"
        raise PortLost(says, "ports-unseen") from error


def foreign_ports() -> dict[str, str]:
    """The serial ports on USB that are left alone, with what they say of themselves."""
    return {
        port.device: f"{port.vid:04x}:{port.pid:04x} {port.product or ''}".strip()
        for port in sorted(_comports(), key=lambda port: port.device)
        if port.vid is not None and not _is_known(port)
    }


@cache
def boards() -> Mapping[tuple[int, int], str | None]:
    """Vendor and product of the boards that pods are made of, as seat.toml has them.

    With each the name that it must say, where others have the same numbers; None: any.
    """
    pins = tomllib.loads(MAP.read_text("utf-8"))
    known = (*pins["pod"]["usb"], pins["pico"]["usb"])
    return {(one["vendor"], one["product"]): one.get("name") for one in known}


def _is_known(port: Any) -> bool:
    """Whether a port's board is one of ours; Linux says spaces of its name as underscores."""
    if (port.vid, port.pid) not in boards():
        return False
    name = boards()[port.vid, port.pid]
    return name is None or (port.product or "").replace("_", " ") == name


# -- who is on a port, and what firmware it has ---------------------------------------------------


ANSWER_S = 3.0
"""A board that is reset by the opening of its port takes up to two seconds to speak."""


class NoAnswer(Exception):
    """There is a port but no pod that speaks; the message says so."""


def identify(
    name: str, *, wait_s: float = ANSWER_S, open_port: Callable[[str], Port] = SerialPort
) -> Hello | Stranger:
    """What the pod on a port says of itself.

    Raises:
        PortLost: the port cannot be used.
        NoAnswer: nobody speaks for so long.
    """
    with _Talk(name, open_port) as talk:
        return talk.until(lambda hello: True, wait_s)


def set_up(
    name: str,
    *,
    pod: int | None = None,
    controller: int | None = None,
    wait_s: float = ANSWER_S,
    open_port: Callable[[str], Port] = SerialPort,
) -> Hello:
    """Have a pod keep its number (1 to 99) and its screen's controller; None: as it is.

    Raises:
        PortLost: the port cannot be used.
        NoAnswer: the pod does not say that it has kept them.
    """
    with _Talk(name, open_port) as talk:
        now = talk.ours(lambda hello: True, wait_s)
        wanted = (
            now.pod if pod is None else pod,
            now.controller if controller is None else controller,
        )
        talk.link.setup(*wanted)
        return talk.ours(lambda hello: (hello.pod, hello.controller) == wanted, wait_s)


_LOOK_S = 0.1


class _Talk(Closing):
    """A link on a port that is open as long as the context.

    Raises:
        PortLost: the port cannot be used.
    """

    def __init__(self, name: str, open_port: Callable[[str], Port]) -> None:
        self.link = Link()
        self._name = name
        self._port = open_port(name)

    def until(self, is_enough: Callable[[Hello], bool], wait_s: float) -> Hello | Stranger:
        """The first hello that is enough, or that of a stranger.

        Raises:
            NoAnswer: there was none in this time.
        """
        until_s = time.monotonic() + wait_s
        while time.monotonic() < until_s:
            data = self.link.to_send(time.monotonic() * 1000)
            if data:
                self._port.write(data)
            events = self.link.receive(self._port.read(_LOOK_S), time.monotonic() * 1000)
            for event in events:
                if isinstance(event, Strange):
                    return event.stranger
            hello = self.link.hello
            if hello is not None and self.link.phase is Phase.UP and is_enough(hello):
                return hello
        raise NoAnswer(f"{self._name}: no pod answers")

    def ours(self, is_enough: Callable[[Hello], bool], wait_s: float) -> Hello:
        """The same, but a stranger takes no orders.

        Raises:
            NoAnswer: there was none, or it is a stranger.
        """
        found = self.until(is_enough, wait_s)
        if isinstance(found, Stranger):
            version = format_firmware(found.firmware)
            raise NoAnswer(f"{self._name}: firmware {version} must be replaced first")
        return found

    def close(self) -> None:
        """Let go of the port."""
        self._port.close()


class FlashFailed(Exception):
    """The board has not taken the image; the message tells a person what to do."""


BOOT_BAUDS = (115_200, 57_600)
"""What a Nano's boot loader listens at: new ones, old ones."""
_DEAF = ("not in sync", "not responding")
"""Signs in avrdude's words that nobody listens at this rate."""


def flash(name: str, *, image: Path = IMAGE, tool: str = "avrdude") -> int:
    """Write an image into the board on a port, and read it back; the boot loader's rate.

    Raises:
        FlashFailed: the tool is missing, or the board does not take it at any known rate.
    """
    output = ""
    for baud in BOOT_BAUDS:
        trouble = _try(name, image, tool, baud)
        if trouble is None:
            return baud
        output = trouble
        if not any(sign in output for sign in _DEAF):
            break  # somebody listened at this rate: nobody will at another
    raise FlashFailed(f"{name} does not take the firmware: {_last_words(output)}")


PICO_MARK = "INFO_UF2.TXT"
"""What the drive has that a Pico shows while its button BOOTSEL is held at plugging in."""


def drop(drive: Path, *, image: Path = PICO_IMAGE) -> None:
    """Put the image of a Pico on its drive, which is gone once the Pico has it all.

    Raises:
        FlashFailed: it is no such drive, or it does not take the image.
    """
    if not (drive / PICO_MARK).exists():
        raise FlashFailed(f"{drive} is not the drive of a Pico: hold BOOTSEL while you plug it in")
    try:
        with (drive / image.name).open("wb") as file:
            file.write(image.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FlashFailed(f"{drive} does not take the firmware: {error.strerror}") from error


def _last_words(output: str) -> str:
    """The last thing that avrdude calls an error; the operating system's grumbles are none."""
    lines = output.strip().splitlines() or ["no word"]
    return next((line for line in reversed(lines) if line.startswith("avrdude error")), lines[-1])


_ATTEMPTS = 2
"""Tries at a rate. Left to itself avrdude tries ten times, and an old boot loader, which listens
at the second rate, would be waited for a minute."""
_FLASH_S = 60


def _try(name: str, image: Path, tool: str, baud: int) -> str | None:
    """Write an image at a rate of the boot loader; what the tool says, None: it is done.

    Raises:
        FlashFailed: the tool is missing.
    """
    command = [tool, "-q", "-p", "atmega328p", "-c", "arduino", "-P", name, "-b", str(baud)]
    command += ["-x", f"attempts={_ATTEMPTS}", "-D", "-U", f"flash:w:{image}:i"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_FLASH_S, check=False
        )
    except FileNotFoundError as error:
        raise FlashFailed(f"{tool} is not installed: apt install avrdude") from error
    except subprocess.TimeoutExpired:
        # In the words of a deaf board, so that the other rate is tried too.
        return f"{tool} is {_DEAF[1]}: no end after {_FLASH_S} s"
    return done.stderr if done.returncode else None
