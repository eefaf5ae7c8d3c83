"""A host makes a rules pack of what the lobby is set to."""

from __future__ import annotations

import errno
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from support.tables.sitting import REFEREE, Sitting, phone

from companion.race import boards
from companion.race.boards import PackLibrary
from companion.rules.packs import read_pack
from companion.table.ports import Reply
from companion.views.lobby import lobby_view
from companion.views.model import Scene


@pytest.fixture
def club(tmp_path: Path) -> Sitting:
    """Ana is host; one slipstream a turn, tires, three laps; packs have a folder."""
    table = Sitting()
    library = PackLibrary((tmp_path / "packs",))
    table.state._given = replace(table.state._given, packs=library)
    for seat, name in ((1, "Ana"), (2, "Bob")):
        table.accepts(phone(seat), {"table": "join", "seat": seat, "value": name})
    table.accepts(REFEREE, {"table": "boards"})
    table.accepts(REFEREE, {"table": "laps", "value": 3})
    table.accepts(REFEREE, {"table": "option", "value": {"name": "tires", "on": True}})
    set_switch(table, "slipstream_chain", "one")
    return table


def set_switch(table: Sitting, name: str, value: str) -> None:
    table.accepts(REFEREE, {"table": "switch", "value": {"name": name, "value": value}})


def save(table: Sitting, name: object, caller: Any = REFEREE, **more: object) -> Reply:
    reply: Reply = table.says(caller, {"table": "save-pack", "value": {"name": name, **more}})
    return reply


def refusal(reply: Reply) -> tuple[int, str]:
    return reply.status, reply.body["error"]["key"]


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_set_becomes_a_pack_that_is_offered_and_played_at_once(
    club: Sitting, tmp_path: Path
) -> None:
    assert save(club, "Our club").status == HTTPStatus.OK
    (path,) = files(tmp_path / "packs")
    pack = read_pack(path.read_text("utf-8"))
    assert (pack.name, pack.laps, pack.rules) == ("Our club", 3, ("tires",))
    assert pack.house == {"slipstream_chain": "one"}
    told = lobby_view(Scene(0, (), lobby=club.state.lobby))
    assert told is not None
    assert told["pack"] == "Our club"
    assert {"name": "Our club", "about": ""} in told["packs"]  # type: ignore[operator]


def test_the_host_may_and_another_seat_may_not(club: Sitting, tmp_path: Path) -> None:
    assert refusal(save(club, "Our club", phone(2))) == (HTTPStatus.FORBIDDEN, "not-host")
    assert files(tmp_path) == []
    assert save(club, "Our club", phone(1)).status == HTTPStatus.OK


def test_an_own_pack_is_replaced_only_when_asked_and_keeps_what_it_says_of_itself(
    club: Sitting, tmp_path: Path
) -> None:
    path = tmp_path / "packs" / "by-hand.toml"
    path.parent.mkdir()
    before = 'name = "Our club"\ngame = "formula-d"\nabout = "As in 1998."\n'
    path.write_text(before, "utf-8")
    assert refusal(save(club, "our CLUB")) == (HTTPStatus.CONFLICT, "pack-there")
    assert path.read_text("utf-8") == before
    assert save(club, "Our club", over=True).status == HTTPStatus.OK
    assert files(tmp_path) == [path]
    pack = read_pack(path.read_text("utf-8"))
    assert (pack.about, pack.laps) == ("As in 1998.", 3)


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("name", ["Masters 2018", "  masters 2018 ", "FD QUÉBEC"])
def test_a_pack_that_ships_is_never_replaced(
    club: Sitting, tmp_path: Path, name: str, over: bool
) -> None:
    assert refusal(save(club, name, over=over)) == (HTTPStatus.CONFLICT, "pack-ships")
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 41, "a\nb", "a\x00b", "line\u2028break", "\ud800", 7, None]
)
def test_a_name_that_is_none_is_refused(club: Sitting, tmp_path: Path, name: object) -> None:
    assert refusal(save(club, name)) == (HTTPStatus.BAD_REQUEST, "name-form")
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "/abs", "..", "a/b\\c", "日本", '"\\ "='])
def test_whatever_a_name_is_its_file_lies_in_the_folder(
    club: Sitting, tmp_path: Path, name: str
) -> None:
    assert save(club, name).status == HTTPStatus.OK
    (path,) = files(tmp_path)
    assert path.parent == tmp_path / "packs"
    assert name in club.state.packs.packs()


def test_names_that_differ_in_signs_only_are_two_packs(club: Sitting, tmp_path: Path) -> None:
    assert [save(club, name).status for name in ("Club!", "Club?")] == [HTTPStatus.OK] * 2
    assert len(files(tmp_path)) == 2


@pytest.mark.parametrize(
    "value", [None, "Our club", {"name": "x", "over": 1}, {"name": "x", "a": 1}]
)
def test_another_form_is_refused(club: Sitting, tmp_path: Path, value: object) -> None:
    reply = club.says(REFEREE, {"table": "save-pack", "value": value})
    assert reply.status == HTTPStatus.BAD_REQUEST
    assert files(tmp_path) == []


def test_settings_that_contradict_each_other_are_refused_by_name(
    club: Sitting, tmp_path: Path
) -> None:
    set_switch(club, "block_contact", "rolls")
    reply = save(club, "Our club")
    assert refusal(reply) == (HTTPStatus.BAD_REQUEST, "switches-clash")
    assert "block_contact and wrecks contradict" in reply.body["error"]["message"]
    assert files(tmp_path) == []


@pytest.mark.faults("the disk: full while a rules pack is kept")
@pytest.mark.parametrize(
    ("number", "key", "why"),
    [(errno.ENOSPC, "disk-full", "the disk is full"), (errno.EACCES, "storage", "does not serve")],
)
def test_a_disk_that_does_not_take_it_is_told_and_the_table_goes_on(
    club: Sitting, monkeypatch: pytest.MonkeyPatch, number: int, key: str, why: str
) -> None:
    def write(path: Path, content: bytes) -> None:
        raise OSError(number, "no")

    lobby = club.state.lobby
    with monkeypatch.context() as full:
        full.setattr(boards, "write_whole", write)
        reply = save(club, "Our club")
    assert refusal(reply) == (HTTPStatus.SERVICE_UNAVAILABLE, key)
    assert why in reply.body["error"]["message"]
    assert club.state.lobby == lobby
    assert save(club, "Our club").status == HTTPStatus.OK


def test_while_a_race_is_on_the_table_there_is_nothing_to_keep(club: Sitting) -> None:
    club.accepts(REFEREE, {"table": "start"})
    assert refusal(save(club, "Our club")) == (HTTPStatus.CONFLICT, "race-runs")


def test_choosing_a_pack_keeps_what_no_pack_says(club: Sitting) -> None:
    set_switch(club, "start", "normal")
    assert save(club, "Our club").status == HTTPStatus.OK
    assert club.state.lobby.switches["start"] == "normal"


def test_after_a_start_anew_the_lobby_is_as_it_was(club: Sitting) -> None:
    assert save(club, "Our club").status == HTTPStatus.OK
    before = club.state.lobby
    club.state.load()
    assert club.state.lobby == before


def test_a_pack_whose_file_is_gone_does_not_keep_the_table_from_starting(
    club: Sitting, tmp_path: Path
) -> None:
    assert save(club, "Our club").status == HTTPStatus.OK
    club.accepts(REFEREE, {"table": "name", "value": {"seat": 2, "value": "Bea"}})
    (path,) = files(tmp_path)
    path.unlink()
    club.state.load()
    assert club.state.lobby.pack is None
    assert club.state.lobby.joined == {1: "Ana", 2: "Bea"}


@pytest.mark.parametrize("game", ["formule-de", "downforce"])
def test_each_game_keeps_what_it_is_set_to_and_races_by_it(club: Sitting, game: str) -> None:
    club.accepts(REFEREE, {"table": "game", "value": game})
    before = club.state.lobby
    assert save(club, "Ours").status == HTTPStatus.OK
    now = club.state.lobby
    assert (now.rules, dict(now.switches)) == (before.rules, dict(before.switches))
    club.accepts(REFEREE, {"table": "start"})
    assert club.race.header["pack"]["name"] == "Ours"
