"""The hall: every live table on a card, whatever a table says; one answer for all viewers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.leagues.records import do

from companion.league.database import LIVE, FolderStorage
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.plain import LiveTable
from companion.league.receiving import LiveFiles
from companion_web.league import live as live_page
from companion_web.league.live import card_of

from .conftest import pages_of


def table_of(**more: Any) -> dict[str, Any]:
    cars = {
        str(seat): {"seat": seat, "name": name, "lap": 1, "status": status}
        for seat, name, status in (
            (1, "Ana", "finished"),
            (2, "Bea", "racing"),
            (3, "Cai", "out"),
            (4, "Dot", "racing"),
        )
    }
    order = [{"seat": seat} for seat in (1, 2, 4, 3)]
    state = {"phase": "race", "laps": 2, "turn": 2, "cars": cars, "classification": order}
    return {"title": "Monaco", "state": state, "running": [4, 2], "story": [], **more}


def card(state: Any) -> dict[str, Any]:
    return card_of(LiveTable("Table 1", 0.0, state))


def test_a_card_has_the_cars_as_they_lie_home_running_out() -> None:
    assert [car["name"] for car in card(table_of())["cars"]] == ["Ana", "Dot", "Bea", "Cai"]


def test_a_card_tells_the_last_of_the_story_in_all_languages() -> None:
    story = [{"en": str(n), "fr": str(n), "seat": 1, "rule": None} for n in range(9)]
    assert [one["en"] for one in card(table_of(story=story))["story"]] == ["7", "8"]


def test_a_table_that_is_late_is_marked_in_steps_of_ten_seconds() -> None:
    ages = (0.0, 44.9, 45.0, 49.9, 50.0, 89.0)
    told = [card_of(LiveTable("Table 1", age, table_of()))["silent"] for age in ages]
    assert told == [None, None, 40, 40, 50, 80]


def test_the_television_has_a_page_of_its_own_in_both_languages(reader: FlaskClient) -> None:
    for language, title in (("en", "Live tables"), ("fr", "Tables en direct")):
        reply = reader.get(f"/hall?lang={language}")
        assert title in reply.text
        assert "'unsafe-inline'" not in reply.headers["Content-Security-Policy"]
        assert " style=" not in reply.text


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"state": None, "story": None, "running": None},
        {"state": {"cars": {"1": {"lap": None}}}},
        {"state": None},
        {"state": {"cars": [1]}},
        {"state": {"phase": "lobby"}, "story": None},
    ],
)
def test_a_table_that_says_little_has_a_card_too(state: Any) -> None:
    assert card(state)["cars"] == []


def test_a_downforce_table_shows_its_players() -> None:
    players = {"1": {"name": "Ana"}, "2": {"name": "Bea"}}
    told = card({"state": {"phase": "auction", "players": players}})
    assert [one["name"] for one in told["cars"]] == ["Ana", "Bea"]


def test_tables_stand_as_people_count(client: FlaskClient, league: League) -> None:
    live = LiveFiles(league.storage)
    for name in ("Table 10", "Table 9", "Bar"):
        live.show(name, table_of())
    told = client.get("/api/league/live").json["tables"]
    assert [one["table"] for one in told] == ["Bar", "Table 9", "Table 10"]


def test_all_viewers_within_a_second_get_one_answer() -> None:
    asked: list[int] = []
    now = [100.0]

    class Counting:
        def show(self, table: str, state: Any) -> None:
            raise AssertionError

        def tables(self) -> list[LiveTable]:
            asked.append(1)
            return [LiveTable("One", 0.0, table_of())]

    lonely = Flask("companion_web")
    lonely.register_blueprint(live_page.blueprint(Counting(), lambda: now[0]))
    client = lonely.test_client()
    tag = client.get("/api/league/live").headers["ETag"]
    again = client.get("/api/league/live", headers={"If-None-Match": tag})
    assert (len(asked), again.status_code) == (1, 304)
    now[0] += live_page.FRESH_S
    client.get("/api/league/live")
    assert len(asked) == 2


ODD = [
    {"state": {"cars": {"1": {"seat": 1, "lap": "9"}}}},
    {"state": {"cars": {"1": {"seat": 1, "lap": [9]}, "2": {"seat": 2, "lap": 1}}}},
    {"story": 5},
    {"story": [5]},
    {"state": [1]},
    {"state": {"cars": {"1": {"seat": [1]}}}},
    {"state": {"players": 5}},
    {"state": {"players": {"x": {"name": "Ana"}}}},
    {"state": {"classification": 7}},
    {"running": [[1]]},
    {"running": {"1": 2}},
    {"seats": [{"seat": {}}]},
    {"title": {"of": "Monaco"}},
    {"state": {"phase": 3}},
    {"state": {"laps": "two", "cars": {"1": {"seat": 1, "lap": True}}}},
]


@pytest.mark.parametrize("report", ODD, ids=str)
def test_a_report_that_cannot_be_shown_is_refused_and_the_hall_goes_on(
    league: League, report: dict[str, Any]
) -> None:
    act = {"act": "table", "table": "one", "key_sha256": digest_of_key("k")}
    do(league, act, by="t")
    client = pages_of(league)
    hello = {"Authorization": "Bearer k"}
    assert client.put("/api/league/live", json=table_of(), headers=hello).status_code == 200
    refused = client.put("/api/league/live", json=report, headers=hello)
    assert (refused.status_code, len(refused.json["error"]["message"]) > 15) == (422, True)
    (shown,) = client.get("/api/league/live").json["tables"]
    assert shown["title"] == "Monaco"


@pytest.mark.parametrize("report", ODD, ids=str)
def test_what_an_older_server_has_kept_of_a_table_takes_the_hall_from_nobody(
    client: FlaskClient, league: League, report: dict[str, Any]
) -> None:
    live = LiveFiles(league.storage)
    live.show("Table 7", report)
    assert client.get("/api/league/live").status_code == 200
    assert "Table 7" in [one.table for one in live.tables()]
    json.dumps(card(report))


def test_a_file_of_a_live_table_that_is_no_report_is_passed_over(tmp_path: Path) -> None:
    live = LiveFiles(FolderStorage(tmp_path), clock=lambda: 0.0)
    live.show("one", {})
    for number, content in enumerate((b"", b"[]", b'{"table": 1}', b"\xff")):
        (tmp_path / LIVE / f"odd{number}.json").write_bytes(content)
    assert [one.table for one in live.tables()] == ["one"]


class Told(NamedTuple):
    """What the streams of a door would have been told, and a storage to report in."""

    versions: list[int]
    live: LiveFiles


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    live = LiveFiles(FolderStorage(tmp_path))
    live.show("Bar", table_of())
    versions: list[int] = []
    with live_page.LiveNews(live) as news:
        end = news.watch(lambda snapshot: versions.append(snapshot.version))
        assert [one["table"] for one in json.loads(news.snapshot().body)["tables"]] == ["Bar"]
        yield Told(versions, live)
        end()


def test_the_streams_are_told_when_a_table_reports_and_not_when_nothing_has_changed(
    told: Told,
) -> None:
    told.live.show("Bar", table_of())  # as it stood
    time.sleep(2.0)
    assert told.versions == [1]
    told.live.show("Bar", table_of(title="Spa"))
    end = time.monotonic() + 10
    while told.versions != [1, 2]:
        assert time.monotonic() < end, told.versions
        time.sleep(0.05)
