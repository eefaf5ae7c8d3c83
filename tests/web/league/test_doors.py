"""Who may do what on the page, and what strangers do not see."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do

from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.table.ports import Caller
from companion_web.guard import Guard, KeeperPin, PinBrake
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

from .conftest import PIN

PENALTY = {"act": "penalty", "race": "driven", "driver": "Ana", "places": 1, "reason": "late"}
PROTEST = {"act": "protest", "race": "driven", "driver": "Bea", "reason": "the die"}
PAGES = (
    "/league/",
    "/league/races",
    "/league/races/driven",
    "/league/drivers",
    "/league/boards",
    "/league/seasons/winter",
    "/league/drivers/ana",
    "/league/enter",
    "/league/drivers/bea",
    "/api/league/races/driven/replay.en",
    "/ergast/f1/winter/results.json",
    "/ergast/f1/winter/drivers.json",
    "/league/export/season/winter/acts",
    "/league/export/season/winter/csv",
    "/league/export/race/driven/record",
)


def post(client: FlaskClient, path: str, body: Any, key: str = PIN) -> Any:
    headers = {"Authorization": f"Bearer {key}"}
    return client.post(f"/api/league/{path}", json=body, headers=headers)


def act(client: FlaskClient, what: dict[str, Any], key: str) -> int:
    return int(post(client, "acts", {"acts": [what]}, key).status_code)


@pytest.fixture
def keys(client: FlaskClient) -> dict[str, str]:
    """A key for somebody in each role, made on the page."""
    people = {"organiser": "Olga", "steward": "Cai", "driver": "Bea"}
    return {
        role: post(client, "keys", {"person": name, "role": role}).json["key"]
        for role, name in people.items()
    }


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        ("organiser", {"penalty", "protest", "season", "race"}),
        ("steward", {"penalty", "protest"}),
        ("driver", {"protest"}),
    ],
)
def test_each_role_does_what_is_its_own(
    client: FlaskClient, keys: dict[str, str], role: str, allowed: set[str]
) -> None:
    form = {"date": "2026-03-01", "order": ["Cai", "Ana"]}
    done = {
        "penalty": act(client, PENALTY, keys[role]),
        "protest": act(client, PROTEST, keys[role]),
        "season": act(client, {"act": "season", "season": "x"}, keys[role]),
        "race": post(client, "race", form, keys[role]).status_code,
    }
    assert {what for what, status in done.items() if status == 200} == allowed
    assert {status for what, status in done.items() if what not in allowed} <= {403}


def test_a_driver_protests_in_no_other_name(client: FlaskClient, keys: dict[str, str]) -> None:
    assert act(client, {**PROTEST, "driver": "Ana"}, keys["driver"]) == 403


def test_who_did_what_is_a_person(
    client: FlaskClient, keys: dict[str, str], league: League
) -> None:
    number = post(client, "acts", {"acts": [PROTEST]}, keys["driver"]).json["act"]
    decision = {"act": "decide", "protest": number, "upheld": True, "reason": "seen"}
    assert act(client, decision, keys["steward"]) == 200
    (race,) = league.queries.races(race="driven")
    assert [(one.driver, one.upheld, one.decided_by) for one in race.protests] == [
        ("bea", True, "Cai")
    ]
    assert "Cai" in client.get("/league/races/driven").text


def test_only_an_organiser_makes_keys_and_forgets(
    client: FlaskClient, keys: dict[str, str]
) -> None:
    for role, status in (("steward", 403), ("driver", 403), ("organiser", 200)):
        body = {"person": "Eve", "role": "steward"}
        assert post(client, "keys", body, keys[role]).status_code == status
        assert post(client, "forget", {"driver": "Ana"}, keys[role]).status_code == status
    assert "Ana" not in client.get("/league/races/driven").text


def test_a_key_that_was_taken_away_opens_nothing_and_is_nowhere_in_a_file(
    client: FlaskClient, keys: dict[str, str], league: League
) -> None:
    for path in league.folder.data.rglob("*"):
        assert path.is_dir() or keys["steward"].encode() not in path.read_bytes()
    assert act(client, {"act": "close-person", "person": "Cai"}, keys["organiser"]) == 200
    assert act(client, PENALTY, keys["steward"]) == 401
    league.rebuild()
    assert act(client, PENALTY, keys["steward"]) == 401
    assert act(client, PROTEST, keys["driver"]) == 200


def test_a_table_gets_its_key_on_the_page(client: FlaskClient, league: League) -> None:
    key = post(client, "keys", {"table": "Table 3"}).json["key"]
    assert league.table_of(key) == "Table 3"
    assert act(client, {"act": "close-table", "table": "Table 3"}, PIN) == 200
    assert league.table_of(key) is None


@pytest.mark.parametrize("kind", ["received", "person", "table", "forget"])
def test_acts_that_carry_what_only_the_program_knows_are_not_taken_from_a_page(
    client: FlaskClient, kind: str
) -> None:
    assert act(client, {"act": kind}, PIN) == 400


def test_keys_are_guessed_as_seldom_as_at_the_table_s_door(league: League) -> None:
    guard = Guard(KeeperPin(PIN), pins=PinBrake(clock=lambda: 0.0))
    access = LeagueAccess(league.public, league, guard)
    client = create_league_app(access=access).test_client()
    statuses = [post(client, "acts", {}, f"{n:08}").status_code for n in range(130)]
    assert (statuses[0], statuses[-1]) == (401, 429)


def test_a_hidden_driver_is_nowhere_to_be_seen(client: FlaskClient, league: League) -> None:
    do(
        league,
        {"act": "note", "race": "driven", "text": "Bea spilled her tea"},
        {"act": "penalty", "race": "driven", "driver": "Bea", "points": 1, "reason": "Bea: late"},
        {"act": "hide", "driver": "Bea"},
        by="t",
    )
    for path in PAGES:
        reply = client.get(f"{path}?lang=en")
        assert "Bea" not in reply.text, path
    assert client.get("/league/drivers/bea").status_code == 404
    (race,) = league.queries.races(race="driven")
    assert "Bea" in [entry.name for entry in race.entries]
    do(league, {"act": "reveal", "driver": "Bea"}, by="t")
    assert "Bea" in client.get("/league/races/driven").text


def test_a_private_season_is_not_to_be_seen_nor_are_its_races(
    client: FlaskClient, league: League
) -> None:
    do(league, {"act": "season", "season": "winter", "private": True}, by="t")
    for path in PAGES:
        reply = client.get(f"{path}?lang=en")
        assert "Winter 2026" not in reply.text, path
        assert "/league/races/driven" not in reply.text, path
    for path in ("seasons/winter", "races/driven", "races/driven/circuit.svg"):
        assert client.get(f"/league/{path}").status_code == 404


def test_robots_are_told_to_stay_away(client: FlaskClient) -> None:
    assert "Disallow: /\n" in client.get("/robots.txt").text
    assert client.get("/league/races").headers["X-Robots-Tag"] == "noindex, nofollow"


def test_the_hall_names_nobody_who_is_hidden_or_was_forgotten(
    client: FlaskClient, league: League
) -> None:
    do(league, {"act": "table", "table": "one", "key_sha256": digest_of_key("k")}, by="t")
    do(league, {"act": "hide", "driver": "Bea"}, by="t")
    league.forget("Ana", by="t")
    cars = {str(n): {"seat": n, "name": name} for n, name in enumerate(("Ana", "Bea", "Cai"), 1)}
    report = {"state": {"cars": cars}, "story": [{"en": "Ana leads", "seat": 1}]}
    client.put("/api/league/live", json=report, headers={"Authorization": "Bearer k"})
    told = json.dumps(client.get("/api/league/live").json)
    assert ("Ana" in told, "Bea" in told, "Cai" in told) == (False, False, True)


class AtTable(KeeperPin):
    """The keys of a table: the first seat's is the host's."""

    def holder(self, token: str) -> Caller | None:
        seats = {"h" * 30: Caller(seat=1, host=True), "g" * 30: Caller(seat=2)}
        return seats.get(token)


def test_the_phone_of_the_host_does_the_three_things_of_friends_without_a_pin(
    league: League,
) -> None:
    access = LeagueAccess(league.public, league, Guard(AtTable(PIN)))
    client = create_league_app(access=access).test_client()

    def post(path: str, body: Any, key: str = "h" * 30) -> int:
        headers = {"Authorization": f"Bearer {key}"}
        return client.post(f"/api/league/{path}", json=body, headers=headers).status_code

    evening = {"date": "2026-03-01", "order": "Anna\nBea", "season": "winter"}
    merge = {"acts": [{"act": "merge", "name": "Anna", "into": "Ana"}]}
    day = {"act": "amend", "race": "driven", "reason": "the photo", "date": "2026-01-06"}
    assert [post("race", evening, "g" * 30), post("acts", merge, "g" * 30)] == [403, 403]
    assert [post("race", evening), post("acts", {"acts": [day]}), post("acts", merge)] == [200] * 3
    assert league.history()[-1]["by"] == "page (seat 1)"
    for act in (
        {"act": "strike", "race": "driven", "reason": "x"},
        {"act": "hide", "driver": "Ana"},
    ):
        assert post("acts", {"acts": [act]}) == 403
    assert post("forget", {"driver": "Ana"}) == 403
