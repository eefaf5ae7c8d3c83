"""What only a booted machine shows: `booted.py updates ROOT WORK DEB` and `emulated ROOT WORK`.

Updates that break, and power that goes during one: a copy of the root is booted from a disk whose
writes and flushes are recorded (QEMU's blklogwrites), plays a race and updates. Then the disk is
made as it was at moments of that update: what was flushed is there, and of what was not each write
is whole, torn at a sector, or lost. Each such disk is booted, and must come to an open table with
the same race by itself. CUTS says how many (20; a quarter of it for an update that breaks), SEED
which.

What is around it: the root, which has a kernel of Debian's, is booted by QEMU with a real systemd,
udev and NetworkManager, and no network. A phone, on the second of two simulated radios, joins the
table's own network and asks what phones ask. Sticks with one file system, with a table of parts,
with exFAT, and one without the folder that companion.toml names are plugged in and pulled out as
`emulated.sh`, inside, asks for it.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SECTOR = 512
FLUSH, DISCARD = 1, 4
"""Kinds of an entry of the log, which has the form of dm-log-writes."""
DISK = 4 << 30
LOG = 32 << 30
LEFT_OUT = ("usr/lib/chromium", "usr/share/doc", "usr/share/locale", "usr/share/icons",
         "usr/share/fonts", "var/lib/apt/lists", "var/cache/apt/archives")  # fmt: skip
"""What no update touches, and would only have to be copied."""
IDLE = ("apt-daily.timer", "apt-daily-upgrade.timer", "unattended-upgrades.service",
        "companion-television.service")  # fmt: skip
"""What would only keep the processor busy here."""
LOOKS = """[Unit]
After=companion.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'sh -x /usr/local/bin/updated.sh $(cat /what) 2> /trace; \\
    systemctl --no-block poweroff'
"""
LONGEST_S = 2400
BROKEN = {
    "its program ends at once": ("usr/bin/companion", "#!/bin/sh\nexit 1\n"),
    "its program never says that it is there": (
        "usr/bin/companion",
        '#!/bin/sh\n[ "$1" != race ] || exec sleep 900\nexit 1\n',
    ),
    "its own script fails": ("DEBIAN/postinst", "#!/bin/sh\nexit 1\n"),
}


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@dataclass
class Told:
    """How a machine stands once it has come to rest."""

    version: str
    package: str
    service: str
    race: str
    audit: str
    before: str
    log: str


def copy(disk: Path, made: Path) -> Path:
    """A disk like this one, and never the file that was there before under that name.

    A container that starts takes along all that is mounted then. So that file may still be mounted
    somewhere when it no longer is here, and its loop device be taken for the new content: a file
    system with folders that cannot be read.
    """
    run("cp", "--sparse=always", "--remove-destination", disk, made)
    return made


@contextlib.contextmanager
def mounted(device: Path, at: Path, *words: str) -> Iterator[Path]:
    at.mkdir(exist_ok=True)
    run("mount", *words, device, at)
    try:
        yield at
    finally:
        run("umount", at)


def booted(root: Path, what: str) -> Told:
    """Boot the machine and let it do that; how it stands then."""
    for name in ("told", "log"):
        (root / name).unlink(missing_ok=True)
    (root / "what").write_text(what)
    words = ("--boot", "--register=no", "--keep-unit", "--private-network", "--console=pipe")
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            ["systemd-nspawn", "--quiet", f"--directory={root}", *words],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_S, check=False,
        )  # fmt: skip
        root.parent.joinpath("console").write_bytes(done.stdout + done.stderr)
    said = (root / "told").read_text().splitlines() if (root / "told").exists() else []
    log = (root / "log").read_text() if (root / "log").exists() else "it did not come to rest"
    before = (root / "before").read_text().strip() if (root / "before").exists() else "no race"
    version, package, service, race, audit = (said + [""] * 5)[:5]
    return Told(version, package, service, race, audit, before, log)


class Recorder:
    """A disk that keeps each write and flush, in their order."""

    def __init__(self, image: Path, work: Path) -> None:
        self.log, self.export = work / "writes", work / "disk"
        self.log.unlink(missing_ok=True)
        self.export.touch()
        with self.log.open("wb") as file:
            file.truncate(LOG)
        drivers = [
            f"driver=file,node-name=base,filename={image}",
            f"driver=file,node-name=log,filename={self.log}",
            f"driver=blklogwrites,node-name=all,file=base,log=log,log-sector-size={SECTOR}",
        ]
        export = f"type=fuse,id=disk,node-name=all,mountpoint={self.export},writable=on"
        words = [word for driver in drivers for word in ("--blockdev", driver)]
        self._daemon = subprocess.Popen(["qemu-storage-daemon", *words, "--export", export])
        while not self.export.stat().st_size:
            if self._daemon.poll() is not None:
                raise SystemExit("the recorder of writes does not start")
            time.sleep(0.1)

    def blocks(self) -> int:
        """How much has been written so far; grows with each write."""
        return self.log.stat().st_blocks

    def end(self) -> None:
        self._daemon.terminate()
        self._daemon.wait()


Write = tuple[int, int, int]
"""Sector of the disk, bytes, place in the log; bytes 0: a flush."""


def writes(log: Path) -> list[Write]:
    """All that was recorded. A discard leaves what is there, as a disk may."""
    told = []
    with log.open("rb") as file:
        entries = struct.unpack("<QQQI", file.read(28))[2]
        at = SECTOR
        for _ in range(entries):
            file.seek(at)
            sector, sectors, flags, _data = struct.unpack("<QQQQ", file.read(32))
            at += SECTOR
            if flags & FLUSH:
                told.append((0, 0, at))
            if sectors and not flags & DISCARD:
                told.append((sector, sectors * SECTOR, at))
                at += sectors * SECTOR
    return told


def cut(image: Path, log: Path, until: list[Write], chance: random.Random) -> tuple[int, int]:
    """Make the disk of a power cut behind these writes; how many were not flushed, and lost."""
    flushed = max((n for n, one in enumerate(until) if not one[1]), default=0)
    loose = [one for one in until[flushed:] if one[1]]
    lost = 0
    with log.open("rb") as source, image.open("r+b") as disk:
        for sector, size, at in [*until[:flushed], *chance.sample(loose, len(loose))]:
            kept = size
            if at > until[flushed][2]:
                sectors = size // SECTOR
                kept = chance.choice((0, chance.randint(0, sectors), sectors)) * SECTOR
                lost += kept < size
            source.seek(at)
            disk.seek(sector * SECTOR)
            disk.write(source.read(kept))
        os.fsync(disk.fileno())
    return len(loose), lost


class Machine:
    """A disk with the root on it, and packages that it is updated to."""

    def __init__(self, root: Path, work: Path) -> None:
        self.work = work
        self.fresh = work / "fresh.img"
        self.old = run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${Version}",
                       "race-companion")  # fmt: skip
        with self.fresh.open("wb") as file:
            file.truncate(DISK)
        run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0", self.fresh)
        with mounted(self.fresh, work / "mnt") as mnt:
            run("cp", "-a", f"{root}/.", mnt)
            for name in LEFT_OUT:
                shutil.rmtree(mnt / name, ignore_errors=True)
            (mnt / "usr/local/bin/updated.sh").write_bytes((HERE / "updated.sh").read_bytes())
            (mnt / "usr/local/bin/updated.sh").chmod(0o755)
            (mnt / "var/lib/companion-first-start").mkdir(exist_ok=True)
            (mnt / "var/lib/companion-first-start/done").touch()
            units = mnt / "etc/systemd/system"
            (units / "updated.service").write_text(LOOKS)
            (units / "companion-came-up.service.d").mkdir()
            for name in IDLE:
                (units / name).unlink(missing_ok=True)
                (units / name).symlink_to("/dev/null")
            hurry = "[Service]\nEnvironment=COMPANION_STEP_S=1\n"
            (units / "companion-came-up.service.d/hurry.conf").write_text(hurry)
            wants = units / "multi-user.target.wants"
            (wants / "updated.service").symlink_to("/etc/systemd/system/updated.service")

    def copy(self, package: Path) -> Path:
        """A disk that finds this package as its update."""
        made = copy(self.fresh, self.work / "try.img")
        script = HERE.parents[1] / "packaging/repository.sh"
        with mounted(made, self.work / "mnt") as mnt:
            source = mnt / "srv/next"
            run("sh", script, "list", source, "0", package)
            key = run("sh", script, "sign", source)
            line = f'update = {{source = "file:/srv/next", key = "{key}"}}\n'
            (mnt / "etc/companion.toml").write_text(line)
        return made

    def package(self, deb: Path, file: str = "", text: str = "") -> Path:
        """The package with a higher number, and with this file in it."""
        tree, made = self.work / "tree", self.work / "next.deb"
        shutil.rmtree(tree, ignore_errors=True)
        run("dpkg-deb", "-R", deb, tree)
        control = tree / "DEBIAN/control"
        control.write_text(
            control.read_text().replace(f"Version: {self.old}", f"Version: {self.new}")
        )
        if file:
            (tree / file).write_text(text)
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", tree, made)
        return made

    @property
    def new(self) -> str:
        return f"{self.old}+next"

    def update(self, package: Path) -> Told:
        with mounted(self.copy(package), self.work / "mnt") as mnt:
            return booted(mnt, "update")

    def record(self, package: Path) -> tuple[Told, list[Write], list[int], Path]:
        """Update while all is recorded: how it stands, the writes, and where among them each
        tenth of a second of the update was.
        """
        image = self.copy(package)
        first = copy(image, self.work / "first.img")
        recorder = Recorder(image, self.work)
        seen: list[int] = []
        is_over = threading.Event()

        def watch(mnt: Path) -> None:
            while not is_over.wait(0.1):
                if (mnt / "before").exists() and not (mnt / "told").exists():
                    seen.append(recorder.blocks())

        with mounted(recorder.export, self.work / "mnt", "-o", "loop") as mnt:
            watching = threading.Thread(target=watch, args=(mnt,))
            watching.start()
            told = booted(mnt, "update")
            is_over.set()
            watching.join()
        recorder.end()
        image.unlink()
        return told, writes(recorder.log), seen, first


def trouble(told: Told, versions: tuple[str, ...]) -> str:
    """What is not as it should be; empty where all is."""
    if told.service != "active":
        return f"the table is {told.service or 'not there'}"
    if told.race != told.before or '"Ana"' not in told.race:
        return f"another race: {told.race[:200]}, not {told.before[:200]}"
    if told.version not in versions:
        return f"it has {told.version}"
    return (
        ""
        if told.package == "ii " and not told.audit
        else f"half a package: {told.package} {told.audit}"
    )


def moments(seen: list[int], recorded: list[Write], cuts: int, chance: random.Random) -> list[int]:
    """Behind which writes the power goes: half of them by the clock, half by the writes."""
    # The log is sparse behind its end: what it takes on disk is what was written to it.
    places = [one[2] for one in recorded]
    at = [sum(place <= blocks * SECTOR for place in places) for blocks in (seen[0], *seen)]
    by_clock = [chance.choice(at) for _ in range(cuts // 2)]
    return sorted(by_clock + [chance.randint(at[0], at[-1]) for _ in range(cuts - len(by_clock))])


def try_updates(root: Path, work: Path, deb: Path) -> int:
    """Updates that break, then cuts of power during one that does not, and one that does."""
    cuts, seed = int(os.environ.get("CUTS", "20")), int(os.environ.get("SEED", "1"))
    machine, bad = Machine(root, work), 0

    def judge(name: str, told: Told, versions: tuple[str, ...]) -> None:
        nonlocal bad
        wrong = trouble(told, versions)
        bad += bool(wrong)
        print(f"  {name}: {wrong or f'{told.version}, the race is there'}", flush=True)
        if wrong:
            print(f"  {told.version}, {told.package}, {told.audit}\n{told.log[-6000:]}", flush=True)

    for name, (file, text) in BROKEN.items():
        told = machine.update(machine.package(deb, file, text))
        judge(f"an update, {name}", told, (machine.old,))
    ends = "its program ends at once"
    kinds = (
        ("an update", cuts, (), (machine.old, machine.new)),
        (f"an update, {ends}", cuts // 4, BROKEN[ends], (machine.old,)),
    )
    for name, many, change, versions in kinds:
        told, recorded, seen, first = machine.record(machine.package(deb, *change))
        judge(name, told, versions)
        chance = random.Random(seed)
        for behind in moments(seen, recorded, many, chance):
            image = copy(first, work / "try.img")
            loose, lost = cut(image, work / "writes", recorded[:behind], chance)
            with mounted(image, work / "mnt") as mnt:
                after = booted(mnt, "look")
            where = f"behind write {behind} of {len(recorded)}, {lost} of {loose} loose ones lost"
            judge(f"{name}, the power goes {where}", after, versions)
    return 1 if bad else 0


# -- radio and sticks -----------------------------------------------------------------------------

STICKS = ("whole", "parted", "exfat", "other")
EMULATED_S = 3600
"""There may be no KVM, and then a start alone takes minutes."""
EMULATED_UNIT = """[Unit]
After=companion.service
[Service]
ExecStart=/usr/local/bin/emulated.sh
"""
PHONE_UNIT = """[Unit]
DefaultDependencies=no
After=systemd-modules-load.service
Before=NetworkManager.service wpa_supplicant.service
[Service]
Type=oneshot
ExecStart=ip netns add phone
ExecStart=iw phy phy1 set netns name phone
"""
"""A phone's radio is none of the machine's: it is away before NetworkManager looks for radios."""


def disk(root: Path, work: Path) -> Path:
    """The root with two simulated radios and who looks at it, as a disk."""
    made = work / "root.img"
    with made.open("wb") as file:
        file.truncate(4 << 30)
    run("mkfs.ext4", "-q", "-F", made)
    with mounted(made, work / "mnt") as at:
        run("cp", "-a", f"{root}/.", at)
        for name in LEFT_OUT:
            shutil.rmtree(at / name, ignore_errors=True)
        shutil.copy(HERE / "emulated.sh", at / "usr/local/bin/emulated.sh")
        (at / "usr/local/bin/emulated.sh").chmod(0o755)
        (at / "boot/firmware").mkdir(parents=True, exist_ok=True)
        settings = '[backup]\nstick = "/media/usb/companion"\n'
        (at / "boot/firmware/companion.toml").write_text(settings)
        (at / "etc/modules-load.d/radio.conf").write_text("mac80211_hwsim\n")
        (at / "etc/modprobe.d/radio.conf").write_text("options mac80211_hwsim radios=2\n")
        units = at / "etc/systemd/system"
        for name in IDLE:
            (units / name).unlink(missing_ok=True)
            (units / name).symlink_to("/dev/null")
        for name, text in (("emulated", EMULATED_UNIT), ("phone", PHONE_UNIT)):
            (units / f"{name}.service").write_text(text)
            wants = units / f"multi-user.target.wants/{name}.service"
            wants.symlink_to(f"/etc/systemd/system/{name}.service")
    return made


def try_emulated(root: Path, work: Path) -> int:
    """Boot; 0 where the phone has its page and every stick was mounted, written to and let go."""
    monitor = work / "monitor"
    words: list[str] = ["-m", "1024", "-vga", "none", "-display", "none", "-no-reboot",
             "-serial", "stdio", "-monitor", f"unix:{monitor},server=on,wait=off",
             "-device", "qemu-xhci", "-nic", "none",
             "-kernel", str(next(root.glob("boot/vmlinuz-*"))),
             "-initrd", str(next(root.glob("boot/initrd.img-*"))),
             "-append", "root=/dev/vda rw console=ttyS0 panic=-1",
             "-drive", f"file={disk(root, work)},if=virtio,format=raw"]  # fmt: skip
    for name in STICKS:
        with (work / f"{name}.img").open("wb") as file:
            file.truncate(64 << 20)
            if name == "parted":  # a table of the older kind, with one part of FAT behind 1 MiB
                part = struct.pack("<4xB3xII", 0x0C, 2048, (60 << 20) // SECTOR)
                file.seek(446)
                file.write(part + bytes(48) + b"\x55\xaa")
        words += ["-drive", f"file={work}/{name}.img,if=virtio,format=raw,file.locking=off"]
    machine = subprocess.Popen(
        ["qemu-system-x86_64", "-accel", "tcg", "-smp", "2", "-cpu", "max", *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace",
    )  # fmt: skip
    clock = threading.Timer(EMULATED_S, machine.kill)
    clock.start()
    said = []
    with (work / "console").open("w") as console:
        for line in machine.stdout or ():
            print(line.rstrip(), file=console, flush=True)
            word, _, rest = line.rstrip().partition("seen: ")
            if word or not rest:
                continue
            verb, _, name = rest.partition(" ")
            if verb == "plug":
                drive = f"file={work}/{name}.img,format=raw,file.locking=off"
                tell(monitor, f"drive_add 0 if=none,id={name},{drive}")
                tell(monitor, f"device_add usb-storage,id=stick-{name},drive={name}")
            elif verb == "pull":
                tell(monitor, f"device_del stick-{name}")
            else:
                said.append(rest)
                print(f"  {rest}", flush=True)
    clock.cancel()
    return 0 if "over" in said and not any(one.startswith("NOT") for one in said) else 1


def tell(monitor: Path, line: str) -> None:
    """Say a line to QEMU, which says what it thinks of it and asks for the next."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(str(monitor))
        for word in ("", f"{line}\n"):
            door.sendall(word.encode())
            heard = b""
            while not heard.rstrip().endswith(b"(qemu)"):
                heard += door.recv(4096)


def main(what: str, root: str, work: str, *deb: str) -> int:
    """Try one of the two in a folder of its own."""
    shutil.rmtree(work, ignore_errors=True)
    Path(work).mkdir(parents=True)
    if what == "emulated":
        return try_emulated(Path(root), Path(work))
    return try_updates(Path(root), Path(work), *map(Path, deb))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
