"""Somebody comes late: one car more at the back, from the next round."""

from __future__ import annotations

from typing import Any

from support.each import in_one
from support.formula.table import Table, car, header, wear

from companion.race.record import make_header, replay


def two_cars(**more: Any) -> Table:
    """Two cars in their second round, on turn the first; the grid is far behind them."""
    return Table({1: car("S2.m9", 2), 2: car("S2.m5", 2)}, order=[1, 2], turn=1, **more)


def join(seat: int = 3, **more: Any) -> dict[str, Any]:
    return {"join": {"seat": seat, **more}}


def drives_on(table: Table, seat: int, space: str, gear: int = 2, roll: int = 2) -> None:
    table.plays(seat, gear=gear, roll=roll, move=space)


def test_a_late_car_stands_behind_the_last_place_of_the_grid_with_all_laps_before_it() -> None:
    """FD-START-1, FD-END-2, FD-CAR-1: as a header would have set it up."""
    table = two_cars()
    (event,) = table.says(join(name="Zoé"))
    told = {"event": "Joined", "seat": 3, "rule": None, "name": "Zoé", "space": "S1.l13"}
    assert event == told | {"gap": 22}
    late = table.car(3)
    assert (late["space"], late["lap"], late["gear"], late["status"]) == ("S1.l13", 0, 0, "grid")
    assert (late["wear"], late["tires"], late["tires_lap"]) == (wear(), "hard", 1)


def test_a_late_car_plays_from_the_next_round_and_last_in_it() -> None:
    """FD-ORDER-1: its first turn is the last of the round that begins next, with a start roll."""
    table = two_cars()
    table.says(join())
    assert table.state["order"] == [1, 2], "not in this round any more"
    drives_on(table, 1, "S2.m11")
    drives_on(table, 2, "S2.m7")
    assert table.state["order"] == [1, 2, 3]
    drives_on(table, 1, "S2.m13")
    drives_on(table, 2, "S2.m9")
    assert table.asked == [(3, "black")]
    assert table.ask(3, "black")["for"] == "start"


def test_where_there_are_no_start_rolls_a_late_car_begins_in_first_gear() -> None:
    """FD-START-1 is skipped by `start: normal`; FD-GEAR-2: from standing there is only first."""
    table = two_cars(also={"start": "normal"})
    table.says(join())
    for space in ("S2.m11", "S2.m7", "S2.m13", "S2.m9"):
        drives_on(table, 1 if space in ("S2.m11", "S2.m13") else 2, space)
    assert table.ask(3, "gear")["options"] == [1]


def test_a_late_car_takes_the_next_free_place_where_another_stands_on_its_own() -> None:
    free = two_cars()
    free.says(join())
    own = free.car(3)["space"]
    table = Table({1: car(own, 2, lap=2), 2: car("S2.m5", 2)}, order=[1, 2], turn=1)
    table.says(join())
    assert table.car(3)["space"] not in (own, None)


def test_several_may_come_late_one_behind_the_other() -> None:
    table = two_cars()
    table.says(join(3))
    table.says(join(4))
    drives_on(table, 1, "S2.m11")
    drives_on(table, 2, "S2.m7")
    assert table.state["order"] == [1, 2, 3, 4]


@in_one(
    ("line", "key"),
    [
        (join(2), "seat-taken"),
        ({"join": {"name": "Zoé"}}, "seat-form"),
        ({"join": {"seat": 3, "ludo": 1}}, "unknown-key"),
        ({"join": {"seat": 3}, "seat": 3}, "join-form"),
        ({"join": True}, "join-form"),
        (join(box=1), "box-twice"),
        (join(wear={"tires": 9}), None),
        (join(tires="soft"), "tires-not-on"),
    ],
)
def test_a_seat_that_a_header_could_not_have_is_refused(line: Any, key: str | None) -> None:
    error = two_cars().is_refused(line)
    assert key in (None, error["key"])


def test_nobody_comes_before_the_race_runs_nor_when_it_is_over_nor_where_the_grid_is_full() -> None:
    waiting = Table.of(header(2))
    assert waiting.asked[0][1] == "black"
    assert waiting.is_refused(join())["key"] == "no-late-join"
    over = two_cars()
    over.says({"end": True})
    assert over.is_refused(join())["key"] == "no-late-join"
    full = Table.of(header(10, grid=list(range(1, 11)), start="normal"))
    assert full.is_refused(join(11))["key"] == "no-room"


def test_in_formule_de_too_and_no_more_than_ten() -> None:
    """DE-CAR-2."""
    game = {"game": "formule-de", "grid": [1, 2], "start": "normal"}
    table = Table.of({**header(2), **game})
    table.says(join())
    assert table.car(3)["wear"]["fuel"] == 3


def test_a_late_team_mate_joins_the_team_that_is_one_short_else_a_new_one() -> None:
    """FD-TEAM-1."""
    seats = [{"seat": 1, "team": "Rouge"}, {"seat": 2, "team": "Rouge"}, {"seat": 3, "team": "B"}]
    rules = {"rules": ["teams", "technical"], "grid": [1, 2, 3], "start": "normal"}
    table = Table.of({**header(3), "seats": seats, **rules})
    table.says(join(4))
    table.says(join(5))
    teams = {team["team"]: team["pool"] for team in table.state["teams"]}
    assert set(teams) == {"Rouge", "B", "Team 1"}
    assert len(set(teams.values())) == 1, "every team has its generic points"
    assert table.is_refused(join(6, team="Rouge"))["key"] == "team-too-big"


def test_in_a_street_race_a_late_car_has_the_first_driver_that_nobody_has() -> None:
    """FD-URBAN-1."""
    seats = [{"seat": 1, "driver": "Li-Tsu Sin"}, {"seat": 2, "driver": "Stanley Washington"}]
    more = {"rules": ["urban"], "grid": [1, 2], "start": "normal"}
    table = Table.of({**header(2), "seats": seats, **more})
    table.says(join(3))
    assert table.is_refused(join(4, driver="Jack Owens"))["key"] == "driver-twice"


def test_without_a_board_a_late_car_is_asked_for_in_the_running_order() -> None:
    """FD-ORDER-1: last of those that are known."""
    table = Table.of({**header(2), "track": None, "grid": [1, 2], "start": "normal"})
    table.says(join())
    report = {"brakes": 0, "overshoot": 0, "missing": 0, "blocked": 0, "touched": [], "debris": 0}
    report |= {"corner": False, "line": True, "pit": False}
    for seat in (1, 2):
        table.plays(seat, gear=1, roll=1, report=report)
    assert table.ask(0, "order")["options"] == [1, 2, 3]


def test_it_is_taken_back_like_any_line() -> None:
    table = two_cars()
    before = table.state
    table.says(join())
    table.says({"undo": 1})
    assert table.state == before
    assert table.is_refused({"seat": 3, "gear": 1})["key"] == "no-such-seat"


def test_the_state_after_it_is_a_position_of_a_header_with_that_seat() -> None:
    table = two_cars()
    table.says(join(name="Zoé"))
    seats = [{"seat": 1}, {"seat": 2}, {"seat": 3, "name": "Zoé"}]
    again = Table.of({**header(3), "seats": seats, "position": table.state})
    assert again.state == table.state
    assert again.asks[0]["options"] == table.asks[0]["options"]


def test_a_record_with_a_late_car_replays_to_the_same_state() -> None:
    table = two_cars()
    table.says(join(name="Zoé"))
    drives_on(table, 1, "S2.m11")
    drives_on(table, 2, "S2.m7")
    head = dict(table.engine.header or {})
    first = make_header(head, race="r1", name="monaco", started="", track_text=None)
    lines = [{"at": n, "by": "phone", **c.line} for n, c in enumerate(table.engine.accepted)]
    assert replay([first, *lines]).state() == table.state


def test_in_downforce_nobody_comes_late() -> None:
    table = Table.of(
        {"game": "downforce", "track": None, "seats": [{"seat": n} for n in (1, 2, 3)]}
    )
    assert table.is_refused(join(4))["key"] == "no-late-join"
