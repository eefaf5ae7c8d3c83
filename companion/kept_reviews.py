"""Reviews of the league's races, kept as files beside the solved boards.

A review takes seconds, and minutes where its board has to be solved first, so a page never waits
for one: it asks, gets None, and asks again later. A thread takes one race after the other; the work
is done by a process of its own, so that whoever serves pages does not grow by it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from logging import getLogger
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from companion.closing import Closing
from companion.files import write_whole
from companion.record import JSON, RecordError
from companion.rules.errors import Malformed

FORM = 3
"""Goes up with every change of what is kept: an older review is made again."""
LONGEST_S = 600
_LOWEST = 19
"""The priority of what only fills the gaps."""
_log = getLogger(__name__)


class KeptReviews(Closing):
    """The reviews of a data folder.

    Args:
        folder: of the solved boards; reviews are in `reviews` there.
    """

    def __init__(self, folder: Path) -> None:
        self._solved, self._folder = folder, folder / "reviews"
        self._waiting: SimpleQueue[tuple[str, Sequence[JSON], bool] | None] = SimpleQueue()
        self._asked: set[str] = set()
        self._failed: set[str] = set()
        self._lock = Lock()
        self._thread: Thread | None = None

    def close(self) -> None:
        """Stop after the race at hand. May be called twice."""
        self._waiting.put(None)

    def known(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race as it was made last; None: there is none."""
        return _made(self._kept(race))

    def _kept(self, race: str) -> Mapping[str, Any] | None:
        """What came of reviewing a race: the review, or why there is none (`none`)."""
        try:
            data: Any = json.loads(self._path(race).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) and data.get("form") == FORM else None

    @property
    def is_busy(self) -> bool:
        """Whether a race is being reviewed, or waits for it."""
        return bool(self._asked)

    def review(
        self, race: str, lines: Sequence[JSON], *, gently: bool = False
    ) -> Mapping[str, Any] | None:
        """The review of a record; None: it is being made, or (`why_none`) cannot be had.

        `gently`: made with what nobody else wants of the processor.
        """
        kept = self._kept(race)
        if kept is not None and kept["digest"] == digest(lines):
            return _made(kept)
        if race in self._failed:  # until the next start: it would fail again
            return None
        with self._lock:
            if race not in self._asked:
                self._asked.add(race)
                self._waiting.put((race, lines, gently))
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="reviews", daemon=True)
                self._thread.start()
        return None

    def why_none(self, race: str, lines: Sequence[JSON]) -> str | None:
        """Why no review of a record can be had, in a sentence; None: there is one, or will be."""
        kept = self._kept(race)
        if kept is not None and kept["digest"] == digest(lines):
            return kept.get("none")
        return "it could not be made on this computer" if race in self._failed else None

    def _serve(self) -> None:
        while (asked := self._waiting.get()) is not None:
            race, lines, gently = asked
            given = self._solved, self._path(race), list(lines), gently
            process = get_context("spawn").Process(target=make_review, args=given, daemon=True)
            process.start()
            process.join(LONGEST_S)
            process.kill()
            process.join()
            if process.exitcode:
                _log.warning("the race %s could not be reviewed (see above)", race)
                self._failed.add(race)
            self._asked.discard(race)

    def _path(self, race: str) -> Path:
        return self._folder / f"{hashlib.sha256(race.encode()).hexdigest()[:24]}.json"


def _made(kept: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if kept is None or "none" in kept else kept


def digest(lines: Sequence[JSON]) -> str:
    """By which the lines of a record are known, whatever people are called in them."""
    kept = [{**lines[0], "seats": None, "name": None}, *lines[1:]]
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def make_review(solved: Path, path: Path, lines: Sequence[JSON], gently: bool = False) -> None:
    """Review a record, and keep what came of it; in a process of its own."""
    if gently:
        os.nice(_LOWEST)
    from companion.reviewing import review_record, told_review
    from companion.solved import CannotSolve, SolvedBoards

    try:
        courses = review_record(lines, SolvedBoards(solved))
        told: dict[str, Any] = told_review(lines, courses)
    except (RecordError, Malformed, CannotSolve) as error:
        told = {"none": str(error)}
    data = {"form": FORM, "digest": digest(lines), **told}
    write_whole(path, json.dumps(data).encode())
