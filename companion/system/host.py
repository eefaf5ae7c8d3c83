"""What the program needs of the computer it runs on: closing, files, the address, systemd.

A file is on disk, whole, when a function returns, as the plug may be pulled at any moment, and only
its owner may read it.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from fcntl import ioctl
from hashlib import blake2b
from logging import getLogger
from pathlib import Path
from stat import S_ISDIR
from threading import Thread
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


# -- how the program got here ---------------------------------------------------------------------

PACKAGE = Path("/usr/share/race-companion")
"""Where the Debian package lays the program."""
OF_DEBIAN: Mapping[str, str] = {
    "pi": "python3-lgpio python3-pil",
    "rpigpio": "python3-rpi.gpio",
    "light": "python3-spidev python3-pil",
    "solve": "python3-numpy",
    "club": "python3-psycopg gunicorn",
    "mqtt": "python3-paho-mqtt",
    "cluster": "python3-distributed",
}
"""What Debian has of each extra; the package brings along the rest of it."""


def how_to_install(extra: str, place: Path = Path(__file__)) -> str:
    """The command that brings the libraries of an extra: nothing of ours is on an index.

    Args:
        place: where the program lies.
    """
    if PACKAGE not in place.parents:
        return f"{sys.prefix}/bin/pip install '.[{extra}]', in the folder of the sources"
    if extra in OF_DEBIAN:
        return f"sudo apt install {OF_DEBIAN[extra]}"
    return "Debian has none of it: install the companion by hand (/help/build)"


# -- threads --------------------------------------------------------------------------------------

AGAIN_S = 1.0
_log = getLogger(__name__)


class Lasting(Thread):
    """A thread that no exception ends: what its work raises is logged, and the work begins again.

    Args:
        work: returns when it is done.
        is_over: whether nobody wants it any more.
    """

    def __init__(self, name: str, work: Callable[[], object], is_over: Callable[[], bool]) -> None:
        super().__init__(name=name, daemon=True)
        self._work, self._is_over = work, is_over

    def run(self) -> None:
        """Work until it is done."""
        said = ""
        while not self._is_over():
            try:
                self._work()
                return
            except Exception as error:
                if repr(error) != said:  # not once a second
                    said = repr(error)
                    _log.exception("%s: it broke off, and begins again", self.name)
            time.sleep(AGAIN_S)


# -- files ----------------------------------------------------------------------------------------


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; on return it is on disk under its name.

    Raises:
        OSError: it could not be written; a file of that name is as it was.
    """
    make_folder(path.parent)
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)  # another user may have left it half written
    with open(fresh, "wb", opener=private) as file:
        hand_over(fresh)
        file.write(content)
        file.flush()
        # Before it takes the name, which could else stand for an empty file after a power cut.
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def program_of(*rooms: str) -> str:
    """What tells this program from every other, by the files of these rooms: of what another one
    has worked out and kept nothing is believed."""
    home, found = Path(__file__).parents[1], [sys.version]
    for room in rooms:
        for folder, _, names in os.walk(home / room):
            for file in sorted(Path(folder, name) for name in names if not name.endswith(".pyc")):
                its = file.stat()
                found.append(f"{file} {its.st_size} {its.st_mtime_ns}")
    return blake2b(repr(found).encode(), digest_size=16).hexdigest()


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it lies in, for its owner alone. One that is there stays.

    Raises:
        OSError: the system refuses.
    """
    if not folder.exists():
        make_folder(folder.parent)
        # Another process may have made it since it was looked for.
        folder.mkdir(mode=0o700, exist_ok=True)
        hand_over(folder)
        with suppress(OSError):  # not every system lets a parent be opened
            sync_folder(folder.parent)


BESIDE = Path("/run/companion-races/beside")
"""Names the folder that stands for the races' part of the card, where that cannot be mounted."""


def is_beside(data: Path) -> bool:
    """Whether this is that folder."""
    try:
        return Path(BESIDE.read_text("utf-8")) == data.resolve()
    except OSError:
        return False


def hand_over(path: Path) -> None:
    """Let what root has made be of whoever the folder around it is of, as a service's user.

    Else the service could not open its own folder any more after one `sudo companion race`.
    """
    if os.geteuid() == 0:
        around, found = path.parent.stat(), path.lstat()
        # A second name of a file may lead anywhere.
        if found.st_uid == 0 != around.st_uid and (found.st_nlink == 1 or S_ISDIR(found.st_mode)):
            os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)


def hand_all_over(folder: Path) -> None:
    """The same of all that lies in a folder, from the top down."""
    if os.geteuid() == 0:
        for path in sorted(folder.rglob("*")):
            with suppress(OSError):  # it may have gone meanwhile
                hand_over(path)


def private(name: str, flags: int) -> int:
    """An opener of files that only their owner may read."""
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


def make_way(niceness: int) -> None:
    """Leave the processor to others first, 1 to 19; where a sandbox forbids even that, do not."""
    with suppress(OSError):
        os.nice(niceness)


# -- the address, and the clock -------------------------------------------------------------------

LOOK_AGAIN_S = 5.0
HOTSPOT = "10.42.0.1"
"""This machine's address in a network of its own."""
ALONE = "127.0.0.1"


SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915
IS_UP, IS_LOOPBACK, IS_TUNNEL, IS_RUNNING = 0x1, 0x8, 0x10, 0x40
"""How Linux numbers what is asked of an interface, and what it is (netdevice(7))."""


def own_addresses() -> list[str]:
    """The addresses by which others reach this machine, of the interfaces that are up; first the
    one that phones are likeliest on: that of the way out, of a network of its own, any other, and
    after them those of IPv6, which are long to type. That of one link alone is not among them: it
    is none without the name that the link has on this machine, which no phone takes.
    """
    way, found, newer = _way_out(), [], []
    told = _ipv6_of_interfaces()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = name.encode().ljust(256, b"\0")
            with suppress(OSError):  # it has none, or has gone
                flags = int.from_bytes(ioctl(asked, SIOCGIFFLAGS, request)[16:18], sys.byteorder)
                # A tunnel may be the way out, and no phone is at its other end.
                if flags & (IS_UP | IS_RUNNING | IS_LOOPBACK | IS_TUNNEL) == IS_UP | IS_RUNNING:
                    newer += told.get(name, [])
                    found.append(socket.inet_ntoa(ioctl(asked, SIOCGIFADDR, request)[20:24]))
    found.sort(key=lambda one: (one != way, one != HOTSPOT, one.startswith("169.254.")))
    return found + newer


OF_ALL, PASSING = "00", 0x01 | 0x08 | 0x20 | 0x40
"""The scope of an address that holds beyond its link; the flags of one that is temporary, taken by
another machine, going or not there yet (if_addr.h)."""


def _ipv6_of_interfaces(table: Path = Path("/proc/net/if_inet6")) -> dict[str, list[str]]:
    """The lasting addresses of IPv6 by interface, as the kernel lists them."""
    found: dict[str, list[str]] = {}
    with suppress(OSError):  # a kernel without it
        for line in table.read_text().splitlines():
            address, _, _, scope, flags, name = line.split()
            if scope == OF_ALL and not int(flags, 16) & PASSING:
                one = socket.inet_ntop(socket.AF_INET6, bytes.fromhex(address))
                found.setdefault(name, []).append(one)
    return found


def _way_out() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks which way would be taken.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _own_address() -> str:
    """The likeliest address; this machine's own name for itself without a network."""
    return next(iter(own_addresses()), ALONE)


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
REFUSED, UNKNOWN = -1, 5
"""What adjtimex(2) returns on an error, and where nobody has told the kernel the time."""


def _kernel_knows() -> bool:
    """Whether the kernel's clock is set by others; where there is no such kernel, it is.

    A service that may not ask (`ProtectClock=`) is refused with -1, which tells nothing.
    """
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(1024))
    except (AttributeError, OSError):
        return True
    return int(state) not in (REFUSED, UNKNOWN)


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
