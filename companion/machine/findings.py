"""What an examination of the computer finds: disk, clock, power, heat, network, service.

Nothing is called well that was not looked at. Readings come from files of the kernel, below a
`root` that a test can lay out.
"""

from __future__ import annotations

import errno
import os
import platform
import shlex
import shutil
import socket
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from companion.seats.plan import Finding
from companion.system.config import CONFIG_FILE, ConfigError, read_config
from companion.system.host import BUILT, is_beside, knows_the_time, own_addresses


def examine_machine(data: Path, root: Path = Path("/")) -> list[Finding]:
    """All that is found about the machine and the folder of races."""
    looks: tuple[Callable[[], Finding], ...] = (
        lambda: disk_room(data),
        lambda: sync_speed(data),
        lambda: damaged_files(data),
        lambda: own_part(data),
        lambda: clock(root),
        lambda: power(root),
        lambda: heat(root),
        lambda: memory(root),
        _network,
        lambda: updates(data, root),
        _versions,
    )
    return [look() for look in looks]


def worst_first(found: Sequence[Finding]) -> list[Finding]:
    """With what is wrong with the disk before all else: the evening lies on it."""
    return sorted(found, key=lambda one: one.ok is not False or one.what not in OF_DISK)


def _not_looked_at(what: str, why: str) -> Finding:
    """Something that could not be looked at, which is neither well nor wrong."""
    return Finding(what, f"not looked at: {why}", ok=None)


OF_DISK = ("disk sync", "journal", "disk", "races")
DYING = (errno.EIO, errno.EROFS, errno.EUCLEAN, errno.ENODATA)
"""With which the kernel says that a disk fails; it makes one read-only that does."""


def _disk_fails(what: str, path: Path, error: OSError) -> Finding:
    """A disk that fails is the alarm; a folder that is not there, or not ours, is none."""
    if error.errno not in DYING:
        return _not_looked_at(what, f"{path}: {error.strerror}")
    mend = "the card is dying: companion backup --to a stick now, then a new card"
    return Finding(what, f"{path} fails: {error.strerror}", ok=False, mend=mend)


LEAST_FREE = 200 << 20
"""Bytes: some thousand races."""


def disk_room(data: Path) -> Finding:
    """Room on the disk of the folder, or where it would be made."""
    try:
        room = shutil.disk_usage(next(one for one in (data, *data.parents) if one.exists()))
    except OSError as error:
        return _disk_fails("disk", data, error)
    says = f"{room.free >> 20} MB free of {room.total >> 20} MB at {data}"
    if room.free < LEAST_FREE:
        return Finding("disk", says, ok=False, mend="make room: move what is not needed away")
    return Finding("disk", says)


def own_part(data: Path) -> Finding:
    """Whether races are written where those of before are."""
    if not is_beside(data):
        return Finding("races", f"written in {data}")
    mend = "back up to a stick, then start again; where it stays so the card is dying"
    says = "written beside the system: their own part of the card cannot be mounted"
    return Finding("races", says, ok=False, mend=mend)


SLOWEST_S = 0.25
"""A sync that takes longer is felt with every press; a healthy card needs 5 to 30 ms."""
SYNCS = 15


def sync_speed(data: Path) -> Finding:
    """How long the disk needs to keep an answer, as every press has to wait for it."""
    what, path = "disk sync", data / ".doctor"
    try:
        file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            times = sorted(_syncs(file))
        finally:
            os.close(file)
            with suppress(OSError):  # on a card that has just become read-only it stays
                path.unlink()
    except OSError as error:
        return _disk_fails(what, data, error)
    middle, longest = statistics.median(times), times[-1]
    says = f"{middle * 1000:.1f} ms in the middle, {longest * 1000:.1f} ms the longest of {SYNCS}"
    if middle > SLOWEST_S:
        return Finding(what, says, ok=False, mend="use a better card (class A1 or A2) or an SSD")
    return Finding(what, says)


def _syncs(file: int) -> Iterator[float]:
    for _ in range(SYNCS):
        begun = time.perf_counter()
        os.write(file, b"x" * 120)
        os.fdatasync(file)
        yield time.perf_counter() - begun


def damaged_files(data: Path) -> Finding:
    """Whether the journal can be read, and what a start has found damaged."""
    if not (data / "journal").exists():
        return _not_looked_at("journal", f"{data} has none")
    path = data
    try:
        for path in (one for name in ("journal", "copy") for one in (data / name).glob("**/*.log")):
            path.read_bytes()
        count = sum(1 for _ in data.glob("damaged*/*"))
    except OSError as error:
        return _disk_fails("journal", path, error)
    if count:
        mend = f"companion backup, a new card; then look at {data / 'damaged'} and delete it"
        return Finding("journal", f"{count} damaged files were found", ok=False, mend=mend)
    return Finding("journal", "no start has found a damaged file")


def clock(root: Path) -> Finding:
    """Whether the date can be believed. Races do not need it; their records name it."""
    now = time.strftime("%Y-%m-%d %H:%M")
    if time.time() < BUILT:
        return Finding("clock", now, ok=False, mend="connect to a network once, or: sudo date -s")
    if (root / "run/systemd/timesync/synchronized").exists():
        return Finding("clock", f"{now}, from the network")
    if knows_the_time(root):
        return Finding("clock", f"{now}, from a clock with a battery, or whoever sets this one")
    why = f"{now}, and nobody says whether that is right: the first phone is believed"
    return _not_looked_at("clock", why)


FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"
THROTTLING = {
    0: "the supply is too weak now",
    1: "it runs slowed down now",
    2: "it is throttled now",
    3: "it is too hot now",
    16: "the supply was too weak since it started",
    17: "it was slowed down since it started",
    18: "it was throttled since it started",
    19: "it was too hot since it started",
}
"""Bits of the firmware's word."""


def power(root: Path) -> Finding:
    """What the firmware of a Raspberry Pi says of its supply."""
    word: int | None
    try:
        word = int((root / FIRMWARE).read_text(), 16)
    except (OSError, ValueError):
        word = _undervoltage(root)
    if word is None:
        return _not_looked_at("power", "no firmware of a Raspberry Pi speaks here")
    seen = [says for bit, says in THROTTLING.items() if word >> bit & 1]
    if seen:
        mend = "a supply of 5.1 V and 3 A with a short cable; a fan where it is hot"
        return Finding("power", "; ".join(seen), ok=False, mend=mend)
    return Finding("power", "the supply has been strong enough since it started")


def _undervoltage(root: Path) -> int | None:
    """The firmware's word as far as the kernel's sensor knows it, which a Pi 5 has instead."""
    for sensor in (root / "sys/class/hwmon").glob("hwmon*"):
        try:
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return 1 << 16 if int((sensor / "in0_lcrit_alarm").read_text()) else 0
        except (OSError, ValueError):
            continue
    return None


HOTTEST = 80.0
"""Degrees Celsius from which a Pi slows down."""


def heat(root: Path) -> Finding:
    """The temperature of the processor."""
    try:
        degrees = int((root / "sys/class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (OSError, ValueError):
        return _not_looked_at("heat", "there is no thermometer")
    is_well = degrees < HOTTEST
    mend = "" if is_well else "let air to it: a fan, or the case open"
    return Finding("heat", f"{degrees:.0f} °C", ok=is_well, mend=mend)


LEAST_MEMORY = 64 << 20


def memory(root: Path) -> Finding:
    """Memory that programs can still have."""
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
        row = next(line for line in lines if line.startswith("MemAvailable:"))
        free = int(row.split()[1]) << 10
    except (OSError, StopIteration, ValueError, IndexError):
        return _not_looked_at("memory", "the kernel does not say")
    is_well = free >= LEAST_MEMORY
    mend = "" if is_well else "stop what else runs on it: ps aux --sort=-rss | head"
    says = f"{free >> 20} MB free"
    if "cgroup_disable=memory" in _text(root / "proc/cmdline").split():
        says += "; this kernel keeps no limit of the service (cgroup_disable=memory in cmdline.txt)"
    return Finding("memory", says, ok=is_well, mend=mend)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _network() -> Finding:
    """Whether phones can reach it."""
    if not (addresses := own_addresses()):
        mend = "connect it to a network: sudo nmtui"
        says = "none: no phone can reach it (an address of one link, fe80…, cannot be typed on one)"
        return Finding("network", says, ok=False, mend=mend)
    names = ", ".join(f"[{one}]" if ":" in one else one for one in addresses)
    return Finding("network", f"others reach it at {names}, or {socket.gethostname()}.local")


NO_UPDATES = "none: no companion.toml names a source of updates (/help/build)"


def has_updates(data: Path, root: Path = Path("/")) -> bool:
    """Whether newer packages come from anywhere: a source, or one that lies on the card."""
    if any((root / "boot/firmware").glob("race-companion_*_all.deb")):
        return True
    for file in (data / CONFIG_FILE, root / "etc" / CONFIG_FILE):
        with suppress(ConfigError):
            if "update" in read_config(file):
                return True
    return False


def updates(data: Path, root: Path = Path("/")) -> Finding:
    """What the latest update has come to, and whether there can be one."""
    said = _text(root / "run/companion-update/said").strip() or "the source has not been asked yet"
    return Finding("updates", said if has_updates(data, root) else NO_UPDATES)


def _versions() -> Finding:
    """What runs here."""
    found = (
        f"companion {version('race-companion')}",
        f"Python {platform.python_version()}",
        f"SQLite {sqlite3.sqlite_version}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    )
    is_known = sys.version_info >= (3, 11)
    return Finding("versions", ", ".join(found), ok=is_known, mend="" if is_known else "update")


# -- the configuration and the stick --------------------------------------------------------------


def examine_configuration(file: Path, whose: str) -> Finding:
    """Which configuration is looked at; one that is not there is no fault."""
    says = f"{file} ({whose})"
    try:
        file.read_bytes()
    except FileNotFoundError:
        return Finding("configuration", f"{says} is not there: every seat is a phone", ok=None)
    except OSError as error:
        says = f"{says} cannot be read: {error.strerror}"
        return Finding("configuration", says, ok=False, mend="sudo companion doctor")
    return Finding("configuration", says)


def examine_stick(stick: Path | None) -> list[Finding]:
    """Whether the stick that is named is there; nothing where none is."""
    if stick is None:
        return []
    if stick.is_dir():
        return [Finding("stick", f"{stick} is there")]
    return [Finding("stick", f"{stick} is not there", ok=False, mend=f"plug it in; mkdir {stick}")]


# -- the installed service ------------------------------------------------------------------------

UNIT = "companion.service"
SERVICE_PLACES = tuple(f"{top}/systemd/system" for top in ("etc", "run", "usr/lib", "lib"))


def service_data(root: Path = Path("/")) -> Path | None:
    """The folder of races by the installed unit, drop-ins included; None: there is no such unit."""
    found: Path | None = None
    for file in _files(root):
        for line in file.read_text("utf-8", "replace").splitlines():
            if line.startswith("ExecStart="):
                found = _data_of(line.removeprefix("ExecStart=")) or found
    return found


def _files(root: Path) -> list[Path]:
    unit = next((p for place in SERVICE_PLACES if (p := root / place / UNIT).is_file()), None)
    if unit is None:
        return []
    ins = (
        path
        for place in reversed(SERVICE_PLACES)
        for path in (root / place).glob(f"{UNIT}.d/*.conf")
    )
    return [unit, *sorted(ins)]


def _data_of(command: str) -> Path | None:
    words = shlex.split(command)
    for place, word in enumerate(words):
        if word == "--data" and place + 1 < len(words):
            return Path(words[place + 1])
        if word.startswith("--data="):
            return Path(word.removeprefix("--data="))
    return None
