"""The dialog of a seat: what its screen shows, and what its six buttons do.

Both come from one page. A page is a function of the `Scene` (what the table knows) and the seat's
`Dialog` (how far it has come between two answers) to a `Screen`, whose six `Choice`s each hold a
key *and* what pressing it does: what is shown and what is done cannot part. Which page it is
follows from what is going on (`topic`): `PAGES` has the table's own, a game's are in its
`GameViews`. `show` takes the keys of the choices, `press` what they do.

A page closes by itself when something else is asked (`settled`), so no screen can be left behind
by a race that goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace

from companion.rules.games import NAMES
from companion.views import lobby, pages
from companion.views.model import Intent, Key, Scene, SeatView, TakeBack
from companion.views.screen import (
    HOME,
    KEYS,
    Choices,
    Dialog,
    Page,
    Screen,
    Talk,
    clock_text,
    game_of,
    going_on,
    outline_of,
    seat_info,
    turn_of,
    views_of,
    views_of_game,
)
from companion.views.words import words

PAGES: Mapping[tuple[str, str], Page] = {
    ("lost", ""): pages.lost_page,
    ("paused", ""): pages.paused_page,
    ("guest", ""): pages.guest_page,
    ("guest", "come-in"): pages.come_in_page,
    ("dead", ""): pages.dead_page,
    ("others", ""): pages.others_page,
    ("ask", ""): pages.any_page,
    ("lobby", ""): lobby.lobby_page,
    ("lobby", "names"): lobby.names_page,
    ("lobby", "tracks"): lobby.tracks_page,
    ("lobby", "laps"): lobby.laps_page,
    ("lobby", "me"): lobby.me_page,
    ("lobby", "options"): lobby.options_page,
    ("lobby", "games"): lobby.games_page,
    ("lobby", "bots"): lobby.bots_page,
    ("lobby", "team"): lobby.car_list_page,
    ("lobby", "tires"): lobby.car_list_page,
    ("lobby", "box"): lobby.car_list_page,
    ("lobby", "color"): lobby.car_list_page,
    ("lobby", "driver"): lobby.drivers_page,
}
"""The pages of what goes on at the table itself; "" is the one it begins with."""

ANYWHERE: Mapping[str, Page] = {
    "language": pages.language_page,
    "link": pages.link_page,
    "steward": pages.steward_page,
    "why": pages.why_page,
    "off": pages.off_page,
    "restart": pages.restart_page,
    "new-people": pages.new_people_page,
}
"""The pages that depend neither on the game nor on what is going on."""

BRIEF_S = {"mine": 3.0}
"""Pages that close by themselves, and after how long."""


def talk_of(scene: Scene, seat: int, dialog: Dialog = HOME) -> tuple[Talk, Screen]:
    """What a seat's page knows, and the page that it is on."""
    say = words(seat_info(scene, seat).language)
    talk = Talk(scene, seat, settled(scene, seat, dialog), say)
    about, page = topic(talk), talk.dialog.page
    made = _page(scene, about, page)(talk)
    # An answer leads back to the first page, so that is where its refusal is looked for.
    return talk, pages.with_refusal(talk, made) if not page else made


def screen(scene: Scene, seat: int, dialog: Dialog = HOME) -> Screen:
    """The page that a seat is on."""
    return talk_of(scene, seat, dialog)[1]


def topic(talk: Talk) -> str:
    """What is going on for a seat, the most pressing first."""
    scene, outline = talk.scene, outline_of(talk.scene)
    # Before all else, in a lobby too: nobody should race on without knowing it.
    if pages.is_lost(talk):
        return "lost"
    if outline is None:
        return "lobby"
    if _is_guest(scene, talk.seat):
        return "guest"
    if scene.proposal and scene.proposal.get("from") == talk.seat:
        return "proposed"
    if scene.proposal:
        return "agree"
    if scene.paused:
        return "paused"
    if outline.is_over:
        return "finished"
    return views_of(scene).topic(talk)


def _is_guest(scene: Scene, seat: int) -> bool:
    """Whether the seat is not in the race that runs."""
    return any(info.seat == seat for info in scene.guests)


def settled(scene: Scene, seat: int, dialog: Dialog) -> Dialog:
    """The dialog as it still holds: a page whose time has passed has closed."""
    target = dialog.target
    # `about` ends with whose turn it was (`going_on`), or is nothing else (`Talk.home`).
    if target and dialog.about[-len(turn_of(scene)) :] != turn_of(scene):
        return HOME
    if target and not any(ask.seat == target for ask in scene.asks):
        return HOME
    if dialog.page and dialog.about != going_on(scene, seat, target):
        return Dialog(target=target, about=turn_of(scene) if target else ())
    return dialog


def _page(scene: Scene, about: str, page: str) -> Page:
    """The page of this name in what is going on, else anywhere, else the one it begins with."""
    game = views_of(scene)
    here = game.page(about, page) or PAGES.get((about, page))
    # A name that is known nowhere shows the first page: that is how a list keeps its number
    # (`Talk.paged`).
    if here is None and not game_of(scene):
        game = views_of_game(NAMES[0])  # what its menu and the like say without a race
    found = here or game.anywhere.get(page) or ANYWHERE.get(page) or game.page(about, "")
    return found or PAGES[about, ""]


def choices(scene: Scene, seat: int, dialog: Dialog = HOME) -> Choices:
    """What the six buttons do now; None: nothing."""
    return screen(scene, seat, dialog).choices


def show(scene: Scene, seat: int, dialog: Dialog = HOME) -> SeatView:
    """What stands on a seat's screen."""
    return view_of(scene, seat, screen(scene, seat, dialog))


def view_of(scene: Scene, seat: int, page: Screen) -> SeatView:
    """What stands on a seat's screen that is on this page."""
    keys = tuple(choice.key if choice else None for choice in page.choices)
    face = _view(page.face, (None,) * KEYS) if page.face else None
    view, clock = _view(page, keys, face), clock_text(scene, seat)
    return replace(view, clock=clock) if clock else view


def _view(page: Screen, keys: tuple[Key | None, ...], face: SeatView | None = None) -> SeatView:
    return SeatView(
        page.title, page.lines, keys, page.pips, page.big, page.qr, page.blink, face,
        page.whole, page.tells,
    )  # fmt: skip


def public_face(view: SeatView) -> SeatView:
    """The screen as everybody may see it: no secret, and not the code that opens a seat."""
    return replace(view.face or view, qr="", face=None)


def only_tells(scene: Scene, seat: int, dialog: Dialog) -> bool:
    """Whether every button of this page does nothing but turn it."""
    row = choices(scene, seat, dialog)
    return all(choice is not None and choice.key is None and not choice.does for choice in row)


TAKE_BACK = 1
MENU = 6


def press(
    scene: Scene, seat: int, dialog: Dialog, button: int, hold: bool = False
) -> tuple[Dialog, tuple[Intent, ...]]:
    """The dialog after a press of a button (1 to 6), and what the table shall do.

    Holding 1 leaves a page that was turned to and an answer that is half made, or goes back in it
    by one press (`Screen.before`); where there is none it takes the seat's last answer back.
    Holding 6 opens the menu; holding any other button is a press. A button without a meaning
    changes nothing.
    """
    dialog = settled(scene, seat, dialog)
    if hold and button == TAKE_BACK and dialog.page:
        before = screen(scene, seat, dialog).before
        return before or replace(Talk(scene, seat, dialog).home(), picked=()), ()
    # A guest has no answer to take back, and the menu is that of a car in the race.
    is_in = not _is_guest(scene, seat)
    if hold and button == TAKE_BACK and scene.state is not None and is_in:
        return HOME, (TakeBack(),)
    if hold and button == MENU and is_in:
        return Talk(scene, seat).turn_to("menu"), ()
    choice = choices(scene, seat, dialog)[button - 1]
    return (choice.then, choice.does) if choice else (dialog, ())


def meaning(scene: Scene, seat: int, dialog: Dialog = HOME) -> tuple[str, ...]:
    """What each of the six keys means, to be compared: equal only where a press does the same.

    Two asks that look alike are told apart by the version at which they opened.
    """
    asked = going_on(scene, seat, dialog.target)
    meanings = []
    for choice in choices(scene, seat, dialog):
        does = [(type(intent).__name__, asdict(intent)) for intent in choice.does] if choice else []
        parts = [does, asdict(choice.then) if choice else None, asked if does else ()]
        meanings.append(json.dumps(parts, sort_keys=True, default=list))
    assert len(meanings) == KEYS
    return tuple(meanings)
