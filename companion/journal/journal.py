"""The journal of a running table: a log a race, append only, each in two files.

The table acknowledges an answer when `append` returns, so a commit has to be durable and cheap,
and a disk that has lost or changed something must be caught at it. A row of chained lines
(`log.py`) gives both, and what it holds is read with an editor. One thread writes, in one process
a folder: two tables on one journal would each believe to be the only one.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from logging import getLogger
from pathlib import Path

from companion.journal.log import (
    DAMAGED,
    FORMAT,
    Copy,
    Entry,
    Log,
    LogFile,
    Mended,
    Report,
    copy_fails,
    damage_of,
    digest,
    format_of,
    in_words,
    mended,
    parse,
    set_aside,
    walk,
    was_taken_away,
)
from companion.system import host
from companion.system.frozen import dataclass
from companion.table.ports import JSON, Line, LoggedRace, StorageError

# SQLite in its write-ahead form, which this was at first, is durable and cheap, but does not
# notice what a disk has lost: at the first frame whose sum does not fit it ends the log without a
# word, and nothing can be saved out of a page that is damaged. Measured in random order on one
# ext4 disk, 500 times each: a bare append and fsync 158 µs, a commit of SQLite 213 (1.35 ×), of
# this 188 (1.19 ×).

NEWEST = 24
"""Races that are read at start-up; those before them lie in `older`."""
OLDER = "older"
RESUME = "resume"
"""The file of what the latest race has come to, beside the journal's folder."""
OPEN = 2
"""Races of which file and lines are held: the one that is played, and one that was looked into."""
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NAME = re.compile(r"[\w.-]{1,80}")
_FILE = re.compile(r"(?:(\d{6})-)?([\w.-]{1,80})\.log")


class Journal(host.Closing):
    """The `JournalPort` in files of our own.

    A log is a file in the journal's folder, and the same again in the folder of the second copy,
    which is written after the first one is on disk and synced by a thread of its own. A race's file
    has a number before its name, by which the newest is known. All is read when the journal is
    opened (`log.py`): what the first file has lost comes out of the second; what is missing in
    both is reported. Only the newest races are there to be read: all others lie in the folder
    `older`, and come back when somebody asks for them.

    Args:
        folder: where the logs are; made if it is not there.
        copy: the folder of the second copy.
        stick: one more folder of the same files, which is only read.
        report: is given all that the disk has lost, and what could be mended.
        now: seconds since 1970 as the computer believes them.

    Raises:
        StorageError: it was written by a newer companion, or the folder cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        copy: Path,
        report: Report = lambda trouble: None,
        *,
        stick: Path | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self._report = report
        self._now = now
        self._stick = stick
        self._kept = folder.parent / RESUME
        # Now: another version may be installed while this one runs.
        self._program = host.program_of("rules", "race", "table")
        self._newest: tuple[str, Mended] | None = None
        self._logs: dict[str, Log] = {}
        self._races: dict[str, LoggedRace] = {}
        self._files: dict[str, Path] = {}
        self._is_closed = False
        with in_words(folder):
            for one in (folder, copy, folder / OLDER):
                if one.exists() and not one.is_dir():
                    set_aside(one, folder.parent)
                    one.unlink(missing_ok=True)
            host.make_folder(folder)
            self._copy = Copy(copy, report)
            try:
                self._look()
            except BaseException:
                self.close()
                raise

    def append(self, race: str, *lines: Line) -> int:
        """Write lines to the log of this race in one commit; return the number of the last.

        On return they are on disk, with one sync. Numbers count from 1 in each log.

        Raises:
            StorageError: nothing was written (disk full, file gone).
        """
        texts = [_text(line).encode() for line in lines]
        with in_words(self.folder):
            log = self._logs.get(race) or self._opened(race, is_race="record" in lines[0])
            added = log.append(texts, int(self._now()))
        self._copy.append(log, added)
        if race in self._races or "record" in lines[0]:
            first = self._races[race].header if race in self._races else lines[0]
            self._races[race] = _logged(race, first, lines[-1])
        return len(log.entries)

    def lines(self, race: str) -> list[JSON]:
        """All lines of a race, oldest first; none for a race that is not known."""
        with in_words(self.folder):
            if race not in self._logs and not self._is_known(race):
                return []
            texts = b",".join(entry.text for entry in self._opened(race).entries)
            lines: list[JSON] = json.loads(b"[%s]" % texts)
            return lines

    def keep(self, race: str, lines: int, make: Callable[[], bytes]) -> None:
        """Keep, at leisure, what a race has come to after so many lines; of one race, the last."""
        with suppress(LookupError):  # its file is not open: it was not played just now
            at = self._logs[race].entries[lines - 1].sum.decode()
            self._copy.later = partial(self._write_kept, f"{race} {lines} {at}", make)

    def _write_kept(self, at: str, make: Callable[[], bytes]) -> None:
        try:
            content = make()
            first = f"{self._program} {at}".encode()
            host.write_whole(self._kept, b"%s %s\n%s" % (first, digest(first + content), content))
        except Exception:  # the log has it all, and a start is but slower
            getLogger(__name__).exception("what a race has come to is not kept")

    def kept(self, race: str) -> tuple[int, bytes] | None:
        """What was kept of a race, and after how many of its lines; None: nothing that is whole, of
        this very program, and of these very lines."""
        with suppress(OSError, ValueError, LookupError):
            line, _, content = self._kept.read_bytes().partition(b"\n")
            first, _, total = line.rpartition(b" ")
            program, name, lines, at = first.decode().split(" ")
            entry = self._logs[race].entries[int(lines) - 1]
            is_sound = total == digest(first + content) and at == entry.sum.decode()
            if is_sound and (program, name) == (self._program, race):
                return int(lines), content
        return None

    def races(self, *, older: bool = False) -> list[LoggedRace]:
        """The logs that open with a record's header, newest first; else those in `older`."""
        if not older:
            return [self._races[name] for name in sorted(self._races, key=self._age)]
        with in_words(self.folder):
            found = {p.name for one in self._folders for p in _logs_in(one / OLDER)}
            return [race for name in sorted(found, reverse=True) if (race := self._older(name))]

    def close(self) -> None:
        """Let go of all files. May be called twice."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()
        self._copy.close()
        self._is_closed = True

    # -- what is there -------------------------------------------------------------------------

    def _look(self) -> None:
        """Read all logs but the oldest races, which are put aside."""
        third = _logs_in(self._stick) if self._stick and not _logs_in(self.folder) else []
        names = {path.name for path in _logs_in(self.folder)}
        try:
            names |= {path.name for path in _logs_in(self._copy.folder)}
        except OSError as error:
            self._report(copy_fails(self._copy.folder, error))
        names |= {path.name for path in third}  # a new disk, and the stick of the old one
        races = sorted(name for name in names if _number(name))
        for name in races[:-NEWEST]:
            with suppress(OSError):  # then it is moved at another start
                self._move(name, Path(), Path(OLDER))
        for name in sorted(names - set(races[:-NEWEST])):
            log = _log_of(name)
            self._files[log] = self.folder / name
            found = self._mend(log)
            if "record" in found.first:
                last: JSON = json.loads(found.entries[-1].text)
                # Read but not opened: most races are asked for nothing more than this.
                self._races[log], self._newest = _logged(log, found.first, last), (log, found)
            elif found.entries:
                self._logs[log] = Log(self._files[log], log, found.entries, self._taken_away)
            else:
                del self._files[log]

    def _older(self, name: str) -> LoggedRace | None:
        """A race in `older` by the first and the last line of a file; None: neither can be read."""
        for folder in self._folders:
            with suppress(OSError):  # it is told when somebody asks for this race
                if race := _at_a_glance(folder / OLDER / name):
                    return race
        return None

    def _mend(self, log: str) -> Mended:
        path = self._files[log]
        copy, is_race = self._copy.folder / path.name, _number(path.name) > 0
        third = self._stick / path.name if self._stick else None
        found = mended(path, copy, log, is_race=is_race, third=third)
        if trouble := damage_of(found, log):
            self._report(trouble)
        return found

    @property
    def _folders(self) -> tuple[Path, Path]:
        return self.folder, self._copy.folder

    def _move(self, name: str, source: Path, target: Path, new_name: str = "") -> None:
        """Move both files of a log from one folder below ours to another."""
        for folder in self._folders:
            if (folder / source / name).exists():
                host.make_folder(folder / target)
                (folder / source / name).replace(folder / target / (new_name or name))

    def _is_known(self, race: str) -> bool:
        """Whether there is such a log; one in `older` comes back as the newest."""
        if race in self._files:
            return True
        for folder in self._folders:
            for path in _logs_in(folder / OLDER):
                if _log_of(path.name) == race:
                    fresh = self._new_name(race)
                    self._move(path.name, Path(OLDER), Path(), fresh)
                    self._files[race] = self.folder / fresh
                    return True
        return False

    def _opened(self, race: str, *, is_race: bool = False) -> Log:
        """The log of this name, to be added to."""
        if self._is_closed:
            raise StorageError(f"the journal {self.folder} is closed")
        if race in self._logs:
            return self._logs[race]
        if not _NAME.fullmatch(race):
            raise StorageError(f"the journal has no room for a race called {race!r}")
        entries: Sequence[Entry] = ()
        if self._is_known(race):
            is_read = self._newest is not None and self._newest[0] == race
            found = self._newest[1] if self._newest and is_read else self._mend(race)
            entries, self._newest = found.entries, None
        else:
            name = self._new_name(race) if is_race else f"{race}.log"
            self._files[race] = self.folder / name
        log = self._logs[race] = Log(self._files[race], race, entries, self._taken_away)
        self._let_go()
        return log

    def _let_go(self) -> None:
        """Close the logs of races that are long over; who asks for one again has it read again."""
        races = [name for name in self._logs if _number(self._files[name].name)]
        for name in races[:-OPEN]:
            self._logs.pop(name).close()
            self._copy.let_go(self._files[name].name)

    def _new_name(self, race: str) -> str:
        numbers = (_number(path.name) for path in self._files.values())
        return f"{max(numbers, default=0) + 1:06d}-{race}.log"

    def _age(self, race: str) -> int:
        return -_number(self._files[race].name)

    def _taken_away(self, path: Path) -> None:
        self._report(was_taken_away(path))


def _logged(race: str, first: JSON, last: JSON) -> LoggedRace:
    return LoggedRace(race, first.get("name", race), first, "result" in last)


def _logs_in(folder: Path) -> list[Path]:
    """The files of logs in a folder, the highest number first."""
    with suppress(FileNotFoundError):
        # Only a missing folder is an empty one; any other error must not pass for that.
        found = (path for path in folder.iterdir() if _FILE.fullmatch(path.name))
        return sorted(found, reverse=True)
    return []


def _log_of(name: str) -> str:
    parts = _FILE.fullmatch(name)
    assert parts, "it is the name of a log's file"
    return parts[2]


def _number(name: str) -> int:
    """The number of a race's file; 0 of other logs."""
    parts = _FILE.fullmatch(name)
    return int(parts[1] or 0) if parts else 0


def _at_a_glance(path: Path) -> LoggedRace | None:
    """A race by the first and the last line of its file; None: that cannot be read."""
    content = path.read_bytes().rstrip(b"\0")
    ends = (content.split(b"\n", 2)[1:2], content.rsplit(b"\n", 2)[-2:-1])
    first, last = (parse(line[0]) if line else None for line in ends)
    if first is None or last is None:
        return None
    return _logged(_log_of(path.name), json.loads(first.text), json.loads(last.text))


# -- of a folder of data --------------------------------------------------------------------------

FOLDER, COPY = "journal", "copy"


def open_journal(data: Path, report: Report, stick: Path | None = None) -> Journal:
    """The journal of a folder of data, which a `FolderLock` holds.

    Args:
        stick: the folder on a stick that has followed it.

    Raises:
        StorageError: it was written by a newer companion, or the disk does not serve.
    """
    refuse_newer(data)
    third = stick / COPY if stick else None
    return Journal(data / FOLDER, data / COPY, report, stick=third)


@dataclass(frozen=True, slots=True)
class Found:
    """A log as it lies in a folder of data, and was not touched.

    `name` is the race's, as far as that can be read; `lines` can be gone on from, the last of them
    at `last_at`; `missing` more were there. `files` are all that there is of it, each with why it
    cannot be read.
    """

    log: str
    name: str
    lines: int
    missing: int
    last_at: str
    files: Mapping[Path, str]

    @property
    def is_whole(self) -> bool:
        """Whether, as far as can be seen, nothing of it is lost."""
        return self.lines > 0 and not self.missing


def survey(data: Path) -> list[Found]:
    """All logs of a folder of data, and each file that was put aside as damaged; only read."""
    places: dict[str, list[Path]] = {}
    for folder in (FOLDER, COPY, f"{FOLDER}/{OLDER}", f"{COPY}/{OLDER}"):
        for path in _lying_in(data / folder):
            places.setdefault(path.name, []).append(path)
    for path in data.glob(f"{DAMAGED}*/*"):
        places[f"{path.parent.name}/{path.name}"] = [path]
    return [_found(places[name]) for name in sorted(places, reverse=True)]


def _lying_in(folder: Path) -> list[Path]:
    """The logs of a folder; itself, where that cannot be read."""
    try:
        return _logs_in(folder)
    except OSError:
        return [folder]


def _found(paths: Sequence[Path]) -> Found:
    known = _FILE.fullmatch(paths[0].name)
    log = known[2] if known else paths[0].name
    if DAMAGED in paths[0].parent.name:
        log = log.rpartition("-")[0]
    files = [LogFile(path, log) for path in paths]
    row = walk(log, *(one.reading for one in files))
    first: JSON = json.loads(row[0].text) if row else {}
    missing = max(one.reading.reach for one in files) - len(row)
    last_at = row[-1].clock if row else ""
    whys = {one.path: str(one.error.strerror) if one.error else "" for one in files}
    return Found(log, str(first.get("name", log)), len(row), missing, last_at, whys)


OLD = "journal.db"
"""The journal of version 0.1.0, which was never published: a database."""


def refuse_old(folder: Path) -> None:
    """See that a folder is none of version 0.1.0, before anything is written into it.

    Raises:
        StorageError: it is.
    """
    if (folder / OLD).exists():
        raise StorageError(
            f"the journal {folder / OLD} is of version 0.1.0, which is no longer read; nothing was "
            "changed: name another folder"
        )


HEAD_BYTES = 200


def refuse_newer(folder: Path) -> None:
    """See that no log of a folder was written by a newer companion, before any is mended.

    Raises:
        StorageError: one was; the message has the number of its format.
    """
    for path in (*folder.glob(f"{FOLDER}/*.log"), *folder.glob(f"{COPY}/*.log")):
        with suppress(OSError), path.open("rb") as file:  # whoever reads it says so
            if (found := format_of(file.readline(HEAD_BYTES).rstrip(b"\n")) or 0) > FORMAT:
                raise StorageError(
                    f"the journal {path} was written by a newer companion (format {found}, this "
                    f"one knows {FORMAT}); nothing was changed: update the companion"
                )


BACKUPS = "backups"
"""The folder in that of the data where backups go, if no other is named."""
BEFORE, RESTORED = "before-restore", ".restored"
"""Where the data lies that was there before a restore; where that of the backup waits, whole."""
SUMS, TO = "sums.json", "before.txt"
"""In the latter: all names that the backup has, and where the data of before goes."""


def finish_restoring(data: Path) -> None:
    """Put the data of a backup in its place, and what is there aside; the plug may end it anywhere.

    A name that waits no more is in its place already: all other ones there are of before.

    Raises:
        OSError: the disk does not serve.
    """
    waits = data / RESTORED
    if (waits / TO).exists() and (waits / SUMS).exists():  # else all is in its place already
        names = {name.partition("/")[0] for name in json.loads((waits / SUMS).read_bytes())}
        _exchange(data, waits, data / (waits / TO).read_text(), names)
        os.sync()
    shutil.rmtree(waits, ignore_errors=True)
    host.sync_folder(data)


def _exchange(data: Path, waits: Path, before: Path, names: Collection[str]) -> None:
    stay = ("lock", BACKUPS, RESTORED, SUMS, TO)
    for path in data.iterdir():
        is_of_before = path.name not in names or (waits / path.name).exists()
        if is_of_before and not path.name.startswith((*stay, BEFORE, ".restoring-")):
            host.make_folder(before)
            path.replace(before / path.name)
    for path in waits.iterdir():
        if path.name not in (SUMS, TO):
            path.replace(data / path.name)


BESIDE = "beside-"
"""What a folder of races begins with that was played while the races' own could not be had."""


def bring_in(data: Path) -> None:
    """Let the races of such folders wait with the others, each as the newest; their records too.

    A folder that cannot be read stays, and is tried again.
    """
    log = getLogger(__name__)
    for folder in sorted(data.glob(f"{BESIDE}*")):
        aside = data / f"{BEFORE}-{folder.name}"
        try:
            _bring_races(folder, data)
            folder.replace(aside)
        except OSError as error:
            log.warning("races of %s are not with the others yet: %s", folder, error)
            continue
        if (aside / "league" / "league.db").exists():
            log.warning("what the league was told meanwhile stays in %s", aside)


def _bring_races(folder: Path, data: Path) -> None:
    found = [path for sub in (Path(), Path(OLDER)) for path in _logs_in(folder / FOLDER / sub)]
    for path in sorted(found):
        there = [p for one in (Path(), Path(OLDER)) for p in _logs_in(data / FOLDER / one)]
        if _number(path.name) and _log_of(path.name) not in {_log_of(p.name) for p in there}:
            number = max((_number(one.name) for one in there), default=0) + 1
            _lay_beside(path, data / FOLDER / f"{number:06d}-{_log_of(path.name)}.log")
    for path in folder.glob("records/*"):
        _lay_beside(path, data / "records" / path.name)


def _lay_beside(path: Path, target: Path) -> None:
    if not target.exists():
        host.make_folder(target.parent)
        host.write_whole(target, path.read_bytes())


class FolderLock(host.Closing):
    """Holds a folder until closed; the system lets go of it however the process ends.

    It is the folder itself that is held: a file in it might be somebody else's, or none. What root
    has made in a folder of somebody else is that one's in the end.

    Raises:
        StorageError: the folder cannot be made or written, another process holds it (`in-use`), or
            version 0.1.0 wrote it.
    """

    def __init__(self, folder: Path) -> None:
        self._file, self._folder = -1, folder
        refuse_old(folder)
        try:
            host.make_folder(folder)
            host.hand_all_over(folder)
            self._file = os.open(folder, os.O_RDONLY)
            self._hold()
            if (folder / RESTORED).exists():
                finish_restoring(folder)
            bring_in(folder)
        except BlockingIOError:
            self.close()
            message = f"{folder} is in use by another companion: close it first"
            raise StorageError(message, "in-use") from None
        except (OSError, ValueError) as error:
            self.close()
            raise StorageError(f"{folder} cannot be used: {error}") from error

    def _hold(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
            os.close(self._file)  # NFS holds what can be written, and nothing else
            self._file = os.open(self._folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def close(self) -> None:
        """Let go. May be called twice."""
        if self._file >= 0:
            host.hand_all_over(self._folder)
            os.close(self._file)
            self._file = -1
