"""A real board put in again from its counts is a board to touch."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    give,
    is_answered,
    number_of,
    table_of,
)
from support.formula.from_counts import counts_of

from companion.cli import main
from companion.race.boards import TrackLibrary

pytestmark = NEEDS_CHROMIUM

BOARD = "zeltweg"
SEATS = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob"}]


@pytest.fixture
def entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The file's name of the board, written from typed counts into the table's own folder."""
    folder = tmp_path / "data" / "tracks"
    folder.mkdir(parents=True)
    typed = "".join(f"{answer}\n" for answer in counts_of(BOARD))
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["track", "new", str(folder / "counted.toml")]) == 0
    return "counted.toml"


def ends_of(table: Page) -> set[str]:
    """Where the car that is asked may end, as the table has it."""
    return {str(end["to"]) for end in table_of(table)["asks"][0]["options"]}


@pytest.mark.long
def test_on_a_board_built_from_its_counts_two_race_and_an_end_is_touched_on_the_phone(
    entered: str, run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    header: dict[str, Any] = {"game": "formula-d", "track": entered, "laps": 1, "seats": SEATS}
    running = run(header | {"start": "normal", "grid": [1, 2]})
    table = open_page(running.url)
    phones = [open_page(running.links[n], viewport=PHONE, has_touch=True) for n in (1, 2)]
    for phone, seat in zip(phones, (1, 2), strict=True):
        for kind in ("gear", "roll"):
            assert table_of(table)["asks"][0]["kind"] == kind
            before, seen = table_of(table)["version"], number_of(phone)
            if kind == "roll":
                phone.locator("[data-faces]").tap()
            give(phone, {kind: 1}).tap()
            goes_on(table, phone, before, seen)
        ends, before, seen = ends_of(table), table_of(table)["version"], number_of(phone)
        expect(phone.locator(".end")).to_have_count(len(ends))
        to = min(ends)
        phone.locator(f".end[data-to='{to}']").tap()
        goes_on(table, phone, before, seen)
        assert table_of(table)["state"]["cars"][str(seat)]["space"] == to
        assert to in TrackLibrary().load(BOARD).ids


def goes_on(table: Page, phone: Page, version: int, seen: str) -> None:
    """Wait until the table has taken an answer, and the phone shows what comes then."""
    expect(phone.locator("body")).not_to_have_attribute("data-picture", seen)
    is_answered(table, version)
