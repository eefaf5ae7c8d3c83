"""The hall: every live table on a card, whatever a table says; one answer for all viewers."""

from __future__ import annotations

import time
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.league.league import League
from companion.league.live import LiveFolder
from companion.league.ports import LiveTable
from companion_web.league import live_page


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
    return live_page.card_of(LiveTable("Table 1", 0.0, state))


def test_a_card_has_the_cars_as_they_lie_home_running_out() -> None:
    assert [car["name"] for car in card(table_of())["cars"]] == ["Ana", "Dot", "Bea", "Cai"]


def test_a_card_tells_the_last_of_the_story_in_all_languages() -> None:
    story = [{"en": str(n), "fr": str(n), "seat": 1, "rule": None} for n in range(9)]
    assert [one["en"] for one in card(table_of(story=story))["story"]] == ["7", "8"]


def test_a_table_that_is_late_is_marked_in_steps_of_ten_seconds() -> None:
    ages = (0.0, 44.9, 45.0, 49.9, 50.0, 89.0)
    told = [live_page.card_of(LiveTable("Table 1", age, table_of()))["silent"] for age in ages]
    assert told == [None, None, 40, 40, 50, 80]


def test_the_television_has_a_page_of_its_own_in_both_languages(reader: FlaskClient) -> None:
    for language, title in (("en", "Live tables"), ("fr", "Tables en direct")):
        reply = reader.get(f"/hall?lang={language}")
        assert title in reply.text
        assert "'unsafe-inline'" not in reply.headers["Content-Security-Policy"]
        assert " style=" not in reply.text


@pytest.mark.parametrize(
    "state",
    [{}, {"state": None}, {"state": {"cars": [1]}}, {"state": {"phase": "lobby"}, "story": None}],
)
def test_a_table_that_says_little_has_a_card_too(state: Any) -> None:
    assert card(state)["cars"] == []


def test_a_downforce_table_shows_its_players() -> None:
    players = {"1": {"name": "Ana"}, "2": {"name": "Bea"}}
    told = card({"state": {"phase": "auction", "players": players}})
    assert [one["name"] for one in told["cars"]] == ["Ana", "Bea"]


def test_tables_stand_as_people_count(reader: FlaskClient, kept_league: League) -> None:
    live = LiveFolder(kept_league.folder.acts / "live", time.time)
    for name in ("Table 10", "Table 9", "Bar"):
        live.show(name, table_of())
    told = reader.get("/api/league/live").json["tables"]
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
