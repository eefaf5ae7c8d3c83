"""A serial port as a conversation needs it: the one place that knows pyserial.

The operating system's errors come out of here as `PortLost`, with a sentence for a person.
"""

from __future__ import annotations

import errno
import termios
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

import serial
from serial.tools import list_ports

from companion.seats.pinmap import MAP
from companion.seats.pod.wire import BAUD
from companion.seats.trouble import Troubled

_WRITE_S = 2.0
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
        if number not in _MEANINGS:
            return PortLost(f"{self._name} does not serve: {error}")
        key, what = _MEANINGS[number]
        return PortLost(f"{self._name} {what}", key)


def usb_ports() -> list[str]:
    """The serial ports on USB that may have a pod, in the order of their names.

    Only those of boards that seat.toml knows: to open a port starts many a machine anew, and a
    3D printer in the middle of its print is no pod.
    """
    return sorted(port.device for port in list_ports.comports() if _is_known(port))


def foreign_ports() -> dict[str, str]:
    """The serial ports on USB that are left alone, with what they say of themselves."""
    return {
        port.device: f"{port.vid:04x}:{port.pid:04x} {port.product or ''}".strip()
        for port in sorted(list_ports.comports(), key=lambda port: port.device)
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
