"""Setting up from a seat: the rules of the race to be, and what a seat says of its car.

Options, settings and drivers are read one at a time: the title has the name and how it is
set, the lines its sentence, and the keys change it or go to the next one.
"""

from __future__ import annotations

from companion.views.lobby import options
from companion.views.model import Lobby, Mark, SetUp
from companion.views.seat.core import (
    Choice,
    Screen,
    Talk,
    at,
    back,
    make_key,
    paged,
    spoken,
    to_page,
)
from companion.views.words import HINT_COLUMNS, LINE_COLUMNS, fit, keyed, phrase, wrap

LINES = 3
SEATS = 10

CAR_KEYS: dict[str, str] = {
    "team": phrase("team"),
    "driver": phrase("driver"),
    "tires": phrase("tires"),
    "box": phrase("box"),
    "color": phrase("color"),
}
CAR_QUESTIONS: dict[str, str] = {
    "team": phrase("Which team?"),
    "tires": phrase("Start on which?"),
    "box": phrase("Which pit box?"),
    "color": phrase("Which color?"),
}


def lobby_of(talk: Talk) -> Lobby:
    """The lobby; an empty one where the table has none."""
    return talk.scene.lobby or Lobby()


def is_host(talk: Talk) -> bool:
    """The first to join sets the race up."""
    lobby = lobby_of(talk)
    people = [seat for seat in lobby.seats if seat not in lobby.bots]
    return talk.info.host or people[:1] == [talk.seat]


def _turning(talk: Talk, count: int) -> dict[int, Choice | None]:
    """The keys to the entry before and after, round and round."""
    page, now = talk.dialog.page, talk.dialog.number
    before = talk.turn_to(page, number=(now - 1) % count)
    after = talk.turn_to(page, number=(now + 1) % count)
    return {
        3: to_page(talk.say("prev"), before, "back"),
        5: to_page(talk.say("next"), after, "more"),
    }


# -- rules and settings ----------------------------------------------------------------------


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
        title, sentence, change = _switch(talk, lobby, number - len(rules))
    else:
        title, sentence, change = _pack(talk, lobby, [pack.name for pack in packs])
    keys: dict[int, Choice | None] = {**_turning(talk, count), 6: back(talk)}
    if is_host(talk):
        keys[1] = change
    if is_host(talk) and len(lobby.games) > 1:
        keys[2] = to_page(talk.say("game"), talk.turn_to("games"))
    if is_host(talk) and lobby.levels.get(lobby.game):
        keys[4] = to_page(talk.say("bots"), talk.turn_to("bots"), hint=str(len(lobby.bots) or ""))
    return Screen(title, **spoken(sentence, LINES), choices=at(keys))


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


def _switch(talk: Talk, lobby: Lobby, number: int) -> tuple[str, str, Choice]:
    """Title, sentence and key of a setting; the key goes on to its next value."""
    switch = options.switches(lobby)[number]
    now = options.value_of(lobby, switch)
    row = [*dict.fromkeys((*switch.values, now))]
    after = row[(row.index(now) + 1) % len(row)]
    title = fit(_titled(talk, switch.title, talk.say(now.label)), LINE_COLUMNS)
    change = _here(talk, "switch", {"name": switch.name, "value": after.name})
    return title, talk.say(now.says), change


def _pack(talk: Talk, lobby: Lobby, names: list[str]) -> tuple[str, str, Choice]:
    """Title, name and key of the rules pack; the key goes on to the next one."""
    now = lobby.pack["name"] if lobby.pack is not None else None
    row = [None, *names]
    after = row[(row.index(now) + 1) % len(row)] if now in row else None
    says = now or talk.say("None: the race is as it is set here.")
    return talk.say("Rules pack"), says, _here(talk, "pack", after)


LEVEL_WORDS = keyed("learner | amateur | racer | champion")
"""What a level is called."""


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
    keys = paged(talk, choices, leave=back(talk, talk.turn_to("options")))
    return Screen(say("A bot of which level?"), **spoken(text, LINES), choices=keys)


def _free_seat(talk: Talk, lobby: Lobby) -> int | None:
    """The next seat, one with buttons last: somebody may sit down at it. None: all are taken."""
    buttons = {info.seat for info in (*talk.scene.seats, *talk.scene.guests) if info.buttons}
    free = [seat for seat in range(1, SEATS + 1) if seat not in lobby.joined]
    return min(free, key=lambda seat: (seat in buttons, seat), default=None)


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
        paged(talk, choices, leave=back(talk, stay)),
        tells=(),
    )


def _old(chosen: bool) -> Mark:
    return "old" if chosen else ""


# -- the seat's own car ----------------------------------------------------------------------


def car_keys(talk: Talk, lobby: Lobby) -> list[Choice]:
    """A key for all that the rules let this seat say of its car, with what it has said."""
    return [
        to_page(talk.say(CAR_KEYS[key]), talk.turn_to(key), hint=_chosen(talk, lobby, key))
        for key in options.open_keys(lobby)
    ]


def _chosen(talk: Talk, lobby: Lobby, key: str) -> str:
    """What the seat has said, in the width of a hint; a question mark for what must be said."""
    value = lobby.chosen.get(talk.seat, {}).get(key)
    if value is None:
        return "?" if key in options.wanted(lobby) else ""
    return fit(options.car_word(talk.say, key, value), HINT_COLUMNS)


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
    return Screen(talk.say(CAR_QUESTIONS[key]), choices=paged(talk, choices, leave=back(talk)))


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
        choices=at({**_turning(talk, len(found)), 1: take, 6: back(talk)}),
    )
