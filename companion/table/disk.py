"""What is wrong with the disk: told on stderr at once, kept until somebody has seen it.

Whatever has lost something, or fails, says so to `DiskNews`; the table takes it from there and
lets its own log keep it (`entries.Lost`), so that a second start does not hide it.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.views.model import Trouble


class DiskNews:
    """Collects the troubles of the disk, from the thread that owns the table.

    Args:
        complain: says a sentence on stderr.
    """

    def __init__(self, complain: Callable[[str], object] = lambda sentence: None) -> None:
        self._complain = complain
        self._new: list[Trouble] = []

    def report(self, trouble: Trouble) -> None:
        """Something is wrong; a person reads it on stderr before anything else happens."""
        self._complain(str(trouble))
        self._new.append(trouble)

    @property
    def has_news(self) -> bool:
        """Whether there is something to take."""
        return bool(self._new)

    def take(self) -> list[Trouble]:
        """What has been reported since the last time."""
        new, self._new = self._new, []
        return new
