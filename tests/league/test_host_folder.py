"""What a host's own folder gives to a club's database, where something comes in between."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from companion.league.store.storage import DatabaseStorage
from sqlalchemy.orm import Session
from support.leagues.records import do, ended, image, keep

from companion.app.league import files_of_club
from companion.league.errors import NoStore
from companion.league.league import League
from companion.league.people import NAMES
from companion.league.storage import ACTS, ASIDE, PEOPLE, RECORDS, contents

pytestmark = [pytest.mark.slow, pytest.mark.long]

GONE = "Zoë Quist"
OPEN = {"act": "season", "season": "s", "title": "Winter", "open": True}
OpenLeague = Callable[..., League]


@pytest.fixture
def url(postgres: Any) -> str:
    return str(postgres.database())


def names_in(league: League) -> str:
    return (league.storage.read(NAMES) or b"").decode()


def drivers(league: League) -> set[str]:
    league.catch_up()
    return {entry.name for race in league.queries.latest()[0] for entry in race.entries}


@pytest.fixture
def cut_short(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """The league of a folder that was being brought into a database when the plug was pulled."""
    keep(tmp_path / "one", ended("a"))
    own = open_league(None, tmp_path / "one")
    do(own, OPEN, by="t")
    before = image(own)
    write = DatabaseStorage.write

    def fail(self: DatabaseStorage, name: str, content: bytes, **more: Any) -> None:
        if name == ACTS:
            raise NoStore("the plug is pulled")
        write(self, name, content, **more)

    with monkeypatch.context() as patched:
        patched.setattr(DatabaseStorage, "write", fail)
        with pytest.raises(NoStore, match="plug"):
            open_league(url, tmp_path / "one").catch_up()
    return before


def test_a_folder_that_was_cut_short_while_it_was_brought_is_brought_when_its_host_is_back(
    open_league: OpenLeague, url: str, tmp_path: Path, cut_short: Any
) -> None:
    other = open_league(url, tmp_path / "two")
    with pytest.raises(NoStore, match="start that one again"):
        other.catch_up()
    assert other.storage.read(ACTS) is None
    back = open_league(url, tmp_path / "one")
    back.catch_up()
    other.catch_up()
    assert image(back) == image(other) == cut_short


def test_a_folder_of_another_league_does_not_mix_with_one_that_was_cut_short(
    open_league: OpenLeague, url: str, tmp_path: Path, cut_short: Any
) -> None:
    do(open_league(None, tmp_path / "two"), OPEN, by="t")
    with pytest.raises(NoStore, match="start that one again"):
        open_league(url, tmp_path / "two").catch_up()


def test_a_folder_with_names_and_no_acts_is_brought_with_its_names(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    keep(tmp_path / "one", ended("a"))
    own = open_league(None, tmp_path / "one")
    expected = drivers(own)
    own.people.keep(expected)
    for name in ("one", "two"):
        assert drivers(open_league(url, tmp_path / name)) == expected


def test_what_a_folder_had_refused_is_brought_too_and_is_in_the_backup(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    own = open_league(None, tmp_path / "one")
    do(own, OPEN, by="t")
    half = b"".join(json.dumps(line).encode() + b"\n" for line in ended("a")[:-1])
    assert own.receive(half, table=None).status == "refused"
    expected = dict(contents(own.storage, ASIDE))
    assert len(expected) == 2
    league = open_league(url, tmp_path / "one")
    league.catch_up()
    assert dict(contents(league.storage, ASIDE)) == expected
    backup = dict(files_of_club(tmp_path / "one", url))
    assert expected.items() <= backup.items()


def test_after_a_forgetting_the_database_that_a_folder_had_before_is_gone(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    data = tmp_path / "one"
    keep(data, ended("a", names=(GONE, "Bea", "Cai")))
    own = open_league(None, data)
    do(own, OPEN, by="t")
    own.close()
    league = open_league(url, data)
    league.catch_up()
    assert (data / "league.db").exists()  # nobody is forgotten, nothing goes
    league.forget(GONE, by="t")
    league.catch_up()
    files = [path for path in data.rglob("*") if path.is_file()]
    assert not [path for path in files if GONE.encode() in path.read_bytes()]


def test_who_is_forgotten_while_a_folder_is_brought_is_not_written_down_again(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    for league in (one, two):
        league.catch_up()
    keep(tmp_path / "two", ended("b", names=(GONE.upper(), "Bea", "Cai")))
    assert two._host is not None
    new = two._host._new_records

    def late() -> Iterator[tuple[str, bytes]]:
        one.forget(GONE, by="t")
        yield from new()

    with monkeypatch.context() as patched:
        patched.setattr(two._host, "_new_records", late)
        two.catch_up()
    assert "quist" not in names_in(one).lower()


def test_a_record_that_comes_while_somebody_is_forgotten_elsewhere_keeps_its_other_names(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    one.catch_up()
    keep(tmp_path / "two", ended("b", names=("Newcomer", "Bea", "Cai")))
    one.forget(GONE, by="t")
    two.catch_up()
    assert "Newcomer" in drivers(one)


def test_a_new_name_waits_until_another_host_has_written_the_names_anew(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    for league in (one, two):
        league.catch_up()
    keep(tmp_path / "two", ended("b", names=("Newcomer", "Bea", "Cai")))
    write = DatabaseStorage.write
    bringing = threading.Thread(target=two.catch_up)

    def slow(self: DatabaseStorage, name: str, content: bytes, **more: Any) -> None:
        if name == NAMES and not bringing.ident:
            bringing.start()
            bringing.join(1.0)  # unless it waits for the lock it is done by then
        write(self, name, content, **more)

    monkeypatch.setattr(DatabaseStorage, "write", slow)
    one.forget(GONE, by="t")
    bringing.join()
    assert "Newcomer" in drivers(one)


def test_a_folder_whose_names_have_other_keys_is_refused_and_what_it_is_told_to_do_helps(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    one = open_league(url, tmp_path / "one")
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    do(one, OPEN, by="t")
    data = tmp_path / "two"
    (tmp_path / "away").mkdir()
    keep(data, ended("b", names=("Old Name", "Bea", "Cai")))
    own = open_league(None, data)
    do(own, OPEN, by="t")
    own.forget("Bea", by="t")
    for name in (ACTS, PEOPLE):
        with pytest.raises(NoStore, match=rf"{ACTS}.*move that file, {PEOPLE} and {RECORDS} away"):
            open_league(url, data).catch_up()
        (data / name).rename(tmp_path / "away" / name.replace("/", "-"))
    (data / RECORDS).rename(tmp_path / "away" / RECORDS)
    two = open_league(url, data)
    one.forget(GONE, by="t")
    assert two.catch_up() == []
    do(two, {"act": "season", "season": "t", "title": "Summer"}, by="t")
    assert drivers(two) == drivers(one)


def test_a_backup_has_the_names_of_all_its_records_though_one_comes_meanwhile(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    keep(tmp_path / "one", ended("a"))
    league = open_league(url, tmp_path / "one")
    league.catch_up()
    files = files_of_club(tmp_path / "one", url)
    first = [next(files) for _ in range(3)]  # the acts and the names
    keep(tmp_path / "one", ended("b", names=("Newcomer", "Bea", "Cai")))
    league.catch_up()
    for name, content in (*first, *files):
        path = tmp_path / "again" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert drivers(open_league(None, tmp_path / "again")) <= {"Ana", "Bea", "Cai", "Newcomer"}


def test_a_record_that_is_sent_while_another_host_plays_it_is_taken(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    content = b"".join(json.dumps(line).encode() + b"\n" for line in ended("a"))
    veiled, _ = one.people.veil_record(content)
    judge = two._receiver.judge

    def late(*args: Any, **more: Any) -> Any:
        with Session(one._engine) as session, session.begin():
            one._reads.play(session, veiled)
        return judge(*args, **more)

    monkeypatch.setattr(two._receiver, "judge", late)
    assert two.receive(content, table=None).status == "taken"
    assert drivers(two) == {"Ana", "Bea", "Cai"}
