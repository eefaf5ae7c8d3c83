"""What is printed for a tournament day: forms, grids, place cards, a page a table."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.leagues.records import do, draw

import companion_web
from companion.league.charts import PAINT
from companion.league.errors import BadAct
from companion.league.exchange.outside import forms
from companion.league.league import League
from companion.rules.packs import COLORS

SHEETS = ("forms", "grids", "cards")
NASTY = "<b>Zoë & Co</b>"


@pytest.fixture
def day(open_league: Any) -> League:
    league: League = open_league()
    names = ("Ana", "Bea", NASTY, "Dot", "Eve")
    plan = {"act": "plan", "season": "heats", "round": 1, "weather": "rain", "laps": 3}
    do(
        league,
        {"act": "season", "season": "heats", "title": "Heats", "current_round": 1},
        {"act": "season", "season": "trials", "title": "Trials", "stage": "trials"},
        {**plan, "board": "Monza"},
        *(
            {"act": "enter", "season": key, "driver": name, "number": 10 + n, "team": "Bleu"}
            for key in ("heats", "trials")
            for n, name in enumerate(names)
        ),
        {"act": "enter", "season": "heats", "driver": "Eve", "crew": ["Fay", "Gus"]},
        {"act": "enter", "season": "heats", "driver": "Ana", "color": "violet"},
        {"act": "penalty", "season": "heats", "driver": "Ana", "grid": 1, "reason": "late"},
        by="t",
    )
    draw(league, "heats", 2, "number", Random(1), with_grid=True)
    return league


def printed(league: League, form: str, key: str = "heats", language: str = "en") -> str:
    return forms()[form].writer(language)(league.queries, key).decode()


class Tags(HTMLParser):
    """The elements that are open, to see that all are closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += "" if self.open[-1:] == ["style"] else f"{data}\n"


@pytest.mark.parametrize(("form", "language"), list(product(SHEETS, ("en", "fr", "de"))))
def test_each_table_has_a_page_with_its_drivers_and_names_are_no_markup(
    day: League, form: str, language: str
) -> None:
    page = printed(day, form, language=language)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert page.count("<section>") == 2
    assert NASTY not in page
    for text in ("Ana", "Bea", NASTY, "Dot", "Eve", "Fay, Gus", "Bleu", "Monza"):
        assert text in tags.text
    assert 'src="' not in page
    assert 'style="' not in page


def test_a_grid_has_the_places_that_penalties_cost_and_a_card_number_color_and_table(
    day: League,
) -> None:
    first = printed(day, "grids").split("<section>")[1]
    names = re.findall(r'class="who">([^<]+)', first)
    assert names[:2] == ["Bea", "Ana"]
    assert "1 place lost on the grid" in first
    card = printed(day, "cards").split("<article")[1]
    for text in (">10<", "c-violet", "Table 1", "violet"):
        assert text in card


def test_the_form_of_time_trials_asks_for_rolls_and_time_and_no_grid(day: League) -> None:
    page = printed(day, "forms", "trials")
    assert all(f"<th>{head}</th>" in page for head in ("Rolls", "Overshoot", "Time", "Score"))
    assert "<th>Grid</th>" not in page
    assert "The table settles its grid" in printed(day, "grids", "trials")


def test_a_stage_with_nobody_entered_is_told(day: League) -> None:
    do(day, {"act": "season", "season": "empty"}, by="t")
    with pytest.raises(BadAct, match="nobody is entered for round 1"):
        printed(day, "cards", "empty")


def test_the_paints_on_paper_are_those_of_the_page() -> None:
    assert tuple(PAINT) == COLORS
    sheet = (Path(companion_web.__file__).parent / "static/base.css").read_text("utf-8")
    for name, (paint, ink) in PAINT.items():
        assert f"--paint-{name}: {paint}; --ink-{name}: {ink};" in sheet


def test_a_car_without_a_number_has_one_that_nobody_at_the_table_has(open_league: Any) -> None:
    league = open_league()
    enter = {"act": "enter", "season": "s"}
    cars = [{**enter, "driver": "Ann", "number": 2}, *({**enter, "driver": n} for n in "BC")]
    do(league, {"act": "season", "season": "s"}, *cars, by="t")
    found = {
        form: re.findall(r'class="(?:number|disc) c-\w+">(\d+)<', printed(league, form, "s"))
        for form in SHEETS
    }
    assert found == {form: ["2", "1", "3"] for form in SHEETS}
