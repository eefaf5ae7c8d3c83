"""A thread of a club's server that tells a receiver what is new, one message after another.

What was told of races and standings lies in `league/told.json` (of a broker in
`told-mqtt.json`), written when it was taken; of
tables it is known while the server runs, as nobody wants to hear of a turn of yesterday. A
receiver that fails is asked again after five seconds, then twice as long, ten minutes at most
(`push.sender.pause_s`). One that refuses a message (400 to 499) is not asked to take it again. Of
several processes the one that holds the lock does it; pages and pushes never wait for it.

What has happened in a club since somebody was last told; pure.

Nothing is queued. What there is now comes to facts, each with a mark; what was told last is the
marks of then. What differs is news. So a receiver that was away for an hour hears of every race,
but of the standings and of a table's turn only as they are by then. A race that was over before
anybody listened is none, whatever brings it to light: the one before it is gone, say.

Whom a club tells: an address that takes signed messages, as standardwebhooks.com has them.

webhook-id: msg_2f…            the same however often a message is sent
webhook-timestamp: 1767643200  seconds since 1970
webhook-signature: v1,BASE64   HMAC-SHA256 of "id.timestamp.body" by the secret

A broker as who is told what happens: the same messages as a webhook has, published by MQTT.

Each is published with QoS 1 and not retained, and is told when the broker has taken it (PUBACK);
the next one waits for that, so that nothing stands in a queue. Where the broker is away, or does
not answer in time, the connection is given up and the teller asks again later: a message may come
twice then, with the same `id`.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import json
import logging
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from companion.league.errors import LeagueError, Missing
from companion.league.plain import Line, LiveTable, Race, Season, drivers_in
from companion.league.push import MQTT_PORTS, MQTT_TOPIC, check_broker, check_club, pause_s, spoken
from companion.league.receiving import LiveFiles
from companion.league.results import classify
from companion.league.standings import rounds_of, standings
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.system.host import Closing, how_to_install, make_folder, write_whole

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
        make_folder(self._folder)
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


# -- receiver -------------------------------------------------------------------------------------


PREFIX = "whsec_"
SECRET_BYTES = (24, 64)
TIMEOUT_S = 10.0
LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
"""What is answered below 500 by who wants it again."""


class Away(LeagueError):
    """Nobody knows whether the message got there: to be sent again."""


class Receiver:
    """An address, and the secret that it shares with the club.

    Raises:
        LeagueError: it is no address of a server, or no secret.
    """

    kept = "told"

    def __init__(self, address: str, secret: str, *, timeout_s: float = TIMEOUT_S) -> None:
        check_club(address, "the webhook")
        self.address = address
        self._parts = urlsplit(address)
        self._key = parse_secret(secret)
        self._timeout_s = timeout_s

    def send(self, message: str, body: bytes, *, at: int) -> int:
        """Hand a message over; the status that it was answered with, 200 to 499.

        Args:
            message: its id. `at`: seconds since 1970.

        Raises:
            Away: it was not answered, or by a server that has a trouble of its own.
        """
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "race-companion",
            "webhook-id": message,
            "webhook-timestamp": f"{at}",
            "webhook-signature": sign(self._key, message, at, body),
        }
        to = self._parts
        path = (to.path or "/") + (f"?{to.query}" if to.query else "")
        try:
            status, _ = spoken(to, "POST", path, body, headers, timeout_s=self._timeout_s, most=0)
        except OSError as error:
            raise Away(f"{to.netloc} is out of reach: {error}") from error
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in LATER:
            raise Away(f"{to.netloc} answers {status}")
        return status

    def close(self) -> None:
        """Nothing stays open between two messages."""


def sign(key: bytes, message: str, at: int, body: bytes) -> str:
    """The signature of a message.

    >>> key = parse_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    >>> body = b'{"test": 2432232314}'
    >>> sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    signed = hmac.new(key, f"{message}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def parse_secret(text: str) -> bytes:
    """The key in a secret.

    Raises:
        LeagueError: it is none.
    """
    least, most = SECRET_BYTES
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not text.startswith(PREFIX) or not least <= len(key) <= most:
        size = f"{least} to {most} bytes in base64"
        raise LeagueError(f"webhook_secret is {PREFIX} and {size} (openssl rand -base64 32)")
    return key


# -- mqtt -----------------------------------------------------------------------------------------

KEEPALIVE_S = 60


class Broker:
    """A broker of MQTT 3.1.1, and the topics below which it is told.

    Args:
        address: such as `mqtt://broker.local`, or `mqtts://` with TLS.
        topic: before the kind of a message: `race-companion/race/finished`.

    Raises:
        LeagueError: it is no address of a broker.
        Missing: the library is not installed.
    """

    kept = "told-mqtt"

    def __init__(
        self,
        address: str,
        *,
        topic: str = MQTT_TOPIC,
        user: str | None = None,
        password: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        check_broker(address)
        try:
            from paho.mqtt import client
        except ModuleNotFoundError as error:
            need = how_to_install("mqtt")
            raise Missing(f"MQTT needs the library {error.name}: {need}") from error
        self.address = f"{address} {topic}"
        self._library: Any = client
        self._parts = urlsplit(address)
        self._topic, self._user, self._password = topic, user, password
        self._timeout_s = timeout_s
        self._client: Any = None

    def send(self, message: str, body: bytes, *, at: int) -> int:
        """Publish a message; 200, as soon as the broker has it.

        Args:
            message: its id, which is put into it. `at`: seconds since 1970, which it has already.

        Raises:
            Away: the broker has not said that it has it.
        """
        told = json.loads(body)
        topic = f"{self._topic}/{told['type'].replace('.', '/')}"
        if self._client is None or not self._client.is_connected():
            self.close()
            self._client = self._connected()
        try:
            sent = self._client.publish(topic, json.dumps({"id": message, **told}), qos=1)
            sent.wait_for_publish(self._timeout_s)
        except (RuntimeError, ValueError) as error:
            self.close()
            raise Away(f"{self._parts.netloc} is out of reach: {error}") from error
        if not sent.is_published():
            self.close()
            raise Away(f"{self._parts.netloc} does not say that it has the message")
        return HTTPStatus.OK

    def close(self) -> None:
        """Let go of the connection; what it had not handed over is gone. May be called twice."""
        client, self._client = self._client, None
        if client is not None:
            client.disconnect()
            client.loop_stop()

    def _connected(self) -> Any:
        """A connection that the broker has accepted.

        Raises:
            Away: it is out of reach, or accepts none.
        """
        library, where = self._library, self._parts.netloc
        client = library.Client(library.CallbackAPIVersion.VERSION2)
        client.connect_timeout = self._timeout_s
        client.max_queued_messages_set(1)
        if self._user is not None:
            client.username_pw_set(self._user, self._password)
        if self._parts.scheme == "mqtts":
            client.tls_set()
        answered, answers = Event(), []

        def hear(_client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
            answers.append(reason)
            answered.set()

        client.on_connect = hear
        port = self._parts.port or MQTT_PORTS[self._parts.scheme]
        try:
            client.connect(self._parts.hostname, port, KEEPALIVE_S)
        except OSError as error:
            raise Away(f"{where} is out of reach: {error}") from error
        client.loop_start()
        if answered.wait(self._timeout_s) and not answers[0].is_failure:
            return client
        client.disconnect()
        client.loop_stop()
        raise Away(f"{where} accepts no connection: {answers[0] if answers else 'no answer'}")


Receiving = Receiver | Broker
"""Who is told."""
