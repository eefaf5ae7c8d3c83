"""The journal of the acts: JSON Lines, append only, one sync for what is done at once.

Every line has its number as `n`, so that a line that was lost or put in between is seen. A
last line without its line end was never acknowledged (the plug was pulled while it was
written) and is cut off by the next one. Writers of several processes take turns by a lock on
a file of its own.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.files import sync_folder, write_whole
from companion.league.acts import Done, format_act, parse_act
from companion.league.errors import BrokenFile
from companion.league.people import People
from companion.league.plain import Line
from companion.league.retelling import names_in, retold

OWN_KEYS = ("n", "at", "by")
"""What a line has besides its act."""


class ReadTo(NamedTuple):
    """How far a journal was read: so many acts, in so many bytes, which come to this digest.

    The digest is a chain, each line's made of the one before: to go on costs the new lines alone.
    """

    acts: int
    size: int
    chain: str


EMPTY = ReadTo(0, 0, "-")


def parse_done(line: Line, people: People) -> Done:
    """The act in a line, with the names of its people.

    Raises:
        BadAct: it is none that this program knows.
    """
    own = {key: value for key, value in line.items() if key not in OWN_KEYS}
    act = retold(parse_act(people.shown_in(own)), people.presented, people.told)
    n = line["n"]
    assert isinstance(n, int)  # the journal has seen to it
    return Done(n, act, str(line.get("at", "")), people.told(str(line.get("by", ""))))


def format_done(done: Done, people: People) -> Line:
    """The line that says it, with keys instead of names; these are written down before it is."""
    act = retold(done.act, people.mark, people.scrubbed)
    by = people.mark(done.by) if people.is_known(done.by) else done.by
    people.keep([*names_in(done.act), *([done.by] if by != done.by else [])])
    return {"n": done.n, **format_act(act), "at": done.at, "by": by}


class Busy(Exception):
    """Somebody else is changing the league now."""


def _lock(lock: int, *, wait: bool) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Busy from error


def _gone_on(read: ReadTo, lines: Sequence[bytes]) -> ReadTo:
    acts, size, chain = read
    for line in lines:
        chain = hashlib.sha256(chain.encode() + line).hexdigest()
        size += len(line) + 1
    return ReadTo(acts + len(lines), size, chain)


class ActJournal:
    """`acts.jsonl` in a folder that is made when the first act comes."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "acts.jsonl"

    @property
    def file(self) -> Path:
        """Where it is."""
        return self._file

    def read(self) -> list[Line]:
        """All acts.

        Raises:
            BrokenFile: it cannot be read; or a line is no act or not in its place, which is named.
        """
        return self.since(EMPTY)[0]

    def since(self, read: ReadTo) -> tuple[list[Line], ReadTo]:
        """The acts behind those that were read, and how far it is read then.

        Raises:
            BrokenFile: as `read`.
        """
        content = self._content(read.size)
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        acts = [self._parse(number, line) for number, line in enumerate(lines, read.acts + 1)]
        return acts, _gone_on(read, lines)

    def begins_with(self, read: ReadTo) -> bool:
        """Whether what was read of it still stands there; all of that is looked at."""
        content = self._content(0, read.size)
        return len(content) == read.size and _gone_on(EMPTY, content.splitlines()) == read

    def looks(self) -> str:
        """What changes with every change of the file, and is known without opening it."""
        try:
            status = self._file.stat()
        except OSError:
            return ""
        return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"

    def append(self, *acts: Line, after: ReadTo | None = None) -> ReadTo:
        """Add lines; on disk when this returns. How far it is read then.

        Args:
            after: what stands there, where the caller has read it; behind it is only what the
                plug cut short.

        Raises:
            BrokenFile: it could not be written; what was there is as it was.
        """
        after = after or self.since(EMPTY)[1]
        lines = [json.dumps(act, ensure_ascii=False).encode() for act in acts]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("r+b" if self._file.exists() else "xb") as file:
                file.truncate(after.size)
                file.seek(after.size)
                try:
                    file.write(b"".join(line + b"\n" for line in lines))
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(after.size)  # else it would be an act that nobody heard of
                    raise
            if not after.size:
                sync_folder(self._file.parent)
        except OSError as error:
            raise BrokenFile(f"{self._file} cannot be written: {error.strerror}") from error
        return _gone_on(after, lines)

    def replace(self, acts: Iterable[Line]) -> None:
        """Write all of it anew, where a name has to go out of it; the caller holds `held`.

        Raises:
            BrokenFile: it could not be written; it is as it was.
        """
        text = "".join(json.dumps(act, ensure_ascii=False) + "\n" for act in acts)
        try:
            write_whole(self._file, text.encode())
        except OSError as error:
            raise BrokenFile(f"{self._file} cannot be written: {error.strerror}") from error

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """Only one process at a time changes the league of a folder.

        Raises:
            Busy: another one does, and this one does not `wait`.
            BrokenFile: the folder cannot be written.
        """
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._file.with_name("lock"), os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise BrokenFile(f"{self._file.parent}: {error.strerror}") from error
        try:
            _lock(lock, wait=wait)
            yield
        finally:
            os.close(lock)

    def _content(self, first: int = 0, last: int | None = None) -> bytes:
        try:
            with self._file.open("rb") as file:
                file.seek(first)
                return file.read() if last is None else file.read(last - first)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise BrokenFile(f"{self._file} cannot be read: {error.strerror}") from error

    def _parse(self, number: int, line: bytes) -> Line:
        try:
            act = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BrokenFile(f"{self._file} line {number} is no JSON: {error}") from error
        if not isinstance(act, dict) or act.get("n") != number:
            raise BrokenFile(f"{self._file} line {number} is no act with number {number}")
        return act
