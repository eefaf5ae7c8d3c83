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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.files import sync_folder
from companion.league.errors import BrokenFile

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts, and the lines that they stand in."""

    acts: list[JSON]
    lines: list[bytes]

    def digest(self, count: int) -> str:
        """The digest of the first lines, by which a store knows what it has read."""
        return hashlib.sha256(b"\n".join(self.lines[:count])).hexdigest()


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

    def append(self, *acts: JSON) -> None:
        """Add acts; on disk when this returns. The caller holds `held`.

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
                    file.truncate(whole)  # else it would be an act that nobody was told of
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

    def _parse(self, number: int, line: bytes) -> JSON:
        try:
            act = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BrokenFile(f"{self._file} line {number} is no JSON: {error}") from error
        if not isinstance(act, dict) or act.get("n") != number:
            raise BrokenFile(f"{self._file} line {number} is no act with number {number}")
        return act
