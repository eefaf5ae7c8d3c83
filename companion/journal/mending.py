"""What a log has at start-up: read, and where it is damaged mended from the second copy.

The lines of both files together are one pool; the longest unbroken row of them is the log. A
race ends where its row ends, as what comes behind a hole cannot be played; in the other logs,
whose lines stand for themselves, a hole is left out. A file that was not whole is kept in
the folder `damaged` as it was found, and written anew.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from companion.files import make_folder, sync_folder, write_whole
from companion.frozen import dataclass
from companion.journal.chain import (
    FORMAT,
    Entry,
    Reading,
    head,
    read,
    rechained,
    walk,
)
from companion.table.ports import JSON, StorageError

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
