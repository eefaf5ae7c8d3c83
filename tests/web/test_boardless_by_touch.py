"""Evenings without a board in a browser: by keys, with all that goes wrong, and by touch, counted.

The keys to press are found on a table in memory that is told the same; after each answer both
must have the same state. A phone is lost for good: another opens its seat by the link.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
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
from support.formula.boardless_evening import LOST, Evening, Slips, on_keys
from support.formula.mirror import SPARED, Cards, Mirror, Turn, card_of, header, turns
from support.screens.hands import picks_no_more, presses_to, sends
from support.tables.sitting import Sitting

from companion.race.engine import Engine
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
def test_an_evening_without_a_board_by_keys_with_all_that_goes_wrong(
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


# -- by touch, and counted ------------------------------------------------------------------------


BOARD, SEED = "monaco", 1
NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Oma Wilhelmine")
SMALL = {"width": 320, "height": 568}
LARGE = {"width": 390, "height": 844}
COUNTED = {"brakes": "Spaces braked", "blocked": "Spaces blocked", "debris": "Debris crossed"}
MOST_TOUCHES = 2.7
"""A turn, but for the order of a round; on six keys it is three presses and a little."""
CARD = "own-card.toml"


class OwnCard(Cards):
    """What ships, and the card of the board that the true race is driven on."""

    def text(self, name: object) -> str:
        return card_of(BOARD) if name == CARD else super().text(name)


@dataclass
class Touched:
    """The turns of a race on a board, told by touch on four phones, and to an engine in memory."""

    phones: dict[int, Page]
    engine: Engine
    touches: list[int] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)

    def play(self) -> None:
        for turn in turns(BOARD, SEED, len(NAMES), 1):
            self.touches.append(0)
            has_begun = False
            while asks := self.engine.asks():
                ask = asks[0]
                if ask["kind"] == "gear" and has_begun:
                    break
                has_begun = True
                if ask["kind"] == "order":
                    self.puts_in_order(ask["options"], turn.state["order"])
                    break
                self.answers(ask, turn)

    def answers(self, ask: dict[str, Any], turn: Turn) -> None:
        phone, seat, kind = self.looks_at(turn.seat), ask["seat"], ask["kind"]
        if kind == "gear":
            self.tap(give(phone, {"gear": turn.gear}))
            self.says(seat, "gear", turn.gear)
        elif kind == "roll":
            self.says(seat, "roll", turn.face)
            (report,) = self.engine.asks()
            self.says(seat, "report", self.tells(phone, report, turn))
        else:
            nobody = phone.locator("#choices button", has_text="nobody")
            if nobody.count():
                self.tap(nobody)
            else:
                only = self.looks_at(seat)
                self.tap(give(only, {"black": ask["options"][-1]}))
            while self.engine.asks() and self.engine.asks()[0]["kind"] == "black":
                self.says(self.engine.asks()[0]["seat"], "black", SPARED)
        self.agrees()

    def tells(self, phone: Page, ask: dict[str, Any], turn: Turn) -> Any:
        """Touch what happened on the way, then the face under the way it ended; what that says."""
        car = (self.engine.state() or {})["cars"][str(turn.seat)]
        report = on_keys(Mirror(BOARD, SEED).where(turn, ask), car)
        likely = next((dict(one) for one in ask.get("likely", ()) if one.get("missing")), {})
        if report.get("line"):
            self.switches(phone, "Over the line")
        for name, label in COUNTED.items():
            self.switches(phone, label, times=report.get(name, 0))
        if report.get("missing") == 2 != likely.get("missing"):
            self.switches(phone, "Two stops missed")
        elif report.get("overshoot") and report["overshoot"] != likely.get("overshoot"):
            self.switches(phone, "Spaces too far", times=report["overshoot"])
        elif likely and not report.get("overshoot") and not report.get("corner"):
            self.switches(phone, "Not too far")
        for seat in report.get("touched", ()):
            self.switches(phone, NAMES[seat - 1])
        way = phone.locator(".report .faces button").and_(
            phone.locator(f"[aria-label^='{turn.face},']")
        )
        head = "On a straight" if not report.get("corner") else "corner"
        found = way.and_(phone.locator(f"[aria-label*='{head}']"))
        cell = found.last if report.get("next") else found.first
        told = json.loads(cell.get_attribute("data-answer") or "")[1]["report"]
        is_dear = cell.get_attribute("data-mark") == "out"
        self.tap(cell)
        if is_dear:
            self.tap(phone.locator(".sheet .go"))
        return told

    def switches(self, phone: Page, name: str, *, times: int = 1) -> None:
        shown = phone.locator(".report .page:not([hidden]) button")
        switch = shown.filter(has_text=name)
        if times and not switch.count():
            self.tap(shown.filter(has_text=re.compile("^(More|Back)")))
        for _ in range(times):
            self.tap(switch)

    def puts_in_order(self, now: list[int], true: list[int]) -> None:
        """Move up whoever has overtaken, then say that it is so."""
        phone, before = self.looks_at(1), sum(self.touches)
        while now != true:
            at = next(n for n in range(1, len(now)) if true.index(now[n]) < true.index(now[n - 1]))
            self.tap(phone.locator("#choices button", has_text=NAMES[now[at] - 1]))
            now = [*now[: at - 1], now[at], now[at - 1], *now[at + 1 :]]
            expect(phone.locator("#lines")).to_contain_text(f"{at}. {NAMES[now[at - 1] - 1]}")
        self.tap(give(phone, {"order": true}))
        self.orders.append(sum(self.touches) - before)
        self.touches[-1] -= self.orders[-1]
        self.says(0, "order", true)
        self.agrees()

    def looks_at(self, seat: int) -> Page:
        looks_at(self.phones[seat])
        return self.phones[seat]

    def says(self, seat: int, kind: str, value: Any) -> None:
        reply = self.engine.handle({"seat": seat, kind: value})
        assert reply["ok"], (kind, value, reply)

    def agrees(self) -> None:
        mine, phone = json.loads(json.dumps(self.engine.state())), self.phones[1]
        until(phone, lambda: table_of(phone)["state"] == mine, "the table has another state")

    def tap(self, element: Locator) -> None:
        self.touches[-1] += 1
        element.tap()


@pytest.mark.parametrize(("rules", "track"), [(["basic"], None), (None, CARD)])
def test_a_whole_race_of_four_without_a_board_takes_two_touches_a_turn_and_a_little(
    run: Callable[..., Running],
    open_page: Callable[..., Page],
    tmp_path: Path,
    rules: list[str] | None,
    track: str | None,
) -> None:
    """FD-MOVE-5: one touch tells the die and how the move ended; nothing lies below the edge."""
    told = header(len(NAMES), 1, track=track) | ({"rules": rules} if rules else {})
    told["seats"] = [{"seat": seat, "name": name} for seat, name in enumerate(NAMES, 1)]
    folder = tmp_path / "data" / "tracks"
    folder.mkdir(parents=True)
    (folder / CARD).write_text(card_of(BOARD))
    running, engine = run(told), Engine(OwnCard(()))
    assert engine.handle({"new": told})["ok"]
    phones = {
        seat: open_page(link, viewport=SMALL if seat % 2 else LARGE, has_touch=True)
        for seat, link in running.links.items()
    }
    race = Touched(phones, engine)
    race.play()
    assert (engine.state() or {})["phase"] == "finished"
    mean, orders = sum(race.touches) / len(race.touches), sum(race.orders) / len(race.orders)
    print(f"{len(race.touches)} turns, {mean:.2f} touches each, and {orders:.2f} for an order")
    assert mean <= MOST_TOUCHES
