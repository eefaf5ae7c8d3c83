"""Every rule has a module that decides it and a test that shows it, and docs/rules.md tells so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import rules as tool
from made import renew

SOURCE = 'not_yet = []\n["A game"]\nFD-GEAR-1 = "One"\nFD-GEAR-2 = "Two"\n'


@pytest.fixture(scope="module")
def real() -> tool.Rules:
    return tool.read_rules()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project of two rules, both decided in one module and shown by one test."""
    for folder in ("docs", "companion/rules", "tests/scenarios"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "companion/rules/rules.toml").write_text(SOURCE)
    (tmp_path / "companion/rules/gears.py").write_text('"""FD-GEAR-1 to FD-GEAR-2."""\n')
    (tmp_path / "tests/test_gears.py").write_text(
        'def test_a_gear():\n    """FD-GEAR-1, FD-GEAR-2."""\n'
    )
    return tmp_path


def test_every_rule_is_decided_by_a_module_and_shown_by_a_test(real: tool.Rules) -> None:
    assert real.lacking() == []


def test_no_rule_that_is_built_and_shown_is_still_called_not_yet(real: tool.Rules) -> None:
    assert real.stale() == [], "take them out of not_yet in companion/rules/rules.toml"


def test_no_module_and_no_test_names_a_rule_that_there_is_not(real: tool.Rules) -> None:
    assert real.unknown == {}


def test_the_page_of_the_rules_is_up_to_date(real: tool.Rules) -> None:
    # Compared ahead of the assert: pytest would show the whole page, line by line.
    same = (tool.ROOT / tool.TARGET).read_text("utf-8") == tool.text_of(real)
    assert same, "docs/rules.md is not up to date: make rules"


def test_each_game_has_as_many_rules_as_its_book_of_rules(real: tool.Rules) -> None:
    counts = {game: len(names) for game, names in real.games.items()}
    assert counts == {"Formula D": 113, "Formule Dé": 24, "Downforce": 25}


def test_a_sound_project_lacks_nothing(small: Path) -> None:
    rules = tool.read_rules(small)
    assert (rules.lacking(), rules.stale(), rules.unknown) == ([], [], {})
    assert rules.by_id["FD-GEAR-1"].modules == ["companion/rules/gears.py"]
    assert rules.by_id["FD-GEAR-1"].tests == {"tests/test_gears.py": ["a gear"]}


def test_a_rule_that_no_module_names_is_told(small: Path) -> None:
    (small / "companion/rules/gears.py").write_text('"""FD-GEAR-2."""\n')
    lacking = tool.read_rules(small).lacking()
    assert lacking == ["no module of companion/rules decides FD-GEAR-1"]


def test_a_rule_that_no_test_names_is_told_and_a_head_of_a_file_is_no_test(small: Path) -> None:
    (small / "tests/test_gears.py").write_text(
        '"""FD-GEAR-1 and FD-GEAR-2."""\ndef test_a_gear():\n    """FD-GEAR-2."""\n'
    )
    assert tool.read_rules(small).lacking() == ["no test shows FD-GEAR-1"]


def test_a_scenario_shows_the_rules_that_it_names(small: Path) -> None:
    (small / "tests/test_gears.py").write_text("")
    (small / "tests/scenarios/two-gears.toml").write_text('rules = ["FD-GEAR-1", "FD-GEAR-2"]\n')
    rules = tool.read_rules(small)
    assert rules.lacking() == []
    assert rules.by_id["FD-GEAR-2"].tests == {"tests/scenarios": ["two gears"]}


def test_a_rule_called_not_yet_may_lack_all_but_not_stay_there(small: Path) -> None:
    waiting = SOURCE.replace("[]", '["FD-GEAR-1"]')
    (small / "companion/rules/rules.toml").write_text(waiting)
    assert tool.read_rules(small).stale() == ["FD-GEAR-1"]
    (small / "tests/test_gears.py").write_text('def test_a_gear():\n    """FD-GEAR-2."""\n')
    rules = tool.read_rules(small)
    assert (rules.lacking(), rules.stale()) == ([], [])


def test_an_id_that_is_no_rule_is_told_with_its_place(small: Path) -> None:
    (small / "companion/rules/more.py").write_text("# FD-GEAR-9\n")
    assert tool.read_rules(small).unknown == {"FD-GEAR-9": ["companion/rules/more.py"]}


def test_a_page_written_before_the_last_test_is_stale(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = small / tool.TARGET
    monkeypatch.setattr(sys, "argv", ["rules.py"])
    assert renew({page: tool.text_of(tool.read_rules(small))}) == 0
    monkeypatch.setattr(sys, "argv", ["rules.py", "--check"])
    assert renew({page: tool.text_of(tool.read_rules(small))}) == 0
    (small / "tests/test_more.py").write_text('def test_more():\n    """FD-GEAR-1"""\n')
    assert renew({page: tool.text_of(tool.read_rules(small))}) == 1
    assert capsys.readouterr().err == "rules: rules.md is not up to date: run python rules.py\n"
