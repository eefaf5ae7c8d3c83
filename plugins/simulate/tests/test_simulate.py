"""`companion simulate`: races of bots of every level by the real rules."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import ladder
import pytest
from support.advice import solved_board, status_of

from companion.advice.bots.levels import LEVELS
from companion.cli import main
from race_companion_simulate.command import _told
from race_companion_simulate.formula import Study
from race_companion_simulate.races import simulate


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["simulate", "--json", "--races", "3", *words]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def study(folder: Path, *levels: str, **more: Any) -> Study:
    usual = {"game": "formula-d", "track": "manege", "laps": 1, "rules": (), "seed": 1}
    return Study(**usual | more, levels=levels, solved=folder)


def test_every_race_has_a_winner_and_every_car_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--track", "manege", "--laps", "1", "--seats", "4", "--data", str(tmp_path))
    data = told(capsys, *words, "--csv", str(tmp_path / "cars.csv"))
    assert data["races"] == sum(data["wins_by_grid"]) == 3
    assert len(data["wins_by_grid"]) == 4
    assert data["per_second"] > 0
    assert list(data["wear_used"]) == ["tires", "brakes", "gearbox", "body", "engine", "handling"]
    rows = list(csv.DictReader((tmp_path / "cars.csv").read_text("utf-8").splitlines()))
    for race in ("0", "1", "2"):
        assert sorted(row["place"] for row in rows if row["race"] == race) == ["1", "2", "3", "4"]


def test_a_club_simulates_its_own_header_with_its_bots_grid_and_switches(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seats = [{"seat": 2, "bot": "learner"}, {"seat": 5, "bot": "amateur"}, {"seat": 9}]
    given = {"game": "formula-d", "track": "manege", "laps": 1, "seats": seats, "grid": [9, 2, 5]}
    path = tmp_path / "header.json"
    path.write_text(json.dumps({**given, "house": {"slipstream_chain": "one"}}))
    words = ("--header", str(path), "--data", str(tmp_path), "--csv", str(tmp_path / "cars.csv"))
    assert {name: one["cars"] for name, one in told(capsys, *words)["levels"].items()} == {
        "learner": 3,
        "amateur": 6,
    }
    rows = list(csv.DictReader((tmp_path / "cars.csv").read_text("utf-8").splitlines()))
    assert {(row["seat"], row["grid"]) for row in rows} == {("2", "2"), ("5", "3"), ("9", "1")}
    path.write_text('{"game": "downforce", "seats": []}')
    assert status_of(["simulate", *words]) == 2
    assert "on a board" in capsys.readouterr().err


def test_in_the_street_those_drive_who_may(tmp_path: Path) -> None:
    one = study(tmp_path, *["amateur"] * 6, rules=("urban",), track="port-lanterne")
    one.prepare()


def test_how_far_it_is_is_told_a_line_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 0.5, 1.2, 1.9, 2.4, 2.8])
    assert len(list(_told(iter([[1, 2]] * 5), 5, 2, lambda: next(clock)))) == 5
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["2 of 5 races, 1.7 a second, 2 s left", "4 of 5 races, 1.7 a second, 1 s left"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_races_whatever_the_jobs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--track", "manege", "--races", "11", "--seed", "7", "--data", str(tmp_path))
    one, two = told(capsys, *words), told(capsys, *words, "--jobs", "2")
    for data in (one, two):
        del data["seconds"], data["per_second"]
    assert one == two
    assert told(capsys, *words[:-3], "8", *words[-2:])["wear_used"] != one["wear_used"]


MIXTURES = [
    ("formula-d", ("weather", "tires", "technical", "build")),
    ("formula-d", ("trials", "teams", "weather")),
    ("formula-d", ("urban", "weather")),
    ("formule-de", ()),
    ("formule-de", ("advanced", "weather", "tires")),
]


ANSWERED = [
    (level, *mixture)
    for level, kind in LEVELS.items()
    for mixture in (MIXTURES[:2] if kind.needs_board else MIXTURES)
]
"""Other boards and games are solved for in the slow test."""


@pytest.mark.long
@pytest.mark.parametrize(("level", "game", "rules"), ANSWERED, ids=lambda value: str(value)[:24])
def test_a_bot_of_each_level_answers_all_that_any_rule_asks(
    level: str, game: str, rules: tuple[str, ...], bot_folder: Path
) -> None:
    track = "port-lanterne" if "urban" in rules else "manege"
    one = study(bot_folder, level, level, level, game=game, rules=rules, track=track)
    one.prepare(lambda share: None)
    rows = [row for rows in simulate(one, 2) for row in rows]
    assert {row.place for row in rows} == {1, 2, 3}


@pytest.fixture(scope="module")
def bot_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bots")
    solved_board("manege", laps=1, folder=folder)
    return folder


@pytest.mark.long
@pytest.mark.parametrize(("game", "rules"), MIXTURES[2:], ids=lambda value: str(value)[:24])
def test_the_levels_that_play_a_solved_board_play_all_games_and_the_street(
    game: str, rules: tuple[str, ...], tmp_path: Path
) -> None:
    track = "port-lanterne" if "urban" in rules else "manege"
    one = study(tmp_path, "racer", "champion", game=game, rules=rules, track=track)
    one.prepare(lambda share: None)
    assert len([row for rows in simulate(one, 1) for row in rows]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("upper", "lower"),
    [("amateur", "learner"), pytest.param("champion", "amateur", marks=pytest.mark.long)],
)
def test_a_rung_wins_more_than_one_far_below(upper: str, lower: str, bot_folder: Path) -> None:
    won = list(ladder.winners((upper, lower) * 3, bot_folder, "manege", 3, 32))
    assert len(won) == 32
    assert won.count(upper) > won.count(lower)


def test_the_nearest_rung_drives_for_a_rating(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rating = str(LEVELS["amateur"].rating - 20)
    words = ("--track", "manege", "--laps", "1", "--seats", "2", "--data", str(tmp_path))
    assert list(told(capsys, *words, "--bots", rating)["levels"]) == ["amateur"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "genius"], ", ".join(f"{name} ({one.rating})" for name, one in LEVELS.items())),
        (["--bots", "racer", "--track", "spa"], "not known exactly"),
        (["--track", "sebring"], "it is a card"),
        (["--track", "nowhere"], "there is no track"),
        (["--game", "downforce", "--laps", "2"], "leave out --track and --laps"),
        (["--game", "downforce", "--bots", "amateur"], "a bot is one of learner, racer, not 'am"),
        (["--game", "downforce", "--seats", "7"], "2 to 6 play Downforce, not 7"),
        (["--game", "downforce", "--rules", "hands-of-three"], "not for two-players or hands"),
        (["--seats", "2", "--bots", "racer,racer,racer"], "there are 2 seats"),
        (["--rules", "urban,tires"], "hard tires"),
        (["--seats", "20"], "has room for"),
        (["--races", "0"], "not in the range"),
    ],
)
def test_what_cannot_be_raced_is_a_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["simulate", *words, "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("companion: ")
    assert said in printed.err
