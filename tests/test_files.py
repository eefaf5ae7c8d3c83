"""Whole files: on disk under their name, or not there at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

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
