"""The Formula games at the table: their pages by what is going on, and what goes on for a seat."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views import (
    dialog_any,
    dialog_black,
    dialog_build,
    dialog_car,
    dialog_elsewhere,
    dialog_end,
    dialog_menu,
    dialog_move,
    dialog_order,
    dialog_others,
    dialog_pit,
    dialog_report,
    dialog_table,
    dialog_trial,
    dialog_turn,
)
from companion.views.dialog_core import Talk
from companion.views.facts import next_to_play
from companion.views.games import JSON, GameViews, Page
from companion.views.story import FORMULA as STORY
from companion.views.table import FORMULA_TASKS, formula_seat, formula_table
from companion.views.words import phrase

PAGES: Mapping[tuple[str, str], Page] = {
    ("gear", ""): dialog_trial.trial_gear_page,
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
    ("build", ""): dialog_build.build_page,
    ("build", "points"): dialog_build.points_page,
    ("tires", ""): dialog_pit.tires_page,
    ("pit", ""): dialog_pit.pit_page,
    ("length", ""): dialog_pit.length_page,
    ("repair", ""): dialog_pit.repair_page,
    ("repair", "points"): dialog_pit.repair_page,
    ("recover", ""): dialog_pit.repair_page,
    ("recover", "points"): dialog_pit.repair_page,
    ("report", ""): dialog_report.report_page,
    ("report", "so far"): dialog_report.report_page,
    ("report", "more"): dialog_report.more_page,
    ("report", "touched"): dialog_report.touched_page,
    **{("report", name): dialog_report.count_page for name in dialog_report.COUNTS},
    ("order", ""): dialog_order.order_page,
    ("order", "order"): dialog_order.order_page,
    ("weather", ""): dialog_table.weather_page,
    ("time", ""): dialog_trial.time_page,
    ("time", "steps"): dialog_trial.time_page,
    ("trial", ""): dialog_trial.onlooker_page,
    ("ask", ""): dialog_any.any_page,
    ("others", ""): dialog_others.others_page,
    ("agree", ""): dialog_elsewhere.agree_page,
    ("proposed", ""): dialog_elsewhere.proposer_page,
    ("next", ""): dialog_car.next_page,
    ("dead", ""): dialog_car.dead_page,
    ("car", ""): dialog_car.car_page,
    ("finished", ""): dialog_end.result_page,
}

ANYWHERE: Mapping[str, Page] = {
    "elsewhere": dialog_elsewhere.lanes_page,
    "place": dialog_elsewhere.place_page,
    "car": dialog_car.car_page,
    "road": dialog_car.road_page,
    "driver": dialog_car.driver_page,
    "why": dialog_car.why_page,
    "menu": dialog_menu.menu_page,
    "menu2": dialog_menu.menu2_page,
    "wear": dialog_menu.wear_page,
    "standings": dialog_menu.standings_page,
    "retire": dialog_menu.retire_page,
}

KINDS = {
    "gear": phrase("gear"),
    "roll": phrase("die"),
    "black": phrase("black"),
    "move": phrase("move"),
    "slipstream": phrase("slip"),
    "length": phrase("length"),
    "build": phrase("car"),
    "tires": phrase("tires"),
    "pit": phrase("stop"),
    "repair": phrase("repair"),
    "recover": phrase("regain"),
    "radio": phrase("radio"),
    "trail": phrase("debris"),
    "reroll": phrase("reroll"),
    "time": phrase("time"),
}
"""What is asked, in the small letters of a key."""


def topic(talk: Talk) -> str:
    """What is going on for a seat in a race that goes on."""
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
    if dialog_table.is_asked(talk):
        return "weather"
    if dialog_order.is_asked(talk):
        return "order"
    if dialog_trial.driving(talk.scene) is not None:
        return "trial"
    if dialog_others.waits(talk):
        return "others"
    if next_to_play(talk.scene) == talk.seat:
        return "next"
    return "dead" if dialog_car.dead_seat(talk) else "car"


def _summary(state: JSON) -> tuple[str, dict[str, str]]:
    """Where the race is, and where every car."""
    lines = {}
    for seat, car in state["cars"].items():
        wear = " ".join(f"{name} {left}" for name, left in car["wear"].items())
        where = car["space"] or car["status"]
        lines[seat] = f"{car['name']:<20} lap {car['lap']}  {where:<8} {wear}"
    return f"{state['phase']}, round {state['round']}", lines


VIEWS = GameViews(
    pages=PAGES,
    anywhere=ANYWHERE,
    topic=topic,
    story=STORY,
    of_seat=formula_seat,
    of_table=formula_table,
    summary=_summary,
    tasks=FORMULA_TASKS,
    kinds=KINDS,
)
