"""The first move on a phone: the hint lies on no end, and no end below the edge."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, until

pytestmark = NEEDS_CHROMIUM

NARROW, USUAL = {"width": 320, "height": 640}, {"width": 390, "height": 844}
TWO: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "rules": ["tires"],
    "seats": [{"seat": n, "name": name, "tires": "hard"} for n, name in ((1, "Ana"), (2, "Béla"))],
    "position": {
        "cars": {
            "1": {"space": "S1.m11", "gear": 3, "lap": 1, "wear": {"tires": 4}},
            "2": {"space": "S1.m8", "gear": 3, "lap": 1, "wear": {"tires": 4}},
        }
    },
}
COVERED = """() => {
    const road = document.querySelector("#road").getBoundingClientRect();
    const over = [...document.querySelectorAll("#hint, #notice, #told, #sheet, header, footer")]
        .map((one) => one.getBoundingClientRect()).filter((one) => one.height);
    const ends = [...document.querySelectorAll(".end")].map((end) => {
        const { left, right, top, bottom } = end.querySelector(".cap").getBoundingClientRect();
        const seen = [Math.max(top, road.top), Math.min(bottom, road.bottom)];
        return { to: end.dataset.to, left, right, top: seen[0], bottom: seen[1] };
    }).filter(({ top, bottom }) => bottom > top);
    const covered = ends.filter((end) => over.some((one) => one.left < end.right
        && one.right > end.left && one.top < end.bottom && one.bottom > end.top));
    return [ends.length, covered.map(({ to }) => to)];
}"""
BELOW = """() => [...document.querySelectorAll("[data-answer]")]
    .filter((one) => one.checkVisibility() && !one.closest(".ends"))
    .filter((one) => one.getBoundingClientRect().bottom
        > document.querySelector(".foot").getBoundingClientRect().top + 1).length"""


def sees_five(phone: Page) -> bool:
    """A road slides into place a moment after its keys are there."""
    return bool(phone.evaluate(COVERED)[0] >= 5)


@pytest.mark.long
def test_no_end_is_covered_at_the_first_move_on_any_phone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TWO)
    phone = open_page(running.links[1], viewport=NARROW)
    head = {"Authorization": f"Bearer {running.pin}"}
    for answer in ({"gear": 3}, {"roll": 6}):
        address = f"{running.url}/api/seat/1/answer"
        assert phone.request.post(address, headers=head, data=answer).ok
    for language in ("en-GB", "fr-FR", "de-DE"):
        for size in (NARROW, USUAL):
            phone = open_page(running.links[1], viewport=size, locale=language)
            expect(phone.locator("html")).to_have_attribute("lang", language[:2])
            expect(phone.locator("#hint")).to_be_visible()
            until(phone, partial(sees_five, phone), f"{language}, {size}: too few ends")
            assert phone.evaluate(COVERED)[1] == [], (language, size)
            assert phone.evaluate(BELOW) == 0, "nothing to be answered below the edge"
