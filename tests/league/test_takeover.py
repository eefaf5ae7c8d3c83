"""A league of an older version is taken over, whole, and its files stay where they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest
from support.leagues.records import raced

from companion.cli import main
from companion.league.errors import OldLeague
from companion.league.games import measure
from companion.league.league import League
from companion.league.standings import standings

OLD = Path(__file__).parent / "old_league"
"""What commit 432a3309 has kept: records of the house and of a table, acts, somebody forgotten."""
TOLD = json.loads((OLD / "told.json").read_text("utf-8"))
"""What it told of that."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("league", "records"):
        shutil.copytree(OLD / name, tmp_path / name)
    return tmp_path


def told(league: League) -> dict[str, Any]:
    (season,) = league.queries.seasons("2026")
    names = {one.key: one.name for one in league.queries.drivers()}
    lines = standings(season, league.queries.races(season="2026"), names)
    return {
        "standings": [[one.key, one.name, one.points, one.place] for one in lines],
        "ratings": [
            [one.driver.key, round(one.rating, 6), one.of("wins")]
            for one in league.queries.people()[0]
        ],
        "people": [[one.key, one.name, list(one.names)] for one in league.queries.drivers()],
    }


def test_a_folder_with_a_league_of_before_opens_no_empty_one_and_says_what_to_do(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OldLeague, match="companion league takeover"):
        League(data, now=str)
    assert main(["league", "standings", "--data", str(data)]) == 2
    assert "companion league takeover" in capsys.readouterr().err
    assert not (data / "league" / "league.db").exists()


def test_it_tells_the_same_totals_ratings_and_people_and_keeps_the_folder(data: Path) -> None:
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    assert main(["league", "takeover", "--data", str(data)]) == 0
    assert {path: path.read_bytes() for path in before} == before
    with League(data, now=str, measure=measure) as league:
        assert league.catch_up() == []
        assert told(league) == TOLD
        assert league.rebuild().idle == {}
        lines = [json.loads(line) for line in (OLD / "league/acts.jsonl").read_text().splitlines()]
        acts = [line["act"] for line in league.history() if line["n"] > 0]
        assert acts == [line["act"] for line in lines]
    assert main(["league", "takeover", "--data", str(data)]) == 2


def test_its_tables_may_go_on_with_what_they_have_sent(data: Path) -> None:
    main(["league", "takeover", "--data", str(data)])
    sent = raced("b", names=("Ana", "Bea", "Zoë Ymir"), seed=3, started="2026-01-08T20:00:00")
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in sent).encode()
    with League(data, now=str) as league:
        (race,) = league.queries.races(race="b")
        assert race.sender == "one"
        if (
            sent[0]["rules_version"]
            == json.loads((OLD / "records/b.jsonl").read_bytes().splitlines()[0])["rules_version"]
        ):
            assert league.receive(content, table="one").status == "known"


def test_who_is_forgotten_afterwards_goes_out_of_the_files_of_before_too(data: Path) -> None:
    main(["league", "takeover", "--data", str(data)])
    with League(data, now=str) as league:
        league.forget("Zoë Ymir", by="t")
    files = [path for path in data.rglob("*") if path.is_file()]
    assert not [path for path in files if "Ymir" in path.read_bytes().decode("utf-8", "replace")]


@pytest.mark.slow
def test_what_a_club_of_before_had_in_its_postgresql_is_taken_over_there(
    postgres: Any, tmp_path: Path
) -> None:
    url = postgres.database()
    with psycopg.connect(url, autocommit=True) as old:
        old.execute("CREATE TABLE kept_pieces (name text, start bigint, content bytea)")
        for path in (path for path in OLD.rglob("*") if path.is_file()):
            name, content = str(path.relative_to(OLD)), path.read_bytes()
            for start in range(0, len(content), 1000):
                row = name, start, content[start : start + 1000]
                old.execute("INSERT INTO kept_pieces VALUES (%s, %s, %s)", row)
    with pytest.raises(OldLeague, match="companion league takeover"):
        League(tmp_path / "one", url=url, now=str)
    where = ["--data", str(tmp_path / "one"), "--database", url]
    assert main(["league", "takeover", *where]) == 0
    with League(tmp_path / "two", url=url, now=str, measure=measure) as league:
        assert told(league) == TOLD
