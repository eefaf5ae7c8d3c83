"""A car with a crew in the lobby: typed, or taken from the entry list of the league."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    add,
)

from companion.cli import main

pytestmark = NEEDS_CHROMIUM


def test_a_seat_takes_a_crew_from_the_entry_list_and_one_that_is_typed(
    run: Callable[..., Running], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path / "data"))
    assert main(["league", "new", "Winter 2026", *data]) == 0
    assert main(["league", "enter", "winter-2026", "Rapid", "--crew", "Eve, Zoë & Co", *data]) == 0
    assert main(["league", "enter", "winter-2026", "Ana", *data]) == 0
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}", viewport=PHONE)
    add(table)
    add(table)
    table.get_by_role("button", name="Change").click()
    first = table.locator(".driver-row").first
    first.locator(".crew summary").click()
    first.get_by_label("From the entry list").select_option("Rapid: Eve, Zoë & Co")
    expect(first.locator(".crew summary")).to_have_text("Crew: Eve, Zoë & Co")
    expect(first.get_by_label("Name")).to_have_value("Rapid")
    typed = first.get_by_label("Crew, seat 1")
    typed.fill("Eve, Gus ,")
    typed.blur()
    expect(first.locator(".crew summary")).to_have_text("Crew: Eve, Gus")
    assert not table.evaluate("document.documentElement.scrollWidth > innerWidth")
    second = table.locator(".driver-row").nth(1)
    second.locator(".crew summary").click()
    other = second.get_by_label("Crew, seat 2")
    other.fill("Gus")
    other.blur()
    expect(table.get_by_text("Gus sits here already.")).to_be_visible()
    expect(second.locator(".crew summary")).to_have_text("Crew")
    onlooker = open_page(running.url)
    expect(onlooker.locator(".player").first).to_contain_text("Eve, Gus")


def test_a_table_without_a_season_offers_no_entry_list(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    add(table)
    table.get_by_role("button", name="Change").click()
    first = table.locator(".driver-row").first
    with table.expect_response("**/api/league/entries"):
        first.locator(".crew summary").click()
    expect(first.get_by_label("Crew, seat 1")).to_be_visible()
    expect(first.get_by_label("From the entry list")).to_have_count(0)
