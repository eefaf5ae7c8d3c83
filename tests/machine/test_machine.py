"""The doctor's look at the machine: what is wrong, what mends it, and what it could not look at."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.machine import findings
from companion.machine.findings import service_data
from companion.system import host


def lay(root: Path, name: str, text: str) -> Path:
    """A file of the kernel."""
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return root


def test_nothing_is_called_well_that_could_not_be_looked_at(tmp_path: Path) -> None:
    data = tmp_path / "none"
    looks = (
        findings.sync_speed(data),
        findings.damaged_files(data),
        findings.clock(tmp_path),
        findings.power(tmp_path),
        findings.heat(tmp_path),
        findings.memory(tmp_path),
    )
    assert [one.ok for one in looks] == [None] * len(looks)
    assert all("not looked at" in one.says for one in looks)
    assert not data.exists()


@pytest.mark.parametrize(
    ("word", "ok", "says"),
    [
        ("0", True, "strong enough"),
        ("50005", False, "the supply is too weak now; it is throttled now"),
        ("10000", False, "the supply was too weak since it started"),
    ],
)
def test_undervoltage_and_throttling_are_read_from_the_firmware(
    tmp_path: Path, word: str, ok: bool, says: str
) -> None:
    found = findings.power(lay(tmp_path, findings.FIRMWARE, f"{word}\n"))
    assert found.ok is ok
    assert says in found.says
    assert bool(found.mend) is not ok


@pytest.mark.parametrize(("alarm", "ok"), [("0", True), ("1", False)])
def test_undervoltage_of_a_pi_5_is_read_from_its_sensor(
    tmp_path: Path, alarm: str, ok: bool
) -> None:
    lay(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    lay(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    found = findings.power(lay(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n"))
    assert found.ok is ok
    assert ("too weak since it started" in found.says) is not ok


@pytest.mark.parametrize(("degrees", "ok"), [(48_312, True), (84_000, False)])
def test_heat_is_read_from_the_thermometer(tmp_path: Path, degrees: int, ok: bool) -> None:
    root = lay(tmp_path, "sys/class/thermal/thermal_zone0/temp", f"{degrees}\n")
    assert findings.heat(root).ok is ok


@pytest.mark.parametrize(("free_kb", "ok"), [(400_000, True), (20_000, False)])
def test_little_memory_is_wrong(tmp_path: Path, free_kb: int, ok: bool) -> None:
    root = lay(tmp_path, "proc/meminfo", f"MemTotal: 1 kB\nMemAvailable:  {free_kb} kB\n")
    assert findings.memory(root).ok is ok


def test_a_clock_that_was_set_by_the_network_is_well_and_one_of_1970_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings.clock(lay(tmp_path, "run/systemd/timesync/synchronized", "")).ok is True
    monkeypatch.setattr(time, "time", lambda: 3600.0)
    assert findings.clock(tmp_path).ok is False


def test_a_slow_disk_and_one_that_fails_are_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings.sync_speed(tmp_path).ok is True
    assert list(tmp_path.iterdir()) == []
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    assert findings.sync_speed(tmp_path).ok is False

    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", fail)
    found = findings.sync_speed(tmp_path)
    assert (found.ok, found.says) == (False, f"{tmp_path} fails: Input/output error")
    assert list(tmp_path.iterdir()) == []


PLACES: dict[str, tuple[Any, str]] = {
    "open": (os, "open"),
    "sync": (os, "fdatasync"),
    "clean-up": (Path, "unlink"),
    "read": (Path, "read_bytes"),
}


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS])
@pytest.mark.parametrize("where", PLACES)
def test_a_card_that_dies_or_has_become_read_only_is_said_first_and_is_to_be_mended(
    where: str,
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay(tmp_path, "journal/000001-race.log", "")
    home, name = PLACES[where]
    works = getattr(home, name)

    def fail(what: Any, *more: Any, **options: Any) -> Any:
        # A sync and the clean-up fail by whatever name, the others for one file alone.
        if where in ("sync", "clean-up") or str(what).endswith((".doctor", "race.log")):
            raise OSError(number, os.strerror(number))
        return works(what, *more, **options)

    with monkeypatch.context() as patched:
        patched.setattr(home, name, fail)
        if where == "clean-up":
            patched.setattr(os, "fdatasync", fail)
        assert main(["doctor", "--data", str(tmp_path)]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("WRONG journal" if where == "read" else "WRONG disk sync")
    assert os.strerror(number) in first


def test_a_disk_that_is_nearly_full_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "MB free" in findings.disk_room(tmp_path).says
    monkeypatch.setattr(findings, "LEAST_FREE", 1 << 60)
    assert findings.disk_room(tmp_path).ok is False


def test_races_that_are_written_beside_their_part_of_the_card_are_the_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert findings.own_part(tmp_path).ok
    mark = tmp_path / "mark"
    monkeypatch.setattr(host, "BESIDE", mark)
    mark.write_text("/var/lib/another")
    assert findings.own_part(tmp_path).ok, "it is said of another folder"
    mark.write_text(str(tmp_path))
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("WRONG races: written beside the system")


def test_damaged_files_that_a_start_has_kept_are_told(tmp_path: Path) -> None:
    (tmp_path / "journal").mkdir()
    assert findings.damaged_files(tmp_path).ok is True
    lay(tmp_path, "damaged/000001-race-1.log", "")
    assert findings.damaged_files(tmp_path).ok is False


# -- which folder the service uses ---------------------------------------------------------------


@pytest.mark.parametrize("words", ["--data /var/lib/x --host 0.0.0.0", "--data=/var/lib/x"])
@pytest.mark.parametrize("place", ["etc/systemd/system", "usr/lib/systemd/system"])
def test_the_folder_of_the_service_is_read_from_its_unit(
    tmp_path: Path, place: str, words: str
) -> None:
    unit = f"[Service]\nExecStart=/opt/companion race {words}\n"
    assert service_data(lay(tmp_path, f"{place}/companion.service", unit)) == Path("/var/lib/x")


def test_a_drop_in_of_the_host_counts_more_than_the_unit(tmp_path: Path) -> None:
    lay(tmp_path, "lib/systemd/system/companion.service", "ExecStart=companion race --data /a\n")
    drop_in = "[Service]\nExecStart=\nExecStart=companion race --data /b\n"
    root = lay(tmp_path, "etc/systemd/system/companion.service.d/override.conf", drop_in)
    assert service_data(root) == Path("/b")


def test_without_a_service_there_is_no_folder_of_it(tmp_path: Path) -> None:
    assert service_data(tmp_path) is None


def test_what_the_latest_update_came_to_is_told_where_there_can_be_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    said = lay(tmp_path, "run/companion-update/said", "2.0 is installed, 1.0 was there before\n")
    assert findings.updates(data, tmp_path).says == findings.NO_UPDATES
    lay(tmp_path, "etc/companion.toml", 'update = {source = "https://x/apt", key = "AAAA"}\n')
    assert findings.updates(data, said).says == "2.0 is installed, 1.0 was there before"
    (tmp_path / "run/companion-update/said").unlink()
    assert findings.updates(data, tmp_path).says == "the source has not been asked yet"
    lay(tmp_path, "etc/companion.toml", "not toml")
    assert not findings.has_updates(data, tmp_path)
    lay(tmp_path, "boot/firmware/race-companion_9.9_all.deb", "")
    assert findings.has_updates(data, tmp_path)
