"""The system's own colors, and more contrast: what is told by color alone is still seen."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running

pytestmark = NEEDS_CHROMIUM

RACE = {
    "game": "formula-d",
    "track": "monaco",
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}],
    "position": {
        "cars": {
            "1": {"space": "S1.l3", "gear": 2, "lap": 1, "wear": {"tires": 4}},
            "2": {"space": "S1.m1", "gear": 2, "lap": 1},
        }
    },
}
LOOKS = """(element) => {
    const style = getComputedStyle(element);
    return [style.backgroundColor, style.borderTopWidth, style.color];
}"""


def test_in_the_systems_colors_a_point_left_and_one_gone_differ_and_keys_have_edges(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE)
    seat = open_page(running.links[1], viewport=PHONE, forced_colors="active")
    expect(seat.locator(".pip.gone")).to_have_count(2)
    left, gone = (
        seat.locator(one).first.evaluate(LOOKS) for one in (".pip:not(.gone)", ".pip.gone")
    )
    assert left[0] != gone[0]
    assert seat.locator("#choices button").first.evaluate(LOOKS)[1] != "0px"


def test_a_black_car_has_a_line_around_its_edge_in_the_dark(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    names = (("Ana", "black"), ("Bo", "blue"), ("Cleo", "green"))
    seats = [{"seat": n, "name": name, "color": c} for n, (name, c) in enumerate(names, 1)]
    cars = {str(n): {"space": f"S1.m{8 - 2 * n}", "gear": 2, "lap": 1} for n in (1, 2, 3)}
    running = run(RACE | {"seats": seats, "position": {"cars": cars}})
    line = "rgb(139, 145, 156)"
    page = open_page(f"{running.url}/", color_scheme="dark")
    expect(page.locator(".car.car-1")).to_have_css("box-shadow", re.compile(re.escape(line)))
    expect(page.locator(".car.car-2")).not_to_have_css("box-shadow", re.compile(re.escape(line)))
    phone = open_page(running.links[1], viewport=PHONE, color_scheme="dark")
    expect(phone.locator(".seat-bar")).to_have_css("box-shadow", re.compile(re.escape(line)))
    waiting = open_page(running.links[3], viewport=PHONE, color_scheme="dark")
    expect(waiting.locator("#told.card")).to_have_css("box-shadow", re.compile(re.escape(line)))


def test_with_more_contrast_no_text_is_grey_and_german_is_spoken(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE)
    page = open_page(f"{running.url}/", contrast="more", color_scheme="light", locale="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#cars")).to_contain_text("Reifen")
    soft, ink = page.evaluate(
        """() => ["--soft", "--ink"].map((name) =>
        getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
    )
    assert (soft, ink) == ("#000", "#000")
