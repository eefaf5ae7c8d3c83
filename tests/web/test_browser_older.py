"""Races that wait: a page of them, and the older ones behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, table_of

from companion.table.state import PAGE

pytestmark = NEEDS_CHROMIUM

RACES = PAGE + 3


def race(name: str) -> dict[str, Any]:
    seats = [{"seat": 1, "name": name}, {"seat": 2, "name": "Bo"}]
    return {"new": {"game": "formula-d", "track": "monaco", "seats": seats}}


def test_older_races_come_below_those_in_sight_and_one_of_them_goes_on(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page(f"{running.url}/#pin={running.pin}")
    head = {"Authorization": f"Bearer {running.pin}"}
    for line in (*(race(f"Ana {n}") for n in range(RACES)), {"table": "close"}):
        assert page.request.post(f"{running.url}/api/table", headers=head, data=line).ok
    rows, older = (
        page.locator(".waiting .driver-row"),
        page.get_by_role("button", name="Older races"),
    )
    page.get_by_text("Races that wait").click()
    expect(rows).to_have_count(PAGE)
    older.click()
    expect(rows).to_have_count(RACES)
    expect(older).to_be_hidden()
    expect(rows.last).to_contain_text("Ana 0")
    rows.last.get_by_role("button", name="Resume").click()
    expect(page.locator("#cars")).to_contain_text("Ana 0")
    assert table_of(page)["state"]["cars"]["1"]["name"] == "Ana 0"
    page.request.post(f"{running.url}/api/table", headers=head, data={"table": "close"})
    expect(rows).to_have_count(PAGE)
    expect(older).to_be_visible()
