"""Before a race: press to join, choose a name, and the host sets the race up.

Options, settings and drivers are read one at a time: the title has the name and how it is set, the
lines its sentence, and the keys change it or go to the next one. The page of the table gets all
that there is to choose at once, in words of every language (`lobby_view`).
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.views import options
from companion.views.model import JSON, NO_BOARD, Lobby, Mark, Scene, SetUp, Start, Switch
from companion.views.pages import power_keys
from companion.views.screen import (
    Choice,
    Choices,
    Screen,
    Talk,
    any_button,
    at,
    make_key,
    spoken,
    to_page,
)
from companion.views.words import (
    HINT_COLUMNS,
    LANGUAGES,
    LINE_COLUMNS,
    Words,
    fit,
    keyed,
    phrase,
    words,
    wrap,
)


def lobby_page(talk: Talk) -> Screen:
    """Join with any button; then the race to be."""
    lobby = lobby_of(talk)
    if talk.seat not in lobby.joined:
        return Screen(
            talk.say("Seat {n}", n=talk.seat),
            **spoken(talk.say("Press any button to join the race."), 3),
            choices=any_button(talk.home(), (SetUp("join"),)),
            go=talk.say("Join"),
        )
    here = ", ".join(lobby.joined.values())
    lines = (where(lobby, talk.say), fit(f"{len(lobby.joined)}: {here}"), _rest(lobby, talk.say))
    hosts = _hosts(talk, lobby) if is_host(talk) else {}
    return Screen(
        fit(lobby.joined[talk.seat]),
        tuple(line for line in lines if line),
        at(hosts) if hosts else _guests(talk),
        asks=where(lobby, talk.say),
        tells=(_rest(lobby, talk.say),),
        write="name",
        row=tuple(hosts.get(button) for button in (2, 3, 4, 6, 1, 5)) if hosts else (),
    )


def people(talk: Talk) -> JSON | None:
    """Who is in, with their cars, on the first page of a phone that is in; None on any other."""
    lobby = talk.scene.lobby
    if lobby is None or talk.scene.state is not None or talk.seat not in lobby.joined:
        return None
    has_colors = options.offer(lobby.game).has_track
    near = [
        {"seat": seat, "name": name, "gap": "",
         "color": options.color_of(talk.scene, seat) if has_colors else None}
        for seat, name in lobby.joined.items()
    ]  # fmt: skip
    around: JSON = {"near": near, "corner": None, "playing": None, "rest": None}
    return None if talk.dialog.page else around


def lobby_of(talk: Talk) -> Lobby:
    """The lobby; an empty one where the table has none."""
    return talk.scene.lobby or Lobby()


def is_host(talk: Talk) -> bool:
    """The first to join sets the race up."""
    lobby = lobby_of(talk)
    # A bot presses nothing, so it is the first person who sets the race up.
    people = [seat for seat in lobby.seats if seat not in lobby.bots]
    return talk.info.host or people[:1] == [talk.seat]


def where(lobby: Lobby, say: Words) -> str:
    """The board and the laps; of a game without them its name."""
    offered = options.offer(lobby.game)
    if not offered.has_track:
        return offered.title
    title = short_title(lobby, lobby.track, say)
    laps = options.laps_of(lobby)
    return fit(say.many("{track}, {n} lap", "{track}, {n} laps", laps, track=title))


def short_title(lobby: Lobby, track: str, say: Words) -> str:
    """What people call a track, without what the page adds in brackets."""
    if track == NO_BOARD:
        return say("no board")
    return lobby.titles.get(track, track).partition(" (")[0]


LACKING = {"team": phrase("{name}: which team?"), "driver": phrase("{name}: what driver?")}
"""What a seat must still say."""


def _rest(lobby: Lobby, say: Words) -> str:
    """What is missing; else the rules pack, or the game and its options; "" for the usual race."""
    for seat, key in options.missing(lobby):
        return say.fitting(LACKING[key], LINE_COLUMNS, name=lobby.joined[seat])
    if lobby.pack is not None:
        return fit(lobby.pack["name"])
    offered = options.offer(lobby.game)
    if lobby.rules == offered.rules:
        # The usual race of Formula D goes by its title alone; `where` has named a game without
        # boards already.
        named = [say(option.title) for option in options.on(lobby)]
        return "".join(named) or (offered.title if offered.has_track else "")
    if not lobby.rules:
        return say("{game}, in full", game=offered.title)
    return say.many(
        "{game}, {n} option", "{game}, {n} options", len(lobby.rules), game=offered.title
    )


BIG = {"big": True}
"""What a phone shows larger than all else."""


def _hosts(talk: Talk, lobby: Lobby) -> dict[int, Choice | None]:
    """The host's keys: its own car, track, laps, same as last time, start, the rules."""
    say, offered = talk.say, options.offer(lobby.game)
    keys: dict[int, Choice | None] = {
        1: to_page(say("me"), talk.turn_to("me"), hint=say("name…"), full=say("My car")),
        5: Choice(make_key(say("START"), full=say("Start the race")), (Start(),), about=BIG),
        6: to_page(say("rules"), talk.turn_to("options"), full=say("The rules")),
    }
    if offered.has_track:
        keys[2] = to_page(say("track"), talk.turn_to("tracks"))
    if len(options.laps_range(lobby)) > 1:
        keys[3] = to_page(say("laps"), talk.turn_to("laps"), hint=str(options.laps_of(lobby)))
    if lobby.last is not None:
        keys[4] = Choice(make_key(say("again"), full=say("As last time")), (SetUp("same"),))
    return keys


def _leave(talk: Talk) -> Choice:
    return Choice(make_key(talk.say("leave"), full=talk.say("Leave the seat")), (SetUp("leave"),))


def _own(talk: Talk) -> list[Choice]:
    """The name, and what the rules let a seat say of its car."""
    return [to_page(talk.say("name"), talk.turn_to("names")), *car_keys(talk, lobby_of(talk))]


def _guests(talk: Talk) -> Choices:
    """The keys of everybody else: the own car, and the rules to read. Nobody leaves by button 6,
    which is held for the menu."""
    rules = to_page(talk.say("rules"), talk.turn_to("options"), full=talk.say("The rules"))
    return talk.paged([*_own(talk), _leave(talk), rules])


def me_page(talk: Talk) -> Screen:
    """What the host says of itself; it has the rest of the race on its first page."""
    lobby = lobby_of(talk)
    power = [key for key in power_keys(talk, 1, 2).values() if key]
    choices = talk.paged([*_own(talk), _leave(talk), *power], leave=talk.back())
    return Screen(fit(lobby.joined.get(talk.seat, "")), choices=choices)


def names_page(talk: Talk) -> Screen:
    """Names of the league that nobody has taken, and "guest 3"."""
    lobby = lobby_of(talk)
    taken = set(lobby.joined.values()) - {lobby.joined.get(talk.seat)}
    guest = talk.say("guest {n}", n=talk.seat)
    choices = [Choice(make_key(talk.say("guest"), str(talk.seat)), (SetUp("name", guest),))]
    choices += [
        Choice(make_key(name), (SetUp("name", name),)) for name in lobby.names if name not in taken
    ]
    keys = talk.paged(choices, leave=talk.back())
    return Screen(talk.say("Who are you?"), choices=keys, write="name")


def tracks_page(talk: Talk) -> Screen:
    """The boards of the library; keys are narrow, so the lines tell this page's in full."""
    lobby = lobby_of(talk)
    titles = [short_title(lobby, track, talk.say) for track in lobby.tracks]
    keys = [
        Choice(make_key(title), (SetUp("track", track),))
        for track, title in zip(lobby.tracks, titles, strict=True)
    ]
    row = talk.paged(keys, leave=talk.back())
    shown = [title for title, key in zip(titles, keys, strict=True) if key in row]
    # A phone's keys have the titles in full, so it gets no lines (`tells`).
    return Screen(talk.say("Which track?"), wrap(", ".join(shown), 3), row, tells=())


def laps_page(talk: Talk) -> Screen:
    """How many laps (FD-LAPS-1, DE-CAR-2)."""
    laps = options.laps_range(lobby_of(talk))
    choices = [Choice(make_key(str(n)), (SetUp("laps", n),)) for n in laps]
    return Screen(talk.say("How many laps?"), choices=talk.paged(choices, leave=talk.back()))


# -- rules and settings ---------------------------------------------------------------------------


LINES = 3


def options_page(talk: Talk) -> Screen:
    """One optional rule or setting after the other, each with its sentence; only the host
    has the keys that change them."""
    lobby = lobby_of(talk)
    rules, switches = options.offer(lobby.game).options, options.switches(lobby)
    packs = options.packs_of(lobby)
    count = len(rules) + len(switches) + bool(packs)
    number = talk.dialog.number % count
    if number < len(rules):
        title, sentence, change = _option(talk, lobby, number)
    elif number < len(rules) + len(switches):
        title, sentence, change = _setting(talk, lobby, number - len(rules))
    else:
        title, sentence, change = _pack(talk, lobby, [pack.name for pack in packs])
    keys: dict[int, Choice | None] = {**_turning(talk, count), 6: talk.back()}
    if is_host(talk):
        keys[1] = change
    if is_host(talk) and len(lobby.games) > 1:
        keys[2] = to_page(talk.say("game"), talk.turn_to("games"))
    if is_host(talk) and lobby.levels.get(lobby.game):
        keys[4] = to_page(talk.say("bots"), talk.turn_to("bots"), hint=str(len(lobby.bots) or ""))
    return Screen(title, **spoken(sentence, LINES), choices=at(keys))


def _turning(talk: Talk, count: int) -> dict[int, Choice | None]:
    """The keys to the entry before and after, round and round."""
    page, now = talk.dialog.page, talk.dialog.number
    before = talk.turn_to(page, number=(now - 1) % count)
    after = talk.turn_to(page, number=(now + 1) % count)
    return {
        3: to_page(talk.say("prev"), before, "back"),
        5: to_page(talk.say("next"), after, "more"),
    }


def _here(talk: Talk, word: str, value: object) -> Choice:
    """The key that changes what is shown; the page stays."""
    stay = talk.turn_to(talk.dialog.page, number=talk.dialog.number)
    return Choice(make_key(talk.say("change")), (SetUp(word, value),), stay)


def _titled(talk: Talk, name: str, value: str) -> str:
    return talk.say("{name}: {value}", name=talk.say(name), value=value)


def _option(talk: Talk, lobby: Lobby, number: int) -> tuple[str, str, Choice]:
    """Title, sentence and key of an optional rule."""
    option = options.offer(lobby.game).options[number]
    is_on = option.name in lobby.rules
    title = _titled(talk, option.title, talk.say("on") if is_on else talk.say("off"))
    change = _here(talk, "option", {"name": option.name, "on": not is_on})
    return title, talk.say(option.says), change


def _setting(talk: Talk, lobby: Lobby, number: int) -> tuple[str, str, Choice]:
    """Title, sentence and key of a setting; the key goes on to its next value."""
    switch = options.switches(lobby)[number]
    now = options.value_of(lobby, switch)
    # What is set now may be a name that somebody typed, which is in no list.
    row = [*dict.fromkeys((*switch.values, now))]
    after = row[(row.index(now) + 1) % len(row)]
    title = fit(_titled(talk, switch.title, talk.say(now.label)), LINE_COLUMNS)
    change = _here(talk, "switch", {"name": switch.name, "value": after.name})
    return title, talk.say(now.says), change


def _pack(talk: Talk, lobby: Lobby, names: list[str]) -> tuple[str, str, Choice]:
    """Title, name and key of the rules pack; the key goes on to the next one."""
    now = lobby.pack["name"] if lobby.pack is not None else None
    row = [None, *names]
    # The pack of the last race need not be in the library any more.
    after = row[(row.index(now) + 1) % len(row)] if now in row else None
    says = now or talk.say("None: the race is as it is set here.")
    return talk.say("Rules pack"), says, _here(talk, "pack", after)


LEVEL_WORDS = keyed(
    "learner | rookie | hobbyist | amateur | regular"
    " | contender | semi-pro | pro | racer | champion"
)
"""What a level is called."""


def games_page(talk: Talk) -> Screen:
    """The games that the table plays; keys are narrow, so the lines tell them in full."""
    lobby = lobby_of(talk)
    games, stay = [options.GAMES[name] for name in lobby.games], talk.turn_to("options")
    choices = []
    for one in games:
        key = make_key(one.short, mark=_old(one.name == lobby.game))
        choices.append(Choice(key, (SetUp("game", one.name),), stay))
    titles = ", ".join(one.title for one in games)
    return Screen(
        talk.say("Which game?"),
        wrap(titles, LINES),
        talk.paged(choices, leave=talk.back(stay)),
        tells=(),
    )


def bots_page(talk: Talk) -> Screen:
    """A bot of a level takes the next free seat; one that sits there leaves it."""
    lobby, say = lobby_of(talk), talk.say
    stay, free = talk.turn_to("bots"), _free_seat(talk, lobby)
    choices = [
        Choice(make_key(say(LEVEL_WORDS[level])), (SetUp("bot", level, free),), stay)
        for level in lobby.levels.get(lobby.game, ())
        if free
    ]
    for seat in lobby.bots:
        key = make_key(lobby.joined[seat], say("leave"), "out")
        choices.append(Choice(key, (SetUp("leave", None, seat),), stay))
    here = ", ".join(lobby.joined[seat] for seat in lobby.bots)
    text = say("Here: {names}", names=here) if here else say("A bot takes the next free seat.")
    keys = talk.paged(choices, leave=talk.back(talk.turn_to("options")))
    return Screen(say("A bot of which level?"), **spoken(text, LINES), choices=keys)


SEATS = 10


def _free_seat(talk: Talk, lobby: Lobby) -> int | None:
    """The next seat, one with buttons last: somebody may sit down at it. None: all are taken."""
    buttons = {info.seat for info in (*talk.scene.seats, *talk.scene.guests) if info.buttons}
    free = [seat for seat in range(1, SEATS + 1) if seat not in lobby.joined]
    return min(free, key=lambda seat: (seat in buttons, seat), default=None)


# -- the seat's own car ---------------------------------------------------------------------------


CAR_KEYS = keyed("team | driver | tires | box | color")


def car_keys(talk: Talk, lobby: Lobby) -> list[Choice]:
    """A key for all that the rules let this seat say of its car, with what it has said."""
    return [
        to_page(talk.say(CAR_KEYS[key]), talk.turn_to(key), hint=_chosen(talk, lobby, key),
                full=talk.say(CAR_QUESTIONS.get(key, CAR_KEYS[key])))
        for key in options.open_keys(lobby)
    ]  # fmt: skip


def _chosen(talk: Talk, lobby: Lobby, key: str) -> str:
    """What the seat has said, in the width of a hint; a question mark for what must be said."""
    value = lobby.chosen.get(talk.seat, {}).get(key)
    if value is None:
        return "?" if key in options.wanted(lobby) else ""
    return fit(options.car_word(talk.say, key, value), HINT_COLUMNS)


CAR_QUESTIONS: dict[str, str] = {
    "team": phrase("Which team?"),
    "tires": phrase("Tires at the start?"),
    "box": phrase("Which pit box?"),
    "color": phrase("Which color?"),
}


def car_list_page(talk: Talk) -> Screen:
    """Teams, tires or boxes: a key for each that can be had."""
    lobby, key = lobby_of(talk), talk.dialog.page
    now = lobby.chosen.get(talk.seat, {}).get(key)
    choices = [
        Choice(
            make_key(options.car_word(talk.say, key, value), _shared(lobby, talk, key, value),
                     _old(value == now)),
            (SetUp(key, value),),
        )
        for value in options.choices_for(lobby, key, talk.seat)
    ]  # fmt: skip
    if key == "tires":  # they may also be chosen once the weather is known
        choices.append(Choice(make_key(talk.say("later"), mark=_old(now is None)),
                              (SetUp("tires"),)))  # fmt: skip
    return Screen(talk.say(CAR_QUESTIONS[key]), choices=talk.paged(choices, leave=talk.back()))


def _old(chosen: bool) -> Mark:
    return "old" if chosen else ""


def _shared(lobby: Lobby, talk: Talk, key: str, value: str | int) -> str:
    count = options.taken(lobby, "team", talk.seat).count(value) if key == "team" else 0
    return f"{count}/{options.offer(lobby.game).team_size}" if count else ""


def drivers_page(talk: Talk) -> Screen:
    """The drivers that are left, one after the other with what each can do (FD-URBAN-1)."""
    found = options.drivers(lobby_of(talk), talk.seat)
    driver = found[talk.dialog.number % len(found)]
    chosen = lobby_of(talk).chosen.get(talk.seat, {}).get("driver") == driver.name
    take = Choice(make_key(talk.say("take"), mark=_old(chosen)), (SetUp("driver", driver.name),))
    return Screen(
        fit(driver.name),
        **spoken(talk.say(driver.says), LINES),
        choices=at({**_turning(talk, len(found)), 1: take, 6: talk.back()}),
    )


# -- what the page shows of it --------------------------------------------------------------------


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
    laps, players = options.laps_range(lobby), options.players_range(lobby)
    return {
        "joined": [{"seat": seat, "name": name} for seat, name in lobby.joined.items()],
        "bots": {str(seat): level for seat, level in lobby.bots.items()},
        "levels": list(lobby.levels.get(lobby.game, ())),
        "names": list(lobby.names),
        "card": options.card_of(lobby),
        "game": lobby.game,
        "games": [{"name": name, "title": options.GAMES[name].title} for name in lobby.games],
        "track": lobby.track if offered.has_track else None,
        "tracks": list(lobby.tracks) if offered.has_track else [],
        "cards": list(lobby.cards),
        "titles": dict(lobby.titles),
        "laps": options.laps_of(lobby),
        "laps_range": [laps[0], laps[-1]],
        "players_range": [players[0], players[-1]],
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
        "asks": in_all(switch.asks or switch.title),
        "group": in_all(switch.group),
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
            "says": _says(lobby, chosen.get(key)) if key in ("driver", "tires") else None,
        }
        for key in options.open_keys(lobby)
    ]


def _choice(key: str, value: object) -> dict[str, object]:
    label = {code: options.car_word(words(code), key, value) for code in LANGUAGES}
    return {"value": value, "label": label}


def _says(lobby: Lobby, value: object) -> Texts | None:
    offered = options.offer(lobby.game)
    told = {driver.name: driver.says for driver in offered.drivers} | dict(offered.tires_give)
    return in_all(told[value]) if value in told else None
