"""A marshal's phone: the results of one table, entered, confirmed, amended, penalized."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do

from companion.league.errors import BadAct
from companion.league.federation.stages import table_sheets
from companion.league.league import League

from .conftest import PIN


def post(client: FlaskClient, path: str, body: Any, key: str = PIN) -> Any:
    return client.post(f"/api/league/{path}", json=body, headers={"Authorization": f"Bearer {key}"})


@pytest.fixture
def day(league: League) -> League:
    """Heats of four at two tables, one record provisional at each."""
    names = ("Ana", "Bea", "Cai", "Dot")
    do(
        league,
        {"act": "season", "season": "heats", "title": "Heats", "open": True, "current_round": 1},
        {"act": "plan", "season": "heats", "round": 1, "board": "Monza", "weather": "rain"},
        *(
            {
                "act": "enter",
                "season": "heats",
                "driver": name,
                "number": n,
                "table": f"{1 + n // 2}",
                "grid": 2 - n % 2,
            }
            for n, name in enumerate(names)
        ),
        by="t",
    )
    return league


@pytest.fixture
def key(client: FlaskClient, day: League) -> str:
    told = post(client, "keys", {"person": "Max", "role": "marshal", "table": "2"})
    return str(told.json["key"])


RESULT = {
    "date": "2026-03-01",
    "season": "heats",
    "round": 1,
    "table": "2",
    "order": ["Dot", "Cai"],
    "times": {"Dot": 61.5, "Cai": 63},
    "grid": {"Dot": 1, "Cai": 2},
}


def test_a_marshal_enters_amends_and_penalizes_the_race_of_the_own_table(
    client: FlaskClient, key: str, league: League
) -> None:
    told = post(client, "race", RESULT, key)
    assert told.status_code == 200, told.text
    (race,) = told.json["races"]
    assert post(client, "race", RESULT, key).status_code == 400  # pressed twice
    penalty = {"act": "penalty", "race": race, "driver": "Dot", "seconds": 5, "reason": "jumped"}
    amend = {"act": "amend", "race": race, "reason": "swapped"}
    entries = [{"seat": 1, "place": 1}, {"seat": 2, "place": 2}]
    for act in (penalty, {**amend, "entries": entries}):
        assert post(client, "acts", {"acts": [act]}, key).status_code == 200
    (found,) = league.queries.races(race=race)
    assert (found.sender, found.season, found.round) == ("2", "heats", 1)
    page = client.get(f"/league/races/{race}").text
    assert "5 seconds" in page
    assert "without effect" not in page


def test_a_marshal_does_nothing_at_another_table_and_bans_nobody(
    client: FlaskClient, key: str, league: League
) -> None:
    mine = post(client, "race", RESULT, key).json["races"][0]
    there = post(
        client, "race", {**RESULT, "table": "1", "order": ["Ana"], "times": {}, "grid": {}}
    )
    assert there.status_code == 200
    theirs = there.json["races"][0]
    reason = {"reason": "x"}
    refused = [
        {"act": "penalty", "race": theirs, "driver": "Ana", "places": 1, **reason},
        {"act": "penalty", "race": "driven", "driver": "Ana", "places": 1, **reason},
        {"act": "penalty", "race": mine, "driver": "Dot", "ban": 1, **reason},
        {"act": "penalty", "season": "heats", "driver": "Dot", "points": 1, **reason},
        {"act": "amend", "race": theirs, "entries": [{"seat": 1}], **reason},
        {"act": "confirm", "race": theirs},
        {"act": "round", "race": theirs, "season": None},
        {"act": "strike", "race": mine, **reason},
        {"act": "season", "season": "x"},
    ]
    for act in refused:
        assert post(client, "acts", {"acts": [act]}, key).status_code == 403, act
    for table in ({"table": "1"}, {"table": None}):
        assert post(client, "race", {**RESULT, **table}, key).status_code == 403
    assert post(client, "draw", {"season": "heats", "late": True}, key).status_code == 403


def test_a_marshal_confirms_what_the_table_sent(
    client: FlaskClient, key: str, league: League
) -> None:
    race = post(client, "race", RESULT, key).json["races"][0]
    do(league, {"act": "received", "race": race, "table": "2", "provisional": True}, by="2")
    assert "Confirm" in client.get("/league/tables/2").text
    assert (
        post(client, "acts", {"acts": [{"act": "confirm", "race": race}]}, key).status_code == 200
    )
    assert not league.queries.races(race=race)[0].provisional


def test_a_marshal_has_a_table_and_nobody_else(client: FlaskClient, league: League) -> None:
    assert post(client, "keys", {"person": "Max", "role": "marshal"}).status_code == 400
    told = post(client, "keys", {"person": "Max", "role": "steward", "table": "2"})
    assert told.status_code == 400
    with pytest.raises(BadAct, match="a marshal has a table"):
        do(
            league,
            {"act": "person", "person": "M", "role": "marshal", "key_sha256": "0" * 64},
            by="t",
        )


def test_the_page_of_a_table_shows_who_drives_with_the_grid_and_the_weather(
    client: FlaskClient, day: League
) -> None:
    page = client.get("/league/tables/2").text
    for text in ("Heats", "Monza", "rain", "Cai", "Dot"):
        assert text in page
    assert "Ana" not in page.split("<datalist")[0]
    assert "Nobody drives at this table now." in client.get("/league/tables/7").text


def test_who_comes_late_sits_at_the_emptiest_table_at_the_end_of_the_grid(
    client: FlaskClient, day: League
) -> None:
    do(day, {"act": "enter", "season": "heats", "driver": "Eve", "number": 9}, by="t")
    do(day, {"act": "scratch", "season": "heats", "driver": "Bea"}, by="t")
    told = post(client, "draw", {"season": "heats", "late": True})
    assert told.json == {"ok": True, "drawn": ["Eve"], "banned": []}
    first, _ = table_sheets(day.queries, "heats")
    assert [(car.name, car.grid) for car in first.cars] == [("Ana", 1), ("Eve", 2)]
    assert post(client, "draw", {"season": "heats", "late": True}).status_code == 400


def test_what_is_printed_is_shown_with_its_own_style_and_no_script(
    client: FlaskClient, day: League
) -> None:
    organise = client.get("/league/seasons/heats/entries").text
    for form in ("forms", "grids", "cards"):
        address = f"/league/export/season/heats/{form}"
        assert address in organise
        told = client.get(address)
        assert (told.status_code, told.mimetype) == (200, "text/html")
        assert told.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src")
        assert "attachment" not in told.headers.get("Content-Disposition", "")
        assert address not in client.get("/league/seasons/heats").text
    assert client.get("/league/export/season/winter/cards").status_code == 404
    assert client.get("/league/export/race/driven/cards").status_code == 404
