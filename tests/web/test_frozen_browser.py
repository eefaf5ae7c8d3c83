"""A table that is frozen: every page says so, and nothing is lost or doubled when it goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    number_of,
    table_of,
    touch,
    until,
)

pytestmark = NEEDS_CHROMIUM

HEADER: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob"}],
    "grid": [1, 2],
    "start": "normal",
}


@pytest.mark.faults("the table: frozen for a quarter of a minute, and a press meanwhile")
def test_a_frozen_table_is_told_on_every_page_and_nothing_is_lost_or_doubled(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    pages = {}
    for name in ("", "tv", "overlay", "seat/1"):
        address = running.links[1] if name == "seat/1" else f"{running.url}/{name}"
        pages[name] = open_page(address, viewport=PHONE, is_clock_set=True)
    phone, table = pages["seat/1"], pages[""]
    expect(phone.locator("#question")).to_have_text("Which gear now?")
    version = table_of(table)["version"]
    shown = number_of(phone)

    os.kill(running.pid, signal.SIGSTOP)
    try:
        touch(phone, phone.locator("[data-button='1']"))
        phone.clock.run_for(6_500)
        expect(phone.locator("#notice")).to_have_text("The table does not answer.")
        touch(phone, phone.locator("[data-button='1']"))  # the player tries again
        for page in pages.values():
            page.clock.run_for(15_000)
            expect(page.locator("#link")).to_have_attribute("data-state", "lost")
            expect(page.locator("body.is-offline")).to_have_count(1)
    finally:
        os.kill(running.pid, signal.SIGCONT)

    def are_all_open() -> bool:
        # One has the stream of all, and each has a clock of its own: none waits for another.
        for page in pages.values():
            page.clock.run_for(1_000)
        links = [page.locator("#link").get_attribute("data-state") for page in pages.values()]
        return set(links) == {"open"}

    until(phone, are_all_open, "a page has lost the table")
    for page in pages.values():
        expect(page.locator("body.is-offline")).to_have_count(0)
    expect(phone.locator("body")).not_to_have_attribute("data-picture", shown)
    now = table_of(table)
    assert now["version"] == version + 1, "the press, once"
    assert (now["state"]["cars"]["1"]["gear"], now["asks"][0]["kind"]) == (1, "roll")
