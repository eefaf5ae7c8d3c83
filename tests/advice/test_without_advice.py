"""`"advice": false` in a header, or for a whole table: no odds, no review; the record says so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from support.advice import raced
from support.tables.sitting import REFEREE, Sitting, phone, race_header

from companion.advice.bots.by_room import Amateur
from companion.app.table import RunningTable
from companion.cli import main
from companion.race.record import read_record, write_record
from companion.rules.lines import Malformed
from companion.study.reviews import review_record
from companion.study.solved import SolvedBoards
from companion.system.config import Config


def test_a_table_without_advice_writes_it_into_the_header_of_each_race(tmp_path: Path) -> None:
    """Also where the header says otherwise: `race --new` counts as the table."""
    config = Config(tmp_path, "127.0.0.1", 0, advice=False)
    with RunningTable(config) as table:
        reply = table.start(header={**race_header(1), "advice": True})
        assert reply is not None
        assert reply.status == 200
        assert table.state.current.header["advice"] is False
        assert not table.state.current.beside.advice


def test_the_record_of_a_race_without_advice_says_so_and_has_no_review(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = {1: Amateur()}
    lines = raced(bots, Random(1), track="manege", laps=1, start="normal", advice=False)
    path = tmp_path / "race.jsonl"
    write_record(path, lines)
    assert read_record(path)[0]["advice"] is False
    with pytest.raises(Malformed, match="without advice"):
        review_record(lines, SolvedBoards(tmp_path / "solved"))
    assert main(["review", str(path), "--data", str(tmp_path)]) == 2
    assert "companion: this race is without advice" in capsys.readouterr().err
    assert not (tmp_path / "solved").exists()


def test_a_header_without_advice_has_no_odds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "header.json"
    path.write_text(json.dumps({"game": "formula-d", "seats": [{"seat": 1}], "advice": False}))
    words = ["odds", "--track", "manege", "--space", "S1.l1", "--gear", "2"]
    assert main([*words, "--data", str(tmp_path)]) == 0
    assert main([*words, "--data", str(tmp_path), "--header", str(path)]) == 2
    assert "companion: this race is without advice" in capsys.readouterr().err


def test_a_lobby_sets_up_a_race_without_advice_and_the_next_one_is_as_last_time() -> None:
    sitting = Sitting()
    for word, value in (("join", "Ana"), ("switch", {"name": "advice", "value": "off"})):
        sitting.accepts(phone(1), {"table": word, "seat": 1, "value": value})
    sitting.accepts(phone(1), {"table": "start", "seat": 1})
    assert sitting.race.header["advice"] is False
    sitting.accepts(REFEREE, {"end": True})
    for word in ("join", "same"):
        sitting.accepts(phone(1), {"table": word, "seat": 1})
    assert sitting.state.lobby.switches["advice"] == "off"


@pytest.mark.slow
@pytest.mark.parametrize("has_advice", [True, False])
def test_a_quiet_table_solves_its_board_unless_it_is_without_advice(
    has_advice: bool, tmp_path: Path
) -> None:
    config = Config(tmp_path, "127.0.0.1", 0, advice=has_advice, idle_s=0.01)
    with RunningTable(config) as table:
        header = {**race_header(1), "track": "manege", "laps": 1}
        reply = table.start(header=header)
        assert reply is not None
        assert reply.status == 200, reply.body
        assert table.solving.done.wait(120 if has_advice else 0.2) == has_advice
        state = table.state.current.engine.moment
        shown = table.session.snapshot()
        odds, body = shown.tell_odds(1), json.loads(shown.body)
        assert body["chances"] == body["podium"] == ({"1": 1.0} if has_advice else None)
        assert body["solving"] is None
        if not has_advice:
            assert not (tmp_path / "solved").exists()
            assert odds is None
            return
        assert SolvedBoards(tmp_path / "solved").find(state.setup, [state.cars[1].full])
