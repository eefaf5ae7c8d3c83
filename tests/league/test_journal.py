"""The journal of acts: what is in it is for good, and what is wrong with it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from companion.league.journal import ActJournal
from support.leagues.records import do, ended, keep

from companion.league.errors import BrokenFile
from companion.league.league import League
from companion.league.storage import FolderStorage

FILE = "acts.jsonl"
SEASON = {"act": "season", "season": "s", "title": "S"}


@pytest.fixture
def journal(tmp_path: Path) -> ActJournal:
    return ActJournal(FolderStorage(tmp_path), FILE)


def test_acts_come_back_in_order(journal: ActJournal) -> None:
    journal.append({"n": 1, "act": "x"}, {"n": 2, "act": "é"})
    journal.append({"n": 3, "act": "y"})
    assert [act["act"] for act in journal.read()] == ["x", "é", "y"]


def test_a_line_that_the_plug_cut_short_is_no_act_and_makes_room(
    journal: ActJournal, tmp_path: Path
) -> None:
    journal.append({"n": 1, "act": "x"})
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"n": 2, "act": "no')
    assert len(journal.read()) == 1
    journal.append({"n": 2, "act": "y"})
    assert [act["act"] for act in journal.read()] == ["x", "y"]


@pytest.mark.parametrize("damage", [b"no json\n", b'{"n": 3}\n', b"[]\n", b"\n"])
def test_a_line_that_is_damaged_or_not_in_its_place_is_named(
    journal: ActJournal, tmp_path: Path, damage: bytes
) -> None:
    journal.append({"n": 1, "act": "x"})
    with (tmp_path / FILE).open("ab") as file:
        file.write(damage)
    with pytest.raises(BrokenFile, match="line 2"):
        journal.read()


def test_an_act_that_could_not_be_written_did_not_happen(
    open_league: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    league: League = open_league()

    def fail(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("companion.league.storage.os.fsync", fail)
        with pytest.raises(BrokenFile, match="No space left"):
            do(league, SEASON, by="t")
    league.catch_up()
    assert league.queries.seasons() == []
    assert do(league, SEASON, by="t") == 1


def test_an_act_that_was_written_but_not_committed_is_carried_out_by_the_next_to_open(
    open_league: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    league: League = open_league()
    league.catch_up()

    def plug(*_: object) -> None:
        raise RuntimeError("the plug")

    with monkeypatch.context() as pulled:
        pulled.setattr("companion.league.store.index.remember_acts", plug)
        with pytest.raises(RuntimeError, match="the plug"):
            do(league, SEASON, by="t")
    again: League = open_league()
    again.catch_up()
    assert [season.title for season in again.queries.seasons()] == ["S"]


def test_a_journal_that_was_replaced_makes_the_league_again(open_league: Any) -> None:
    league: League = open_league()
    do(league, SEASON, by="t")
    file = league.folder.acts / "acts.jsonl"
    file.write_text(file.read_text().replace('"title": "S"', '"title": "Summer"'))
    league.catch_up()
    assert [season.title for season in league.queries.seasons()] == ["Summer"]


def test_a_record_that_is_gone_is_not_in_the_league_and_acts_on_it_are_told(
    open_league: Any, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    league: League = open_league()
    do(league, {"act": "note", "race": "a", "text": "x"}, by="t")
    (tmp_path / "records" / "a.jsonl").unlink()
    league.catch_up()
    assert league.queries.races() == []
    assert set(league.rebuild().idle) == {1, 2}


def test_the_places_of_every_race_that_lead_on_are_still_that_when_all_is_read_again(
    open_league: Any,
) -> None:
    league = open_league()
    way = {"act": "path", "season": "a", "into": "b", "first": 1, "last": 1, "by": "race"}
    do(league, {"act": "season", "season": "a"}, {"act": "season", "season": "b"}, way, by="Olga")
    league.rebuild()
    (path,) = league.queries.seasons("a")[0].paths
    assert path.by == "race"
    journal = league.folder.data / "league" / "acts.jsonl"
    line = json.loads(journal.read_text().splitlines()[-1])
    assert (line["by"], line["said"]) == ("Olga", {"by": "race"})
