"""Before a race: press to join, choose a name, and the host sets the race up."""

from __future__ import annotations

from companion.views.dialog_core import (
    Choice,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    paged,
    to_page,
)
from companion.views.model import Lobby, Table
from companion.views.words import fit, wrap

LAPS = range(1, 11)
"""FD-LAPS-1: one to ten laps."""


def lobby_of(talk: Talk) -> Lobby:
    """The lobby; an empty one where the table has none."""
    return talk.scene.lobby or Lobby()


def short_title(lobby: Lobby, track: str) -> str:
    """What people call a track, without what the page adds in brackets."""
    return lobby.titles.get(track, track).partition(" (")[0]


def is_host(talk: Talk) -> bool:
    """The first to join sets the race up."""
    lobby = lobby_of(talk)
    return talk.info.host or lobby.seats[:1] == (talk.seat,)


def lobby_page(talk: Talk) -> Screen:
    """Join with any button; then the race to be."""
    lobby = lobby_of(talk)
    if talk.seat not in lobby.joined:
        return Screen(
            title=talk.say("Seat {n}", n=talk.seat),
            lines=wrap(talk.say("Press any button to join the race."), 3),
            choices=any_button(talk.home(), (Table("join"),)),
        )
    here = ", ".join(lobby.joined.values())
    title = short_title(lobby, lobby.track)
    return Screen(
        title=fit(lobby.joined[talk.seat]),
        lines=(
            fit(talk.say.many("{track}, {n} lap", "{track}, {n} laps", lobby.laps, track=title)),
            fit(f"{len(lobby.joined)}: {here}"),
        ),
        choices=at(_joined(talk, lobby)),
    )


def _joined(talk: Talk, lobby: Lobby) -> dict[int, Choice | None]:
    """Name and leave for everybody; track, laps, same as last time and start for the host."""
    say = talk.say
    name = to_page(say("name"), talk.turn_to("names"))
    leave = Choice(make_key(say("leave")), (Table("leave"),))
    if not is_host(talk):
        return {1: name, 6: leave}
    same = Choice(make_key(say("again")), (Table("same"),)) if lobby.last is not None else None
    return {
        1: name,
        2: to_page(say("track"), talk.turn_to("tracks")),
        3: to_page(say("laps"), talk.turn_to("laps"), hint=str(lobby.laps)),
        4: same,
        5: Choice(make_key(say("START")), (Table("start"),)),
        6: leave,
    }


def names_page(talk: Talk) -> Screen:
    """Names of the league that nobody has taken, and "guest 3"."""
    lobby = lobby_of(talk)
    taken = set(lobby.joined.values()) - {lobby.joined.get(talk.seat)}
    guest = talk.say("guest {n}", n=talk.seat)
    choices = [Choice(make_key(talk.say("guest"), str(talk.seat)), (Table("name", guest),))]
    choices += [
        Choice(make_key(name), (Table("name", name),)) for name in lobby.names if name not in taken
    ]
    return Screen(
        title=talk.say("Who are you?"),
        choices=paged(talk, choices, leave=back(talk)),
    )


def tracks_page(talk: Talk) -> Screen:
    """The boards on the shelf; keys are narrow, so the lines tell this page's in full."""
    lobby = lobby_of(talk)
    titles = [short_title(lobby, track) for track in lobby.tracks]
    keys = [
        Choice(make_key(title), (Table("track", track),))
        for track, title in zip(lobby.tracks, titles, strict=True)
    ]
    row = paged(talk, keys, leave=back(talk))
    shown = [title for title, key in zip(titles, keys, strict=True) if key in row]
    return Screen(title=talk.say("Which track?"), lines=wrap(", ".join(shown), 3), choices=row)


def laps_page(talk: Talk) -> Screen:
    """How many laps."""
    choices = [Choice(make_key(str(laps)), (Table("laps", laps),)) for laps in LAPS]
    return Screen(title=talk.say("How many laps?"), choices=paged(talk, choices, leave=back(talk)))
