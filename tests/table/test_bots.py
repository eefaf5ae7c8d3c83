"""Bots at a running table, and the dice that the companion throws."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from support import never_ends
from support.each import in_one
from support.tables.sitting import REFEREE, Sitting, race_header

from companion.app import bots
from companion.app.table import RunningTable
from companion.cli import main
from companion.race.record import (
    RecordError,
    audit,
    digest,
    read_record,
    replay,
    throw,
    write_record,
)
from companion.rules.formula.asks import RollAsk
from companion.rules.formula.book import GEAR_FACES
from companion.system.config import Config

FINISH_S = 60


def header(*levels: str | None, **more: Any) -> dict[str, Any]:
    seats = [
        {"seat": seat} | ({} if level is None else {"bot": level})
        for seat, level in enumerate(levels, 1)
    ]
    usual = {"game": "formula-d", "track": "manege", "laps": 1, "seats": seats}
    return usual | {"dice": {"seats": [seat["seat"] for seat in seats]}} | more


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A race of four bots on a real table, dice by the companion, nobody there."""
    folder, over = tmp_path_factory.mktemp("data"), Event()
    with RunningTable(Config(folder, "127.0.0.1", 0, bot_pace_s=0)) as table:
        stop = table.session.watch(lambda shown: table.state.is_kept and over.set())
        reply = table.start(header=header("learner", "amateur", "amateur", "learner"))
        assert reply is not None
        assert reply.status == 200, reply.body
        assert over.wait(FINISH_S)
        stop()
    (path,) = (folder / "records").iterdir()
    return path


@pytest.mark.slow
def test_a_champion_has_its_board_solved_by_a_process_of_its_own(tmp_path: Path) -> None:
    over = Event()
    with RunningTable(Config(tmp_path, "127.0.0.1", 0, bot_pace_s=0)) as table:
        stop = table.session.watch(lambda shown: table.state.is_kept and over.set())
        table.start(header=header("champion", "amateur"))
        assert over.wait(FINISH_S)
        stop()
        race = table.state.race
        assert race is not None
        table.solver.wait(race.id, Event())
        assert table.solver.figures(race.id, race.engine.moment) is not None
    assert len(list((tmp_path / "solved").iterdir())) == 1
    (path,) = (tmp_path / "records").iterdir()
    assert replay(read_record(path)).outline().is_over


def test_without_numpy_whoever_would_solve_a_board_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bots, "find_spec", {}.get)
    with pytest.raises(SystemExit, match=r"numpy solves a board: .*install"):
        bots._solve(tmp_path, "monaco", "formula-d", {}, [], [], False, None)


def test_bots_race_to_the_end_with_nobody_there(record: Path) -> None:
    lines = read_record(record)
    assert {line["by"] for line in lines[1:-2]} == {"bot", "companion"}
    assert len(lines[-1]["result"]) == 4
    assert lines[0]["seats"][1]["bot"] == "amateur"


def test_the_seed_was_promised_at_the_start_and_gives_every_throw(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read_record(record)
    assert digest(lines[-2]["seed"]) == lines[0]["dice"]["sha256"]
    rolls = sum("roll" in line or "black" in line for line in lines)
    assert audit(lines) == rolls > 20
    assert main(["replay", str(record), "--audit"]) == 0
    assert f"{rolls} throws" in capsys.readouterr().out


@pytest.mark.parametrize("change", ["face", "seed", "no seed", "other seed"])
def test_a_record_whose_dice_were_touched_is_found_out(
    change: str, record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [dict(line) for line in read_record(record)]
    at = next(at for at, line in enumerate(lines) if "roll" in line)  # in 1st gear: a 1 or a 2
    match change:
        case "face":
            lines[at:] = [{**lines[at], "roll": 3 - lines[at]["roll"]}, lines[-2]]
        case "seed":
            lines[-2]["seed"] = "no seed"
        case "no seed":
            del lines[-2]
        case "other seed":
            lines[-2]["seed"] = "00" * 32
    with pytest.raises(RecordError, match="seed"):
        audit(lines)
    path = tmp_path / "race.jsonl"
    write_record(path, lines)
    assert main(["replay", str(path), "--audit"]) == 2
    assert capsys.readouterr().err.startswith("companion: ")


def test_a_race_without_dice_of_the_companion_has_none_to_audit() -> None:
    with pytest.raises(RecordError, match="threw no dice"):
        audit([{"record": 1, "game": "formula-d", "track": "manege", "seats": [{"seat": 1}]}])


@in_one("gear", range(1, 7))
def test_every_side_of_a_die_comes_up_as_often(gear: int) -> None:
    """Chi-square over 6000 throws; the seed is fixed, so it never flickers."""
    sides, ask, seed = GEAR_FACES[gear], RollAsk(1, gear=gear), "5e" * 32
    marked = range(len(sides))
    seen = Counter(throw(seed, number, ask, marked) for number in range(6000))
    wanted = 6000 / len(sides)
    chi = sum((seen[side] - wanted) ** 2 / wanted for side in marked)
    degrees = len(sides) - 1
    assert chi < degrees + 3.3 * (2 * degrees) ** 0.5 + 4


def test_a_throw_taken_back_falls_the_same_way_again() -> None:
    sitting = Sitting()
    first = race_header(2, dice={"seats": [1, 2]}, start="normal", grid=[1, 2])
    sitting.accepts(REFEREE, {"new": first})
    sitting.accepts(REFEREE, {"seat": 1, "gear": 1})
    sitting.accepts(REFEREE, {"seat": 1, "roll": None})
    rolled = [line["roll"] for line in sitting.race.lines if "roll" in line]
    sitting.accepts(REFEREE, {"undo": 2})
    sitting.accepts(REFEREE, {"seat": 1, "gear": 1})
    sitting.accepts(REFEREE, {"seat": 1, "roll": None})
    again = [line["roll"] for line in sitting.race.lines if "roll" in line]
    assert again == rolled * 2


def test_a_restart_goes_on_with_the_same_seed() -> None:
    sitting = Sitting()
    first = race_header(2, dice={"seats": [1]}, start="normal", grid=[1, 2])
    sitting.accepts(REFEREE, {"new": first})
    seed = sitting.race.seed
    sitting.state.load()
    assert sitting.race.seed == seed is not None
    assert "seed" not in json.dumps(sitting.race.header)


@in_one(
    ("more", "said"),
    [
        ({"seats": [{"seat": 1, "bot": "genius"}]}, "a bot is one of"),
        ({"seats": [{"seat": 1, "bot": 3}]}, "the name of a level"),
        ({"seats": [{"seat": 1, "bot": "racer"}], "track": "sebring"}, "on a board"),
        ({"seats": [{"seat": 1, "bot": "racer"}], "track": None}, "on a board"),
        ({"dice": {"seats": [7]}}, "seats of the race"),
        ({"dice": 1}, "dice is"),
        ({"advice": "yes"}, "true or false"),
    ],
)
def test_what_no_table_can_do_is_refused(more: dict[str, Any], said: str) -> None:
    reply = Sitting().says(REFEREE, {"new": {**race_header(1), **more}})
    assert reply.status == 400
    assert said in reply.body["error"]["message"]


def test_a_champion_drives_as_one_without_a_board_until_its_board_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a solver, and who closes the table ends it."""
    monkeypatch.setattr(bots, "_solve", never_ends)
    over = Event()
    with RunningTable(Config(tmp_path, "127.0.0.1", 0, bot_pace_s=0)) as table:
        stop = table.session.watch(lambda shown: table.state.is_kept and over.set())
        table.start(header=header("champion", "champion"))
        assert over.wait(FINISH_S), "the race is driven while the board is being solved"
        stop()
        assert table.solver.share == 0
    assert table.solver.share is None
