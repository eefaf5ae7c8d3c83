"""The lobby as the page gets it: what is set, and all that there is to choose, in words."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views.lobby import options
from companion.views.lobby.tables import Switch
from companion.views.model import Lobby, Scene
from companion.views.words import LANGUAGES, words

Texts = Mapping[str, str]


def in_all(message: str) -> Texts:
    """A message in every language."""
    return {code: words(code)(message) for code in LANGUAGES}


def lobby_view(scene: Scene) -> dict[str, object] | None:
    """What is set for a race to be; only while nobody races."""
    lobby = scene.lobby
    if lobby is None or scene.state is not None:
        return None
    offered = options.offer(lobby.game)
    laps = options.laps_range(lobby)
    return {
        "joined": [{"seat": seat, "name": name} for seat, name in lobby.joined.items()],
        "bots": {str(seat): level for seat, level in lobby.bots.items()},
        "levels": list(lobby.levels.get(lobby.game, ())),
        "names": list(lobby.names),
        "game": lobby.game,
        "games": [{"name": name, "title": options.GAMES[name].title} for name in lobby.games],
        "track": lobby.track if offered.has_track else None,
        "tracks": list(lobby.tracks) if offered.has_track else [],
        "cards": list(lobby.cards),
        "titles": dict(lobby.titles),
        "laps": options.laps_of(lobby),
        "laps_range": [laps[0], laps[-1]],
        "pack": None if lobby.pack is None else lobby.pack["name"],
        "packs": [{"name": one.name, "about": one.about} for one in options.packs_of(lobby)],
        "options": _options(lobby),
        "switches": [_switch(lobby, switch) for switch in options.switches(lobby)],
        "powers": list(map(dict, lobby.powers)) if options.takes_powers(lobby) else None,
        "cars": {str(seat): _car(lobby, seat) for seat in lobby.seats},
        "crews": _crews(lobby) if offered.has_crews else None,
        "missing": [{"seat": seat, "key": key} for seat, key in options.missing(lobby)],
        "last": _last(lobby),
    }


def _last(lobby: Lobby) -> dict[str, object] | None:
    """The header of the race before; where it began may hold secrets, and it is of no use here."""
    if lobby.last is None:
        return None
    return {key: value for key, value in lobby.last.items() if key != "position"}


def _crews(lobby: Lobby) -> dict[str, list[str]]:
    drive = (seat for seat in lobby.seats if seat not in lobby.bots and seat in lobby.crews)
    return {str(seat): list(lobby.crews[seat]) for seat in drive}


def _options(lobby: Lobby) -> list[dict[str, object]]:
    return [
        {
            "name": option.name,
            "title": in_all(option.title),
            "says": in_all(option.says),
            "on": option.name in lobby.rules,
        }
        for option in options.offer(lobby.game).options
    ]


def _switch(lobby: Lobby, switch: Switch) -> dict[str, object]:
    now = options.value_of(lobby, switch)
    return {
        "name": switch.name,
        "title": in_all(switch.title),
        "value": now.name,
        "known": _known(lobby, switch) if switch.free else None,
        "fixed": options.is_fixed(lobby, switch),
        "values": [
            {"name": value.name, "label": in_all(value.label), "says": in_all(value.says)}
            for value in dict.fromkeys((*switch.values, now))
        ],
    }


def _known(lobby: Lobby, switch: Switch) -> list[str]:
    """Names for a setting that takes any: its own, and those of races that were."""
    names = (*(value.name for value in switch.values if value.name), *lobby.circuits)
    return list(dict.fromkeys(names))


def _car(lobby: Lobby, seat: int) -> list[dict[str, object]]:
    chosen = lobby.chosen.get(seat, {})
    return [
        {
            "key": key,
            "value": chosen.get(key),
            "choices": [_choice(key, value) for value in options.choices_for(lobby, key, seat)],
            "says": _says(lobby, chosen.get(key)) if key == "driver" else None,
        }
        for key in options.open_keys(lobby)
    ]


def _choice(key: str, value: object) -> dict[str, object]:
    label = {code: options.car_word(words(code), key, value) for code in LANGUAGES}
    return {"value": value, "label": label}


def _says(lobby: Lobby, value: object) -> Texts | None:
    drivers = options.offer(lobby.game).drivers
    return next((in_all(driver.says) for driver in drivers if driver.name == value), None)
