"""What a finished record says, and what is said of one that cannot be believed."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, Table, header, racing
from support.leagues.records import amended, ended, raced

from companion.league.errors import BadRecord
from companion.league.finished import read_finished
from companion.league.games import AnyReplayed, Measured, replay_events
from companion.race.record import make_header, result_of
from companion.rules.lines import Answer, End, New, Retire


def changed(lines: list[Any], **more: Any) -> list[Any]:
    return [{**lines[0], **more}, *lines[1:]]


def test_a_driven_race_tells_grid_laps_and_the_best_lap_in_rolls() -> None:
    found = read_finished(raced("a", seed=3))
    assert sorted(row.grid for row in found.rows) == [1, 2, 3]
    home = [row for row in found.rows if row.status == "finished"]
    assert home
    assert all(row.lap == 2 and row.best_lap > 3 for row in home)
    assert (found.board, found.laps, found.earlier) == ("Le Manège", 1, ())


def test_a_player_of_several_cars_is_one_driver() -> None:
    seats = [
        {"seat": n, "name": f"Ana {n}" if n < 3 else "Bea", "player": "Ana" if n < 3 else "Bea"}
        for n in (1, 2, 3)
    ]
    found = read_finished(ended("a", seats=seats))
    assert [(row.name, row.player) for row in found.rows] == [
        ("Ana 1", "Ana"),
        ("Ana 2", "Ana"),
        ("Bea", "Bea"),
    ]


def test_who_came_late_is_in_the_result_under_its_own_name() -> None:
    found = read_finished(ended("a", late=[{"seat": 7, "name": "Zoé"}]))
    last = found.rows[-1]
    assert (last.seat, last.name, last.player, last.grid) == (7, "Zoé", "Zoé", None)


def test_a_race_that_went_on_after_its_end_has_an_earlier_result() -> None:
    found = read_finished(amended(ended("a"), out=2))
    (before,) = found.earlier
    assert [row.seat for row in before] == [1, 2, 3]
    assert [row.seat for row in found.rows] == [1, 3, 2]
    assert found.rows[-1].out is not None


def test_what_was_taken_back_is_no_move_of_the_race() -> None:
    race = replay_events(amended(ended("a"), out=2))
    assert race.taken_back == 1
    assert [type(move.command) for move in race.moves] == [New, Answer, Retire, End]
    assert [move.line for move in race.moves] == [1, 2, 5, 6]
    assert race.moves[1].at == 1.0


def test_downforce_scores_with_its_money_df_pay_3() -> None:
    table = racing()
    table.passed().card(finished=CARS)
    first = make_header(header(), race="r", name="x", started="2020-01-01", track_text=None)
    found = read_finished([first, *table.engine.lines, {"result": result_of(table.state)}])
    assert [row.points for row in found.rows] == [
        row["points"] for row in table.state["classification"]
    ]
    assert all(row.grid is None and row.out is None for row in found.rows)


def test_numbers_are_measured_once_a_record_and_kept_by_car() -> None:
    asked = []

    def measure(race: AnyReplayed) -> Measured:
        asked.append(race)
        return Measured({"answers": 3}, {2: {"passes": 5}})

    found = read_finished(ended("a"), measure)
    assert len(asked) == 1
    assert found.numbers == {"answers": 3}
    assert [row.numbers for row in found.rows] == [{}, {"passes": 5}, {}]


def test_a_record_of_other_rules_keeps_its_result_and_says_which_line_fell() -> None:
    lines = ended("a")
    older = changed([lines[0], {**lines[1], "gear": 6}, *lines[2:]], rules_version=0)
    found = read_finished(older)
    assert [row.place for row in found.rows] == [1, 2, 3]
    assert found.remark is not None
    assert "not played by today's rules: line 2: FD-GEAR" in found.remark


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"id": "../../x"}, "the id is 1 to 64 letters"),
        ({"id": None}, "the id is"),
        ({"game": "chess"}, "the game is one of"),
        ({"laps": "many", "rules_version": 0}, "laps is a whole number"),
        ({"track": ["x"], "rules_version": 0}, "the track is a text"),
        ({"rules": 7, "rules_version": 0}, "the rules are a list"),
        ({"seats": 7}, "no list of seats"),
        ({"seats": [{"seat": 1}], "rules_version": 0}, "the result has seats"),
        ({"seats": [{"seat": 1, "name": {}}]}, "the name of a seat is a text"),
    ],
)
def test_a_header_that_anybody_could_have_written_is_checked(more: Any, message: str) -> None:
    with pytest.raises(BadRecord, match=message) as told:
        read_finished(changed(ended("a"), **more))
    assert told.value.line == 1


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "no list of 1 to"),
        ([], "no list of 1 to"),
        ([7], "made of objects"),
        ([{"seat": 1, "place": "first", "status": "finished"}], "a place of the result"),
        ([{"seat": 1, "place": 1, "status": "asleep"}], "a status of the result"),
        ([{"seat": 1, "place": 1, "status": "out", "points": 1e9}], "the points of the result"),
    ],
)
def test_a_result_of_another_form_is_refused_with_its_line(result: Any, message: str) -> None:
    lines = [*ended("a")[:-1], {"result": result}]
    with pytest.raises(BadRecord, match=message) as told:
        read_finished(lines)
    assert told.value.line == len(lines)


def test_downforce_counts_by_its_circuit_and_no_cards_where_none_are_counted() -> None:
    house = {"auction": "entered", "cards": "events"}
    told = header(2, "no-powers", "no-bets", house=house, circuit="Marina Bay")
    table = Table(told)
    table.pole()
    for number, car in enumerate(CARS):
        lot = {"car": car, "power": None, "seat": 1 + number % 2, "price": 2}
        table.plays(0, lot=lot)
    table.plays(0, played={"finished": CARS})
    first = make_header(told, race="r", name="x", started="2020-01-01", track_text=None)
    lines = [first, *table.engine.lines, {"result": result_of(table.state)}]
    found = read_finished(lines)
    assert found.board == "Marina Bay"
    assert not any("cards" in row.numbers for row in found.rows)
