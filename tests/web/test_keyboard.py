"""The page and a phone by keyboard alone: Tab, Enter and arrows, with the focus in sight."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running, table_of

pytestmark = NEEDS_CHROMIUM

HEADER = {
    "game": "formula-d",
    "track": "manege",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Béla"}],
    "grid": [1, 2],
    "start": "normal",
}
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const seen = one.querySelector?.(".cap") ?? one;
  const { outlineStyle, stroke } = getComputedStyle(seen);
  const name = one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent;
  return { name: name.trim(), seen: outlineStyle !== "none" || stroke === "rgb(59, 139, 235)" };
}"""
MOST_STEPS = 60


def tab_to(page: Page, name: str) -> None:
    """Tab until the focus is on what is named so; it is in sight at every step."""
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            continue
        assert focused["seen"], f"{focused['name']!r} has the focus, and it cannot be seen"
        if focused["name"].startswith(name):
            return
    raise AssertionError(f"Tab never comes to {name!r}")


def name_of(page: Page) -> str:
    """What has the focus."""
    focused = page.evaluate(FOCUSED)
    return focused["name"] if focused else ""


def test_a_turn_by_keyboard_presses_each_key_once_and_never_loses_the_focus(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    phone = open_page(run(HEADER).links[1], viewport=PHONE)
    question = phone.get_by_role("heading")
    expect(question).to_have_text("Which gear now?")
    tab_to(phone, "Gear 1")
    phone.keyboard.press("Enter")
    expect(question).to_have_text("Where did your car end?")
    phone.wait_for_timeout(300)
    assert [one["kind"] for one in table_of(phone)["asks"]][:1] == ["roll"], "pressed once"
    tab_to(phone, "Die first")
    phone.keyboard.press("Enter")
    expect(question).to_contain_text("yellow die")
    tab_to(phone, "1, free")
    phone.keyboard.press("ArrowRight")
    assert name_of(phone) == "2, free"
    phone.keyboard.press("Space")
    expect(question).to_have_text("Where did the car end?")
    assert name_of(phone), "the focus is still somewhere"
    tab_to(phone, "left, ")
    phone.keyboard.press("Enter")
    expect(question).to_contain_text("Béla")
    assert table_of(phone)["state"]["turn"] == 2


def test_a_road_that_gets_another_height_leaves_the_focus_on_its_space(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """It does where a notice above it goes: what is pressed next must not be lost."""
    phone = open_page(run(HEADER).links[1], viewport=PHONE)
    tab_to(phone, "Gear 1")
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading")).to_have_text("Where did your car end?")
    tab_to(phone, "2: ")
    was = name_of(phone)
    phone.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"] - 60})
    phone.evaluate("new Promise((done) => setTimeout(done, 100))")  # it is drawn anew
    assert name_of(phone) == was


def test_a_race_is_set_up_and_begun_by_keyboard(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page(f"{running.url}/#pin={running.pin}")
    tab_to(page, "First race")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start the race")).to_be_disabled()
    for count in (1, 2):
        tab_to(page, "+ Add a person or a bot")
        page.keyboard.press("Enter")
        tab_to(page, "Add a player")
        page.keyboard.press("Enter")
        expect(page.locator(".player")).to_have_count(count)
        assert name_of(page) == "+ Add a person or a bot", (
            "still there after the page was drawn anew"
        )
    tab_to(page, "Track and laps")
    page.keyboard.press("Enter")
    tab_to(page, "Track")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("link", name="Edit corners")).to_have_attribute(
        "href", "/track/melbourne/edit"
    )
    assert name_of(page).startswith("Track")
    page.keyboard.press("Escape")
    tab_to(page, "Start the race")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Melbourne")).to_be_visible()
    tab_to(page, "Referee")
    page.keyboard.press("Enter")
    assert name_of(page) == "1", "the first choice of the panel"
    page.keyboard.press("ArrowRight")
    assert name_of(page) == "2"
    page.keyboard.press("Enter")
    expect(page.get_by_text("rolls 2 for the grid")).to_be_visible()
    assert name_of(page), "an answer draws the panel anew, and the focus stays in it"
    page.keyboard.press("Escape")
    assert name_of(page) == "Referee"
