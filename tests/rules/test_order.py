"""Who plays first: FD-ORDER."""

from __future__ import annotations

from support.each import in_one
from support.formula.table import Table, car


def order(**cars: tuple[str, int, int]) -> list[int]:
    """The order of a new round of cars s1, s2 … given as (space, gear, lap)."""
    return list(Table({int(name[1:]): car(*told) for name, told in cars.items()}).state["order"])


def test_a_new_round_is_played_from_first_to_last_on_the_track() -> None:
    """FD-ORDER-1"""
    assert order(s1=("S2.m5", 3, 1), s2=("T1.m2", 3, 1), s3=("S2.m6", 1, 1)) == [3, 1, 2]


def test_a_lap_more_comes_before_any_space() -> None:
    """FD-ORDER-1, ruling: lap first, then level."""
    assert order(s1=("T10.m4", 3, 1), s2=("S1.m18", 1, 2)) == [2, 1]


def test_spaces_before_the_line_come_last_in_a_lap() -> None:
    """FD-ORDER-1: levels count from the finish line, not from the first space of S1."""
    cars = {"s1": ("S1.m20", 3, 1), "s2": ("T10.m1", 3, 1), "s3": ("S1.m17", 1, 1)}
    assert order(**cars) == [3, 2, 1]


@in_one(
    ("ahead", "behind"),
    [
        ("S2.l5", "S2.m5"),
        ("S2.m5", "S2.r5"),
        ("S1.l17", "S1.l16"),
        ("T5.l4", "T5.m6"),
        ("T1.r2", "T1.m2"),
    ],
)
def test_within_a_section_the_level_of_the_space_decides(ahead: str, behind: str) -> None:
    """FD-ORDER-1, ruling: not the number of the space in its lane."""
    lap = {"S1.l16": 0}
    told = {1: car(behind, 6, lap.get(behind, 1)), 2: car(ahead, 1, 1)}
    assert Table(told).state["order"] == [2, 1]


def test_the_order_is_fixed_when_the_round_begins() -> None:
    """FD-ORDER-1: a car that is passed keeps its turn, and the next round is made afresh."""
    cars = {1: car("S2.m5", 1), 2: car("S2.m3", 3), 3: car("S2.m1", 4)}
    table = Table(cars)
    table.plays(1, gear=1, roll=1, move="S2.m6")
    assert table.state["turn"] == 2
    table.plays(2, gear=3, roll=6, move="S2.l8")
    assert (table.state["order"], table.state["turn"]) == ([1, 2, 3], 3)
    table.plays(3, gear=4, roll=11, move="S2.r12")
    assert (table.state["order"], table.state["turn"]) == ([3, 2, 1], 3)


def test_of_level_cars_the_higher_gear_plays_first() -> None:
    """FD-ORDER-2"""
    assert order(s1=("S2.r6", 2, 1), s2=("S2.l5", 4, 1)) == [2, 1]
    assert order(s1=("S2.r6", 4, 1), s2=("S2.l5", 2, 1)) == [1, 2]


def test_of_level_cars_in_one_gear_the_one_inside_the_next_corner_plays_first() -> None:
    """FD-ORDER-3: Casino 1 turns left after S2, Sainte-Dévote right after S1."""
    assert order(s1=("S2.r6", 3, 1), s2=("S2.l5", 3, 1)) == [2, 1]
    assert order(s1=("S1.l19", 3, 1), s2=("S1.r20", 3, 1)) == [2, 1]


def test_of_level_cars_in_a_corner_the_one_inside_that_corner_plays_first() -> None:
    """FD-ORDER-3: Sainte-Dévote turns right, though the next corner turns left."""
    assert order(s1=("T1.l2", 3, 1), s2=("T1.r1", 3, 1)) == [2, 1]
    assert order(s1=("T1.l4", 3, 1), s2=("T1.m3", 3, 1)) == [2, 1]


def test_the_gear_is_looked_at_before_the_inside_of_the_corner() -> None:
    """FD-ORDER-2 before FD-ORDER-3."""
    assert order(s1=("T1.l2", 4, 1), s2=("T1.r1", 3, 1)) == [1, 2]


def test_a_position_with_order_and_turn_goes_on_in_that_round() -> None:
    """FD-ORDER-1: the round in the middle keeps the order it began with."""
    cars = {1: car("S2.m5", 1), 2: car("S2.m9", 3), 3: car("S2.m1", 4)}
    table = Table(cars, order=[1, 2, 3], turn=2)
    assert table.asked == [(2, "gear")]
    assert table.state["order"] == [1, 2, 3]
