"""Setting up from the seats alone: press to join, a name, a track, laps, start.

A lobby is an immutable record; each word gives the next one or is refused. The first seat
that joined is the host, and its car is the first of the header.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.errors import Illegal
from companion.table import refusals
from companion.table.ports import JSON
from companion.views.model import Lobby

SEATS = tuple(range(1, 11))
NAME_LENGTH = 40
LAPS = range(1, 11)
GAME = "formula-d"
Word = Callable[[Lobby, int, Any], Lobby]


def host_of(lobby: Lobby) -> int | None:
    """Who joined first; None while nobody has."""
    return lobby.seats[0] if lobby.seats else None


def act(lobby: Lobby, word: str, seat: int | None, value: Any) -> Lobby:
    """The lobby after a word of a seat (None: of the page, where no seat is meant).

    Raises:
        Malformed: an unknown word, or a value that it does not take.
        Illegal: the seat has not joined, or two go by one name.
    """
    if word in COMMON:
        return COMMON[word](lobby, seat or 0, value)
    if word not in OWN:
        raise refusals.unknown_word(word)
    if seat not in SEATS:
        raise refusals.bad_value("seat", seat, "1 to 10")
    return OWN[word](lobby, seat, value)


def header_of(lobby: Lobby) -> dict[str, Any]:
    """The header of the race that this lobby starts; the grid is rolled for.

    Raises:
        Illegal: nobody has joined.
    """
    if not lobby.seats:
        raise Illegal("nobody-joined", "nobody has joined; press any button of a seat to join")
    seats = [
        {"seat": seat, "name": lobby.joined[seat], "player": lobby.joined[seat]}
        for seat in lobby.seats
    ]
    return {"game": GAME, "track": lobby.track, "laps": lobby.laps, "seats": seats}


def _join(lobby: Lobby, seat: int, value: Any) -> Lobby:
    """Take a seat: under a name, or as the first guest that is free."""
    if seat in lobby.joined and value is None:
        return lobby
    name = _guest(lobby) if value is None else _name(lobby, seat, value)
    seats = lobby.seats if seat in lobby.joined else (*lobby.seats, seat)
    return replace(lobby, seats=seats, joined={**lobby.joined, seat: name})


def _leave(lobby: Lobby, seat: int, value: Any) -> Lobby:
    joined = {other: name for other, name in lobby.joined.items() if other != seat}
    return replace(lobby, seats=tuple(s for s in lobby.seats if s != seat), joined=joined)


def _rename(lobby: Lobby, seat: int, value: Any) -> Lobby:
    if seat not in lobby.joined:
        raise Illegal("not-joined", f"seat {seat} has not joined", args={"seat": seat})
    return _join(lobby, seat, _guest(lobby) if value is None else value)


def _track(lobby: Lobby, seat: int, value: Any) -> Lobby:
    if value not in lobby.tracks:
        raise refusals.bad_value("track", value, "one of " + ", ".join(lobby.tracks))
    return replace(lobby, track=value)


def _laps(lobby: Lobby, seat: int, value: Any) -> Lobby:
    if isinstance(value, bool) or not isinstance(value, int) or value not in LAPS:
        raise refusals.bad_value("laps", value, "1 to 10")
    return replace(lobby, laps=value)


def _same(lobby: Lobby, seat: int, value: Any) -> Lobby:
    """Track, laps and people of the last race; who sat down meanwhile stays."""
    if lobby.last is None:
        raise Illegal("no-last-race", "there was no race before this one")
    joined = dict(lobby.joined)
    for entry in lobby.last["seats"]:
        if entry["name"] not in joined.values():
            joined.setdefault(entry["seat"], entry["name"])
    track = lobby.last.get("track")
    return replace(
        lobby,
        joined=joined,
        seats=(*lobby.seats, *(seat for seat in joined if seat not in lobby.seats)),
        track=track if track in lobby.tracks else lobby.track,
        laps=lobby.last.get("laps", lobby.laps),
    )


def _guest(lobby: Lobby) -> str:
    taken = set(lobby.joined.values())
    return next(name for n in range(1, 12) if (name := f"guest {n}") not in taken)


def _name(lobby: Lobby, seat: int, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        raise refusals.bad_value("name", value, f"1 to {NAME_LENGTH} letters")
    name = " ".join(value.split())
    if any(name == taken for other, taken in lobby.joined.items() if other != seat):
        raise Illegal("name-taken", f"{name!r} sits here already", args={"name": name})
    return name


OWN: Mapping[str, Word] = {"join": _join, "leave": _leave, "name": _rename}
"""Words of a seat about itself."""
COMMON: Mapping[str, Word] = {"track": _track, "laps": _laps, "same": _same}
"""Words about the race to come."""


def known_names(headers: Sequence[JSON]) -> tuple[str, ...]:
    """Everybody who drove in these races, the first header's people first."""
    names = (entry["name"] for header in headers for entry in header["seats"])
    return tuple(dict.fromkeys(name for name in names if not name.startswith("guest ")))
