"""What a seat presses for the whole table it takes back as its own answers; the host all of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.downforce.evening import Evening, header
from support.downforce.table import CARS
from support.tables.sitting import REFEREE, phone


@pytest.fixture
def evening() -> Iterator[Evening]:
    made = Evening(header())
    made.answers(0, pole=CARS)
    made.answers(0, lot={"car": "green", "power": "sly"})
    yield made
    made.close()


def test_the_host_takes_back_the_lot_that_it_pressed_for_the_table(evening: Evening) -> None:
    assert evening.says(phone(1), {"table": "take-back", "seat": 1}).status == 200
    assert [(ask["seat"], ask["kind"]) for ask in evening.asks] == [(0, "lot")]
    assert evening.says(phone(1), {"table": "take-back", "seat": 1}).status == 200
    assert [(ask["seat"], ask["kind"]) for ask in evening.asks] == [(0, "pole")]


def test_nobody_else_takes_back_what_was_pressed_for_the_table(evening: Evening) -> None:
    reply = evening.says(phone(2), {"table": "take-back", "seat": 2})
    assert reply.body["error"]["key"] == "nothing-to-take-back"


DEALT = [
    {"pole": CARS},
    *(
        line
        for number, car in enumerate(CARS)
        for line in (
            {"lot": {"car": car, "power": None}},
            {"award": number + 1 if number < 4 else None},
        )
    ),
]
"""All that is answered for the table before the race, where cars are dealt."""


def takes_back(evening: Evening, seat: int) -> str:
    """What came of it: "" for done, else the key of the refusal."""
    reply = evening.says(phone(seat), {"table": "take-back", "seat": seat})
    return "" if reply.status == 200 else str(reply.body["error"]["key"])


def test_any_seat_takes_back_the_grid_lot_and_award_that_it_pressed_also_after_a_pulled_plug() -> (
    None
):
    evening = Evening(header(4, "beginners", "no-powers"))
    for number, line in enumerate(DEALT[:5]):
        before, seat = evening.asks, 2 + number % 3
        other = 2 + (number + 1) % 3
        for who in (seat, 1):  # the host takes back all that was pressed for the table
            assert evening.says(phone(seat), {"seat": 0, **line}).status == 200
            if number == 2:
                evening = evening.restarted()
            assert takes_back(evening, other) in ("nothing-to-take-back", "acted-on")
            assert takes_back(evening, who) == ""
            assert [ask["kind"] for ask in evening.asks] == [ask["kind"] for ask in before]
        assert evening.says(phone(seat), {"seat": 0, **line}).status == 200
    evening.close()


def test_the_end_that_a_seat_pressed_for_the_table_it_takes_back() -> None:
    evening = Evening(header(4, "beginners", "no-powers", "no-bets", "long-distance", house={
        "auction": "secret", "cards": "events"}))  # fmt: skip
    for line in DEALT:
        assert evening.says(phone(2), {"seat": 0, **line}).status == 200
    assert [ask["kind"] for ask in evening.asks] == ["played", "end"]
    assert evening.says(phone(3), {"seat": 0, "end": CARS}).status == 200
    assert evening.asks == []
    assert takes_back(evening, 2) == "acted-on"
    assert takes_back(evening, 3) == ""
    assert [ask["kind"] for ask in evening.asks] == ["played", "end"]
    evening.close()


def test_what_is_given_again_is_still_of_the_seat_that_pressed_it() -> None:
    """An amended answer before it: the others are given again as they stand."""
    fresh = Evening(header(4, "beginners", "no-powers"))
    for seat, line in zip((1, 2, 3), DEALT, strict=False):
        assert fresh.says(phone(seat), {"seat": 0, **line}).status == 200
    amended = {"amend": 3, "value": CARS[::-1]}
    assert fresh.says(REFEREE, amended).status == 200
    assert takes_back(fresh, 3) == ""
    assert takes_back(fresh, 2) == ""
    fresh.close()
