"""Crews before a race: several who drive the car of one seat, each of whom the league counts.

A crew is kept while it has no meaning (in a game without crews, or where a bot has taken the
seat over): who goes back finds it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.record import name_in
from companion.table.ports import JSON
from companion.table.refusals import refused
from companion.views.lobby import options
from companion.views.model import Lobby

Crews = Mapping[int, tuple[str, ...]]


def choose_crew(lobby: Lobby, seat: int, value: object) -> Lobby:
    """Who drives the car of a seat: a list of names; None: whoever sits there alone.

    Raises:
        Illegal: this game has no crews, a bot drives, or somebody sits or drives elsewhere too.
        Malformed: it is no list of names.
    """
    if not options.offer(lobby.game).has_crews or seat in lobby.bots:
        raise refused("not-open", key="crew")
    from companion.rules.formula.header import read_crew  # no start without it needs it

    names = [" ".join(name.split()) for name in read_crew(value or None)]
    for number, name in enumerate(names):
        if name in names[:number] or _drives_elsewhere(lobby, seat, name):
            raise refused("name-taken", name=name)
    left = without_crew(lobby, seat)
    return replace(left, crews={**left.crews, seat: tuple(names)}) if names else left


def _drives_elsewhere(lobby: Lobby, seat: int, name: str) -> bool:
    others = (other for other, joined in lobby.joined.items() if joined == name)
    return any(other != seat for other in others) or is_in_a_crew(lobby, seat, name)


def is_in_a_crew(lobby: Lobby, seat: int, name: str) -> bool:
    """Whether somebody is in the crew of another seat."""
    return any(name in crew for other, crew in lobby.crews.items() if other != seat)


def without_crew(lobby: Lobby, seat: int) -> Lobby:
    """The lobby after somebody has left the seat, and the crew with him."""
    left = {other: crew for other, crew in lobby.crews.items() if other != seat}
    return replace(lobby, crews=left)


def that_drive(lobby: Lobby) -> Crews:
    """The crews as the race to be has them, by seat."""
    if not options.offer(lobby.game).has_crews:
        return {}
    drive = (seat for seat in lobby.seats if seat not in lobby.bots)
    return {seat: lobby.crews[seat] for seat in drive if lobby.crews.get(seat)}


def as_last_time(lobby: Lobby, last: JSON) -> Crews:
    """The crews of an earlier race, of those who sit where they sat then."""
    return {
        entry["seat"]: tuple(entry["crew"])
        for entry in last["seats"]
        if entry.get("crew") and lobby.joined.get(entry["seat"]) == name_in(entry)
    }
