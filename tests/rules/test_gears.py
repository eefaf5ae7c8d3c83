"""The gear of a turn and what skipping gears costs: FD-GEAR, FD-REV."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, car, header, named, wear


def choosing(gear: int, **more: Any) -> Table:
    """Seat 1 alone, about to choose its gear, last turn in `gear`."""
    return Table({1: car("S6.m5", gear=gear, **more)})


def test_a_turn_is_gear_then_die_then_move() -> None:
    """FD-GEAR-1"""
    table = choosing(2)
    assert table.asked == [(1, "gear")]
    table.is_refused({"seat": 1, "roll": 2})
    table.plays(1, gear=2)
    assert table.asked == [(1, "roll")]
    table.is_refused({"seat": 1, "move": {"to": "S6.m7", "brakes": 0}})
    table.is_refused({"seat": 1, "gear": 2})
    table.plays(1, roll=2)
    assert table.asked == [(1, "move")]
    table.plays(1, move="S6.m7")
    assert table.car(1)["space"] == "S6.m7"


def test_the_first_gear_played_is_first() -> None:
    """FD-GEAR-1"""
    table = Table.of(header(2, grid=[1, 2], start="normal"))
    assert table.ask(1, "gear")["options"] == [1]


@in_one(
    ("gear", "options"),
    [
        (1, [1, 2]),
        (2, [1, 2, 3]),
        (3, [1, 2, 3, 4]),
        (4, [1, 2, 3, 4, 5]),
        (5, [1, 2, 3, 4, 5, 6]),
        (6, [2, 3, 4, 5, 6]),
    ],
)
def test_up_one_or_the_same_or_down_but_never_from_6th_to_1st(
    gear: int, options: list[int]
) -> None:
    """FD-GEAR-2, FD-GEAR-3"""
    assert choosing(gear).ask(1, "gear")["options"] == options


def test_two_gears_up_at_once_are_refused() -> None:
    """FD-GEAR-2"""
    assert choosing(3).is_refused({"seat": 1, "gear": 5})["rule"] == "FD-GEAR-2"


def test_the_same_gear_and_one_gear_down_cost_nothing() -> None:
    """FD-GEAR-2"""
    for gear in (4, 3):
        table = choosing(4)
        table.plays(1, gear=gear)
        assert table.car(1)["wear"] == wear()
        assert table.car(1)["gear"] == gear


def test_from_6th_to_1st_is_refused() -> None:
    """FD-GEAR-3"""
    assert choosing(6).is_refused({"seat": 1, "gear": 1})["rule"] == "FD-GEAR-3"


@pytest.mark.parametrize(
    ("gear", "costs"),
    [
        (2, {}),
        (3, {"1": {"gearbox": 1}}),
        (4, {"1": {"gearbox": 1, "brakes": 1}, "2": {"gearbox": 1}}),
        (
            6,
            {
                "2": {"gearbox": 1, "brakes": 1, "engine": 1},
                "3": {"gearbox": 1, "brakes": 1},
                "4": {"gearbox": 1},
            },
        ),
    ],
)
def test_every_gear_skipped_costs_more(gear: int, costs: dict[str, dict[str, int]]) -> None:
    """FD-REV-1: told with the ask."""
    ask = choosing(gear).ask(1, "gear")
    assert (ask["costs"], ask["out"]) == (costs, [])


@pytest.mark.parametrize(
    ("before", "after", "cost"),
    [
        (6, 4, {"gearbox": 2}),
        (4, 1, {"gearbox": 2, "brakes": 2}),
        (6, 2, {"gearbox": 2, "brakes": 2, "engine": 2}),
    ],
)
def test_an_over_rev_is_paid_as_the_gear_is_engaged(
    before: int, after: int, cost: dict[str, int]
) -> None:
    """FD-REV-1: before the die is rolled."""
    table = choosing(before)
    events = table.plays(1, gear=after)
    assert table.car(1)["wear"] == wear(**cost)
    assert [event["rule"] for event in named(events, "OverRevved")] == ["FD-REV-1"]
    assert table.asked == [(1, "roll")]


def test_without_gearbox_a_car_goes_down_by_one_gear_only() -> None:
    """FD-REV-2"""
    table = choosing(4, wear={"gearbox": 0})
    assert table.ask(1, "gear")["options"] == [3, 4, 5]
    assert table.is_refused({"seat": 1, "gear": 2})["rule"] == "FD-REV-2"


def test_without_brakes_two_gears_cannot_be_skipped() -> None:
    """FD-REV-2, ruling: the brakes of an over-rev must be there too."""
    table = choosing(4, wear={"brakes": 0})
    assert table.ask(1, "gear")["options"] == [2, 3, 4, 5]
    assert table.is_refused({"seat": 1, "gear": 1})["rule"] == "FD-REV-2"


def test_an_over_rev_of_the_last_engine_point_is_on_offer_marked_out() -> None:
    """FD-REV-2, ruling: the car is out at once, without roll or move."""
    table = Table(
        {1: car("S6.m5", 5, wear={"engine": 1}), 2: car("S6.m9", 2)}, order=[1, 2], turn=1
    )
    assert table.ask(1, "gear")["out"] == [1]
    events = table.plays(1, gear=1)
    assert table.asked[0][0] == 2
    told = table.car(1)
    assert (told["status"], told["space"]) == ("out", None)
    assert told["out"]["why"] == "engine"
    assert told["wear"]["engine"] == 0
    assert not named(events, "Moved")
    assert table.state["debris"] == ["S6.m5"]


def test_first_gear_after_a_spin_is_never_an_over_rev() -> None:
    """FD-REV-2, ruling: even from 6th, with no gearbox left."""
    table = choosing(6, status="spun", wear={"gearbox": 0, "tires": 0})
    ask = table.ask(1, "gear")
    assert (ask["options"], ask["costs"], ask["out"]) == ([1], {}, [])
    table.plays(1, gear=1)
    assert table.car(1)["wear"] == wear(gearbox=0, tires=0)
    assert table.car(1)["status"] == "racing"


@pytest.mark.parametrize("gear", [6, 1])
def test_no_gear_on_leaving_the_pit_is_an_over_rev(gear: int) -> None:
    """FD-REV-2, ruling, and FD-PIT-2: in 4th or lower, at no cost."""
    table = choosing_in_the_box(gear, wear={"gearbox": 0, "engine": 1})
    ask = table.ask(1, "gear")
    assert (ask["options"], ask["costs"], ask["out"]) == ([1, 2, 3, 4], {}, [])
    table.plays(1, gear=1)
    assert table.car(1)["wear"] == wear(gearbox=0, engine=1)


def choosing_in_the_box(gear: int, **more: Any) -> Table:
    """Seat 1 alone in its box after a slow stop."""
    told = car("B1", gear=gear, lap=2, status="pit", pit_stops=1, **more)
    return Table({1: told}, also={"laps": 3})
