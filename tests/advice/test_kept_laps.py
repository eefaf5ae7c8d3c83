"""What a solved table of a long race keeps where not every lap fits, and what it makes of it."""

from __future__ import annotations

from array import array

import pytest
from support.advice import STANDARD, setup_on

from companion.advice.solve.model import Fitted, Model, Sky
from companion.advice.solve.table import LARGEST, Layout, Table, Title, key_of
from companion.solved import model_of, places_of

LAPS = 5
NEW, WORN, OLD = (Fitted("soft", lap) for lap in (1, 2, 3))


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(setup_on("montreal", LAPS, "tires", "weather"), [STANDARD], Sky("soft"))


def test_of_every_lap_that_has_room_the_newest_tires_are_kept(model: Model) -> None:
    layout = Layout(places_of(model.setup), model)
    assert layout.size <= LARGEST
    assert all(layout.has(0, fitted) for fitted in (NEW, WORN, OLD, Fitted("hard")))
    assert [to_go for to_go in range(LAPS) if layout.has(to_go, NEW)] == [0, 1, 2, 4]
    assert not layout.has(1, WORN)
    assert not layout.is_kept(1, 0, WORN)


def test_a_race_of_two_laps_keeps_all_tires_of_both() -> None:
    model = model_of(setup_on("montreal", 2, "tires", "weather"), [STANDARD], Sky("soft"))
    layout = Layout(places_of(model.setup), model)
    assert all(layout.has(0, fitted) for fitted in model.fitted(2).values())
    assert all(layout.has(1, fitted) for fitted in model.fitted(1).values())


def test_what_is_not_kept_has_its_lap_from_new_tires_and_its_wear_from_the_last_lap(
    model: Model,
) -> None:
    """Every block is flat: 1000 steps a lap, and 50 more on worn tires in the last lap."""
    layout = Layout(places_of(model.setup), model)
    numbers, each = array("H", bytes(2 * layout.size)), layout.block * len(layout.places)
    for to_go in range(LAPS):
        for fitted in (OLD, WORN, NEW):
            if layout.has(to_go, fitted):
                begin = layout.begin(to_go, 0, fitted)
                value = 1000 * (to_go + 1) + 50 * (fitted == WORN)
                numbers[begin : begin + each] = array("H", [value]) * each
    title = Title(0, key_of(model), LAPS, model.box, 1.0, 1000.0, {})
    table = Table(title, layout, numbers)
    for to_go in (0, 1, 2, 3, 4):
        assert table.engaged(to_go, 5, 3, STANDARD, NEW) == 1000 * (to_go + 1)
    for to_go in (0, 1, 2, 3):
        assert table.engaged(to_go, 5, 3, STANDARD, WORN) == 1000 * (to_go + 1) + 50
