"""Setting up from the seats alone: press to join, a name, a game, a track, its rules, start.

A lobby is an immutable record; each word gives the next one or is refused. The first seat
that joined is the host, and its car is the first of the header.

What there is to choose comes from `views.options`; nothing is kept that the game, the rules
that are on or the seats make meaningless, so a header is refused only for what is missing, and
that in words, before the race begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from companion.advice.bots.levels import has_level, level_name, levels_of
from companion.race.engine import TABLE
from companion.race.record import name_in
from companion.rules.games import choices_of
from companion.rules.lines import NAME_LENGTH, Illegal, Line, is_written, read_name
from companion.rules.packs import Pack, read_pack
from companion.table.ports import JSON, bad_value, refused
from companion.views import options
from companion.views.model import NO_BOARD, Lobby

OF_CAR = ("team", "driver", "tires", "box", "color")
"""What a seat may say of its car."""
SEATS = tuple(range(1, 11))
Word = Callable[[Lobby, int, object], Lobby]


def host_of(lobby: Lobby) -> int | None:
    """Who joined first, bots apart; None while nobody has."""
    return next((seat for seat in lobby.seats if seat not in lobby.bots), None)


def as_usual(lobby: Lobby) -> Lobby:
    """With the rules that a new table is offered: of Formula D those of the box's first booklet."""
    return replace(lobby, rules=options.GAMES[lobby.game].rules)


def free_seat(lobby: Lobby, buttons: frozenset[int] = frozenset()) -> int:
    """The first seat that nobody has; one with buttons of its own only if no other is left, or
    whoever sits down in front of those would find them taken.

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
    # Whoever joins by hand takes the seat over from its bot.
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
        _without_crew(lobby, seat),
        seats=tuple(other for other in lobby.seats if other != seat),
        joined={other: name for other, name in lobby.joined.items() if other != seat},
        chosen={other: car for other, car in lobby.chosen.items() if other != seat},
        bots={other: level for other, level in lobby.bots.items() if other != seat},
    )


def _rename(lobby: Lobby, seat: int, value: object) -> Lobby:
    _check_joined(lobby, seat)
    named = _join(lobby, seat, _guest(lobby) if value is None else value)
    # `_join` takes the seat away from a bot, but one that gets another name is still one.
    return replace(named, bots=lobby.bots)


def _check_joined(lobby: Lobby, seat: int) -> None:
    """Refuse what a seat says of itself before it has joined."""
    if seat not in lobby.joined:
        raise refused("not-joined", seat=seat)


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
    return _as_last_time(replace(lobby, joined=joined, seats=seats), lobby.last)


def _guest(lobby: Lobby) -> str:
    taken = set(lobby.joined.values())
    # Ten seats hold ten of these names at most, so one of eleven is free.
    return next(name for n in range(1, 12) if (name := f"guest {n}") not in taken)


def _name(lobby: Lobby, seat: int, value: object) -> str:
    name = plain_name("name", value)
    taken = any(name == taken for other, taken in lobby.joined.items() if other != seat)
    if taken or _is_in_a_crew(lobby, seat, name):
        raise refused("name-taken", name=name)
    return name


def plain_name(word: str, value: object) -> str:
    """A name as people write it, without the spaces around it."""
    if not isinstance(value, str) or not value.strip() or len(value) > NAME_LENGTH:
        raise bad_value(word, value, f"1 to {NAME_LENGTH} letters")
    if not is_written(value.strip()):
        raise bad_value(word, value, f"1 to {NAME_LENGTH} letters that can be seen")
    return " ".join(value.split())


# -- the race to be -------------------------------------------------------------------------------


def _choose_game(lobby: Lobby, seat: int, value: object) -> Lobby:
    """Another game; of what was set stays what the two have in common, else what is usual there."""
    if not isinstance(value, str) or value not in lobby.games:
        raise bad_value("game", value, "one of " + ", ".join(lobby.games))
    if value == lobby.game:
        return lobby
    there = options.offer(value)
    both = tuple(one.name for one in there.options if one.name in lobby.rules)
    return _tidy(replace(lobby, game=value, laps=None, rules=both or there.rules))


def _choose_card(lobby: Lobby, seat: int, value: object) -> Lobby:
    """What most tables want, in one word: their first race, the whole game, or as they always do.

    Raises:
        Malformed: there is no such card.
        Illegal: nobody has raced here before.
    """
    if value == "club":
        if lobby.last is None:
            raise refused("no-last-race")
        return _as_last_time(lobby, lobby.last)
    if value not in options.CARDS:
        raise bad_value("card", value, "one of " + ", ".join(options.CARDS))
    rules, laps = options.of_first_race() if value == "first" else ((), None)
    plain = replace(lobby, game="formula-d", pack=None, switches={}, powers=())
    return _tidy(replace(plain, rules=rules, laps=laps))


def _choose_track(lobby: Lobby, seat: int, value: object) -> Lobby:
    """The board."""
    value = NO_BOARD if value is None else value
    if value not in lobby.tracks:
        known = ", ".join(track or "null" for track in lobby.tracks)
        raise bad_value("track", value, "one of " + known)
    return replace(lobby, track=value)


def _choose_pack(lobby: Lobby, seat: int, value: object) -> Lobby:
    """A rules pack by its name, with all that it says of the race; None: none.

    What no pack says (grid, start, weather) stays as it is; what is set without it stays as the
    pack had it.
    """
    if value is None:
        return replace(lobby, pack=None)
    if not isinstance(value, str) or value not in lobby.packs:
        raise bad_value("pack", value, "one of " + ", ".join(lobby.packs))
    pack = read_pack(lobby.packs[value])
    if pack.game not in lobby.games:
        raise bad_value("pack", value, "a pack for one of " + ", ".join(lobby.games))
    kept_as = {"name": pack.name, "toml": lobby.packs[value]}
    lobby = replace(lobby, game=pack.game, pack=kept_as, laps=pack.laps)
    of_header = [one.name for one in options.offer(pack.game).switches if not one.house]
    kept = {name: one for name, one in lobby.switches.items() if name in of_header}
    return _tidy(replace(lobby, rules=pack.rules or (), switches={**kept, **pack.house}))


def _choose_laps(lobby: Lobby, seat: int, value: object) -> Lobby:
    """How many laps; None is as many as is usual."""
    known = options.laps_range(lobby)
    # Not `isinstance`, which takes true for 1.
    if value is not None and (type(value) is not int or value not in known):
        raise bad_value("laps", value, f"{known[0]} to {known[-1]}")
    return replace(lobby, laps=value)


def _choose_option(lobby: Lobby, seat: int, value: object) -> Lobby:
    """An optional rule on or off: `{"name", "on"}`. What it excludes goes off with it."""
    data = value if isinstance(value, Mapping) else {}
    name, on = data.get("name"), data.get("on")
    known = [option.name for option in options.offer(lobby.game).options]
    if name not in known:
        raise bad_value("option", name, "one of " + ", ".join(known))
    if type(on) is not bool:
        raise bad_value("option", on, "on or off: true or false")
    if not on:
        return _tidy(replace(lobby, rules=tuple(rule for rule in lobby.rules if rule != name)))
    assert isinstance(name, str)
    gone = options.excluded_by(lobby.game, name)
    rules = (*(rule for rule in lobby.rules if rule not in gone), name)
    return _tidy(replace(lobby, rules=rules))


def _choose_switch(lobby: Lobby, seat: int, value: object) -> Lobby:
    """A setting: `{"name", "value"}`."""
    data = value if isinstance(value, Mapping) else {}
    found = [switch for switch in options.switches(lobby) if switch.name == data.get("name")]
    if not found:
        known = ", ".join(switch.name for switch in options.switches(lobby))
        raise bad_value("switch", data.get("name"), f"one of {known}")
    names, chosen = [one.name for one in found[0].values], data.get("value")
    if options.is_fixed(lobby, found[0]) and chosen != found[0].with_bots:
        raise refused("bots-need", value=found[0].with_bots)
    if chosen not in names and found[0].free:
        chosen = " ".join(read_name(chosen, found[0].name).split())
    elif chosen not in names:
        raise bad_value(found[0].name, chosen, "one of " + ", ".join(names))
    assert isinstance(chosen, str)
    return _tidy(replace(lobby, switches={**lobby.switches, found[0].name: chosen}))


def _choose_powers(lobby: Lobby, seat: int, value: object) -> Lobby:
    """The table's own powers, as a header has them: `[{"name", "reminder"}]`.

    Raises:
        Illegal: nobody has a power in this game.
        Malformed: one has no name, two have one, a reminder is too long.
    """
    read = choices_of(lobby.game).powers
    if read is None or not options.takes_powers(lobby):
        raise refused("not-open", key="powers")
    powers = ({"name": one.name, "reminder": one.reminder} for one in read(value))
    return replace(lobby, powers=tuple(powers))


def _say_of_car(key: str, lobby: Lobby, seat: int, value: object) -> Lobby:
    """What a seat says of its car; None takes it back.

    Raises:
        Malformed: no rule that is on asks for it, or there is no such thing.
        Illegal: the seat has not joined, another one has it, or the team is full.
    """
    _check_joined(lobby, seat)
    chosen = {other: one for other, one in lobby.chosen.get(seat, {}).items() if other != key}
    if value is not None:
        chosen[key] = _read_of_car(lobby, seat, key, value)
    return _tidy(replace(lobby, chosen={**lobby.chosen, seat: chosen}))


TEXT_LENGTH = 40


def _read_of_car(lobby: Lobby, seat: int, key: str, value: object) -> str | int:
    if key not in options.open_keys(lobby):
        raise refused("not-open", key=key)
    known = options.choices_for(lobby, key, seat)
    if isinstance(value, str | int) and not isinstance(value, bool):
        if value in known:
            return value
        if value in options.taken(lobby, key, seat):
            raise Illegal("car-taken", f"the {key} {value!r} is taken", args={"value": value})
    if key == "team" and isinstance(value, str) and 1 <= len(value.strip()) <= TEXT_LENGTH:
        return value
    raise bad_value(key, value, "one of " + ", ".join(map(str, known)))


def _tidy(lobby: Lobby) -> Lobby:
    """The lobby without what no longer has a meaning."""
    offered = options.offer(lobby.game)
    # Rules first: the settings, and what a car may say, depend on which of them are on.
    rules = tuple(option.name for option in offered.options if option.name in lobby.rules)
    lobby = _without_strangers(replace(lobby, rules=rules))
    set_to = {one.name: (options.value_of(lobby, one), one) for one in options.switches(lobby)}
    switches = {
        name: now.name
        for name, (now, switch) in set_to.items()
        if name in lobby.switches and now is not switch.values[0]
    }
    keys = options.open_keys(lobby)
    chosen = {}
    for seat, car in lobby.chosen.items():
        left = {key: value for key, value in car.items() if key in keys and seat in lobby.joined}
        if left.get("driver") not in [driver.name for driver in options.drivers(lobby, seat)]:
            left.pop("driver", None)
        if left:
            chosen[seat] = left
    laps = lobby.laps if lobby.laps in options.laps_range(lobby) else None
    pack = lobby.pack if options.pack_of(lobby) else None
    powers = lobby.powers if options.takes_powers(lobby) else ()
    return replace(lobby, switches=switches, chosen=chosen, laps=laps, pack=pack, powers=powers)


def _without_strangers(lobby: Lobby) -> Lobby:
    """The lobby without the bots whose level does not play its game: their seats are free."""
    known = levels_of(lobby.game)
    gone = {seat for seat, level in lobby.bots.items() if level not in known}
    return replace(
        lobby,
        seats=tuple(seat for seat in lobby.seats if seat not in gone),
        joined={seat: name for seat, name in lobby.joined.items() if seat not in gone},
        bots={seat: level for seat, level in lobby.bots.items() if seat not in gone},
    )


# -- crews ----------------------------------------------------------------------------------------

# Several people who drive the car of one seat, each of whom the league counts. A crew is kept while
# it has no meaning (in a game without crews, or where a bot has taken the seat over), so that
# whoever switches back finds it again.

Crews = Mapping[int, tuple[str, ...]]


def _choose_crew(lobby: Lobby, seat: int, value: object) -> Lobby:
    """Who drives the car of a seat: a list of names; None: whoever sits there alone.

    Raises:
        Illegal: the seat has not joined, this game has no crews, a bot drives, or somebody sits or
            drives elsewhere too.
        Malformed: it is no list of names.
    """
    _check_joined(lobby, seat)
    if not options.offer(lobby.game).has_crews or seat in lobby.bots:
        raise refused("not-open", key="crew")
    from companion.rules.formula.header import read_crew  # no start without it needs it

    names = [" ".join(name.split()) for name in read_crew(value or None)]
    for number, name in enumerate(names):
        if name in names[:number] or _drives_elsewhere(lobby, seat, name):
            raise refused("name-taken", name=name)
    left = _without_crew(lobby, seat)
    return replace(left, crews={**left.crews, seat: tuple(names)}) if names else left


def _drives_elsewhere(lobby: Lobby, seat: int, name: str) -> bool:
    others = (other for other, joined in lobby.joined.items() if joined == name)
    return any(other != seat for other in others) or _is_in_a_crew(lobby, seat, name)


def _is_in_a_crew(lobby: Lobby, seat: int, name: str) -> bool:
    """Whether somebody is in the crew of another seat."""
    return any(name in crew for other, crew in lobby.crews.items() if other != seat)


def _without_crew(lobby: Lobby, seat: int) -> Lobby:
    """The lobby after somebody has left the seat, and the crew with him."""
    left = {other: crew for other, crew in lobby.crews.items() if other != seat}
    return replace(lobby, crews=left)


def _that_drive(lobby: Lobby) -> Crews:
    """The crews as the race to be has them, by seat."""
    if not options.offer(lobby.game).has_crews:
        return {}
    drive = (seat for seat in lobby.seats if seat not in lobby.bots)
    return {seat: lobby.crews[seat] for seat in drive if lobby.crews.get(seat)}


def _crews_as_last_time(lobby: Lobby, last: JSON) -> Crews:
    """The crews of an earlier race, of those who sit where they sat then."""
    return {
        entry["seat"]: tuple(entry["crew"])
        for entry in last["seats"]
        if entry.get("crew") and lobby.joined.get(entry["seat"]) == name_in(entry)
    }


# -- the words of a lobby -------------------------------------------------------------------------

OWN: Mapping[str, Word] = {
    "join": _join,
    "bot": _bot,
    "leave": _leave,
    "name": _rename,
    "crew": _choose_crew,
    **{key: partial(_say_of_car, key) for key in OF_CAR},
}
"""Words of a seat about itself and its car."""
COMMON: Mapping[str, Word] = {
    "card": _choose_card,
    "game": _choose_game,
    "track": _choose_track,
    "laps": _choose_laps,
    "option": _choose_option,
    "switch": _choose_switch,
    "pack": _choose_pack,
    "powers": _choose_powers,
    "same": _same,
}
"""Words about the race to come."""


# -- the header, and what is kept of earlier ones -------------------------------------------------

SETTLED = ("start", "weather", "circuit")
"""Settings that are keys of the header themselves."""


def header_of(lobby: Lobby) -> Line:
    """The header of the race that this lobby starts.

    Raises:
        Illegal: nobody has joined, too few or too many have, or a seat has something to say.
    """
    _check_people(lobby)
    offered = options.offer(lobby.game)
    header: dict[str, object] = {
        "game": lobby.game,
        # No board is an empty name here, and null in a header.
        "track": lobby.track or None if offered.has_track else None,
        "laps": options.laps_of(lobby),
        "seats": list(_seats(lobby)),
    }
    pack = options.pack_of(lobby)
    if pack is not None:
        header["pack"] = dict(lobby.pack or {})
    if lobby.rules or pack is not None:
        header["rules"] = list(lobby.rules)
    said = {} if pack is None else pack.house
    values = {s: options.value_of(lobby, s).name for s in options.switches(lobby) if s.house}
    house = {
        switch.name: value
        for switch, value in values.items()
        if value != said.get(switch.name, switch.values[0].name)
    }
    if house:
        header["house"] = house
    if lobby.powers:
        header["powers"] = [dict(power) for power in lobby.powers]
    if lobby.switches.get("grid") == "seats":
        header["grid"] = list(lobby.seats)
    # With bots alone nobody may be there to throw the table's own dice, such as the weather's.
    if lobby.switches.get("dice") == "thrown" or 0 < len(lobby.seats) == len(lobby.bots):
        header["dice"] = {"seats": [TABLE]}
    elif lobby.bots and offered.has_track:  # who is not there cannot throw
        header["dice"] = {"seats": [seat for seat in lobby.seats if seat in lobby.bots]}
    if lobby.switches.get("advice") == "off":
        header["advice"] = False
    return header | {name: lobby.switches[name] for name in SETTLED if name in lobby.switches}


def pack_of(lobby: Lobby, name: str) -> Pack:
    """Laps, rules and house switches of this lobby as a pack of this name."""
    plays = choices_of(lobby.game)
    usual = {switch: values[0] for switch, values in plays.house.items()}
    usual.update(plays.at_the_table)
    now = {s.name: options.value_of(lobby, s).name for s in options.switches(lobby) if s.house}
    house = {switch: value for switch, value in now.items() if value != usual[switch]}
    return Pack(name, lobby.game, "", "", options.laps_of(lobby), lobby.rules, house)


def _check_people(lobby: Lobby) -> None:
    if not lobby.seats:
        raise refused("nobody-joined")
    known = options.players_range(lobby)
    if len(lobby.seats) not in known:
        raise refused("so-many-play", low=known[0], high=known[-1], players=len(lobby.seats))
    for seat, key in options.missing(lobby):
        name = lobby.joined[seat]
        if key == "team":
            raise refused("lacks-team", name=name)
        raise refused("lacks-driver", name=name)


def _seats(lobby: Lobby) -> Iterator[Line]:
    """The seats as a header has them; who asked for no box gets the first that is left."""
    asked = {car["box"] for car in lobby.chosen.values() if "box" in car}
    left = iter(box for box in range(1, len(lobby.seats) + len(asked) + 1) if box not in asked)
    crews = _that_drive(lobby)
    for seat in lobby.seats:
        car = dict(lobby.chosen.get(seat, {}))
        if "color" in options.open_keys(lobby):
            car["color"] = options.colors(lobby)[seat]
        if asked and "box" not in car:
            car["box"] = next(left)
        name = lobby.joined[seat]
        bot = {"bot": lobby.bots[seat]} if seat in lobby.bots else {}
        crew = {"crew": list(crews[seat])} if seat in crews else {}
        yield {"seat": seat, "name": name, "player": name, **bot, **crew, **car}


def _as_last_time(lobby: Lobby, last: JSON) -> Lobby:
    """Game, board, laps, rules, settings and cars of an earlier race, as far as they hold now."""
    game = last.get("game")
    if game in lobby.games:
        lobby = replace(lobby, game=game)
    chosen = {
        entry["seat"]: {key: entry[key] for key in OF_CAR if entry.get(key) is not None}
        for entry in last["seats"]
        if lobby.joined.get(entry["seat"]) == name_in(entry)
    }
    bots = {
        entry["seat"]: level_name(entry["bot"], lobby.game)
        for entry in last["seats"]
        if has_level(entry.get("bot"), lobby.game)
        and lobby.joined.get(entry["seat"]) == name_in(entry)
    }
    switches = {str(name): str(value) for name, value in (last.get("house") or {}).items()}
    switches |= {name: last[name] for name in SETTLED if name in last}
    if last.get("grid") == [entry["seat"] for entry in last["seats"]]:
        switches["grid"] = "seats"
    # With bots alone all dice are thrown anyway, so such a race says nothing about the setting.
    is_all_thrown = TABLE in (last.get("dice") or {}).get("seats", ())
    if is_all_thrown and not all(entry.get("bot") for entry in last["seats"]):
        switches["dice"] = "thrown"
    if last.get("advice") is False:
        switches["advice"] = "off"
    track = last.get("track") or NO_BOARD
    if "pack" in last:
        lobby = replace(lobby, pack=last["pack"])
        # A header repeats nothing that its pack says.
        switches = {**read_pack(last["pack"]["toml"]).house, **switches}
    return _tidy(
        replace(
            lobby,
            track=track if track in lobby.tracks else lobby.track,
            laps=last.get("laps", lobby.laps),
            rules=tuple(last.get("rules") or ()),
            switches=switches,
            chosen={**lobby.chosen, **chosen},
            crews={**lobby.crews, **_crews_as_last_time(lobby, last)},
            bots={**lobby.bots, **bots},
            powers=tuple(last.get("powers") or ()),
        )
    )


def known_names(headers: Sequence[JSON]) -> tuple[str, ...]:
    """Everybody who drove in these races, crews too, the first header's people first."""
    seats = (entry for header in headers for entry in header["seats"])
    names = (name for seat in seats for name in (seat.get("name"), *(seat.get("crew") or ())))
    return tuple(dict.fromkeys(name for name in names if name and not name.startswith("guest ")))


def known_circuits(headers: Sequence[JSON]) -> tuple[str, ...]:
    """The boards that these races were on, by the names that their headers give them."""
    return tuple(dict.fromkeys(one["circuit"] for one in headers if one.get("circuit")))
