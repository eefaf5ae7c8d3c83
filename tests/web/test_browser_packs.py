"""A rules pack chosen on the page of the lobby, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running

pytestmark = NEEDS_CHROMIUM


def test_a_pack_is_chosen_on_the_page_and_says_what_it_is(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    table.get_by_text("Add a player").click()
    table.get_by_text("Plain game").click()
    table.get_by_label("Rules pack").select_option("Masters 2018")
    expect(table.get_by_text("The competition rules of the French federation")).to_be_visible()
    expect(table.get_by_role("checkbox", name="Time trials")).to_be_checked()
    expect(table.locator("summary").filter(has_text="Masters 2018")).to_be_visible()
