"""The first move on a phone: the hint lies on no end, and no key's words are cut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, number_of, press_through, until

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
    const over = [...document.querySelectorAll("#hint, #notice, #ghost, header, nav, footer")]
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
CUT = """() => [...document.querySelectorAll("#gate small")]
    .filter((one) => one.scrollHeight > one.clientHeight + 1
        || one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.textContent)"""
BELOW = """() => Math.max(...[...document.querySelectorAll("#gate button")]
    .map((one) => one.getBoundingClientRect().bottom))
    - document.querySelector(".foot").getBoundingClientRect().top"""


def sees_five(phone: Page) -> bool:
    """A road slides into place a moment after its keys are there."""
    return bool(phone.evaluate(COVERED)[0] >= 5)


@pytest.mark.long
def test_no_end_is_covered_and_no_hint_is_cut_at_the_first_move_on_any_phone(
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
            expect(phone.locator("#gate [data-button='1'] small")).to_contain_text("Sainte-Dévote")
            until(phone, partial(sees_five, phone), f"{language}, {size}: too few ends")
            assert phone.evaluate(COVERED)[1] == [], (language, size)
            assert phone.evaluate(CUT) == []
            assert phone.evaluate(BELOW) <= 0, "all keys without scrolling"


def test_a_price_beside_the_longest_name_of_a_corner_is_whole_on_the_narrowest_phone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """Braked by two: every key has lane, place and price."""
    running = run(TWO)
    head = {"Authorization": f"Bearer {running.pin}"}
    phone = open_page(running.links[1], viewport=NARROW)
    for answer in ({"gear": 3}, {"roll": 7}):
        address = f"{running.url}/api/seat/1/answer"
        assert phone.request.post(address, headers=head, data=answer).ok
    for language in ("en-GB", "fr-FR", "de-DE"):
        phone = open_page(running.links[1], viewport=NARROW, locale=language)
        expect(phone.locator("html")).to_have_attribute("lang", language[:2])
        press_through(phone, 6, 2)
        assert phone.evaluate(CUT) == []
        assert phone.evaluate(BELOW) <= 0, "all keys without scrolling"
        braked = number_of(phone)
        phone.locator("#undo").click()
        expect(phone.locator("body")).not_to_have_attribute("data-picture", braked)
