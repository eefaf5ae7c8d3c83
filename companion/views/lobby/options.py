"""What a table may choose for its next race: the part of the tables that this version plays.

`offer` asks the shelf which optional rules and house switches a game knows. All else here
reads a lobby: which settings stand open, which value each has, what a seat still has to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from companion.rules.games import choices_of
from companion.views.lobby.tables import (
    DRIVERS,
    GAMES,
    TEAM_SIZE,
    TEAMS_BY_COLOR,
    TIRES_TO_FIT,
    URBAN_LAPS,
    Driver,
    GameOptions,
    Option,
    Switch,
    Value,
)
from companion.views.model import Lobby
from companion.views.words import Words

BOXES = range(1, 11)


@cache
def offer(game: str) -> GameOptions:
    """What a game of the shelf lets a table choose, as far as this version plays it."""
    told, plays = GAMES[game], choices_of(game)
    return replace(
        told,
        options=tuple(one for one in told.options if one.name in plays.optional_rules),
        switches=tuple(one for one in told.switches if not one.house or one.name in plays.house),
    )


def on(lobby: Lobby) -> list[Option]:
    """The optional rules that are on."""
    return [option for option in offer(lobby.game).options if option.name in lobby.rules]


def excluded_by(game: str, name: str) -> set[str]:
    """The rules that are not played together with this one, whichever of the two says so."""
    options = offer(game).options
    return {
        other.name
        for other in options
        for option in options
        if option.name == name and (other.name in option.excludes or name in other.excludes)
    }


def switches(lobby: Lobby) -> list[Switch]:
    """The settings that make sense with the rules that are on."""
    return [
        switch
        for switch in offer(lobby.game).switches
        if (not switch.needs or switch.needs in lobby.rules) and switch.unless not in lobby.rules
    ]


def value_of(lobby: Lobby, switch: Switch) -> Value:
    """What a setting is set to."""
    name = lobby.switches.get(switch.name)
    return next((value for value in switch.values if value.name == name), switch.values[0])


def laps_of(lobby: Lobby) -> int:
    """The laps of the race to be: as chosen, else as many as is usual."""
    usual = URBAN_LAPS if "urban" in lobby.rules else offer(lobby.game).laps[2]
    return usual if lobby.laps is None else lobby.laps


def laps_range(lobby: Lobby) -> range:
    """The laps that may be chosen."""
    low, high, _ = offer(lobby.game).laps
    return range(low, high + 1)


def wanted(lobby: Lobby) -> list[str]:
    """What every seat must say: `team`, `driver`."""
    return [key for option in on(lobby) for key in option.wants]


def open_keys(lobby: Lobby) -> list[str]:
    """What a seat may say of its car, in the order of a screen."""
    keys = wanted(lobby) + [key for option in on(lobby) for key in option.opens]
    boxes = offer(lobby.game).has_track and "urban" not in lobby.rules
    return [*keys, "box"] if boxes else keys


def missing(lobby: Lobby) -> list[tuple[int, str]]:
    """What seats have not said yet and must: seat and key, in the order of joining."""
    return [
        (seat, key)
        for seat in lobby.seats
        for key in wanted(lobby)
        if key not in lobby.chosen.get(seat, {})
    ]


def taken(lobby: Lobby, key: str, seat: int) -> list[Any]:
    """What the other seats have said to this."""
    others = (said for other, said in lobby.chosen.items() if other != seat)
    return [said[key] for said in others if key in said]


def drivers(lobby: Lobby, seat: int) -> list[Driver]:
    """The drivers that a seat may have: nobody else's (FD-URBAN-1)."""
    gone = taken(lobby, "driver", seat)
    return [
        driver
        for driver in DRIVERS
        if driver.name not in gone and (not driver.needs or driver.needs in lobby.rules)
    ]


def teams(lobby: Lobby, seat: int) -> list[str]:
    """The teams that a seat may join: the five colors and those named otherwise, not full."""
    others = taken(lobby, "team", seat)
    known = dict.fromkeys((*TEAMS_BY_COLOR, *others))
    return [team for team in known if others.count(team) < TEAM_SIZE]


def boxes(lobby: Lobby, seat: int) -> list[int]:
    """The boxes that no other seat has asked for."""
    return [box for box in BOXES if box not in taken(lobby, "box", seat)]


def choices_for(lobby: Lobby, key: str, seat: int) -> list[Any]:
    """What a seat may say to one of `open_keys`."""
    told: Mapping[str, Any] = {
        "team": lambda: teams(lobby, seat),
        "driver": lambda: [driver.name for driver in drivers(lobby, seat)],
        "tires": lambda: list(TIRES_TO_FIT),
        "box": lambda: boxes(lobby, seat),
    }
    found: list[Any] = told[key]()
    return found


def car_word(say: Words, key: str, value: object) -> str:
    """What a seat says of its car, in words."""
    known = {"team": TEAMS_BY_COLOR, "tires": TIRES_TO_FIT}.get(key, {})
    return say(known[str(value)]) if value in known else str(value)
