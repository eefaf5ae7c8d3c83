"""Whole files: on disk under their name, or not there at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.each import in_one

from companion.journal.journal import FolderLock, Journal
from companion.league.database import FolderStorage
from companion.race.boards import TrackLibrary
from companion.race.record import write_record
from companion.system.host import write_whole

WRITERS: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: write_whole(path, b"new"),
    "a record": lambda path: write_record(path, [{"record": 1}]),
    "a board": lambda path: TrackLibrary([path.parent]).save("x.toml", "new"),
}


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is synced, by its path, and with how many bytes a file."""
    seen: list[str] = []

    def note(handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        size = "" if path.is_dir() else f" {path.stat().st_size > 0}"
        seen.append(f"{path.name}{size}")

    monkeypatch.setattr("companion.system.host.os.fsync", note)
    return seen


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_the_content_is_synced_and_then_the_folder_that_has_its_name(
    write: Callable[[Path], object], synced: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "folder" / "x.toml"
    write(path)
    # The folder is new: its own name has to last too.
    assert synced == [tmp_path.name, "x.toml.new True", "folder"]
    assert [one.name for one in path.parent.iterdir()] == ["x.toml"]


def test_what_cannot_be_synced_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    write_whole(path, b"old")

    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.system.host.os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


ROOT = Path(__file__).parents[1]
KEEPS = ("companion/journal", "companion/league", "companion/race", "companion/study/solved.py",
         "companion/study/reviews.py", "companion/table", "companion/app", "web")  # fmt: skip
OPEN_TO_ALL = re.compile(
    r"\.(?:mkdir|touch|write_bytes|write_text)\(|open\((?!.*opener=private)[^)]*\"[wax]"
)


@in_one("room", KEEPS)
def test_whatever_a_table_or_a_club_keeps_is_its_owners_alone(room: str) -> None:
    """Files 0600, folders 0700 whatever the umask: keys, and names of people."""
    found = [ROOT / room] if room.endswith(".py") else [*(ROOT / room).rglob("*.py")]
    assert found
    loose = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in found
        for line in path.read_text("utf-8").splitlines()
        if OPEN_TO_ALL.search(line) and "tarfile" not in line
    ]
    assert loose == []


def test_a_journal_and_a_leagues_files_are_shut_to_others_whatever_the_umask(
    tmp_path: Path,
) -> None:
    before = os.umask(0)
    try:
        data = tmp_path / "data"
        with FolderLock(data), Journal(data / "journal", data / "copy") as journal:
            journal.append("access", {"pin": "1"})
        FolderStorage(data).write("league/seen.json", b"{}", lasting=False)
    finally:
        os.umask(before)
    for path in data.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
