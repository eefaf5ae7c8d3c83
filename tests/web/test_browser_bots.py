"""One person, one phone, three bots: set up from the page and raced to the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    add,
    sheet,
    table_of,
)

pytestmark = NEEDS_CHROMIUM
MOST_ANSWERS = 400
TOGETHER = """({seat, line, token}) => fetch(`/api/seat/${seat}/answer`, {method: "POST",
  headers: {"Content-Type": "application/json", Authorization: `Bearer ${token}`},
  body: JSON.stringify(line)}).then((reply) => reply.status)"""


def sensible(ask: dict[str, Any]) -> dict[str, Any]:
    """Up to third gear, the cheapest end, and what the die shows first."""
    options: list[Any] = ask["options"]
    match ask["kind"]:
        case "gear":
            value: Any = max((g for g in options if g <= 3 and g not in ask["out"]), default=1)
        case "move":
            end = min(options, key=lambda o: (o["out"], o["spin"], sum(o["cost"].values())))
            value = {"to": end["to"], "brakes": end["brakes"]}
        case _:
            value = options[-1]
    return {ask["kind"]: value}


@pytest.mark.long
def test_alone_against_three_bots_from_the_page_to_the_end(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    phone = open_page(running.links[1], viewport=PHONE)
    add(table)
    for level in ("learner", "amateur", "champion"):
        add(table, f"Bot: {level}")
        expect(table.locator(".player").last).to_contain_text(level.capitalize())
    expect(table.get_by_text("Bot: champion").first).to_be_visible()
    with sheet(table, "Track and laps"):
        table.get_by_label("Track", exact=True).select_option("manege")
        table.get_by_label("Laps", exact=True).fill("1")
        table.get_by_label("Laps", exact=True).press("Tab")
        expect(table.get_by_label("Laps", exact=True)).to_have_value("1")
    table.get_by_role("button", name="Start the race").click()
    expect(table.locator("#turn")).to_contain_text("plays")

    token = running.links[1].partition("#")[2]
    for _ in range(MOST_ANSWERS):
        told = table_of(table)
        if told["state"]["phase"] == "finished":
            break
        mine = [ask for ask in told["asks"] if ask["seat"] == 1]
        if not mine:
            table.wait_for_timeout(30)
            continue
        said = {"seat": 1, "line": sensible(mine[0]), "token": token}
        assert phone.evaluate(TOGETHER, said) == 200, said
    expect(table.locator("body")).to_contain_text("The race is over")
    places = [row["place"] for row in table_of(table)["state"]["classification"]]
    assert places == [1, 2, 3, 4]
