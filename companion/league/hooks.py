"""What has happened in a club since somebody was last told, and the thread that tells it.

Whom a club tells is a plugin's (the group `receivers`, docs/plugins.md): webhooks, a broker.

The teller is a thread of a club's server that tells a receiver what is new, one message after
another. What was told of races and standings lies in `league/told.json` (of a broker in
`told-mqtt.json`), written when it was taken; of tables it is known while the server runs, as nobody
wants to hear of a turn of yesterday. A receiver that fails is asked again after five seconds, then
twice as long, ten minutes at most (`push.pause_s`). One that refuses a message (`ValueError`) is
not asked to take it again. Of several processes the one that holds the lock does it; pages and
pushes never wait for it.

The news is pure, and nothing is queued. What there is now comes to facts, each with a mark; what
was told last is the marks of then. What differs is news. So a receiver that was away for an hour
hears of every race, but of the standings and of a table's turn only as they are by then. A race
that was over before anybody listened is none, whatever brings it to light: the one before it is
gone, say.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

from companion.league.errors import LeagueError
from companion.league.plain import Line, LiveTable, Race, Season, drivers_in
from companion.league.push import pause_s
from companion.league.receiving import LiveFiles
from companion.league.results import classify
from companion.league.standings import rounds_of, standings
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.system.host import Closing, make_folder, write_whole

# -- teller ---------------------------------------------------------------------------------------


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


class Receiver(Protocol):
    """Who is told: what a plugin of the group `receivers` gives."""

    @property
    def address(self) -> str:
        """Who it is: whoever has another one was told nothing yet."""

    def send(self, message: str, body: bytes, at: int) -> object:
        """Hand a message over, which has the id `message`, at so many seconds since 1970.

        Raises:
            OSError: nobody knows whether it got there: to be sent again.
            ValueError: it is refused, and would be again.
        """

    def close(self) -> None:
        """May be called twice."""


@dataclass(frozen=True, slots=True)
class Club:
    """What is looked at: the league as strangers see it, and its tables."""

    queries: View
    live: LiveFiles
    catch_up: Callable[..., object]

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
            races, count = self.queries.latest(first=first, most=MOST_RACES)  # without private ones
            found += races
            is_new = any(about(race) not in told and place_of(race) > since for race in races)
            if first + MOST_RACES >= count or (races and not is_new):
                break
        return found[::-1]

    def has_more(self) -> bool:
        """Whether there are more races than are looked at."""
        return self.queries.latest(most=1)[1] > MOST_RACES

    def _season(self, key: str) -> Iterator[Fact]:
        for season in self.queries.seasons(key):
            races = self.queries.races(season=key, is_slim=True)
            names = self.queries.names(drivers_in(races) | season.people)
            yield of_season(season, races, names)

    def tables(self) -> list[Fact]:
        """Of the tables that are live."""
        return [of_table(table) for table in self.live.tables()]


class Teller(Closing):
    """Tells a receiver, from its making on until it is closed.

    Args:
        name: the plugin's, by which what it was told is kept.
        folder: where that lies.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        club: Club,
        name: str,
        receiver: Receiver,
        folder: Path,
        *,
        clock: Callable[[], float] = time.time,
        pause: Callable[[int], float] = pause_s,
        look_s: float = LOOK_S,
        league_every: int = LEAGUE_EVERY,
    ) -> None:
        self._club = club
        self._receiver = receiver
        self._kept = folder / ("told" if name == "webhook" else f"told-{name}")
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
            try:
                self._receiver.send(message, json.dumps(body).encode(), at)
            except ValueError as refused:
                if isinstance(refused, OSError):  # a certificate that is not good is both
                    raise
                _log.warning("%s is refused: %s: %s", one.kind, refused, one.fact.about)
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
            kept = json.loads(self._kept.with_suffix(".json").read_bytes())
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
        write_whole(self._kept.with_suffix(".json"), json.dumps(kept).encode())

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Whether no other process tells; the lock ends with the process that has it."""
        make_folder(self._kept.parent)
        file = os.open(self._kept.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
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


# -- news -----------------------------------------------------------------------------------------


Data = dict[str, object]
MOST_LINES = 20
"""Of standings."""
TABLE = "table:"
"""What the name of a table's fact begins with."""
RACING = "race"
"""The phase of a table whose race is on."""
KINDS = (
    "race.started",
    "race.turn",
    "race.finished",
    "race.confirmed",
    "race.amended",
    "race.struck",
    "standings.changed",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """How something stands. `about` is its name, `mark` differs whenever there is something to
    tell, `data` is what is told. `at` is where a race stands among all."""

    about: str
    mark: str
    data: Data
    at: str = ""

    @property
    def is_live(self) -> bool:
        """Whether it is over in a moment: how a table stands."""
        return self.about.startswith(TABLE)


@dataclass(frozen=True, slots=True)
class News:
    """A fact that is not as it was told. `kind` is one of `KINDS`; None: nothing worth telling."""

    fact: Fact
    kind: str | None


def news(told: Mapping[str, str], facts: Iterable[Fact], since: str) -> Iterator[News]:
    """What differs from what was told.

    Args:
        since: `Fact.at` of the last race of which nobody is to be told that it is over.
    """
    for fact in facts:
        before = told.get(fact.about)
        is_old = before is None and bool(fact.at) and fact.at <= since
        if before != fact.mark:
            kind = _KIND_OF[fact.about.partition(":")[0]](before, fact.mark)
            yield News(fact, None if is_old else kind)


def place_of(race: Race) -> str:
    """Where a race stands among all: the latest one last."""
    return f"{race.date} {race.id}"


def about(race: Race) -> str:
    """What the fact of a race is called."""
    return f"race:{race.id}"


def of_race(race: Race) -> Fact:
    """How a race stands."""
    status = "struck" if race.struck is not None else "waits" if race.provisional else "counts"
    result: list[Data] = [
        {
            "place": entry.place,
            "driver": entry.driver,
            "name": entry.name,
            "status": entry.status,
            "team": entry.team,
        }
        for entry in classify(race)
    ]
    data: Data = {
        "race": race.id,
        "name": race.name,
        "game": race.game,
        "board": race.board,
        "date": race.date,
        "season": race.season,
        "round": race.round,
        "confirmed": status == "counts",
        "result": result,
    }
    return Fact(about(race), f"{status} {_digest(result)}", data, place_of(race))


def of_season(season: Season, races: Iterable[Race], names: Mapping[str, str]) -> Fact:
    """How the standings of a season are."""
    every = list(races)
    lines: list[Data] = [
        {"place": one.place, "driver": one.key, "name": one.name, "points": one.points}
        for one in standings(season, every, names)
    ]
    held = max((race.round or 0 for race in rounds_of(season, every)), default=0)
    data = {"season": season.key, "title": season.title, "round": held}
    return Fact(f"season:{season.key}", _digest(lines), {**data, "lines": lines[:MOST_LINES]})


def of_table(table: LiveTable) -> Fact:
    """How a table stands; what is odd in its report is left out."""
    state = _object(table.state.get("state"))
    phase, turn = state.get("phase"), state.get("turn")
    data: Data = {"table": table.table, "board": table.state.get("title")}
    if phase == RACING and isinstance(turn, int):
        car = _object(_object(state.get("cars")).get(f"{turn}"))
        own = {name: car.get(name) for name in ("name", "lap")}
        data |= {"seat": turn, **own, "laps": state.get("laps")}
    return Fact(f"{TABLE}{table.table}", f"{phase} {turn}", data)


def _of_race(before: str | None, mark: str) -> str | None:
    status = mark.split()[0]
    if before is None:
        return None if status == "struck" else "race.finished"
    if before.split()[0] == status:
        return "race.amended"
    return {"struck": "race.struck", "counts": "race.confirmed"}.get(status, "race.amended")


def _of_season(before: str | None, mark: str) -> str | None:
    return "standings.changed"


def _of_table(before: str | None, mark: str) -> str | None:
    if before is None or mark.partition(" ")[0] != RACING:
        return None
    return "race.turn" if before.partition(" ")[0] == RACING else "race.started"


_KIND_OF = {"race": _of_race, "season": _of_season, "table": _of_table}


def _object(value: object) -> Line:
    return value if isinstance(value, dict) else {}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
