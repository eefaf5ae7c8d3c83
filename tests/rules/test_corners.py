"""Stops, overshoots, spins: FD-CORNER."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, car, named, position, wear

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine


def moving(space: str, gear: int, roll: int, *others: str, **more: Any) -> Table:
    """Seat 1 on `space` has rolled; the last seat stands far off in Tabac, the others as named."""
    also = {key: more.pop(key) for key in ("debris",) if key in more}
    cars = {1: car(space, gear, **more)}
    places = (*others, "T7.r1")
    cars |= {seat: car(other) for seat, other in enumerate(places, start=2)}
    table = Table(cars, order=sorted(cars), turn=1, **also)
    table.plays(1, gear=gear, roll=roll)
    return table


def free(table: Table, to: str) -> dict[str, Any]:
    """The option of an end with nothing braked."""
    return table.options(1)[to, 0]


def test_a_corner_is_left_free_of_charge_after_its_stops() -> None:
    """FD-CORNER-1"""
    option = free(moving("T1.m5", 3, 4, stops=1), "S2.m4")
    assert (option["tires"], option["cost"], option["out"], option["spin"]) == (0, {}, False, False)
    assert free(moving("T5.m12", 3, 4, stops=3), "S6.m4")["cost"] == {}


def test_more_stops_than_printed_do_no_harm() -> None:
    """FD-CORNER-1: at least the printed number."""
    assert free(moving("T1.m5", 3, 4, stops=2), "S2.m4")["cost"] == {}


def test_a_stop_that_was_made_counts_in_the_next_move() -> None:
    """FD-CORNER-1, FD-MOVE-5"""
    table = moving("S1.m20", 2, 4)
    table.plays(1, move="T1.m2")
    assert table.car(1)["stops"] == 1
    for end in ("T7.r2", "T7.r3"):  # in its round, and first in the next one
        table.plays(2, gear=1, roll=1, move=end)
    table.plays(1, gear=3, roll=8)
    assert all(option["tires"] == 0 for option in table.options(1).values())


def test_a_stop_counts_only_inside_the_limits_of_the_corner() -> None:
    """FD-CORNER-1: ending before the corner is no stop in it."""
    table = moving("S1.m20", 1, 2)
    table.plays(1, move="S1.m22")
    assert table.car(1)["stops"] == 0


def test_an_overshoot_costs_a_tires_point_a_space() -> None:
    """FD-CORNER-2: the spaces beyond the limit, which each way crosses elsewhere."""
    table = moving("T1.m2", 3, 5)
    tires = {to: free(table, to)["tires"] for to in table.ends(1)}
    assert tires == {"S2.m2": 2, "S2.r2": 2, "S2.r3": 3}
    assert free(table, "S2.r3")["cost"] == {"tires": 3}


def test_an_overshoot_is_paid() -> None:
    """FD-CORNER-2"""
    table = moving("T1.m2", 3, 5)
    (overshot,) = named(table.plays(1, move="S2.r3"), "Overshot")
    assert overshot["spaces"] == 3
    assert table.car(1)["wear"] == wear(tires=3)
    assert table.car(1)["space"] == "S2.r3"


@in_one(
    ("space", "stops", "out"),
    [
        ("T8.m10", 0, True),
        ("T8.m10", 1, False),
        ("T8.m10", 2, False),
        ("T5.m12", 0, True),
        ("T5.m12", 1, True),
        ("T5.m12", 2, False),
        ("T1.m5", 0, False),
    ],
)
def test_two_stops_missing_put_a_car_out_one_missing_is_an_overshoot(
    space: str, stops: int, out: bool
) -> None:
    """FD-CORNER-3"""
    table = moving(space, 1, 1, stops=stops)
    options = [option for (_, brakes), option in table.options(1).items() if not brakes]
    assert {option["out"] for option in options} == {out}


def test_a_car_without_the_stops_is_out_at_once() -> None:
    """FD-CORNER-3"""
    table = moving("T8.m10", 1, 1, stops=0)
    events = table.plays(1, move="S9.m1")
    told = table.car(1)
    assert (told["status"], told["space"]) == ("out", None)
    assert (told["out"]["why"], told["out"]["rule"]) == ("corner", "FD-CORNER-3")
    assert [event["why"] for event in named(events, "Eliminated")] == ["corner"]


def test_an_overshooting_car_keeps_the_lane_of_the_first_space_beyond() -> None:
    """FD-CORNER-4: the step over the limit may be along an arrow, no step after it."""
    assert moving("T1.m5", 3, 4).ends(1) == {"S2.m4", "S2.r4"}
    assert moving("T1.m5", 3, 4, stops=1).ends(1) > {"S2.m4", "S2.r4"}


def test_the_end_of_an_overshoot_is_no_stop_in_another_corner() -> None:
    """FD-CORNER-4"""
    table = moving("T2.l5", 3, 4)
    assert table.ends(1) == {"T3.l2"}
    events = table.plays(1, move="T3.l2")
    assert table.car(1)["stops"] == 0
    assert not named(events, "StopMade")
    assert table.car(1)["wear"] == wear(tires=2)


def test_an_overshooting_car_does_not_go_around_another() -> None:
    """FD-CORNER-4, FD-BLOCK-1: with a car in its lane it is blocked."""
    table = moving("T1.l7", 3, 4, "S2.l3", "S2.m3")
    ends = {to: free(table, to) for to in table.ends(1)}
    assert {to: option["blocked"] for to, option in ends.items()} == {"S2.l2": 2, "S2.m2": 2}
    assert ends["S2.l2"]["cost"] == {"brakes": 2, "tires": 2}


def test_an_overshooting_car_takes_the_lane_that_is_free() -> None:
    """FD-CORNER-4, FD-BLOCK-2: not blocked while another way over the limit has full length."""
    assert moving("T1.l7", 3, 4, "S2.l3").ends(1) == {"S2.m4"}


def test_debris_in_the_lane_of_an_overshoot_is_crossed_and_rolled_for() -> None:
    """FD-CORNER-4"""
    table = moving("T1.l7", 3, 4, "S2.m1", debris=["S2.l2"])
    assert free(table, "S2.l4")["debris"] == ["S2.l2"]
    table.plays(1, move="S2.l4")
    assert (table.ask(1, "black")["for"], table.ask(1, "black")["at"]) == ("debris", "S2.l2")


def test_an_overshooting_car_may_not_enter_the_pit_lane() -> None:
    """FD-CORNER-4: with its stop made it may."""
    assert not {to for to in moving("T10.r1", 2, 4).ends(1) if to[0] in "PB"}
    assert "P2" in moving("T10.r1", 2, 4, stops=1).ends(1)


def test_a_further_corner_run_through_whole_is_judged_too() -> None:
    """FD-CORNER-5, ruling: a space beyond both limits costs twice."""
    table = moving("T2.r10", 3, 5)
    tires = {to: free(table, to)["tires"] for to in table.ends(1)}
    assert tires == {"S4.r1": 5 + 1, "T3.m3": 5}
    assert free(table, "S4.r1")["spin"]


def test_a_further_corner_is_judged_with_no_stops_made_in_it() -> None:
    """FD-CORNER-5, ruling: stops of the corner that was left do not count there."""
    assert free(moving("T2.r10", 3, 5, stops=1), "S4.r1")["tires"] == 1


def test_a_corner_run_through_from_straight_to_straight_is_judged() -> None:
    """FD-CORNER-5, FD-CORNER-2"""
    assert free(moving("S1.r23", 3, 5), "S2.r2")["tires"] == 2


def test_a_further_corner_of_two_stops_run_through_whole_puts_a_car_out() -> None:
    """FD-CORNER-5, FD-CORNER-3: Piscine from Tabac, though one tires point would have paid."""
    table = moving("T7.l3", 5, 13, "T9.r1", stops=1)
    option = free(table, "S9.l1")
    assert option["out"]
    table.plays(1, move="S9.l1")
    assert table.car(1)["out"]["rule"] == "FD-CORNER-3"


def spun(**more: Any) -> Table:
    """Seat 1 has overshot with its last tires points and stands on S2.r3, two others follow."""
    table = moving("T1.m2", 4, 7, wear={"tires": 5}, **more)
    table.plays(1, move="S2.r5")
    return table


def test_losing_the_last_tires_by_an_overshoot_spins_the_car() -> None:
    """FD-CORNER-6"""
    table = moving("T1.m2", 3, 5, wear={"tires": 3})
    assert (free(table, "S2.r3")["spin"], free(table, "S2.r3")["out"]) == (True, False)
    assert not free(table, "S2.r2")["spin"]
    events = table.plays(1, move="S2.r3")
    assert named(events, "Spun")
    told = table.car(1)
    assert (told["status"], told["space"], told["wear"]) == ("spun", "S2.r3", wear(tires=0))


def test_a_spun_car_keeps_its_lever_until_it_is_turned_round_and_starts_in_first() -> None:
    """FD-CORNER-6, ruling: old gear for the order, then 1st only."""
    table = spun()
    assert (table.car(1)["gear"], table.car(1)["status"]) == (4, "spun")
    table.plays(2, gear=1, roll=1, move="T7.r2")
    while table.asked != [(1, "gear")]:
        table.plays(2, gear=1, roll=1, move="T7.r3")
    assert table.ask(1, "gear")["options"] == [1]
    assert table.ask(1, "gear")["costs"] == {}
    table.plays(1, gear=1)
    assert (table.car(1)["gear"], table.car(1)["status"]) == (1, "racing")


def test_a_spun_car_counts_its_old_gear_among_level_cars() -> None:
    """FD-CORNER-6, FD-ORDER-2"""
    cars = {1: car("S2.r6", 4, status="spun", wear={"tires": 0}), 2: car("S2.l5", 3)}
    assert Table(cars).state["order"] == [1, 2]


def test_a_spun_car_still_makes_the_rolls_of_its_turn() -> None:
    """FD-CORNER-6, ruling: collision with the car that it ends behind."""
    table = moving("T1.m2", 3, 5, "S2.r4", wear={"tires": 3})
    table.plays(1, move="S2.r3")
    assert table.car(1)["status"] == "spun"
    assert (2, "black") in table.asked
    assert {ask["for"] for ask in table.asks} == {"collision"}


def test_a_spun_car_in_a_high_gear_takes_the_engine_test() -> None:
    """FD-CORNER-6, ruling: its lever stays where it was."""
    cars = {1: car("S6.m1", 5), 2: car("S2.m9", 6, status="spun", wear={"tires": 0})}
    table = Table(cars, order=[1, 2], turn=1)
    table.plays(1, gear=5, roll=20, move="S6.m21")
    assert {(ask["seat"], ask["for"]) for ask in table.asks} == {(1, "engine"), (2, "engine")}


@pytest.mark.parametrize(("status", "kind"), [("racing", "slipstream"), ("spun", "black")])
def test_nobody_slipstreams_behind_a_spun_car(status: str, kind: str) -> None:
    """FD-CORNER-6, FD-SLIP-6: a racing car in its place gives one."""
    cars = {1: car("S6.m1", 4), 2: car("S6.m9", 4, status=status)}
    table = Table(cars, order=[1, 2], turn=1)
    table.plays(1, gear=4, roll=7, move="S6.m8")
    assert {ask["kind"] for ask in table.asks} == {kind}


def test_losing_more_tires_than_there_are_puts_a_car_out() -> None:
    """FD-CORNER-7"""
    table = moving("T1.m2", 3, 5, wear={"tires": 2})
    assert (free(table, "S2.r3")["out"], free(table, "S2.r3")["spin"]) == (True, False)
    assert free(table, "S2.r2")["spin"]
    table.plays(1, move="S2.r3")
    told = table.car(1)
    assert (told["status"], told["out"]["why"]) == ("out", "tires")
    assert told["out"]["rule"] == "FD-CORNER-7"


def test_without_tires_an_overshoot_of_one_space_is_a_new_spin() -> None:
    """FD-CORNER-7: and of two spaces the end."""
    table = moving("T1.m5", 1, 1, wear={"tires": 0})
    assert (free(table, "S2.m1")["spin"], free(table, "S2.m1")["out"]) == (True, False)
    table.plays(1, move="S2.m1")
    assert (table.car(1)["status"], table.car(1)["wear"]["tires"]) == ("spun", 0)
    assert free(moving("T1.m5", 1, 2, wear={"tires": 0}), "S2.m2")["out"]


def test_the_grace_of_one_space_counts_spaces_not_wear_points() -> None:
    """FD-CORNER-7, ruling: one space beyond each of two limits is no single space."""
    table = moving("T2.r10", 3, 5, stops=1, wear={"tires": 0})
    option = free(table, "S4.r1")
    assert (option["spin"], option["out"]) == (True, False)


def near_line(folder: Path) -> Engine:
    """An engine whose board `near.toml` is Monaco with the line just after the last corner."""
    text = TrackLibrary(()).text("monaco")
    grid = text[text.index("grid =") : text.index("\n", text.index("grid ="))]
    line = text[text.index("finish =") : text.index("\n", text.index("finish ="))]
    text = text.replace(grid, 'grid = ["l1", "r1"]')
    text = text.replace(line, "finish = { l = 2, m = 3, r = 3 }")
    (folder / "near.toml").write_text(text, encoding="utf-8")
    return Engine(TrackLibrary((folder,)))


def test_crossing_the_line_in_a_spin_counts(tmp_path: Path) -> None:
    """FD-CORNER-6, ruling: for the lap, and for the result."""
    for lap, status in ((1, "spun"), (2, "finished")):
        engine = near_line(tmp_path)
        cars = {1: car("T10.m4", 3, lap=lap, wear={"tires": 4}), 2: car("T5.m1")}
        told = {**position(cars, order=[1, 2], turn=1), "track": "near.toml"}
        assert engine.handle({"new": told})["ok"]
        move = {"to": "S1.m4", "brakes": 0}
        for answer in ({"gear": 3}, {"roll": 4}, {"move": move}):
            reply = engine.handle({"seat": 1, **answer})
            assert reply["ok"], reply
        state = engine.state()
        assert state is not None
        assert (state["cars"]["1"]["status"], state["cars"]["1"]["lap"]) == (status, lap + 1)
