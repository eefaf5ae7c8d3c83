"""No key stays in the address of any page, whether the page has a use for it or not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def running(run: Callable[..., Running]) -> Running:
    return run({"game": "formula-d", "track": "monaco", "seats": [{"seat": 1, "name": "Ana"}]})


def test_the_pin_is_taken_out_of_the_address_of_every_page(
    running: Running, open_page: Callable[..., Page]
) -> None:
    page = open_page("about:blank")
    tables = ("/", "/tv", "/overlay", "/join", "/seat/1", "/track/monaco/edit")
    for path in (*tables, "/league", "/league/races", "/nowhere"):
        page.goto(f"{running.url}{path}?lang=fr#pin={running.pin}")
        expect(page).not_to_have_url(re.compile("pin="))
        assert page.url.split("#")[0].startswith(f"{running.url}{path}"), path
        assert running.pin not in page.evaluate("location.href")


def test_an_anchor_that_is_no_key_stays(running: Running, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{running.url}/league#content")
    expect(page.locator("#content")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert page.url.endswith("#content")
