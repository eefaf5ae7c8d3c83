"""A club's server as a table sees it over HTTP."""

from __future__ import annotations

import http.client
import json
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from companion.league.errors import LeagueError
from companion.league.plain import Line
from companion.league.ports import Receipt
from companion.league.settings import check_club

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
        connection = self._connect()
        try:
            with suppress(BrokenPipeError, ConnectionResetError):
                # Whoever does not want the rest may have said so before it closed.
                connection.request(method, self._parts.path + path, content, headers)
            reply = connection.getresponse()
            body = reply.read(LONGEST_REPLY)
        except (OSError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
            raise ClubAway(f"the club at {self._parts.netloc} is out of reach: {why}") from error
        finally:
            connection.close()
        if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise WrongKey(f"the club at {self._parts.netloc} does not know this table's key")
        return reply.status, _parse(body)

    def _connect(self) -> http.client.HTTPConnection:
        secure = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        assert self._parts.hostname is not None  # check_club has seen it
        return kind(self._parts.hostname, self._parts.port, timeout=self._timeout_s)


def _parse(body: bytes) -> Line:
    try:
        data = json.loads(body)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
