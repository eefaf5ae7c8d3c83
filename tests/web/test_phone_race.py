"""Whole races by touch, on phones of 320 px and 390, and what they take."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    give,
    looks_at,
    table_of,
    until,
)
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.formula.asks import BlackAsk

pytestmark = NEEDS_CHROMIUM

HEADER: dict[str, Any] = {
    "game": "formula-d", "track": "monaco", "laps": 1, "start": "normal", "grid": [1, 2],
    "seats": [{"seat": 1, "name": "Marguerite"}, {"seat": 2, "name": "Jean-Baptiste"}],
}  # fmt: skip
NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Oma Wilhelmine")
FOUR = HEADER | {
    "grid": [1, 2, 3, 4],
    "seats": [{"seat": n, "name": name} for n, name in enumerate(NAMES, 1)],
}
SMALL = {"width": 320, "height": 568}
FINGER = 44
QUESTION_PX = 20
LEAST_PX = 16
MOST_BYTES = 40_000
MOST_TOUCHES = 2.4

SIZES = """() => [...document.querySelectorAll('button, .end .target')]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"""
LETTERS = """(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""
CUT = """() => [...document.querySelectorAll('#choices b, #question, #name, .sheet p')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
BELOW = """() => [...document.querySelectorAll('[data-answer], [data-button], [data-faces]')]
  .filter((one) => one.checkVisibility() && !one.closest('.ends'))
  .filter((one) => one.getBoundingClientRect().bottom
    > document.querySelector('.foot').getBoundingClientRect().top + 1)
  .map((one) => one.textContent)"""
"""What is answered below the bar at the lower edge."""


def fits(phone: Page) -> None:
    """No sideways overflow, nothing cut or below the edge, targets and letters large enough."""
    wide = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{wide}: {phone.locator('#question').text_content()}"
    assert min(phone.evaluate(SIZES), default=FINGER) >= FINGER - 0.5
    assert min(phone.evaluate(LETTERS, "#question"), default=QUESTION_PX) >= QUESTION_PX
    assert min(phone.evaluate(LETTERS, "body *:not(svg *)"), default=LEAST_PX) >= LEAST_PX
    assert phone.evaluate(CUT) == []
    assert phone.evaluate(BELOW) == []


ANSWER = """({seat, line, token}) => fetch(`/api/seat/${seat}/answer`, {method: "POST",
  headers: {"Content-Type": "application/json", Authorization: `Bearer ${token}`},
  body: JSON.stringify(line)}).then((reply) => reply.status)"""


@dataclass
class Race:
    """Phones, and an engine that is told the same and says what a careful driver would do."""

    phones: dict[int, Page]
    table: Page
    header: dict[str, Any]
    dice: random.Random = field(default_factory=lambda: random.Random(11))
    engine: Engine = field(default_factory=lambda: Engine(TrackLibrary()))
    touches: list[int] = field(default_factory=list)
    looked: set[tuple[int, str]] = field(default_factory=set)
    posts: list[tuple[str | None, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for phone in self.phones.values():
            phone.on("response", self.hears)

    def hears(self, reply: Response) -> None:
        if reply.request.method == "POST":
            self.posts.append((reply.request.post_data, reply.status))

    def play(self) -> None:
        assert self.engine.handle({"new": self.header})["ok"]
        turn: Any = None
        while asks := self.engine.asks():
            state = self.engine.state() or {}
            if (state["round"], state["turn"]) != turn:
                turn = (state["round"], state["turn"])
                self.touches.append(0)
            first = next((a for a in asks if a["seat"] == state["turn"]), asks[0])
            self.step(first, asks)

    def step(self, ask: dict[str, Any], asks: list[dict[str, Any]]) -> None:
        phone, kind, seat = self.phones[ask["seat"]], ask["kind"], ask["seat"]
        looks_at(phone)
        if (seat, kind) not in self.looked:
            self.looked.add((seat, kind))
            fits(phone)
        value = self.wants(ask)
        if kind == "roll":
            self.rolls(phone, seat, value)
        elif kind in ("move", "slipstream"):
            self.stands(phone, seat, kind, value)
        elif kind == "black" and phone.locator("#choices button", has_text="nobody").count():
            self.says_who_was_hurt(phone, [one for one in asks if one["kind"] == "black"])
        else:
            self.tap(give(phone, {kind: value}).first)
            self.says(seat, kind, value)
        mine = self.engine.state()
        try:
            until(self.table, lambda: table_of(self.table)["state"] == mine, f"{kind} is not taken")
        except AssertionError as error:
            shown = phone.locator("#question, #notice, #choices").all_text_contents()
            error.add_note(f"seat {seat} shows {shown}; told and answered: {self.posts[-6:]}")
            raise

    def wants(self, ask: dict[str, Any]) -> Any:
        """What a careful driver would answer, in the form of the ask."""
        value = careful.answer(ask, self.engine.moment, self.dice)
        if ask["kind"] == "black":
            return next(one for one in ask["options"] if one[0] <= value <= one[-1])
        if isinstance(value, dict) and "to" in value:
            return {"to": value["to"], "brakes": value["brakes"]}
        return value

    def says(self, seat: int, kind: str, value: Any) -> None:
        line = {"seat": seat, kind: value}
        reply = self.engine.handle(line)
        assert reply["ok"], (line, reply)

    def rolls(self, phone: Page, seat: int, face: int) -> None:
        """Where the car ended tells the die; where another face is taken for it, that is told."""
        self.says(seat, "roll", face)
        ask = next(one for one in self.engine.asks() if one["seat"] == seat)
        end = self.wants(ask)
        self.says(seat, "move", end)
        both = [{"roll": face}, {"move": end}]
        exact = phone.locator(".road").locator(give(phone, both))
        is_it = exact.count() > 0
        cap = exact if is_it else phone.locator(f".end[data-to='{end['to']}']").first
        is_dear = cap.get_attribute("aria-haspopup")
        self.tap(cap)
        way = phone.locator(".sheet").locator(give(phone, both)).first
        if not is_dear:
            expect(phone.locator("#road")).to_be_hidden()
        chip = phone.locator("#chip")
        if not is_dear and not is_it:
            until(phone, lambda: way.is_visible() or chip.is_visible(), "neither dice nor chip")
        if not is_dear and not is_it and not way.is_visible():  # a contact is asked for meanwhile
            self.tap(chip)
        if is_dear or not is_it:  # asked once more, or another die has led there
            before = table_of(phone)["version"]
            self.tap(way)
            if (
                not is_dear
            ):  # die and end are taken back, and both told anew: the same state between
                corrected = before + 3
                until(phone, lambda: table_of(phone)["version"] >= corrected, "no other die")
        expect(phone.locator("#road")).to_be_hidden()

    def stands(self, phone: Page, seat: int, kind: str, value: Any) -> None:
        self.says(seat, kind, value)
        if value is None:
            self.tap(give(phone, {kind: None}))
            return
        cap = phone.locator(f".end[data-to='{value['to']}']")
        is_dear = cap.get_attribute("aria-haspopup")
        self.tap(cap)
        if is_dear:
            self.tap(phone.locator(".sheet").locator(give(phone, {kind: value})).first)

    def says_who_was_hurt(self, phone: Page, asks: list[dict[str, Any]]) -> None:
        """Somebody who was by name, or that nobody else was: a key of the list."""
        rolled = [(ask, self.wants(ask)) for ask in asks]
        for ask, value in rolled:
            if value == ask["options"][0]:
                name = "you" if phone is self.phones[ask["seat"]] else NAMES[ask["seat"] - 1]
                self.tap(phone.locator("#choices button", has_text=name).first)
                return self.says(ask["seat"], "black", value)
        self.tap(phone.locator("#choices button", has_text="nobody"))
        # One after another is asked, all are thrown together.
        times = {one.seat: one.times for one in self.engine.open if isinstance(one, BlackAsk)}
        for ask, value in rolled:
            for _ in range(times[ask["seat"]]):
                self.says(ask["seat"], "black", value)
        return None

    def tap(self, element: Locator) -> None:
        self.touches[-1] += 1
        element.tap()


@pytest.mark.long
def test_a_whole_race_of_four_with_contacts_takes_two_touches_a_turn_and_a_little(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(FOUR)
    small = {"viewport": SMALL, "locale": "en-GB", "color_scheme": "dark"}
    large = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "color_scheme": "light"}
    phones = {
        seat: open_page(running.links[seat], has_touch=True, **(small if seat % 2 else large))
        for seat in FOUR["grid"]
    }
    race = Race(phones, open_page(f"{running.url}/league"), FOUR)
    race.play()
    assert (race.engine.state() or {})["phase"] == "finished"
    turns = [touches for touches in race.touches if touches]
    mean = sum(turns) / len(turns)
    print(f"{len(turns)} turns, {mean:.2f} touches each, {max(turns)} at most")
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
    expect(hint).to_contain_text("a gear chooses")
    fits(phone)
    give(phone, {"gear": 1}).click()
    expect(hint).to_contain_text("touch where it stands")
    fits(phone)
    phone.locator("[data-faces]").click()
    give(phone, {"roll": 1}).click()
    expect(hint).to_contain_text("Move your car")
    phone.reload()
    expect(hint).to_contain_text("Move your car")
    token = running.links[1].partition("#")[2]
    ends = table_of(phone)["asks"][0]["options"]
    line = {"move": {"to": ends[0]["to"], "brakes": 0}}
    phone.evaluate(ANSWER, {"seat": 1, "line": line, "token": token})
    expect(phone.locator("#question")).to_contain_text("gear")
    expect(hint).to_be_hidden()
