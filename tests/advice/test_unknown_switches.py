"""Where a house switch changes figures that advice does not know, it says so and gives none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.race.boards import TrackLibrary
from companion.race.record import make_header
from companion.rules.formula.book import FORMULA_D, switches

UNKNOWN_TO_ADVICE = sorted(one.name for one in switches().values() if not one.is_known_to_advice)
ODDS = ["odds", "--track", "monaco", "--space", "S6.m1", "--gear", "4"]
SOLVE = ["solve", "monaco", "--plain"]


def header(folder: Path, **house: str) -> Path:
    path = folder / "header.json"
    path.write_text(json.dumps({"game": "formula-d", "seats": [{"seat": 1}], "house": house}))
    return path


@pytest.mark.parametrize("words", [ODDS, SOLVE], ids=["odds", "solve"])
@pytest.mark.parametrize("name", UNKNOWN_TO_ADVICE)
def test_a_switch_that_changes_figures_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], name: str
) -> None:
    told = header(tmp_path, **{name: FORMULA_D.house[name][1]})
    assert main([*words, "--header", str(told)]) == 2
    assert f"advice does not know the house switch {name}: " in capsys.readouterr().err


def test_other_switches_and_values_as_usual_are_no_hindrance(tmp_path: Path) -> None:
    usual = {name: values[0] for name, values in FORMULA_D.house.items()}
    told = header(tmp_path, **{**usual, "points": "10-6-4-3", "slipstream_chain": "one"})
    assert main([*ODDS, "--header", str(told), "--data", str(tmp_path)]) == 0


def test_a_record_played_by_such_a_switch_is_not_reviewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {"game": "formula-d", "track": "monaco", "seats": [{"seat": 1}]}
    data |= {"house": {"pit_lane": "gears"}}
    text = TrackLibrary(()).text("monaco")
    first = make_header(data, race="r", name="n", started="", track_text=text)
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(first) + "\n")
    assert main(["review", str(path)]) == 2
    assert "advice does not know the house switch pit_lane" in capsys.readouterr().err
