"""A record of Downforce replays: a game without a board, with secrets that are out by then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.downforce.table import CARS, Table, header, racing

from companion.cli import main
from companion.race.record import (
    RecordError,
    make_header,
    read_record,
    replay,
    result_of,
    write_record,
)


def evening() -> tuple[Table, list[Any]]:
    """A race with a bet and an undo, and the lines of its record."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3), "red"))
    table.plays(4, bet="blue")
    table.says({"undo": 1})
    table.plays(4, bet="green")
    table.passed().card(finished=CARS)
    first = make_header(header(), race="r", name="x", started="2020-01-01T00:00", track_text=None)
    told = [{"at": 1.0, "by": "seat", **line} for line in table.engine.lines]
    return table, [first, *told, {"result": result_of(table.state)}]


def test_a_record_without_a_board_replays_to_the_same_state(tmp_path: Path) -> None:
    table, lines = evening()
    write_record(tmp_path / "r.jsonl", lines)
    engine = replay(read_record(tmp_path / "r.jsonl"))
    assert engine.moment == table.engine.moment
    assert engine.state() == table.state


def test_a_result_that_is_not_the_money_is_noticed() -> None:
    _, lines = evening()
    lines[-1]["result"][0]["points"] += 1
    with pytest.raises(RecordError, match="another result"):
        replay(lines)


def test_for_people_a_record_is_a_score_sheet_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """DF-PAY-3: race, bets, auction, total; what is not revealed yet is a question mark."""
    _, lines = evening()
    path = tmp_path / "r.jsonl"
    write_record(path, lines)
    assert main(["replay", str(path)]) == 0
    title, first, *rest = capsys.readouterr().out.splitlines()
    assert title == "x: finished"
    assert first.split()[0] == "1."
    assert "race 12 bets_won 0 spent 7 total 5  black red" in "\n".join(rest)
    write_record(path, lines[:-2])
    assert main(["replay", str(path)]) == 0
    assert "bets_won ? spent 7 total ?" in capsys.readouterr().out
