"""The id of a rule is a button that opens its sentence, in the language of the page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running

pytestmark = NEEDS_CHROMIUM

RACE = {
    "game": "formula-d",
    "track": "monaco",
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}],
    "grid": [1, 2],
    "start": "normal",
}


def test_a_rule_in_the_story_opens_its_sentence(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE)
    page = open_page(f"{running.url}/?lang=fr#pin={running.pin}")
    page.locator("#story button.rule").first.click()
    said = page.locator("dialog.rule-says")
    expect(said).to_contain_text("grille")
    page.keyboard.press("Escape")
    expect(said).to_have_count(0)
