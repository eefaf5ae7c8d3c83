"""Formule Dé in a real browser: fuel, no handling, a wreck and dangerous spaces on the circuit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    Running,
)

pytestmark = NEEDS_CHROMIUM

WRECK = {"why": "blocked", "rule": "DE-BLOCK-1", "space": "S2.m9", "stands": True}
HEADER = {
    "game": "formule-de",
    "track": "monaco",
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob"}, {"seat": 3, "name": "Cid"}],
    "position": {
        "cars": {
            "1": {"space": "S2.m3", "gear": 3, "lap": 1},
            "2": {"space": "S6.m3", "gear": 3, "lap": 1, "wear": {"fuel": 1}},
            "3": {"status": "out", "out": WRECK, "gear": 4, "lap": 1},
        },
        "debris": ["S2.m10", "S6.l2"],
        "order": [1, 2, 3],
        "turn": 1,
    },
}


@pytest.mark.parametrize(
    ("locale", "wear"),
    [
        ("en-GB", ["tires", "brakes", "fuel", "body", "engine"]),
        ("fr-FR", ["pneus", "freins", "conso.", "carrosserie", "moteur"]),
    ],
)
def test_cards_show_fuel_and_the_circuit_the_wreck_and_the_dangerous_spaces(
    run: Callable[..., Running], open_page: Callable[..., Page], locale: str, wear: list[str]
) -> None:
    """DE-CAR-1, DE-BLOCK-1, DE-DEBRIS-1"""
    table = open_page(run(HEADER).url, locale=locale)
    expect(table.locator(".token")).to_have_count(3)
    expect(table.locator(".token.is-wreck")).to_have_count(1)
    expect(table.locator(".token.is-wreck")).to_have_text("Cid3")
    expect(table.locator(".debris-mark")).to_have_count(2)
    expect(table.locator(".car-1 .wear-name")).to_have_text(wear)


def test_the_referee_is_offered_no_figure_that_no_car_has(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """DE-CAR-1: no handling in a plain race."""
    running = run(HEADER)
    table = open_page(running.url, extra_http_headers=FAR)
    table.get_by_role("button", name="Referee").click()
    table.get_by_label("PIN").fill(running.pin)
    table.get_by_role("button", name="Unlock").click()
    figures = table.locator("#referee option")
    expect(figures.filter(has_text="fuel")).to_have_count(1)
    expect(figures.filter(has_text="handling")).to_have_count(0)
    expect(figures.filter(has_text="gearbox")).to_have_count(0)
