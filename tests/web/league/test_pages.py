"""The league's pages: what they say, in two languages, and that names stay text."""

from __future__ import annotations

import re
import sqlite3
from base64 import b64encode
from collections import OrderedDict
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do, keep, raced

from companion.league import charts as printing
from companion.league.database import Sqlite
from companion.league.league import League
from companion_web.guard import Guard, KeeperPin
from companion_web.league import drawings
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

from .conftest import NASTY, PIN, open_league, pages_of

ADDRESSES = (
    "/league/seasons/winter",
    "/league/races",
    "/league/races/driven",
    "/league/drivers",
    "/league/drivers/ana",
    "/league/boards",
    "/league/enter",
    "/league/competitions",
    "/league/seasons/winter/organise",
    "/league/seasons/winter/entries",
    "/league/races/driven/amend",
)


def text_of(reply: Any) -> str:
    """What stands on a page for people: no markup, and no words that only its script knows."""
    body = re.sub(r'data-words="[^"]*"', "", reply.get_data(as_text=True))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_answers_in_both_languages(
    reader: FlaskClient, address: str, language: str
) -> None:
    reply = reader.get(f"{address}?lang={language}")
    assert (reply.status_code, reply.headers["Content-Language"]) == (200, language)
    assert "unsafe" not in reply.headers["Content-Security-Policy"]
    assert "<b>Zo" not in re.sub(r'data-words="[^"]*"', "", reply.get_data(as_text=True))
    told = text_of(reply)
    assert "lg." not in told
    assert ("Pilotes" if language == "fr" else "Drivers") in told


def test_the_first_page_is_the_newest_season(reader: FlaskClient) -> None:
    assert reader.get("/league").headers["Location"] == "/league/seasons/winter"


def test_the_standings_have_a_column_a_round_and_the_total(reader: FlaskClient) -> None:
    told = text_of(reader.get("/league/seasons/winter?lang=en"))
    assert re.search(r"1 (Ana|Bea) 1[68]", told)
    assert "Monza" in told
    assert "Le Manège" in told


def test_a_race_tells_its_result_its_figures_and_its_laps(reader: FlaskClient) -> None:
    reply = reader.get("/league/races/driven?lang=en")
    told = text_of(reply)
    assert NASTY in told
    for part in ("Result", "Positions", "Gaps", "Lap chart", "luck of the dice", "The race again"):
        assert part in told
    assert re.search(r"kept others waiting \d+:\d\d", told)


def test_a_race_entered_by_hand_has_no_charts_and_nothing_to_see_again(
    reader: FlaskClient, by_hand: str
) -> None:
    told = text_of(reader.get(f"/league/races/{by_hand}?lang=en"))
    assert "out: no engine left" in told
    assert "Positions" not in told
    assert "The race again" not in told
    assert reader.get(f"/league/races/{by_hand}/positions.en.svg").status_code == 404
    assert reader.get(f"/api/league/races/{by_hand}/replay.en").status_code == 404


def test_a_race_of_the_basic_game_is_told_in_points(tmp_path: Path) -> None:
    """FD-BASIC-2: in a league its wear is of one pool, and a car is out for want of points."""
    keep(tmp_path, raced("first", ("Ana", "Bea"), seed=3, rules=["basic"]))
    with open_league(tmp_path) as league:
        told = text_of(pages_of(league).get("/league/races/first?lang=fr"))
    assert re.search(r"points d’usure perdus (\d+ )+points (\d+ )+", told)
    assert "moteur" not in told
    assert "pneus" not in told


def test_struck_amended_and_penalized_is_told(client: FlaskClient, league: League) -> None:
    do(
        league,
        {"act": "penalty", "race": "driven", "driver": "Ana", "reason": "late", "places": 1},
        {"act": "note", "race": "driven", "text": "rain outside"},
        {
            "act": "amend",
            "race": "driven",
            "reason": "miscounted",
            "entries": [{"seat": 3}, {"seat": 2}, {"seat": 1}],
        },
        {"act": "strike", "race": "driven", "reason": "a test"},
        by="t",
    )
    told = text_of(client.get("/league/races/driven?lang=en"))
    for part in ("counts no more: a test", "late", "rain outside", "miscounted"):
        assert part in told


def test_a_driver_page_tells_form_rating_and_rivals(reader: FlaskClient) -> None:
    told = text_of(reader.get("/league/drivers/bea?lang=en"))
    for part in ("Bea", "Rating", "Form", "Head to head", "Ana", "waited for others"):
        assert part in told


def test_the_charts_are_svg_in_the_language_that_was_asked_for(reader: FlaskClient) -> None:
    chart = reader.get("/league/seasons/winter/progress.fr.svg")
    assert (chart.status_code, chart.mimetype) == (200, "image/svg+xml")
    assert "manche" in chart.get_data(as_text=True)
    kept = reader.get(
        "/league/seasons/winter/progress.fr.svg", headers={"If-None-Match": chart.headers["ETag"]}
    )
    assert kept.status_code == 304
    narrow = reader.get("/league/races/driven/gaps.en.svg?size=narrow").get_data(as_text=True)
    assert 'viewBox="0 0 331.2' in narrow


def test_without_the_extra_there_are_charts_but_no_page_names_a_picture(
    kept_league: League,
) -> None:
    access = LeagueAccess(kept_league.queries, kept_league, Guard(KeeperPin(PIN)), draws=False)
    client = create_league_app(access=access).test_client()
    page = client.get("/league/races/driven").text
    assert "gaps.en.svg" in page
    assert client.get("/league/races/driven/gaps.en.svg").status_code == 200
    assert "picture" not in re.findall(r"og:image|/export/race/driven/([a-z-]+)", page)
    assert "og:image" not in page
    assert client.get("/league/export/race/driven/picture").status_code == 404


@pytest.mark.parametrize(
    ("of", "key", "form", "told"),
    [
        ("season", "winter", "report", "Standings"),
        ("season", "winter", "year-book", "Round 1: "),
        ("race", "driven", "race-report", "Result"),
    ],
)
def test_without_weasyprint_a_report_is_the_same_as_a_page_to_print(
    reader: FlaskClient, monkeypatch: pytest.MonkeyPatch, of: str, key: str, form: str, told: str
) -> None:
    monkeypatch.setattr(printing, "PRINTER", "no-such-program")
    assert f"/league/export/{of}/{key}/{form}" in reader.get(f"/league/{of}s/{key}").text
    reply = reader.get(f"/league/export/{of}/{key}/{form}?lang=en")
    assert (reply.status_code, reply.mimetype) == (200, "text/html")
    assert "Content-Disposition" not in reply.headers
    assert told in reply.text
    allowed = reply.headers["Content-Security-Policy"]
    for sheet in re.findall(r"<style>(.+?)</style>", reply.text, re.DOTALL):
        assert b64encode(sha256(sheet.encode()).digest()).decode() in allowed


@pytest.mark.parametrize(
    "address",
    [
        "/league/seasons/summer",
        "/league/races/none",
        "/league/drivers/eve",
        "/league/seasons/summer/progress.en.svg",
        "/league/seasons/winter/progress.xx.svg",
        "/league/export/season/winter/nothing",
        "/league/export/season/none/acts",
        "/api/league/races/none/replay.en",
        "/api/league/races/driven/replay.xx",
        "/league/races/none/circuit.svg",
    ],
)
def test_what_is_not_there_is_not_found(reader: FlaskClient, address: str) -> None:
    assert reader.get(address).status_code == 404


@pytest.mark.parametrize("of", ["seasons/winter", "races/driven"])
def test_all_is_taken_along_in_every_form_that_its_page_offers(
    reader: FlaskClient, of: str
) -> None:
    page = reader.get(f"/league/{of}").get_data(as_text=True)
    offered = re.findall(r'href="(/league/export/[^"]+)">([^<]+)<', page)
    assert len(offered) >= 6
    for address, label in offered:
        reply = reader.get(address)
        assert reply.status_code == 200, address
        key = of.partition("/")[2]
        if reply.mimetype != "text/html":  # a page to print is looked at where it is
            file = reply.headers["Content-Disposition"]
            assert file.startswith(f"attachment; filename={key}-")
        assert label[0].isupper(), label


def test_a_record_that_is_not_in_the_league_is_named_on_the_first_page(
    client: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "records" / "bad.jsonl").write_text("no record\n")
    assert "bad.jsonl" in text_of(client.get("/league/?lang=en"))


def test_a_broken_act_is_told_and_mended_without_a_restart(
    client: FlaskClient, league: League, tmp_path: Path
) -> None:
    file = league.folder.database
    columns = "n, key, at, who, body, sum"
    with sqlite3.connect(file) as database:
        database.execute(
            f"INSERT INTO acts ({columns}) SELECT max(n) + 1, 'x', at, who, body, sum FROM acts"
        )
    reply = client.get("/league/drivers?lang=en")
    assert (reply.status_code, reply.mimetype) == (503, "text/html")
    assert "league.db is damaged: act 8 is not what was written" in text_of(reply)
    assert str(tmp_path) not in reply.text
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM acts WHERE key = 'x'")
    database.close()
    assert client.get("/league/drivers").status_code == 200


def test_a_league_without_anything_says_so(tmp_path: Path) -> None:
    with League(tmp_path / "empty", now=str) as league:
        access = LeagueAccess(league.queries, league, Guard(KeeperPin(PIN)))
        client = create_league_app(access=access).test_client()
        told = text_of(client.get("/league/?lang=en"))
        assert "Your league begins with a race" in told
        assert "Tell an evening that you have driven" in told
        for address in ("drivers", "boards", "enter", "competitions"):
            assert client.get(f"/league/{address}").status_code == 200


@pytest.mark.parametrize("address", ["/league/", "/league/drivers", "/ergast/f1/seasons.json"])
def test_without_its_database_a_visitor_gets_a_page_and_not_the_driver_s_text(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    def away(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError('SELECT: server at "127.0.0.1", port 5432 failed')

    monkeypatch.setattr(Sqlite, "_begin", away)
    reply = client.get(f"{address}?lang=en")
    assert reply.status_code == 503
    assert "127.0.0.1" not in reply.text
    assert "SELECT" not in reply.text
    assert reply.headers["Retry-After"]
    if address.startswith("/ergast"):
        assert reply.json["error"]["message"] == "the league's database does not answer"
    else:
        assert "This page cannot be shown now" in text_of(reply)


def test_the_first_page_is_the_open_season_though_a_newer_one_is_closed(
    client: FlaskClient, league: League
) -> None:
    do(league, {"act": "season", "season": "cup", "title": "Cup"}, by="t")
    assert client.get("/league/").headers["Location"].endswith("/league/seasons/winter")


def test_a_driver_s_page_has_seasons_boards_and_curves(client: FlaskClient) -> None:
    told = text_of(client.get("/league/drivers/bea?lang=en"))
    assert "Seasons Seasons Races wins podiums best place Winter 2026 2" in told
    assert re.search(r"Boards Boards Races wins podiums best place (Le Manège|Monza) 1", told)
    page = client.get("/league/drivers/bea?lang=en").text
    assert page.count('class="curve"') == 2, "rating and skill; a luck of one race is no curve"


def test_a_driver_s_page_has_titles_each_with_its_kind_and_team(
    league: League, client: FlaskClient
) -> None:
    assert "Titles" not in text_of(client.get("/league/drivers/bea?lang=en"))
    cup = {"act": "competition", "competition": "cup", "title": "Cup <1>"}
    team = {"act": "team", "season": "winter", "driver": "Bea", "team": "Red & Co"}
    done = {"act": "season", "season": "winter", "planned": 2, "competition": "cup"}
    order = {"act": "amend", "race": "driven", "reason": "x"}
    order |= {"entries": [{"seat": 2}, {"seat": 1}, {"seat": 3}]}
    do(league, cup, team, done, order, by="t")
    page = client.get("/league/drivers/bea?lang=en")
    assert (
        "Titles Cup <1> competition Cup <1> competition, with Red & Co "
        "Winter 2026 season Winter 2026 season, with Red & Co"
    ) in text_of(page)
    assert 'href="/league/competitions/cup"' in page.text
    assert "Titel" in text_of(client.get("/league/drivers/bea?lang=de"))
    assert "Titles" not in text_of(client.get("/league/drivers/ana?lang=en"))


def test_a_private_season_is_not_on_a_driver_s_page(league: League, client: FlaskClient) -> None:
    do(league, {"act": "season", "season": "winter", "private": True}, by="t")
    assert "Winter 2026" not in client.get("/league/drivers/bea").text


def test_a_season_says_the_licence_points_and_the_form_offers_no_seconds(
    league: League, client: FlaskClient
) -> None:
    late = {"act": "penalty", "season": "winter", "driver": "Ana", "reason": "late"}
    do(league, {**late, "licence": 3}, by="t")
    assert re.search(
        r"Ana: [\w ]*licence[\w ]* 3", text_of(client.get("/league/seasons/winter?lang=en"))
    )
    page = client.get("/league/seasons/winter/organise?lang=en").get_data(as_text=True)
    assert 'name="licence"' in page
    assert 'name="seconds"' not in page


DRIVEN_TRIALS = [
    {"name": "Ann", "trial": 20, "time": 119.5},
    {"name": "Bob", "trial": 18, "time": 61},
    {"name": "Cem", "status": "out"},
]
TRIALS = (
    {"act": "season", "season": "day", "title": "Day", "stage": "trials"},
    {"act": "race", "race": "t", "date": "2026-03-01", "game": "formula-d"}
    | {"entries": DRIVEN_TRIALS},
    {"act": "round", "race": "t", "season": "day", "round": 1},
)


def test_the_page_of_time_trials_has_score_and_time_and_no_points(
    league: League, client: FlaskClient
) -> None:
    do(league, *TRIALS, by="t")
    told = text_of(client.get("/league/races/t?lang=en"))
    result = told[told.index("Result") :]
    assert "Score Time" in result
    assert "points" not in result.lower()
    rows = [found.start() for found in re.finditer(r"1 2 Bob 19 1:01|2 1 Ann 21 1:59", result)]
    assert len(rows) == 2
    assert result.index("Bob") < result.index("Ann") < result.index("Cem")
    assert "1 2026-03-01 2026-03-01 Bob" in text_of(client.get("/league/seasons/day?lang=en"))
    assert "2026-03-01 Formula D 2026-03-01 Bob" in text_of(client.get("/league/races?lang=en"))
    late = {"act": "penalty", "race": "t", "driver": "Bob", "seconds": 180, "reason": "a push"}
    do(league, late, by="t")
    told = text_of(client.get("/league/races/t?lang=en"))
    assert "1 1 Ann 21 1:59" in told
    assert "2 2 Bob 22 4:01" in told, "seconds are added to the trial"
    do(league, {"act": "strike", "race": "t", "reason": "wrong board"}, by="t")
    result = text_of(client.get("/league/races/t?lang=en"))
    result = result[result.index("Result") :]
    assert result.index("1 1 Ann 21 1:59") < result.index("2 2 Bob 22 4:01"), "struck as well"
    assert "points" not in result.lower()


def test_a_race_without_trials_has_no_columns_of_them(reader: FlaskClient) -> None:
    assert "Score" not in text_of(reader.get("/league/races/driven?lang=en"))


@pytest.mark.parametrize("table", ["%00", "%0A", "%20", "a%00b", "%C2%A0", "x" * 200, "a%1Fb"])
def test_what_is_no_name_of_a_table_is_not_found(client: FlaskClient, table: str) -> None:
    assert client.get(f"/league/tables/{table}").status_code == 404
    assert client.get("/league/tables/7").status_code == 200


@pytest.mark.parametrize("room", ["seasons", "races", "drivers", "competitions"])
def test_no_key_has_a_sign_in_it_that_cannot_be_printed(reader: FlaskClient, room: str) -> None:
    assert reader.get(f"/league/{room}/a%00b").status_code == 404
    assert reader.get("/ergast/f1/%00/results.json").status_code == 404


@pytest.mark.parametrize("page", ["", "/entries"])
def test_the_color_of_an_entrant_is_said_in_the_reader_s_language(
    league: League, client: FlaskClient, page: str
) -> None:
    enter = {"act": "enter", "season": "winter"}
    do(league, {**enter, "driver": "Ana", "color": "Red"}, by="t")
    do(league, {**enter, "driver": "Bea", "color": "beige"}, by="t")
    told = text_of(client.get(f"/league/seasons/winter{page}?lang=fr"))
    assert re.search(r"Ana\b[^·]{0,20}(· )?rouge", told)
    assert "Red" not in told
    assert "beige" in told


def test_a_season_and_a_race_say_which_picture_others_show_beside_a_link(
    client: FlaskClient, league: League
) -> None:
    told = r'<meta property="og:image" content="(http://[^"]+)">'
    for of, key in (("season", "winter"), ("race", "driven")):
        page = client.get(f"/league/{of}s/{key}?lang=de").text
        (address,) = re.findall(told, page)
        assert address == f"http://localhost/league/export/{of}/{key}/picture.de.png"
        reply = client.get(address)
        assert (reply.status_code, reply.mimetype) == (200, "image/png")
        assert "Content-Disposition" not in reply.headers
        again = client.get(address, headers={"If-None-Match": reply.headers["ETag"]})
        assert again.status_code == 304
    assert f'og:title" content="{"Winter 2026"}"' in client.get("/league/seasons/winter").text
    assert client.get("/league/export/season/winter/picture.xx.png").status_code == 404
    do(league, {"act": "season", "season": "winter", "private": True}, by="t")
    assert client.get("/league/export/season/winter/picture.de.png").status_code == 404
    assert client.get("/league/export/race/driven/picture.de.png").status_code == 404


def test_who_is_hidden_is_on_no_picture_of_a_season(
    client: FlaskClient, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []

    def keep(svg: str) -> bytes:
        painted.append(svg)
        return b""

    monkeypatch.setattr("companion.league.report.picture.as_png", keep)
    do(league, {"act": "hide", "driver": "Ana"}, by="t")
    assert client.get("/league/export/season/winter/picture.en.png").status_code == 200
    (svg,) = painted
    assert ">Bea<" in svg
    assert "Ana" not in svg


@pytest.mark.faults("the door: somebody asks for what is dear")
@pytest.mark.parametrize(
    "path",
    [
        "league/races/driven/circuit.svg",
        "league/races/driven/positions.en.svg",
        "league/seasons/winter/progress.fr.json",
        "league/export/race/driven/bgstats.svg",
        "api/league/races/driven/replay.de",
    ],
)
def test_what_is_drawn_is_kept_until_the_league_is_another(
    client: FlaskClient, league: League, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(drawings, "_kept", kept := OrderedDict())
    first, second = (client.get(path, query_string={"n": n}) for n in (1, 2))
    assert (second.data, second.mimetype) == (first.data, first.mimetype)
    etag = {"If-None-Match": first.headers["ETag"]}
    again = client.get(path, headers=etag)
    assert (again.status_code, again.data, len(kept)) == (304, b"", 1)
    do(league, {"act": "season", "season": "winter", "title": "Winter"}, by="t")
    assert client.get(path, headers=etag).status_code in (200, 304)
    assert len(kept) == 2


def test_no_more_drawings_are_kept_than_there_is_room_for(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "KEPT", 2)
    monkeypatch.setattr(drawings, "_kept", kept := OrderedDict())
    for language in ("en", "fr", "de"):
        assert client.get(f"league/races/driven/positions.{language}.svg").status_code == 200
    assert [path for _, path, _ in kept] == [
        f"/league/races/driven/positions.{language}.svg" for language in ("fr", "de")
    ]


def test_what_is_done_to_a_name_is_done_where_it_stands(
    client: FlaskClient, league: League
) -> None:
    do(league, {"act": "merge", "name": "Annie", "into": "Ana"}, by="t")
    page = client.get("/league/drivers/ana?lang=en").text
    for act in ("merge", "part", "rename", "hide"):
        assert f'data-act="{act}"' in page
    assert 'name="into" value="Ana"' in page
    assert 'name="name" value="Annie"' in page
