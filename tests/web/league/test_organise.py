"""What the command line can do, a form can; what drivers may say by their link; the calendar."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do

from companion.league.acts import every_kind
from companion.league.database import Ask
from companion.league.keeping import digest_of_key
from companion.league.league import League

from .conftest import PIN, open_league, pages_of

KEEPER = {"Authorization": f"Bearer {PIN}"}
OWN_FORMS = {"race", "amend"}
"""Acts whose forms are more than their fields: a race by hand, and the cars of a result."""
BY_SCRIPT = {"merge", "penalty", "season", "confirm", "protest"}
"""Acts that a form of league-enter.js comes to."""


def everything(league: League) -> None:
    """A stage with all that a form can be about, and races that are struck, judged, objected to."""
    do(
        league,
        {"act": "competition", "competition": "club", "title": "Club"},
        {"act": "season", "season": "winter", "competition": "club"},
        {"act": "season", "season": "next"},
        {"act": "path", "season": "winter", "into": "next", "first": 1, "last": 1},
        {"act": "enter", "season": "winter", "driver": "Zoe", "number": 4},
        {"act": "plan", "season": "winter", "round": 9, "board": "Monza", "cancelled": "snow"},
        {"act": "penalty", "season": "winter", "driver": "Zoe", "points": 0.5, "reason": "late"},
        {"act": "penalty", "race": "driven", "driver": "Ana", "licence": 3, "reason": "bumped"},
        {"act": "strike", "race": "driven", "reason": "wrong board"},
        {"act": "protest", "race": "driven", "driver": "Bea", "reason": "loaded dice"},
        by="t",
    )


def test_every_act_that_a_page_may_send_has_a_form(client: FlaskClient, league: League) -> None:
    pages = (
        "enter",
        "acts",
        "competitions",
        "competitions/club",
        "seasons/winter/organise",
        "seasons/winter/entries",
    )
    everything(league)
    told = [client.get(f"/league/{page}").text for page in (*pages, "races/driven/amend")]
    do(league, {"act": "restore", "race": "driven"}, by="t")
    told.append(client.get("/league/races/driven/amend").text)
    forms = set(re.findall(r'data-act="([a-z-]+)"', "".join(told)))
    may = {kind for kind, act in every_kind().items() if act.may}
    assert may - forms <= OWN_FORMS | BY_SCRIPT
    assert 'data-form="amend"' in "".join(told)
    assert 'data-form="race"' in "".join(told)


def test_pages_of_a_stage_show_what_it_has(client: FlaskClient, league: League) -> None:
    everything(league)
    page = client.get("/league/seasons/winter").text
    for text in ("Zoe", "Monza", "called off: snow", "0.5 points taken", "/competitions/club"):
        assert text in page
    assert "Winter 2026" in client.get("/league/competitions/club").text
    ics = client.get("/league/export/season/winter/calendar")
    assert (ics.status_code, ics.mimetype) == (200, "text/calendar")


def test_who_goes_on_is_entered_by_one_press_and_only_once(
    client: FlaskClient, league: League
) -> None:
    everything(league)
    body = {"season": "winter"}
    assert client.post("/api/league/qualify", json=body).status_code == 401
    reply = client.post("/api/league/qualify", json=body, headers=KEEPER)
    assert reply.json == {"ok": True, "entered": ["Bea"]}
    (stage,) = league.queries.seasons("next")
    assert [(one.name, one.via) for one in stage.entrants] == [("Bea", "winter")]
    again = client.post("/api/league/qualify", json=body, headers=KEEPER)
    assert again.status_code == 400
    assert "nobody goes on" in again.json["error"]["message"]


def test_tables_are_drawn_by_one_press(client: FlaskClient, league: League) -> None:
    everything(league)
    do(league, {"act": "enter", "season": "winter", "driver": "Yan"}, by="t")
    body = {"season": "winter", "tables": 2, "how": "lot"}
    reply = client.post("/api/league/draw", json=body, headers=KEEPER)
    assert sorted(reply.json["drawn"]) == ["Yan", "Zoe"]
    (season,) = league.queries.seasons("winter")
    assert {one.table for one in season.entrants} == {"1", "2"}
    for wrong in (
        {"tables": 3},
        {"tables": "2"},
        {"how": "luck"},
        {"season": 4},
        {"tables": True},
        {"grid": "x"},
    ):
        reply = client.post("/api/league/draw", json=body | wrong, headers=KEEPER)
        assert reply.status_code == 400


def test_what_another_process_has_entered_is_drawn(league: League, tmp_path: Path) -> None:
    do(league, {"act": "season", "season": "next"}, by="t")
    with open_league(tmp_path) as other:
        other.catch_up()
        there = pages_of(other)
        for name in "ABCD":
            do(league, {"act": "enter", "season": "next", "driver": name}, by="t")
        body = {"season": "next", "tables": 2, "how": "lot"}
        reply = there.post("/api/league/draw", json=body, headers=KEEPER)
    assert sorted(reply.json["drawn"]) == ["A", "B", "C", "D"]


def test_a_hidden_driver_goes_on_under_the_own_name(client: FlaskClient, league: League) -> None:
    everything(league)
    do(league, {"act": "hide", "driver": "Bea"}, by="t")
    page = client.get("/league/seasons/winter/entries").text
    assert "Bea" not in page
    client.post("/api/league/qualify", json={"season": "winter"}, headers=KEEPER)
    (stage,) = league.queries.seasons("next")
    assert [one.name for one in stage.entrants] == ["Bea"]
    assert "Bea" not in client.get("/league/seasons/next").text


@pytest.mark.parametrize(("driver", "status"), [("Bea", 200), ("Ana", 403)])
def test_drivers_say_by_their_link_whether_they_come_themselves(
    client: FlaskClient, league: League, driver: str, status: int
) -> None:
    everything(league)
    key = "k" * 32
    do(
        league,
        {"act": "person", "person": "Bea", "role": "driver", "key_sha256": digest_of_key(key)},
        {"act": "plan", "season": "winter", "round": 9, "cancelled": None},
        by="t",
    )
    act = {"act": "come", "season": "winter", "round": 9, "driver": driver, "comes": True}
    reply = client.post(
        "/api/league/acts", json={"acts": [act]}, headers={"Authorization": f"Bearer {key}"}
    )
    assert reply.status_code == status
    (season,) = league.queries.seasons("winter")
    assert season.calendar[0].coming == (("bea",) if status == 200 else ())


PAGES = (
    "seasons/s0",
    "competitions/club",
    "seasons/s0/entries",
    "seasons/s0/organise",
    "races/r0/amend",
    "seasons",
)


def stage(number: int) -> list[dict[str, object]]:
    """A stage with an entry list, a calendar and a race."""
    key, cars = f"s{number}", [{"name": f"D{n}"} for n in range(4)]
    race = {"race": f"r{number}", "date": "2026-01-01", "game": "formula-d", "entries": cars}
    return [
        {"act": "season", "season": key, "competition": "club"},
        *({"act": "enter", "season": key, "driver": f"D{n}"} for n in range(4)),
        {"act": "plan", "season": key, "round": 2},
        {"act": "race", **race},
        {"act": "round", "race": f"r{number}", "season": key},
    ]


def test_a_page_asks_as_many_questions_of_one_stage_as_of_twelve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, ask = [], Ask.__call__
    for stages in (1, 12):
        with League(tmp_path / f"{stages}", now=str) as league, monkeypatch.context() as patched:
            do(league, {"act": "competition", "competition": "club"}, by="t")
            do(league, *(act for n in range(stages) for act in stage(n)), by="t")
            client, asked = pages_of(league), Counter[str]()
            page = ""

            def note(own: Ask, sql: str, *values: object) -> list[Any]:
                asked.update([page])  # noqa: B023  # the page of now is meant
                return ask(own, sql, *values)

            patched.setattr(Ask, "__call__", note)
            for page in PAGES:
                assert client.get(f"/league/{page}").status_code == 200
            counts.append(asked)
    assert counts[0] == counts[1]
    assert all(1 <= counts[0][page] <= 3 for page in PAGES)


def test_a_lobby_is_told_the_entry_list_of_the_open_season_and_no_hidden_name(
    league: League, client: FlaskClient
) -> None:
    car = {"act": "enter", "season": "winter", "driver": "Rapid", "crew": ["Eve", "Fay"]}
    own = {"act": "enter", "season": "winter", "driver": "Ana", "number": 7, "color": "red"}
    do(league, car, {**own, "team": "Bleu"}, {"act": "hide", "driver": "Fay"}, by="t")
    told = client.get("/api/league/entries").get_json()
    ana, rapid = told["entries"]
    assert told["season"] == "winter"
    assert ana == {"name": "Ana", "number": 7, "color": "red", "team": "Bleu", "crew": []}
    assert (rapid["name"], rapid["crew"][0]) == ("Rapid", "Eve")
    assert "Fay" not in str(told)
    do(league, {"act": "season", "season": "winter", "private": True}, by="t")
    assert client.get("/api/league/entries").get_json() == {"season": None, "entries": []}
