"""`companion doctor`, and `companion race` with seats, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main


def test_a_table_of_phones_has_nothing_to_examine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["findings"][0]["says"] == "none has a driver: all are phones"


def test_what_is_to_mend_is_printed_with_its_command_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--seats", "1 wired"]) == 1
    out = capsys.readouterr().out
    assert "WRONG configuration: pin_factory is None" in out
    assert 'write pin_factory = "lgpio"' in out


def test_simulated_seats_are_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--seats", "2 wired simulated"]) == 0
    assert capsys.readouterr().out.count("ok    seat") == 2


@pytest.mark.parametrize("command", ["doctor", "race"])
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seats", "two wired"], "'two wired' is not like"),
        (["--config", "nowhere.toml"], "nowhere.toml is not there"),
    ],
)
def test_seats_that_cannot_be_followed_end_with_a_sentence(
    command: str, words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--data", str(tmp_path), *words]) == 2
    assert says in capsys.readouterr().err


def test_a_configuration_that_lies_elsewhere_is_no_green_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "companion.toml").write_text('[seats]\n1 = "wired simulated"\n')
    assert main(["doctor", "--data", "races"]) == 1
    assert "companion.toml lies here and was not read" in capsys.readouterr().out
    assert main(["doctor", "--data", "races", "--config", "companion.toml"]) == 0
