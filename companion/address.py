"""By which address others reach this machine, now: a network may come up after the table."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from datetime import datetime

LOOK_AGAIN_S = 5.0
HOTSPOT = "10.42.0.1"
"""This machine's address in a network of its own."""
ALONE = "127.0.0.1"


def own_address() -> str:
    """The address by which others reach this machine; its own name for itself without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks which way would be taken.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return HOTSPOT if is_own(HOTSPOT) else ALONE


def is_own(address: str) -> bool:
    """Whether this machine has an address now: only then the system gives a socket to it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


class PageAddress:
    """Where people find a page.

    Args:
        host: a fixed address; None: whatever address the machine has.
        find: finds that one.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        host: str | None,
        port: int,
        find: Callable[[], str] = own_address,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self.port, self._find, self._now = host, port, find, now
        self._found, self._until = "", float("-inf")

    def url(self) -> str:
        """Its address as people type it.

        >>> PageAddress("::1", 8000).url()
        'http://[::1]:8000'
        """
        host = self._host or self._look()
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def _look(self) -> str:
        """Links are made at every press: the system is asked now and then only."""
        if self._now() >= self._until:
            self._found, self._until = self._find(), self._now() + LOOK_AGAIN_S
        return self._found


def wall_clock() -> str:
    """The date and time of this place, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
