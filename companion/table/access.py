"""Who holds which key: a token for each seat, and the referee's PIN.

Keys are made once, at the first start, and kept in the journal; whoever scanned a seat's QR
code keeps that seat over restarts and from race to race.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hmac import compare_digest

from companion.table.lobby import SEATS
from companion.table.ports import Caller, JournalPort

ACCESS_LOG = "access"
TOKEN_BYTES = 16
PIN_DIGITS = 8

_REFEREE = 0


class Access:
    """The `AccessPort` on keys that the journal keeps.

    Args:
        journal: where the keys are, or are put on the first start (`is_new`).
        host: which seat is the host's now, None for none.

    Raises:
        StorageError: the keys could not be read or kept.
    """

    def __init__(self, journal: JournalPort, host: Callable[[], int | None]) -> None:
        kept = journal.lines(ACCESS_LOG)
        self.is_new = not kept
        if self.is_new:
            journal.append(ACCESS_LOG, _make_keys())
            kept = journal.lines(ACCESS_LOG)
        self.pin: str = kept[-1]["pin"]
        self._tokens: dict[int, str] = {
            int(seat): token for seat, token in kept[-1]["tokens"].items()
        }
        self._host = host
        self._url = ""

    def serve_at(self, url: str) -> None:
        """Links begin with this address from now on."""
        self._url = url

    def who(self, bearer: str) -> Caller | None:
        """The caller that this token or PIN belongs to; None: nobody.

        Every key is compared, in constant time each, whichever fits.
        """
        given = bearer.encode("utf-8", "surrogatepass")
        keys = {_REFEREE: self.pin, **self._tokens}
        fits = [seat for seat, key in keys.items() if compare_digest(key.encode(), given)]
        if not fits:
            return None
        if fits[0] == _REFEREE:
            return Caller(referee=True, by="referee")
        return Caller(seat=fits[0], host=fits[0] == self._host())

    def token(self, seat: int) -> str:
        """The token of a seat."""
        return self._tokens[seat]

    def link(self, seat: int) -> str:
        """The link of a seat. The token is in its fragment, which no request line carries."""
        return f"{self._url}/seat/{seat}#{self._tokens[seat]}"


def _make_keys() -> dict[str, object]:
    tokens = {str(seat): secrets.token_urlsafe(TOKEN_BYTES) for seat in SEATS}
    pin = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
    return {"pin": pin, "tokens": tokens}
