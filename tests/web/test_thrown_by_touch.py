"""Dice that the companion throws: tapped on a phone, seen on the television and on the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    looks_at,
    number_of,
    stop_clock,
    table_of,
    touch,
)

pytestmark = NEEDS_CHROMIUM

ALONE: dict[str, Any] = {
    "game": "formula-d", "track": "manege", "laps": 1, "grid": [1, 2], "start": "normal",
    "seats": [{"seat": 1, "name": "Marguerite"}, {"seat": 2, "name": "Bob", "bot": "amateur"}],
    "dice": {"seats": [0]},
}  # fmt: skip
NARROW, USUAL = {"width": 320, "height": 700}, {"width": 390, "height": 700}
FULL_HD = {"width": 1920, "height": 1080}
FACE_PX = 180
"""Digits as tall as a hand are read from four metres."""
MOST_TOUCHES = 3.6  # the dice are the companion's: a race of many contacts takes more
"""Gear, throw, end; and what is dear is asked once more."""
MOST_STEPS = 200
WIDE = "[document.documentElement.scrollWidth, innerWidth]"


BRIEF_MS, SHOWN_MS = 1_600, 2_700
"""So long a thrown die lies on a phone, and on a screen for many."""


def one_key(phone: Page) -> Any:
    """The lone key of a phone."""
    return phone.locator("#choices button:visible")


def tap(phone: Page) -> None:
    """Touch the lone key, and wait for what comes of it."""
    looks_at(phone)
    expect(one_key(phone)).to_have_count(1)
    shown = number_of(phone)
    touch(phone, one_key(phone))
    expect(phone.locator("body")).not_to_have_attribute("data-picture", shown)


def test_the_phone_asks_for_a_tap_with_one_large_key_in_the_color_of_the_die(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(ALONE)
    phone = open_page(running.links[1], viewport=NARROW, is_clock_set=True)
    phone.clock.resume()  # axe waits by it
    expect(one_key(phone)).to_have_text(re.compile("^1"))
    tap(phone)
    expect(one_key(phone)).to_have_text("Tap to throw")
    expect(one_key(phone)).to_have_class(re.compile("die-1"))
    expect(phone.locator("#hint")).to_contain_text("the companion throws")
    for size in (USUAL, NARROW):
        phone.set_viewport_size(size)
        box = one_key(phone).bounding_box()
        assert box is not None
        assert box["width"] > size["width"] * 0.85
        assert box["height"] >= 120
        assert phone.evaluate(WIDE)[0] <= size["width"]
        assert violations(phone) == []
    stop_clock(phone)
    tap(phone)
    thrown = phone.locator("#thrown")
    expect(thrown).to_be_visible()
    die = table_of(phone)["thrown"]
    expect(thrown.locator(".face")).to_have_text(die["shows"])
    assert thrown.locator(".face").evaluate("one => getComputedStyle(one).animationName") == "none"
    phone.clock.run_for(BRIEF_MS)
    expect(thrown).to_be_hidden()


def test_a_thrown_die_tumbles_only_where_motion_is_wanted(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(ALONE)
    traits = {"reduced_motion": "no-preference", "is_clock_set": True}
    phone = open_page(running.links[1], **traits)
    tap(phone)
    tap(phone)
    face = phone.locator("#thrown .face")
    assert face.evaluate("one => getComputedStyle(one).animationName") == "tumble"


def test_television_and_page_show_the_face_large_for_a_moment(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(ALONE)
    phone = open_page(running.links[1])
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD, is_clock_set=True)
    page = open_page(running.url, is_clock_set=True)
    tap(phone)
    expect(tv.locator("#call")).to_have_text("throw the yellow die (1–2)")
    expect(page.locator("#asks")).to_contain_text("Marguerite: tap to throw the die")
    tap(phone)
    die = table_of(phone)["thrown"]
    for screen in (tv, page):
        expect(screen.locator("#thrown .face")).to_have_text(die["shows"])
        expect(screen.locator("#thrown")).to_contain_text("Marguerite")
        expect(screen.locator("#thrown")).to_have_class(re.compile("die-1"))
    size = tv.locator("#thrown .face").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size >= FACE_PX
    for screen in (tv, page):
        screen.clock.run_for(SHOWN_MS)
        expect(screen.locator("#thrown")).to_be_hidden()
    tv.reload()
    expect(tv.locator("#die")).to_be_visible()
    expect(tv.locator("#thrown")).to_be_hidden()


@pytest.mark.long
def test_alone_without_box_or_dice_a_race_is_raced_by_touch_to_the_end(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(ALONE)
    phone = open_page(running.links[1], viewport={"width": 390, "height": 844})
    touches, turns = 0, []
    for _ in range(MOST_STEPS):
        told = table_of(phone)
        if told["state"]["phase"] == "finished":
            break
        mine = [ask for ask in told["asks"] if ask["seat"] == 1]
        if not mine:
            phone.wait_for_timeout(40)
            continue
        if mine[0]["kind"] == "gear":
            turns.append(touches)
        touches += answer_by_touch(phone, mine[0])
    expect(phone.locator("#finish")).to_be_visible()
    counts = [b - a for a, b in zip(turns, [*turns[1:], touches], strict=True)]
    assert len(counts) >= 5
    assert mean(counts) <= MOST_TOUCHES


def answer_by_touch(phone: Page, ask: dict[str, Any]) -> int:
    """Touch the answer, as somebody would who looks at this phone; the touches it took."""
    looks_at(phone)
    shown = number_of(phone)
    if ask["kind"] == "gear":
        gear = max((g for g in ask["options"] if g <= 3 and g not in ask["out"]), default=1)
        touch(phone, phone.locator(f"[data-button='{gear}']"))
    elif phone.locator(".end").count():
        end = phone.locator(".end").first
        is_dear = end.get_attribute("aria-haspopup")
        touch(phone, end)
        if is_dear:
            touch(phone, phone.locator(".sheet .go"))
            expect(phone.locator("body")).not_to_have_attribute("data-picture", shown)
            return 2
    else:
        touch(phone, one_key(phone).first)
    expect(phone.locator("body")).not_to_have_attribute("data-picture", shown)
    return 1
