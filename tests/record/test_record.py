"""A race record is whole, replays anywhere, and says where it no longer holds."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.tables.sitting import REFEREE, Sitting

from companion.race.boards import TrackLibrary
from companion.race.record import (
    RecordError,
    engine_line,
    header_of,
    make_header,
    read_record,
    recorded,
    replay,
    tracks_of,
    write_record,
)


@pytest.fixture(scope="module")
def race() -> Sitting:
    """A race of two, driven to its end with an undo and notes on the way."""
    sitting = Sitting()
    sitting.begins(2, laps=1)
    dice = Random(11)
    sitting.goes_on(30, dice)
    sitting.accepts(REFEREE, {"undo": 5})
    sitting.accepts(REFEREE, {"note": "the dice fell off the table"})
    sitting.accepts(REFEREE, {"table": "preset", "seat": 1, "gear": 2})
    sitting.accepts(REFEREE, {"table": "preset", "seat": 1, "gear": None})
    while sitting.state.asks:
        sitting.goes_on(1, dice)
    return sitting


@pytest.fixture
def lines(race: Sitting) -> list[Any]:
    finished = race.state.finish()
    return recorded(race.race.lines) if finished is None else list(finished[1])


def test_a_finished_record_replays_to_the_same_state(race: Sitting, lines: list[Any]) -> None:
    assert replay(lines).state() == race.race.state


def test_a_record_has_header_answers_undo_notes_and_the_result_last(lines: list[Any]) -> None:
    assert lines[0]["record"] == 1
    assert lines[0]["track_file"]["toml"].lstrip().startswith(("#", "name"))
    assert lines[0]["seats"][0]["name"] == "Ana"
    assert list(lines[-1]) == ["result"]
    assert lines[-1]["result"][0]["place"] == 1
    assert [line["undo"] for line in lines if "undo" in line] == [5]
    assert sum("note" in line for line in lines) == 1
    assert all({"at", "by"} <= set(line) for line in lines[1:-1])
    times = [line["at"] for line in lines[1:-1]]
    assert times == sorted(times)


def test_words_to_the_table_that_are_no_pause_stay_out_of_the_record(lines: list[Any]) -> None:
    assert not any("table" in line for line in lines)


def test_a_record_comes_back_from_its_file_as_it_was(tmp_path: Path, lines: list[Any]) -> None:
    path = tmp_path / "records" / "id.jsonl"
    write_record(path, lines)
    assert read_record(path) == lines
    assert [file.name for file in path.parent.iterdir()] == ["id.jsonl"]


def test_a_record_is_replaced_whole(tmp_path: Path, lines: list[Any]) -> None:
    path = tmp_path / "id.jsonl"
    path.write_text("older")
    write_record(path, lines[:1])
    assert len(path.read_text().splitlines()) == 1


def test_a_record_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "id.jsonl"
    path.write_text("older")

    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("companion.system.host.os.fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        write_record(path, lines)
    assert path.read_text() == "older"


def test_a_line_that_no_longer_holds_is_named_with_its_rule_and_the_result_stays(
    lines: list[Any],
) -> None:
    changed = [dict(line) for line in lines]
    number = next(n for n, line in enumerate(changed) if "gear" in line)
    changed[number]["gear"] = 5
    with pytest.raises(RecordError) as told:
        replay(changed)
    assert told.value.line == number + 1
    assert told.value.rule is not None
    assert told.value.rule.startswith("FD-GEAR")
    assert told.value.result == lines[-1]["result"]


def test_another_result_than_the_recorded_one_is_told(lines: list[Any]) -> None:
    changed = [*lines[:-1], {"result": lines[-1]["result"][::-1]}]
    with pytest.raises(RecordError, match="another result"):
        replay(changed)


def test_the_board_of_a_record_is_the_one_it_carries() -> None:
    text = TrackLibrary().text("monaco").replace('name = "Monaco"', 'name = "Elsewhere"')
    first = make_header({"track": "monaco"}, race="x", name="x", started="", track_text=text)
    assert tracks_of(first).load("monaco").name == "Elsewhere"
    assert header_of(first) == {"track": "monaco"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no race record"),
        ('{"new": 1}', "no race record"),
        ("[1]", "a JSON object is wanted"),
        ('{"record": 1}\n{', "line 2: no JSON"),
        ('{"record": 9}', "record format 9"),
        ('{"record": 1, "track_file": {"toml": "x", "sha256": "0"}}', "changed since"),
        ('{"record": 1, "track_file": 7}', "must have the text"),
    ],
)
def test_a_file_that_is_no_record_is_told_in_a_sentence(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "id.jsonl"
    path.write_text(content)
    with pytest.raises(RecordError, match=message):
        read_record(path)


def test_a_result_that_was_undone_is_not_in_the_record() -> None:
    lines = [{"record": 1}, {"result": [1]}, {"undo": 1}, {"end": True}, {"result": [2]}]
    assert recorded(lines) == [{"record": 1}, {"undo": 1}, {"end": True}, {"result": [2]}]


def test_what_the_engine_hears_of_a_line() -> None:
    assert engine_line({"at": 1, "by": "phone", "seat": 1, "gear": 2}) == {"seat": 1, "gear": 2}
    assert engine_line({"note": "x", "at": 1, "by": "host"}) is None


def test_a_record_is_for_everybody_to_read(tmp_path: Path, lines: list[Any]) -> None:
    path = tmp_path / "id.jsonl"
    write_record(path, lines)
    assert stat.S_IMODE(path.stat().st_mode) & 0o400
    text = path.read_text()
    assert "token" not in text
    assert json.loads(text.splitlines()[0])["record"] == 1
