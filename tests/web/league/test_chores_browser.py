"""Ten chores of a league on a phone, by somebody who only reads the page: every tap is counted."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, until

from .conftest import PIN

pytestmark = NEEDS_CHROMIUM

MOST_TAPS = 12
"""For each of what friends do: an evening, a mended result, two spellings."""
OF_A_DATE = 3
"""Taps in the wheels of a phone's calendar."""


class Thumb:
    """Taps and writes on a page of the league, and counts it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.taps = page, address, 0

    def home(self) -> None:
        self.page.goto(self.address)

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()

    def link(self, name: str) -> None:
        self.tap(self.page.locator("main").get_by_role("link", name=re.compile(name)).last)

    def write(self, where: Locator, text: str) -> None:
        self.tap(where)
        where.fill(text)

    def choose(self, where: Locator, label: str) -> None:
        self.taps += 2
        where.select_option(label=label)

    def pick_day(self, where: Locator, day: str) -> None:
        self.taps += OF_A_DATE
        where.fill(day)

    def open(self, name: str) -> None:
        self.tap(self.page.locator("summary").filter(has_text=name).first)

    def send(self, button: str) -> None:
        self.tap(self.page.get_by_role("button", name=button, exact=True).locator("visible=true"))
        expect(self.page.locator("#toast")).to_be_visible()

    def shows(self, text: str) -> None:
        self.home()
        expect(self.page.locator("main")).to_contain_text(text)


def add_an_evening(thumb: Thumb) -> None:
    thumb.link("Add an evening")
    page = thumb.page
    thumb.write(page.get_by_label(re.compile("Who came home")), "Anna\nBea")
    thumb.pick_day(page.get_by_label("Date").first, "2026-02-20")
    thumb.send("Add the race")
    thumb.shows("3 rounds")


def mend_a_place(thumb: Thumb) -> None:
    thumb.link("Mend a result")
    page = thumb.page
    thumb.tap(page.locator("#amend .place").nth(1))
    thumb.tap(page.locator("#places").get_by_role("button", name="1", exact=True))
    then = page.locator("#then")  # what follows is shown before it is done
    expect(then.locator(".then li").first).to_be_visible()
    expect(then.locator("h2")).to_contain_text("place 1")
    thumb.send("Amend it")
    thumb.home()
    expect(thumb.page.locator(".standings").last.locator("tr").last).to_contain_text("Bea")


def join_two_spellings(thumb: Thumb) -> None:
    thumb.link("Two spellings")
    form = thumb.page.locator("form[data-act=merge]")
    thumb.choose(form.get_by_label("This name"), "Anna")
    thumb.choose(form.get_by_label("belongs to"), "Ana")
    expect(form.locator(".then li", has_text="Anna")).to_be_visible()
    thumb.send("Merge")
    thumb.home()
    expect(thumb.page.locator("main").get_by_text("Anna", exact=True)).to_have_count(0)


def give_a_penalty(thumb: Thumb) -> None:
    thumb.link("Monza")
    thumb.link("Mend the result")
    thumb.open("A penalty")
    form = thumb.page.locator("form[data-act=penalty]")
    thumb.choose(form.get_by_label("Driver"), "Bea")
    thumb.write(form.get_by_label("points taken"), "2")
    thumb.write(form.get_by_label("Reason"), "bumped")
    thumb.send("Give the penalty")


def take_it_back(thumb: Thumb) -> None:
    thumb.link("What was done")
    line = thumb.page.locator("ol.acts li").filter(has_text="bumped").first
    thumb.tap(line.locator("summary"))
    thumb.tap(line.get_by_role("button", name="Undo"))
    expect(thumb.page.locator("ol.acts li.gone").filter(has_text="bumped")).to_have_count(1)


def drop_a_worst_result(thumb: Thumb) -> None:
    thumb.link("Organise")
    thumb.open("Settings")
    thumb.write(thumb.page.get_by_label("Worst rounds dropped"), "1")
    thumb.tap(thumb.page.locator("form[data-act=season] button.go"))
    expect(thumb.page.locator("#toast")).to_be_visible()
    thumb.shows("the worst one is dropped")


def plan_the_next_evening(thumb: Thumb) -> None:
    thumb.link("Organise")
    thumb.open("A round of the calendar")
    form = thumb.page.locator("form[data-act=plan]").first
    thumb.write(form.get_by_label("Round"), "4")
    thumb.pick_day(form.get_by_label("Date"), "2026-03-08")
    thumb.send("Put it in")
    thumb.shows("2026-03-08")


FRIENDS = (add_an_evening, mend_a_place, join_two_spellings)
CHORES: tuple[Callable[[Thumb], None], ...] = (
    *FRIENDS,
    give_a_penalty,
    take_it_back,
    drop_a_worst_result,
    plan_the_next_evening,
)


def test_who_only_reads_the_page_does_ten_chores_of_a_league_on_a_phone(
    site: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{site}/league/enter#pin={PIN}", viewport=PHONE)
    thumb = Thumb(page, f"{site}/league")
    thumb.shows("Standings")  # who stands where: nothing to be touched
    for chore in CHORES:
        thumb.home()
        thumb.taps = 0
        chore(thumb)
        assert thumb.taps <= MOST_TAPS or chore not in FRIENDS, (chore.__name__, thumb.taps)
    thumb.home()
    thumb.link("Monza")  # who won what
    expect(page.locator(".standings tbody tr").first).to_contain_text("Bea")
    thumb.home()
    with page.expect_download():
        thumb.link("Picture to share")


def looking_ahead(site: str, open_page: Callable[..., Page]) -> tuple[Page, Locator, list[Route]]:
    """A page whose form joins Anna to somebody, with the first look ahead, which is held."""
    page = open_page(f"{site}/league/enter#pin={PIN}", viewport=PHONE)
    thumb = Thumb(page, f"{site}/league")
    thumb.home()
    add_an_evening(thumb)
    thumb.link("Two spellings")
    page.wait_for_load_state()
    form = page.locator("form[data-act=merge]")
    held = list[Route]()
    page.route("**/api/league/look", lambda route: held.append(route), times=1)
    form.get_by_label("This name").select_option(label="Anna")
    until(page, lambda: held, "nobody asked what follows")
    return page, form, held


def let_come(page: Page, held: list[Route]) -> None:
    """The look that was held, and a while in which it would be shown."""
    with page.expect_response("**/api/league/look"):
        held[0].continue_()
    page.wait_for_timeout(100)


def test_what_follows_pushes_no_button_from_under_a_thumb(
    site: str, open_page: Callable[..., Page]
) -> None:
    page, form, held = looking_ahead(site, open_page)
    form.get_by_role("button", name="Merge").hover()
    page.mouse.down()
    let_come(page, held)
    page.mouse.up()
    expect(page.locator("#toast")).to_be_visible()


def test_of_two_looks_ahead_the_later_is_shown_whichever_is_answered_first(
    site: str, open_page: Callable[..., Page]
) -> None:
    page, form, held = looking_ahead(site, open_page)
    form.get_by_label("belongs to").select_option(label="Ana")
    then = form.locator(".then")
    expect(then.locator("li", has_text="Ana").last).to_be_visible()
    shown = then.inner_text()
    let_come(page, held)
    assert then.inner_text() == shown


def test_a_form_whose_script_has_not_come_keeps_what_is_typed_and_puts_no_pin_into_the_address(
    site: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{site}/league/", viewport=PHONE)
    page.route("**/static/**/*.js*", lambda route: None)  # a slow network: it comes later
    page.goto(f"{site}/league/enter", wait_until="commit")
    pin = page.locator("form[data-form=pin] input")
    pin.fill("2718")
    pin.press("Enter")
    expect(pin).to_have_value("2718")
    assert "2718" not in page.url
