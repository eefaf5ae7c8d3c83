"""A marshal's phone in a real browser: the link, the result by hand; and what a club prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, PHONE
from support.leagues.records import do

from companion.league.keeping import digest_of_key
from companion.league.league import League

pytestmark = NEEDS_CHROMIUM

OpenPage = Callable[..., Page]
KEY = "k" * 40
A4_PX = 1122
"""The height of A4 at 96 dots an inch."""
MARGINS_PX = 91


@pytest.fixture
def day(league: League) -> League:
    names = ("Ana", "Bea", "Cai", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
    entry: dict[str, Any] = {"act": "enter", "season": "heats", "table": "2"}
    do(
        league,
        {"act": "season", "season": "heats", "title": "Heats", "open": True, "current_round": 1},
        *({**entry, "driver": name, "number": n, "grid": n} for n, name in enumerate(names, 1)),
        {"act": "person", "person": "Max", "role": "marshal", "table": "2"}
        | {"key_sha256": digest_of_key(KEY)},
        by="t",
    )
    return league


def test_a_marshal_tells_the_result_of_the_table_on_a_phone(
    site: str, day: League, open_page: OpenPage
) -> None:
    page = open_page(f"{site}/league/tables/2#pin={KEY}", viewport=PHONE)
    form = page.locator("[data-form=result]")
    expect(form).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert violations(page) == []
    rows = form.locator("li")
    rows.nth(0).locator("[data-move=down]").click()
    rows.nth(2).locator("select").select_option("out")
    rows.nth(9).locator("select").select_option("not-started")
    form.locator(".go").click()
    expect(page.locator("main")).to_contain_text("1. Bea · 2. Ana")
    (race,) = day.queries.races(season="heats")
    told = {entry.name: (entry.place, entry.status, entry.grid) for entry in race.entries}
    assert told["Bea"] == (1, "finished", 2)
    assert told["Cai"][1:] == ("out", 3)
    assert told["Jo"] == (10, "not-started", 10)
    assert race.sender == "2"
    page.get_by_role("link", name="Amend or penalize").click()
    expect(page.locator("#amend")).to_be_visible()


@pytest.mark.parametrize("form", ["forms", "grids", "cards"])
def test_a_table_of_ten_is_printed_on_one_page(
    site: str, day: League, open_page: OpenPage, form: str
) -> None:
    page = open_page(
        f"{site}/league/export/season/heats/{form}", viewport={"width": 703, "height": 900}
    )
    page.emulate_media(media="print")
    sections = page.locator("section")
    expect(sections).to_have_count(1)
    box = sections.first.bounding_box()
    assert box is not None
    assert 300 < box["height"] <= A4_PX - MARGINS_PX
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "29.3333px"
