"""The id of a rule is a button that opens what the book of the table has of it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running
from support.tables.sitting import race_header

pytestmark = NEEDS_CHROMIUM


def test_a_rule_in_the_story_opens_its_entry_in_the_book_of_the_table(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(race_header(2))
    page = open_page(f"{running.url}/?lang=fr#pin={running.pin}")
    button = page.locator("#story button.rule").first
    rule = button.get_attribute("data-rule") or ""
    button.evaluate("(button) => { button.click(); button.click(); }")  # a double tap opens it once
    said = page.locator("dialog.rule-says")
    expect(said).to_contain_text("grille")
    expect(said.locator("article")).to_have_attribute("id", rule)
    book = said.get_by_role("link", name="Le livre de la table")
    expect(book).to_have_attribute("href", f"/book#{rule}")
    page.keyboard.press("Escape")
    expect(said).to_have_count(0)
    held: list[Route] = []
    page.route("**/book/*", lambda one: one.continue_() if held else held.append(one))
    button.evaluate("(button) => { button.click(); button.click(); }")
    expect(said).to_be_visible()
    page.keyboard.press("Escape")
    expect(said).to_have_count(0)
    with page.expect_response("**/book/*"):
        held[0].continue_()  # the reply to the first tap, late
    page.wait_for_timeout(300)
    assert said.count() == 0
    page.unroute("**/book/*")
    page.goto(f"{running.url}/book#{rule}")
    expect(page.locator(f"[id={rule}]")).to_be_in_viewport()
    expect(page.locator("img").first).to_have_js_property("complete", True)
