"""Boards that are a sketch (`exact = false`): ends near the listed ones are accepted and noted."""

from __future__ import annotations

from random import Random
from typing import Any

from support.each import in_one
from support.formula import careful
from support.formula.table import Table, car

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

LIBRARY = TrackLibrary(())
SPA = LIBRARY.load("spa")


def moving(space: str, gear: int, roll: int, *others: str, track: str = "spa") -> Table:
    """Seat 1 about to say where its move ends."""
    cars = {1: car(space, gear=gear)}
    cars |= {seat: car(place, gear=1) for seat, place in enumerate(others, 2)}
    table = Table(cars, order=sorted(cars), turn=1, also={"track": track})
    table.plays(1, gear=gear)
    table.plays(1, roll=roll)
    return table


def test_the_ask_lists_the_free_spaces_near_the_ends() -> None:
    table = moving("S2.m3", 2, 3, "S2.l7")
    ask = table.ask(1, "move")
    plain = [option["to"] for option in ask["options"] if not option["brakes"]]
    near = {end["to"]: end["as"] for end in ask["near"] if not end["brakes"]}
    assert "S2.m6" in plain
    assert near["S2.m8"] == "S2.m6"
    assert not {"S2.m3", "S2.m9", "S2.l7"} & set(near)
    assert not set(near) & {option["to"] for option in ask["options"]}


def test_a_board_that_is_sure_has_no_such_ends() -> None:
    assert "near" not in moving("S2.m3", 2, 3, track="monaco").ask(1, "move")


def test_an_end_near_a_listed_one_is_accepted_and_noted_before_the_move() -> None:
    table = moving("S2.m3", 2, 3)
    events = table.says({"seat": 1, "move": {"to": "S2.m8", "brakes": 0}})
    noted, moved = events[:2]
    assert noted == {
        "event": "EndedNear",
        "seat": 1,
        "rule": None,
        "to": "S2.m8",
        "listed": "S2.m6",
    }
    assert (moved["event"], moved["to"], moved["spaces"]) == ("Moved", "S2.m8", 3)
    assert table.car(1)["space"] == "S2.m8"


def test_it_costs_what_the_listed_move_costs_and_stops_where_it_stands() -> None:
    table = moving("S2.m18", 2, 4)
    ask = table.ask(1, "move")
    listed = {(option["to"], option["brakes"]): option for option in ask["options"]}
    end = next(end for end in ask["near"] if end["to"].startswith("T2.") and end["brakes"])
    cost = listed[end["as"], end["brakes"]]["cost"]
    table.says({"seat": 1, "move": {"to": end["to"], "brakes": end["brakes"]}})
    told = table.car(1)
    assert (told["space"], told["stops"]) == (end["to"], 1)
    assert cost == {"brakes": 3 - told["wear"]["brakes"]}


def test_who_stands_beside_the_end_is_rolled_for() -> None:
    table = moving("S2.m3", 2, 3, "S2.m9")
    table.says({"seat": 1, "move": {"to": "S2.m8", "brakes": 0}})
    assert set(table.asked) == {(1, "black"), (2, "black")}


@in_one("to", ["S2.m9", "S2.l7", "T2.m1", "S1.m3", "nowhere"])
def test_what_is_far_or_taken_or_no_space_is_refused_as_ever(to: str) -> None:
    table = moving("S2.m3", 2, 3, "S2.l7")
    table.is_refused({"seat": 1, "move": {"to": to, "brakes": 0}})


def test_the_line_is_crossed_as_the_listed_move_crosses_it() -> None:
    """Ends near one past the line lie past it, and the others before it."""
    table = moving("S1.m10", 2, 3)
    for end in table.ask(1, "move")["near"]:
        space, listed = SPA.index[end["to"]], SPA.index[end["as"]]
        assert SPA.past_line[space] == SPA.past_line[listed]
        assert SPA.section[space] == SPA.section[listed]


def wander(engine: Engine, dice: Random, turns: int) -> int:
    """Play on, ending near the listed ends wherever that can be; how often it was."""
    used = 0
    for _ in range(turns):
        asks = engine.asks()
        if not asks:
            break
        ask = dice.choice(asks)
        value = careful.answer(ask, engine.moment, dice)
        if ask.get("near"):
            end = dice.choice(ask["near"])
            value, used = {"to": end["to"], "brakes": end["brakes"]}, used + 1
        reply = engine.handle({"seat": ask["seat"], ask["kind"]: value})
        assert reply["ok"], (ask, value, reply)
    return used


def test_a_race_that_always_ends_near_the_listed_ends_goes_on_and_replays() -> None:
    engine = Engine(LIBRARY)
    header: dict[str, Any] = careful.header(3, track="spa", laps=1, grid=[1, 2, 3], start="normal")
    engine.handle({"new": header})
    assert wander(engine, Random(7), 60) > 5
    again = Engine(LIBRARY)
    again.handle({"new": header})
    for line in engine.lines:
        assert again.handle(line)["ok"]
    assert again.state() == engine.state()
