"""Downforce's screens, dot by dot, as text in tests/golden/downforce.

After a change that is wanted, look at the new screens and renew them with

    RENEW_GOLDEN=1 pytest tests/drawing/test_golden_downforce.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.downforce.scenes import Seats, bot_plays, with_a_bot, worked_example
from support.downforce.table import CARS, POWERS
from support.screens.dots import to_text

from companion.drawing.seat import draw_seat
from companion.views.dialog import press, public_face, show
from companion.views.model import Scene, SeatView
from companion.views.screen import HOME

GOLDEN = Path(__file__).parents[1] / "golden" / "downforce"
NAMES = (
    "grid",
    "grid_of_two",
    "power_of_a_lot",
    "bid",
    "bid_seldom",
    "bid_card",
    "bid_wild",
    "face_of_a_bid",
    "who_has_not_bid",
    "tie",
    "card",
    "home",
    "bet",
    "waiting_with_bets",
    "reminder",
    "menu",
    "sheet",
    "brought",
    "totals",
    "bid_in_french",
    "waiting_in_french",
    "waiting_in_the_auction",
    "waiting_in_the_race",
    "cars_now",
    "owner_of_a_lot",
    "price_of_a_lot",
    "told",
    "told_late",
    "told_in_french",
    "hand",
    "hand_spaces",
    "hand_card",
    "hand_seldom",
    "bots_card",
    "bots_card_played",
    "bots_card_in_german",
    "short_card",
    "standing",
)


def after(scene: Scene, seat: int, *buttons: int, menu: bool = False) -> SeatView:
    """A seat's screen after these presses."""
    dialog = press(scene, seat, HOME, 6, hold=True)[0] if menu else HOME
    for button in buttons:
        dialog, _ = press(scene, seat, dialog, button)
    return show(scene, seat, dialog)


def of_a_bot(language: str) -> Iterator[tuple[str, SeatView]]:
    scene = with_a_bot(language).scene()
    yield "hand", after(scene, 1)
    yield "hand_spaces", after(scene, 1, 6)
    yield "hand_card", after(scene, 1, 6, 6, 4, 4, 5, 1)
    yield "hand_seldom", after(scene, 1, 6, 6, 4, 4, 5, 1, 4)
    card = [["black", 6], ["yellow", 5], ["orange", 4], ["green", 3], ["wild", 2], ["blue", 1]]
    table = bot_plays(card, language)
    yield "bots_card", after(table.scene(), 3)
    yield "bots_card_played", after(table.scene(), 1)
    yield "bots_card_in_german", after(bot_plays(card, "de").scene(), 3)
    yield "short_card", after(bot_plays([["red", 3], ["wild", 1]], language).scene(), 3)
    table.card(lines=1)
    table.bets(dict.fromkeys(table.asked("bet"), "red"))
    yield "standing", after(table.scene(), 1, 2, 1)


def auction(language: str) -> Iterator[tuple[str, SeatView]]:
    table = Seats(language=language)
    yield "grid", after(table.scene(), 1)
    yield "grid_of_two", after(table.scene(), 1, 3, 1)
    table.pole()
    yield "power_of_a_lot", after(table.scene(), 1, 5)
    table.lot("orange", "unpredictable")
    scene = table.scene(old={(2, "bid"): {"amount": 4, "cars": 3, "wild": False}})
    yield "bid", after(scene, 2)
    yield "bid_seldom", after(scene, 2, 1)
    yield "bid_card", after(scene, 2, 4)
    yield "bid_wild", after(scene, 2, 4, 1)
    yield "face_of_a_bid", public_face(after(scene, 2, 4))
    table.bids({1: 0, 2: 6})
    yield "who_has_not_bid", after(table.scene(), 1)
    table.bids({3: 6, 4: 0})
    yield "tie", after(table.scene(), 1)


def race(language: str) -> Iterator[tuple[str, SeatView]]:
    table = Seats(language=language)
    owners = {"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5)}
    table.auction({**owners, "orange": (4, 3), "red": (1, 6)})
    scene = table.scene()
    yield "card", after(scene, 1)
    yield "home", after(scene, 1, 5, 6, 6)
    yield "menu", after(scene, 1, menu=True)
    yield "reminder", after(scene, 3, 1, 1, 1)
    yield "waiting_in_the_race", after(scene, 3)
    table.card(lines=1)
    yield "bet", after(table.scene(), 2)
    table.bets({1: "red", 2: "blue", 3: "orange", 4: "red"})
    yield "waiting_with_bets", after(table.scene(), 3)
    yield "cars_now", after(table.scene(), 3, 1, 1)
    scene = worked_example(language).scene()
    yield "sheet", after(scene, 1)
    yield "brought", after(scene, 1, 1)
    yield "totals", after(scene, 1, 1, 1, 1)


def told(language: str) -> Iterator[tuple[str, SeatView]]:
    """A table left to itself: lots are entered, and nobody is asked for a card."""
    table = Seats(language=language, house={"auction": "entered", "cards": "events"})
    table.pole()
    yield "owner_of_a_lot", after(table.scene(), 1, 3, 2)
    yield "price_of_a_lot", after(table.scene(), 1, 3, 2, 4)
    for number, (car, power) in enumerate(zip(CARS, POWERS, strict=True)):
        lot = {"car": car, "power": power, "seat": 1 + number % 4, "price": number + 1}
        table.plays(0, lot=lot)
        if number == 3:
            yield "waiting_in_the_auction", after(table.scene(), 2)
    for seat in table.asked("keep"):
        table.plays(seat, keep=table.player(seat)["powers"][0])
    yield "told", after(table.scene(), 2)
    for _ in range(3):
        table.plays(0, played={"lines": 1})
        table.bets(dict.fromkeys((1, 2, 3, 4), "green"))
    table.plays(0, played={"finished": ["orange", "green"]})
    yield "told_late", after(table.scene(), 2)


@cache
def screens() -> dict[str, SeatView]:
    """The screens by the names of their files."""
    french = dict(auction("fr")) | dict(race("fr")) | dict(told("fr"))
    shown = dict(auction("en")) | dict(race("en")) | dict(told("en")) | dict(of_a_bot("en"))
    shown["bid_in_french"] = french["bid"]
    shown["waiting_in_french"] = french["waiting_with_bets"]
    shown["told_in_french"] = french["told_late"]
    return shown


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_looks_as_it_was_last_approved(name: str) -> None:
    drawn = to_text(draw_seat(screens()[name]))
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("RENEW_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn, encoding="ascii")
    assert drawn == file.read_text("ascii")


def test_every_golden_file_belongs_to_a_screen() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(NAMES) == set(screens())
