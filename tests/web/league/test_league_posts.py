"""What the league's forms send: taken with the PIN, refused in a sentence, never half."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do

from companion.league.byhand import race_acts
from companion.league.errors import key_of
from companion.league.league import League
from companion.league.standings import Standing, standings

from .conftest import PIN, open_league, pages_of

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


def annie(league: League) -> None:
    """A race of somebody whose name is another spelling of one that is there."""
    league.do(*race_acts({"date": "2026-03-01", "order": ["Annie"], "season": "winter"}), by="t")


def test_names_are_merged_and_penalties_given(client: FlaskClient, league: League) -> None:
    annie(league)
    merge = {"act": "merge", "name": "Annie", "into": "Ana"}
    penalty = {"act": "penalty", "season": "winter", "driver": "Ana", "points": 2, "reason": "x"}
    assert post(client, "acts", {"acts": [merge, penalty]}).status_code == 200
    assert "annie" not in [driver.key for driver in league.queries.drivers()]
    assert league.queries.seasons()[0].penalties[0].points == 2


def test_what_acts_would_change_is_told_and_nothing_is_done(
    client: FlaskClient, league: League
) -> None:
    before, acts = league.history(), [{"act": "strike", "race": "driven", "reason": "x"}]
    told = {one.name: one.points for one in standings_of(league)}
    reply = post(client, "look", {"acts": acts})
    assert reply.status_code == 200
    (season,) = reply.json["seasons"]
    assert season["season"] == "Winter 2026"
    assert {one["name"]: one["points"] - one["added"] for one in season["lines"]}.items() <= (
        told.items()
    )
    assert league.history() == before
    assert {one.name: one.points for one in standings_of(league)} == told
    assert post(client, "acts", {"acts": acts}).status_code == 200
    after = {one.name: one.points for one in standings_of(league)}
    assert {one["name"]: one["points"] for one in season["lines"]}.items() <= after.items()
    undo = [{"act": "undo", "number": league.history()[-1]["n"]}]
    (season,) = post(client, "look", {"acts": undo}).json["seasons"]
    assert {one["name"]: one["points"] for one in season["lines"]}.items() <= told.items()
    assert league.history()[-1]["undone"] is None
    annie(league)
    merge = [{"act": "merge", "name": "Annie", "into": "Ana"}]
    lines = post(client, "look", {"acts": merge}).json["seasons"][0]["lines"]
    assert [one["name"] for one in lines if not one["place"]] == ["Annie"], "who leaves is told"
    refused = post(client, "look", {"acts": [{**merge[0], "name": "Bea"}]})
    assert refused.status_code == 400
    assert "Bea and Ana cannot be one person" in refused.text
    assert post(client, "look", {"acts": [{**acts[0], "race": "none"}]}).status_code == 400
    assert post(client, "look", {"acts": undo * 2}).status_code == 400, "each is a fold of all"
    assert client.post("/api/league/look", json={"acts": acts}).status_code == 401


def standings_of(league: League) -> list[Standing]:
    return standings(league.queries.the_season("winter"), league.queries.races())


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


SHEET = "date,race,driver\n2026-04-01,Night,Zoë\n2026-04-01,Night,Bea\n"


def test_a_file_is_looked_at_before_it_is_put_in(client: FlaskClient, league: League) -> None:
    windows = base64.b64encode(gzip.compress(SHEET.encode("cp1252"))).decode()
    told = post(client, "csv", {"file": windows, "look": True}).json
    assert told["found"] == [{"date": "2026-04-01", "name": "Night", "names": ["Zoë", "Bea"]}]
    assert len(league.queries.races()) == 2
    assert post(client, "csv", {"file": windows}).status_code == 200
    assert len(league.queries.races()) == 3


def test_a_file_that_was_corrected_amends_once_somebody_says_so(
    client: FlaskClient, league: League
) -> None:
    (race,) = post(client, "csv", {"text": SHEET}).json["races"]
    text = SHEET.replace("Zoë", "Zoe")
    refused = post(client, "csv", {"text": text})
    assert (refused.status_code, refused.json["error"]["args"]) == (409, {"races": [race]})
    assert post(client, "csv", {"text": text, "amend": True}).json["ok"]
    assert [one.name for one in league.queries.races(race=race)[0].entries] == ["Zoe", "Bea"]


@pytest.mark.parametrize("body", [{}, {"file": "!"}, {"file": "H4sIAAAA"}, {"file": ""}])
def test_what_is_no_file_is_refused(client: FlaskClient, body: Any) -> None:
    assert post(client, "csv", body).status_code == 400


def test_the_own_file_of_a_season_comes_back_in_through_the_page(
    client: FlaskClient, league: League
) -> None:
    export = client.get("/league/export/season/winter/csv").data
    told = post(client, "csv", {"file": base64.b64encode(export).decode()}).json
    assert told == {"ok": True, "act": None, "races": []}  # all of it is there


@pytest.mark.parametrize("title", ["Зима 2026", "Łódź 2026", "冬"])
def test_a_season_of_any_title_is_downloaded(
    client: FlaskClient, league: League, title: str
) -> None:
    do(league, {"act": "season", "season": title, "title": title}, by="t")
    key = key_of(title)
    reply = client.get(f"/league/export/season/{key}/csv")
    told = reply.headers["Content-Disposition"]
    assert reply.status_code == 200
    assert told.isascii()
    assert quote(f"{key}-csv.csv") in told


def test_forty_eight_people_are_entered_in_one_paste(client: FlaskClient, league: League) -> None:
    names = "\n".join(f"{n}. Driver {n}x" for n in range(1, 49))
    assert post(client, "enter", {"season": "winter", "names": names}).status_code == 200
    assert len(league.queries.seasons("winter")[0].entrants) == 48
    assert post(client, "enter", {"season": "winter", "names": "  "}).status_code == 400


def test_the_first_race_that_somebody_tells_makes_the_season_of_its_year(tmp_path: Path) -> None:
    with open_league(tmp_path / "empty") as league:
        told = post(pages_of(league), "race", {"date": "2025-12-30", "order": "1. Ana\n2. Bea"})
        assert told.status_code == 200
        assert [(one.key, one.is_open) for one in league.queries.seasons()] == [("2025", True)]
        assert [race.round for race in league.queries.races(season="2025")] == [1]
