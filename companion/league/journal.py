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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.files import sync_folder
from companion.league.acts import Done, format_act, parse_act
from companion.league.errors import BrokenFile
from companion.league.plain import Line

OWN_KEYS = ("n", "at", "by")
"""What a line has besides its act."""


@dataclass(frozen=True, slots=True)
class Acts:
    """The lines of a journal, as JSON and as they stand there."""

    acts: list[Line]
    lines: list[bytes]

    def digest(self, count: int) -> str:
        """The digest of the first lines, by which a store knows what it has read."""
        return hashlib.sha256(b"\n".join(self.lines[:count])).hexdigest()


def parse_done(line: Line) -> Done:
    """The act in a line.

    Raises:
        BadAct: it is none that this program knows.
    """
    act = parse_act({key: value for key, value in line.items() if key not in OWN_KEYS})
    n = line["n"]
    assert isinstance(n, int)  # the journal has seen to it
    return Done(n, act, str(line.get("at", "")), str(line.get("by", "")))


def format_done(done: Done) -> Line:
    """The line that says it."""
    return {"n": done.n, **format_act(done.act), "at": done.at, "by": done.by}


class ActJournal:
    """`acts.jsonl` in a folder that is made when the first act comes."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "acts.jsonl"

    @property
    def file(self) -> Path:
        """Where it is."""
        return self._file

    def read(self) -> Acts:
        """All acts.

        Raises:
            BrokenFile: it cannot be read; or a line is no act or not in its place, which is named.
        """
        content = self._content()
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        return Acts([self._parse(number, line) for number, line in enumerate(lines, 1)], lines)

    def size(self) -> int:
        """Bytes; what has come since shows in it, as lines are only ever added."""
        return self._file.stat().st_size if self._file.exists() else 0

    def append(self, *acts: Line) -> None:
        """Add lines; on disk when this returns. The caller holds `held`.

        Raises:
            BrokenFile: it could not be written; what was there is as it was.
        """
        content = self._content()
        whole = content.rfind(b"\n") + 1
        lines = "".join(json.dumps(act, ensure_ascii=False) + "\n" for act in acts)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("r+b" if self._file.exists() else "xb") as file:
                file.truncate(whole)
                file.seek(whole)
                try:
                    file.write(lines.encode())
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(whole)  # else it would be an act that nobody heard of
                    raise
            if not content:
                sync_folder(self._file.parent)
        except OSError as error:
            raise BrokenFile(f"{self._file} cannot be written: {error.strerror}") from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """Only one process at a time changes the league of a folder.

        Raises:
            BrokenFile: the folder cannot be written.
        """
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._file.with_name("lock"), os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise BrokenFile(f"{self._file.parent}: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _content(self) -> bytes:
        try:
            return self._file.read_bytes()
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
