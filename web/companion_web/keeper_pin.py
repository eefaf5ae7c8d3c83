"""The one key of a server that has no table: a PIN for whoever keeps the league."""

from __future__ import annotations

from hmac import compare_digest

from companion.table.ports import Caller


class KeeperPin:
    """An `AccessPort` with one PIN and no seats."""

    def __init__(self, pin: str) -> None:
        self._pin = pin.encode()

    def renew(self, pin: str) -> bool:
        """Let another PIN be the one; whether it is another."""
        before, self._pin = self._pin, pin.encode()
        return before != self._pin

    def who(self, bearer: str) -> Caller | None:
        """The referee, for the PIN."""
        fits = compare_digest(self._pin, bearer.encode("utf-8", "surrogatepass"))
        return Caller(referee=True, by="referee") if fits else None

    def holder(self, token: str) -> Caller | None:
        """There are no seats here."""
        return None

    def link(self, seat: int) -> str:
        """There are no seats here."""
        return ""
