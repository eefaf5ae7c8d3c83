"""A log: lines that carry their number and a sum chained to the one before, and their file.

    companion journal 3 LOG SUM
    NUMBER LEFT TIME BEFORE SUM TEXT

`NUMBER` counts the lines of the log from 1, `LEFT` the lines that still belong to the same
commit, `TIME` is what the computer took for the time (seconds since 1970; nothing relies on
it), `BEFORE` is the sum of the line before (of the log's name for the first), `SUM` that of
everything else in this line, `TEXT` a line of the table in JSON.

So a line is known for sound by itself, whatever stands around it; that a line is missing shows
in the next one's number, and that one was put in or comes from another log in `BEFORE`. What
was written behind a damage can still be read and counted. A file may end with zeros, which are
room that was made for lines to come.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock
from typing import NamedTuple

from companion.system.frozen import dataclass
from companion.system.host import Closing, Lasting, hand_over, make_folder, sync_folder, write_whole
from companion.table.ports import ACCESS_LOG, JSON, TABLE_LOG, StorageError, Trouble

# -- the form of a line ---------------------------------------------------------------------------

FORMAT = 3
"""1 was a database of SQLite. 2 has the same lines: its programs take a file that they cannot read
for an empty one, and must not open a folder that later ones write."""
SUM_BYTES = 8
SHORTEST_TORN = 20
"""Bytes of a line that nobody finished writing."""
_HEAD = re.compile(rb"(companion journal (\d{1,9}) [^\n ]*) ([0-9a-f]{16})")
_NUMBERED = re.compile(rb"([1-9]\d{0,9}) ")
_ENTRY = re.compile(
    rb"(([1-9]\d{0,9}) (\d{1,4}) (\d{1,12}) ([0-9a-f]{16})) ([0-9a-f]{16}) (.*)", re.DOTALL
)


class Entry(NamedTuple):
    """A sound line; `text` is its JSON, `raw` the whole of it with its line end."""

    number: int
    left: int
    time: int
    before: bytes
    sum: bytes
    text: bytes
    raw: bytes

    @property
    def clock(self) -> str:
        """Its time, as a clock on the wall shows it."""
        return time.strftime("%H:%M", time.localtime(self.time))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file of a log has.

    `entries` are all sound lines in the order of the file; `format` is that of its head, None
    where that cannot be read. `size` is where the first fault stands, or the room for lines to
    come; `is_whole`: there is no fault. `reach` is the number that the log once came to, as far
    as can be seen; `is_torn`: its last line has no end.
    """

    entries: tuple[Entry, ...] = ()
    format: int | None = None
    size: int = 0
    is_whole: bool = False
    reach: int = 0
    is_torn: bool = False


def head(log: str) -> bytes:
    """The first line of a log's file."""
    first = b"companion journal %d %s" % (FORMAT, log.encode())
    return b"%s %s\n" % (first, _sum(first, b""))


def _seed(log: str) -> bytes:
    """What the first line of a log is chained to."""
    return digest(log.encode())


def _chained(texts: Sequence[bytes], number: int, before: bytes, time: int) -> list[Entry]:
    """The lines of one commit.

    Args:
        number: of the first of them.
        before: the sum of the line before it.
    """
    entries: list[Entry] = []
    for place, text in enumerate(texts):
        count, left = number + place, len(texts) - place - 1
        first = b"%d %d %d %s" % (count, left, time, before)
        total = _sum(first, text)
        raw = b"%s %s %s\n" % (first, total, text)
        entries.append(Entry(count, left, time, before, total, text, raw))
        before = total
    return entries


def rechained(log: str, entries: Iterable[Entry]) -> list[Entry]:
    """These lines as a log of their own, numbered anew; each keeps its time."""
    made: list[Entry] = []
    for entry in entries:
        before = made[-1].sum if made else _seed(log)
        made += _chained([entry.text], len(made) + 1, before, entry.time)
    return made


def format_of(first: bytes) -> int | None:
    """The format that the first line of a file names; None: it is no sound head."""
    known = _HEAD.fullmatch(first)
    return int(known[2]) if known and _sum(known[1], b"") == known[3] else None


def read(content: bytes, log: str) -> Reading:
    """What the content of a log's file has; nothing is too broken to be read."""
    first, _, rest = content.partition(b"\n")
    known = format_of(first)
    # A head that has run into the line behind it must not take that line along.
    *lines, last = (rest if known else content).split(b"\n")
    entries: list[Entry] = []
    size, is_whole, before = len(first) + 1, known is not None, _seed(log)
    unread: list[bytes] = []  # since the last sound line
    for line in lines:
        entry = parse(line.lstrip(b"\0"))
        if entry is None:
            is_whole = False
            unread.append(line)
            continue
        is_whole = is_whole and entry.number == len(entries) + 1 and entry.before == before
        size += len(entry.raw) if is_whole else 0
        before, unread = entry.sum, []
        entries.append(entry)
    torn = last.strip(b"\0")
    # Only its line end is missing; its sum says that the rest is whole.
    if entry := parse(torn):
        entries.append(entry)
        unread = []
    elif len(torn) >= SHORTEST_TORN:
        unread.append(torn)  # less is a flipped bit in the room for lines to come
    reach = _reach(entries[-1].number if entries else 0, unread)
    return Reading(tuple(entries), known, size, is_whole and not torn, reach, bool(torn))


def _reach(last: int, unread: Sequence[bytes]) -> int:
    """How far the lines that cannot be read went, by their numbers where they still have any."""
    guesses = [last + 1] if unread else [last]
    for line in unread:
        parts = _NUMBERED.match(line.lstrip(b"\0"))
        # A damaged number may say anything: believed only as far as there are lines for it.
        guesses += [int(parts[1])] if parts and last < int(parts[1]) <= last + len(unread) else []
    return max(guesses)


def parse(line: bytes) -> Entry | None:
    """A line without its end; None: it is not sound."""
    parts = _ENTRY.fullmatch(line)
    if parts is None:
        return None
    first, number, left, time, before, total, text = parts.groups()
    if _sum(first, text) != total:
        return None
    return Entry(int(number), int(left), int(time), before, total, text, line + b"\n")


def walk(log: str, *readings: Reading) -> list[Entry]:
    """The longest unbroken row from the first line on, out of all readings; the first one wins.

    A commit of which a part is missing has not happened.
    """
    pool = {(one.number, one.before): one for read in reversed(readings) for one in read.entries}
    row: list[Entry] = []
    before = _seed(log)
    while (entry := pool.get((len(row) + 1, before))) is not None:
        row.append(entry)
        before = entry.sum
    while row and row[-1].left:
        row.pop()
    return row


def digest(content: bytes) -> bytes:
    """The sum of something."""
    return blake2b(content, digest_size=SUM_BYTES).hexdigest().encode()


def _sum(first: bytes, text: bytes) -> bytes:
    return digest(first + b" " + text)


# -- the file -------------------------------------------------------------------------------------

ROOM = 64 << 10  # some 300 answers
FULL = (errno.ENOSPC, errno.EDQUOT)


class Log(Closing):
    """A log that can be added to: every commit is one write and one sync, behind what is there.

    A file is lengthened by `ROOM` zeros with the commit that fills it. The commits after it
    overwrite blocks that the file already has, and the file system need not sync a new length with
    them. All lines of an open log are in memory. Where the file is not what was left there (taken
    away, cut, a sync that failed, after which nobody knows what is on the disk) the next commit
    writes it anew, whole.

    Args:
        path: its file, which has exactly `entries`, or is not there and there are none.
        taken_away: is told once that the file was not in its place any more.
    """

    def __init__(
        self, path: Path, name: str, entries: Sequence[Entry], taken_away: Callable[[Path], None]
    ) -> None:
        self.path = path
        self.name = name
        self.entries = list(entries)
        self._taken_away = taken_away
        self._file = -1
        self._is_doubtful = False
        self._length = self._end = len(self.content) if entries else 0
        self._place: tuple[int, int] | None = None
        if entries:
            self._open()

    @property
    def content(self) -> bytes:
        """What the file has, but for the room behind it."""
        return head(self.name) + b"".join(entry.raw for entry in self.entries)

    def append(self, texts: Sequence[bytes], time: int) -> bytes:
        """Add lines in one commit; on return they are on disk. What was added to the file.

        Raises:
            OSError: nothing was added.
        """
        before = self.entries[-1].sum if self.entries else _seed(self.name)
        added = _chained(texts, len(self.entries) + 1, before, time)
        data = b"".join(entry.raw for entry in added)
        if not self.entries:
            data = head(self.name) + data
        if self._is_in_place():
            self._add(data)
        else:
            self._write_anew(data)
        self.entries += added
        return data

    def close(self) -> None:
        """Give the room back and let go of the file. May be called twice."""
        if self._file >= 0:
            try:
                if self._is_in_place():
                    os.ftruncate(self._file, self._end)
            except OSError:
                pass  # the zeros stay, and mean nothing
            finally:
                os.close(self._file)
                self._file = -1

    def _is_in_place(self) -> bool:
        """Whether the file that is open still stands under its name, and is as long as it was."""
        if self._file < 0 or self._is_doubtful:
            return False
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if found and (found.st_dev, found.st_ino) == self._place and found.st_size == self._length:
            return True
        self._is_doubtful = True
        self._taken_away(self.path)
        return False

    def _add(self, data: bytes) -> None:
        end = self._end + len(data)
        try:
            if end > self._length:
                self._lengthen(data)
            else:
                _write_all(self._file, data, self._end)
            os.fdatasync(self._file)
        except OSError as error:
            self._undo(error)
            raise
        self._end = end

    def _lengthen(self, data: bytes) -> None:
        """Write behind the end, with room if the disk has it."""
        length = self._end + len(data)
        try:
            _write_all(self._file, data + bytes(ROOM), self._end)
            self._length = length + ROOM
        except OSError as error:
            # Without the room behind them the lines may still fit.
            if error.errno not in FULL:
                raise
            _write_all(self._file, data, self._end)
            # The first try may have put some of its zeros there.
            self._length = max(length, os.fstat(self._file).st_size)

    def _undo(self, error: OSError) -> None:
        """A line that nobody was told of must not come to light at the next start."""
        # After any other failure nobody knows what is on the disk.
        self._is_doubtful = error.errno not in FULL
        try:
            os.ftruncate(self._file, self._end)
            self._length = self._end
        except OSError:
            self._is_doubtful = True

    def _write_anew(self, data: bytes) -> None:
        content = (self.content if self.entries else b"") + data
        try:
            write_whole(self.path, content + bytes(ROOM))
        except OSError as error:
            if error.errno not in FULL:
                raise
            write_whole(self.path, content)
        self._end = len(content)
        self._open()

    def _open(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = os.open(self.path, os.O_RDWR)
        found = os.fstat(self._file)
        self._place = (found.st_dev, found.st_ino)
        self._length = found.st_size
        self._is_doubtful = False


def _write_all(file: int, data: bytes, place: int) -> None:
    while data:
        done = os.pwrite(file, data, place)
        data, place = data[done:], place + done


# -- the second copy ------------------------------------------------------------------------------

# A line is written to the copy once it is on disk in the journal, so that a copy never has what was
# not accepted, and costs a write and no sync. A thread syncs what was written when the table has
# been quiet for a moment, which at a table of people is every turn, and after `LONGEST_S` at the
# latest. A copy that fails is reported once and tried again with the next line; the table goes on.


QUIET_S = 1.5
LONGEST_S = 10.0


def _nothing() -> None:
    pass


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
        self.later: Callable[[], None] = _nothing
        """What may wait until the table has been quiet; done once."""
        self._thread = Lasting("journal copy", self._keep_synced, self._closed.is_set)

    def append(self, log: Log, added: bytes) -> None:
        """Write what was added to this log; from the table's thread."""
        name = log.path.name
        with self._guard:
            try:
                self._write(name, log, added)
                self._is_in_trouble = False
            except OSError as error:
                # The next line opens it anew, and finds out how much of this one got through.
                self._drop(name)
                if not self._is_in_trouble:
                    self._is_in_trouble = True
                    self._report(copy_fails(self.folder, error))
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
        # Wakes the thread, which may be waiting for the next line.
        self._written.set()
        if self._thread.is_alive():
            self._thread.join()
        self._sync()
        self._do_later()
        with self._guard:
            for name in list(self._files):
                self._drop(name)

    def _write(self, name: str, log: Log, added: bytes) -> None:
        file = self._files.get(name)
        # An open file does not notice that somebody has deleted it.
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
        hand_over(path)
        # The log has these lines already; the copy gets them from the caller.
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
            self._do_later()

    def _do_later(self) -> None:
        later, self.later = self.later, _nothing
        later()

    def _sync(self) -> None:
        with self._guard:
            # Synced outside the lock, which the table needs for its next line. A duplicate stays
            # good if the file is let go of meanwhile.
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
    was told that it was accepted. `was_there`: it had a file; `why` one of them could not be read.
    Where there is no line to go on from, `seen` are those that can still be read.
    """

    entries: Sequence[Entry]
    missing: int = 0
    healed: int = 0
    kept: Path | None = None
    is_torn: bool = False
    was_there: bool = True
    why: str = ""
    seen: Sequence[Entry] = ()

    @property
    def first(self) -> JSON:
        """The first line; an empty one if there is none."""
        line: JSON = json.loads(self.entries[0].text) if self.entries else {}
        return line


class LogFile:
    """A file of a log as it is found: what it has, or why it cannot be read."""

    def __init__(self, path: Path, log: str) -> None:
        self.path, self.content = path, b""
        self.error: OSError | None = None
        try:
            self.content = path.read_bytes()
        except FileNotFoundError:
            pass
        except OSError as error:
            self.error = error
        self.exists = bool(self.content or self.error) or path.exists()
        self._log = log

    @cached_property
    def reading(self) -> Reading:
        """What it has; nothing, where it cannot be read."""
        return read(self.content, self._log)

    def has(self, row: Sequence[Entry]) -> bool:
        """Whether it has exactly these lines, in whichever format."""
        return self.reading.is_whole and len(self.reading.entries) == len(row) > 0


def mended(path: Path, copy: Path, log: str, *, is_race: bool, third: Path | None = None) -> Mended:
    """Read a log, and leave both of its files whole.

    A file that cannot be read is not an empty one: it is kept, and never written over. Where a race
    has nothing else nothing of it is touched.

    Args:
        third: one more file of it, which is only read.

    Raises:
        OSError: the disk does not serve; or no file of a log that a table needs may be read.
    """
    main, second = LogFile(path, log), LogFile(copy, log)
    found = main.reading
    # The ordinary start: both files sound and alike, and the second need not be parsed.
    is_laid = found.is_whole and found.format == FORMAT and not _is_cut(found)
    if is_laid and second.content == main.content[: found.size]:
        return Mended(found.entries)
    readings = [found, second.reading, *([LogFile(third, log).reading] if third else ())]
    row = walk(log, *readings)
    if not is_race:
        # A race is replayed answer by answer and ends at its first hole; other logs can go on.
        row = _over_holes(log, row, *readings)
    error = main.error or second.error
    if error and not row and is_race:
        return Mended((), why=str(error.strerror), kept=(main if main.error else second).path)
    if isinstance(error, PermissionError) and not row:
        raise error
    kept = _lay_anew(log, row, main, second)
    # How far the copy of another journal went says nothing about this one.
    reach = max(found.reach, 0 if _contradicts(second.reading, row) else second.reading.reach)
    missing, has = max(0, reach - len(row)), {one.sum for one in found.entries}
    return Mended(
        row,
        missing,
        healed=sum(one.sum not in has for one in row),
        kept=kept,
        is_torn=missing > 0 and _is_cut(found),
        was_there=main.exists or second.exists,
        why=str(error.strerror) if error else "",
        seen=() if row else [one for reading in readings for one in reading.entries],
    )


def _lay_anew(log: str, row: Sequence[Entry], main: LogFile, second: LogFile) -> Path | None:
    """Let both files have this row; where a damaged one lies now."""
    kept = None
    if not main.has(row):
        kept = _keep(main.path) if main.exists else None
    if not main.has(row) or main.reading.format != FORMAT:
        _lay(main.path, log, row)
    with suppress(OSError):  # the journal goes on without a copy, and says so with its next line
        # It knows more or other things than the row: evidence, which must not be written over.
        has_more = second.reading.reach > len(row) or _contradicts(second.reading, row)
        if second.exists and (second.error or has_more or not row):
            aside = _keep(second.path)
            kept = kept or (aside if second.error or not row else None)
        _lay(second.path, log, row)
    return kept


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


def _keep(path: Path) -> Path:
    """Keep a damaged file under a name of its own; it stays in its place as well where it can."""
    return set_aside(path, path.parent.parent)


def set_aside(path: Path, data: Path) -> Path:
    """Give what lies in the way in a folder of data a name among the damaged files.

    Raises:
        OSError: it cannot be done.
    """
    folder, count = data / DAMAGED, 1
    while folder.exists() and not folder.is_dir():  # even this may lie in the way
        count += 1
        folder = data / f"{DAMAGED}-{count}"
    make_folder(folder)
    count = 1
    while os.path.lexists(kept := folder / f"{path.stem}-{count}{path.suffix}"):
        count += 1
    try:
        # Until the sound file is written over it, it must not be missing in its place.
        os.link(path, kept)
    except OSError:  # a folder, a file of somebody else, a disk without links
        os.replace(path, kept)
    sync_folder(folder)
    return kept


# -- what people are told -------------------------------------------------------------------------


# A message is for stderr and always has the word journal; key and arguments are what the page and
# the screens translate (`views/words/refusals.toml`).

Report = Callable[[Trouble], None]
"""Is given what is wrong with a disk."""


def damage_of(found: Mended, log: str) -> Trouble | None:
    """What has to be said of a log as it was found; None: it was whole, or is none."""
    lies = f"; the damaged file is kept as {found.kept}" if found.kept else ""
    if not found.entries:
        return _lost(found, log, lies) if found.was_there else None
    race, at = str(found.first.get("name", log)), found.entries[-1].clock
    args = {"n": found.missing, "time": at, "race": race}
    if log in OF_TABLE and (found.missing or found.why):
        key, what = OF_TABLE[log][1:]
        return Trouble(key, f"the journal {what} was damaged: {_lines(found.missing)}{lies}", args)
    if found.is_torn or (found.why and not found.missing):
        why = f": a file of it cannot be read ({found.why})" if found.why else ""
        message = f"the last answer in the journal of {race}, after {at}, may be missing{why}"
        return Trouble("answer-torn", message + lies, {"race": race, "time": at})
    if found.missing:
        answers = "answer is" if found.missing == 1 else "answers are"
        message = f"{found.missing} {answers} missing after {at} in the journal of {race}"
        return Trouble("answers-missing", message + lies, args)
    if found.healed or found.kept:
        message = f"the journal of {race} was damaged: {found.healed} lines are of its second copy"
        return Trouble("answers-healed", f"{message}{lies}", {**args, "n": found.healed})
    return None


OF_TABLE = {
    ACCESS_LOG: ("keys-lost", "keys-old", "of the keys"),
    TABLE_LOG: ("table-lost", "table-gap", "of the table"),
}
"""What is said where all of a log is lost, and where a part of it is."""


def _lines(missing: int) -> str:
    return f"{missing} lines are missing" if missing else "lines may be missing"


def _lost(found: Mended, log: str, lies: str) -> Trouble:
    if log in OF_TABLE:
        key, _, what = OF_TABLE[log]
        return Trouble(key, f"the journal {what} cannot be read any more, it begins anew{lies}")
    args = {"race": log[:8]}
    if found.why:
        message = f"the journal of {log} cannot be read ({found.why}): {found.kept} stays as it is"
        return Trouble("race-unread", message, args)
    seen = f"; {len(found.seen)} lines of it can still be read there" if found.seen else ""
    return Trouble("race-lost", f"the journal of {log} cannot be read any more{lies}{seen}", args)


def was_taken_away(path: Path) -> Trouble:
    """A file that was gone, or changed from outside, under the running table."""
    message = f"the journal {path} was taken away; it is written anew from memory"
    return Trouble("taken-away", message)


def copy_fails(folder: Path, error: OSError) -> Trouble:
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
        where, why = error.filename or folder, error.strerror or error
        message = f"the disk does not serve: the journal {where} cannot be used: {why}"
        if isinstance(error, PermissionError):
            message = f"the journal {where} is not this user's to use ({why}): sudo chown it back"
        raise StorageError(message) from error


def file_date() -> str:
    """What the computer takes for the date, for the name of a file: like 20261122-210405.

    Nothing relies on it.
    """
    return time.strftime("%Y%m%d-%H%M%S")
