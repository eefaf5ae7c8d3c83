"""A bot's hand in a real browser: entered by touch and by keyboard, and seen by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, Running, table_of

pytestmark = NEEDS_CHROMIUM

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
HEADER = {
    "game": "downforce",
    "track": None,
    "seats": [
        {"seat": 1, "name": "Ana"},
        {"seat": 2, "name": "Bob"},
        {"seat": 3, "name": "Racer", "hand": "entered"},
    ],
    "house": {"auction": "secret", "cards": "counted"},
}
HAND = 14
"""Cards that each of three is dealt."""
CARD = [("red", 6), ("green", 4), ("wild", 2)]
LEAST_PX = 44
LEAST = """(keys) => Math.min(...keys.map((key) => key.getBoundingClientRect())
    .map(({ width, height }) => Math.min(width, height)))"""
"""The least side of any key."""
POST = """([seat, token, line]) => fetch(`/api/seat/${seat}/answer`, {method: "POST",
  headers: {"Content-Type": "application/json", Authorization: `Bearer ${token}`},
  body: JSON.stringify(line)}).then((reply) => reply.json())"""


def say(page: Page, running: Running, seat: int, kind: str, value: Any) -> Any:
    """An answer that the host gives."""
    token = running.links[1].partition("#")[2]
    reply = page.evaluate(POST, [seat, token, {kind: value}])
    assert reply["ok"], (kind, value, reply)
    return reply


def touch_card(page: Page, card: Sequence[tuple[str, int]]) -> None:
    """A color, then its spaces, for every line; then the card is done."""
    form = page.locator(".df-hand")  # there are cars on the keys before it, too
    for car, spaces in card:
        form.get_by_role("button", name=car, exact=True).tap()
        form.get_by_role("button", name=str(spaces), exact=True).tap()
    form.get_by_role("button", name="Card done").tap()


@pytest.fixture
def running(run: Callable[..., Running]) -> Running:
    return run(HEADER)


def fits(phone: Page) -> None:
    """On a phone of each width every key of the form is as large as a finger."""
    keys = phone.locator(".df-hand button:visible")
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 568})
        assert keys.evaluate_all(LEAST) >= LEAST_PX
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hand_is_entered_by_touch_and_outlives_a_reload(
    running: Running, open_page: Callable[..., Page]
) -> None:
    phone = open_page(running.links[1], has_touch=True)
    say(phone, running, 0, "pole", CARS)
    form = phone.locator(".df-hand")
    expect(phone.get_by_role("heading")).to_have_text("The hand of Racer")
    expect(form.locator("button").first).to_be_visible()
    expect(form.locator("button:not(:visible)")).to_have_count(0)
    fits(phone)
    touch_card(phone, CARD)
    expect(form.get_by_role("status")).to_have_text("Card 2 of 14")
    phone.get_by_role("button", name="blue", exact=True).tap()
    phone.get_by_role("button", name="5", exact=True).tap()
    phone.reload()
    expect(form.get_by_role("status")).to_have_text("Card 2 of 14 · blue 5")
    phone.get_by_role("button", name="3", exact=True).tap()  # it was a 3
    phone.get_by_role("button", name="Card done").tap()
    form.get_by_label("take out, 1: red 6, green 4, wild 2").tap()
    once_more = form.get_by_label("once more, 1: blue 3")
    for _ in range(HAND - 2):
        once_more.tap()
    touch_card(phone, CARD)
    expect(form.get_by_role("status")).to_have_text("All 14 cards are in.")
    fits(phone)
    phone.get_by_role("button", name="This is the hand").tap()
    expect(form).to_have_count(0)
    assert [ask["kind"] for ask in table_of(phone)["asks"]] == ["lot"]


def test_nobody_else_sees_a_card_of_a_hand(
    running: Running, open_page: Callable[..., Page]
) -> None:
    host = open_page(running.links[1], has_touch=True)
    bob = open_page(running.links[2])
    television = open_page(f"{running.url}/tv")
    say(host, running, 0, "pole", CARS)
    touch_card(host, CARD)
    expect(television.locator("#banner")).to_contain_text("which cards are in hand?")
    expect(television.locator("#players")).to_contain_text("hand is being entered")
    expect(bob.get_by_role("heading")).to_have_text("Hands to come: 1")
    expect(bob.locator(".df-hand, .df-face")).to_have_count(0)
    public = host.evaluate("fetch('/api/seat/1/view').then((told) => told.json())")
    assert (public["title"], public["cards"]) == ("Racer answers", None), "without a key: closed"
    hand = [[list(line) for line in CARD]] * HAND
    say(host, running, 3, "hand", {"cards": hand})
    assert "wild" not in str(table_of(host)), "secret until the race is over"


def test_a_hand_is_entered_by_keyboard_on_the_page_with_the_pin(
    running: Running, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{running.url}/#pin={running.pin}")
    say(page, running, 0, "pole", CARS)
    page.get_by_role("button", name="Referee").click()
    form = page.locator("#referee .df-hand")
    form.get_by_role("button", name="black", exact=True).focus()
    for key in "6634724":  # red 6, green 4, wild 2, yellow …
        page.keyboard.press(key)
    expect(form.get_by_role("status")).to_have_text(
        "Card 1 of 14 · red 6, green 4, wild 2 · yellow"
    )
    form.get_by_role("button", name="Line out").focus()
    page.keyboard.press("Enter")
    form.get_by_role("button", name="Card done").focus()
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_have_text("Card 2 of 14")
    for _ in range(HAND - 1):
        form.get_by_label("once more, 1: red 6, green 4, wild 2").focus()
        page.keyboard.press("Enter")
    expect(form.get_by_role("button", name="This is the hand")).to_be_focused()
    page.keyboard.press("Enter")
    expect(form).to_have_count(0)
    assert [ask["kind"] for ask in table_of(page)["asks"]] == ["lot"]


def test_the_form_of_a_hand_breaks_no_rule_of_access(
    running: Running, open_page: Callable[..., Page]
) -> None:
    pages = [open_page(f"{running.url}/#pin={running.pin}", locale="de-DE")]
    pages.append(open_page(running.links[1], viewport={"width": 390, "height": 844}))
    say(pages[0], running, 0, "pole", CARS)
    pages[0].locator("#open-referee").click()
    for page in pages:
        page.locator(".df-pad .df-black").click()
        page.locator(".is-number").nth(3).click()
        page.locator(".df-acts .go").click()
        page.locator(".df-pad .df-blue").click()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert violations(page) == [], theme
