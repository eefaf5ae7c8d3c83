"""Two people and a bot race an evening of Downforce by touch, from the lobby to the score sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    add,
    is_answered,
    looks_at,
    sheet,
    table_of,
    until,
)

pytestmark = NEEDS_CHROMIUM

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "en-GB"}
SMALL = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "locale": "de-DE"}
BOT = 3
HAND = [
    [("red", 6), ("green", 4), ("black", 3), ("wild", 1)],
    [("blue", 5), ("yellow", 3), ("orange", 2)],
    [("wild", 4), ("black", 2), ("red", 1)],
]
DEALT = 14
TURNS = 9
"""Cards that are played before the cars come home."""
MOST_STEPS = 1000


class Evening:
    """The phones of Ana, the host, and of Bob; what is asked tells what is touched."""

    def __init__(self, phones: dict[int, Page], television: Page) -> None:
        self.phones, self.television = phones, television
        self.turns = self.shown = 0

    def told(self) -> Any:
        return table_of(self.phones[1])

    def is_past(self, ask: Any) -> bool:
        """Another's answer, a bot's, may be what has come since: a second touch finds no key."""
        parts = ("seat", "kind", "since")
        return all(any(one[part] != ask[part] for part in parts) for one in self.told()["asks"])

    def taps(self, seat: int, *buttons: int) -> None:
        """Tap keys of a phone, each on the picture that the one before has made; then the table
        has an answer."""
        phone, before = self.phones[seat], self.told()["version"]
        looks_at(phone)
        for last, button in enumerate(buttons, 1 - len(buttons)):
            shown = phone.locator("body").get_attribute("data-picture")
            phone.locator(f"[data-button='{button}']").tap()
            if last:
                expect(phone.locator("body")).not_to_have_attribute("data-picture", shown or "")
        is_answered(phone, before)

    def touches(self, seat: int, *names: str | re.Pattern[str]) -> None:
        """Touch what a form shows; then the table has an answer."""
        phone, before = self.phones[seat], self.told()["version"]
        looks_at(phone)
        for name in names:
            phone.locator("#choices").get_by_role("button", name=name, exact=True).tap()
        is_answered(phone, before)

    def enter_hand(self) -> None:
        phone = self.phones[1]
        expect(phone.get_by_role("heading")).to_have_text("The hand of Racer")
        for card in HAND:
            for car, spaces in card:
                phone.get_by_role("button", name=car, exact=True).tap()
                phone.get_by_role("button", name=str(spaces), exact=True).tap()
            phone.get_by_role("button", name="Card done").tap()
        for number in range(DEALT - len(HAND)):
            phone.get_by_label(f"once more, {1 + number % len(HAND)}:").tap()
        phone.get_by_role("button", name="This is the hand").tap()
        expect(phone.locator(".df-hand")).to_have_count(0)

    def step(self, ask: Any) -> None:
        """One answer of a person."""
        seat, kind = ask["seat"], ask["kind"]
        by = seat if seat in self.phones else 1
        match kind:
            case "pole":
                self.taps(1, 1, 2, 3, 4, 5, 6)
            case "hand":
                self.enter_hand()
            case "lot":
                lot = ask["options"][0]
                self.touches(1, f"{lot['car']}, {lot['power']}")
            case "bid":
                self.touches(by, f"{3 + by} M$", re.compile("^4 "))
            case "bet":
                self.taps(by, 2)
            case "standing":
                self.taps(1, *(CARS.index(car) + 1 for car in ask["options"]))
            case "played":
                self.play(by, seat)
            case _:
                self.taps(by, 1)

    def play(self, by: int, seat: int) -> None:
        """A card: none, a line, or all six cars home."""
        self.turns += 1
        if seat == BOT:
            self.look_at_the_card()
        if self.turns > TURNS:
            home = [key for car in range(1, 7) for key in (5, car)]
            self.taps(by, *home, 1)
        else:
            self.taps(by, 2 if self.turns % 3 == 0 else 1)

    def look_at_the_card(self) -> None:
        """What the bot turned up stands on the phones and on the television, whole."""
        card = self.told()["card"]["lines"]
        for page in (*self.phones.values(), self.television):
            lines = page.locator(".df-face.is-large .df-line")
            expect(lines).to_have_count(len(card))
            told = [one.text_content() or "" for one in lines.all()]
            assert [int(line[-1]) for line in told] == [spaces for _, spaces in card]
        self.shown += 1


@pytest.mark.long
def test_two_people_and_a_bot_race_to_the_end_by_touch(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page(f"{running.url}/#pin={running.pin}", locale="en-GB")
    phones = {1: open_page(running.links[1], **PHONE), 2: open_page(running.links[2], **SMALL)}
    with sheet(page, "Track and laps"):
        page.get_by_label("Game").select_option("downforce")
    for seat, phone in phones.items():
        phone.locator("[data-button='1']").tap()
        expect(page.locator(f".player.car-{seat}")).to_be_visible()
    add(page, "Bot: racer")
    page.get_by_role("button", name="Start the race").click()
    evening = Evening(phones, open_page(f"{running.url}/tv", locale="en-GB"))
    for _ in range(MOST_STEPS):
        told = evening.told()
        if told["state"]["phase"] == "finished":
            break
        asks = [ask for ask in told["asks"] if ask["kind"] != "end"]
        if not asks or any(ask["seat"] == BOT and ask["kind"] not in BY_HAND for ask in asks):
            page.wait_for_timeout(25)  # a phone is not touched while a bot changes it
        else:
            evening.step(asks[0])
            until(page, partial(evening.is_past, asks[0]), "the touch has not come")
    expect(page.locator("#turn")).to_contain_text("wins!")
    expect(page.locator("#log")).to_contain_text("Left in hand: Racer")
    assert evening.shown >= 2, "the bot has played cards"
    bets = evening.told()["state"]["players"][str(BOT)]["bets"]
    assert len(bets) == 3
    assert set(bets) <= set(CARS)


BY_HAND = ("hand", "played")
"""What a person answers for a bot."""
