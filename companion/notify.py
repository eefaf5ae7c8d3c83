"""What systemd is told: that the table is open, and that the thread which owns it still turns.

A service of `Type=notify` is up when it says so, and with `WatchdogSec=` it is started anew when it
falls silent. The words go as a datagram to the socket that systemd names; without one there is
nobody to tell. (systemd's sd_notify(3) has no more to it.)
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

MICRO = 1_000_000


class Notifier:
    """Speaks to whoever has started the process.

    Args:
        environment: has `NOTIFY_SOCKET` and `WATCHDOG_USEC` where there is somebody.
        now: a monotonic clock in seconds.
    """

    def __init__(self, environment: Mapping[str, str], now: Callable[[], float]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name
        watchdog = environment.get("WATCHDOG_USEC", "") if self._address else ""
        self.every_s = int(watchdog) / MICRO / 3 if watchdog.isdigit() else None
        """How often it wants a sign of life; None: never."""
        self._now = now
        self._next = 0.0

    def ready(self, status: str) -> None:
        """The page answers."""
        self._say(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """It ends, and was told to."""
        self._say("STOPPING=1")

    def alive(self) -> None:
        """A sign of life, if it is time for one."""
        if self.every_s is not None and (now := self._now()) >= self._next:
            self._next = now + self.every_s / 2
            self._say("WATCHDOG=1")

    def _say(self, words: str) -> None:
        if not self._address:
            return
        # A table goes on without a witness.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out, suppress(OSError):
            out.sendto(words.encode(), self._address)


def this_process(now: Callable[[], float]) -> Notifier:
    """The one of this process, which children do not inherit."""
    names = ("NOTIFY_SOCKET", "WATCHDOG_USEC")
    return Notifier({name: os.environ.pop(name) for name in names if name in os.environ}, now)
