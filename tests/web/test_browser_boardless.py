"""A race without a board in a real browser: set up, reported and ordered on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    add,
    looks_at,
    sheet,
    table_of,
    until,
)

pytestmark = NEEDS_CHROMIUM

CARS = {str(seat): {"gear": 2, "lap": 1, "corner": "T2"} for seat in (1, 2, 3)}
HEADER = {
    "game": "formula-d",
    "track": "sebring",
    "seats": [{"seat": seat, "name": name} for seat, name in enumerate(("Ana", "Bob", "Cleo"), 1)],
    "position": {"cars": CARS, "order": [1, 2, 3], "turn": 1, "round": 2},
}


def waits_for(table: Page, kind: str) -> Any:
    """The first ask, once it is of this kind."""
    ask = until(
        table,
        lambda: next((ask for ask in table_of(table)["asks"][:1] if ask["kind"] == kind), None),
        f"nobody is asked for {kind}",
    )
    looks_at(table)
    return ask


def test_a_race_on_a_card_is_reported_and_ordered_on_the_page(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    table = open_page(f"{(running := run(HEADER)).url}/#pin={running.pin}")
    expect(table.locator("#circuit")).to_be_hidden()
    expect(table.get_by_text("corner 2: 0 of 2 stops, 6–12 spaces").first).to_be_visible()
    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    for place in range(3):
        waits_for(table, "gear")
        panel.get_by_role("button", name="2", exact=True).click()
        waits_for(table, "roll")
        panel.get_by_role("button", name="3", exact=True).click()
        waits_for(table, "report")
        if place:
            panel.get_by_role("button", name="A clean move").click()
            continue
        panel.get_by_label("brakes spent").fill("1")
        panel.get_by_label("ended in a corner").check()
        panel.get_by_role("button", name="Answer").click()
    waits_for(table, "order")
    assert table_of(table)["state"]["cars"]["1"]["wear"]["brakes"] == 2
    panel.get_by_role("button", name="Cleo one place up").click()
    panel.get_by_role("button", name="Answer").click()
    waits_for(table, "gear")
    assert table_of(table)["state"]["order"] == [1, 3, 2]


def test_what_the_card_makes_of_a_roll_is_a_button_and_a_doubt_is_told(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """FD-CORNER-2: out of Sebring's T2, 12 long at most, with one of its two stops missing."""
    in_t2 = {"gear": 3, "lap": 1, "corner": "T2", "stops": 1, "depth": [5, 5]}
    cars = {"1": in_t2, "2": in_t2, "3": {"gear": 3, "lap": 1}}
    running = run({**HEADER, "position": {**HEADER["position"], "cars": cars}})
    table = open_page(f"{running.url}/#pin={running.pin}")
    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    for name in ("By the card: spaces overshot: 4, stops missing: 1", "A clean move"):
        waits_for(table, "gear")
        panel.get_by_role("button", name="3", exact=True).click()
        waits_for(table, "roll")
        panel.get_by_role("button", name="8", exact=True).click()
        waits_for(table, "report")
        panel.get_by_role("button", name=name).click()
    waits_for(table, "gear")
    assert table_of(table)["state"]["cars"]["1"]["wear"]["tires"] == 2
    told = "corner 2 is 12 long at most: Bob has left it a stop short. Overshot?"
    expect(table.get_by_text(told).first).to_be_visible()


def test_no_board_is_chosen_in_the_lobby(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    add(table)
    with sheet(table, "Track and laps"):
        expect(table.locator("a.to-editor")).to_be_visible()
        table.get_by_label("Track", exact=True).select_option("")
        expect(table.locator("a.to-editor")).to_have_count(0)
    table.get_by_role("button", name="Start the race").click()
    waits_for(table, "black")
    assert table_of(table)["race"]["track"] is None
