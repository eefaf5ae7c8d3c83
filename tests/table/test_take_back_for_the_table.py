"""What the host presses for the whole table is taken back as its own answers are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.downforce.evening import Evening, header
from support.downforce.table import CARS
from support.tables.sitting import phone


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
