"""What a table may choose for its next race: the part of a game's choices that this version plays.

`offer` asks the game which optional rules and house switches it knows. All else here reads a
lobby: which settings stand open, which value each has, what a seat still has to say, and which
color its car has.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module

from companion.rules.games import ROOMS, choices_of
from companion.rules.packs import COLORS, Pack, read_pack, share_out
from companion.views.model import Driver, GameOptions, Lobby, Option, Scene, Switch, Value
from companion.views.screen import once
from companion.views.words import COLOR_WORDS, Words

GAMES: dict[str, GameOptions] = {
    options.name: options
    for room in ROOMS
    for options in import_module(f"companion.views.{room}.options").GAMES
}
"""What each game lets a table choose, by its name."""


@cache
def offer(game: str) -> GameOptions:
    """What a known game lets a table choose, as far as this version plays it."""
    known, plays = GAMES[game], choices_of(game)
    all_switches = known.switches + known.house()
    return replace(
        known,
        options=tuple(one for one in known.options if one.name in plays.optional_rules),
        switches=tuple(one for one in all_switches if not one.house or one.name in plays.house),
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


def is_fixed(lobby: Lobby, switch: Switch) -> bool:
    """Whether a setting has to be what a bot that plays needs."""
    return bool(lobby.bots) and bool(switch.with_bots)


def value_of(lobby: Lobby, switch: Switch) -> Value:
    """What a setting is set to, or has to be where a bot plays."""
    name = switch.with_bots if is_fixed(lobby, switch) else lobby.switches.get(switch.name, "")
    own = (Value(name, name, switch.free),) if switch.free and name else ()
    return next((value for value in (*switch.values, *own) if value.name == name), switch.values[0])


def takes_powers(lobby: Lobby) -> bool:
    """Whether powers that are not in the box may be named."""
    return offer(lobby.game).own_powers and "no-powers" not in lobby.rules


# -- three cards ----------------------------------------------------------------------------------

CARDS = ("first", "full", "club")


def of_first_race() -> tuple[tuple[str, ...], int | None]:
    """Rules and laps of a first race: the box's own first booklet where this version has it."""
    is_known = any(option.name == "basic" for option in offer("formula-d").options)
    return (("basic",), None) if is_known else ((), 1)


def card_of(lobby: Lobby) -> str:
    """Which card the lobby is, whatever was changed beside it; "" for another game or book."""
    if lobby.game == "formula-d" and lobby.pack is None:
        rules, laps = of_first_race()
        if set(rules) & set(lobby.rules) or (not rules and laps == lobby.laps and not lobby.rules):
            return "first"
    last = lobby.last or {}
    now = (lobby.game, [*lobby.rules], lobby.pack)
    is_plain = now == ("formula-d", [], None)
    if (last.get("game"), last.get("rules") or [], last.get("pack")) == now and not is_plain:
        return "club"
    return "full" if lobby.game == "formula-d" and lobby.pack is None else ""


# -- what is played -------------------------------------------------------------------------------

_pack = cache(read_pack)


def pack_of(lobby: Lobby) -> Pack | None:
    """The rules pack that is played; None where there is none, or it is for another game."""
    pack = None if lobby.pack is None else _pack(lobby.pack["toml"])
    return pack if pack is not None and pack.game == lobby.game else None


def packs_of(lobby: Lobby) -> list[Pack]:
    """The packs that this table may play."""
    packs = map(_pack, lobby.packs.values())
    return [pack for pack in packs if pack.game in lobby.games]


def laps_of(lobby: Lobby) -> int:
    """The laps of the race to be: as chosen, else as many as is usual."""
    offered = offer(lobby.game)
    short = [laps for rule, laps in offered.short_laps.items() if rule in lobby.rules]
    return lobby.laps if lobby.laps is not None else [*short, offered.laps[2]][0]


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
    if not offer(lobby.game).has_track:  # colors are the game's own there
        return keys
    # In the streets there is no pit (FD-URBAN-1), and so no box to choose.
    return [*keys, "color"] if "urban" in lobby.rules else [*keys, "box", "color"]


def missing(lobby: Lobby) -> list[tuple[int, str]]:
    """What seats have not said yet and must: seat and key, in the order of joining."""
    return [
        (seat, key)
        for seat in lobby.seats
        for key in wanted(lobby)
        if key not in lobby.chosen.get(seat, {})
    ]


def taken(lobby: Lobby, key: str, seat: int) -> list[str | int]:
    """What the other seats have said to this."""
    others = (chosen for other, chosen in lobby.chosen.items() if other != seat)
    return [chosen[key] for chosen in others if key in chosen]


def drivers(lobby: Lobby, seat: int) -> list[Driver]:
    """The drivers that a seat may have: nobody else's (FD-URBAN-1)."""
    gone = taken(lobby, "driver", seat)
    return [
        driver
        for driver in offer(lobby.game).drivers
        if driver.name not in gone and (not driver.needs or driver.needs in lobby.rules)
    ]


def teams(lobby: Lobby, seat: int) -> list[str | int]:
    """The teams that a seat may join: those there are and those named otherwise, not full."""
    offered, others = offer(lobby.game), taken(lobby, "team", seat)
    known = dict.fromkeys((*offered.teams, *others))
    return [team for team in known if others.count(team) < offered.team_size]


def choices_for(lobby: Lobby, key: str, seat: int) -> list[str | int]:
    """What a seat may say to one of `open_keys`."""
    offered = offer(lobby.game)
    match key:
        case "team":
            return teams(lobby, seat)
        case "driver":
            return [driver.name for driver in drivers(lobby, seat)]
        case "tires":
            return list(offered.tires)
        case "color":
            return [color for color in COLORS if color not in taken(lobby, "color", seat)]
    return [box for box in offered.boxes if box not in taken(lobby, "box", seat)]


_CAR_WORDS: dict[tuple[str, object], str] = {
    (key, value): words
    for game in GAMES.values()
    for key, known in (("team", game.teams), ("tires", game.tires), ("color", COLOR_WORDS))
    for value, words in known.items()
}


def car_word(say: Words, key: str, value: object) -> str:
    """What a seat says of its car, in words."""
    words = _CAR_WORDS.get((key, value))
    return say(words) if words else str(value)


# -- the colors of the cars -----------------------------------------------------------------------


def color_of(scene: Scene, seat: int) -> str:
    """The color of a seat's car: as its header or the lobby has it, else that of its seat."""
    return once(scene, _colors).get(seat) or share_out([seat], {})[seat]


def _colors(scene: Scene) -> dict[int, str]:
    if scene.header is not None:
        seats = scene.header["seats"]
        chosen = {one["seat"]: one["color"] for one in seats if one.get("color")}
        return share_out([one["seat"] for one in seats], chosen)
    lobby = scene.lobby
    return {} if lobby is None else colors(lobby)


def colors(lobby: Lobby) -> dict[int, str]:
    """The color of every seat that has joined, as far as it was chosen or follows from that."""
    chosen = {seat: str(car["color"]) for seat, car in lobby.chosen.items() if "color" in car}
    return share_out(lobby.seats, chosen)
