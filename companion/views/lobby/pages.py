"""Before a race: press to join, choose a name, and the host sets the race up."""

from __future__ import annotations

from companion.views.lobby import options
from companion.views.lobby.option_pages import car_keys, is_host, lobby_of
from companion.views.model import NO_BOARD, Lobby, SetUp, Start
from companion.views.seat.core import (
    Choice,
    Choices,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    paged,
    spoken,
    to_page,
)
from companion.views.seat.end import power_keys
from companion.views.words import LINE_COLUMNS, Words, fit, phrase, wrap

LACKING = {"team": phrase("{name}: which team?"), "driver": phrase("{name}: what driver?")}
"""What a seat must still say."""


def short_title(lobby: Lobby, track: str, say: Words) -> str:
    """What people call a track, without what the page adds in brackets."""
    if track == NO_BOARD:
        return say("no board")
    return lobby.titles.get(track, track).partition(" (")[0]


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
    return Screen(
        fit(lobby.joined[talk.seat]),
        tuple(line for line in lines if line),
        at(_hosts(talk, lobby)) if is_host(talk) else _guests(talk),
        asks=lobby.joined[talk.seat],
        tells=(where(lobby, talk.say), here, _rest(lobby, talk.say)),
        write="name",
    )


def where(lobby: Lobby, say: Words) -> str:
    """The board and the laps; of a game without them its name."""
    offered = options.offer(lobby.game)
    if not offered.has_track:
        return offered.title
    title = short_title(lobby, lobby.track, say)
    laps = options.laps_of(lobby)
    return fit(say.many("{track}, {n} lap", "{track}, {n} laps", laps, track=title))


def _rest(lobby: Lobby, say: Words) -> str:
    """What is missing; else the rules pack, or the game and its options; "" for the usual race."""
    for seat, key in options.missing(lobby):
        return say.fitting(LACKING[key], LINE_COLUMNS, name=lobby.joined[seat])
    if lobby.pack is not None:
        return fit(lobby.pack["name"])
    offered = options.offer(lobby.game)
    if not lobby.rules:
        return "" if lobby.game == "formula-d" or not offered.has_track else offered.title
    return say.many(
        "{game}, {n} option", "{game}, {n} options", len(lobby.rules), game=offered.title
    )


def _hosts(talk: Talk, lobby: Lobby) -> dict[int, Choice | None]:
    """The host's keys: its own car, track, laps, same as last time, start, the rules."""
    say, offered = talk.say, options.offer(lobby.game)
    keys: dict[int, Choice | None] = {
        1: to_page(say("me"), talk.turn_to("me"), hint=say("name…")),
        5: Choice(make_key(say("START")), (Start(),)),
        6: to_page(say("rules"), talk.turn_to("options")),
    }
    if offered.has_track:
        keys[2] = to_page(say("track"), talk.turn_to("tracks"))
    if len(options.laps_range(lobby)) > 1:
        keys[3] = to_page(say("laps"), talk.turn_to("laps"), hint=str(options.laps_of(lobby)))
    if lobby.last is not None:
        keys[4] = Choice(make_key(say("again")), (SetUp("same"),))
    return keys


def _leave(talk: Talk) -> Choice:
    return Choice(make_key(talk.say("leave")), (SetUp("leave"),))


def _own(talk: Talk) -> list[Choice]:
    """The name, and what the rules let a seat say of its car."""
    return [to_page(talk.say("name"), talk.turn_to("names")), *car_keys(talk, lobby_of(talk))]


def _guests(talk: Talk) -> Choices:
    """The keys of everybody else: the own car, and the rules to read. Nobody leaves by button 6,
    which is held for the menu."""
    rules = to_page(talk.say("rules"), talk.turn_to("options"))
    return paged(talk, [*_own(talk), _leave(talk), rules])


def me_page(talk: Talk) -> Screen:
    """What the host says of itself; it has the rest of the race on its first page."""
    lobby = lobby_of(talk)
    power = [key for key in power_keys(talk, 1, 2).values() if key]
    choices = paged(talk, [*_own(talk), _leave(talk), *power], leave=back(talk))
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
    keys = paged(talk, choices, leave=back(talk))
    return Screen(talk.say("Who are you?"), choices=keys, write="name")


def tracks_page(talk: Talk) -> Screen:
    """The boards of the library; keys are narrow, so the lines tell this page's in full."""
    lobby = lobby_of(talk)
    titles = [short_title(lobby, track, talk.say) for track in lobby.tracks]
    keys = [
        Choice(make_key(title), (SetUp("track", track),))
        for track, title in zip(lobby.tracks, titles, strict=True)
    ]
    row = paged(talk, keys, leave=back(talk))
    shown = [title for title, key in zip(titles, keys, strict=True) if key in row]
    return Screen(talk.say("Which track?"), wrap(", ".join(shown), 3), row, tells=())


def laps_page(talk: Talk) -> Screen:
    """How many laps (FD-LAPS-1, DE-CAR-2)."""
    laps = options.laps_range(lobby_of(talk))
    choices = [Choice(make_key(str(n)), (SetUp("laps", n),)) for n in laps]
    return Screen(talk.say("How many laps?"), choices=paged(talk, choices, leave=back(talk)))
