"""What is wrong with the disk stands on the table's page until somebody has seen it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running

pytestmark = NEEDS_CHROMIUM

HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob"}],
    "grid": [1, 2],
    "start": "normal",
}


@pytest.mark.faults("the journal: taken away, cut or replaced under a running table")
def test_a_journal_that_was_taken_away_is_told_on_the_page_until_it_was_seen(
    run: Callable[..., Running], open_page: Callable[..., Page], tmp_path: Path
) -> None:
    running = run(HEADER)
    table = open_page(f"{running.url}/#pin={running.pin}")
    others = [open_page(f"{running.url}/{name}#pin={running.pin}") for name in ("tv", "overlay")]
    for page in (table, *others):
        expect(page.locator("#disk")).to_be_hidden()
    for file in tmp_path.rglob("journal/0*.log"):
        file.unlink()
    note = {"headers": {"Authorization": f"Bearer {running.pin}"}, "data": {"note": "a note"}}
    assert table.request.post(f"{running.url}/api/referee/note", **note).ok  # type: ignore[arg-type]
    expect(table.locator("#disk")).to_contain_text("The journal was taken away")
    for page in others:
        expect(page.locator("#disk")).to_contain_text("The journal was taken away")
    expect(others[1].locator("#disk button")).to_have_count(0)
    table.locator("#disk").get_by_role("button", name="Seen").click()
    for page in (table, *others):
        expect(page.locator("#disk")).to_be_hidden()
    assert len(list(tmp_path.rglob("journal/0*.log"))) == 1
