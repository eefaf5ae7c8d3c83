"""Somebody comes while the race is on: by the referee's panel, and by a phone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running, table_of
from support.tables.sitting import race_header

pytestmark = NEEDS_CHROMIUM


def test_a_player_comes_late_by_the_page_and_another_by_phone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(race_header(2))
    page = open_page(f"{running.url}/#pin={running.pin}")
    page.locator("#referee-open, [aria-controls='referee']").first.click()
    page.get_by_label("Name", exact=True).fill("Zoé")
    page.get_by_role("button", name="Come in", exact=True).click()
    expect(page.locator("#toast")).to_contain_text("Zoé starts at the back, in the next round")
    expect(page.locator(".token")).to_have_count(3)

    code = page.evaluate(
        """(pin) => fetch("/api/join", {headers: {Authorization: `Bearer ${pin}`}})
        .then((reply) => reply.json()).then((told) => told.link)""",
        running.pin,
    )
    phone = open_page(code, viewport=PHONE)
    expect(phone.locator("form")).to_contain_text("you start at the back, in the next round")
    phone.get_by_label("Your name").fill("Cem")
    phone.get_by_label("pink").check()
    phone.get_by_role("button", name="Take a seat").click()
    expect(phone.locator("body")).to_contain_text("Cem")
    table = table_of(page)
    assert [seat["name"] for seat in table["seats"]] == ["Ana", "Bob", "Zoé", "Cem"]
    assert table["seats"][3]["color"] == "pink"
    assert table["state"]["order"] == [1, 2]
