"""Takes what waits in the outbox to the club, again and again until it is there."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import field
from threading import Event, Thread
from typing import Protocol

from companion.closing import Closing
from companion.frozen import dataclass
from companion.league.errors import LeagueError
from companion.league.ports import Receipt
from companion.league.push.club import NotTaken
from companion.league.push.outbox import Outbox, UnsentRecord

FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 600.0
IDLE_S = 3600.0
"""Between looks into the outbox when nothing is known to wait."""
_log = logging.getLogger(__name__)


class Receiving(Protocol):
    """A club, as `push.club.Club`."""

    def send(self, content: bytes) -> Receipt:
        """Offer a record.

        Raises:
            LeagueError: it may not have got there.
        """


@dataclass(slots=True)
class Delivered:
    """What a round to the club came to; `trouble` is why it ended before the outbox was empty."""

    receipts: list[tuple[UnsentRecord, Receipt]] = field(default_factory=list)
    trouble: LeagueError | None = None


def deliver(outbox: Outbox, club: Receiving) -> Delivered:
    """Send all that waits; a trouble ends the round, as the next would meet it too.

    But a record that the club alone fails at is left for later, and those behind it go.
    """
    done = Delivered()
    try:
        for record in outbox.waiting():
            try:
                receipt = club.send(record.content)
            except NotTaken as trouble:
                done.trouble = NotTaken(f"{record.file}: {trouble}")
                continue
            outbox.settle(record, receipt)
            done.receipts.append((record, receipt))
    except LeagueError as trouble:
        done.trouble = trouble
    return done


def pause_s(failures: int) -> float:
    """Seconds until the next try, after so many that failed in a row.

    >>> [pause_s(n) for n in (0, 1, 2, 3, 20)]
    [3600.0, 5.0, 10.0, 20.0, 600.0]
    """
    if failures == 0:
        return IDLE_S
    return float(min(FIRST_PAUSE_S * 2 ** min(failures - 1, 16), LONGEST_PAUSE_S))


class Sender(Closing):
    """A thread that delivers at its start, whenever it is nudged, and again after a failure.

    `tell` hears every trouble that is not the one before, and None once all got through.
    """

    def __init__(
        self,
        outbox: Outbox,
        club: Receiving,
        tell: Callable[[LeagueError | None], None] | None = None,
    ) -> None:
        self._outbox = outbox
        self._club = club
        self._tell = tell or _log_trouble
        self._reported: str | None = None
        self._wake = Event()
        self._is_closed = False
        self._thread = Thread(target=self._run, name="record-sender", daemon=True)
        self._thread.start()

    def nudge(self) -> None:
        """A record has been written; never waits."""
        self._wake.set()

    def close(self) -> None:
        """Stop; what has not been sent waits for the next start. May be called twice."""
        self._is_closed = True
        self._wake.set()
        self._thread.join(timeout=1)  # it may be in the middle of a talk that the club draws out

    def _run(self) -> None:
        failures = 0
        while not self._is_closed:
            done = deliver(self._outbox, self._club)
            trouble = done.trouble
            for record, receipt in done.receipts:
                if receipt.status == "refused":
                    _log.warning("the club refuses %s: %s", record.file, receipt.message)
            failures = failures + 1 if trouble else 0
            self._report(trouble)
            self._wake.wait(pause_s(failures))
            self._wake.clear()

    def _report(self, trouble: LeagueError | None) -> None:
        message = None if trouble is None else str(trouble)
        if message != self._reported:
            self._reported = message
            self._tell(trouble)


def _log_trouble(trouble: LeagueError | None) -> None:
    if trouble is None:
        _log.info("the club has all records")
    else:
        _log.warning("records wait for the club: %s", trouble)
