"""Whatever lies in the folder, a start ends with a page, and what it says is true."""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from support.each import few_now
from support.tables.process import Companion
from support.tables.wrecks import Before, Start, furnish, reading, wreck
from werkzeug.test import Client

from companion.app.table import BY_COMMAND, RunningTable
from companion.cli import main
from companion.cli.race import _configured
from companion.journal.backups import make_backup
from companion.journal.log import head
from companion.system import host
from companion.system.config import Config


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("whole") / "data"
    furnish(data)
    return data


def come_up(whole: Path, folder: Path, seed: int) -> list[object]:
    """What is wrong with a start after this damage, and the damage."""
    data = folder / f"wreck{seed}"
    shutil.copytree(whole, data)
    before, done = Before(whole), wreck(data, Random(seed))
    start = Start(data, before)
    faults = start.judge()
    shutil.rmtree(data, ignore_errors=True)
    return [seed, done, faults, start.said, start.shut] if faults else []


@pytest.mark.faults("the folder: any of its files damaged, unreadable, or something else")
@pytest.mark.parametrize(
    "seeds", few_now([range(3), range(3, 8)], 2, quick=[range(3)]), ids=["0-2", "3-7"]
)
@pytest.mark.slow
def test_a_wrecked_folder_comes_up_and_every_sentence_is_true(
    whole: Path, tmp_path: Path, seeds: range, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    wrong = [come_up(whole, tmp_path, seed) for seed in seeds]
    assert [one for one in wrong if one] == []
    assert caplog.records == []


@pytest.mark.long
@pytest.mark.faults("the folder: any of its files damaged, unreadable, or something else")
@pytest.mark.parametrize("first", range(100, 500, 100))
def test_a_hundred_wrecked_folders_come_up(
    whole: Path, tmp_path: Path, first: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    wrong = [come_up(whole, tmp_path, seed) for seed in range(first, first + 100)]
    assert [one for one in wrong if one] == []
    assert caplog.records == []


# -- one case of each kind ------------------------------------------------------------------------


def first_line_flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[content.index(b"\n") + 40] ^= 1
    path.write_bytes(content)


BOTH: dict[str, Callable[[Path], object]] = {
    "a bit flipped in the header": first_line_flipped,
    "emptied": lambda path: path.write_bytes(b""),
    "first page zero": lambda path: path.write_bytes(bytes(4096) + path.read_bytes()[4096:]),
    "gone": Path.unlink,
}


@pytest.fixture
def data(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "data")


@contextmanager
def opened(data: Path) -> Iterator[tuple[RunningTable, list[str]]]:
    said: list[str] = []
    with RunningTable(Config(data, "127.0.0.1", 0), complain=said.append) as table:
        table.start()
        yield table, said


def files_of(data: Path, log: str) -> list[Path]:
    return [path for folder in ("journal", "copy") for path in (data / folder).glob(f"*{log}.log")]


def told(table: RunningTable) -> str:
    disk = json.loads(table.session.snapshot().body)["disk"]
    return str(disk["en"]) if disk else ""


@pytest.mark.slow
@pytest.mark.parametrize("damage", BOTH.values(), ids=BOTH)
def test_a_table_whose_open_race_is_lost_in_both_files_opens_with_the_others(
    data: Path, damage: Callable[[Path], object]
) -> None:
    race = Before(data).open
    for path in files_of(data, race):
        damage(path)
    for _ in range(2):
        with opened(data) as (table, _):
            assert table.state.race is None
            assert len(table.state.waiting()) == 2
            assert "The race that lay on the table cannot be opened." in told(table)
            for waiting in table.state.waiting():
                table.session.submit(BY_COMMAND, {"table": "open", "value": waiting.id})
                assert table.state.race is not None
            table.session.submit(BY_COMMAND, {"table": "close"})


def test_a_sound_copy_that_cannot_be_read_is_neither_deleted_nor_taken_for_empty(
    data: Path,
) -> None:
    race = Before(data).open
    before = {path: path.read_bytes() for path in files_of(data, race)}
    for path in before:
        path.chmod(0)
    with reading(), opened(data) as (table, said):
        assert table.state.race is None
        assert any("cannot be read (Permission denied)" in sentence for sentence in said)
        assert "it is left as it is" in told(table)
    for path in before:
        path.chmod(0o600)
    assert {path: path.read_bytes() for path in before} == before
    with opened(data) as (table, _):  # once that is mended it is there again
        assert race in {waiting.id for waiting in table.state.waiting()}


def head_of_the_future() -> bytes:
    with patch("companion.journal.log.FORMAT", 9):
        return head("table")


SENTENCES = {
    "table": "The table's own log is lost: look for your race among those that wait.",
    "access": "The keys are lost: PIN and links are new, scan your codes again.",
}


@pytest.mark.parametrize("log", SENTENCES)
@pytest.mark.parametrize(
    "damage", [lambda path: path.write_bytes(bytes(4000)), Path.unlink], ids=["zeros", "gone"]
)
def test_what_is_lost_is_called_by_its_name(
    data: Path, log: str, damage: Callable[[Path], object]
) -> None:
    for path in files_of(data, log):
        damage(path)
    with opened(data) as (table, _):
        assert SENTENCES[log] in told(table)
        assert "nothing is missing" not in told(table)


def test_a_journal_of_zeros_alone_is_not_said_to_be_whole(data: Path) -> None:
    for path in files_of(data, ""):
        path.write_bytes(bytes(path.stat().st_size))
    with opened(data) as (table, _):
        assert "cannot be read any more" in told(table)
        assert "nothing is missing" not in told(table)


def test_the_page_of_what_lies_on_the_disk_hands_files_out_for_the_pin_alone(data: Path) -> None:
    for path in files_of(data, Before(data).open):
        first_line_flipped(path)
    with opened(data) as (table, _):
        client = Client(table.server._door._app)
        page = client.get("/rescue").text
        (kept,) = {path for path in (data / "damaged").iterdir() if "-1.log" in path.name}
        assert str(kept) in page
        assert "Whole, as far as can be seen" in page
        ask = {"file": str(kept)}
        assert client.get("/api/rescue", query_string=ask).status_code == 401
        key = {"Authorization": f"Bearer {table.access.pin}"}
        assert client.get("/api/rescue", query_string=ask, headers=key).data == kept.read_bytes()
        ask = {"file": str(data / "companion.toml")}
        assert client.get("/api/rescue", query_string=ask, headers=key).status_code == 404


@pytest.mark.parametrize("content", [b"\xff\xfe", b'[announcer]\nlanguage = "la"\n'])
@pytest.mark.slow
def test_a_configuration_that_cannot_be_followed_leaves_the_table_open_and_says_so(
    data: Path, content: bytes
) -> None:
    (data / "companion.toml").write_bytes(content)
    settings, plan = _configured(Config(data, "127.0.0.1", 0), None, None)
    with RunningTable(settings, seats=plan, complain=lambda sentence: None) as table:
        table.start()
        assert "companion.toml cannot be followed" in told(table)
        assert Client(table.server._door._app).get("/league").status_code == 200


@pytest.mark.slow
def test_a_page_stands_in_for_the_table_until_a_backup_is_restored(
    data: Path, tmp_path: Path
) -> None:
    backup = make_backup(data, tmp_path / "kept", "20261126-180000")
    for path in files_of(data, "table"):
        path.write_bytes(head_of_the_future())
    with Companion(data, shut=True) as companion:
        client = companion.client()
        assert "format 9" in companion.told["trouble"]
        assert client.fetch("/") == client.fetch("/seat/1") == client.fetch("/league") == 503
        assert client.fetch("/rescue") == 200
        assert main(["restore", "--data", str(data), str(backup)]) == 0
        line = companion.next_line()
        assert "trouble" not in line
        assert line["pin"] == Before(data).keys["pin"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.slow
def test_what_root_does_in_a_folder_leaves_all_of_it_to_the_owner_of_the_folder(
    data: Path, tmp_path: Path
) -> None:
    backup = make_backup(data, tmp_path / "kept", "20261126-180000")
    for path in (data, *data.rglob("*")):
        os.chown(path, 1234, 1234)
    assert main(["restore", "--data", str(data), str(backup)]) == 0
    assert main(["backup", "--data", str(data)]) == 0
    assert main(["pin", "--new", "--data", str(data)]) == 0
    assert main(["league", "races", "--data", str(data)]) == 0
    with opened(data) as (table, _):
        assert Client(table.server._door._app).get("/league").status_code == 200
        assert {path.stat().st_uid for path in data.glob("journal/*")} == {1234}
    assert {path.lstat().st_uid for path in (data, *data.rglob("*"))} == {1234}


def test_a_table_beside_the_races_part_of_the_card_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "BESIDE", tmp_path / "mark")
    (tmp_path / "mark").write_text(str(tmp_path / "races"))
    told: list[str] = []
    with RunningTable(Config(tmp_path / "races", "127.0.0.1", 0), complain=told.append) as table:
        assert json.loads(table.session.snapshot().body)["disk"]["key"] == "races-beside"
    assert "cannot be mounted" in told[0]
