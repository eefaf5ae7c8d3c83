"""DE-GRID and DE-START: the lowest roll leads, and a great start counts double."""

from __future__ import annotations

import pytest
from support.formula.formule_de import header, table
from support.formula.scenes import Scene, at
from support.formula.table import OneRead, Table, named

from companion.race.engine import Engine


def off(roll: int) -> Table:
    """Seat 1 stands on pole and has rolled for its start."""
    race = table(2, grid=[1, 2])
    race.plays(1, black=roll)
    return race


def test_the_lowest_roll_has_pole_then_ascending() -> None:
    """DE-GRID-1"""
    race = table(3)
    for seat, roll in ((1, 12), (2, 3), (3, 17)):
        race.plays(seat, black=roll)
    assert race.state["order"] == [2, 1, 3]
    assert race.car(2)["space"] == "S1.l16"


def test_ties_are_rolled_again_for_the_places_that_they_tie_for() -> None:
    """DE-GRID-1, FD-GRID-2"""
    race = table(3)
    for seat, roll in ((1, 12), (2, 3), (3, 12)):
        events = race.plays(seat, black=roll)
    assert named(events, "GridTied")[0]["seats"] == [1, 3]
    race.plays(1, black=9)
    race.plays(3, black=8)
    assert race.state["order"] == [2, 3, 1]


def test_a_one_stalls_the_car_until_its_next_turn() -> None:
    """DE-START-1: then 1st, without another start roll."""
    race = off(1)
    assert race.car(1)["status"] == "stalled"
    race.plays(2, black=5, gear=1, roll=1, move="S1.r17")
    race.plays(2, gear=1, roll=1, move="S1.r18")
    assert race.ask(1, "gear")["options"] == [1]


def test_a_twenty_doubles_the_first_roll() -> None:
    """DE-START-1: 1st is engaged and rolled as ever; the face counts twice."""
    race = off(20)
    assert race.ask(1, "gear")["options"] == [1]
    race.plays(1, gear=1, roll=2)
    assert "S1.l20" in race.ends(1)
    (moved,) = named(race.plays(1, move="S1.l20"), "Moved")
    assert (moved["spaces"], race.car(1)["gear"]) == (4, 1)


def test_what_counts_double_is_known_half_way() -> None:
    """DE-START-1: the step is in STATE, and a race set up from it goes on so."""
    race = off(20)
    assert [step["step"] for step in race.state["pending"]] == ["gear", "double", "end"]
    twin = table(2, position=race.state)
    twin.plays(1, gear=1, roll=1)
    assert "S1.l18" in twin.ends(1)


@pytest.mark.parametrize("kinds", [["double"], ["double", "gear"], ["gear", "double", "double"]])
def test_nothing_but_a_roll_counts_double(kinds: list[str]) -> None:
    """DE-START-1: a step that would wait for ever is refused."""
    pending = [{"step": kind, "seat": 1} for kind in kinds]
    position = {**off(20).state, "pending": [*pending, {"step": "end", "seat": 1, "lost": []}]}
    error = Engine(OneRead()).handle({"new": header(2, position=position)})["error"]
    assert (error["code"], error["rule"]) == ("malformed", "DE-START-1")


def test_formula_d_knows_neither_groups_nor_wrecks_nor_double_starts() -> None:
    for step in ("touch", "lift", "double"):
        pending = [{"step": step, "seat": 1}, {"step": "end", "seat": 1, "lost": []}]
        with pytest.raises(AssertionError, match="never pending in formula-d"):
            Scene({1: at("S6.m3"), 2: at("S8.m1")}, pending=pending)


def test_only_the_first_roll_counts_double() -> None:
    """DE-START-1"""
    race = off(20)
    race.plays(1, gear=1, roll=1, move="S1.l18")
    race.plays(2, black=5, gear=1, roll=1, move="S1.r17")
    race.plays(1, gear=1, roll=1)
    assert "S1.l19" in race.ends(1)


def test_any_other_start_is_normal() -> None:
    """DE-START-1"""
    race = off(19)
    race.plays(1, gear=1, roll=2)
    assert "S1.l18" in race.ends(1)
