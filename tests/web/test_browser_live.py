"""The live test in Chromium, its seats pressed in the cabinet."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    Running,
)

pytestmark = NEEDS_CHROMIUM
SEATS = ("--seats", "1 wired simulated, 1 pod simulated")


def press(cabinet: Page, seat: int, button: int) -> None:
    key = cabinet.locator(f"[data-seat='{seat}'] [data-button='{button}']")
    for move in ("pointerdown", "pointerup"):
        with cabinet.expect_response(re.compile("api/cabinet/press")):
            key.dispatch_event(move, {"pointerId": 1})
        cabinet.wait_for_timeout(40)  # a contact has to be steady


def test_keys_light_as_they_are_pressed_and_the_seats_come_back(
    run: Callable[..., Running], open_page: Callable[..., Any]
) -> None:
    running = run(more=SEATS)
    cabinet = open_page(f"{running.url}/cabinet")
    cabinet.add_init_script("Element.prototype.setPointerCapture = () => {};")
    cabinet.reload()
    lobby = cabinet.locator("[data-seat='1'] canvas")
    expect(lobby).to_have_attribute("data-glass", re.compile("[B-Z]"))
    before = lobby.get_attribute("data-glass")
    live = open_page(f"{running.url}/live#pin={running.pin}")
    live.click("[data-do=start]")
    for seat in (1, 2):
        for button in range(1, 7):
            asks = live.locator(f"[data-seat='{seat}'] li.asked")
            expect(asks).to_have_attribute("data-button", str(button))
            if (seat, button) == (2, 5):
                live.click("#does [data-do=skip]")
            else:
                press(cabinet, seat, button)
    expect(live.locator("#found li.wrong")).to_contain_text("button 5 was not heard")
    expect(live.locator("#found .mend")).to_contain_text("look at the wire of button 5")
    expect(live.locator("[data-seat='1'] li.lit")).to_have_count(6)
    for seat in (1, 2):
        bounce = live.locator(f"[data-seat='{seat}'] li span").first
        expect(bounce).to_have_text(re.compile(r"^\d+ ms$"))
    assert violations(live) == []
    live.click("[data-seat='2'] [data-do=lamp]")
    expect(cabinet.locator("[data-seat='2'] .lamp.lit")).to_be_visible()
    live.click("#does [data-do=stop]")
    expect(lobby).to_have_attribute("data-glass", before)


def test_without_the_pin_the_page_asks_for_it(
    run: Callable[..., Running], open_page: Callable[..., Any]
) -> None:
    running = run(more=SEATS)
    page = open_page(f"{running.url}/live", extra_http_headers=FAR)
    page.fill("#pin", "00000000")
    page.click("#unlock button")
    expect(page.locator("#trouble")).to_have_text("This is not the PIN.")
    page.fill("#pin", running.pin)
    page.click("#unlock button")
    expect(page.locator("[data-do=start]")).to_be_visible()
