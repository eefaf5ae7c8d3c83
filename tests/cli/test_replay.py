"""`companion replay`: the state after a record, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.tables.sitting import REFEREE, Sitting

from companion.cli import main
from companion.race.record import recorded, write_record


@pytest.fixture
def played() -> Sitting:
    sitting = Sitting()
    sitting.begins(2)
    sitting.goes_on(12)
    sitting.accepts(REFEREE, {"end": True})
    sitting.state.finish()
    return sitting


@pytest.fixture
def record(played: Sitting, tmp_path: Path) -> Path:
    path = tmp_path / "race.jsonl"
    write_record(path, recorded(played.race.lines))
    return path


def test_as_json_it_is_the_state(
    played: Sitting, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == played.race.state


def test_for_people_it_is_a_line_a_car(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record)]) == 0
    title, *cars = capsys.readouterr().out.splitlines()
    assert title.startswith("monaco: Ana, Bob: finished")
    assert [line.split()[0] for line in cars] == ["1.", "2."]


def test_a_line_that_no_longer_holds_is_named_and_the_result_stays(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[Any] = [json.loads(line) for line in record.read_text().splitlines()]
    lines[1]["gear"] = 6
    record.write_text("\n".join(map(json.dumps, lines)))
    assert main(["replay", str(record)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "line 2: FD-GEAR-1" in told.err
    assert "the recorded result stays: 1. seat" in told.err


@pytest.mark.parametrize("content", ["", "\n", "{", "[]", "\xff", '{"record": 1}'])
def test_what_is_no_record_is_refused_in_a_sentence(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(content)
    assert main(["replay", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
