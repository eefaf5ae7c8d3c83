"""A race in the hands of BG Stats: what its link says, and a reader of codes that reads the one on
the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from flask.testing import FlaskClient
from support.leagues.records import by_hand, do, keep, raced

from companion.cli import main
from companion.league.exchange.outside import forms
from companion.league.games import measure
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess
from race_companion_bgstats import MOST_IN_CODE

CODE = "/league/export/race/night/bgstats.svg"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[League]:
    """A race of three that was driven, in a season with teams."""
    keep(tmp_path, raced("night", ("Ana", "Zoë & Co", "Cai"), started="2026-01-05T20:00:00"))
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        do(league, {"act": "season", "season": "winter", "title": "Winter"}, by="t")
        do(league, {"act": "round", "race": "night", "season": "winter"}, by="t")
        do(league, {"act": "team", "season": "winter", "driver": "Ana", "team": "Red"}, by="t")
        yield league


def pages_of(league: League) -> FlaskClient:
    guard = Guard(KeeperPin("31415926"))
    access = LeagueAccess(league.public, league, guard)
    return create_league_app(league, LiveFiles(league.storage, lambda: 0.0), access).test_client()


def play_in(link: str) -> Any:
    """What the app takes out of a link."""
    parts = urlsplit(link)
    assert (
        f"{parts.scheme}://{parts.netloc}{parts.path}"
        == "https://app.bgstatsapp.com/createPlay.html"
    )
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    return json.loads(data)


def play_of(league: League, race: str) -> Any:
    return play_in(forms()["bgstats"].writer()(league.public, race).decode().strip())


def picture(svg: str) -> Any:
    """A code as a reader sees it: dark modules of four dots on light ground."""
    (size,) = {int(n) for n in re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups()}  # type: ignore[union-attr]
    seen = np.full((size, size), 255, np.uint8)
    x = y = 0.0
    (path,) = re.findall(r' d="([^"]+)"', svg)
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        by = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        if kind == "h":
            seen[int(y), int(x) : int(x + by[0])] = 0
            x += by[0]
        else:
            x, y = (by[0], by[1]) if kind == "M" else (x + by[0], y + by[1])
    return np.kron(seen, np.ones((4, 4), np.uint8))


def test_a_link_has_the_race_as_the_app_wants_it(evening: League) -> None:
    play = play_of(evening, "night")
    (race,) = evening.public.races(race="night")
    seconds = round(race.numbers["seconds"] or 0)
    players = play.pop("players")
    ended = f"2026-01-05 20:{seconds // 60:02}:{seconds % 60:02}"
    assert play == {
        "sourceName": "Race companion",
        "sourcePlayId": "night",
        "board": race.board,
        "playDate": ended,
        "durationMin": round(seconds / 60),
        "game": {
            "name": "Formula D",
            "bggId": 37904,
            "sourceGameId": "formula-d",
            "highestWins": False,
            "noPoints": True,
        },
    }
    assert [one["rank"] for one in players] == [1, 2, 3]
    assert [one["winner"] for one in players] == [True, False, False]
    assert {one["name"]: one["startPlayer"] for one in players} == {
        "Ana": True,
        "Zoë & Co": False,
        "Cai": False,
    }
    assert {one["name"]: one.get("role") for one in players}["Ana"] == "Red"
    assert all(one["sourcePlayerId"].isascii() for one in players)


def test_millions_are_a_score_and_who_did_not_start_has_not_played(evening: League) -> None:
    sold = [
        {"name": "Ana", "points": 12},
        {"name": "Cai", "points": 9},
        {"name": "Bea", "points": 4},
    ]
    do(evening, by_hand("df", (), game="downforce", entries=sold), by="t")
    play = play_of(evening, "df")
    assert play["game"]["highestWins"]
    assert not play["game"]["noPoints"]
    assert [one["score"] for one in play["players"]] == [12, 9, 4]
    assert play["playDate"] == "2026-02-01 12:00:00"
    late = [{"name": "Ana"}, {"name": "Cai", "status": "not-started"}]
    do(evening, by_hand("late", (), entries=late), by="t")
    assert [one["name"] for one in play_of(evening, "late")["players"]] == ["Ana"]


@pytest.mark.slow
def test_whoever_is_hidden_or_forgotten_is_in_no_link_by_page_or_command(
    evening: League, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    do(evening, {"act": "note", "race": "night", "text": "Zoë & Co spun, so did Cai"}, by="t")
    do(evening, {"act": "hide", "driver": "Zoë & Co"}, by="t")
    evening.forget("Cai", by="t")
    status = main(["league", "export", "bgstats", "night", "--data", str(tmp_path)])
    assert status == 0
    links = [
        capfdbinary.readouterr().out.decode(),
        pages_of(evening).get("/league/races/night").text,
    ]
    for link in map(play_in, re.findall(r'https://app[^\s"<]+', "\n".join(links))):
        assert re.search("Zo|Cai|zo|cai", json.dumps(link, ensure_ascii=False)) is None
        assert len(link["players"]) == 3
    assert len(links) == 2
    do(evening, {"act": "season", "season": "winter", "private": True}, by="t")
    status = main(["league", "export", "bgstats", "night", "--data", str(tmp_path)])
    assert status == 2
    assert pages_of(evening).get(CODE).status_code == 404


def test_a_reader_of_codes_reads_the_one_on_the_page(evening: League) -> None:
    zxing: Any = pytest.importorskip("zxingcpp")
    page = pages_of(evening)
    told = page.get("/league/races/night").text
    assert f'loading="lazy" src="{CODE}"' in told
    (link,) = re.findall(r'href="(https://app[^"]+)"', told)
    (found,) = zxing.read_barcodes(picture(page.get(CODE).text))
    assert found.text == link
    assert play_in(found.text) == play_of(evening, "night")


def test_ten_players_with_the_longest_names_have_a_link_and_perhaps_no_code(
    evening: League,
) -> None:
    zxing = import_module("segno")
    latin = [f"Maximiliane-Alexandra {n}" for n in range(10)]
    do(evening, by_hand("many", latin), {"act": "note", "race": "many", "text": "ö" * 200}, by="t")
    link = forms()["bgstats"].writer()(evening.public, "many").decode().strip()
    assert len(link) <= MOST_IN_CODE
    assert len(play_in(link)["players"]) == 10
    assert zxing.make(link, error="l").version <= 40
    wide = [f"東京東京東京東京東京東京東京東京東京東京{n}" for n in range(10)]
    do(evening, by_hand("wide", wide), by="t")
    page = pages_of(evening)
    assert page.get("/league/races/wide").status_code == 200
    assert page.get("/league/export/race/wide/bgstats.svg").status_code == 404
    assert len(play_of(evening, "wide")["players"]) == 10


def test_a_table_is_no_place_of_the_link_and_no_stranger_reads_a_hidden_name_in_it(
    evening: League,
) -> None:
    own = [{"name": "Ana"}, {"name": "Cai"}]
    do(evening, by_hand("late", (), entries=own, table="Cai's table"), by="t")
    do(evening, {"act": "hide", "driver": "Cai"}, by="t")
    assert "location" not in play_of(evening, "late")
    (race,) = evening.public.races(race="late")
    assert re.fullmatch(r"Driver [0-9a-f]{6}'s table", race.sender or "")
