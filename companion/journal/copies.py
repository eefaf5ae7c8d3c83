"""The second copy of a journal, and how a damaged log is mended from it.

A line is written to the copy once it is on disk in the journal, so that a copy never has what was
not accepted, and costs a write and no sync. A thread syncs what was written when the table has
been quiet for a moment, which at a table of people is every turn, and after `LONGEST_S` at the
latest. A copy that fails is reported once and tried again with the next line; the table goes on.

At start-up the lines of both files together are one pool; the longest unbroken row of them is the
log. A race ends where its row ends, as what comes behind a hole cannot be played; in the other
logs, whose lines stand for themselves, a hole is left out. A file that was not whole is kept in
the folder `damaged` as it was found, and written anew.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread

from companion.frozen import dataclass
from companion.journal.log import FORMAT, Entry, Log, Reading, head, read, rechained, walk
from companion.system.host import Closing, make_folder, sync_folder, write_whole
from companion.table.ports import JSON, StorageError, Trouble

# -- the second copy ------------------------------------------------------------------------------

QUIET_S = 1.5
LONGEST_S = 10.0


class Copy(Closing):
    """A folder that follows a journal.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path, report: Report) -> None:
        self.folder = folder
        make_folder(folder)
        self._report = report
        self._is_in_trouble = False
        self._files: dict[str, int] = {}
        self._dirty: set[int] = set()
        self._guard = Lock()
        self._written = Event()
        self._closed = Event()
        self._thread = Thread(target=self._keep_synced, name="journal copy", daemon=True)

    def append(self, log: Log, added: bytes) -> None:
        """Write what was added to this log; from the table's thread."""
        name = log.path.name
        with self._guard:
            try:
                self._write(name, log, added)
                self._is_in_trouble = False
            except OSError as error:
                self._drop(name)
                if not self._is_in_trouble:
                    self._is_in_trouble = True
                    self._report(_copy_fails(self.folder, error))
        if not self._written.is_set():
            self._written.set()
            if not self._thread.is_alive():
                self._thread.start()

    def let_go(self, name: str) -> None:
        """Sync what was written of this log, and close its file."""
        with self._guard:
            file = self._files.get(name)
            if file in self._dirty:
                with suppress(OSError):  # a start finds what is missing here in the journal
                    os.fdatasync(file)
            self._drop(name)

    def close(self) -> None:
        """Sync what was written and let go. May be called twice."""
        self._closed.set()
        self._written.set()
        if self._thread.is_alive():
            self._thread.join()
        self._sync()
        with self._guard:
            for name in list(self._files):
                self._drop(name)

    def _write(self, name: str, log: Log, added: bytes) -> None:
        file = self._files.get(name)
        if file is None or not os.fstat(file).st_nlink:
            file = self._open(name, log, added)
        self._dirty.add(file)
        if os.write(file, added) < len(added):
            raise OSError("a line did not fit")

    def _open(self, name: str, log: Log, added: bytes) -> int:
        """The file of a log, as it was before this was added to it."""
        self._drop(name)
        make_folder(self.folder)
        path = self.folder / name
        file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        self._files[name] = file
        before = log.content[: -len(added)]
        if os.fstat(file).st_size != len(before):
            os.ftruncate(file, 0)
            os.write(file, before)
        return file

    def _drop(self, name: str) -> None:
        file = self._files.pop(name, None)
        if file is not None:
            self._dirty.discard(file)
            os.close(file)

    # -- the thread ----------------------------------------------------------------------------

    def _keep_synced(self) -> None:
        while not self._closed.is_set():
            self._written.wait()
            waited = 0.0
            while self._written.is_set() and waited < LONGEST_S:
                self._written.clear()
                if self._closed.wait(QUIET_S):
                    return
                waited += QUIET_S
            self._sync()

    def _sync(self) -> None:
        with self._guard:
            files = [os.dup(file) for file in self._dirty]
            self._dirty.clear()
        for file in files:
            with suppress(OSError):  # the next write will say so
                os.fdatasync(file)
            os.close(file)


# -- mending --------------------------------------------------------------------------------------

DAMAGED = "damaged"
"""The folder beside the journal where damaged files are kept."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A log as it was found.

    `missing` lines are lost, `healed` ones are of the second copy; `kept` is where a damaged
    file lies now. `is_torn`: what is missing was just being written, and it may be that nobody
    was told that it was accepted.
    """

    entries: Sequence[Entry]
    missing: int = 0
    healed: int = 0
    kept: Path | None = None
    is_torn: bool = False

    @property
    def first(self) -> JSON:
        """The first line; an empty one if there is none."""
        line: JSON = json.loads(self.entries[0].text) if self.entries else {}
        return line

    @property
    def last_at(self) -> str:
        """The time of its last line, as a clock on the wall shows it."""
        return time.strftime("%H:%M", time.localtime(self.entries[-1].time))


def mended(path: Path, copy: Path, log: str, *, is_race: bool, third: Path | None = None) -> Mended:
    """Read a log, and leave both of its files whole.

    Args:
        third: one more file of it, which is only read.

    Raises:
        StorageError: it was written by a newer companion, or the disk does not serve.
    """
    content, double = _content(path), _content(copy)
    main = _reading(path, content, log)
    if main.is_whole and double == content[: main.size] and not _is_cut(main):
        return Mended(main.entries)
    second = _reading(copy, double, log)
    more = [_reading(third, _content(third), log)] if third else []
    row = walk(log, main, second, *more)
    if not is_race:
        row = _over_holes(log, row, main, second, *more)
    is_other = _contradicts(second, row)
    if is_other or second.reach > len(row):
        _set_aside(copy)
    reach = max(main.reach, 0 if is_other else second.reach)
    kept = None
    if not (main.is_whole and len(main.entries) == len(row)):
        kept = _set_aside(path) if path.exists() else None
        _lay(path, log, row)
    _lay(copy, log, row)
    missing, has = max(0, reach - len(row)), {one.sum for one in main.entries}
    healed = sum(one.sum not in has for one in row)
    return Mended(row, missing, healed, kept, is_torn=missing > 0 and _is_cut(main))


def _content(path: Path) -> bytes:
    """What a file has; of a disk that cannot read it nothing, as of a file that is not there."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _reading(path: Path, content: bytes, log: str) -> Reading:
    found = read(content, log)
    if found.format is not None and found.format > FORMAT:
        raise StorageError(
            f"the journal {path} was written by a newer companion (format {found.format}, this "
            f"one knows {FORMAT}): update the companion"
        )
    return found


def _is_cut(reading: Reading) -> bool:
    """Whether its end is one commit that was not written to its end."""
    return reading.is_torn or bool(reading.entries and reading.entries[-1].left)


def _contradicts(second: Reading, row: Sequence[Entry]) -> bool:
    """Whether the copy is one of another journal, or of one that went on elsewhere."""
    return any(one.number <= len(row) and row[one.number - 1] != one for one in second.entries)


def _over_holes(log: str, row: list[Entry], *readings: Reading) -> list[Entry]:
    """A row that goes on behind each hole with the next line that is sound."""
    pool = {one.number: one for read in reversed(readings) for one in read.entries}
    behind = [pool[number] for number in sorted(pool) if number > len(row)]
    return rechained(log, [*row, *behind]) if behind else row


def _lay(path: Path, log: str, row: Sequence[Entry]) -> None:
    """Write a file of a log whole; of a log that has no line left, nothing."""
    if row:
        write_whole(path, head(log) + b"".join(entry.raw for entry in row))
    else:
        path.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path:
    """Keep a damaged file under a name of its own."""
    folder = path.parent.parent / DAMAGED
    make_folder(folder)
    count = 1
    while (kept := folder / f"{path.stem}-{count}{path.suffix}").exists():
        count += 1
    os.replace(path, kept)
    sync_folder(folder)
    return kept


# -- what people are told -------------------------------------------------------------------------


# A message is for stderr and always has the word journal; key and arguments are what the page and
# the screens translate (`views/words/refusals.py`).

Report = Callable[[Trouble], None]
"""Is given what is wrong with a disk."""


def damage_of(found: Mended, log: str) -> Trouble | None:
    """What has to be said of a log as it was found; None: it was whole."""
    kept = f"; the damaged file is kept as {found.kept}" if found.kept else ""
    race = str(found.first.get("name", log))
    if not found.entries and found.missing:
        message = f"the journal of {log} cannot be read any more{kept}"
        return Trouble("race-lost", message, {"race": log})
    if found.is_torn:
        message = f"the last answer in the journal of {race}, after {found.last_at}, may be missing"
        return Trouble("answer-torn", message + kept, {"race": race, "time": found.last_at})
    args = {"n": found.missing, "time": found.last_at, "race": race} if found.entries else {}
    if found.missing:
        lines = "answer is" if found.missing == 1 else "answers are"
        message = f"{found.missing} {lines} missing after {found.last_at} in the journal of {race}"
        return Trouble("answers-missing", message + kept, args)
    if found.healed:
        lines = "line is" if found.healed == 1 else "lines are"
        message = f"the journal of {race} was damaged: {found.healed} {lines} of its second copy"
        return Trouble("answers-healed", message + kept, {**args, "n": found.healed})
    if found.kept:
        message = f"the journal of {race} was damaged, no line is missing{kept}"
        return Trouble("answers-healed", message, {**args, "n": 0})
    return None


def was_taken_away(path: Path) -> Trouble:
    """A file that was gone, or changed from outside, under the running table."""
    message = f"the journal {path} was taken away; it is written anew from memory"
    return Trouble("taken-away", message)


def _copy_fails(folder: Path, error: OSError) -> Trouble:
    """The second copy cannot be written; the journal itself goes on."""
    message = f"the journal's second copy in {folder} cannot be written: {error.strerror or error}"
    return Trouble("copy-fails", message)


@contextmanager
def in_words(folder: Path) -> Iterator[None]:
    """Translate what the system raises into a sentence for a person."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            message = f"the disk is full: there is no room for the journal {folder}; make some"
            raise StorageError(message, "disk-full") from error
        why = error.strerror or error
        message = f"the disk does not serve: the journal {folder} cannot be used: {why}"
        raise StorageError(message) from error


def now() -> str:
    """What the computer takes for the date, for the name of a file: like 20261122-210405.

    Nothing relies on it.
    """
    return time.strftime("%Y%m%d-%H%M%S")
