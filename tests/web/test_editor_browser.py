"""The corner editor in a real browser, with a mouse and with a finger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    PHONE,
)

from companion.race.boards import TrackLibrary
from companion_web.serving import Server, serve

PIN = "271828"

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def library(tmp_path: Path) -> TrackLibrary:
    return TrackLibrary([tmp_path])


@pytest.fixture
def server(table: Any, access: Any, library: TrackLibrary) -> Iterator[Server]:
    with serve(table, access, "127.0.0.1", 0, library) as running:
        yield running


@pytest.fixture
def open_editor(open_page: Callable[..., Page], server: Server) -> Callable[..., Page]:
    def open_one(fragment: str, **traits: Any) -> Page:
        page = open_page(f"http://127.0.0.1:{server.port}/track/manege/edit{fragment}", **traits)
        expect(page.locator(".arrows-drawn")).to_be_attached()
        return page

    return open_one


def test_an_arrow_clicked_in_is_checked_at_once_taken_back_and_clicked_away_again(
    open_editor: Callable[..., Page],
) -> None:
    page = open_editor(f"#pin={PIN}")
    faults = page.locator("#faults")
    expect(faults).to_have_text("Nothing is wrong with this board.")
    page.locator('[data-space="T1.m2"]').click()
    expect(page.locator("#how")).to_have_text("From m2 to …")
    page.locator('[data-space="T1.l1"]').click()
    expect(faults).to_contain_text("leads in a circle")
    expect(page.locator("#ways")).to_contain_text("No board can be made of this.")
    expect(page.locator("#save")).to_be_disabled()
    page.locator("#undo").click()
    expect(faults).to_have_text("Nothing is wrong with this board.")
    drawn = page.locator(".arrows-drawn").get_attribute("d") or ""
    page.locator('[data-space="T1.l1"]').click()
    page.locator('[data-space="T1.m1"]').click()
    expect(page.locator("#save")).to_contain_text("not kept yet")
    left = page.locator(".arrows-drawn").get_attribute("d") or ""
    assert left.count("M") == drawn.count("M") - 2  # a shaft and a head


def test_a_corner_is_kept_by_finger_in_french_as_the_tables_own(
    open_editor: Callable[..., Page], library: TrackLibrary
) -> None:
    page = open_editor(f"#pin={PIN}", viewport=PHONE, has_touch=True, locale="fr-FR")
    page.locator("#counts button", has_text="+").first.tap()
    expect(page.locator('[data-space="T1.l10"]')).to_be_attached()
    expect(page.locator("#ways")).to_have_class("ways is-wrong")
    expect(page.locator("#faults")).to_contain_text("imprimé")
    page.locator("#beside").tap()
    page.locator('[data-space="T1.r1"]').tap()
    expect(page.locator("#how")).to_have_text("De r1 vers …")
    page.locator("#save").tap()
    page.wait_for_url("**/track/manege.toml/edit#T1")
    expect(page.locator("h1")).to_have_text("Le Manège (own) : virages")
    assert library.load("manege.toml").sections[1].spaces == (10, 7, 5)


def test_without_a_key_one_may_look_and_a_wrong_pin_is_told(
    open_editor: Callable[..., Page],
) -> None:
    page = open_editor("", extra_http_headers=FAR)
    expect(page.locator("#save")).to_be_disabled()
    page.locator("#key").fill("1234")
    page.locator("#unlock button").click()
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#unlock")).to_be_visible()
    page.locator("#key").fill(PIN)
    page.locator("#unlock button").click()
    expect(page.locator("#save")).to_be_enabled()
