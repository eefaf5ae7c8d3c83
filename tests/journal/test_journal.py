"""The journal keeps what it acknowledged, and says clearly when it cannot."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

import pytest
from support.tables.journals import Data, evening, header, numbers

from companion.journal.journal import NEWEST, OLDER, FolderLock, Journal, open_journal
from companion.journal.log import FORMAT, ROOM
from companion.system import host
from companion.table.ports import StorageError


def test_lines_come_back_in_the_order_in_which_they_were_written(data: Data) -> None:
    journal = data.opened()
    assert [journal.append("a", {"n": n, "word": "Noghès"}) for n in range(5)] == [1, 2, 3, 4, 5]
    assert numbers(journal.lines("a")) == [0, 1, 2, 3, 4]
    assert journal.lines("a")[0]["word"] == "Noghès"


def test_several_lines_of_one_commit_are_numbered_in_a_row(data: Data) -> None:
    journal = data.opened()
    journal.append("a", {"n": 0})
    assert journal.append("a", {"n": 1}, {"n": 2}) == 3


def test_a_race_that_nobody_began_has_no_lines(data: Data) -> None:
    assert data.opened().lines("nobody") == []


def test_several_races_stay_apart_over_a_restart(data: Data) -> None:
    with data.opened() as journal:
        journal.append("table", {"boot": 1})
        for race in ("a", "b"):
            journal.append(race, header(race))
        journal.append("a", {"seat": 1, "gear": 1})
        journal.append("b", {"result": []})
    journal = data.opened()
    assert [(race.id, race.is_finished) for race in journal.races()] == [("b", True), ("a", False)]
    assert journal.races()[0].name == "Race b"
    assert journal.lines("a")[1:] == [{"seat": 1, "gear": 1}]
    assert journal.append("a", {"seat": 1, "roll": 2}) == 3
    assert data.told == []


def test_only_its_owner_reads_the_journal(data: Data) -> None:
    data.opened().append("access", {"pin": "12345678"})
    for file in (*data.folder.rglob("*"),):
        wanted = 0o700 if file.is_dir() else 0o600
        assert stat.S_IMODE(file.stat().st_mode) == wanted, file


def test_files_copied_at_any_moment_open_with_all_that_was_written(data: Data) -> None:
    journal = data.opened()
    for n in range(1, 30):
        journal.append("a", {"n": n})
        copied = data.killed()
        assert len(copied.opened().lines("a")) == n
        assert copied.told == []
        copied.close()


def test_a_file_has_room_before_the_answers_come_and_gives_it_back_when_it_is_closed(
    data: Data,
) -> None:
    with data.opened() as journal:
        journal.append("a", {"n": 0})
        first = data.file("a").stat().st_size
        for n in range(1, 100):
            journal.append("a", {"n": n})
        assert data.file("a").stat().st_size == first > ROOM
    assert data.file("a").stat().st_size == data.file("a", "copy").stat().st_size < ROOM


def test_a_log_longer_than_its_room_goes_on_growing(data: Data) -> None:
    journal = data.opened()
    for n in range(40):
        journal.append("a", {"n": n, "text": "x" * 4000})
    assert data.file("a").stat().st_size > 2 * ROOM
    assert numbers(data.killed().opened().lines("a")) == list(range(40))


def with_memory(data: Data, lines: int = 5, at: int = 3) -> Path:
    """A journal that was closed with what a race had come to after so many lines; its file."""
    with data.opened() as journal:
        journal.append("a", header("a"))
        for n in range(1, lines):
            journal.append("a", {"n": n})
        journal.keep("a", at, lambda: b"a memory\n")
    return data.folder / "resume"


def remembered(data: Data, race: str = "a") -> tuple[int, bytes] | None:
    with data.opened() as journal:
        journal.lines(race)
        return journal.kept(race)


def test_what_a_race_has_come_to_is_kept_beside_the_journal(data: Data) -> None:
    with_memory(data)
    assert remembered(data) == (3, b"a memory\n")
    with data.opened() as journal:
        journal.append("b", header("b"))
    assert remembered(data, "b") is None
    assert data.told == []


def test_of_a_race_whose_file_was_let_go_nothing_is_kept(data: Data) -> None:
    with data.opened() as journal:
        for race in "abcd":
            journal.append(race, header(race))
        journal.keep("a", 1, lambda: b"a memory")
        journal.keep("d", 2, lambda: b"of a line that is not there")
    assert not (data.folder / "resume").exists()


def test_what_was_kept_is_believed_only_whole(data: Data) -> None:
    file = with_memory(data)
    content = file.read_bytes()
    for place in range(len(content)):
        file.write_bytes(content[:place])
        assert remembered(data) is None
        file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        assert remembered(data) is None
    file.unlink()
    file.mkdir()
    assert remembered(data) is None


def test_what_was_kept_is_believed_of_these_very_lines_only(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same lines are those of the same second.
    monkeypatch.setitem(Journal.__init__.__kwdefaults__, "now", lambda: 1_700_000_000.0)
    file = with_memory(data)
    kept, log = file.read_bytes(), data.file("a").read_bytes()
    for folder in ("journal", "copy"):  # the disk has lost what it said it had
        data.file("a", folder).write_bytes(b"".join(log.splitlines(True)[:3]))
    assert remembered(data) is None
    for path in data.files("a"):
        path.unlink()
    with_memory(data, lines=6, at=4)
    file.write_bytes(kept)
    assert remembered(data) == (3, b"a memory\n"), "the same lines once more"
    for path in data.files("a"):
        path.unlink()
    with data.opened() as journal:
        journal.append("a", header("a"))
        journal.append("a", {"n": 7}, {"n": 8}, {"n": 9})
    assert remembered(data) is None


def test_nothing_is_believed_that_another_program_has_kept(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(data)
    assert host.program_of("rules", "race") == host.program_of("rules", "race")
    monkeypatch.setattr(host.sys, "version", "4.0.0")
    assert remembered(data) is None


def test_what_is_installed_while_a_table_runs_believes_nothing_that_it_keeps_later(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_memory(data)
    with data.opened() as journal:
        monkeypatch.setattr(host.sys, "version", "4.0.0")
        journal.append("a", {"n": 5})
        journal.keep("a", 6, lambda: b"a later memory\n")
    assert remembered(data) is None


def test_a_disk_that_does_not_keep_it_or_a_fault_in_making_it_stops_nothing(data: Data) -> None:
    (data.folder / "resume.new").mkdir()
    with_memory(data)
    with data.opened() as journal:
        journal.append("a", {"n": 5})
        journal.keep("a", 6, lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    assert remembered(data) is None
    assert len(data.opened().lines("a")) == 6
    assert data.told == []


def test_closing_twice_is_no_fault_and_a_closed_journal_says_so(data: Data) -> None:
    journal = data.opened()
    journal.close()
    journal.close()
    with pytest.raises(StorageError, match="is closed"):
        journal.append("a", {})


def test_a_name_that_is_no_file_name_is_refused(data: Data) -> None:
    with pytest.raises(StorageError, match="no room for a race called"):
        data.opened().append("../access", {"n": 1})


def test_a_journal_of_a_newer_companion_is_refused_in_a_sentence(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    with data.opened() as journal:
        monkeypatch.setattr("companion.journal.log.FORMAT", FORMAT + 1)
        journal.append("a", {"n": 1})
    before = data.file("a").read_bytes()
    monkeypatch.undo()
    with pytest.raises(StorageError, match=r"journal .* newer companion .* update the companion"):
        data.opened()
    assert data.file("a").read_bytes() == before


def test_a_file_in_the_place_of_a_folder_is_put_aside_and_the_other_one_has_all(
    data: Data,
) -> None:
    killed = evening(data, 9)
    for folder in ("journal", "copy"):
        (killed.folder / folder).rename(killed.folder / "kept")
        (killed.folder / folder).write_text("no folder")
        assert numbers(killed.opened().lines("race")) == list(range(9))
        assert (killed.folder / "damaged" / f"{folder}-1").read_text() == "no folder"
        shutil.rmtree(killed.folder / "kept")


# -- a disk that fails under a running table ---------------------------------------------------


class Disk:
    """Lets writes or syncs fail as a disk does: `fails` is the error, None for a sound one."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.fails: int | None = None
        self.at = {"fdatasync"}
        for call in ("pwrite", "fdatasync", "fsync"):
            patch.setattr(os, call, self.failing(call, getattr(os, call)))

    def failing(self, call: str, real: object) -> object:
        def act(*words: object) -> object:
            if self.fails is not None and call in self.at:
                if call == "pwrite":  # half of it is there before the disk is full
                    real(words[0], words[1][: len(words[1]) // 2], words[2])  # type: ignore
                raise OSError(self.fails, os.strerror(self.fails))
            return real(*words)  # type: ignore[operator]

        return act


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.mark.faults("the disk: full, or failing at a write or a sync")
@pytest.mark.parametrize("at", ["pwrite", "fdatasync"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_what_the_disk_refused_is_not_there_and_the_next_line_goes_on(
    data: Data, disk: Disk, at: str, error: int
) -> None:
    journal = data.opened()
    journal.append("a", {"n": 1})
    disk.fails, disk.at = error, {at, "fsync"}
    for _ in range(3):
        with pytest.raises(StorageError, match="disk"):
            journal.append("a", {"n": 99, "text": "x" * ROOM})
        assert journal.lines("a") == [{"n": 1}]
    disk.fails = None
    assert data.killed().opened().lines("a") == [{"n": 1}]
    assert journal.append("a", {"n": 2}) == 2
    killed = data.killed()
    assert numbers(killed.opened().lines("a")) == [1, 2]
    assert killed.told == []


def test_a_full_disk_is_called_full(data: Data, disk: Disk) -> None:
    journal = data.opened()
    disk.fails, disk.at = errno.ENOSPC, {"pwrite"}
    journal.append("a", {"n": 1})  # the first line of a log is a file of its own
    with pytest.raises(StorageError, match="disk is full") as told:
        journal.append("a", {"n": 2, "text": "x" * ROOM})
    assert told.value.key == "disk-full"


def test_on_a_disk_without_room_for_room_the_answers_still_fit(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = data.opened()
    journal.append("a", {"n": 0})
    real = os.pwrite

    def small(file: int, content: bytes, place: int) -> int:
        if len(content) >= ROOM:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(file, content, place)

    monkeypatch.setattr(os, "pwrite", small)
    for n in range(1, 40):
        journal.append("a", {"n": n, "text": "x" * 4000})
    assert numbers(data.killed().opened().lines("a")) == list(range(40))


# -- taken away under a running table ----------------------------------------------------------


@pytest.mark.faults("the journal: taken away, cut or replaced under a running table")
@pytest.mark.parametrize("folders", [("journal",), ("journal", "copy")])
@pytest.mark.parametrize("act", [Path.unlink, lambda path: os.truncate(path, 100)])
def test_a_file_that_is_taken_away_is_written_anew_with_the_next_answer(
    data: Data, folders: tuple[str, ...], act: object
) -> None:
    journal = data.opened()
    for n in range(5):
        journal.append("a", {"n": n})
    for folder in folders:
        act(data.file("a", folder))  # type: ignore[operator]
    journal.append("a", {"n": 5})
    assert data.keys == ["taken-away"]
    assert "journal" in str(data.told[0])
    assert numbers(data.killed().opened().lines("a")) == list(range(6))


@pytest.mark.faults("the journal: taken away, cut or replaced under a running table")
def test_a_whole_folder_of_data_that_is_taken_away_comes_back_with_the_open_logs(
    data: Data,
) -> None:
    with data.opened() as journal:
        journal.append("access", {"pin": "1"})
        journal.append("a", header("a"))
    journal = data.opened()
    journal.lines("a")
    for folder in ("journal", "copy"):
        (data.folder / folder).rename(data.folder / f"{folder}-away")
    journal.append("a", {"n": 1})
    journal.append("access", {"pin": "2"})
    found = data.killed().opened()
    assert numbers(found.lines("a")) == [1]
    assert [line["pin"] for line in found.lines("access")] == ["1", "2"]


def test_where_it_cannot_be_written_anew_the_answer_is_refused(data: Data, disk: Disk) -> None:
    journal = data.opened()
    journal.append("a", {"n": 0})
    data.file("a").unlink()
    disk.fails, disk.at = errno.EIO, {"fsync"}
    with pytest.raises(StorageError, match="journal"):
        journal.append("a", {"n": 1})
    disk.fails = None
    journal.append("a", {"n": 1})
    assert data.keys == ["taken-away"]
    assert numbers(data.killed().opened().lines("a")) == [0, 1]


def test_a_second_copy_that_cannot_be_written_is_told_once_and_tried_again(data: Data) -> None:
    journal = data.opened()
    journal.append("a", {"n": 0})
    data.file("a", "copy").unlink()
    copy = data.folder / "copy"
    copy.rename(data.folder / "away")
    copy.write_text("in the way")
    for n in (1, 2):
        journal.append("a", {"n": n})
    assert data.keys == ["copy-fails"]
    copy.unlink()
    journal.append("a", {"n": 3})
    data.file("a").unlink()
    assert numbers(data.killed().opened().lines("a")) == [0, 1, 2, 3]


# -- many races --------------------------------------------------------------------------------


def test_only_the_newest_races_are_read_at_a_start_and_an_older_one_comes_back(data: Data) -> None:
    count = NEWEST + 6
    with data.opened() as journal:
        for n in range(count):
            journal.append(f"race{n}", header(f"race{n}"))
            journal.append(f"race{n}", {"n": n})
    journal = data.opened()
    newest = [f"race{n}" for n in reversed(range(count))]
    assert [race.id for race in journal.races()] == newest[:NEWEST]
    assert [race.id for race in journal.races(older=True)] == newest[NEWEST:]
    assert len(list((data.folder / "journal" / OLDER).iterdir())) == 6
    assert numbers(journal.lines("race2")) == [2]
    journal.append("race2", {"n": 3})
    journal.close()
    journal = data.opened()
    assert journal.races()[0].id == "race2"
    assert numbers(journal.lines("race2")) == [2, 3]
    assert data.told == []


def held(data: Data) -> list[str]:
    """The files of races that this process has open in the journal and its copy."""
    home = Path("/proc/self/fd")
    links = [os.readlink(one) for one in home.iterdir() if one.is_symlink()]
    return sorted(Path(link).name for link in links if link.startswith(f"{data.folder}/"))


def test_a_season_at_one_table_holds_no_more_files_than_an_evening(data: Data) -> None:
    journal = data.opened()
    journal.append("table", {"boot": 1})
    counts = []
    for n in range(8):
        journal.append(f"r{n}", header(f"r{n}"))
        journal.append(f"r{n}", {"seat": 1, "gear": n})
        counts.append(len(held(data)))
    assert counts[2:] == [counts[1]] * 6
    assert journal.append("r0", {"seat": 1, "roll": 2}) == 3
    assert journal.lines("r0")[1:] == [{"seat": 1, "gear": 0}, {"seat": 1, "roll": 2}]
    assert len(held(data)) <= counts[1]
    journal.close()
    again = data.opened()
    assert [len(again.lines(f"r{n}")) for n in range(8)] == [3] + [2] * 7
    assert data.told == []


def test_the_second_copy_of_a_race_that_is_let_go_is_whole(data: Data) -> None:
    journal = data.opened()
    for n in range(4):
        journal.append(f"r{n}", header(f"r{n}"))
        journal.append(f"r{n}", {"seat": 1, "gear": n})
    journal.close()
    for file in (data.folder / "journal").glob("*-r0.log"):
        file.unlink()
    assert data.opened().lines("r0")[1:] == [{"seat": 1, "gear": 0}]


def test_races_that_were_played_beside_their_part_of_the_card_wait_with_the_others(
    data: Data, tmp_path: Path
) -> None:
    """Their part could not be mounted; both have keys, of which ours stand."""
    for folder, races in ((data.folder, "ab"), (data.folder / "beside-1", "cd")):
        with open_journal(folder, lambda trouble: None) as journal:
            journal.append("access", {"pin": races})
            for race in races:
                journal.append(race, header(race))
                journal.append(race, {"n": 1})
    (data.folder / "beside-1/records").mkdir()
    (data.folder / "beside-1/records/d.json").write_text("{}")
    for _ in range(2):
        with FolderLock(data.folder), data.opened() as journal:
            assert [race.id for race in journal.races()] == ["d", "c", "b", "a"]
            assert numbers(journal.lines("c")[1:]) == [1]
            assert journal.lines("access") == [{"pin": "ab"}]
    assert data.told == []
    assert (data.folder / "records/d.json").read_text() == "{}"
    assert (data.folder / "before-restore-beside-1/journal").is_dir(), "the rest is kept"


def test_one_folder_beside_that_cannot_be_read_keeps_no_other_out_and_is_told(
    data: Data, caplog: pytest.LogCaptureFixture
) -> None:
    with open_journal(data.folder / "beside-2", lambda trouble: None) as journal:
        journal.append("c", header("c"))
    (data.folder / "beside-1/journal").mkdir(parents=True)
    (data.folder / "beside-1/journal/000001-a.log").mkdir()
    (data.folder / "beside-2/league").mkdir()
    (data.folder / "beside-2/league/league.db").touch()
    with FolderLock(data.folder), data.opened() as journal:
        assert [race.id for race in journal.races()] == ["c"]
    assert (data.folder / "beside-1").is_dir()
    assert "beside-1 are not with the others yet" in caplog.text
    assert "what the league was told meanwhile stays in" in caplog.text
