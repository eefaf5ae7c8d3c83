"""From a table to its club: finished records until they are there, and how the table stands.

The sender takes what waits in the outbox to the club, again and again until it is there.

The outbox is what the club has given no word on: the folder of records itself less what stands in
`sent.jsonl`, so nothing can be lost on the way into it. A record that was amended has another
digest and is sent again. Where the word of a club is lost (no network, the plug), the record is
sent once more, and the club knows it by its id.

The club is its server as a table sees it over HTTP. The live reporter tells it how the table
stands: the latest state, and seldom.

The settings are what `[league]` of companion.toml says: the database, the club that records are
sent to, and of a club's server who is told what happens.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import logging
import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from http import HTTPStatus
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import SplitResult, urlsplit

from companion.league.errors import BrokenFile, LeagueError, LeagueFolder, Receipt
from companion.rules.lines import Line
from companion.system.config import ConfigError, read_config
from companion.system.frozen import dataclass
from companion.system.host import Closing, Lasting, hand_over, make_folder, private
from companion.system.plugins import is_address, plugins

# -- sender ---------------------------------------------------------------------------------------


FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 600.0
IDLE_S = 3600.0
"""Between looks into the outbox when nothing is known to wait."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Delivered:
    """What a round to the club came to; `trouble` is why it ended before the outbox was empty."""

    receipts: list[tuple[UnsentRecord, Receipt]] = field(default_factory=list)
    trouble: LeagueError | None = None


def deliver(outbox: Outbox, club: Club) -> Delivered:
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


class Nudged(Closing):
    """A thread that works at its start, and again after a pause, or when it is nudged.

    Args:
        rest_s: between one work and the next, however fast the nudges come.
    """

    def __init__(self, name: str, rest_s: float = 0.0) -> None:
        self._rest_s = rest_s
        self._wake, self._closing = Event(), Event()
        self._thread = Lasting(name, self._run, self._closing.is_set)
        self._thread.start()

    @abstractmethod
    def work(self) -> float:
        """What is to be done; the seconds until it is done again by itself."""

    def nudge(self) -> None:
        """There is something new; never waits."""
        self._wake.set()

    def close(self) -> None:
        """Stop; what was not sent waits for the next start. May be called twice."""
        self._closing.set()
        self._wake.set()
        self._thread.join(timeout=1)  # it may be in the middle of a talk that the club draws out

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.clear()
            self._wake.wait(self.work())
            self._closing.wait(self._rest_s)


class Sender(Nudged):
    """Delivers at its start, whenever a record has been written, and again after a failure.

    `tell` hears every trouble that is not the one before, and None once all got through.
    """

    def __init__(
        self,
        outbox: Outbox,
        club: Club,
        tell: Callable[[LeagueError | None], None] | None = None,
    ) -> None:
        self._outbox, self._club, self._tell = outbox, club, tell or _log_trouble
        self._reported: str | None = None
        self._failures = 0
        super().__init__("record-sender")

    def work(self) -> float:
        """Deliver."""
        done = deliver(self._outbox, self._club)
        for record, receipt in done.receipts:
            if receipt.status == "refused":
                _log.warning("the club refuses %s: %s", record.file, receipt.message)
        self._failures = self._failures + 1 if done.trouble else 0
        message = None if done.trouble is None else str(done.trouble)
        if message != self._reported:
            self._reported = message
            self._tell(done.trouble)
        return pause_s(self._failures)


def _log_trouble(trouble: LeagueError | None) -> None:
    if trouble is None:
        _log.info("the club has all records")
    else:
        _log.warning("records wait for the club: %s", trouble)


# -- outbox ---------------------------------------------------------------------------------------


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
            make_folder(path.parent)
            with open(path, "ab", opener=private) as file:
                hand_over(path)
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
    data = object_in(line)
    return data if {"file", "sha256", "club"} <= data.keys() else {}


def object_in(content: bytes) -> dict[str, Any]:
    """The JSON object in some bytes; an empty one where there is none."""
    try:
        data = json.loads(content)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


# -- club -----------------------------------------------------------------------------------------


RECORDS = "/api/league/records"
LIVE = "/api/league/live"
TIMEOUT_S = 20.0
LONGEST_REPLY = 64 * 1024
LARGEST_SENT = 16 * 1024 * 1024
"""Bytes; no club reads more to the end."""
AWAY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""What a club answers that can take nothing now."""
SPOKEN = (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY)


TOO_LARGE = Receipt("refused", None, "it is larger than any record that the club takes")


class ClubAway(LeagueError):
    """The club cannot be reached, or cannot take anything now: to be tried again later."""


class NotTaken(LeagueError):
    """The club cannot take this one record now; others it may: to be tried again later."""


class WrongKey(LeagueError):
    """The club does not know this table's key: nothing will get through until that is mended."""


class Club:
    """The server at an address, spoken to with this table's key.

    Raises:
        LeagueError: it is no address of a server.
    """

    def __init__(self, address: str, key: str, *, timeout_s: float = TIMEOUT_S) -> None:
        check_club(address)
        self._parts = urlsplit(address.rstrip("/"))
        self._key = key
        self._timeout_s = timeout_s

    def send(self, content: bytes) -> Receipt:
        """Offer a record; the club's word on it.

        Raises:
            ClubAway: nobody knows whether it got there: send it again.
            NotTaken: the club fails at this one; those behind it are not to wait for it.
            WrongKey: the key is not known there.
        """
        if len(content) > LARGEST_SENT:
            return TOO_LARGE
        status, reply = self._ask("POST", RECORDS, content, "application/jsonl")
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return TOO_LARGE
        if status not in SPOKEN:
            kind = ClubAway if status in AWAY else NotTaken
            raise kind(f"the club at {self._parts.netloc} answers {status}")
        answer, race = reply.get("status"), reply.get("race")
        if answer not in ("taken", "known", "refused"):
            raise ClubAway(f"what answers at {self._parts.netloc} is no club")
        return Receipt(
            answer, race if isinstance(race, str) else None, str(reply.get("message", ""))
        )

    def show(self, state: bytes) -> None:
        """Tell the club how the table stands, for its overview of all tables.

        Raises:
            ClubAway, WrongKey: as `send`.
        """
        status, _ = self._ask("PUT", LIVE, state, "application/json")
        if status != HTTPStatus.OK:
            raise ClubAway(f"the club at {self._parts.netloc} answers {status}")

    def _ask(self, method: str, path: str, content: bytes, kind: str) -> tuple[int, Line]:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": kind}
        where = f"the club at {self._parts.netloc}"
        path = self._parts.path + path
        try:
            status, body = spoken(
                self._parts, method, path, content, headers, timeout_s=self._timeout_s
            )
        except OSError as error:
            raise ClubAway(f"{where} is out of reach: {error}") from error
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise WrongKey(f"{where} does not know this table's key")
        return status, object_in(body)


def spoken(
    to: SplitResult,
    method: str,
    path: str,
    content: bytes,
    headers: Mapping[str, str],
    *,
    timeout_s: float,
    most: int = LONGEST_REPLY,
) -> tuple[int, bytes]:
    """What a server answers: the status, and as much of the body.

    Raises:
        OSError: it is out of reach.
    """
    secure = to.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    assert to.hostname is not None  # check_club has seen it
    connection = kind(to.hostname, to.port, timeout=timeout_s)
    try:
        with suppress(BrokenPipeError, ConnectionResetError):
            # Whoever does not want the rest may have said so before it closed.
            connection.request(method, path, content, dict(headers))
        reply = connection.getresponse()
        return reply.status, reply.read(most)
    except (OSError, http.client.HTTPException) as error:
        raise OSError(str(error) or type(error).__name__) from error
    finally:
        connection.close()


# -- live reporter --------------------------------------------------------------------------------


SHORTEST_S = 2.0
"""Between two states, however fast the presses come."""
LONGEST_S = 30.0
"""Between two states where nothing happens, so that the club sees that the table is there."""


class LiveReporter(Nudged):
    """Shows `state()` at its start, after changes, and every half minute.

    Troubles are left to the sender of records to tell, which meets the same.
    """

    def __init__(
        self, club: Club, state: Callable[[], bytes], *, shortest_s: float = SHORTEST_S
    ) -> None:
        self._club, self._state = club, state
        super().__init__("live-reporter", shortest_s)

    def work(self) -> float:
        """Show how the table stands."""
        try:
            self._club.show(self._state())
        except LeagueError:
            self._closing.wait(LONGEST_S)  # however often it is nudged
            return 0.0
        return LONGEST_S


# -- settings -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """Where the league is kept, and the club that hears of it.

    Args:
        database: a URL; None is SQLite beside the records.
        club: the address of the club's server, such as `https://club.example`; None: no club.
        key: what the club gave this table to send records with.
        receivers: whom a club's server tells what happens: the options of plugins by their names.
    """

    database: str | None = None
    club: str | None = None
    key: str | None = None
    receivers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_settings(file: Path) -> LeagueSettings:
    """The settings in a configuration file; a file that is not there says nothing.

    Raises:
        LeagueError: it cannot be read, or says what means nothing here.
    """
    try:
        return parse_settings(read_config(file).get("league", {}))
    except ConfigError as error:
        raise LeagueError(f"{error}") from error
    except LeagueError as error:
        raise LeagueError(f"{file}: {error}") from error


def parse_settings(table: object) -> LeagueSettings:
    """The settings in the table `[league]`.

    >>> parse_settings({"club": "http://club.local:8001", "key": "k"}).club
    'http://club.local:8001'

    Raises:
        LeagueError: a setting is unknown or no text, or a club comes without its key.
    """
    if not isinstance(table, dict):
        raise LeagueError(f"[league] may say {', '.join(OWN)}, and nothing else")
    own = {name: value for name, value in table.items() if name in OWN}
    receivers = _of_receivers({name: table[name] for name in table if name not in OWN})
    for name, value in table.items():
        if not isinstance(value, str) or not value.strip():
            raise LeagueError(f"[league] {name} is a text, not {value!r:.40}")
    settings = LeagueSettings(**own, receivers=receivers)
    if (settings.club is None) != (settings.key is None):
        raise LeagueError("[league] has club and key together: the club gives the key")
    if settings.club is not None:
        check_club(settings.club)
    return settings


OWN = ("database", "club", "key")


def _of_receivers(said: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What `[league]` says of plugins of the group `receivers`: `webhook` is the address of the
    plugin of this name, `webhook_secret` its option `secret`."""
    if not said:
        return {}
    names, found = plugins("receivers").keys(), dict[str, dict[str, str]]()
    for key, value in said.items():
        name, _, option = key.partition("_")
        if name not in names:
            raise LeagueError(
                f"[league] may say {', '.join([*OWN, *names])}, and nothing else, not {key!r:.40}"
            )
        found.setdefault(name, {})[option or "address"] = value
    return found


def check_club(address: str) -> None:
    """See that an address is one of a server.

    Raises:
        LeagueError: it is not.
    """
    if not is_address(address, ("http", "https")):
        raise LeagueError(
            "the club is an address such as https://club.example, without a user or a password "
            "before its host"
        )
