"""A person is forgotten: no file, page, export or replay has the name, and none gets it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import by_hand, do, ended, image, keep

from companion.cli import main
from companion.journal.backups import make_backup
from companion.league.errors import BadAct
from companion.league.exchange.outside import forms
from companion.league.exchange.tables import read
from companion.league.league import League

GONE = "Zoë Ymir"
ORDER = ("Ana", GONE, "Cai")


def record(race: str = "a") -> list[Any]:
    lines = ended(race, names=ORDER, out=[2])
    lines.insert(2, {"note": f"{GONE} spilled her tea", "by": "referee", "at": 3.0})
    return lines


def sent(folder: Path, lines: list[Any]) -> bytes:
    keep(folder, lines)
    return (folder / "records" / f"{lines[0]['id']}.jsonl").read_bytes()


@pytest.fixture
def club(open_league: Any, tmp_path: Path) -> League:
    """On SQLite: what is looked into are files, the database's own among them."""
    found: League = open_league(None, tmp_path / "club")
    return found


@pytest.fixture
def quarrel(club: League, tmp_path: Path) -> League:
    """A club in which the person was everywhere that a person can be."""
    club.receive(sent(tmp_path / "1", record()), table="one")
    keep(tmp_path / "club", record("house"))
    club.catch_up()
    key = {"key_sha256": "0" * 64}
    do(
        club,
        {"act": "season", "season": "s", "title": "S"},
        {"act": "round", "race": "a", "season": "s"},
        {"act": "race", "race": "h", "date": "2026-02-01", "game": "formula-d"}
        | {"entries": [{"name": GONE}, {"name": "Bob", "player": GONE}, {"name": "Cai"}]},
        {"act": "merge", "name": "Zed", "into": GONE},
        {"act": "rename", "driver": GONE, "name": "Queen Zoë"},
        {"act": "team", "season": "s", "driver": GONE, "team": "Rouge"},
        {"act": "penalty", "race": "a", "driver": GONE, "places": 1, "reason": f"{GONE}: late"},
        {"act": "amend", "race": "h", "reason": "x", "entries": [{"seat": 3}, {"seat": 1}]},
        {"act": "note", "race": "a", "text": "zoë  ymir, again"},
        {"act": "protest", "race": "a", "driver": GONE, "reason": "the die"},
        {"act": "person", "person": GONE, "role": "steward", **key},
        {"act": "enter", "season": "s", "driver": GONE, "number": 1},
        {"act": "season", "season": "pairs"},
        {"act": "enter", "season": "pairs", "driver": "Rapid", "crew": ["Cai", GONE]},
        by=GONE,
    )
    club.receive(b'{"record": 1, "seats": [{"name": "Zo\xc3\xab Ymir"}]}\n', table="one")
    return club


def named(text: str) -> list[str]:
    low = text.casefold()
    return [name for name in ("zoë", "zo\\u00eb", "ymir", "zed") if name in low]


def everything(league: League) -> str:
    """All that a league answers and gives out."""
    told = [
        str(image(league)),
        str(league.queries.record("a")),
        str(league.queries.record("house")),
    ]
    told += [
        str(league.queries.people()),
        str(league.queries.boards()),
        str(league.queries.career("ana")),
    ]
    for name, form in forms().items():
        if form.extra is None and name != "record":
            told.append(
                form.writer(as_page=True)(
                    league.queries, "s" if form.of != "race" else "a"
                ).decode()
            )
    told.append(forms()["record"].writer()(league.queries, "a").decode())
    return "\n".join(told)


def files_with_the_name(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if named(path.read_bytes().decode("utf-8", "replace"))]


def test_acts_and_records_have_the_name_until_they_are_written_anew(quarrel: League) -> None:
    assert named(str(quarrel.history())) == ["zoë", "ymir", "zed"]
    assert named(everything(quarrel))
    edition = json.loads(quarrel.dump().partition(b"\n")[0])["edition"]
    quarrel.forget(GONE, by=GONE)
    assert named(str(quarrel.history())) == []
    head, *lines = map(json.loads, quarrel.dump().splitlines())
    assert int(head["edition"]) == int(edition) + 1
    assert named(str(lines)) == []
    assert quarrel.rebuild().is_same


def test_what_stood_before_it_is_gone(
    quarrel: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.league.folding.MANY", 1)
    quarrel._folding.keep(quarrel._now_is)
    assert "stood" in files_with_the_name(tmp_path / "club")
    quarrel.forget(GONE, by="keeper")
    assert files_with_the_name(tmp_path / "club") == []


def test_a_process_that_has_not_seen_it_keeps_the_name_no_longer(
    quarrel: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.league.folding.MANY", 1)
    with League(tmp_path / "club", now=str) as other:
        quarrel.forget(GONE, by="keeper")
        other._folding.kept = 0
    assert files_with_the_name(tmp_path / "club") == []


def test_a_name_of_any_length_goes_from_what_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind the byte of its length a name of 70 bytes looks like another word."""
    monkeypatch.setattr("companion.league.folding.MANY", 1)
    name = "Александр Константинович Достоевский"
    with League(tmp_path, now=str) as league:
        do(league, by_hand("a", (name, "Bea")), by="t")
        league._folding.keep(league._now_is)
        assert name.encode() in (tmp_path / "league/stood").read_bytes()
        league.forget(name, by="t")
        assert not [
            p for p in tmp_path.rglob("*") if p.is_file() and name.encode() in p.read_bytes()
        ]


def test_after_it_nothing_shows_the_name(quarrel: League, tmp_path: Path) -> None:
    called = quarrel.forget(GONE, by="keeper")
    assert called.startswith("Driver ")
    assert named(everything(quarrel)) == []
    assert files_with_the_name(tmp_path / "club") == []
    (race,) = quarrel.queries.races(race="a")
    assert [entry.place for entry in race.entries] == [1, 2, 3]
    assert called in [entry.name for entry in race.entries]


def test_all_but_the_name_is_as_it_was(quarrel: League) -> None:
    before = image(quarrel)
    quarrel.forget(GONE, by="keeper")
    after = image(quarrel)
    assert [race.id for race in after["races"]] == [race.id for race in before["races"]]
    for one, other in zip(before["races"], after["races"], strict=True):
        assert [(e.seat, e.place, e.points) for e in one.entries] == [
            (e.seat, e.place, e.points) for e in other.entries
        ]
    counted = sorted(driver.races for driver in before["drivers"])
    assert sorted(driver.races for driver in after["drivers"]) == counted


def test_a_record_sent_again_is_known_and_one_that_goes_on_is_taken(
    quarrel: League, tmp_path: Path
) -> None:
    quarrel.forget(GONE, by="keeper")
    assert quarrel.receive(sent(tmp_path / "1", record()), table="one").status == "known"
    new = quarrel.receive(sent(tmp_path / "1", record("new")), table="two")
    assert new.status == "taken"
    assert named(everything(quarrel)) == []
    quarrel.rebuild()
    assert named(everything(quarrel)) == []
    assert files_with_the_name(tmp_path / "club") == []


def test_no_act_import_or_refused_record_brings_the_name_back(
    quarrel: League, tmp_path: Path
) -> None:
    acts = read(f"date,driver,note\n2026-05-01,{GONE},well done {GONE}\n2026-05-01,Ana,\n".encode())
    quarrel.forget(GONE, by="keeper")
    quarrel.do(*acts, by=GONE)
    do(quarrel, {"act": "note", "race": "a", "text": f"where is {GONE}?"}, by="Ana")
    broken = b'{"record": 1, "seats": [{"name": "Zo\xc3\xab Ymir"}], "id": 1}\n'
    assert quarrel.receive(broken, table="one").status == "refused"
    assert named(everything(quarrel)) == []
    assert files_with_the_name(tmp_path / "club") == []


def test_records_of_before_that_are_put_back_do_not_show_the_name(
    club: League, tmp_path: Path
) -> None:
    keep(tmp_path / "club", record("house"))
    club.catch_up()
    path = tmp_path / "club" / "records" / "house.jsonl"
    content = path.read_bytes()
    club.forget(GONE, by="keeper")
    path.write_bytes(content)
    (path.parent / "touched").write_text("")
    assert club.catch_up() == []
    assert named(everything_of(club)) == []
    club.rebuild()
    assert named(everything_of(club)) == []
    assert len(club.queries.races()) == 1


def everything_of(league: League) -> str:
    return str(image(league)) + str(league.queries.record("house")) + str(league.queries.people())


def test_a_league_of_the_table_itself_forgets_too(tmp_path: Path) -> None:
    keep(tmp_path, record())
    with League(tmp_path, now=str) as league:
        league.catch_up()
        league.forget(GONE, by="t")
        assert named(str(image(league))) == []
        assert named(str(league.queries.record("a"))) == []
    assert files_with_the_name(tmp_path) == []
    with League(tmp_path, now=str) as league:
        league.catch_up()
        assert named(str(image(league))) == []


def test_who_came_late_is_forgotten_too(club: League, tmp_path: Path) -> None:
    late = ended("late", names=("Ana", "Cai"), late=[{"seat": 3, "name": GONE}])
    club.receive(sent(tmp_path / "1", late), table="one")
    (race,) = club.queries.races(race="late")
    assert race.entries[-1].name == GONE
    club.forget(GONE, by="keeper")
    assert files_with_the_name(tmp_path / "club") == []


def test_somebody_whom_nobody_knows_cannot_be_forgotten(club: League) -> None:
    with pytest.raises(BadAct, match="nobody in the league is called"):
        club.forget("Nobody", by="t")


def test_names_survive_a_database_that_is_thrown_away(quarrel: League) -> None:
    before = image(quarrel)
    quarrel.rebuild()
    assert image(quarrel) == before


@pytest.mark.slow
@pytest.mark.long
def test_postgresql_forgets_too(open_league: Any, postgres: Any, tmp_path: Path) -> None:
    league: League = open_league(postgres.database(), tmp_path / "club")
    league.receive(sent(tmp_path / "1", record()), table="one")
    league.forget(GONE, by="t")
    assert named(str(image(league))) == []
    assert league.receive(sent(tmp_path / "1", record()), table="one").status == "known"


def restored(club: Path, backup: Path) -> None:
    assert main(["restore", "--data", str(club), str(backup)]) == 0


def test_a_backup_of_before_that_is_restored_names_nobody_who_was_forgotten(
    quarrel: League, tmp_path: Path, open_league: Any
) -> None:
    club = tmp_path / "club"
    backup = make_backup(club, tmp_path / "stick", "20261122-210405")
    keep(club, record("later"))
    quarrel.catch_up()
    quarrel.forget(GONE, by="keeper")
    quarrel.close()
    restored(club, backup)
    assert files_with_the_name(club) == []
    again: League = open_league(None, club)
    again.catch_up()
    assert named(everything(again)) == []
    assert [race.id for race in again.queries.races(race="house")] == ["house"]
    assert again.receive(sent(tmp_path / "1", record()), table="one").status == "known"


def test_a_backup_of_before_there_was_a_league_gets_its_keys(
    tmp_path: Path, open_league: Any
) -> None:
    club = tmp_path / "club"
    keep(club, record())
    backup = make_backup(club, tmp_path / "stick", "20261122-210405")
    league: League = open_league(None, club)
    league.catch_up()
    league.forget(GONE, by="keeper")
    league.close()
    restored(club, backup)
    assert files_with_the_name(club) == []


def test_a_backup_of_another_league_is_refused_where_somebody_was_forgotten(
    quarrel: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    League(other, now=str).close()
    backup = make_backup(other, tmp_path / "stick", "20261122-210405")
    quarrel.forget(GONE, by="keeper")
    quarrel.close()
    before = sorted((tmp_path / "club").iterdir())
    assert main(["restore", "--data", str(tmp_path / "club"), str(backup)]) == 2
    assert "another league" in capsys.readouterr().err
    left = {path.name for path in (tmp_path / "club").iterdir()} - {path.name for path in before}
    assert left <= {"lock"}


def test_a_table_or_team_named_after_somebody_who_is_forgotten_is_called_otherwise(
    club: League, tmp_path: Path
) -> None:
    own = {"table": f"{GONE}'s long table in the hall", "key_sha256": "1" * 64}
    new = {"act": "season", "season": "s", "title": f"{GONE} Cup"}
    do(club, {"act": "table", **own}, new, by="keeper")
    club.receive(sent(tmp_path / "1", record()), table=own["table"])
    club.receive(b'{"record": 1}\n', table=own["table"])
    team = {"act": "team", "season": "s", "driver": "Ana", "team": f"{GONE} Racing"}
    enter = {"act": "enter", "season": "s", "driver": "Ana", "table": GONE}
    do(club, enter, team, by=own["table"])
    called = club.forget(GONE, by="keeper")
    assert named(everything(club)) == []
    assert files_with_the_name(tmp_path / "club") == []
    assert not [path for path in tmp_path.joinpath("club").rglob("*") if named(path.name)]
    (race,) = club.queries.races(race="a")
    assert race.sender == f"{called}'s long table in the hall"
    assert club.queries.seasons("s")[0].teams == {"ana": f"{called} Racing"}
