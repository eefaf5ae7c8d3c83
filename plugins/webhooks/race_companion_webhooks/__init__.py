"""Tells an address what happens in a club: signed messages, as standardwebhooks.com has them.

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
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

PREFIX = "whsec_"
SECRET_BYTES = (24, 64)
TIMEOUT_S = 10.0
LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
"""What is answered below 500 by who wants it again."""


def open_receiver(options: Any) -> Webhook:
    """The address that companion.toml names, and the secret that it shares with the club.

    Raises:
        ValueError: one of them is missing, or it is no secret.
    """
    address = options.address("address", ("https", "http"))
    secret = options.text("secret")
    if not (address and secret):
        raise ValueError("has address and secret together")
    return Webhook(address, secret)


class Webhook:
    """An address that is told.

    Raises:
        ValueError: the secret is none.
    """

    def __init__(self, address: str, secret: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self.address = address
        self._parts = urlsplit(address)
        self._key = parse_secret(secret)
        self._timeout_s = timeout_s

    def send(self, message: str, body: bytes, at: int) -> None:
        """Hand a message over.

        Raises:
            OSError: it was not answered, or by a server that has a trouble of its own.
            ValueError: it is refused.
        """
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "race-companion",
            "webhook-id": message,
            "webhook-timestamp": f"{at}",
            "webhook-signature": sign(self._key, message, at, body),
        }
        status, where = self._post(body, headers), self._parts.netloc
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in LATER:
            raise OSError(f"{where} answers {status}")
        if status >= HTTPStatus.MULTIPLE_CHOICES:
            raise ValueError(f"{where} answers {status}")

    def close(self) -> None:
        """Nothing stays open between two messages."""

    def _post(self, body: bytes, headers: dict[str, str]) -> int:
        to = self._parts
        is_secure = to.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = kind(to.hostname or "", to.port, timeout=self._timeout_s)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):
                # Whoever does not want the rest may have said so before it closed.
                path = (to.path or "/") + (f"?{to.query}" if to.query else "")
                connection.request("POST", path, body, headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            why = f"{error}" or type(error).__name__
            raise OSError(f"{to.netloc} is out of reach: {why}") from error
        finally:
            connection.close()


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
        ValueError: it is none.
    """
    least, most = SECRET_BYTES
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not text.startswith(PREFIX) or not least <= len(key) <= most:
        size = f"{least} to {most} bytes in base64"
        raise ValueError(f"secret is {PREFIX} and {size} (openssl rand -base64 32)")
    return key
