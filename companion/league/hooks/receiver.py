"""Whom a club tells: an address that takes signed messages, as standardwebhooks.com has them.

webhook-id: msg_2f…            the same however often a message is sent
webhook-timestamp: 1767643200  seconds since 1970
webhook-signature: v1,BASE64   HMAC-SHA256 of "id.timestamp.body" by the secret
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
from http import HTTPStatus
from urllib.parse import urlsplit

from companion.league.errors import LeagueError
from companion.league.settings import check_club

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
        connection = self._connect()
        try:
            path = self._parts.path or "/"
            query = f"?{self._parts.query}" if self._parts.query else ""
            connection.request("POST", path + query, body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
            raise Away(f"{self._parts.netloc} is out of reach: {why}") from error
        finally:
            connection.close()
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in LATER:
            raise Away(f"{self._parts.netloc} answers {status}")
        return status

    def close(self) -> None:
        """Nothing stays open between two messages."""

    def _connect(self) -> http.client.HTTPConnection:
        secure = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        assert self._parts.hostname is not None  # check_club has seen it
        return kind(self._parts.hostname, self._parts.port, timeout=self._timeout_s)


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
