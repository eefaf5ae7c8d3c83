"""Downforce at the table: its pages by what is going on, and its part of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.downforce import auction, car, end, menu, race
from companion.views.downforce.facts import secret_round, table_ask
from companion.views.downforce.story import STORY
from companion.views.games import JSON, GameViews, Page
from companion.views.model import Scene
from companion.views.seat import any_ask, dead, others
from companion.views.seat.core import Talk
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
    ("ask", ""): any_ask.any_page,
    ("others", ""): others.others_page,
    ("dead", ""): dead.dead_page,
    ("car", ""): car.idle_page,
    ("finished", ""): end.result_page,
}


ANYWHERE: Mapping[str, Page] = {
    "car": car.idle_page,
    "power": car.power_page,
    "money": car.money_page,
    "why": dead.why_page,
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
    if others.waits(talk):
        return "others"
    return "dead" if dead.dead_seat(talk) else "car"


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
