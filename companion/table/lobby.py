"""Setting up from the seats alone: press to join, a name, a game, a track, its rules, start.

A lobby is an immutable record; each word gives the next one or is refused. The first seat
that joined is the host, and its car is the first of the header. What the race itself is to
be like is `lobby_race`'s part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.advice.bots.levels import levels_of
from companion.record import name_in
from companion.table import lobby_crews, lobby_race
from companion.table.ports import JSON
from companion.table.refusals import bad_value, refused
from companion.views.model import Lobby

SEATS = tuple(range(1, 11))
NAME_LENGTH = 40
Word = Callable[[Lobby, int, object], Lobby]


def host_of(lobby: Lobby) -> int | None:
    """Who joined first, bots apart; None while nobody has."""
    return next((seat for seat in lobby.seats if seat not in lobby.bots), None)


def free_seat(lobby: Lobby, buttons: frozenset[int] = frozenset()) -> int:
    """The first seat that nobody has; one with buttons of its own only where no other is left,
    for whoever sits down before it would find it taken.

    Raises:
        Illegal: all ten are taken.
    """
    free = [seat for seat in SEATS if seat not in lobby.joined]
    if not free:
        raise refused("no-free-seat")
    return min(free, key=lambda seat: (seat in buttons, seat))


def act(lobby: Lobby, word: str, seat: int | None, value: object) -> Lobby:
    """The lobby after a word of a seat (None: of the page, where no seat is meant).

    Raises:
        Malformed: an unknown word, or a value that it does not take.
        Illegal: the seat has not joined, two go by one name, or want one thing.
    """
    if word in COMMON:
        return COMMON[word](lobby, seat or 0, value)
    if word not in OWN:
        raise refused("unknown-word", word=word)
    if seat not in SEATS:
        raise bad_value("seat", seat, "1 to 10")
    return OWN[word](lobby, seat, value)


def _join(lobby: Lobby, seat: int, value: object) -> Lobby:
    """Take a seat: under a name, or as the first guest that is free."""
    if seat in lobby.joined and value is None:
        return lobby
    name = _guest(lobby) if value is None else _name(lobby, seat, value)
    seats = lobby.seats if seat in lobby.joined else (*lobby.seats, seat)
    bots = {other: level for other, level in lobby.bots.items() if other != seat}
    return replace(lobby, seats=seats, joined={**lobby.joined, seat: name}, bots=bots)


def _bot(lobby: Lobby, seat: int, value: object) -> Lobby:
    """A bot of this level takes the seat, under the name of its level."""
    levels = levels_of(lobby.game)
    if not isinstance(value, str) or value not in levels:
        raise bad_value("bot", value, "one of " + ", ".join(levels))
    names, number, name = set(lobby.joined.values()), 1, value.capitalize()
    while name in names:
        number += 1
        name = f"{value.capitalize()} {number}"
    lobby = _join(lobby, seat, name)
    return replace(lobby, bots={**lobby.bots, seat: value})


def _leave(lobby: Lobby, seat: int, value: object) -> Lobby:
    return replace(
        lobby_crews.without_crew(lobby, seat),
        seats=tuple(other for other in lobby.seats if other != seat),
        joined={other: name for other, name in lobby.joined.items() if other != seat},
        chosen={other: car for other, car in lobby.chosen.items() if other != seat},
        bots={other: level for other, level in lobby.bots.items() if other != seat},
    )


def _rename(lobby: Lobby, seat: int, value: object) -> Lobby:
    check_joined(lobby, seat)
    named = _join(lobby, seat, _guest(lobby) if value is None else value)
    return replace(named, bots=lobby.bots)


def check_joined(lobby: Lobby, seat: int) -> None:
    """Refuse what a seat says of itself before it has joined."""
    if seat not in lobby.joined:
        raise refused("not-joined", seat=seat)


def _of_car(key: str) -> Word:
    """The word by which a seat says this of its car; None takes it back."""

    def say(lobby: Lobby, seat: int, value: object) -> Lobby:
        check_joined(lobby, seat)
        return lobby_race.say_of_car(lobby, seat, key, value)

    return say


def _crew(lobby: Lobby, seat: int, value: object) -> Lobby:
    check_joined(lobby, seat)
    return lobby_crews.choose_crew(lobby, seat, value)


def _same(lobby: Lobby, seat: int, value: object) -> Lobby:
    """Everything of the last race, its people too; who sat down meanwhile stays."""
    if lobby.last is None:
        raise refused("no-last-race")
    joined = dict(lobby.joined)
    for entry in lobby.last["seats"]:
        name = name_in(entry)
        if name not in joined.values():
            joined.setdefault(entry["seat"], name)
    seats = (*lobby.seats, *(other for other in joined if other not in lobby.seats))
    return lobby_race.as_last_time(replace(lobby, joined=joined, seats=seats), lobby.last)


def _guest(lobby: Lobby) -> str:
    taken = set(lobby.joined.values())
    return next(name for n in range(1, 12) if (name := f"guest {n}") not in taken)


def _name(lobby: Lobby, seat: int, value: object) -> str:
    name = plain_name("name", value)
    taken = any(name == taken for other, taken in lobby.joined.items() if other != seat)
    if taken or lobby_crews.is_in_a_crew(lobby, seat, name):
        raise refused("name-taken", name=name)
    return name


def plain_name(word: str, value: object) -> str:
    """A name as people write it, without the spaces around it."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        raise bad_value(word, value, f"1 to {NAME_LENGTH} letters")
    return " ".join(value.split())


OWN: Mapping[str, Word] = {
    "join": _join,
    "bot": _bot,
    "leave": _leave,
    "name": _rename,
    "crew": _crew,
    **{key: _of_car(key) for key in lobby_race.OF_CAR},
}
"""Words of a seat about itself and its car."""
COMMON: Mapping[str, Word] = {
    "game": lobby_race.choose_game,
    "track": lobby_race.choose_track,
    "laps": lobby_race.choose_laps,
    "option": lobby_race.choose_option,
    "switch": lobby_race.choose_switch,
    "pack": lobby_race.choose_pack,
    "powers": lobby_race.choose_powers,
    "same": _same,
}
"""Words about the race to come."""


def known_names(headers: Sequence[JSON]) -> tuple[str, ...]:
    """Everybody who drove in these races, crews too, the first header's people first."""
    seats = (entry for header in headers for entry in header["seats"])
    names = (name for seat in seats for name in (seat.get("name"), *(seat.get("crew") or ())))
    return tuple(dict.fromkeys(name for name in names if name and not name.startswith("guest ")))


def known_circuits(headers: Sequence[JSON]) -> tuple[str, ...]:
    """The boards that these races were on, by the names that their headers give them."""
    return tuple(dict.fromkeys(one["circuit"] for one in headers if one.get("circuit")))
