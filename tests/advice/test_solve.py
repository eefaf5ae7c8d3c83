"""Boards solved for a car alone, held against the rules and against races of the real engine."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from support.advice import (
    STANDARD,
    alone_on,
    alone_under,
    race_alone,
    setup_on,
    solved_board,
    status_of,
)

from companion.advice.odds import odds_of
from companion.advice.solve.model import PLAIN, USUAL, Box, Model, Places, Sky, gears
from companion.cli import main
from companion.race.boards import TrackLibrary
from companion.rules.formula.book import BRAKES, ENGINE, GEAR_FACES, Setup
from companion.rules.formula.car import Car, Status
from companion.rules.formula.gears import gear_choices, gears_on_offer
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import Phase, State
from companion.study.solved import SolvedBoards


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of solved boards that these tests share."""
    return tmp_path_factory.mktemp("data") / "solved"


@pytest.mark.slow
def test_every_place_comes_after_all_that_a_move_from_it_ends_on() -> None:
    places = Places(TrackLibrary(()).load("manege"))
    at = {place: number for number, place in enumerate(places.backward)}
    assert sorted(at) == list(range(places.on_track))
    for place in places.backward:
        ends = [end for some in places.ends(place, last_lap=False) for end in some]
        assert ends
        here = {end.place for end in places.ends(place, last_lap=False)[0]}  # braked away
        assert all(at[to] <= at[place] for to in here)
        assert all(end.line or at[end.place] < at[place] or end.place in here for end in ends)


SKIES = [
    ("manege", PLAIN),
    pytest.param("manege", Sky("soft"), marks=pytest.mark.long),
    pytest.param("montreal", USUAL, marks=pytest.mark.long),
    pytest.param("manege", Sky("rain", "rain"), marks=pytest.mark.slow),
    pytest.param("montreal", Sky("hard", "rain"), marks=pytest.mark.long),
    pytest.param("manege", Sky("rain"), marks=pytest.mark.long),
]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "sky"), SKIES, ids=str)
def test_a_table_says_what_the_rules_say_a_turn_ahead(board: str, sky: Sky, folder: Path) -> None:
    """Every figure is a mean over faces of the best end that the rules list.

    FD-TIRE-2 to FD-TIRE-6, FD-WEATHER-4, FD-PIT-1 to FD-PIT-3, FD-BRAKE-1; in the plain model no
    move is braked away.
    """
    alone, setup = alone_under(sky, board, laps=2, folder=folder)
    dice, seen = Random(5), 0
    while seen < 150:
        car = somewhere(setup, sky, dice)
        state = State(
            setup,
            OnBoard(),
            cars={1: car},
            weather=sky.weather,
            phase=Phase.RACE,
            turn=1,
            order=(1,),
        )
        for choice in gears_on_offer(state, 1):
            brakes = car.wear[BRAKES] - choice.cost[BRAKES]
            if sky.whole or brakes < GEAR_FACES[choice.gear][0]:
                told = odds_of(state, 1, choice, alone).turns
                assert told == pytest.approx(alone.engaged(car, choice), abs=0.006), (car, choice)
                seen += 1


def somewhere(setup: Setup, sky: Sky, dice: Random) -> Car:
    """A car anywhere on the board, a third of them in the pit if the board has one."""
    places, track, lap = Places(setup.track), setup.track, dice.randint(1, 2)
    place = dice.randrange(places.on_track)
    in_pit = bool(track.boxes) and dice.random() < 0.3
    if in_pit:
        place = dice.choice([*(places.served if lap == 2 else places.lane).values()])
    wear = tuple(map(dice.randint, (0, 0, 0, 3, 1, 2), (6, 3, 3, 3, 3, 2)))
    space, stops = places.spaces[place], places.stops[place]
    car = Car(1, "", 1, dice.randint(1, 6), lap, space, stops, wear, tires=sky.tires)
    if in_pit:
        return replace(car, status=Status.PIT, served=lap == 2)
    return replace(car, tires_lap=lap, status=dice.choice([Status.RACING, Status.SPUN]))


def test_the_over_revs_of_the_model_are_those_on_offer() -> None:
    setup = Setup(TrackLibrary(()).load("manege"))
    model, most = Model(setup, Box(6, 3, 3, 3)), 4
    for before, brakes, gearbox, engine in product(gears(), *[range(most)] * 3):
        wear = (6, brakes, gearbox, 3, engine, 2)
        car = Car(1, "", 1, before, 1, 0, wear=wear, status=Status.RACING)
        offered = {c.gear for c in gear_choices(car, in_box=False) if not c.out}
        paid = {
            choice.gear
            for choice in model.choices(before)
            if all(have >= cost for have, cost in zip(wear, choice.cost, strict=True))
            and (not choice.cost[ENGINE] or engine > 1)
        }
        assert engine == 0 or paid == offered, car


@pytest.mark.slow
def test_a_solved_board_is_read_without_numpy(folder: Path) -> None:
    solved_board("manege", laps=1, folder=folder)
    program = f"""
import sys
sys.modules["numpy"] = None
sys.path[:0] = {sys.path!r}
from pathlib import Path
from support.advice import alone_on
from companion.rules.formula.state import Car, Status
alone, setup = alone_on("manege", laps=1, folder=Path({str(folder)!r}))
car = Car(1, "", 1, space=setup.track.grid[0], lap=0)
print(alone.standing(car))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 2 < float(done.stdout) < 20


def test_without_numpy_solving_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "companion.advice.solve.sweep", raising=False)
    monkeypatch.delitem(sys.modules, "companion.advice.solve.sweep", raising=False)
    assert main(["solve", "manege", "--plain", "--data", str(tmp_path)]) == 2
    assert "pip install '.[solve]'" in capsys.readouterr().err


def test_a_board_is_known_by_its_content_and_solved_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = solved_board("manege", laps=1, folder=folder)
    monkeypatch.setitem(sys.modules, "companion.advice.solve.sweep", None)
    assert solved_board("manege", laps=1, folder=folder).title == first.title
    other = setup_on(TrackLibrary(()).text("manege") + "\n# another\n", 1)
    assert SolvedBoards(folder).find(other, [STANDARD]) is None


@pytest.mark.slow
def test_a_table_that_is_cut_short_or_not_its_own_is_not_read(tmp_path: Path) -> None:
    solved_board("manege", laps=1, folder=tmp_path)
    name, content = next((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    for broken in (
        content[:-2],
        content[:-1],
        content.replace(b'"key": "', b'"key": "x', 1),
        b"{}",
    ):
        path = tmp_path / name
        path.write_bytes(broken)
        assert SolvedBoards(tmp_path).find(setup_on("manege", 1), [STANDARD]) is None
    path.write_bytes(content)
    assert SolvedBoards(tmp_path).find(setup_on("manege", 1), [STANDARD]) is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spa", "--plain"], "not known exactly"),
        (["sebring", "--plain"], "it is a card"),
        (["nowhere", "--plain"], "there is no track"),
        (["monaco", "--plain", "--laps", "11"], "is not in the range"),
        (["monaco", "--plain", "--header", "gone.json"], "gone.json cannot be read"),
        (["monaco", "--plain", "--header", "HEADER"], "the header is for the board 'monza'"),
    ],
)
def test_what_cannot_be_solved_is_a_sentence(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = tmp_path / "header.json"
    header.write_text(json.dumps({"game": "formula-d", "track": "monza", "seats": [{"seat": 1}]}))
    words = [str(header) if word == "HEADER" else word for word in words]
    assert status_of(["solve", *words, "--data", str(tmp_path / "data")]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("companion: ")
    assert said in told.err
    assert not told.out


@pytest.mark.slow
@pytest.mark.long
def test_the_plain_model_of_monaco_has_its_known_figures(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = process_time()
    assert main(["solve", "monaco", "--plain", "--json", "--data", str(folder.parent)]) == 0
    assert process_time() - begun < 60, "seconds of one core"
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["states"] == pytest.approx(5.1e6, rel=0.05)
    assert told["seconds"] > 0
    assert told["expected_turns"] == pytest.approx(36.53, abs=0.005)
    worth = {"tires": 0.276, "brakes": 0.271, "gearbox": 0.102, "engine": 0.488}
    assert told["worth"] == pytest.approx(worth, abs=0.0005)
    best = {"tires": 8, "brakes": 5, "gearbox": 2, "body": 1, "engine": 3, "handling": 1}
    assert told["best_builds"][0] == {"turns": pytest.approx(35.67, abs=0.005), "wear": best}
    assert told["worst_build"]["turns"] == pytest.approx(43.12, abs=0.005)
    assert max(path.stat().st_size for path in folder.iterdir()) < 20e6


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "laps", "races", "sky"),
    [
        ("monaco", 2, 400, PLAIN),
        ("monza", 1, 150, PLAIN),
        ("montreal", 2, 150, USUAL),
        ("monza", 1, 100, Sky("rain", "rain")),
    ],
    ids=str,
)
def test_races_of_the_real_engine_take_as_many_turns_as_the_table_says(
    board: str, laps: int, races: int, sky: Sky, folder: Path
) -> None:
    """FD-TIRE-5, FD-TIRE-6 in rain: the slide is in the ways, and in the table."""
    if sky.raining:
        alone, setup = alone_under(sky, board, laps=laps, folder=folder)
    else:
        alone, setup = alone_on(board, laps=laps, folder=folder, sky=sky)
    pole = Car(1, "", 1, space=setup.track.grid[0], tires=sky.tires)
    turns = [race_alone(alone, setup, Random(seed), sky) for seed in range(races)]
    error = statistics.stdev(turns) / races**0.5
    assert abs(statistics.mean(turns) - alone.standing(pole)) < 3 * error
