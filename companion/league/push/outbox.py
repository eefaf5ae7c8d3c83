"""What still has to be sent: the finished records that a club has given no word on.

The outbox is the folder of records itself less what stands in `sent.jsonl`, so nothing can be
lost on the way into it. A record that was amended has another digest and is sent again. Where
the word of a club is lost (no network, the plug), the record is sent once more, and the club
knows it by its id.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.frozen import dataclass
from companion.league.errors import BrokenFile
from companion.league.folder import LeagueFolder
from companion.league.ports import Receipt


@dataclass(frozen=True, slots=True)
class UnsentRecord:
    """A record to be sent."""

    file: str
    sha256: str
    content: bytes


class Outbox:
    """What a club at an address has still to get out of a folder.

    Args:
        now: the date and time, ISO 8601.
    """

    def __init__(self, folder: LeagueFolder, club: str, now: Callable[[], str]) -> None:
        self._folder = folder
        self._club = club.rstrip("/")
        self._now = now
        self._sizes: dict[str, tuple[int, int]] = {}
        """Of files that nothing is to be done about: their size and date."""

    def waiting(self) -> Iterator[UnsentRecord]:
        """The records that the club has not got, one after another.

        Raises:
            BrokenFile: the folder cannot be read.
        """
        settled = self._settled()
        for path in self._files():
            status = path.stat()
            looks = (status.st_size, status.st_mtime_ns)
            if self._sizes.get(path.name) == looks:
                continue
            content = path.read_bytes()
            record = UnsentRecord(path.name, hashlib.sha256(content).hexdigest(), content)
            if (record.file, record.sha256) in settled:
                self._sizes[path.name] = looks
            else:
                yield record

    def settle(self, record: UnsentRecord, receipt: Receipt) -> None:
        """The club has spoken: it has the record, or will not have it. On disk on return.

        Raises:
            BrokenFile: it cannot be written down; the record will be offered again.
        """
        line = {
            "club": self._club,
            "file": record.file,
            "sha256": record.sha256,
            "status": receipt.status,
            "message": receipt.message,
            "at": self._now(),
        }
        path = self._folder.sent
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                # A line that the plug cut short must not swallow this one.
                file.write(b"\n" + json.dumps(line, ensure_ascii=False).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise BrokenFile(f"{path} cannot be written: {error.strerror}") from error

    def refused(self) -> list[tuple[str, str]]:
        """The files that the club will not have, and why; those that are there as it saw them."""
        last: dict[str, dict[str, str]] = {}
        for line in self._lines():
            if line.get("club") == self._club:
                last[line["file"]] = line
        return [
            (file, line.get("message", ""))
            for file, line in sorted(last.items())
            if line.get("status") == "refused" and (self._folder.records / file).is_file()
        ]

    def _files(self) -> list[Path]:
        try:
            return sorted(self._folder.records.glob("*.jsonl"))
        except OSError as error:
            raise BrokenFile(f"{self._folder.records} cannot be read: {error.strerror}") from error

    def _settled(self) -> set[tuple[str, str]]:
        """What this club has spoken on, by file and digest."""
        return {
            (one["file"], one["sha256"]) for one in self._lines() if one.get("club") == self._club
        }

    def _lines(self) -> list[dict[str, str]]:
        """All that clubs have said."""
        try:
            lines = self._folder.sent.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BrokenFile(f"{self._folder.sent} cannot be read: {error.strerror}") from error
        return [_parse(line) for line in lines]


def _parse(line: bytes) -> dict[str, str]:
    """A line; one that the plug cut short says nothing, and then the record is sent again."""
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    is_whole = isinstance(data, dict) and {"file", "sha256", "club"} <= data.keys()
    return data if is_whole else {}
