"""The hall's television in a real browser: twenty tables that are read from five metres."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE

from companion.league.league import League
from companion.league.receiving import LiveFiles

pytestmark = NEEDS_CHROMIUM

OpenPage = Callable[..., Page]
TELEVISION = {"width": 1920, "height": 1080}
SMALLEST_PX = 27
"""Of a name: 17 mm on a screen of 55 inches."""
NAMES = ("Ana", "<b>Béla</b>", "Maximilian Featherstone", "Dot", "Eve", "Fay", "Gil", "Hal")


def racing(cars: int) -> dict[str, Any]:
    own = {
        str(n): {"seat": n, "name": name, "lap": 1, "status": "out" if n == 3 else "racing"}
        for n, name in enumerate(NAMES[:cars], 1)
    }
    state = {"phase": "race", "laps": 2, "turn": 2, "cars": own}
    return {"title": "Spa-Francorchamps", "state": state, "running": [2, 1], "story": []}


@pytest.fixture
def live(league: League) -> LiveFiles:
    return LiveFiles(league.storage)


def test_twenty_tables_fit_a_television_in_letters_that_are_read_from_five_metres(
    live: LiveFiles, site: str, open_page: OpenPage
) -> None:
    for n in range(1, 21):
        live.show(f"Table {n}", racing(8 if n % 2 else 4))
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    cards = page.locator(".table")
    expect(cards).to_have_count(20)
    boxes = [card.bounding_box() for card in cards.all()]
    assert all(box and box["y"] + box["height"] <= 1080 for box in boxes)
    last = page.locator(".table").nth(18).locator("li").nth(4)
    box, card = last.bounding_box(), boxes[18]
    assert box is not None
    assert card is not None
    assert box["y"] + box["height"] <= card["y"] + card["height"]
    size = last.locator(".who").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= SMALLEST_PX
    first = cards.first
    expect(first.locator(".lap")).to_have_text("Lap 1/2")
    expect(first.locator(".on-turn .who")).to_have_text("<b>Béla</b>")
    expect(first.locator(".is-out .who")).to_have_text("Maximilian Featherstone")


def test_a_table_that_falls_silent_is_marked(
    league: League, site: str, open_page: OpenPage
) -> None:
    late = LiveFiles(league.storage, lambda: time.time() - 60)
    late.show("Table 1", racing(4))
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    expect(page.locator(".is-silent .where")).to_have_text(re.compile(r"silent for [6-9]\d s"))


def test_more_tables_than_fit_take_turns_and_a_phone_scrolls_through_all(
    live: LiveFiles, site: str, open_page: OpenPage
) -> None:
    for n in range(1, 26):
        live.show(f"Table {n}", racing(4))
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    expect(page.locator("#page")).to_have_text("1 / 2")
    expect(page.locator(".table")).to_have_count(20)
    phone = open_page(f"{site}/hall", viewport=PHONE)
    expect(phone.locator(".table")).to_have_count(25)
    assert not phone.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_server_that_is_gone_is_told(live: LiveFiles, site: str, open_page: OpenPage) -> None:
    live.show("Table 1", racing(4))
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    expect(page.locator(".table")).to_have_count(1)
    page.context.set_offline(True)
    expect(page.locator("#link")).to_have_text("Connection lost. Trying again …", timeout=8000)
    expect(page.locator(".table")).to_have_count(1)


def test_a_table_that_reports_is_shown_without_being_asked_for(
    live: LiveFiles, site: str, open_page: OpenPage
) -> None:
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    expect(page.locator("#link")).to_have_text("live")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    live.show("Table 1", racing(4))
    expect(page.locator(".table")).to_have_count(1)
    expect(page.locator("h2")).to_have_text("Table 1")
    assert asked == []


def test_a_table_that_is_chosen_has_the_screen_for_itself_until_it_is_chosen_again(
    live: LiveFiles, site: str, open_page: OpenPage
) -> None:
    for n in range(1, 4):
        live.show(f"Table {n}", racing(4))
    page = open_page(f"{site}/hall", viewport=TELEVISION)
    expect(page.locator(".table")).to_have_count(3)
    page.get_by_role("button", name="Table 2").click()
    expect(page.locator(".table")).to_have_count(1)
    expect(page.locator(".table h2")).to_have_text("Table 2")
    page.locator(".table h2 button").press("Enter")
    expect(page.locator(".table")).to_have_count(3)
