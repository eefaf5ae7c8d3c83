"""An evening without a board by touch, in a browser: true reports, and what goes wrong at a table.

The keys to touch are found on a table in memory that is told the same; after each answer both
must have the same state. A phone is lost for good: another opens its seat by the link.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    give,
    looks_at,
    press,
    press_through,
    table_of,
    until,
)
from support.formula.boardless_evening import LOST, Evening, Slips
from support.formula.mirror import header
from support.screens.hands import picks_no_more, presses_to, sends
from support.tables.sitting import Sitting

from companion.table.ports import Caller
from companion.table.screens import REST_S, make_scene

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.long]

SEATS, TURNS = 3, 11
SLIPS = Slips(wrong=1, taken_back=4, missaid=6, amended=8, gone=9)
POST = """([word, body, pin]) => fetch(`/api/referee/${word}`, {method: "POST",
  headers: {"Content-Type": "application/json", Authorization: `Bearer ${pin}`},
  body: JSON.stringify(body)}).then((reply) => reply.status)"""


@dataclass
class ByTouch(Evening):
    """The same evening on phones in a browser."""

    running: Running | None = None
    page: Page | None = None
    opens: Callable[..., Page] | None = None
    held: dict[int, Page] = field(default_factory=dict)

    def sits_down(self, running: Running, opens: Callable[..., Page]) -> None:
        """A page of the table, and a phone for each seat."""
        self.running, self.opens, self.page = running, opens, opens(running.url)
        for seat in range(1, self.seats + 1):
            self.held[seat] = opens(running.links[seat], viewport=PHONE, has_touch=True)

    def _loses_a_phone(self) -> None:
        assert self.running is not None
        assert self.opens is not None
        self.held.pop(LOST).close()
        link = self.running.links[LOST]
        self.held[LOST] = self.opens(link, viewport=PHONE, has_touch=True)

    def _says(self, caller: Caller, line: dict[str, Any]) -> None:
        super()._says(caller, line)
        assert self.page is not None
        assert self.running is not None
        if "table" in line:
            self._looks_at(caller.seat or 1).locator("#undo").tap()
        elif "new" not in line and not line.get("preview"):
            word = next(iter(line))
            assert self.page.evaluate(POST, [word, line, self.running.pin]) == 200
        self._agrees()
        self.page.wait_for_timeout(1200 * REST_S)  # a page that only told takes no press before

    def _press(self, seat: int, by: int, *lines: dict[str, Any]) -> int:
        scene = make_scene(self.sitting.state, {}, lambda number: f"seat/{number}")
        buttons = presses_to(scene, by, sends(*lines), leads=picks_no_more(*lines))
        if not buttons:
            return 0
        phone = self._looks_at(by)
        if len(lines) == 1 and "roll" in lines[0]:
            give(phone, {"roll": lines[0]["roll"]}).tap()
        else:
            press_through(phone, *buttons[:-1])
            press(phone, buttons[-1])
        super()._press(seat, by, *lines)
        self._agrees()
        return len(buttons)

    def _looks_at(self, seat: int) -> Page:
        """A phone, once it shows what its seat is shown now."""
        looks_at(self.held[seat])
        return self.held[seat]

    def _agrees(self) -> None:
        """The table in the browser comes to the state of the one in memory."""
        assert self.page is not None
        mine = json.loads(json.dumps(self.sitting.race.state))
        page = self.page
        why = f"in memory they are asked {self.sitting.state.asks}"
        until(page, lambda: table_of(page)["state"] == mine, why)


@pytest.mark.parametrize(("game", "seed"), [("formula-d", 1), ("formule-de", 2)])
def test_an_evening_without_a_board_by_touch_with_all_that_goes_wrong(
    run: Callable[..., Running], open_page: Callable[..., Page], game: str, seed: int
) -> None:
    """FD-MOVE-5, FD-ORDER-1: a wrong key, an undo, an amended report, a lost phone."""
    evening = ByTouch(
        None, Sitting(), game, seed, slips=SLIPS, seats=SEATS, laps=1, most_turns=TURNS
    )
    evening.sits_down(run(header(SEATS, 1, track=None, game=game)), open_page)
    evening.play()
    assert len(evening.turns) == TURNS
    assert evening.sitting.race.state["round"] >= TURNS // SEATS
