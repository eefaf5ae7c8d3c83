"""The Formula games at the table: their pages by what is going on, and what goes on for a seat."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views.facts import next_to_play
from companion.views.formula import (
    build,
    car,
    die,
    elsewhere,
    gear,
    order,
    pit,
    report,
    trial,
    way,
    weather,
)
from companion.views.games import JSON, GameViews, Page
from companion.views.page.story import FORMULA as STORY
from companion.views.page.table import FORMULA_TASKS, formula_seat, formula_table
from companion.views.seat import any_ask, dead, end, menu, others
from companion.views.seat.core import Talk
from companion.views.words import phrase

PAGES: Mapping[tuple[str, str], Page] = {
    ("gear", ""): trial.trial_gear_page,
    ("roll", ""): gear.roll_page,
    ("move", ""): way.move_page,
    ("move", "more"): way.more_page,
    ("move", "brake"): way.brake_page,
    ("move", "lane"): way.lane_page,
    ("slipstream", ""): way.slipstream_page,
    ("slipstream", "more"): way.more_page,
    ("slipstream", "brake"): way.brake_page,
    ("slipstream", "lane"): way.lane_page,
    ("black", ""): die.black_page,
    ("black", "group"): die.group_page,
    ("hurt", ""): die.list_page,
    ("build", ""): build.build_page,
    ("build", "points"): build.points_page,
    ("tires", ""): pit.tires_page,
    ("pit", ""): pit.pit_page,
    ("length", ""): pit.length_page,
    ("repair", ""): pit.repair_page,
    ("repair", "points"): pit.repair_page,
    ("recover", ""): pit.repair_page,
    ("recover", "points"): pit.repair_page,
    ("report", ""): report.report_page,
    ("report", "so far"): report.report_page,
    ("report", "more"): report.more_page,
    ("report", "touched"): report.touched_page,
    **{("report", name): report.count_page for name in report.COUNTS},
    ("order", ""): order.order_page,
    ("order", "order"): order.order_page,
    ("weather", ""): weather.weather_page,
    ("time", ""): trial.time_page,
    ("time", "steps"): trial.time_page,
    ("trial", ""): trial.onlooker_page,
    ("ask", ""): any_ask.any_page,
    ("others", ""): others.others_page,
    ("agree", ""): elsewhere.agree_page,
    ("proposed", ""): elsewhere.proposer_page,
    ("next", ""): car.next_page,
    ("dead", ""): dead.dead_page,
    ("car", ""): car.car_page,
    ("finished", ""): end.result_page,
}

ANYWHERE: Mapping[str, Page] = {
    "elsewhere": elsewhere.lanes_page,
    "place": elsewhere.place_page,
    "car": car.car_page,
    "road": car.road_page,
    "driver": car.driver_page,
    "why": dead.why_page,
    "menu": menu.menu_page,
    "menu2": menu.menu2_page,
    "wear": menu.wear_page,
    "standings": menu.standings_page,
    "retire": menu.retire_page,
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
    if kind == "black" and not talk.dialog.target and others.has_list(talk):
        return "hurt"
    return kind if (kind, "") in PAGES else "ask"


def _topic_of_others(talk: Talk) -> str:
    """What a seat that is asked nothing has to do with what others are asked."""
    if others.has_list(talk):
        return "hurt"
    if weather.is_asked(talk):
        return "weather"
    if order.is_asked(talk):
        return "order"
    if trial.driving(talk.scene) is not None:
        return "trial"
    if others.waits(talk):
        return "others"
    if next_to_play(talk.scene) == talk.seat:
        return "next"
    return "dead" if dead.dead_seat(talk) else "car"


def _summary(state: JSON) -> tuple[str, dict[str, str]]:
    """Where the race is, and where every car."""
    lines = {}
    for seat, one in state["cars"].items():
        wear = " ".join(f"{name} {left}" for name, left in one["wear"].items())
        where = one["space"] or one["status"]
        lines[seat] = f"{one['name']:<20} lap {one['lap']}  {where:<8} {wear}"
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
