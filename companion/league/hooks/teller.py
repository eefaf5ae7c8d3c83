"""A thread of a club's server that tells a receiver what is new, one message after another.

What was told of races and standings lies in `league/told.json` (of a broker in
`told-mqtt.json`), written when it was taken; of
tables it is known while the server runs, as nobody wants to hear of a turn of yesterday. A
receiver that fails is asked again after five seconds, then twice as long, ten minutes at most
(`push.sender.pause_s`). One that refuses a message (400 to 499) is not asked to take it again. Of
several processes the one that holds the lock does it; pages and pushes never wait for it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from companion.closing import Closing
from companion.files import write_whole
from companion.frozen import dataclass
from companion.league.errors import LeagueError
from companion.league.hooks.news import (
    TABLE,
    Fact,
    News,
    about,
    news,
    of_race,
    of_season,
    of_table,
    place_of,
)
from companion.league.plain import Race, drivers_in
from companion.league.ports import Book, LeagueQueries, LiveTables
from companion.league.push.sender import pause_s

MOST_RACES = 30
"""The latest, which are looked at; as many more while there are new ones among them."""
MOST_NEW = 300
MOST_TOLD = 10_000
"""Marks that are kept, some 60 bytes each; the oldest go."""
NEVER = "~"
"""Behind all races: nobody was told of any."""
LOOK_S = 2.0
"""Between looks at the tables; at every third one races and standings are looked at, too."""
LEAGUE_EVERY = 3
_log = logging.getLogger(__name__)


class CatchUp(Protocol):
    """Has what came since taken in, as `ports.LeagueWriter`."""

    def __call__(self, *, wait: bool = ...) -> object:
        """Take it in."""


class Receiving(Protocol):
    """Who is told: `address` is where, `kept` the name of the file that has what was told."""

    address: str
    kept: str

    def send(self, message: str, body: bytes, *, at: int) -> int:
        """Hand a message over, by its id; the status that it was answered with, 200 to 499.

        Raises:
            LeagueError: it is to be sent again.
        """

    def close(self) -> None:
        """Let go of what is open. May be called twice."""


@dataclass(frozen=True, slots=True)
class Club:
    """What is looked at: the league as strangers see it, and its tables."""

    queries: LeagueQueries
    book: Book
    live: LiveTables
    catch_up: CatchUp

    def league(self, told: Container[str], since: str) -> list[Fact]:
        """Of the latest races, and of the seasons that they and what comes belong to.

        Races are read behind the standings, so that what changed those is told before them.

        Args:
            told: what was told of. `since`: as `news`.
        """
        self.catch_up(wait=False)
        races, now = self._races(told, since), self.queries.current()
        keys = {race.season for race in races if race.season} | ({now.key} if now else set())
        seasons = [fact for key in sorted(keys) for fact in self._season(key)]
        return [of_race(race) for race in self._races(told, since)] + seasons

    def _races(self, told: Container[str], since: str) -> list[Race]:
        found: list[Race] = []
        for first in range(0, MOST_NEW, MOST_RACES):
            races, count = self.book.latest(first=first, most=MOST_RACES)  # without private ones
            found += races
            is_new = any(about(race) not in told and place_of(race) > since for race in races)
            if first + MOST_RACES >= count or (races and not is_new):
                break
        return found[::-1]

    def has_more(self) -> bool:
        """Whether there are more races than are looked at."""
        return self.book.latest(most=1)[1] > MOST_RACES

    def _season(self, key: str) -> Iterator[Fact]:
        for season in self.queries.seasons(key):
            races = self.queries.races(season=key, is_slim=True)
            cars = {driver for one in season.entrants for driver in (one.driver, *one.crew)}
            names = self.queries.names(drivers_in(races) | cars)
            yield of_season(season, races, names)

    def tables(self) -> list[Fact]:
        """Of the tables that are live."""
        return [of_table(table) for table in self.live.tables()]


class Teller(Closing):
    """Tells a receiver, from its making on until it is closed.

    Args:
        folder: where what was told lies.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        club: Club,
        receiver: Receiving,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        pause: Callable[[int], float] = pause_s,
        look_s: float = LOOK_S,
        league_every: int = LEAGUE_EVERY,
    ) -> None:
        self._club = club
        self._receiver = receiver
        self._folder = folder
        self._clock = clock
        self._pause = pause
        self._look_s = look_s
        self._league_every = league_every
        self._rounds = 0
        self._told: dict[str, str] = {}
        self._count = 0
        self._began = clock()
        self._turns = 0
        self._is_known, self._since = False, NEVER
        self._closing = Event()
        self._thread = Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; what was not told is told after the next start. May be called twice."""
        self._closing.set()
        self._thread.join(timeout=1)  # it may be in the middle of a talk that is drawn out
        self._receiver.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            with self._alone() as is_alone:
                if is_alone:
                    self._tell_on()
            self._closing.wait(self._look_s)

    def _tell_on(self) -> None:
        """Until it is closed."""
        failures = 0
        self._read()
        while not self._closing.is_set():
            try:
                self._look()
                failures = 0
            except Exception as trouble:  # a fault of ours, too, ends no more than this look
                failures += 1
                if failures == 1:
                    is_known = isinstance(trouble, LeagueError | OSError)
                    _log.warning("what is new waits: %s", trouble, exc_info=not is_known)
            self._closing.wait(self._pause(failures) if failures else self._look_s)

    def _look(self) -> None:
        """Tell all that is new.

        Raises:
            LeagueError: it is to be tried again later.
        """
        facts = self._club.tables()
        if self._rounds % self._league_every == 0:
            facts = self._club.league(self._told, self._since) + facts
        if not self._is_known:
            self._begin(facts)
        for one in news(self._told, facts, self._since):
            if self._closing.is_set():
                return
            self._tell(one)
        self._rounds += 1

    def _begin(self, facts: Sequence[Fact]) -> None:
        """What there is when somebody is first told is no news, nor are the races before it."""
        self._told = {fact.about: fact.mark for fact in facts}
        races = [fact.at for fact in facts if fact.at]
        self._since = min(races, default="") if self._club.has_more() else ""
        self._is_known = True
        self._write()

    def _tell(self, one: News) -> None:
        if one.kind is not None:
            at = int(self._clock())
            body = {"type": one.kind, "timestamp": _iso(at), "data": one.fact.data}
            message = self._message(one)
            status = self._receiver.send(message, json.dumps(body).encode(), at=at)
            if status >= 300:
                _log.warning("%s is refused with %s: %s", one.kind, status, one.fact.about)
        self._told.pop(one.fact.about, None)  # the latest stand last
        self._told[one.fact.about] = one.fact.mark
        if one.fact.is_live:
            self._turns += 1
        else:
            self._count += 1
            self._write()

    def _message(self, one: News) -> str:
        """The id of a message: the same when it is sent again, another for the same news later."""
        number = f"{self._began} {self._turns}" if one.fact.is_live else f"{self._count}"
        told = f"{number} {one.kind} {one.fact.about} {one.fact.mark}"
        return f"msg_{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"

    def _read(self) -> None:
        """What was told before; nothing where this receiver has never heard anything."""
        self._is_known, self._since = False, NEVER
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads((self._folder / f"{self._receiver.kept}.json").read_bytes())
            if kept["receiver"] == self._receiver.address:
                self._told, self._count = dict(kept["told"]), int(kept["count"])
                self._since = str(kept["since"])
                self._is_known = True

    def _write(self) -> None:
        lasting = [
            (about, mark) for about, mark in self._told.items() if not about.startswith(TABLE)
        ]
        told = dict(lasting[-MOST_TOLD:])
        own = {"receiver": self._receiver.address, "count": self._count, "since": self._since}
        kept = {**own, "told": told}
        write_whole(self._folder / f"{self._receiver.kept}.json", json.dumps(kept).encode())

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Whether no other process tells; the lock ends with the process that has it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = os.open(self._folder / f"{self._receiver.kept}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
            else:
                yield True
        finally:
            os.close(file)


def _iso(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
