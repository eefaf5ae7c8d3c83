"""An evening of Downforce in a real browser: four phones are the seats, a page is the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    is_answered,
    looks_at,
    press,
    press_through,
    table_of,
    until,
)

pytestmark = NEEDS_CHROMIUM

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
NAMES = ["Ana", "Bob", "<i>Cid</i>", "Dora"]
HEADER = {
    "game": "downforce",
    "track": None,
    "seats": [{"seat": seat, "name": name} for seat, name in enumerate(NAMES, 1)],
    "house": {"auction": "secret", "cards": "counted"},
}
TOLD = {key: value for key, value in HEADER.items() if key != "house"}
"""The same as a table plays it that says nothing: lots are entered, no cards counted."""
MOST_TOUCHES = 40
WINNERS = {3: (1, 4), 4: (1, 5), 1: (2, 6), 2: (3, 3), 5: (4, 2), 6: (2, 6)}
"""Button of each car, in the order in which the lots are turned up: its buyer, and the bid."""


IN_SIGHT = """(one) => {
    const {top, bottom} = one.getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector(".foot").getBoundingClientRect().top;
}"""
PIXELS = """fetch('/api/seat/2/screen.png').then((told) => told.arrayBuffer())
    .then((bytes) => Array.from(new Uint8Array(bytes)).join())"""
"""The public face of seat 2."""


@dataclass
class Evening:
    """The page of the table and the phones, each in a browser of its own."""

    running: Running
    table: Page
    phones: dict[int, Page]

    def version(self) -> int:
        return int(table_of(self.table)["version"])

    def answers(self, seat: int, *buttons: int) -> None:
        """Press through to an answer on a phone, and wait until the table has taken it."""
        before = self.version()
        press_through(self.phones[seat], *buttons[:-1])
        press(self.phones[seat], buttons[-1])
        is_answered(self.table, before)

    def asks(self) -> list[Any]:
        return list(table_of(self.table)["asks"])

    def asked(self, kind: str) -> list[int]:
        return [ask["seat"] for ask in self.asks() if ask["kind"] == kind]


@pytest.fixture
def evening(run: Callable[..., Running], open_page: Callable[..., Page]) -> Evening:
    running = run(HEADER)
    table = open_page(running.url)
    phones = {seat: open_page(running.links[seat], viewport=PHONE) for seat in (1, 2, 3, 4)}
    for phone in phones.values():
        expect(phone.locator("#link")).to_have_text("live")
    return Evening(running, table, phones)


def auction(evening: Evening) -> None:
    """The grid, six lots, and the powers that are kept."""
    evening.answers(1, 1, 2, 3, 4, 5, 6)
    expect(evening.table.locator("#turn")).to_have_text("The next lot is turned up")
    for number, (car, (buyer, amount)) in enumerate(WINNERS.items()):
        left = 6 - number  # powers that have not been turned up; the first of them
        evening.answers(1, *((car, 1) if left > 1 else (car,)))
        for seat in evening.asked("bid"):
            evening.answers(seat, *((amount, 3) if seat == buyer else (1, 1)))
    for seat in evening.asked("keep"):
        evening.answers(seat, 1)


@pytest.mark.long
def test_an_evening_of_four_ends_in_the_score_sheet_of_the_rulebook(evening: Evening) -> None:
    """DF-PAY-4: 11 + 13 − 9 = 15, from the auction to the sheet, pressed on four phones."""
    table = evening.table
    auction(evening)
    expect(table.locator("#cars .df-car", has_text="green 4")).to_be_visible()
    for line, (ana, others) in enumerate(((4, 6), (4, 1), (2, 2)), 1):
        (player,) = evening.asked("played")
        evening.answers(player, 2)
        expect(table.locator("#turn")).to_contain_text("Everybody bets in secret")
        evening.answers(1, ana)
        expect(table.locator("#cars .car-1")).to_contain_text("has bet")
        for seat in (2, 3, 4):
            evening.answers(seat, others)
        expect(table.locator("#cars .car-1 .pip:not(.gone)")).to_have_count(line)
        assert table_of(table)["state"]["players"]["1"]["bets"] == [None] * line
    (player,) = evening.asked("played")
    home = [press for car in (2, 4, 1, 6, 3, 5) for press in (5, car)]
    evening.answers(player, *home, 1)
    expect(table.locator("#turn")).to_have_text("Ana wins!")
    first = table.locator("#result-body tbody tr").first
    assert [cell.text_content() for cell in first.locator(".figure").all()] == [
        "11",
        "13",
        "−9",
        "15",
    ]
    expect(table.locator("#result-body")).to_contain_text("<i>Cid</i>")
    expect(table.locator("#log")).to_contain_text("The bets: Ana yellow, yellow, blue;")


def test_the_page_tells_who_has_bid_and_the_referee_bids_for_a_seat(evening: Evening) -> None:
    table = evening.table
    evening.answers(1, 1, 2, 3, 4, 5, 6)
    evening.answers(1, 3, 1)
    looks_at(evening.phones[2])
    closed = table.evaluate(PIXELS)
    press_through(evening.phones[2], 6)
    assert table.evaluate(PIXELS) == closed, "the second page of a bid is seen by nobody"
    evening.answers(2, 4)
    expect(table.locator("#cars .car-2")).to_contain_text("has bid")
    expect(table.locator("#cars .car-3")).to_contain_text("is thinking")
    expect(table.locator(".df-card.is-up")).to_contain_text("green")
    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    panel.get_by_text("Amend an answer").click()
    expect(panel.locator(".given li").first).to_contain_text("Bob: a secret bid …")
    row = panel.locator(".answer-row", has_text="Dora")
    row.get_by_label("Bid, M$").select_option("5")
    row.get_by_role("button", name="Answer").click()
    expect(table.locator("#cars .car-4")).to_contain_text("has bid")
    evening.answers(1, 1, 1)
    evening.answers(3, 1, 1)
    expect(table.locator("#log")).to_contain_text("The bids for green: Ana 0, Bob 6")
    expect(table.locator("#cars .car-2")).to_contain_text("green 6")


def on_the_road(lines: int, *home: str) -> dict[str, Any]:
    """A race of which the table tells what happens: so many lines are crossed, these are home."""
    cars = {car: {"owner": 1 + n % 4, "price": 2} for n, car in enumerate(CARS)}
    cars |= {car: {**cars[car], "place": place} for place, car in enumerate(home, 1)}
    players = {str(seat): {"bets": ["red"] * lines} for seat in (1, 2, 3, 4)}
    position = {"phase": "race", "grid": CARS, "cars": cars, "lines": lines, "players": players}
    return {**TOLD, "house": {"cards": "events"}, "position": position}


def test_df_pay_1_the_television_shows_money_at_the_car_that_is_home_and_the_next_prize_once(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(on_the_road(3, "red"))
    tv = open_page(f"{running.url}/tv")
    expect(tv.locator("#tower .gap")).to_have_text(["12 M$", *[""] * 5])
    expect(tv.locator("#facts")).to_have_text("Race · next car home: 9 M$")
    table = open_page(running.url)
    expect(table.locator(".df-earns")).to_have_text(["12 M$ earned"])


def test_df_bet_1_the_television_shows_the_bet_that_phones_ask_until_all_have_made_it(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(on_the_road(0))
    tv, table = open_page(f"{running.url}/tv"), open_page(f"{running.url}/#pin={running.pin}")
    phones = {seat: open_page(running.links[seat], viewport=PHONE) for seat in (1, 2, 3, 4)}
    evening, facts = Evening(running, table, phones), tv.locator("#facts")
    table.get_by_role("button", name="Referee").click()
    before = evening.version()
    table.locator("#referee").get_by_role("button", name="A line was crossed").first.click()
    is_answered(table, before)
    expect(tv.locator("#banner")).to_contain_text("Still to come: 4")
    for seat in phones:
        expect(facts).to_contain_text("line 1 opens a bet: 9 · 6 · 3")
        evening.answers(seat, 2)
    expect(facts).to_contain_text("line 2 opens a bet: 6 · 4 · 2")


class Touches:
    """Touches on the page of a phone that has the PIN, and on the phones of the seats."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.count = evening, 0
        table = evening.table
        table.get_by_role("button", name="Referee").click()
        self.panel = table.locator("#referee")

    def at(self, *names: str) -> None:
        """Touch these buttons; with the last one the table has an answer."""
        before = self.evening.version()
        for name in names:
            self.panel.get_by_role("button", name=name, exact=True).first.click()
        self.count += len(names)
        is_answered(self.evening.table, before)

    def on_phones(self, kind: str, button: int) -> None:
        for seat in self.evening.asked(kind):
            self.evening.answers(seat, button)
            self.count += 1


@pytest.mark.long
def test_an_evening_of_four_takes_at_most_forty_touches(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """The grid, a touch for each lot and one for its winner and price, lines, bets, homes."""
    running = run(TOLD)
    phones = {seat: open_page(running.links[seat], viewport=PHONE) for seat in (1, 2, 3, 4)}
    evening = Evening(running, open_page(running.url, viewport=PHONE), phones)
    touches = Touches(evening)
    touches.at(*CARS)
    lots = ("cunning", "aggressive", "sly", "determined", "strategist")
    for number, power in enumerate(lots):
        car, name = CARS[number], NAMES[number % 4]
        touches.at(f"{car}, {power}", f"{name}, {number + 1} M$")
    touches.at("Bob, 6 M$")
    touches.on_phones("keep", 1)
    for _ in range(3):
        touches.at("A line was crossed")
        touches.on_phones("bet", 2)
    for car in CARS:
        touches.at(car)
    expect(evening.table.locator("#result-body")).to_contain_text("blue +6")
    assert touches.count <= MOST_TOUCHES, touches.count


def before_the_grid(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> tuple[Page, Page, int, list[Route]]:
    """The table, a phone that is asked for the grid, the version, and its first press, once it has
    been made: it is held."""
    running = run(TOLD)
    table, phone = open_page(running.url), open_page(running.links[1], viewport=PHONE)
    looks_at(phone)
    before, held = table_of(table)["version"], list[Route]()
    phone.route("**/press", lambda route: held.append(route), times=1)
    return table, phone, before, held


def car_key(phone: Page, car: str) -> Locator:
    return phone.locator("#choices").get_by_role("button", name=car, exact=True)


def test_a_touch_before_the_page_shows_what_came_of_the_last_is_a_part_of_the_answer_too(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """The grid is told car after car: thumbs are quicker than a busy table."""
    table, phone, before, held = before_the_grid(run, open_page)
    for car in CARS:
        car_key(phone, car).click()
    held[0].continue_()
    is_answered(table, before)


def test_a_key_that_a_thumb_is_on_stays_until_it_is_let_go(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """What came of the last touch is drawn after this one: a key that has gone hears no release."""
    table, phone, before, held = before_the_grid(run, open_page)
    keys = [car_key(phone, car) for car in CARS]
    keys[0].click()
    until(phone, lambda: held, "nothing was pressed")
    keys[1].hover()
    phone.mouse.down()
    with phone.expect_response("**/view"):
        held[0].continue_()
    phone.wait_for_timeout(100)  # it would be drawn by now
    phone.mouse.up()
    for key in keys[2:]:
        key.click()
    is_answered(table, before)


LOTS = {
    "green": ("cunning", 1, 5),
    "black": ("sly", 2, 3),
    "blue": ("determined", 3, 4),
    "yellow": ("strategist", 4, 2),
    "orange": ("aggressive", 1, 3),
    "red": ("unpredictable", 2, 6),
}
"""Car: its power, who wins it, for how much: two cars for two of four."""
MOST_TOUCHES_OF_ONE = 8
"""Touches of the busiest: of the own lots, powers and bets, and again of what is told for all."""
STRIPE = "getComputedStyle(document.querySelector('.seat-bar')).backgroundImage"
PAINT = """(car) => {
    const one = document.createElement("i");
    one.style.color = getComputedStyle(document.documentElement).getPropertyValue(`--paint-${car}`);
    document.body.append(one);
    const told = getComputedStyle(one).color;
    one.remove();
    return told;
}"""


def stripe(phone: Page) -> set[str]:
    """The cars whose colors are in the stripe of a phone."""
    told = phone.evaluate(STRIPE)
    return {car for car in CARS if phone.evaluate(PAINT, car) in told}


def test_a_lot_that_is_begun_on_a_phone_stays_when_another_one_is_entered(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TOLD)
    phones = [open_page(running.links[seat], viewport=PHONE) for seat in (1, 2)]
    for car in CARS:
        looks_at(phones[0])
        car_key(phones[0], car).click()
    for phone, lot in zip(phones, ("green, cunning", "black, sly"), strict=True):
        looks_at(phone)
        car_key(phone, lot).click()
    before = table_of(phones[0])["version"]
    expect(car_key(phones[0], f"{NAMES[0]}, 5 M$")).to_have_text("5 M$")
    car_key(phones[0], f"{NAMES[0]}, 5 M$").click()
    is_answered(phones[1], before)
    car_key(phones[1], f"{NAMES[1]}, 3 M$").click()
    is_answered(phones[1], before + 1)
    assert table_of(phones[0])["state"]["players"]["2"]["cars"] == ["black"]
    for phone in phones:  # one touches the other's by mistake, which is taken back
        looks_at(phone)
        car_key(phone, "red, unpredictable").click()
    car_key(phones[0], f"{NAMES[0]}, 2 M$").click()
    expect(car_key(phones[1], "blue, determined")).to_be_visible()
    looks_at(phones[0])
    phones[0].locator("#undo").click()
    is_answered(phones[1], before + 3)
    expect(car_key(phones[1], "red, unpredictable")).to_be_visible()


def test_nobody_of_four_has_more_than_eight_touches_of_the_own_and_everybody_sees_what_is_owned(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """A lot is entered by whoever has won it, a car that is home by whoever owns it."""
    running = run(TOLD)
    small = {"width": 320, "height": 568}
    phones = {seat: open_page(running.links[seat], viewport=small) for seat in (1, 2, 3, 4)}
    evening = Evening(running, open_page(running.url), phones)
    for_all, own = Counter[int](), Counter[int]()

    def touch(seat: int, *names: str, of: Counter[int] = for_all) -> None:
        before = evening.version()
        looks_at(phones[seat])
        for name in names:
            key = phones[seat].locator("#choices").get_by_role("button", name=name, exact=True)
            assert key.evaluate(IN_SIGHT), name
            key.click()
        of[seat] += len(names)
        is_answered(evening.table, before)

    touch(1, *CARS)
    for car, (power, seat, price) in LOTS.items():
        lot = (f"{car}, {power}",) if car != "red" else ()
        touch(seat, *lot, f"{NAMES[seat - 1]}, {price} M$", of=own)
    for seat, power in ((1, "cunning"), (2, "unpredictable")):
        touch(seat, power, of=own)
    owned = {1: {"green", "orange"}, 2: {"black", "red"}, 3: {"blue"}, 4: {"yellow"}}
    for seat, cars in owned.items():
        looks_at(phones[seat])
        assert stripe(phones[seat]) == cars
        expect(phones[seat].locator(".df-owned")).to_contain_text("M$")
    for line, teller in enumerate((3, 4, 3), 1):
        touch(teller, f"Line {line} is crossed {line} of 3")
        for seat in phones:
            touch(seat, "green", of=own)
    for car in CARS:
        touch(next(seat for seat, cars in owned.items() if car in cars), car)
    for seat, phone in phones.items():
        looks_at(phone)
        expect(phone.locator(":not(.after) > .homes > .home")).to_have_count(4)
        expect(phone.locator(".brought li")).to_have_count(len(owned[seat]) + 3)
        expect(phone.get_by_role("button", name="Rematch")).to_be_visible()
        expect(phone.locator("#choices")).to_be_hidden()
    print(f"grid, lines and homes {dict(for_all)}, lots, powers and bets {dict(own)}")
    assert max(own.values()) <= MOST_TOUCHES_OF_ONE, own
    assert max(for_all.values()) <= MOST_TOUCHES_OF_ONE, for_all
