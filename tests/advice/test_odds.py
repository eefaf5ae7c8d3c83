"""The odds of a turn, exactly, and `companion odds`."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from driven import decisions
from support.advice import STANDARD, alone_on, solved_board, status_of
from support.formula.table import Table, position

from companion.advice.bots.solved import Racer
from companion.advice.odds import chances, odds
from companion.cli import main
from companion.rules.formula.book import GEAR_FACES
from companion.rules.formula.car import Car, Status
from companion.rules.formula.game import FormulaD
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import Phase, State

TRAFFIC = {
    1: {"space": "S2.m11", "gear": 5, "lap": 1, "wear": {"tires": 1, "brakes": 0}},
    2: {"space": "S2.m16", "gear": 3, "lap": 1},
    3: {"space": "S2.l16", "gear": 3, "lap": 1},
}


def asked(*words: str) -> list[str]:
    return ["odds", "--track", "monaco", *words]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*asked(*words), "--json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def thrown(table: Table, gear: int, face: int) -> dict[str, Any]:
    """What the engine says of this face: of the ends on offer the one that costs least."""
    table.plays(1, gear=gear, roll=face)
    options: list[dict[str, Any]] = table.ask(1, "move")["options"]
    return min(
        options,
        key=lambda o: (o["out"], o["spin"], sum(o["cost"].values()), o["brakes"], o["to"]),
    )


def test_the_odds_in_traffic_agree_with_a_million_throws() -> None:
    """The ends come from the engine's asks, the throws from the faces of the die."""
    gear, dice = 5, Random(1)
    table = Table(TRAFFIC, order=[1, 2, 3], turn=1)
    exact = odds(table.engine.moment, 1)[gear]
    ends = {
        face: thrown(Table(TRAFFIC, order=[1, 2, 3], turn=1), gear, face)
        for face in set(GEAR_FACES[gear])
    }
    rolled = Counter(dice.choices(GEAR_FACES[gear], k=1_000_000))
    seen = Counter[str]()
    for face, count in rolled.items():
        end = ends[face]
        seen["out" if end["out"] else "spin" if end["spin"] else "rest"] += count
        seen["tires"] += end["cost"].get("tires", 0) * count
        seen["brakes"] += end["cost"].get("brakes", 0) * count
    assert seen["out"] / 1e6 == pytest.approx(float(exact.out), abs=0.0015)
    assert seen["spin"] / 1e6 == pytest.approx(float(exact.spin), abs=0.0015)
    assert seen["tires"] / 1e6 == pytest.approx(float(exact.wear[0]), abs=0.01)
    assert seen["brakes"] / 1e6 == pytest.approx(float(exact.wear[1]), abs=0.005)
    assert 0 < exact.out < 1
    assert 0 < exact.spin < 1


def test_chances_are_one_in_all_whatever_stands_in_the_way() -> None:
    table = Table(TRAFFIC, order=[1, 2, 3], turn=1, debris=["S2.m12", "T2.m1"])
    for gear, one in odds(table.engine.moment, 1).items():
        assert one.clean + one.spin + one.out + sum(one.overshoot.values()) == 1, gear


def test_an_over_rev_is_paid_first_and_the_last_engine_point_is_out() -> None:
    """FD-REV-1, FD-REV-2"""
    wear = {"engine": 1}
    table = Table({1: {"space": "S2.m1", "gear": 6, "lap": 1, "wear": wear}}, order=[1], turn=1)
    found = odds(table.engine.moment, 1)
    assert sorted(found) == [2, 3, 4, 5, 6]
    assert found[2].out == 1
    assert found[2].wear == (0, 1, 1, 0, 1, 0)
    assert found[4].wear == (0, 0, 1, 0, 0, 0)


def test_a_standard_car_needs_no_header(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = told(capsys, "--space", "S2.m12", "--gear", "4", "--data", str(tmp_path))
    assert list(data) == ["1", "2", "3", "4", "5"]
    assert data["5"] == {
        "clean": 0.6,
        "overshoot": {"1": 0.1, "2": 0.1, "3": 0.1, "4": 0.1},
        "spin": 0.0,
        "out": 0.0,
        "expected_wear": dict.fromkeys(("body", "engine", "handling", "brakes", "gearbox"), 0.0)
        | {"tires": 1.0},
    }


@pytest.mark.slow
def test_on_a_solved_board_each_gear_has_its_turns(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    solved_board("manege", laps=2, folder=tmp_path / "solved")
    words = ["odds", "--track", "manege", "--space", "S2.m1", "--gear", "3"]
    assert main([*words, "--data", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert all(3 < one["turns"] < 40 for one in found.values())
    header = tmp_path / "rain.json"
    rain = {"game": "formula-d", "rules": ["weather"], "seats": [{"seat": 1}], "weather": "rain"}
    header.write_text(json.dumps(rain))
    assert main([*words, "--data", str(tmp_path), "--json", "--header", str(header)]) == 0
    assert "turns" not in json.loads(capsys.readouterr().out)["3"], "solved for a dry race"


def test_with_a_header_it_is_the_car_on_that_space_in_its_traffic(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    header = tmp_path / "header.json"
    header.write_text(json.dumps(position(TRAFFIC)))
    words = ("--space", "S2.m11", "--gear", "5", "--header", str(header), "--data", str(tmp_path))
    found = told(capsys, *words)
    exact = odds(Table(TRAFFIC, order=[1, 2, 3], turn=1).engine.moment, 1)
    assert {int(gear): one["out"] for gear, one in found.items()} == {
        gear: float(one.out) for gear, one in exact.items()
    }
    assert 0 < exact[5].clean < Fraction(1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--space", "S2.m99", "--gear", "4"], "has no space 'S2.m99'"),
        (["--space", "S2.m9", "--gear", "7"], "not in the range"),
        (["--space", "S2.m9"], "Missing option '--gear'"),
        (["--space", "S2.m9", "--gear", "4", "--header", "HEADER"], "stops outside a corner"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = tmp_path / "header.json"
    header.write_text(json.dumps(position({1: {"space": "S2.m9", "stops": 1}})))
    words = [str(header) if word == "HEADER" else word for word in words]
    assert status_of(asked(*words)) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("companion: ")
    assert said in printed.err
    assert not printed.out


@pytest.mark.parametrize(("track", "said"), [("spa", "exactly"), ("sebring", "a card")])
def test_a_board_without_exact_spaces_has_no_odds(
    track: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["odds", "--track", track, "--space", "S1.m1", "--gear", "2"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_the_chances_to_win_are_one_together_and_who_is_out_or_beaten_has_none(
    tmp_path: Path,
) -> None:
    alone, setup = alone_on("manege", laps=1, folder=tmp_path / "solved")
    levels, game = {seat: Racer(alone) for seat in (1, 2, 3, 4)}, FormulaD()
    header = {"game": "formula-d", "laps": 1, "seats": [{"seat": seat} for seat in levels]}
    state = game.begin(header, setup.track).state
    assert chances(alone, replace(state, phase=Phase.SETUP)) == {}, "not before a race"
    seen = 0
    for decision in decisions(game, state, levels, Random(2)):
        state = decision.state
        found = chances(alone, state)
        if not found:
            continue
        seen += 1
        assert sum(one.wins for one in found.values()) == pytest.approx(1)
        assert all(one.wins <= one.podium + 1e-9 <= 1 + 1e-6 for one in found.values())
        for seat, car in state.cars.items():
            if car.out:
                assert found[seat] == (0, 0)
            elif car.place is not None:
                assert found[seat] == (car.place == 1, car.place <= 3)
    assert seen > 100
    assert state.phase is Phase.FINISHED


def test_who_is_far_ahead_is_likely_to_win_and_who_has_moved_waits_a_turn(tmp_path: Path) -> None:
    alone, setup = alone_on("manege", laps=1, folder=tmp_path / "solved")
    track = setup.track
    first, near = track.finish[0], track.ahead[track.ahead[track.finish[0]]]

    def wins(*spaces: int, turn: int = 1) -> float:
        cars = {
            seat: Car(
                seat, "", seat, 2, 1, space, wear=STANDARD, full=STANDARD, status=Status.RACING
            )
            for seat, space in enumerate(spaces, 1)
        }
        order = tuple(cars)
        state = State(setup, OnBoard(), Phase.RACE, cars=cars, order=order, turn=turn)
        return chances(alone, state)[1].wins

    far = next(space for space in track.track_spaces() if track.level[space] == 60)
    assert wins(far, first) > 0.95 > wins(near, first) > 0.5
    assert wins(near, first, turn=2) < wins(near, first)
