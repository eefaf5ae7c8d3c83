"""The club's door over HTTP: keys, tables that finish at once, a table that sends twice."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.leagues.club import KEYS, outbox
from support.leagues.records import do, ended, keep

from companion.cli import main
from companion.league.database import FolderStorage
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.push import Club, WrongKey, deliver
from companion.league.receiving import LiveFiles
from companion_web.league.app import create_league_app


def test_two_tables_that_finish_at_once_are_both_in_the_league(
    address: str, club: League, tmp_path: Path
) -> None:
    for table in KEYS:
        keep(tmp_path / table, *(ended(f"{table}{n}") for n in range(3)))
    found: list[Any] = []

    def send(table: str) -> None:
        box = outbox(tmp_path / table, address)
        found.append(deliver(box, Club(address, KEYS[table])))

    threads = [Thread(target=send, args=(table,)) for table in KEYS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.trouble for done in found] == [None, None]
    assert len(club.queries.races()) == 6


def test_a_table_that_sends_twice_is_told_that_it_is_known(
    address: str, club: League, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    content = (tmp_path / "records" / "a.jsonl").read_bytes()
    table = Club(address, KEYS["one"])
    assert [table.send(content).status for _ in range(2)] == ["taken", "known"]
    assert table.send(content[:-40]).status == "refused"


def test_only_a_table_with_a_key_gets_in(address: str, club: League) -> None:
    with pytest.raises(WrongKey, match="does not know this table's key"):
        Club(address, "guessed").send(b"{}")
    do(club, {"act": "close-table", "table": "one"}, by="t")
    with pytest.raises(WrongKey):
        Club(address, KEYS["one"]).send(b"{}")
    assert Club(address, KEYS["two"]).send(b"{}").status == "refused"


def test_a_record_that_is_too_large_is_refused_and_not_read(
    open_league: Any, live: LiveFiles, tmp_path: Path
) -> None:
    club = open_league(None, tmp_path / "club")
    act = {"act": "table", "table": "one", "key_sha256": digest_of_key(KEYS["one"])}
    do(club, act, by="t")
    reply = (
        create_league_app(club, live)
        .test_client()
        .post(
            "/api/league/records",
            headers={"Authorization": f"Bearer {KEYS['one']}", "Content-Length": str(5 * 2**20)},
        )
    )
    assert reply.status_code == 413
    assert "4194304 bytes at most" in reply.get_json()["error"]["message"]


def test_a_table_tells_how_it_stands(address: str, live: LiveFiles) -> None:
    Club(address, KEYS["one"]).show(b'{"phase": "race"}')
    (shown,) = live.tables()
    assert (shown.table, shown.age_s, shown.state) == ("one", 0.0, {"phase": "race"})


def test_a_table_that_has_fallen_silent_is_not_shown(tmp_path: Path) -> None:
    LiveFiles(FolderStorage(tmp_path), clock=lambda: 0.0).show("one", {})
    assert LiveFiles(FolderStorage(tmp_path), clock=lambda: 89.0).tables() != []
    assert LiveFiles(FolderStorage(tmp_path), clock=lambda: 91.0).tables() == []


def test_a_club_that_is_not_there_is_told_and_what_waits_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, ended("a"))
    (tmp_path / "companion.toml").write_text('[league]\nclub = "http://127.0.0.1:9"\nkey = "k"\n')
    assert main(["league", "push", "--data", str(tmp_path)]) == 2
    assert "out of reach" in capsys.readouterr().err


def test_records_are_pushed_by_command(
    address: str, club: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, ended("a"))
    words = ["league", "push", "--data", str(tmp_path), "--club", address, "--key", KEYS["one"]]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sent"][0]["status"] == "taken"
    assert [race.id for race in club.queries.races()] == ["a"]


@pytest.mark.parametrize("mebibytes", [5, 15, 40])
def test_a_record_that_is_too_large_is_refused_once_and_the_one_behind_it_goes(
    address: str, club: League, tmp_path: Path, mebibytes: int
) -> None:
    large, small = ended("a"), ended("b")
    large.insert(1, {"note": "x" * (mebibytes * 2**20)})
    keep(tmp_path, large, small)
    box = outbox(tmp_path, address)
    done = deliver(box, Club(address, KEYS["one"]))
    assert [(p.file, r.status) for p, r in done.receipts] == [
        ("a.jsonl", "refused"),
        ("b.jsonl", "taken"),
    ]
    assert "larger than any record" in done.receipts[0][1].message
    assert deliver(box, Club(address, KEYS["one"])).receipts == []
