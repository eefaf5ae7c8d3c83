"""An urban race on the page: what the police have noted."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running
from support.formula.street import JACK, TEMANA

pytestmark = NEEDS_CHROMIUM

NOTED = {"1": {"speed": 120, "passed": 1}}
HEADER = {
    "game": "formula-d",
    "track": "port-lanterne",
    "rules": ["urban"],
    "seats": [{"seat": 1, "name": "Ana", "driver": JACK}, {"seat": 2, "driver": TEMANA}],
    "position": {
        "cars": {
            "1": {"space": "S1.m12", "gear": 3, "lap": 1, "nitro": True, "police": NOTED},
            "2": {"space": "S1.m8", "gear": 2, "lap": 1},
        },
        "order": [1, 2],
        "turn": 1,
    },
}


def test_a_card_tells_the_speed_that_the_police_have_noted(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """FD-URBAN-5: the contest is open until every car has passed."""
    table = open_page(run(HEADER).url)
    expect(table.locator(".car-1 .chips").first).to_contain_text("police noted 120")
    expect(table.locator(".car-2 .chips").first).not_to_contain_text("police")
