"""The recipe of an image for a card; `make test-image` builds its root and boots it."""

from __future__ import annotations

import hashlib
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import release
import yaml
from image import booted
from support.each import in_one

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "hardware" / "image"
OVERLAY = IMAGE / "root"
UNITS = sorted((OVERLAY / "etc/systemd/system").glob("*.service"))
SCRIPTS = sorted((OVERLAY / "usr/lib/race-companion").iterdir())
SCRIPTS += sorted((ROOT / "tests" / "image").glob("*.sh"))
FIRST_START = OVERLAY / "usr/lib/race-companion/first-start"
RACES_PARTITION = OVERLAY / "usr/lib/race-companion/races-partition"


def layer() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((IMAGE / "layer/race-companion.yaml").read_text())
    return told["mmdebstrap"]


def test_the_image_has_all_that_the_package_needs_or_recommends() -> None:
    control = (ROOT / "packaging/debian/control").read_text()
    fields = re.findall(r"^(?:Depends|Recommends): (.*)$", control, re.MULTILINE)
    names = {one.split(" ")[0] for field in fields for one in field.split(", ")}
    assert len(names) > 5
    assert names - {"python3", "systemd"} <= set(layer()["packages"])


def test_a_radio_of_the_image_can_be_opened() -> None:
    """rpi-image-gen installs no Recommends, and NetworkManager only recommends a supplicant."""
    assert {"network-manager", "wpasupplicant"} <= set(layer()["packages"])


# What rpi-image-gen calls the Pis, by its folder `device`.
DEVICES = {"rpi3", "rpi4", "rpi5", "rpi-cm4", "rpi-cm5", "rpizero2w"}


def test_every_device_that_recipe_and_guide_name_is_a_layer_of_the_tool() -> None:
    config = (IMAGE / "config/race-companion.yaml").read_text()
    (named,) = re.findall(r"^  layer: (\w+)  # (.*):", config, re.MULTILINE)
    assert {named[0], *named[1].split(", ")} == DEVICES
    for guide in ("docs/build.md", "docs/build.fr.md"):
        (told,) = re.findall(
            r"race-companion.yaml` \S+ \S+ \S+ \(([^)]*)\)", (ROOT / guide).read_text()
        )
        assert set(re.findall(r"`([^`]+)`", told)) <= DEVICES


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card with its folders, and commands that write down how they are called."""
    for name in ("card", "data", "kept", "bin", "networks"):
        (tmp_path / name).mkdir()
    says = {"companion": "echo '{\"changed\": true}'", "systemctl": "", "nmcli": ""}
    for name, line in says.items():
        file = tmp_path / "bin" / name
        file.write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/called\n{line}\n')
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("COMPANION_CARD", str(tmp_path / "card"))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "kept"))
    monkeypatch.setenv("COMPANION_NETWORKS", str(tmp_path / "networks"))
    return tmp_path


def started(card: Path, *asked: str) -> list[str]:
    """What a start of this card calls."""
    called = card / "called"
    called.write_text("")
    subprocess.run([FIRST_START, *asked], check=True)
    return called.read_text().splitlines()


@pytest.mark.parametrize("quote", ["'", '"'])
def test_settings_on_the_card_are_read_at_every_start(card: Path, quote: str) -> None:
    settings = card / "card/companion.toml"
    settings.write_text(f"[wired]\nlayout = {quote}pair{quote}\n")
    boot = f"companion boot --json --file {card}/card/config.txt pair"
    again = ["systemctl try-restart companion.service", "systemctl --no-block reboot"]
    assert started(card) == [boot, *again]
    assert (card / "data/companion.toml").read_text() == settings.read_text()
    assert started(card) == ["companion hotspot on"]
    assert started(card) == []
    settings.write_text("[page]\n")
    none = f"companion boot --json --file {card}/card/config.txt none"
    assert started(card) == [none, *again]
    assert (card / "data/companion.toml").read_text() == "[page]\n"


def test_settings_of_the_page_come_onto_the_card_with_network_country_and_lights(
    card: Path,
) -> None:
    (card / "card/cmdline.txt").write_text("console=tty1 cfg80211.ieee80211_regdom=DE quiet\n")
    (card / "data/companion.toml").write_text(
        '[wired]\nlayout = "header"\n[light]\nseats = 4\n'
        '[wifi]\nnetwork = "A; B"\npassword = "not a secret"\ncountry = "FR"\n'
    )
    file = f"--file {card}/card/config.txt"
    profile = card / "networks/companion-known.nmconnection"
    assert started(card, "page") == [
        f"companion boot --json {file} --light header",
        f"nmcli connection load {profile}",
        "systemctl try-restart companion.service",
        "systemctl --no-block reboot",
    ]
    assert (card / "card/companion.toml").read_text() == (card / "data/companion.toml").read_text()
    words = (card / "card/cmdline.txt").read_text()
    assert words == "console=tty1 quiet cfg80211.ieee80211_regdom=FR\n"
    assert profile.stat().st_mode & 0o777 == 0o600
    assert "ssid=65;59;32;66;\n" in profile.read_text()
    assert "psk=not\\sa\\ssecret\n" in profile.read_text()
    (card / "data/companion.toml").write_text("")
    assert started(card, "page") == [
        f"companion boot --json {file} none",
        "nmcli connection reload",
        "systemctl try-restart companion.service",
        "systemctl --no-block reboot",
    ]
    assert (card / "card/companion.toml").read_text() == ""
    assert not profile.exists()


@pytest.mark.parametrize(("wrong", "word"), [("companion", "boot"), ("nmcli", "connection")])
def test_what_a_setting_asks_for_in_vain_keeps_no_network_shut(
    card: Path, wrong: str, word: str
) -> None:
    """Without a screen the table's own network is the only way in."""
    (card / "card/companion.toml").write_text(
        '[wired]\nlayout = "heder"\n[wifi]\nnetwork = "A"\npassword = "not a secret"\n'
    )
    program = card / "bin" / wrong
    program.write_text(f"{program.read_text()}[ $1 != {word} ] || exit 2\n")
    told = started(card) + started(card)
    assert "systemctl try-restart companion.service" in told
    assert told[-1] == "companion hotspot on"


@pytest.mark.parametrize(
    "wifi", ['password = "12345678\\nuuid=1"', 'password = "short"', 'country = "FR x"']
)
def test_a_setting_that_could_say_more_than_itself_is_left_alone(card: Path, wifi: str) -> None:
    (card / "card/cmdline.txt").write_text("quiet\n")
    (card / "card/companion.toml").write_text(f'[wifi]\nnetwork = "A"\n{wifi}\n')
    assert started(card)[:1] == ["systemctl try-restart companion.service"]
    assert (card / "card/cmdline.txt").read_text() == "quiet\n"
    assert list((card / "networks").iterdir()) == []


def test_settings_in_the_folder_of_races_that_are_a_link_are_not_followed(card: Path) -> None:
    """The folder is the service's; root reads there, and writes what everybody can read."""
    (card / "secret").write_text("root alone")
    (card / "data/companion.toml").symlink_to(card / "secret")
    started(card, "page")
    assert not (card / "card/companion.toml").exists()


def test_a_card_that_was_flashed_anew_has_the_settings_of_its_races(card: Path) -> None:
    """The part of the card that Imager writes is new then; that of the races is not."""
    (card / "data/companion.toml").write_text('[wired]\nlayout = "pair"\n')
    assert started(card)[0] == f"companion boot --json --file {card}/card/config.txt pair"
    assert (card / "card/companion.toml").read_text() == '[wired]\nlayout = "pair"\n'
    assert started(card) == ["companion hotspot on"]


GIB = 1 << 30


class Card:
    """A card as a file without most of its bytes, and programs that work on it as on a device."""

    def __init__(self, folder: Path, gib: int) -> None:
        self.disk, self.races, self._called = folder / "disk9", folder / "races", folder / "called"
        self.races.mkdir()
        with self.disk.open("wb") as file:
            file.truncate(gib * GIB)
        self.flash()
        self._bin = folder / "bin"
        self._bin.mkdir()
        inside, room = f"{self.disk}?offset={8 * GIB}", (gib * GIB - 8 * GIB - (64 << 20)) >> 10
        mkfs = (
            f"mke2fs -q -F -t ext4 -L $4 -E offset={8 * GIB},lazy_itable_init=1 {self.disk} {room}k"
        )
        # As if it were mounted: what is copied there is put in by debugfs.
        copy = 'case $2 in *beside*) exec /bin/cp "$@";; esac\n'
        copy += f"for f in ${{2%.}}*; do debugfs -w -R \"write $f $(basename $f)\" '{inside}'; done"
        does = dict.fromkeys(("umount", "udevadm"), "") | {"partx": "touch $4p3"}
        does |= {"e2fsck": f"[ $1 = -p ] || /sbin/e2fsck -y -b $3 '{inside}' > /dev/null 2>&1"}
        does |= {"mkfs.ext4": mkfs, "e2label": f"e2label '{inside}' $2"}
        does |= {"mount": "mkdir -p $2/lost+found", "cp": copy}
        for name, line in does.items():
            (self._bin / name).write_text(
                f"#!/bin/sh\nPATH={os.environ['PATH']}:/usr/sbin:/sbin\n"
                f'echo "{name} $*" >> {self._called}\n{line}\n'
            )
            (self._bin / name).chmod(0o755)

    def flash(self, root_gib: int = 4) -> None:
        """Write an image as Raspberry Pi Imager does: its table, and zeros at both ends."""
        lines = [(0x0C, 16384, 524288), (LINUX, 540672, root_gib * GIB // 512)]
        table = b"".join(struct.pack("<4xB3xII", *line) for line in lines)
        Path(f"{self.disk}p3").unlink(missing_ok=True)
        with self.disk.open("r+b") as file:
            file.write(bytes(446) + table + bytes(32) + b"\x55\xaa" + bytes(1 << 20))
            file.seek(-(1 << 20), os.SEEK_END)
            file.write(bytes(1 << 20))

    def start(self) -> list[str]:
        """What a start calls, by the programs' names, but for those that only wait."""
        self._called.write_text("")
        where = {"COMPANION_DISK": self.disk, "COMPANION_RACES": self.races}
        where |= {"RUNTIME_DIRECTORY": self.disk.parent / "making"}
        env = {**os.environ, **{name: str(path) for name, path in where.items()}}
        env["PATH"] = f"{self._bin}:{env['PATH']}"
        subprocess.run([RACES_PARTITION], check=True, env=env)
        return [line.split(" ")[0] for line in self._called.read_text().splitlines()]

    def parts(self) -> list[tuple[int, int]]:
        """Beginning and end of each part, in bytes."""
        numbers = [struct.unpack_from("<II", self.table(), at + 8) for at in range(446, 510, 16)]
        return [(begin * 512, (begin + size) * 512) for begin, size in numbers if size]

    def table(self) -> bytes:
        with self.disk.open("rb") as file:
            return file.read(512)

    def file(self, name: str) -> str:
        """What a file in the races' part says."""
        inside = f"{self.disk}?offset={8 * GIB}"
        command = ["/sbin/debugfs", "-R", f"cat {name}", inside]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


LINUX = 0x83
LOOKED = ["e2fsck"] * 3
MADE = ["partx", "udevadm", *LOOKED, "mkfs.ext4", "mount", "cp", "umount", "e2label", "mount"]
needs_mke2fs = pytest.mark.skipif(not Path("/sbin/debugfs").exists(), reason="needs e2fsprogs")


@needs_mke2fs
def test_races_have_a_part_of_the_card_that_flashing_leaves_where_it_is(tmp_path: Path) -> None:
    card = Card(tmp_path, 10)
    (card.races / "race.log").write_text("lap 3\n")  # of a card that had no such part
    assert card.start() == MADE
    assert card.parts()[2] == (8 * GIB, 10 * GIB - (64 << 20))
    assert card.file("race.log") == "lap 3\n"
    assert card.start() == ["e2fsck", "mount"]
    card.flash(root_gib=6)
    assert len(card.parts()) == 2
    assert card.start() == ["partx", "udevadm", "e2fsck", "mount"]
    assert card.parts()[2] == (8 * GIB, 10 * GIB - (64 << 20))
    assert card.file("race.log") == "lap 3\n"


@needs_mke2fs
def test_a_part_that_lost_its_power_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    card = Card(tmp_path, 10)
    (card._bin / "e2label").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(subprocess.CalledProcessError):
        card.start()
    (card._bin / "e2label").write_text(
        f"#!/bin/sh\n/sbin/e2label '{card.disk}?offset={8 * GIB}' $2\n"
    )
    assert card.start() == [one for one in MADE[5:] if one != "e2label"]
    assert card.start() == ["e2fsck", "mount"]


@needs_mke2fs
def test_a_torn_superblock_costs_no_race(tmp_path: Path) -> None:
    card = Card(tmp_path, 10)
    (card.races / "race.log").write_text("lap 3\n")
    assert card.start() == MADE
    with card.disk.open("r+b") as file:
        file.seek(8 * GIB + 1024)
        file.write(bytes(1024))
    assert card.start() == ["e2fsck", "mount"]
    assert card.file("race.log") == "lap 3\n"


@needs_mke2fs
def test_what_is_played_while_the_part_cannot_be_mounted_is_not_hidden_by_it(
    tmp_path: Path,
) -> None:
    card, mark = Card(tmp_path, 10), tmp_path / "making/beside"
    assert card.start() == MADE
    mounts = (card._bin / "mount").read_text()
    (card._bin / "mount").write_text(
        mounts.replace("\nmkdir", "\n[ $1 = --bind ] || exit 32\nmkdir")
    )
    for _ in range(2):
        assert card.start() == ["e2fsck", "mount", "mount"]
        assert mark.read_text() == str(card.races)
        assert not any(card.races.iterdir()), "nothing is written below the mount"
    (tmp_path / "races-beside/race.log").write_text("lap 3\n")
    mark.unlink()
    (card._bin / "mount").write_text(mounts)
    assert card.start() == ["e2fsck", "mount", "cp"]
    (file,) = card.races.glob("beside-*/race.log")
    assert file.read_text() == "lap 3\n"
    assert not (tmp_path / "races-beside").exists()
    assert not mark.exists()
    assert card.start() == ["e2fsck", "mount"]


@pytest.mark.parametrize(("gib", "root"), [(8, 4), (9, 4), (32, 9)])
def test_a_card_without_room_for_it_keeps_its_races_beside_the_system(
    tmp_path: Path, gib: int, root: int
) -> None:
    card = Card(tmp_path, gib)
    card.flash(root)
    before = card.table()
    assert card.start() == []
    assert card.table() == before


@pytest.mark.parametrize("unit", ["apt-daily", "apt-daily-upgrade"])
def test_security_updates_come_by_themselves_and_never_while_a_race_is_on(
    tmp_path: Path, unit: str
) -> None:
    assert "unattended-upgrades" in layer()["packages"]
    dropped = (OVERLAY / f"etc/systemd/system/{unit}.service.d/race.conf").read_text()
    (command,) = re.findall(r"^ExecCondition=/bin/sh -c '(.*)'$", dropped, re.MULTILINE)
    journal = tmp_path / "journal"

    def may_come() -> bool:
        asked = command.replace("/var/lib/companion/journal", str(journal))
        return subprocess.run(["/bin/sh", "-c", asked], check=False).returncode == 0

    assert may_come()  # no table has ever been open
    journal.mkdir()
    (journal / "table.log").touch()  # a start, or the lobby
    assert may_come()
    race = journal / "000001-race.log"
    race.touch()
    assert not may_come()
    an_hour_ago, long_ago = (time.time() - hours * 3600 for hours in (1, 4))
    os.utime(race, (an_hour_ago, an_hour_ago))
    assert not may_come()
    os.utime(race, (long_ago, long_ago))
    assert may_come()


def test_where_updates_come_from_is_said_on_the_card_and_not_by_the_tables_own_user(
    card: Path,
) -> None:
    """Root installs what comes from there, and the folder of races is the service's."""
    line = 'update = {source = "https://club.example/apt", key = "AAAA"}\n'
    (card / "card/companion.toml").write_text(line)
    for asked in ("", line.replace("club", "evil"), line.replace("AAAA", "BBBB"), "no = toml ="):
        (card / "data/companion.toml").write_text(asked)
        with pytest.raises(subprocess.CalledProcessError):
            started(card, "page")
        assert (card / "card/companion.toml").read_text() == line
    (card / "data/companion.toml").write_text(f"{line}[announcer]\n")
    started(card, "page")
    assert (card / "card/companion.toml").read_text().endswith("[announcer]\n")


@pytest.mark.parametrize(
    "line",
    [
        'update = {source = "https://evil.example/apt", key = "AAAA"}\n',
        '[update]\nsource = "https://evil.example/apt"\nkey = "AAAA"\n\n',
        '["update"]\nsource = "https://evil.example/apt"\n',
        "",
    ],
)
def test_a_card_that_was_flashed_anew_takes_all_but_where_updates_come_from(
    card: Path, line: str
) -> None:
    settings = '[wired]\nlayout = "pair"\n'
    (card / "data/companion.toml").write_text(line + settings)
    started(card)
    assert (card / "card/companion.toml").read_text() == settings


@pytest.mark.parametrize("said", [b"# x\rupdate = {}\n", b"[wired\n", b"\xff\n"])
@pytest.mark.parametrize("is_new", [True, False])
def test_settings_that_cannot_be_read_reach_no_card(card: Path, said: bytes, is_new: bool) -> None:
    """A lone carriage return is none to TOML, and a line's end to who reads it as text."""
    if not is_new:
        (card / "card/companion.toml").write_bytes(b"")
    (card / "data/companion.toml").write_bytes(said)
    with pytest.raises(subprocess.CalledProcessError):
        started(card, "page")
    assert is_new != (card / "card/companion.toml").exists()
    if is_new:
        assert "companion hotspot on" in started(card), "the way in is there all the same"


def test_a_newer_package_on_the_card_is_installed_by_the_service_of_updates(card: Path) -> None:
    (card / "card/race-companion_9.9_all.deb").touch()
    told = started(card)
    assert told == ["systemctl --no-block start companion-update.service", "companion hotspot on"]
    service = (ROOT / "packaging/update/companion-update.service").read_text()
    assert "/boot/firmware/race-companion_*_all.deb" in service


def test_the_page_may_start_what_follows_its_settings() -> None:
    rules = (ROOT / "packaging/polkit.rules").read_text()
    assert "companion-settings.service" in rules
    assert OVERLAY / "etc/systemd/system/companion-settings.service" in UNITS


def test_a_stick_is_mounted_where_the_service_may_write_and_the_guide_says() -> None:
    rules = (OVERLAY / "etc/udev/rules.d/71-companion-stick.rules").read_text()
    (place,) = re.findall(r"systemd-mount .* \$devnode (\S+)\"", rules)
    drop_in = OVERLAY / "etc/systemd/system/companion.service.d/stick.conf"
    assert f"[Service]\nReadWritePaths=-{place}\n" in drop_in.read_text()
    assert f'mkdir -p "$1{place}"' in "\n".join(layer()["customize-hooks"])
    for guide in ("build.md", "build.fr.md"):
        assert f"`{place}/companion`" in (ROOT / "docs" / guide).read_text("utf-8")


def test_power_that_goes_takes_only_what_was_not_flushed(tmp_path: Path) -> None:
    """The disk that `make test-image` boots after a cut."""
    log, disk, size = tmp_path / "log", tmp_path / "disk", 8 * booted.SECTOR
    entries = [(0, b"a"), None, (8, b"b"), (16, b"c"), (16, b"d")]
    with log.open("wb") as file:
        file.write(struct.pack("<QQQI", 0, 1, len(entries), booted.SECTOR).ljust(booted.SECTOR))
        for entry in entries:
            told = (entry[0], 8, 0, 0) if entry else (0, 0, booted.FLUSH, 0)
            file.write(struct.pack("<QQQQ", *told).ljust(booted.SECTOR))
            file.write(entry[1] * size if entry else b"")
    recorded = booted.writes(log)
    assert [one[1] for one in recorded] == [size, 0, size, size, size]
    seen = set()
    for seed in range(200):
        disk.write_bytes(bytes(3 * size))
        loose, lost = booted.cut(disk, log, recorded, random.Random(seed))
        first, second, third = (disk.read_bytes()[at : at + size] for at in (0, size, 2 * size))
        assert (loose, first) == (3, b"a" * size)
        assert lost <= loose
        kept = second.rstrip(bytes(1))
        assert kept == b"b" * len(kept)
        assert len(kept) % booted.SECTOR == 0
        seen.add((len(kept) in (0, size), third[:1], third[-1:]))
    assert {True, False} == {one[0] for one in seen}
    ends = {one[1:] for one in seen}
    assert {(b"c", b"c"), (b"d", b"d"), (b"d", b"c"), (bytes(1), bytes(1))} <= ends


def test_each_disk_is_a_file_of_its_own(tmp_path: Path) -> None:
    """Whoever has the one of before mounted keeps that, and its loop device is not taken again."""
    fresh, made = tmp_path / "fresh", tmp_path / "try"
    fresh.write_bytes(b"new")
    made.write_bytes(b"old")
    with made.open("rb") as held:
        assert booted.copy(fresh, made).read_bytes() == b"new"
        assert held.read() == b"old"


def test_no_release_goes_out_without_updates_that_break_or_lose_their_power() -> None:
    stage = (ROOT / "tests/image/stage.sh").read_text()
    assert {"updates", "emulated"} <= set(re.findall(r'booted\.py" (\w+)', stage))
    assert re.search(r"^release:.* test-image ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_every_unit_that_the_image_enables_is_there() -> None:
    (enabled,) = re.findall(r"systemctl enable (.*)", "\n".join(layer()["customize-hooks"]))
    ours = {unit.stem for unit in UNITS} | {unit.stem for unit in (ROOT / "systemd").iterdir()}
    assert {"companion", "companion-first-start", "companion-television"} <= set(enabled.split())
    assert set(enabled.split()) - ours == {"seatd"}  # of a package of that name
    assert "seatd" in layer()["packages"]


@in_one("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_of_the_image_is_one_that_can_be_run(script: Path) -> None:
    assert script.suffix or os.access(script, os.X_OK)
    if script in (FIRST_START, RACES_PARTITION):
        assert script.read_text().startswith("#!/usr/bin/python3\n")
        compile(script.read_text(), script.name, "exec")
        return
    assert script.read_text().startswith("#!/bin/sh\n")
    assert "set -eu\n" in script.read_text()
    subprocess.run(["sh", "-n", script], check=True)


def test_every_script_that_a_unit_starts_is_there() -> None:
    started = re.findall(
        r"^Exec\w+=\+?(/usr/lib/race-companion/\S+)",
        "\n".join(unit.read_text() for unit in UNITS),
        re.MULTILINE,
    )
    there = {f"/{one.relative_to(OVERLAY)}" for one in SCRIPTS if OVERLAY in one.parents}
    assert set(started) == there


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is missing")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_understands_every_line_of_a_unit_of_the_image(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    told = [line for line in done.stderr.splitlines() if unit.name in line]
    missing = ("is not executable", "not found", "Failed to add dependency")
    assert [line for line in told if not any(word in line for word in missing)] == []


def test_the_recipe_names_a_layer_that_is_here() -> None:
    config = yaml.safe_load((IMAGE / "config/race-companion.yaml").read_text())
    about = (IMAGE / "layer/race-companion.yaml").read_text()
    assert f"# X-Env-Layer-Name: {config['layer'][-1]}\n" in about
    (needs,) = re.findall(r"^# X-Env-Layer-Requires: (.*)$", about, re.MULTILINE)
    assert set(needs.split(",")) - {"device-user-admin"} <= set(config["layer"])


ENTRY = {
    "type": "object",
    "required": ["name", "description", "icon", "url", "extract_size", "extract_sha256",
                 "image_download_size", "release_date"],
    "properties": {
        "url": {"type": "string"},
        "icon": {"type": "string"},
        "name": {"type": "string"},
        "description": {"type": "string"},
        "extract_size": {"type": "integer"},
        "extract_sha256": {"type": "string"},
        "release_date": {"type": "string"},
        "image_download_size": {"type": "integer"},
    },
}  # fmt: skip
OS_LIST = {
    "type": "object",
    "required": ["os_list"],
    "properties": {"os_list": {"type": "array", "items": ENTRY}},
    "additionalProperties": False,
}
"""What doc/json-schema/os-list-schema.json of raspberrypi/rpi-imager asks of a list of images."""


def test_raspberry_pi_imager_can_read_the_list_that_a_release_makes(tmp_path: Path) -> None:
    import jsonschema  # here, as no other test of a worker needs it

    content = bytes(1 << 20) + b"a root"
    for layer in DEVICES:
        (tmp_path / f"race-companion-{layer}.img.xz").write_bytes(lzma.compress(content))
    images = sorted(tmp_path.iterdir())
    told: Any = release.os_list(images, "https://table.example/files/", 1_764_000_000)
    jsonschema.validate(told, OS_LIST)
    assert len(told["os_list"]) == len(DEVICES)
    first = told["os_list"][0]
    assert first["extract_size"] == len(content)
    assert first["extract_sha256"] == hashlib.sha256(content).hexdigest()
    assert first["image_download_sha256"] == hashlib.sha256(images[0].read_bytes()).hexdigest()
    assert first["url"] == f"https://table.example/files/{images[0].name}"
    assert first["release_date"] == "2025-11-24"
    del first["extract_sha256"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, OS_LIST)


def test_an_image_of_no_pi_that_imager_knows_is_refused_in_a_sentence(tmp_path: Path) -> None:
    image = tmp_path / "race-companion-zero2w.img.xz"
    image.write_bytes(lzma.compress(b"a root"))
    with pytest.raises(SystemExit, match=r"there is no layer 'zero2w', only rpi3, .*rpizero2w"):
        release.os_list([image], "https://table.example/", 0)


@pytest.mark.parametrize(
    ("guide", "heading"),
    [("build.md", "An image for the card"), ("build.fr.md", "Une image pour la carte")],
)
def test_who_has_an_image_types_no_command(guide: str, heading: str) -> None:
    text = (ROOT / "docs" / guide).read_text("utf-8")
    chapter = text.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    assert len(chapter) > 500
    assert (
        re.findall(r"^ {4}(?! *- )\S.*|`(?:sudo|make|companion) [^`]*`", chapter, re.MULTILINE)
        == []
    )
