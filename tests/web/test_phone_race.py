"""A whole race by touch, on a phone of 320 px and one of 390, and what it takes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    looks_at,
    number_of,
    table_of,
    touch,
    until,
)
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

pytestmark = NEEDS_CHROMIUM

HEADER = {
    "game": "formula-d", "track": "monaco", "laps": 1, "start": "normal", "grid": [1, 2],
    "seats": [{"seat": 1, "name": "Marguerite"}, {"seat": 2, "name": "Jean-Baptiste"}],
}  # fmt: skip
FINGER = 44
QUESTION_PX = 25
LABEL_PX = 20
MOST_BYTES = 40_000
MOST_TOUCHES = 3.2

SIZES = """() => [...document.querySelectorAll('button, .end .target, #to-table')]
  .filter((one) => one.checkVisibility() && !one.disabled && one.ariaDisabled !== 'true')
  .map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""
LETTERS = """(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
CUT = """() => [...document.querySelectorAll('.gate b, #question, #name, .ghost-bar p')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""


def fits(phone: Page) -> None:
    """No sideways overflow, nothing cut, targets and letters large enough."""
    wide = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{wide}: {phone.locator('#question').text_content()}"
    assert min(phone.evaluate(SIZES), default=FINGER) >= FINGER - 0.5
    assert min(phone.evaluate(LETTERS, "#question"), default=QUESTION_PX) >= QUESTION_PX
    assert min(phone.evaluate(LETTERS, ".gate b"), default=LABEL_PX) >= LABEL_PX
    assert phone.evaluate(CUT) == []


ROAD = """async () => {
  const seat = document.body.dataset.seat;
  const headers = { Authorization: `Bearer ${localStorage.getItem(`token-${seat}`)}` };
  return (await (await fetch(`/api/seat/${seat}/view`, { headers })).json()).map;
}"""


ANSWER = """({seat, line, token}) => fetch(`/api/seat/${seat}/answer`, {method: "POST",
  headers: {"Content-Type": "application/json", Authorization: `Bearer ${token}`},
  body: JSON.stringify(line)}).then((reply) => reply.status)"""


@dataclass
class Race:
    """Phones, and an engine that is told the same and says what a careful driver would do."""

    phones: dict[int, Page]
    table: Page
    dice: random.Random = field(default_factory=lambda: random.Random(11))
    engine: Engine = field(default_factory=lambda: Engine(TrackLibrary()))
    touches: list[int] = field(default_factory=list)
    looked: set[tuple[int, str]] = field(default_factory=set)
    on_the_road: int = 0

    def play(self) -> None:
        assert self.engine.handle({"new": HEADER})["ok"]
        turn: Any = None
        while asks := self.engine.asks():
            ask = asks[0]
            state = self.engine.state() or {}
            if (state["round"], state["turn"]) != turn:
                turn = (state["round"], state["turn"])
                self.touches.append(0)
            value = careful.answer(ask, self.engine.moment, self.dice)
            if isinstance(value, dict) and "to" in value:
                value = {"to": value["to"], "brakes": value["brakes"]}
            self.answer(ask, value)

    def answer(self, ask: dict[str, Any], value: Any) -> None:
        phone, kind = self.phones[ask["seat"]], ask["kind"]
        looks_at(phone)
        seen = number_of(phone)
        if (ask["seat"], kind) not in self.looked:
            self.looked.add((ask["seat"], kind))
            fits(phone)
        self.touch(phone, kind, value)
        line = {"seat": ask["seat"], kind: value}
        reply = self.engine.handle(line)
        assert reply["ok"], (line, reply)
        expect(phone.locator("body")).not_to_have_attribute("data-picture", seen or "none")
        mine = self.engine.state()
        until(self.table, lambda: table_of(self.table)["state"] == mine, f"{line} is not taken")

    def touch(self, phone: Page, kind: str, value: Any) -> None:
        if kind in ("move", "slipstream"):
            self.touch_end(phone, value)
            return
        low_high = value if isinstance(value, list) else [value, value]
        for key in phone.locator("#row button:visible, .gate button:visible").all():
            label = (key.locator("b").text_content() if key.locator("b").count() else
                     key.text_content()) or ""  # fmt: skip
            ends = [int(part) for part in label.split("–") if part.isdigit()]
            if ends and ends[0] <= low_high[0] <= ends[-1]:
                self.tap(key)
                return
        raise AssertionError(f"no key for {kind} {value}: {phone.locator('body').inner_text()}")

    def touch_end(self, phone: Page, value: Any) -> None:
        if value is None:
            self.tap(phone.locator(".gate button", has_text="no").first)
            return
        ends = phone.evaluate(ROAD)["ends"]
        button = next(
            (end["button"] for end in ends
             if (end["to"], end["brakes"]) == (value["to"], value["brakes"])), None
        )  # fmt: skip
        if button:
            self.tap(phone.locator(f"[data-button='{button}']"))
            return
        self.on_the_road += 1
        here = [end for end in ends if end["to"] == value["to"]]
        cap = phone.locator(f".end[data-to='{value['to']}']")
        if len(here) == 1 and self.on_the_road > 1:  # the first is asked, the others are held
            self.touches[-1] += 1
            touch(phone, cap, hold_ms=750)
            return
        self.tap(cap)
        fits(phone)
        here.sort(key=lambda end: end["brakes"])
        at = next(n for n, end in enumerate(here) if end["brakes"] == value["brakes"])
        self.tap(phone.locator(".confirm .go").nth(at))

    def tap(self, element: Locator) -> None:
        self.touches[-1] += 1
        element.tap()


@pytest.mark.long
def test_a_whole_race_by_touch_in_two_languages(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    small = {"viewport": {"width": 320, "height": 640}, "locale": "fr-FR", "color_scheme": "dark"}
    large = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "color_scheme": "light"}
    phones = {
        seat: open_page(running.links[seat], has_touch=True, **traits)
        for seat, traits in ((1, small), (2, large))
    }
    race = Race(phones, open_page(f"{running.url}/league"))
    race.play()
    assert (race.engine.state() or {})["phase"] == "finished"
    mean = sum(race.touches) / len(race.touches)
    print(f"{len(race.touches)} turns, {mean:.2f} touches each, {race.on_the_road} on the road")
    assert mean <= MOST_TOUCHES
    for phone in phones.values():
        fits(phone)


def test_a_seats_page_is_light(run: Callable[..., Running], open_page: Callable[..., Page]) -> None:
    running = run(HEADER)
    phone = open_page("about:blank", viewport={"width": 390, "height": 844})
    sent: list[int] = []
    phone.on(
        "requestfinished", lambda one: sent.append(one.sizes()["responseBodySize"]
        if "stream" not in one.url else 0)
    )  # fmt: skip
    phone.goto(running.links[1])
    expect(phone.locator("#question")).not_to_be_empty()
    phone.wait_for_timeout(300)
    print(f"{sum(sent)} bytes in {len(sent)} requests")
    assert sum(sent) <= MOST_BYTES


def test_a_first_turn_has_three_hints_and_the_next_one_has_none(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER | {"seats": HEADER["seats"][:1], "grid": [1]})
    phone = open_page(running.links[1])
    hint = phone.locator("#hint")
    for words, touched in (("a gear chooses", "1"), ("Roll that die", "1")):
        expect(hint).to_contain_text(words)
        fits(phone)
        phone.locator("#gate button b", has_text=touched).first.click()
    expect(hint).to_contain_text("Move your car")
    phone.reload()
    expect(hint).to_contain_text("Move your car")
    token = running.links[1].partition("#")[2]
    ends = table_of(phone)["asks"][0]["options"]
    line = {"move": {"to": ends[0]["to"], "brakes": 0}}
    phone.evaluate(ANSWER, {"seat": 1, "line": line, "token": token})
    expect(phone.locator("#question")).to_contain_text("gear")
    expect(hint).to_be_hidden()
