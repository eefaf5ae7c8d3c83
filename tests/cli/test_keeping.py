"""`companion backup`, `restore` and `pin` from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.tables.process import Companion
from support.tables.sitting import race_header

from companion.cli import main
from companion.journal.journal import FolderLock


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that a table has been open on."""
    header = tmp_path / "header.json"
    header.write_text(json.dumps(race_header(2)))
    with Companion(tmp_path / "data", "--new", str(header)) as companion:
        (tmp_path / "pin").write_text(companion.pin)
    return tmp_path / "data"


@pytest.mark.slow
def test_a_pin_is_shown_renewed_and_opens_the_table(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = (data.parent / "pin").read_text()
    assert main(["pin", "--data", str(data)]) == 0
    assert capsys.readouterr().out == f"{old}\n"
    assert main(["pin", "--new", "--data", str(data), "--json"]) == 0
    new = json.loads(capsys.readouterr().out)["pin"]
    assert new != old
    with Companion(data) as companion:
        assert companion.pin == new
        assert main(["pin", "--data", str(data)]) == 0  # also while a table runs
        assert capsys.readouterr().out == f"{new}\n"
        assert main(["pin", "--new", "--data", str(data)]) == 2
        assert "in use by another companion" in capsys.readouterr().err


def test_a_folder_without_a_pin_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["pin"], ["pin", "--new"]):
        assert main([*words, "--data", str(tmp_path / "none")]) == 2
        assert capsys.readouterr().err.startswith("companion: ")
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_race_comes_back_out_of_a_backup(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Companion(data) as companion:
        version = companion.client().get("/api/table")["version"]
        assert main(["backup", "--data", str(data), "--to", str(tmp_path / "stick"), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(["restore", "--data", str(data), told["backup"]]) == 2
        assert "in use by another companion" in capsys.readouterr().err
    other = tmp_path / "other"
    assert main(["restore", "--data", str(other), str(tmp_path / "stick")]) == 0
    assert told["backup"] in capsys.readouterr().out
    with Companion(other) as companion:
        table = companion.client().get("/api/table")
        assert table["version"] == version
        assert table["race"] is not None
        assert table["disk"] is None


def test_the_stick_of_the_configuration_is_where_backups_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    stick.mkdir()
    data.mkdir()
    (data / "companion.toml").write_text(f'[backup]\nstick = "{stick}"\n')
    FolderLock(data).close()
    assert main(["backup", "--data", str(data)]) == 0
    assert len(list(stick.iterdir())) == 1
    (data / "companion.toml").write_text('[backup]\nplace = "here"\n')
    assert main(["backup", "--data", str(data)]) == 2
    assert "[backup] may say stick" in capsys.readouterr().err


def test_what_cannot_be_kept_or_brought_back_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = str(tmp_path / "none")
    for words in (["backup"], ["restore"], ["restore", str(tmp_path / "no.tar.gz")]):
        assert main([*words, "--data", none]) == 2
        assert capsys.readouterr().err.startswith("companion: ")
