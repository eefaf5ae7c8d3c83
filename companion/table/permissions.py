"""Who may say what: a seat for itself, the host for every seat, the referee everything.

The host is the first seat of the race, or the first that joined. A seat that has no part to play
any more may answer for the others on its own screen. Anybody else needs the PIN for that;
whatever is answered, the record says by whom.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.rules.commands import Answer, Retire
from companion.rules.game import Outline
from companion.rules.games import KINDS
from companion.table.commands import Command, FromHost, FromReferee
from companion.table.ports import By, Caller
from companion.table.refusals import refused

TABLE = 0
"""The seat of what a game asks the whole table: anybody who has a seat may answer for it."""


def is_host(caller: Caller, host: int | None) -> bool:
    """Whether the caller may act for every seat."""
    return caller.referee or caller.host or (caller.seat is not None and caller.seat == host)


def seat_of(command: Command) -> int | None:
    """The seat that a command is about; None: about none."""
    seat: int | None = getattr(command, "seat", None)
    return seat


def helpers(outline: Outline, command: Command) -> Collection[int]:
    """The seats that may answer for others on their own screens.

    Those that have no part any more; and the seat on turn, where its screen has the list of all
    who roll because of its move.
    """
    if not isinstance(command, Answer):
        return ()
    mover = {outline.mover} if outline.mover and KINDS[command.kind].by_mover else set()
    return outline.bystanders | mover


def check(caller: Caller, command: Command, host: int | None, others: Collection[int] = ()) -> None:
    """Refuse a command that is not for this caller to give.

    Args:
        host: the seat of the host, None while nobody has joined.
        others: the seats that may answer for others too.

    Raises:
        Forbidden: it is for the seat itself, the host, or the referee.
    """
    if caller.referee:
        return
    if isinstance(command, FromReferee):
        raise refused("not-referee")
    seat = seat_of(command)
    if seat == TABLE and caller.seat is not None and isinstance(command, Answer | Retire):
        return
    if isinstance(command, FromHost) and not is_host(caller, host):
        raise refused("not-host")
    if seat is None or seat == caller.seat or is_host(caller, host):
        return
    if caller.seat not in others:
        raise refused("other-seat", seat=seat)


def given_by(caller: Caller, seat: int | None) -> By:
    """The `by` of a line about this seat (None: about none): its own device, host or referee.

    >>> given_by(Caller(seat=1, by="seat"), 3)
    'host'
    """
    if caller.referee:
        return "referee"
    if seat is None or seat in (TABLE, caller.seat):
        return caller.by
    return "host"  # or whoever acts as one: a seat whose own race is over
