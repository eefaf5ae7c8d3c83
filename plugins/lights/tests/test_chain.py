"""What each light of the chain shows."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from companion.rules.packs import COLORS
from race_companion_lights import (
    CARS,
    DARK,
    DEBRIS,
    FIVE,
    RAIN,
    START,
    Chain,
    Sight,
    begins,
    lights,
    rests,
)

CHAIN = Chain(seats=3, each=2)
RACE = Sight({1: "off", 2: "on", 3: "off"}, {1: "red", 2: "blue", 3: "black"}, race="one", round=2)


def test_a_seat_that_is_asked_has_the_color_of_its_car_on_all_its_lights() -> None:
    shown = lights(CHAIN, RACE, 0, inf)
    assert len(shown) == len(CHAIN) == 11
    assert shown[FIVE:] == [DARK, DARK, CARS["blue"], CARS["blue"], DARK, DARK]


def test_the_black_car_has_a_white_light() -> None:
    shown = lights(CHAIN, replace(RACE, lamps={3: "on"}), 0, inf)
    assert shown[-1] == (255, 255, 255)


def test_every_color_of_a_car_has_a_light_of_its_own() -> None:
    assert CARS.keys() == set(COLORS)
    assert len(set(CARS.values())) == len(COLORS)


def test_a_refused_press_blinks() -> None:
    refused = replace(RACE, lamps={2: "blinks"})
    shown = [lights(CHAIN, refused, elapsed, inf)[FIVE + 2] for elapsed in (0, 0.5, 1.0, 1.5)]
    assert shown == [CARS["blue"], DARK, CARS["blue"], DARK]
    assert not rests(refused, inf)
    assert rests(RACE, inf)


def test_five_red_lights_come_on_one_by_one_and_go_out_together() -> None:
    counts = [lights(CHAIN, RACE, 0, at)[:FIVE].count(START) for at in (0, 0.7, 1.5, 3.5, 4.1)]
    assert counts == [0, 1, 2, 5, 5]
    assert lights(CHAIN, RACE, 0, 4.2)[:FIVE] == [DARK] * FIVE
    assert not rests(RACE, 4.1)


@pytest.mark.parametrize(
    ("raining", "debris", "five"),
    [
        (False, False, [DARK] * 5),
        (True, False, [RAIN] * 5),
        (False, True, [DEBRIS] * 5),
        (True, True, [RAIN, DEBRIS, RAIN, DEBRIS, RAIN]),
    ],
)
def test_rain_is_blue_and_debris_yellow(raining: bool, debris: bool, five: list[object]) -> None:
    assert lights(CHAIN, replace(RACE, raining=raining, debris=debris), 0, inf)[:FIVE] == five


def test_a_race_begins_once_and_only_where_it_was_seen_before() -> None:
    grid = replace(RACE, round=0)
    assert begins(grid, replace(RACE, round=1))
    assert not begins(grid, grid)
    assert not begins(replace(RACE, round=1), RACE)
    assert not begins(Sight(), replace(RACE, round=1))


def test_without_a_table_all_is_dark() -> None:
    assert set(lights(CHAIN, Sight(), 0, inf)) == {DARK}
