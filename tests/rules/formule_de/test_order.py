"""DE-ORDER: level and in the same gear, who arrived there first plays first."""

from __future__ import annotations

import pytest
from support.formula.formule_de import scene
from support.formula.scenes import Scene, at

WAYS = {1: ("S6.l1", "S6.l3"), 2: ("S6.r2", "S6.r4")}
"""S6.l3 and S6.r4 are level; the left lane is the inside of the next corner."""


def level(first: int) -> Scene:
    """Both seats come to their spaces in 2nd, `first` before the other; a new round begins."""
    cars = {seat: at(start, gear=2) for seat, (start, _) in WAYS.items()}
    order = [first, 3 - first]
    race = scene(cars, order=order)
    for seat in order:
        race.drive(2, 2, WAYS[seat][1]).settle()
    return race


@pytest.mark.parametrize("first", [1, 2])
def test_of_level_cars_in_one_gear_the_first_to_arrive_plays_first(first: int) -> None:
    """DE-ORDER-1: not the one nearer the inside (FD-ORDER-3)."""
    race = level(first)
    assert race.state["order"] == [first, 3 - first]
    assert race.car(first)["arrived"] < race.car(3 - first)["arrived"]


def test_who_arrived_first_is_known_to_a_race_set_up_half_way() -> None:
    """DE-ORDER-1: `arrived` of a position; without it the inside decides."""
    cars = {1: at("S6.l3", arrived=7), 2: at("S6.r4", arrived=3)}
    assert scene(cars, new_round=True).state["order"] == [2, 1]
    cars = {1: at("S6.l3"), 2: at("S6.r4")}
    assert scene(cars, new_round=True).state["order"] == [1, 2]


def test_the_higher_gear_still_comes_first() -> None:
    """FD-ORDER-2"""
    cars = {1: at("S6.l3", gear=3, arrived=1), 2: at("S6.r4", gear=4, arrived=2)}
    assert scene(cars, new_round=True).state["order"] == [2, 1]


def test_a_car_that_does_not_move_has_not_arrived_anew() -> None:
    """DE-ORDER-1: all of its move braked away."""
    cars = {1: at("S6.l3", gear=1, arrived=1), 2: at("S6.r4", gear=1, arrived=2)}
    race = scene(cars).drive(1, 1, "S6.l3", 1).settle()
    assert race.car(1)["arrived"] == 1


def test_formula_d_remembers_no_arrivals() -> None:
    """FD-ORDER-3"""
    race = Scene({1: at("S6.l1", gear=2), 2: at("S8.m1")}).drive(2, 2, "S6.l3").settle()
    assert "arrived" not in race.car(1)
