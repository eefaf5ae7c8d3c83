"""What a session reaches outside of its thread."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import field

from companion.frozen import dataclass
from companion.table import clock
from companion.table.disk import DiskNews
from companion.table.ports import JournalPort, Line, StorageError
from companion.table.screens import Draw, Links
from companion.views.model import Advise, Scene


@dataclass(frozen=True, slots=True)
class Services:
    """What a session reaches outside of its thread.

    `link` gives a seat's link with its token; `table_body` makes the body of `/api/table` out of a
    scene without secrets; `write_record` keeps a finished race under its id and raises OSError;
    `disk` is told what the disk has lost. `alive` is called by the table's thread, at least as
    often as `alive_every_s` says (None: it need not be). `advise` works out odds for who asks.
    """

    journal: JournalPort
    clock: clock.TableClock
    link: Links
    draw: Draw
    table_body: Callable[[Scene], Line]
    write_record: Callable[[str, Sequence[Line]], None]
    disk: DiskNews = field(default_factory=DiskNews)
    alive: Callable[[], None] = lambda: None
    alive_every_s: float | None = None
    advise: Advise | None = None


def no_record(error: OSError) -> StorageError:
    """The race is over and on disk, its record is not."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    why = "the disk is full" if is_full else f"the disk does not serve ({error})"
    message = f"{why}: the record of the race cannot be written yet; it is tried again by itself"
    return StorageError(message, "disk-full" if is_full else "storage")
