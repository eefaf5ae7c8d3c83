"""Who may say what: a seat for itself, the host for every seat, the referee everything.

The host is the first seat of the race, or the first that joined. A seat whose own car is out or
home may be the steward and answer for the others. Anybody else needs the PIN for that; whatever
is answered, the record says by whom.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.table import refusals
from companion.table.ports import JSON, By, Caller

REFEREE_LINES = frozenset({"undo", "amend", "answers", "correct", "return"})
HOST_LINES = frozenset({"new", "end", "note"})
HOST_WORDS = frozenset({"open", "close", "boards"})
NOT_ANSWERS = frozenset({"new", "note", "table"})
HOME = ("finished", "out")
TABLE = 0
"""The seat of what a game asks the whole table: anybody who has a seat may answer for it."""


def is_host(caller: Caller, host: int | None) -> bool:
    """Whether the caller may act for every seat."""
    return caller.referee or caller.host or (caller.seat is not None and caller.seat == host)


def free_seats(state: JSON, line: JSON) -> set[int]:
    """Seats that may answer for others on their own screens.

    Those whose car has come home or is out, or who have left the game: their people may be
    stewards. And for a black die the mover, whose screen has the list of all who roll because
    of the move.
    """
    free = {car["seat"] for car in state.get("cars", {}).values() if car.get("status") in HOME}
    free |= {int(seat) for seat, one in state.get("players", {}).items() if one.get("left")}
    return free | {state["turn"]} if "black" in line and state.get("turn") else free


def check_may_say(caller: Caller, line: JSON, host: int | None, free: Collection[int] = ()) -> None:
    """Refuse a line that is not for this caller to say.

    Args:
        host: the seat of the host, None while nobody has joined.
        free: seats that have no car to drive any more; they may answer for others too.

    Raises:
        Forbidden: it is for the seat itself, the host, or the referee.
    """
    if caller.referee:
        return
    if not REFEREE_LINES.isdisjoint(line):
        raise refusals.not_referee()
    seat = line.get("seat")
    if seat == TABLE and caller.seat is not None and NOT_ANSWERS.isdisjoint(line):
        return
    hosts_only = not HOST_LINES.isdisjoint(line) or line.get("table") in HOST_WORDS
    if hosts_only and not is_host(caller, host):
        raise refusals.not_host()
    if seat is None or seat == caller.seat or is_host(caller, host):
        return
    if caller.seat not in free or "retire" in line or "table" in line:
        raise refusals.not_yours(seat)


def said_by(caller: Caller, seat: int | None, host: int | None) -> By:
    """The `by` of a line about this seat (None: about none): its own device, host or referee.

    >>> said_by(Caller(seat=1, by="seat"), 3, host=1)
    'host'
    """
    if caller.referee:
        return "referee"
    if seat is None or seat in (TABLE, caller.seat):
        return caller.by
    return "host"  # or whoever acts as one: a steward whose own race is over
