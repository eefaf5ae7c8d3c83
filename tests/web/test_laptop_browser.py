"""The table's page on a laptop: all ten cars in sight, none of their words run together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, Running

pytestmark = NEEDS_CHROMIUM

NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Dad", "Émile", "Oma Wilhelmine", "Freya", "Zoé",
         "Konstantin", "Ana")  # fmt: skip
TEN: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 2,
    "rules": ["tires"],
    "seats": [{"seat": n, "name": name, "tires": "hard"} for n, name in enumerate(NAMES, 1)],
    "position": {
        "cars": {
            str(n): {"space": f"S1.{'lmr'[n % 3]}{1 + n // 3}", "gear": 3, "lap": 1,
                     "wear": {"brakes": n % 3, "tires": 6 - n % 4}}
            for n in range(1, 11)
        }
    },
}  # fmt: skip
LAPTOPS = [(1280, 800), (1366, 768), (1440, 900), (1536, 864), (1920, 1080)]
LOWEST = """() => Math.max(...[...document.querySelectorAll("#cars > .car")]
    .map((one) => one.getBoundingClientRect().bottom))"""
CUT = """() => [...document.querySelectorAll("#cars .driver, #cars .wear-name, #cars .gear")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


@pytest.mark.parametrize("language", ["en-GB", "fr-FR", "de-DE"])
def test_a_laptop_shows_all_ten_cars_without_scrolling(
    run: Callable[..., Running], open_page: Callable[..., Page], language: str
) -> None:
    running = run(TEN)
    page = open_page(f"{running.url}/", locale=language, reduced_motion="reduce")
    for width, height in LAPTOPS:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#cars > .car")).to_have_count(10)
        expect(page.locator(".token")).to_have_count(10)
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate(LOWEST) <= height, f"{width}x{height}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(CUT) == [], f"{width}x{height}"
        lefts = page.locator("#cars > .car").evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect().left)"
        )
        assert len(set(lefts)) == 1, "one column"
    assert violations(page) == []
