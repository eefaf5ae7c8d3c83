"""The id of a rule is a button that opens its sentence, in the language of the page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running
from support.tables.sitting import race_header

pytestmark = NEEDS_CHROMIUM


def test_a_rule_in_the_story_opens_its_sentence(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(race_header(2))
    page = open_page(f"{running.url}/?lang=fr#pin={running.pin}")
    page.locator("#story button.rule").first.click()
    said = page.locator("dialog.rule-says")
    expect(said).to_contain_text("grille")
    page.keyboard.press("Escape")
    expect(said).to_have_count(0)
