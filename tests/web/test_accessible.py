"""What axe-core says of the table's pages, in both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    add,
    go_to,
    sheet,
)

pytestmark = NEEDS_CHROMIUM

HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Béla"}],
    "grid": [1, 2],
    "start": "normal",
}
THEMES = ("light", "dark")


def violations_of(page: Page) -> list[str]:
    """In both themes, told once each."""
    found: list[str] = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        found += [f"{theme} {one}" for one in violations(page)]
    return found


def test_axe_sees_what_is_wrong_with_a_page(
    browser: object, open_page: Callable[..., Page]
) -> None:
    page = open_page("about:blank")
    page.set_content("<main><h1>Race</h1><select><option>1</select></main>")
    assert any("select-name" in one for one in violations(page))


@pytest.mark.parametrize(
    "traits", [{}, {"viewport": PHONE, "locale": "fr-FR"}], ids=["en", "phone fr"]
)
def test_a_race_and_the_referees_panel_break_no_rule(
    run: Callable[..., Running], open_page: Callable[..., Page], traits: dict[str, object]
) -> None:
    running = run(HEADER)
    table = open_page(f"{running.url}/#pin={running.pin}", **traits)
    expect(table.locator("#board svg")).to_be_visible()
    table.locator("#open-referee").click()
    table.locator("#referee summary").first.click()
    expect(table.locator("#referee fieldset").first).to_be_visible()
    assert violations_of(table) == []


def test_the_lobby_breaks_no_rule_with_the_pin_and_without(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    onlooker = open_page("about:blank", viewport=PHONE, locale="fr-FR")
    onlooker.set_extra_http_headers(FAR)
    go_to(onlooker, running.url)
    expect(onlooker.locator(".thing")).to_have_count(3)
    assert violations_of(onlooker) == []
    host = open_page(f"{running.url}/#pin={running.pin}")
    expect(host.locator("img.join-code")).to_be_visible()
    assert violations_of(host) == []
    add(host)
    assert violations_of(host) == []
    with sheet(host, "Change"):
        host.get_by_text("A code for each seat").click()
        expect(host.locator(".code img[src^='data:image/svg']").first).to_be_visible()
        assert violations_of(host) == []
    with sheet(host, "House rules", "Driving", "Rules of the box"):
        assert violations_of(host) == []
