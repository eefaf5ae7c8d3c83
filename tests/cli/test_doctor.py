"""`companion doctor`, and `companion race` with seats, as they are typed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from companion.cli import main
from companion.race.record import make_header, parse_record, write_record


def test_a_table_of_phones_has_nothing_to_examine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--data", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    seats = next(one for one in told["findings"] if one["what"] == "seats")
    assert (seats["ok"], seats["says"]) == (None, "none has a driver: all are phones")
    first = told["findings"][0]
    assert first["says"].startswith(f"{tmp_path}/companion.toml (named) is not there")
    assert first["ok"] is None
    assert told["ok"] is all(one["ok"] is not False for one in told["findings"])


def test_what_is_to_mend_is_printed_with_its_command_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--seats", "1 wired"]) == 1
    out = capsys.readouterr().out
    assert "WRONG configuration: pin_factory is None" in out
    assert 'write pin_factory = "lgpio"' in out


def test_of_simulated_seats_nothing_is_called_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor", "--data", str(tmp_path), "--seats", "2 wired simulated"])
    out = capsys.readouterr().out
    assert out.count("?     seat") == 2
    assert "ok    seat" not in out


def test_without_a_folder_it_looks_at_the_one_that_the_service_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion.toml").write_text('[seats]\n1 = "wired simulated"\n')
    monkeypatch.setattr("companion.machine.findings.service_data", lambda: tmp_path)
    main(["doctor"])
    assert (
        f"ok    configuration: {tmp_path}/companion.toml (the service's)" in capsys.readouterr().out
    )


def test_a_stick_that_is_named_and_not_there_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion.toml").write_text(f'[backup]\nstick = "{tmp_path}/stick"\n')
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert f"WRONG stick: {tmp_path}/stick is not there" in capsys.readouterr().out
    (tmp_path / "stick").mkdir()
    main(["doctor", "--data", str(tmp_path)])
    assert f"ok    stick: {tmp_path}/stick is there" in capsys.readouterr().out


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


# -- what is sent with a question ------------------------------------------------------------------


def test_a_report_has_what_a_question_needs_and_nobodys_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = [{"seat": 1, "name": "Red"}, {"seat": 2, "name": "Anna"}]
    header = {"game": "formula-d", "seats": seats, "colors": {"1": "Red"}}
    first = make_header(header, race="a", name="At Anna's", started="2026-11-26", track_text=None)
    rest = [
        {"note": "Anna spoke to Anne and Zoe", "at": 3.5},
        {"join": {"seat": 3, "name": "Zoe"}, "at": 4},
    ]
    write_record(tmp_path / "records/a.jsonl", [first, *rest])
    (tmp_path / "records/b.jsonl").write_text("no record")
    (tmp_path / "companion.toml").write_text(
        '[seats]\n1 = "wired simulated"\n[league]\ndatabase = "secret"\n'
    )
    (tmp_path / "seat.jpg").write_bytes(b"a photograph")
    to = tmp_path / "report.zip"
    words = ["report", str(to), "--picture", str(tmp_path / "seat.jpg"), "--data", str(tmp_path)]
    assert main(words) == 0
    assert "Look at it before you send it" in capsys.readouterr().out
    with zipfile.ZipFile(to) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert set(held) == {
        "doctor.txt",
        "seats.json",
        "records/a.jsonl",
        "records/b.txt",
        "pictures/seat.jpg",
    }
    assert held["pictures/seat.jpg"] == b"a photograph"
    assert b"versions: companion" in held["doctor.txt"]
    assert json.loads(held["seats.json"])["drivers"] == {"1": "wired simulated"}
    assert not [name for name, one in held.items() if b"secret" in one or b"Anna" in one]
    told = parse_record(held["records/a.jsonl"])
    assert [one["name"] for one in told[0]["seats"]] == ["Seat 1", "Seat 2"]
    assert told[0]["colors"] == {"1": "Red"}  # a car's color, and no person
    assert told[1:] == [
        {"note": "Seat 2 spoke to Anne and Seat 3", "at": 3.5},
        {"join": {"seat": 3, "name": "Seat 3"}, "at": 4},
    ]


def test_a_report_is_packed_where_the_configuration_is_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[seats\n")
    (tmp_path / "records/a.jsonl").mkdir(parents=True)  # a file that cannot be read
    to = tmp_path / "report.zip"
    assert main(["report", str(to), "--data", str(tmp_path)]) == 0
    with zipfile.ZipFile(to) as archive:
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    assert "WRONG configuration:" in held["doctor.txt"]
    assert "is not TOML" in held["doctor.txt"]
    assert "cannot be read" in held["records/a.txt"]
