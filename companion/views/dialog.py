"""The dialog of one seat: what its screen shows, and what a press of a button does.

Both come from one table, `PAGES`: from what is going on and the page that the seat has
turned to, to the function that makes the page with its six choices. `show` takes the keys
of the choices, `press` what they do.

Everything is a function of the scene and a small `Dialog`. A page closes by itself when
something else is asked (`settled`), so no dialog can be left behind by a race that goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

from companion.views import (
    dialog_any,
    dialog_black,
    dialog_car,
    dialog_elsewhere,
    dialog_end,
    dialog_lobby,
    dialog_menu,
    dialog_move,
    dialog_others,
    dialog_turn,
)
from companion.views.dialog_core import (
    HOME,
    KEYS,
    Choices,
    Dialog,
    Screen,
    Talk,
    going_on,
    turn_of,
)
from companion.views.facts import next_to_play, seat_info
from companion.views.model import Intent, Scene, SeatView, TakeBack
from companion.views.words import words

__all__ = ["HOME", "Dialog", "choices", "meaning", "press", "public_face", "show"]

Page = Callable[[Talk], Screen]

PAGES: Mapping[tuple[str, str], Page] = {
    ("gear", ""): dialog_turn.gear_page,
    ("roll", ""): dialog_turn.roll_page,
    ("move", ""): dialog_move.move_page,
    ("move", "more"): dialog_move.more_page,
    ("move", "brake"): dialog_move.brake_page,
    ("move", "lane"): dialog_move.lane_page,
    ("slipstream", ""): dialog_move.slipstream_page,
    ("slipstream", "more"): dialog_move.more_page,
    ("slipstream", "brake"): dialog_move.brake_page,
    ("slipstream", "lane"): dialog_move.lane_page,
    ("black", ""): dialog_black.black_page,
    ("black", "group"): dialog_black.group_page,
    ("hurt", ""): dialog_black.list_page,
    ("ask", ""): dialog_any.any_page,
    ("others", ""): dialog_others.others_page,
    ("agree", ""): dialog_elsewhere.agree_page,
    ("proposed", ""): dialog_elsewhere.proposer_page,
    ("next", ""): dialog_car.next_page,
    ("dead", ""): dialog_car.dead_page,
    ("car", ""): dialog_car.car_page,
    ("paused", ""): dialog_end.paused_page,
    ("finished", ""): dialog_end.result_page,
    ("lobby", ""): dialog_lobby.lobby_page,
    ("lobby", "names"): dialog_lobby.names_page,
    ("lobby", "tracks"): dialog_lobby.tracks_page,
    ("lobby", "laps"): dialog_lobby.laps_page,
}
"""The pages of each thing that can be going on; "" is the one it begins with."""

ANYWHERE: Mapping[str, Page] = {
    "elsewhere": dialog_elsewhere.lanes_page,
    "place": dialog_elsewhere.place_page,
    "car": dialog_car.car_page,
    "road": dialog_car.road_page,
    "why": dialog_car.why_page,
    "menu": dialog_menu.menu_page,
    "menu2": dialog_menu.menu2_page,
    "wear": dialog_menu.wear_page,
    "standings": dialog_menu.standings_page,
    "language": dialog_menu.language_page,
    "retire": dialog_menu.retire_page,
    "link": dialog_menu.link_page,
    "steward": dialog_menu.steward_page,
}
"""The pages that do not depend on what is going on."""

TAKE_BACK = 1
MENU = 6


def topic(talk: Talk) -> str:
    """What is going on for a seat, the most pressing first."""
    scene = talk.scene
    if scene.state is None:
        return "lobby"
    if scene.proposal and scene.proposal.get("from") == talk.seat:
        return "proposed"
    if scene.proposal:
        return "agree"
    if scene.paused:
        return "paused"
    if scene.state.get("phase") == "finished":
        return "finished"
    return _topic_of_ask(talk) or _topic_of_others(talk)


def _topic_of_ask(talk: Talk) -> str:
    """What the seat is asked; "" for nothing."""
    if not talk.ask:
        return ""
    kind = str(talk.ask["kind"])
    if kind == "black" and not talk.dialog.target and dialog_others.has_list(talk):
        return "hurt"
    return kind if (kind, "") in PAGES else "ask"


def _topic_of_others(talk: Talk) -> str:
    """What a seat that is asked nothing has to do with what others are asked."""
    if dialog_others.has_list(talk):
        return "hurt"
    if dialog_others.waits(talk):
        return "others"
    if next_to_play(talk.scene) == talk.seat:
        return "next"
    return "dead" if dialog_car.dead_seat(talk) else "car"


def settled(scene: Scene, seat: int, dialog: Dialog) -> Dialog:
    """The dialog as it still holds: a page whose time has passed has closed."""
    target = dialog.target
    if target and dialog.about[-len(turn_of(scene)) :] != turn_of(scene):
        return HOME
    if target and not any(ask["seat"] == target for ask in scene.asks):
        return HOME
    if dialog.page and dialog.about != going_on(scene, seat, target):
        return Dialog(target=target, about=turn_of(scene) if target else ())
    return dialog


def screen(scene: Scene, seat: int, dialog: Dialog = HOME) -> Screen:
    """The page that a seat is on."""
    say = words(seat_info(scene, seat).language)
    talk = Talk(scene, seat, settled(scene, seat, dialog), say)
    about, page = topic(talk), talk.dialog.page
    make = PAGES.get((about, page)) or ANYWHERE.get(page) or PAGES[about, ""]
    made = make(talk)
    return dialog_end.with_refusal(talk, made) if not page else made


def choices(scene: Scene, seat: int, dialog: Dialog = HOME) -> Choices:
    """What the six buttons do now; None: nothing."""
    return screen(scene, seat, dialog).choices


def show(scene: Scene, seat: int, dialog: Dialog = HOME) -> SeatView:
    """What stands on a seat's screen."""
    page = screen(scene, seat, dialog)
    keys = tuple(choice.key if choice else None for choice in page.choices)
    return SeatView(page.title, page.lines, keys, page.pips, page.big, page.qr, page.blink)


def public_face(view: SeatView) -> SeatView:
    """The screen as everybody may see it: without the code that opens a seat."""
    return replace(view, qr="")


def press(
    scene: Scene, seat: int, dialog: Dialog, button: int, hold: bool = False
) -> tuple[Dialog, tuple[Intent, ...]]:
    """The dialog after a press of a button (1 to 6), and what the table shall do.

    Holding 1 takes the seat's last answer back, holding 6 opens its menu; holding any other
    button is a press. A button without a meaning changes nothing.
    """
    dialog = settled(scene, seat, dialog)
    if hold and button == TAKE_BACK and scene.state is not None:
        return HOME, (TakeBack(),)
    if hold and button == MENU:
        return Talk(scene, seat).turn_to("menu"), ()
    choice = choices(scene, seat, dialog)[button - 1]
    return (choice.then, choice.does) if choice else (dialog, ())


def meaning(scene: Scene, seat: int, dialog: Dialog = HOME) -> tuple[str, ...]:
    """What each of the six keys means, to be compared: equal only where a press does the same.

    Two asks that look alike are told apart by the version at which they opened.
    """
    asked = going_on(scene, seat, dialog.target)
    told = []
    for choice in choices(scene, seat, dialog):
        does = [(type(intent).__name__, asdict(intent)) for intent in choice.does] if choice else []
        page = asdict(choice.then) if choice else None
        told.append(json.dumps([does, page, asked if does else ()], sort_keys=True, default=list))
    assert len(told) == KEYS
    return tuple(told)
