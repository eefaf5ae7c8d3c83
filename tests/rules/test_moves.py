"""Where a move may end: FD-MOVE and FD-BRAKE."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, car, named, wear


def moving(space: str, gear: int, roll: int, *others: str, **more: Any) -> Table:
    """Seat 1 on `space` has rolled; the others stand where they are named, in 1st."""
    cars = {1: car(space, gear, **more)}
    cars |= {seat: car(other) for seat, other in enumerate(others, start=2)}
    table = Table(cars, order=sorted(cars), turn=1)
    table.plays(1, gear=gear, roll=roll)
    return table


def test_a_car_moves_exactly_the_number_rolled() -> None:
    """FD-MOVE-1"""
    table = moving("S2.m5", 2, 3)
    assert table.ends(1) == {"S2.l7", "S2.m8", "S2.r8"}
    error = table.is_refused({"seat": 1, "move": {"to": "S2.m9", "brakes": 0}})
    assert (error["code"], error["rule"]) == ("illegal", "FD-MOVE-1")
    assert (error["key"], error["args"]["spaces"]) == ("move-too-far", 1)


def test_a_move_says_how_many_spaces_were_moved() -> None:
    """FD-MOVE-1"""
    table = moving("S2.m5", 2, 3)
    (moved,) = named(table.plays(1, move="S2.l7"), "Moved")
    assert (moved["start"], moved["to"], moved["spaces"]) == ("S2.m5", "S2.l7", 3)


def test_a_car_never_goes_through_another_but_around_it() -> None:
    """FD-MOVE-1: where there is one way only, the car ahead ends the move."""
    table = moving("T1.r1", 2, 2, "T1.r2")
    assert table.ends(1) == {"T1.r1"}, "r1 leads nowhere but to r2"


def test_a_car_cannot_end_on_another() -> None:
    """FD-MOVE-1"""
    assert moving("S2.m5", 2, 3, "S2.r8").ends(1) == {"S2.l7", "S2.m8"}


def test_no_zigzag_with_a_free_road() -> None:
    """FD-MOVE-2: out of the lane and back would end at m8 with a 4."""
    assert moving("S2.m5", 2, 4).ends(1) == {"S2.l8", "S2.m9", "S2.r9"}


def test_a_zigzag_passes_a_car() -> None:
    """FD-MOVE-2: out of the lane and back, to pass the car in it."""
    assert moving("S2.m5", 2, 4, "S2.m7").ends(1) == {"S2.l8", "S2.m8", "S2.r9"}


def test_two_lanes_are_changed_in_one_move() -> None:
    """FD-MOVE-2: from the left lane to the right one."""
    assert moving("S2.l5", 2, 3).ends(1) == {"S2.l8", "S2.m8", "S2.r8"}


@in_one(
    ("space", "ends"),
    [
        ("T1.l3", {"T1.l4", "T1.m3"}),
        ("T1.l4", {"T1.l5"}),
        ("T1.m3", {"T1.m4"}),
        ("S1.m22", {"T1.m1"}),
        ("S1.r23", {"T1.r1"}),
        ("S1.l21", {"T1.l1", "S1.m22"}),
        ("S2.m18", {"T2.m1"}),
    ],
)
def test_in_and_beside_corners_only_the_arrows_count(space: str, ends: set[str]) -> None:
    """FD-MOVE-3: where a space touches another without an arrow there is no way."""
    assert moving(space, 1, 1).ends(1) == ends


def test_from_a_corner_to_the_straight_only_the_arrows_count() -> None:
    """FD-MOVE-3: m5 of Sainte-Dévote leads to the right lane, r3 to no other."""
    assert moving("T1.m5", 1, 1, stops=1).ends(1) == {"S2.m1", "S2.r1"}
    assert moving("T1.r3", 1, 1, stops=1).ends(1) == {"S2.r1"}


def test_in_a_straight_the_shortest_way_counts() -> None:
    """FD-MOVE-4: a space that can be reached in less is no end of a longer move."""
    table = moving("S2.l5", 3, 5)
    assert table.ends(1) == {"S2.l10", "S2.m10", "S2.r10"}


def test_the_shortest_way_is_counted_with_the_occupied_spaces_taken_away() -> None:
    """FD-MOVE-4, ruling: two cars ahead make the way to m8 longer by one."""
    assert "S2.m8" in moving("S2.m5", 2, 4, "S2.m6", "S2.l6").ends(1)
    assert "S2.m8" not in moving("S2.m5", 2, 4, "S2.l6", "S2.r7").ends(1)


def test_in_corners_every_way_along_the_arrows_is_legal() -> None:
    """FD-MOVE-4, ruling: m5 of Loews lies 3 or 4 spaces from m1, and 4 may be taken."""
    assert moving("T5.m1", 2, 4).ends(1) == {"T5.l2", "T5.l4", "T5.m5", "T5.m6", "T5.r8"}
    assert "T5.m5" in moving("T5.m1", 2, 3).ends(1)


def test_a_house_may_ask_for_the_shortest_way_in_corners_too() -> None:
    """FD-MOVE-4, switch corner_ways: with `shortest` the longer ways are gone."""
    table = Table({1: car("T5.m1", 2)}, also={"house": {"corner_ways": "shortest"}})
    table.plays(1, gear=2, roll=4)
    assert table.ends(1) == {"T5.l4", "T5.m6", "T5.r8"}


@pytest.mark.parametrize("ways", ["any", "shortest"])
def test_the_shortest_way_is_one_that_this_car_may_take(ways: str) -> None:
    """FD-MOVE-4, FD-CORNER-4: who overshoots keeps its lane, so straight on stays an end.

    With the third stop made S6.m3 would be nearer by the lane beside it.
    """
    seat = car("T5.m6", 4, stops=2)
    table = Table({1: seat}, also={"house": {"corner_ways": ways}})
    table.plays(1, gear=4, roll=9)
    assert "S6.m3" in table.ends(1)


def test_with_shortest_ways_too_nothing_stands_behind_the_last_line() -> None:
    """FD-END-2, FD-MOVE-4, switch corner_ways."""
    cars = {1: car("S1.m16", 3, lap=2), 2: car("S1.m20", 1, lap=2)}
    house = {"house": {"corner_ways": "shortest"}}
    table = Table(cars, order=[1, 2], turn=1, also=house)
    table.plays(1, gear=3, roll=4)
    assert "S1.m20" in table.ends(1)


def test_each_straight_of_a_move_is_judged_apart() -> None:
    """FD-MOVE-4, ruling: a lane may be left and taken again with a corner between."""
    table = moving("S3.m1", 4, 8, stops=0)
    assert "S4.l1" in table.ends(1)


def test_a_move_that_ends_in_a_corner_marks_a_stop() -> None:
    """FD-MOVE-5"""
    table = moving("S1.m22", 2, 2, "S2.m9")
    (stop,) = named(table.plays(1, move="T1.m2"), "StopMade")
    assert (stop["stops"], stop["needed"]) == (1, 1)
    assert table.car(1)["stops"] == 1


def test_stops_of_one_corner_are_counted() -> None:
    """FD-MOVE-5: and start from 0 in the next corner."""
    table = moving("T5.m1", 2, 2, stops=1)
    table.plays(1, move="T5.m3")
    assert table.car(1)["stops"] == 2
    table = moving("T6.m5", 2, 2, stops=1)
    table.plays(1, move="S7.m1")
    assert table.car(1)["stops"] == 0


def test_a_move_all_braked_away_marks_a_stop_where_the_car_stands() -> None:
    """FD-MOVE-5, ruling"""
    table = moving("T5.m1", 1, 1, "S2.m9", stops=1)
    table.plays(1, move=("T5.m1", 1))
    assert (table.car(1)["space"], table.car(1)["stops"]) == ("T5.m1", 2)


def test_a_move_blocked_at_once_marks_a_stop_where_the_car_stands() -> None:
    """FD-MOVE-5, ruling"""
    table = moving("T5.r2", 1, 1, "T5.r3", "T5.m2", stops=1)
    assert table.ends(1) == {"T5.r2"}
    table.plays(1, move="T5.r2")
    assert (table.car(1)["space"], table.car(1)["stops"]) == ("T5.r2", 2)


def test_a_move_of_no_space_makes_collision_rolls_but_no_debris_roll() -> None:
    """FD-MOVE-5, ruling"""
    cars = {1: car("S2.m5"), 2: car("S2.m6")}
    table = Table(cars, order=[1, 2], turn=1, debris=["S2.m5"])
    table.plays(1, gear=1, roll=1, move=("S2.m5", 1))
    assert {ask["for"] for ask in table.asks} == {"collision"}
    assert (2, "black") in table.asked


@pytest.mark.parametrize(
    ("brakes", "ends"),
    [
        (0, {"S2.l8", "S2.m9", "S2.r9"}),
        (1, {"S2.l7", "S2.m8", "S2.r8"}),
        (2, {"S2.l6", "S2.m7", "S2.r7"}),
        (3, {"S2.l5", "S2.m6", "S2.r6"}),
    ],
)
def test_each_brakes_point_makes_the_move_one_space_shorter(brakes: int, ends: set[str]) -> None:
    """FD-BRAKE-1"""
    table = moving("S2.m5", 2, 4)
    assert table.ends(1, brakes=brakes) == ends
    for to in ends:
        option = table.options(1)[to, brakes]
        assert option["cost"] == ({"brakes": brakes} if brakes else {})


def test_brakes_are_paid_when_the_move_is_made() -> None:
    """FD-BRAKE-1"""
    table = moving("S2.m5", 2, 4, "S6.m1", wear={"brakes": 2})
    assert {brakes for _, brakes in table.options(1)} == {0, 1, 2}
    table.plays(1, move=("S2.m7", 2))
    assert table.car(1)["wear"] == wear(brakes=0)


def test_more_brakes_than_there_are_are_refused() -> None:
    """FD-BRAKE-1"""
    table = moving("S2.m5", 2, 4, wear={"brakes": 1})
    table.is_refused({"seat": 1, "move": {"to": "S2.m7", "brakes": 2}})


def test_no_more_is_braked_than_was_rolled() -> None:
    """FD-BRAKE-1: a car does not roll back."""
    table = moving("S2.m5", 1, 1)
    assert {brakes for _, brakes in table.options(1)} == {0, 1}


def test_an_end_on_offer_is_accepted_and_no_other() -> None:
    """FD-MOVE-1: what is listed is exactly what is taken."""
    listed = set(moving("T1.l1", 3, 6, "T1.m3", "S2.l1").options(1))
    spaces = [
        f"{section}.{lane}{k}" for section in ("T1", "S2") for lane in "lmr" for k in (1, 2, 3, 5)
    ]
    for to in [*spaces, *(to for to, _ in listed)]:
        for brakes in range(5):
            table = moving("T1.l1", 3, 6, "T1.m3", "S2.l1")
            line = {"seat": 1, "move": {"to": to, "brakes": brakes}}
            assert table.engine.handle(line)["ok"] == ((to, brakes) in listed), line
