"""Makes the reviews that nobody has asked for yet, so that a season's tables of luck are whole.

One race at a time, the newest first, with a pause between two, at the lowest priority. Of several
processes that serve a club one does it: whoever holds the folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from logging import getLogger
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

from companion.closing import Closing
from companion.journal.lock import FolderLock
from companion.kept_reviews import KeptReviews
from companion.league.errors import LeagueError
from companion.record import JSON
from companion.table.ports import StorageError

PAUSE_S = 20.0
"""Between two looks; a race that somebody asks about comes first."""
_log = getLogger(__name__)


class Races(Protocol):
    """Who has the races and their records (`League.public`)."""

    def races(self) -> Sequence[Any]:
        """All of them."""

    def record(self, race: str) -> Sequence[JSON] | None:
        """The lines of a race; None: there are none to be seen."""


class Catching(Protocol):
    """Who takes in races that have come since (`League`)."""

    @property
    def public(self) -> Races:
        """What may be seen of it."""

    def catch_up(self, *, wait: bool) -> object:
        """Take them in; if somebody else does, leave it to them."""


class IdleReviews(Closing):
    """Looks every so often for a race without a review.

    Args:
        folder: of the solved boards and reviews.
    """

    def __init__(
        self, league: Catching, reviews: KeptReviews, folder: Path, pause_s: float = PAUSE_S
    ) -> None:
        self._league, self._reviews, self._folder = league, reviews, folder / "reviews"
        self._pause_s, self._closing = pause_s, Event()
        self._lock: FolderLock | None = None
        self._done: set[str] = set()
        self._thread = Thread(target=self._serve, name="idle reviews", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called twice."""
        self._closing.set()
        self._thread.join(timeout=1)  # it may be reading all races
        if self._lock is not None:
            self._lock.close()

    def _serve(self) -> None:
        while not self._closing.wait(self._pause_s):
            try:
                self.step()
            except (LeagueError, OSError) as error:
                _log.warning("no review in the background: %s", error)

    def step(self) -> str | None:
        """Have one race reviewed, if nothing else is; its name."""
        if self._reviews.is_busy or not self._holds():
            return None
        self._league.catch_up(wait=False)
        for race in sorted(self._league.public.races(), key=lambda one: one.date, reverse=True):
            if race.id in self._done or race.source != "record" or race.remark is not None:
                continue
            self._done.add(race.id)
            lines = self._league.public.record(race.id)
            if lines is not None and self._wants(race.id, lines):
                self._reviews.review(race.id, lines, gently=True)
                return str(race.id)
        return None

    def _wants(self, race: str, lines: Sequence[JSON]) -> bool:
        known, why_none = self._reviews.known(race), self._reviews.why_none(race, lines)
        return known is None and why_none is None

    def _holds(self) -> bool:
        """Whether it is this process that does it."""
        if self._lock is None:
            try:
                self._lock = FolderLock(self._folder)
            except StorageError:
                return False
        return True
