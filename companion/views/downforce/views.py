"""Downforce at the table: its pages by what is going on, and its part of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views import dialog_any, dialog_car, dialog_others
from companion.views.dialog_core import Screen, Talk
from companion.views.downforce import auction, idle, menu, race, result
from companion.views.downforce.facts import secret_round, table_ask
from companion.views.downforce.story import STORY
from companion.views.games import JSON, GameViews, Page
from companion.views.model import Scene
from companion.views.words import phrase

PAGES: Mapping[tuple[str, str], Page] = {
    ("pole", ""): auction.pole_page,
    ("lot", ""): auction.lot_page,
    ("bid", ""): auction.bid_page,
    ("award", ""): auction.award_page,
    ("keep", ""): auction.keep_page,
    ("played", ""): race.played_page,
    ("played", race.FINISH): race.finish_page,
    ("bet", ""): race.bet_page,
    ("end", ""): race.end_page,
    ("ask", ""): dialog_any.any_page,
    ("others", ""): dialog_others.others_page,
    ("dead", ""): dialog_car.dead_page,
    ("car", ""): idle.idle_page,
    ("finished", ""): result.result_page,
}


def _why(talk: Talk) -> Screen:
    return dialog_car.why_page(talk) if dialog_car.dead_seat(talk) else idle.idle_page(talk)


ANYWHERE: Mapping[str, Page] = {
    "car": idle.idle_page,
    "power": idle.power_page,
    "money": idle.money_page,
    "why": _why,
    "menu": menu.menu_page,
    "menu2": menu.menu2_page,
    "table": menu.table_page,
    "end": race.end_page,
    "retire": menu.retire_page,
}

TASKS = {
    "pole": phrase("{name} says how the cars stand on the grid"),
    "lot": phrase("{name} turns a lot up"),
    "bid": phrase("{name} bids in secret"),
    "award": phrase("{name} says whose the car is"),
    "keep": phrase("{name} keeps one power"),
    "played": phrase("{name} plays a card"),
    "bet": phrase("{name} bets in secret"),
    "end": phrase("{name} says when nobody can move"),
}

KINDS = {
    "bid": phrase("bid"),
    "bet": phrase("bet"),
    "keep": phrase("power"),
    "played": phrase("card"),
}


def topic(talk: Talk) -> str:
    """What is going on for a seat in a game that goes on, the most pressing first."""
    if talk.ask:
        kind = str(talk.ask["kind"])
        return kind if (kind, "") in PAGES else "ask"
    ask = table_ask(talk.scene)
    if ask and talk.info.host:
        return str(ask["kind"])
    if dialog_others.waits(talk):
        return "others"
    return "dead" if dialog_car.dead_seat(talk) else "car"


def _of_seat(scene: Scene, seat: int) -> dict[str, Any]:
    return {}


def _of_table(scene: Scene) -> dict[str, Any]:
    """The name of the game, and who has answered what is asked in secret."""
    return {"title": "Downforce", "secret": secret_round(scene)}


def _summary(state: JSON) -> tuple[str, dict[str, str]]:
    """A score sheet a line (DF-PAY-3); what is not revealed yet is a question mark."""
    lines = {}
    for seat, player in state["players"].items():
        money = " ".join(
            f"{name} {'?' if player[name] is None else player[name]}"
            for name in ("race", "bets_won", "spent", "total")
        )
        lines[seat] = f"{player['name']:<20} {money}  {' '.join(player['cars'])}"
    return state["phase"], lines


VIEWS = GameViews(
    pages=PAGES,
    anywhere=ANYWHERE,
    topic=topic,
    story=STORY,
    of_seat=_of_seat,
    of_table=_of_table,
    summary=_summary,
    tasks=TASKS,
    kinds=KINDS,
)
