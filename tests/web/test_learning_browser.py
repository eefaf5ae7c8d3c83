"""The tutorial in Chromium: from the first page to its end, by touch and by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, Running, table_of

from companion.lessons import all_lessons

pytestmark = NEEDS_CHROMIUM
WIDTHS = (1280, 390, 320)
WIDE = "[document.documentElement.scrollWidth, innerWidth]"
SMALL = """() => [...document.querySelectorAll("main button, main a")]
  .filter((one) => one.checkVisibility())
  .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44 && !one.matches(".rule"))
  .map((one) => one.textContent)"""
LESSONS = all_lessons()


def fits(page: Page, *, is_read: bool) -> None:
    """On every width nothing runs over the edge and all is as large as a finger; where it
    `is_read`, no rule of access is broken."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(WIDE)[0] <= width
        assert page.evaluate(SMALL) == [], width
        assert not is_read or violations(page) == [], width


def test_from_the_first_page_all_positions_are_answered_by_touch_and_nothing_is_written(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page(running.url, viewport={"width": 320, "height": 700}, has_touch=True)
    before = table_of(page)
    page.get_by_role("link", name="Learn to race").tap()
    for place, lesson in enumerate(LESSONS, 1):
        expect(page.locator("#heading")).to_have_text(lesson.words["en"]["title"])
        if lesson.track:
            expect(page.locator("#board .token.car-1")).to_be_visible()
        else:
            expect(page.locator("#board")).to_be_hidden()
        choices = page.locator(".choice")
        expect(page.locator(".keycap:visible")).to_have_count(
            3 if lesson.kind in ("move", "slipstream") else 0
        )
        wrong = next(n for n in range(3) if n != lesson.right)
        choices.nth(wrong).tap()
        expect(choices.nth(wrong).locator("b")).to_have_text("✗")
        expect(page.locator(f"#verdict [data-rule^='{lesson.rule[:3]}']").first).to_be_visible()
        choices.nth(lesson.right).tap()
        expect(choices.nth(lesson.right).locator("b")).to_have_text("✓")
        expect(page.locator("#verdict")).to_contain_text("Right.")
        fits(page, is_read=place in (1, 4))
        if place < len(LESSONS):
            page.get_by_role("button", name="Next position").tap()
    expect(page.locator("#done")).to_have_text(f"{len(LESSONS)} of {len(LESSONS)} done")
    page.reload()
    expect(page.locator("#done")).to_have_text(f"{len(LESSONS)} of {len(LESSONS)} done")
    choices.nth(LESSONS[-1].right).tap()
    page.get_by_role("link", name="Off to the table").tap()
    expect(page.locator("#lobby")).to_be_visible()
    assert json.dumps(table_of(page)) == json.dumps(before)


def test_the_keyboard_alone_goes_through_it_and_back(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{run().url}/learn")
    expect(page.locator("#heading")).to_have_text(LESSONS[0].words["en"]["title"])
    page.locator(".choice").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next position")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#heading")).to_be_focused()
    expect(page.locator("#step")).to_have_text(f"Position 2 of {len(LESSONS)}")
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.locator(".choice:focus").count():
            break
    for _ in range(LESSONS[1].right):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right.")
    page.go_back()
    expect(page.locator("#step")).to_have_text(f"Position 1 of {len(LESSONS)}")


def test_it_goes_on_beside_a_race_that_runs_and_leaves_that_alone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    seats = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]
    race = {"game": "formula-d", "track": "monaco", "grid": [1, 2], "start": "normal"}
    running = run({**race, "seats": seats})
    page = open_page(f"{running.url}/learn#4", locale="de-DE")
    before = table_of(page)
    expect(page.locator("#step")).to_have_text(f"Stellung 4 von {len(LESSONS)}")
    page.locator(".choice").nth(LESSONS[3].right).click()
    expect(page.locator("#verdict")).to_contain_text("Richtig.")
    assert table_of(page)["version"] == before["version"]
