"""A car that cannot go on and cannot go around: FD-BLOCK."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, car, named, wall, wear

BLOCKED_COST = {
    1: {"brakes": 1},
    2: {"brakes": 2},
    3: {"brakes": 3},
    4: {"brakes": 3, "tires": 1},
    5: {"brakes": 3, "tires": 2},
    6: {"brakes": 3, "tires": 3},
}


def behind_a_wall(roll: int, **more: Any) -> Table:
    """Seat 1 on S2.m5 in 3rd or 4th, three spaces behind a wall, has rolled."""
    gear = 3 if roll <= 8 else 4
    cars = {1: car("S2.m5", gear, **more), **wall("S2", 8, 2, 3, 4), 5: car("T7.r1")}
    table = Table(cars, order=[1, 2, 3, 4, 5], turn=1)
    table.plays(1, gear=gear, roll=roll)
    return table


def overshooting(roll: int, k: int, **more: Any) -> Table:
    """Seat 1 on T1.m5 without its stop, both its ways shut by cars on the k-th spaces of S2."""
    cars = {1: car("T1.m5", 3, **more), 2: car(f"S2.m{k}"), 3: car(f"S2.r{k}"), 4: car("T7.r1")}
    table = Table(cars, order=[1, 2, 3, 4], turn=1)
    table.plays(1, gear=3, roll=roll)
    return table


def test_a_blocked_car_goes_as_far_as_it_can() -> None:
    """FD-BLOCK-1, FD-BLOCK-2: of the furthest ends the player chooses."""
    assert behind_a_wall(4).ends(1) == {"S2.l7", "S2.r8"}


def test_a_way_of_full_length_is_no_block() -> None:
    """FD-BLOCK-1"""
    cars = {1: car("S2.m5", 2), **wall("S2", 8, 2, 3, 4)}
    table = Table(cars, order=[1, 2, 3, 4], turn=1)
    table.plays(1, gear=2, roll=3)
    assert {option["blocked"] for option in table.options(1).values()} == {0}


@in_one("missing", BLOCKED_COST)
def test_spaces_not_moved_cost_brakes_then_tires(missing: int) -> None:
    """FD-BLOCK-1"""
    table = behind_a_wall(3 + missing)
    option = table.options(1)["S2.l7", 0]
    assert (option["blocked"], option["cost"]) == (missing, BLOCKED_COST[missing])
    assert option["tires"] == BLOCKED_COST[missing].get("tires", 0)
    (blocked,) = named(table.plays(1, move="S2.l7"), "Blocked")
    assert blocked["spaces"] == missing
    left = {name: wear()[name] - cost for name, cost in BLOCKED_COST[missing].items()}
    assert table.car(1)["wear"] == wear(**left)


@pytest.mark.parametrize("missing", [7, 8, 9])
def test_seven_spaces_not_moved_put_a_car_out(missing: int) -> None:
    """FD-BLOCK-1"""
    table = behind_a_wall(3 + missing)
    assert table.options(1)["S2.l7", 0]["out"]
    table.plays(1, move="S2.l7")
    told = table.car(1)
    assert (told["status"], told["out"]["why"]) == ("out", "blocked")
    assert table.state["debris"] == ["S2.l7"]


@pytest.mark.parametrize(
    ("missing", "points"),
    [(1, {"brakes": 0}), (3, {"brakes": 2}), (4, {"tires": 0}), (6, {"tires": 2})],
)
def test_a_block_that_cannot_be_paid_puts_a_car_out(missing: int, points: dict[str, int]) -> None:
    """FD-BLOCK-2"""
    table = behind_a_wall(3 + missing, wear=points)
    assert table.options(1)["S2.l7", 0]["out"]
    table.plays(1, move="S2.l7")
    assert table.car(1)["out"]["rule"] == "FD-BLOCK-2"


def test_brakes_spent_by_choice_come_off_the_move_first() -> None:
    """FD-BLOCK-2, ruling: with three of five braked away the wall is not reached."""
    table = behind_a_wall(5)
    assert table.ends(1, brakes=3) == {"S2.l6", "S2.m7", "S2.r7"}
    assert {table.options(1)[to, 3]["blocked"] for to in table.ends(1, brakes=3)} == {0}


def test_of_equal_costs_on_one_space_only_the_fewest_brakes_are_on_offer() -> None:
    """FD-BLOCK-2: braking before a wall that costs the same brakes is no second option."""
    options = behind_a_wall(5).options(1)
    assert options["S2.l7", 0]["cost"] == {"brakes": 2}
    assert ("S2.l7", 1) not in options
    assert ("S2.l7", 2) not in options


def test_brakes_spent_by_choice_are_gone_for_the_block() -> None:
    """FD-BLOCK-2: with one braked, two are left for three spaces not moved."""
    options = behind_a_wall(7).options(1)
    assert not options["S2.l7", 0]["out"]
    assert options["S2.l7", 1]["out"]


def test_a_way_over_debris_counts_as_a_way() -> None:
    """FD-BLOCK-2, ruling: the gap in the wall is strewn, the car is not blocked."""
    cars = {1: car("S2.m5", 3), 2: car("S2.l8"), 3: car("S2.m8")}
    table = Table(cars, order=[1, 2, 3], turn=1, debris=["S2.r9"])
    table.plays(1, gear=3, roll=4)
    assert {option["blocked"] for option in table.options(1).values()} == {0}
    assert table.options(1)["S2.r9", 0]["debris"] == ["S2.r9"]


def test_a_way_over_the_limit_of_a_corner_counts_as_a_way() -> None:
    """FD-BLOCK-2, ruling: it must be taken, even where it puts the car out."""
    cars = {1: car("T8.m10", 1, stops=0), 2: car("S9.m1"), 3: car("T7.r1")}
    table = Table(cars, order=[1, 2, 3], turn=1)
    table.plays(1, gear=1, roll=1)
    assert table.ends(1) == {"S9.l1"}
    assert table.options(1)["S9.l1", 0]["out"]


def test_the_pit_entry_is_no_way_out_of_a_block() -> None:
    """FD-BLOCK-2, ruling: beside it the blocked end stays on offer."""
    cars = {1: car("S1.r2", 1), **wall("S1", 2, 2, 3, 4), 5: car("T7.r1")}
    cars[3] = car("S1.m2")
    table = Table(cars, order=[1, 2, 3, 4, 5], turn=1)
    table.plays(1, gear=1, roll=1)
    assert table.ends(1) == {"S1.r2", "P1"}
    assert table.options(1)["S1.r2", 0]["blocked"] == 1
    assert table.options(1)["P1", 0]["blocked"] == 0


def test_tires_lost_by_a_block_never_spin_the_car() -> None:
    """FD-BLOCK-2, ruling"""
    table = behind_a_wall(7, wear={"tires": 1})
    option = table.options(1)["S2.l7", 0]
    assert (option["tires"], option["spin"], option["out"]) == (1, False, False)
    table.plays(1, move="S2.l7")
    assert (table.car(1)["status"], table.car(1)["wear"]["tires"]) == ("racing", 0)


def test_a_block_in_an_overshoot_is_paid_first_then_the_spaces_moved_beyond() -> None:
    """FD-BLOCK-2, ruling: five not moved, one beyond the limit."""
    table = overshooting(6, 2)
    option = table.options(1)["S2.m1", 0]
    assert (option["blocked"], option["cost"]) == (5, {"brakes": 3, "tires": 3})
    assert not option["spin"]
    table.plays(1, move="S2.m1")
    assert table.car(1)["wear"] == wear(brakes=0, tires=3)


def test_the_last_tires_lost_beyond_the_limit_after_a_block_spin_the_car() -> None:
    """FD-BLOCK-2, FD-CORNER-6"""
    assert overshooting(6, 2, wear={"tires": 3}).options(1)["S2.m1", 0]["spin"]


def test_a_block_that_takes_the_last_tires_leaves_the_grace_of_one_space() -> None:
    """FD-CORNER-7, ruling: the grace holds however the tires came to 0; not for two spaces."""
    one = overshooting(6, 2, wear={"tires": 2}).options(1)["S2.m1", 0]
    assert (one["spin"], one["out"]) == (True, False)
    two = overshooting(7, 3, wear={"tires": 2}).options(1)["S2.m2", 0]
    assert two["out"]


def test_a_car_shut_in_on_all_sides_stays_and_pays() -> None:
    """FD-BLOCK-1: no space moved at all."""
    cars = {1: car("S2.m5"), 2: car("S2.l5"), 3: car("S2.m6"), 4: car("S2.r6"), 5: car("T7.r1")}
    table = Table(cars, order=[1, 2, 3, 4, 5], turn=1)
    table.plays(1, gear=1, roll=2)
    assert table.ends(1) == {"S2.m5"}
    assert table.options(1)["S2.m5", 0]["cost"] == {"brakes": 2}
