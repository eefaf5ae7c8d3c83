"""What the program needs of the computer it runs on: closing, files, the address, systemd.

A file is on disk, whole, when a function returns, as the plug may be pulled at any moment, and only
its owner may read it.
"""

from __future__ import annotations

import ctypes
import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Self

# -- what is closed -------------------------------------------------------------------------------


class Closing:
    """Base of whatever holds something open: a file, a port, a thread."""

    __slots__ = ()

    def close(self) -> None:
        """Let go of it; may be called twice."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# -- files ----------------------------------------------------------------------------------------


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; on return it is on disk under its name.

    Raises:
        OSError: it could not be written; a file of that name is as it was.
    """
    make_folder(path.parent)
    fresh = path.with_name(path.name + ".new")
    with open(fresh, "wb", opener=_private) as file:
        file.write(content)
        file.flush()
        # Before it takes the name, which could else stand for an empty file after a power cut.
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it lies in, for its owner alone. One that is there stays.

    Raises:
        OSError: the system refuses.
    """
    if not folder.exists():
        make_folder(folder.parent)
        # Another process may have made it since it was looked for.
        folder.mkdir(mode=0o700, exist_ok=True)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk: a file that is synced may still lack its name there.

    Raises:
        OSError: the system refuses.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- the address, and the clock -------------------------------------------------------------------

LOOK_AGAIN_S = 5.0
HOTSPOT = "10.42.0.1"
"""This machine's address in a network of its own."""
ALONE = "127.0.0.1"


def _own_address() -> str:
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
    """Where people find a page, looked up each time: a network may come up after the table.

    Args:
        host: a fixed address; None: whatever address the machine has.
        find: finds that one.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        host: str | None,
        port: int,
        find: Callable[[], str] = _own_address,
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


BUILT = 1_735_689_600
"""2025: no clock that is right shows less, seconds since 1970."""
UNKNOWN = 5
"""`TIME_ERROR` of adjtimex(2): nobody has told the kernel the time."""


def _kernel_knows() -> bool:
    """Whether the kernel's clock is set by others; where there is no such kernel, it is."""
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(1024))
    except (AttributeError, OSError):
        return True
    return int(state) != UNKNOWN


def knows_the_time(root: Path = Path("/"), kernel: Callable[[], bool] = _kernel_knows) -> bool:
    """Whether this computer's date can be believed: it has it from the network, or from a clock
    with a battery. A Raspberry Pi alone in a room wakes up at the date of its last evening.
    """
    if (root / "run/systemd/timesync/synchronized").exists() or kernel():
        return True
    clocks = (root / "sys/class/rtc").glob("rtc*/since_epoch")
    return any(_seconds_in(clock) >= BUILT for clock in clocks)


def _seconds_in(file: Path) -> int:
    with suppress(OSError, ValueError):
        return int(file.read_text())
    return 0


# -- systemd --------------------------------------------------------------------------------------


class Notifier:
    """Tells systemd that the table is open, and that the thread which owns it still runs.

    A service of `Type=notify` is up when it says so, and with `WatchdogSec=` it is started anew
    when it falls silent. The words go as a datagram to the socket that systemd names; without one
    there is nobody to tell. (systemd's sd_notify(3) has no more to it.)

    Args:
        environment: has `NOTIFY_SOCKET` and `WATCHDOG_USEC` where there is somebody.
        now: a monotonic clock in seconds.
    """

    def __init__(self, environment: Mapping[str, str], now: Callable[[], float]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        # An @ stands for the zero byte of an abstract socket (sd_notify(3)).
        self._address = "\0" + name[1:] if name.startswith("@") else name
        watchdog = environment.get("WATCHDOG_USEC", "") if self._address else ""
        self.every_s = int(watchdog) / 1_000_000 / 3 if watchdog.isdigit() else None
        """How often it wants a sign of life; None: never."""
        self._now = now
        self._next = 0.0

    @property
    def is_heard(self) -> bool:
        """Whether systemd has started this process."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """The page answers."""
        self._say(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        """It is about to end, as it was asked to."""
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
