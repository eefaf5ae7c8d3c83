"""What a table may choose for its next race: the part of a game's choices that this version plays.

`offer` asks the game which optional rules and house switches it knows. All else here reads a
lobby: which settings stand open, which value each has, what a seat still has to say, and which
color its car has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from companion.rules.games import ROOMS, Rule, book_of, chapter_of, choices_of, fetch
from companion.rules.packs import COLORS, Pack, as_word, read_pack, share_out, with_pack
from companion.system.frozen import dataclass
from companion.views.model import JSON, Driver, GameOptions, Lobby, Option, Scene, Switch, Value
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
    return [switch for switch in offer(lobby.game).switches if _makes_sense(switch, lobby.rules)]


def _makes_sense(switch: Switch, rules: Collection[str]) -> bool:
    """Whether a switch has anything to settle where these optional rules are on."""
    return (not switch.needs or switch.needs in rules) and switch.unless not in rules


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
    return lobby.laps if lobby.laps is not None else _usual_laps(lobby.game, lobby.rules)


def _usual_laps(game: str, rules: Collection[str]) -> int:
    offered = offer(game)
    return [*(laps for rule, laps in offered.short_laps.items() if rule in rules), offered.laps[2]][
        0
    ]


def laps_range(lobby: Lobby) -> range:
    """The laps that may be chosen."""
    low, high, _ = offer(lobby.game).laps
    return range(low, high + 1)


def players_range(lobby: Lobby) -> range:
    """How many may play: as the game takes them, or as a rule that is on has it."""
    low, high = offer(lobby.game).players
    exact = next((option.players for option in on(lobby) if option.players is not None), None)
    return range(low, high + 1) if exact is None else range(exact, exact + 1)


def wanted(lobby: Lobby) -> list[str]:
    """What every seat must say: `team`, `driver`."""
    return [key for option in on(lobby) for key in option.wants]


def open_keys(lobby: Lobby) -> list[str]:
    """What a seat may say of its car, in the order of a screen."""
    keys = wanted(lobby) + [key for option in on(lobby) for key in option.opens]
    if not offer(lobby.game).has_track:  # colors are the game's own there
        return keys
    # In the streets there is no pit (FD-URBAN-1), in a first race no stop (FD-BASIC-14): no box.
    is_short = "basic" in lobby.rules and laps_of(lobby) == 1
    return [*keys, "color"] if is_short or "urban" in lobby.rules else [*keys, "box", "color"]


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


# -- the book of the table ------------------------------------------------------------------------

# What is in force in this race, or in the one that the lobby is setting up: rules by chapter
# (`book_of`), each with the house switches that change it.


@dataclass(frozen=True, slots=True)
class _Settled:
    """What is settled of a race, as its header or the lobby says it."""

    game: str
    rules: Collection[str]
    house: JSON
    laps: int
    seats: Sequence[JSON]
    pack: Pack | None


def book_view(scene: Scene, say: Words) -> dict[str, object]:
    """The book of the table: of each rule in force the sentence, our reading, where the box's book
    has it, and how the switches about it stand; `own` are those that are not as usual."""
    race = _settled(scene)
    offered, plays = offer(race.game), choices_of(race.game).house
    stand = {name: as_word(race.house.get(name, values[0])) for name, values in plays.items()}
    chapters = book_of(_words_of(race, stand))
    about: dict[str, list[JSON]] = {}
    for switch in offered.switches:
        if switch.house and _makes_sense(switch, race.rules):
            told = _stands(switch, stand[switch.name], plays[switch.name][0], say)
            about.setdefault(_home(switch.rule, chapters), []).append(told)
    pack = race.pack
    return {
        "game": say(offered.title),
        "laps": race.laps if offered.has_track else None,
        "rules": [say(one.title) for one in offered.options if one.name in race.rules],
        "pack": pack and {"name": pack.name, "about": pack.about, "source": pack.source},
        "chapters": [
            {"title": say(title), "rules": [_rule(r, about.get(r.id, []), say) for r in found]}
            for title, found in chapters.items()
        ],
    }


def _settled(scene: Scene) -> _Settled:
    lobby = scene.lobby or Lobby()
    if scene.header is not None:
        game, pack = str(scene.header["game"]), scene.header.get("pack")
        said: dict[str, Any] = dict(with_pack(scene.header, game))
        told = {} if scene.state is None else fetch(game).tell(scene.state)
        rules = said.get("rules", ())
        laps = told.get("laps") or said.get("laps") or _usual_laps(game, rules)
        played = None if pack is None else _pack(pack["toml"])
        return _Settled(game, rules, said.get("house", {}), laps, said["seats"], played)
    house = {one.name: value_of(lobby, one).name for one in switches(lobby) if one.house}
    # Who drives is not settled before the start: every driver may.
    seats: list[JSON] = [{"driver": one.name} for one in offer(lobby.game).drivers]
    seats += [{"bot": level} for level in lobby.bots.values()]
    return _Settled(lobby.game, lobby.rules, house, laps_of(lobby), seats, pack_of(lobby))


def _words_of(race: _Settled, stand: Mapping[str, object]) -> set[str]:
    """What is so of a race, as `book.toml` asks for it."""
    words = {race.game, *race.rules, *(f"{name}:{value}" for name, value in stand.items())}
    drivers = (str(seat["driver"]) for seat in race.seats if seat.get("driver"))
    words |= {driver.split()[0].lower() for driver in drivers}
    words |= {"entered" for seat in race.seats if seat.get("hand") or seat.get("bot")}
    if race.laps > 1:
        words |= {"laps"} if "urban" in race.rules else {"laps", "stops"}
    return words


def _stands(switch: Switch, now: object, usual: str, say: Words) -> JSON:
    value = next(one for one in switch.values if one.name == now)
    told = {"name": switch.name, "title": say(switch.title), "label": say(value.label)}
    return {**told, "says": say(value.says), "own": value.name != usual}


def _home(rule: str, chapters: Mapping[str, Sequence[Rule]]) -> str:
    """The rule in force beside which a switch about this one stands, where that is not in force the
    last of its chapter; "": what it is about is not played."""
    ids = [one.id for one in chapters.get(chapter_of(rule), ())]
    return rule if rule in ids else ids[-1] if ids else ""


def _rule(rule: Rule, switches: Sequence[JSON], say: Words) -> JSON:
    reading = say(rule.reading) if rule.reading else ""
    told = {"id": rule.id, "says": say(rule.title), "reading": reading, "box": rule.box}
    return {**told, "switches": switches}
