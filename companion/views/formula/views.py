"""The Formula games at the table: their chapters put together, and what goes on for a seat."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.formula.asks import BlackAsk
from companion.views import pages
from companion.views.formula import car, die, menu, odds, page, report, street, turn
from companion.views.formula.parts import name_of, next_to_play
from companion.views.screen import AskWords, GameViews, Page, Pages, Talk

ASKS: Mapping[str, AskWords] = {
    kind: words for chapter in page.CHAPTERS for kind, words in chapter.ASKS.items()
}
PAGES: Pages = {
    ("hurt", ""): die.list_page,
    ("weather", ""): die.weather_page,
    ("trial", ""): street.onlooker_page,
    ("agree", ""): menu.agree_page,
    ("proposed", ""): menu.proposer_page,
    ("next", ""): car.next_page,
    ("car", ""): car.car_page,
    ("finished", ""): menu.result_page,
}
"""The pages of what is no ask to the seat."""

ANYWHERE: Mapping[str, Page] = {
    "elsewhere": menu.lanes_page,
    "place": menu.place_page,
    "car": car.car_page,
    "road": car.road_page,
    "driver": car.driver_page,
    "menu": menu.menu_page,
    "menu2": menu.menu2_page,
    "wear": menu.wear_page,
    "standings": menu.standings_page,
    "odds": odds.odds_page,
    "retire": menu.retire_page,
    "end": menu.end_page,
}


def topic(talk: Talk) -> str:
    """What is going on for a seat in a race that goes on."""
    if talk.ask is None:
        return _topic_of_others(talk)
    for_itself = not talk.dialog.target
    if isinstance(talk.ask, BlackAsk) and for_itself and die.has_list(talk):
        return "hurt"
    return VIEWS.topic_of(talk.ask.kind)


def _topic_of_others(talk: Talk) -> str:
    """What a seat that is asked nothing has to do with what others are asked."""
    if die.has_list(talk):
        return "hurt"
    if die.is_asked(talk):
        return "weather"
    if report.is_asked(talk):
        return "order"
    if street.driving(talk.scene) is not None:
        return "trial"
    if pages.waits(talk):
        return "others"
    if next_to_play(talk.scene) == talk.seat:
        return "next"
    return "dead" if pages.dead_seat(talk) else "car"


VIEWS = GameViews(
    asks=ASKS,
    pages=PAGES,
    anywhere=ANYWHERE,
    topic=topic,
    story=page.STORY,
    name=name_of,
    standing=car.standing_of,
    road=car.road_of,
    around=page.around_car,
    finish=page.finish_of,
    throws=turn.thrown_die,
    thrown=turn.last_throw,
    of_seat=page.of_seat,
    odds=odds.for_page,
    of_table=page.of_table,
    summary=page.summary,
    takes_late=True,
    questions=die.QUESTIONS,
    refusals=street.REFUSALS,
)
