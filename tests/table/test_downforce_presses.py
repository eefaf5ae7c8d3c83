"""An evening of four at a table left to itself: how many presses it takes, and what goes wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from support.downforce.evening import Evening, header
from support.tables.sitting import REFEREE, phone

from companion.race.record import replay

GRID = ["red", "green", "black", "blue", "orange", "yellow"]
LOTS = {
    "green": ("cunning", 2, 6),
    "black": ("sly", 1, 3),
    "red": ("aggressive", 3, 5),
    "blue": ("determined", 4, 1),
    "orange": ("strategist", 1, 2),
    "yellow": ("unpredictable", 2, 4),
}
HOME = ["blue", "red", "green", "black", "yellow", "orange"]
MOST_ON_KEYS, MOST_IN_THE_AUCTION = 60, 24


class Driven:
    """An evening by presses; `took` are those of each kind of answer."""

    def __init__(self) -> None:
        told = header()
        del told["house"]
        self.evening = Evening(told)
        self.took: Counter[str] = Counter()

    def press(self, seat: int, **answer: Any) -> None:
        self.took[next(iter(answer))] += self.evening.presses(seat, **answer)

    def auction(self) -> None:
        self.press(0, pole=GRID)
        for car, (power, seat, price) in LOTS.items():
            self.press(0, lot={"car": car, "power": power, "seat": seat, "price": price})
        for ask in list(self.evening.asks):
            self.press(ask["seat"], keep=ask["options"][0])

    def line(self) -> None:
        self.press(0, played={"lines": 1, "finished": []})

    def bets(self, **cars: str) -> None:
        for seat in (1, 2, 3, 4):
            self.press(seat, bet=cars.get(f"of_{seat}", "red"))

    def homes(self, cars: list[str]) -> None:
        for car in cars:
            self.press(0, played={"lines": 0, "finished": [car]})

    def race(self) -> None:
        for _ in range(3):
            self.line()
            self.bets()
        self.homes(HOME)


@pytest.fixture
def driven() -> Iterator[Driven]:
    made = Driven()
    yield made
    made.evening.close()


def test_what_a_table_plays_where_its_header_is_silent_is_written_into_it(driven: Driven) -> None:
    """So the record needs no default."""
    assert driven.evening.room.state.race is not None
    house = driven.evening.room.state.race.header["house"]
    assert house == {"auction": "entered", "cards": "events"}


@pytest.mark.slow
def test_a_whole_evening_of_four_takes_at_most_sixty_presses(driven: Driven) -> None:
    """Grid, six lots with their prices, powers kept, three lines with twelve bets, six homes."""
    driven.auction()
    driven.race()
    assert driven.evening.state["phase"] == "finished"
    assert driven.took["lot"] <= MOST_IN_THE_AUCTION
    assert driven.took["bet"] == 12
    assert sum(driven.took.values()) <= MOST_ON_KEYS, driven.took
    (record,) = driven.evening.room.records.values()
    assert replay(record).state() == driven.evening.state


def test_a_wrong_price_is_taken_back_by_holding_1_and_offered_again(driven: Driven) -> None:
    driven.press(0, pole=GRID)
    lot = {"car": "green", "power": "sly", "seat": 2, "price": 6}
    driven.press(0, lot=lot)
    assert driven.evening.says(phone(1), {"table": "take-back", "seat": 1}).status == 200
    assert driven.evening.state["cars"]["green"]["owner"] is None
    assert "mark='old'" in driven.evening.screen(1)
    driven.press(0, lot={**lot, "price": 5})
    assert driven.evening.state["cars"]["green"]["price"] == 5


def test_a_line_told_by_mistake_is_taken_back_as_long_as_nobody_has_bet(driven: Driven) -> None:
    driven.auction()
    driven.line()
    assert driven.evening.says(phone(1), {"table": "take-back", "seat": 1}).status == 200
    assert driven.evening.state["lines"] == 0
    assert [ask["kind"] for ask in driven.evening.asks] == ["played", "end"]


def test_a_price_of_some_lots_ago_is_amended_and_what_followed_stands(driven: Driven) -> None:
    driven.auction()
    race = driven.evening.room.state.race
    assert race is not None
    back = 1 + next(
        at for at, one in enumerate(reversed(race.given)) if "black" in repr(one.command)
    )
    lot = {"car": "black", "power": "sly", "seat": 1, "price": 4}
    reply = driven.evening.says(REFEREE, {"amend": back, "value": lot})
    assert reply.status == 200, reply.body
    assert driven.evening.state["cars"]["black"]["price"] == 4
    assert driven.evening.state["phase"] == "race"


def test_any_seat_tells_that_a_car_is_home(driven: Driven) -> None:
    driven.auction()
    for _ in range(3):
        driven.line()
        driven.bets()
    took = driven.evening.presses(0, at=3, played={"lines": 0, "finished": ["red"]})
    assert took == 2
    assert driven.evening.state["cars"]["red"]["place"] == 1


@pytest.mark.slow
def test_after_its_plug_was_pulled_the_evening_goes_on(driven: Driven) -> None:
    driven.auction()
    driven.line()
    driven.press(2, bet="blue")
    driven.evening = driven.evening.restarted()
    assert [ask["seat"] for ask in driven.evening.asks if ask["kind"] == "bet"] == [1, 3, 4]
    for seat in (1, 3, 4):
        driven.press(seat, bet="red")
    for _ in range(2):
        driven.line()
        driven.bets()
    driven.homes(HOME)
    assert driven.evening.state["players"]["2"]["bets"] == ["blue", "red", "red"]
