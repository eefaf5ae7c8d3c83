"""Who is on a port, and giving a board the firmware that ships with the companion."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from companion.closing import Closing
from companion.seats.pod.codec import Stranger
from companion.seats.pod.image import IMAGE, PICO_IMAGE
from companion.seats.pod.link import Link, Phase, Strange, format_firmware
from companion.seats.pod.serialport import Port, SerialPort
from companion.seats.pod.wire import Hello

ANSWER_S = 3.0
"""A board that is reset by the opening of its port takes up to two seconds to speak."""

BOOT_BAUDS = (115_200, 57_600)
"""What a Nano's boot loader listens at: new ones, old ones."""

_ATTEMPTS = 2
"""Tries at a rate. Left to itself avrdude tries ten times, and an old boot loader, which listens
at the second rate, would be waited for a minute."""
_FLASH_S = 60
_DEAF = ("not in sync", "not responding")
"""Signs in avrdude's words that nobody listens at this rate."""
_LOOK_S = 0.1


class NoAnswer(Exception):
    """There is a port but no pod that speaks; the message says so."""


class FlashFailed(Exception):
    """The board has not taken the image; the message tells a person what to do."""


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
        return f"{tool} is {_DEAF[1]}: no end after {_FLASH_S} s"
    return done.stderr if done.returncode else None


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
