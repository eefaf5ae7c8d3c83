"""Races told by a form or by CSV come to acts; what cannot be understood is told."""

from __future__ import annotations

from typing import Any

import pytest

from companion.league.acts import Act, EnterRace, every_kind, format_act, parse_act
from companion.league.byhand import race_acts
from companion.league.errors import BadAct
from companion.league.exchange.tables import read
from companion.league.forms import ChangedCar, read_record
from companion.league.results import Row, amended, entered

FORM = {"date": "2026-05-17", "order": ["Ana", "Bea"], "out": {"Cai": "engine", "Dot": ""}}


def form_acts(form: Any) -> list[Any]:
    return [format_act(act) for act in race_acts(form)]


def rows_of(*cars: Any) -> list[Row]:
    """The rows of a race by hand."""
    data = {"act": "race", "race": "a", "date": "2026-01-01", "game": "formula-d"}
    act = parse_act({**data, "entries": list(cars)})
    assert isinstance(act, EnterRace)
    return entered(act.entries, act.game)


def change(rows: list[Row], *cars: Any) -> list[Row]:
    changed = [read_record(ChangedCar, car, "a car") for car in cars]
    return amended(rows, changed, "formula-d")


def test_a_form_is_a_race_a_round_and_a_note() -> None:
    race, placed, note = form_acts({**FORM, "season": "s", "round": 3, "note": "rain at last"})
    assert [entry["name"] for entry in race["entries"]] == ["Ana", "Bea", "Cai", "Dot"]
    assert race["entries"][2:] == [
        {"name": "Cai", "status": "out", "out": "engine"},
        {"name": "Dot", "status": "out", "out": None},
    ]
    assert (placed["season"], placed["round"], note["text"]) == ("s", 3, "rain at last")


def test_the_same_form_is_the_same_race_another_one_is_another() -> None:
    ids = [form_acts(form)[0]["race"] for form in (FORM, FORM, {**FORM, "name": "heat 2"})]
    assert ids[0] == ids[1] != ids[2]


def test_a_form_tells_grid_teams_points_and_the_fastest() -> None:
    more = {"grid": {"bea": 1}, "teams": {"Ana": "Rouge"}, "points": {"Cai": 4}, "fastest": "Bea"}
    ana, bea, cai, _ = form_acts({**FORM, **more})[0]["entries"]
    assert (ana["team"], bea["grid"], bea["fastest"], cai["points"]) == ("Rouge", 1, True, 4)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"order": ["Ana", "ANA"]}, "in the race twice"),
        ({"order": {"Ana": 1}}, "a form has order"),
        ({"order": [], "out": {}}, "entries is a list of 1 to"),
        ({"order": [7]}, "is a line of 1 to"),
        ({"date": "yesterday"}, "date is a date such as"),
        ({"fastest": "Eve"}, "'Eve' is not in the race"),
        ({"grid": ["Ana"]}, "grid is an object"),
        ({"round": 2}, "a round is one of a season"),
        ({"weather": "fine"}, "a form has no 'weather'"),
        ({"game": "chess"}, "game is one of"),
    ],
)
def test_a_form_that_cannot_be_understood_is_told(more: dict[str, Any], message: str) -> None:
    with pytest.raises(BadAct, match=message):
        race_acts({**FORM, **more})


def test_a_csv_file_has_several_races_a_line_a_car() -> None:
    text = (
        "Date,Race,Driver,Place,Status,Out,Fastest,Season\n"
        "2026-01-01,heat 1,Ana,1,,,yes,s\n2026-01-01,heat 1,Bea,2,out,engine,,\n"
        "2026-01-01,heat 2,Cai,1,,,,s\n"
    )
    acts = [format_act(act) for act in read(text.encode())]
    assert [act["act"] for act in acts] == ["race", "round", "race", "round"]
    assert acts[0]["entries"] == [
        {"name": "Ana", "place": 1, "fastest": True},
        {"name": "Bea", "place": 2, "status": "out", "out": "engine"},
    ]
    assert [act["season"] for act in acts[1::2]] == ["s", "s"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "date and driver are needed"),
        ("date,driver\n", "there is no race in it"),
        ("date,driver,mood\n", "not 'mood'"),
        ("date,driver\n2026-01-01,\n", "line 2: date and driver"),
        ("date,driver,place\n2026-01-01,Ana,first\n", "line 2: place is a whole number"),
        ("date,driver,fastest\n2026-01-01,Ana,maybe\n", "line 2: fastest is yes or no"),
        ("date,driver\n2026-01-01,Ana,7\n", "line 2 has more fields"),
        ("date,driver\r2026-01-01,Ana\r", "line ends with a carriage return alone"),
        ("date,driver\n2026-01-01,A\rna\n", "line ends with a carriage return alone"),
        (f"date,driver\n2026-01-01,{'A' * 200_000}\n", "line 2: field larger than"),
    ],
)
def test_a_csv_file_that_cannot_be_understood_is_told_with_its_line(
    text: str, message: str
) -> None:
    with pytest.raises(BadAct, match=message):
        read(text.encode())


def test_who_is_out_comes_last_and_points_go_with_the_place_fd_team_1() -> None:
    rows = rows_of({"name": "Ana", "status": "out"}, {"name": "Bea"})
    assert [(row.name, row.place, row.points) for row in rows] == [
        ("Bea", 1, 10),
        ("Ana", 2, 0),
    ]


def test_a_result_is_amended_car_by_car() -> None:
    rows = rows_of({"name": "Ana"}, {"name": "Bea"})
    fresh = change(rows, {"seat": 2, "name": "Eve"}, {"seat": 1, "grid": 4})
    told = [(r.seat, r.name, r.player) for r in fresh]
    assert told == [(2, "Eve", "Eve"), (1, "Ana", None)]
    assert [row.points for row in fresh] == [10, 8]
    with pytest.raises(BadAct, match="named twice"):
        change(rows, {"seat": 1}, {"seat": 1})
    with pytest.raises(BadAct, match="every car has a place, or none"):
        change(rows, {"seat": 1, "place": 1}, {"seat": 2})


def test_every_kind_of_act_can_be_carried_out() -> None:
    assert all(kind.do is not Act.do for kind in every_kind().values())


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (7, "an act is a JSON object"),
        ({"act": "note", "race": "a"}, "text is missing"),
        ({"act": "note", "race": "a", "text": "x", "mood": 1}, "has no 'mood'"),
        ({"act": "note", "race": "../a", "text": "x"}, "an id of 1 to 64"),
        ({"act": "note", "race": "a", "text": "\x07"}, "a text of 1 to"),
        ({"act": "season", "season": "s", "drops": True}, "a whole number"),
        ({"act": "season", "season": "s", "open": 1}, "true or false"),
        ({"act": "season", "season": "s", "points": 7}, "a text such as"),
        ({"act": "penalty", "driver": "A", "reason": "x", "disqualified": False}, "is true"),
        ({"act": "table", "table": "t", "key_sha256": "abc"}, "64 hexadecimal digits"),
        ({"act": "amend", "race": "a", "reason": "x", "entries": []}, "a list of 1 to"),
        ({"act": "amend", "race": "a", "reason": "x", "entries": [{}]}, "number 1 of entries"),
    ],
)
def test_an_act_of_another_form_is_told(act: Any, message: str) -> None:
    with pytest.raises(BadAct, match=message):
        parse_act(act)
