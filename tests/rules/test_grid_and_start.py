"""Wear points, dice, the grid and the start: FD-CAR, FD-DIE, FD-GRID, FD-START."""

from __future__ import annotations

from itertools import permutations

import pytest
from support.each import in_one
from support.formula.table import STANDARD_WEAR, Table, car, header, named, position, wear

GEAR_DICE = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20), 6: (21, 30)}


def on_the_grid(*grid: int, **more: object) -> Table:
    """A race on the grid in this order, the next ask that of the start."""
    return Table.of(header(sorted(grid), grid=list(grid), **more))


def test_a_car_starts_with_twenty_wear_points() -> None:
    """FD-CAR-1"""
    table = on_the_grid(1, 2)
    assert table.car(1)["wear"] == STANDARD_WEAR
    assert sum(STANDARD_WEAR.values()) == 20


@pytest.mark.parametrize("points", [{"tires": 7}, {"handling": 3}, {"brakes": -1}])
def test_a_position_with_wear_points_out_of_bounds_is_refused(points: dict[str, int]) -> None:
    """FD-CAR-2: never above the start, never below 0."""
    table = on_the_grid(1, 2)
    error = table.is_refused({"new": position({1: car("S2.m5", wear=points)})})
    assert (error["code"], error["rule"]) == ("malformed", "FD-CAR-2")


@pytest.mark.parametrize("tires", [-1, 7])
def test_even_the_referee_cannot_put_wear_points_out_of_bounds(tires: int) -> None:
    """FD-CAR-2: for corrections too."""
    table = Table({1: car("S2.m5")})
    line = {"correct": {"cars": {"1": {"wear": {"tires": tires}}}}, "reason": "slip of the pen"}
    assert table.is_refused(line)["rule"] == "FD-CAR-2"


def test_no_more_brakes_are_on_offer_than_there_are() -> None:
    """FD-CAR-2: brakes never fall below 0."""
    table = Table({1: car("S2.m5", gear=3, wear={"brakes": 1})})
    table.plays(1, gear=3, roll=5)
    assert {brakes for _, brakes in table.options(1)} == {0, 1}


@in_one("gear", GEAR_DICE)
def test_a_die_shows_only_the_faces_of_its_gear(gear: int) -> None:
    """FD-DIE-1"""
    low, high = GEAR_DICE[gear]
    table = Table({1: car("S6.m1", gear=gear)})
    table.plays(1, gear=gear)
    assert table.ask(1, "roll")["options"] == list(range(low, high + 1))
    for face in (low - 1, high + 1):
        assert table.is_refused({"seat": 1, "roll": face})["rule"] == "FD-DIE-1"


def test_every_car_rolls_for_the_grid_and_the_highest_has_pole() -> None:
    """FD-GRID-1"""
    table = Table.of(header(4))
    assert table.asked == [(seat, "black") for seat in (1, 2, 3, 4)]
    assert all(ask["for"] == "grid" for ask in table.asks)
    assert table.ask(1, "black")["options"] == [[n, n] for n in range(1, 21)]
    for seat, roll in {1: 5, 2: 20, 3: 1, 4: 12}.items():
        table.plays(seat, black=roll)
    assert table.state["order"] == [2, 4, 1, 3]
    spaces = [table.car(seat)["space"] for seat in (2, 4, 1, 3)]
    assert spaces == ["S1.l16", "S1.r16", "S1.l13", "S1.r13"]


def test_cars_stand_on_the_grid_in_lap_0_and_out_of_gear() -> None:
    """FD-END-2, FD-GRID-1: the lap counter is 0 on the grid."""
    table = on_the_grid(2, 1)
    told = table.car(2)
    assert (told["space"], told["lap"], told["gear"]) == ("S1.l16", 0, 0)
    assert told["status"] == "grid"


@in_one("who", list(permutations((1, 2, 3))))
def test_grid_rolls_may_come_in_any_order(who: tuple[int, ...]) -> None:
    """FD-GRID-1: rolled together, told in any order."""
    table = Table.of(header(3))
    for seat in who:
        table.plays(seat, black={1: 3, 2: 17, 3: [9, 9]}[seat])
    assert table.state["order"] == [2, 3, 1]


def test_only_the_tied_cars_roll_again_for_the_places_that_they_tie_for() -> None:
    """FD-GRID-2"""
    table = Table.of(header(4))
    for seat, roll in {1: 8, 2: 15, 3: 8, 4: 2}.items():
        table.plays(seat, black=roll)
    assert sorted(table.asked) == [(1, "black"), (3, "black")]
    table.plays(3, black=20)
    table.plays(1, black=1)
    assert table.state["order"] == [2, 3, 1, 4]


def test_two_ties_at_once_and_a_tie_of_the_tied_are_rolled_out() -> None:
    """FD-GRID-2: a second tie is rolled again too, and a high reroll gains no place outside."""
    table = Table.of(header(4))
    for seat, roll in {1: 8, 2: 15, 3: 8, 4: 15}.items():
        table.plays(seat, black=roll)
    assert sorted(table.asked) == [(seat, "black") for seat in (1, 2, 3, 4)]
    for seat, roll in {1: 20, 2: 3, 3: 20, 4: 2}.items():
        table.plays(seat, black=roll)
    assert sorted(table.asked) == [(1, "black"), (3, "black")]
    table.plays(1, black=1)
    table.plays(3, black=2)
    assert table.state["order"] == [2, 4, 3, 1]


def test_a_given_grid_is_not_rolled() -> None:
    """FD-GRID-1"""
    table = on_the_grid(3, 1, 2)
    assert table.state["order"] == [3, 1, 2]


def test_the_first_round_is_played_in_grid_order() -> None:
    """FD-START-1"""
    table = on_the_grid(3, 1, 2, start="normal")
    played = []
    for to in ("S1.l17", "S1.r17", "S1.l14"):
        ((seat, _),) = table.asked
        played.append(seat)
        table.plays(seat, gear=1, roll=1, move=to)
    assert played == [3, 1, 2]


def test_a_car_rolls_the_black_die_before_it_engages_first_gear() -> None:
    """FD-START-1"""
    table = on_the_grid(2, 1)
    assert table.asked == [(2, "black")]
    ask = table.ask(2, "black")
    assert ask["for"] == "start"
    assert ask["options"] == [[1, 1], [2, 19], [20, 20]]
    table.is_refused({"seat": 2, "gear": 1})


def test_the_start_is_rolled_on_the_first_turn_only() -> None:
    """FD-START-1"""
    table = on_the_grid(1)
    table.plays(1, black=10, gear=1, roll=2, move="S1.l18")
    assert table.asked == [(1, "gear")]


def test_a_stalled_car_stays_and_starts_in_first_without_another_start_roll() -> None:
    """FD-START-2"""
    table = on_the_grid(2, 1)
    table.plays(2, black=1)
    assert (table.car(2)["space"], table.car(2)["status"]) == ("S1.l16", "stalled")
    assert table.asked == [(1, "black")]
    table.plays(1, black=10, gear=1, roll=1, move="S1.r17")
    table.plays(1, gear=1, roll=1, move="S1.r18")
    assert table.asked == [(2, "gear")]
    assert table.ask(2, "gear")["options"] == [1]
    table.plays(2, gear=1, roll=1, move="S1.l17")
    assert table.car(2)["status"] == "racing"


@pytest.mark.parametrize("roll", [2, 19, [2, 19]])
def test_a_normal_start_rolls_the_die_of_first_gear(roll: object) -> None:
    """FD-START-3"""
    table = on_the_grid(2, 1)
    table.plays(2, black=roll)
    assert table.ask(2, "gear")["options"] == [1]
    table.plays(2, gear=1, roll=2, move="S1.l18")
    assert table.car(2)["gear"] == 1


def test_a_great_start_moves_four_spaces_at_once_without_a_gear_roll() -> None:
    """FD-START-4"""
    table = on_the_grid(1, 2)
    table.plays(1, black=20)
    assert table.asked == [(1, "move")]
    assert table.ends(1) == {"S1.l20"}


def test_after_a_great_start_a_car_counts_as_in_first_and_may_play_second() -> None:
    """FD-START-4"""
    table = on_the_grid(1)
    table.plays(1, black=20, move="S1.l20")
    assert (table.car(1)["gear"], table.car(1)["lap"]) == (1, 1)
    assert table.ask(1, "gear")["options"] == [1, 2]


def test_a_great_start_changes_lanes_only_where_its_own_lane_is_not_free() -> None:
    """FD-START-4, ruling: a car two spaces ahead is passed over one lane or two."""
    table = Table(
        {1: car("S1.l16", gear=0, lap=0, status="grid"), 2: car("S1.l19", gear=1)},
        order=[1, 2],
        turn=1,
    )
    if table.asked == [(1, "black")]:
        table.plays(1, black=20)
    assert table.ends(1) == {"S1.m20", "S1.r20"}


def test_a_great_start_is_braked_as_any_move() -> None:
    """FD-START-4, ruling: brakes as in any move."""
    table = on_the_grid(1)
    table.plays(1, black=20)
    assert table.ends(1, brakes=1) == {"S1.l19"}
    assert table.ends(1, brakes=3) == {"S1.l17"}


def test_a_great_start_can_be_blocked() -> None:
    """FD-START-4, ruling, and FD-BLOCK-1: three cars abreast stop it after two spaces."""
    ahead = {2: car("S1.l19"), 3: car("S1.m19"), 4: car("S1.r20")}
    start = car("S1.l16", gear=0, lap=0, status="grid")
    table = Table({1: start, **ahead}, order=[1, 2, 3, 4], turn=1)
    if table.asked == [(1, "black")]:
        table.plays(1, black=20)
    assert {option["blocked"] for option in table.options(1).values() if not option["brakes"]} == {
        1
    }


def test_a_great_start_crosses_the_line_into_lap_one() -> None:
    """FD-START-4, FD-END-2"""
    table = on_the_grid(1, 2)
    events = []
    events += table.plays(1, black=20, move="S1.l20")
    assert [event["lap"] for event in named(events, "LineCrossed")] == [1]
    assert table.car(1)["wear"] == wear()
