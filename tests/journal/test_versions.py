"""Folders of data of older versions of the companion, as their own programs have left them.

`tests/corpus/journals/` has a folder a file, packed. Version 0.1.0 was never published: its journal
is no longer read, its records are.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from support.tables.journals import Data, evening, numbers
from support.tables.process import Companion

from companion.app.table import read_pin, renew_pin
from companion.journal.journal import FolderLock
from companion.race.record import read_record, replay
from companion.table.ports import StorageError

CORPUS = sorted((Path(__file__).parents[1] / "corpus" / "journals").glob("*.tar.xz"))


@pytest.fixture(params=CORPUS, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of version 0.1.0."""
    folder = tmp_path / "data"
    with tarfile.open(request.param) as tar:
        # Debian 12's Python has no filters, later ones want one named.
        tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """All that is in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_there_is_a_corpus_of_every_version() -> None:
    assert [path.name.partition("-")[0] for path in CORPUS] == ["0.1.0", "0.1.0"]


@pytest.mark.parametrize("opening", [FolderLock, read_pin, renew_pin])
def test_a_folder_of_0_1_0_is_refused_and_nothing_in_it_is_changed(
    old: Path, opening: type[FolderLock]
) -> None:
    before = content(old)
    with pytest.raises(StorageError, match=r"of version 0\.1\.0, which is no longer read"):
        opening(old)
    assert content(old) == before


@pytest.mark.slow
def test_a_table_on_a_folder_of_0_1_0_does_not_start_and_leaves_it_as_it_is(old: Path) -> None:
    before = content(old)
    with pytest.raises(AssertionError, match=r"of version 0\.1\.0, .* name another folder"):
        Companion(old)
    assert content(old) == before


def test_a_record_of_0_1_0_replays(old: Path) -> None:
    (record,) = (old / "records").iterdir()
    lines = read_record(record)
    state = replay(lines).state()
    assert state is not None
    assert state["classification"] == lines[-1]["result"]


def test_a_journal_of_the_format_before_is_taken_over_line_by_line_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Data(tmp_path / "data")
    with monkeypatch.context() as before:
        before.setattr("companion.journal.log.FORMAT", 2)
        killed = evening(data, 20)
    assert killed.file("race").read_bytes().startswith(b"companion journal 2 race ")
    with killed.opened() as journal:
        assert numbers(journal.lines("race")) == list(range(20))
    assert killed.told == []
    for log in ("race", "table"):  # a program that knows no more than 2 refuses these
        for file in killed.files(log):
            assert file.read_bytes().startswith(b"companion journal 3 ")
    data.close()
