"""Who holds which key, and who may say what.

Each seat has a token, the referee a PIN. Keys are made once, at the first start, and kept in the
journal; whoever scanned a seat's QR code keeps that seat over restarts and from race to race.

A seat speaks for itself, the host for every seat, the referee says everything. The host is the
first seat of the race, or the first that joined. A seat that has no part to play any more may
answer for the others on its own screen. Anybody else needs the PIN for that; whatever is
answered, the record says by whom.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from hmac import compare_digest

from companion.rules.commands import Answer, End, Retire
from companion.rules.game import Outline
from companion.rules.games import KINDS
from companion.table.commands import Command, FromHost, FromReferee, Sit
from companion.table.lobby import SEATS
from companion.table.ports import By, Caller, JournalPort, TablePort
from companion.table.refusals import refused

ACCESS_LOG = "access"
JOIN = "join"
TOKEN_BYTES = 16
PIN_DIGITS = 8

TABLE = 0
"""The seat of what a game asks the whole table: anybody who has a seat may answer for it."""


class Access:
    """The `AccessPort` on keys that the journal keeps.

    Args:
        journal: where the keys are, or are put on the first start (`is_new`).

    Raises:
        StorageError: the keys could not be read or kept.
    """

    def __init__(self, journal: JournalPort) -> None:
        self._journal = journal
        kept = journal.lines(ACCESS_LOG)
        self.is_new = not kept
        if self.is_new or JOIN not in kept[-1]:  # a table of before has keys without it
            journal.append(ACCESS_LOG, {**_make_keys(), **(kept[-1] if kept else {})})
            kept = journal.lines(ACCESS_LOG)
        self.pin: str = kept[-1]["pin"]
        self._join: str = kept[-1][JOIN]
        self._tokens: dict[int, str] = {
            int(seat): token for seat, token in kept[-1]["tokens"].items()
        }
        self._url: Callable[[], str] = str
        self._table: TablePort | None = None

    def serve_at(self, url: Callable[[], str], table: TablePort) -> None:
        """Links begin with what `url` says at that moment, and this table says who is host."""
        self._url, self._table = url, table

    def who(self, bearer: str) -> Caller | None:
        """The caller that this token or PIN belongs to; None: nobody.

        Every key is compared, in constant time each, whichever fits.
        """
        seat, is_pin = self.holder(bearer), compare_digest(self.pin.encode(), _bytes(bearer))
        return Caller(referee=True, by="referee") if is_pin else seat

    def holder(self, token: str) -> Caller | None:
        """The seat that this token belongs to; None: none. It cannot be guessed, as a PIN can.

        The key of the table's one code is somebody without a seat, who may take one.
        """
        given = _bytes(token)
        if compare_digest(self._join.encode(), given):
            return Caller()
        fits = [seat for seat, key in self._tokens.items() if compare_digest(key.encode(), given)]
        if not fits:
            return None
        host = self._table.snapshot().host if self._table else None
        return Caller(seat=fits[0], host=fits[0] == host)

    def renew_pin(self) -> str:
        """A new PIN, kept; all other keys stay as they are.

        Raises:
            StorageError: it could not be kept.
        """
        kept = self._journal.lines(ACCESS_LOG)[-1]
        self.pin = str(_make_keys()["pin"])
        self._journal.append(ACCESS_LOG, {**kept, "pin": self.pin})
        return self.pin

    def token(self, seat: int) -> str:
        """The token of a seat."""
        return self._tokens[seat]

    def link(self, seat: int) -> str:
        """The link of a seat. The token is in its fragment, which no request line carries.

        Of the table it is that of its one code: it takes the next free seat, and no other.
        """
        if seat == TABLE:
            return f"{self._url()}/join#{self._join}"
        return f"{self._url()}/seat/{seat}#{self._tokens[seat]}"


def _bytes(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _make_keys() -> dict[str, object]:
    tokens = {str(seat): secrets.token_urlsafe(TOKEN_BYTES) for seat in SEATS}
    pin = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
    return {"pin": pin, "tokens": tokens, JOIN: secrets.token_urlsafe(TOKEN_BYTES)}


# -- who may say what -------------------------------------------------------------------------


def speaks(caller: Caller, command: Command, host: int | None, others: Collection[int] = ()) -> By:
    """Who gives a command, if it is for this caller to give: the seat's own device, host, referee.

    Args:
        host: the seat of the host, None while nobody has joined.
        others: the seats that may answer for others too.

    Raises:
        Forbidden: it is for the seat itself, the host, or the referee.

    >>> speaks(Caller(seat=1, by="seat"), Answer(3, "gear", 2), host=1)
    'host'
    """
    if caller.referee:
        return "referee"
    if isinstance(command, FromReferee):
        raise refused("not-referee")
    if caller.seat is None and not isinstance(command, Sit):
        raise refused("no-seat-yet")
    seat: int | None = getattr(command, "seat", None)  # None: it is about none
    if seat == TABLE and caller.seat is not None and isinstance(command, Answer | Retire):
        return caller.by
    is_host = caller.host or (caller.seat is not None and caller.seat == host)
    if isinstance(command, FromHost) and not is_host and caller.seat not in others:
        raise refused("not-host")
    if seat is None or seat == caller.seat:
        return caller.by
    if not is_host and caller.seat not in others:
        raise refused("other-seat", seat=seat)
    return caller.by if seat == TABLE else "host"  # or who acts as one: its own race is over


def helpers(outline: Outline, command: Command) -> Collection[int]:
    """The seats that may answer for others on their own screens.

    Those that have no part any more; the last one that races, to end it; and the seat on turn,
    where its screen has the list of all who roll because of its move.
    """
    if isinstance(command, End):
        return () if outline.alone is None else (outline.alone,)
    if not isinstance(command, Answer):
        return ()
    mover = {outline.mover} if outline.mover and KINDS[command.kind].by_mover else set()
    return outline.bystanders | mover
