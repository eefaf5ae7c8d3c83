"""What the league's forms send: taken with the PIN, refused in a sentence, never half."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.league.league import League

from .conftest import PIN

RACE = {"date": "2026-03-01", "order": ["Cai", "Ana"], "out": {"Bea": "body"}, "season": "winter"}


def post(client: FlaskClient, path: str, body: Any, pin: str = PIN) -> Any:
    headers = {"Authorization": f"Bearer {pin}", "X-Language": "fr"}
    return client.post(f"/api/league/{path}", json=body, headers=headers)


def test_a_race_told_by_form_is_the_next_round(client: FlaskClient, league: League) -> None:
    reply = post(client, "race", RACE)
    assert reply.status_code == 200
    (race,) = league.queries.races(race=reply.json["races"][0])
    assert [entry.name for entry in race.entries] == ["Cai", "Ana", "Bea"]
    assert (race.season, race.round) == ("winter", 3)


def test_the_same_form_sent_twice_is_one_race(client: FlaskClient, league: League) -> None:
    post(client, "race", RACE)
    assert post(client, "race", RACE).status_code == 400
    assert len(league.queries.races()) == 3


def test_races_come_by_csv(client: FlaskClient, league: League) -> None:
    text = "date;driver;place\n2026-04-01;Ana;2\n2026-04-01;Bea;1\n"
    assert post(client, "csv", {"text": text}).status_code == 200
    assert len(league.queries.races()) == 3


def test_names_are_merged_and_penalties_given(client: FlaskClient, league: League) -> None:
    merge = {"act": "merge", "name": "Bea", "into": "Ana"}
    penalty = {"act": "penalty", "season": "winter", "driver": "Ana", "points": 2, "reason": "x"}
    assert post(client, "acts", {"acts": [merge, penalty]}).status_code == 200
    assert "bea" not in [driver.key for driver in league.queries.drivers()]
    assert league.queries.seasons()[0].penalties[0].points == 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("race", {}),
        ("race", {**RACE, "order": {"Ana": 1}}),
        ("race", {**RACE, "season": "summer"}),
        ("csv", {"text": 7}),
        ("csv", {"text": "x"}),
        ("acts", {}),
        ("acts", {"acts": []}),
        ("acts", {"acts": ["merge"]}),
        ("acts", {"acts": [{"act": "merge", "name": "Ana", "into": "Ana"}]}),
        ("acts", {"acts": [{"act": "table", "table": "x", "key_sha256": "0" * 64}]}),
    ],
)
def test_what_has_no_sense_is_refused_and_changes_nothing(
    reader: FlaskClient, kept_league: League, path: str, body: Any
) -> None:
    before = (
        kept_league.queries.races(),
        kept_league.queries.drivers(),
        kept_league.queries.seasons(),
    )
    reply = post(reader, path, body)
    assert reply.status_code == 400
    assert len(reply.json["error"]["message"]) > 15
    assert before == (
        kept_league.queries.races(),
        kept_league.queries.drivers(),
        kept_league.queries.seasons(),
    )


@pytest.mark.parametrize("path", ["race", "csv", "acts"])
def test_without_the_pin_nothing_is_taken(reader: FlaskClient, path: str) -> None:
    assert post(reader, path, RACE, pin="0000").status_code == 401
    assert reader.post(f"/api/league/{path}", json=RACE).status_code == 401


def test_a_post_of_another_site_is_refused(reader: FlaskClient) -> None:
    headers = {"Authorization": f"Bearer {PIN}", "Origin": "http://elsewhere.example"}
    assert reader.post("/api/league/race", json=RACE, headers=headers).status_code == 403
