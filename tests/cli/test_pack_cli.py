"""`companion pack`: packs are listed, shown and checked; each fault is a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main

CLUB = 'name = "Our club"\ngame = "formula-d"\nlaps = 3\n[house]\nslipstream_chain = "one"\n'


def test_packs_are_listed_with_the_host_s_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "ours.toml").write_text(CLUB, "utf-8")
    assert main(["pack", "list", "--data", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"name": "Our club", "game": "formula-d", "about": ""} in told
    assert {"Chewsday Challenge"} <= {pack["name"] for pack in told}


def test_a_pack_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "show", "Chewsday Challenge", "--data", str(tmp_path)]) == 0
    assert "rules: build, tires, technical, teams" in capsys.readouterr().out


def test_a_pack_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pack", "show", "Nobody", "--data", str(tmp_path)]) == 2
    assert "there is no pack 'Nobody'; known are" in capsys.readouterr().err


def test_a_sound_file_is_told_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(CLUB, "utf-8")
    assert main(["pack", "check", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["laps"], told["rules"], told["house"]) == (3, None, {"slipstream_chain": "one"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (CLUB.replace('"one"', '"two"'), "slipstream_chain is one of any, one"),
        ("name", "a rules pack is TOML, and this is none"),
    ],
)
def test_a_fault_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text, "utf-8")
    assert main(["pack", "check", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"companion: {told}")


def test_a_file_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pack", "check", str(tmp_path / "none.toml")]) == 2
    assert "there is no file" in capsys.readouterr().err
