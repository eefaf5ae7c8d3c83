"""Solved boards and races on them for tests of advice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from driven import drive

from companion.advice.alone import Alone
from companion.advice.bots.by_room import Level, answer, throw
from companion.advice.bots.solved import Racer
from companion.advice.solve.model import USUAL, Sky
from companion.advice.solve.table import Table
from companion.cli import main
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import make_header
from companion.rules.board.build import load_track
from companion.rules.formula.book import Setup
from companion.rules.formula.game import Formula
from companion.rules.games import fetch
from companion.study.solved import SolvedBoards

STANDARD = (6, 3, 3, 3, 3, 2)


@cache
def setup_on(board: str, laps: int, *rules: str) -> Setup:
    """A race on a board, by its name or its text; without start rolls."""
    track = load_track(board) if "\n" in board else TrackLibrary(()).load(board)
    return Setup(track, laps, start_rolls=False, rules=frozenset(rules))


def solved_board(board: str, *, laps: int, folder: Path, sky: Sky = USUAL) -> Table:
    """The solved board, out of the folder if it is there."""
    return _in_folder(setup_on(board, laps), folder, sky)


def alone_on(board: str, *, laps: int, folder: Path, sky: Sky = USUAL) -> tuple[Alone, Setup]:
    """The values of a race on a solved board."""
    setup = setup_on(board, laps)
    return Alone(solved_board(board, laps=laps, folder=folder, sky=sky), setup), setup


def alone_under(sky: Sky, board: str, *, laps: int, folder: Path) -> tuple[Alone, Setup]:
    """The values of a race with tires and weather on a solved board."""
    setup = setup_on(board, laps, "tires", "weather")
    return Alone(_in_folder(setup, folder, sky), setup), setup


def _in_folder(setup: Setup, folder: Path, sky: Sky) -> Table:
    boards = SolvedBoards(folder)
    if boards.find(setup, [STANDARD], sky=sky) is None:
        folder.mkdir(exist_ok=True)
        for name, content in _files(setup, sky):
            (folder / name).write_bytes(content)
    return boards.solved(setup, [STANDARD], sky=sky)


@cache
def _files(setup: Setup, sky: Sky) -> list[tuple[str, bytes]]:
    """What solving leaves in a folder: once for all tests of a worker."""
    with TemporaryDirectory() as folder:
        SolvedBoards(Path(folder)).solved(setup, [STANDARD], sky=sky)
        return [(path.name, path.read_bytes()) for path in Path(folder).iterdir()]


def race_alone(alone: Alone, setup: Setup, dice: Random, sky: Sky = USUAL) -> float:
    """The turns of a race of the real rules, driven by the table."""
    game, bot = fetch(setup.edition.name), Racer(alone)
    assert isinstance(game, Formula)
    header = {
        "game": setup.edition.name,
        "laps": setup.laps,
        "start": "normal",
        "rules": sorted(setup.rules),
        "weather": sky.weather,
        "seats": [{"seat": 1, "tires": sky.tires}],
    }
    state = game.begin(header, setup.track).state
    return drive(game, state, bot, alone, dice)[1]


def status_of(words: list[str]) -> object:
    """The status of a command line."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code


def raced(levels: Mapping[int, Level], dice: Random, **header: Any) -> list[dict[str, object]]:
    """The record of a race between bots, on the engine."""
    library = TrackLibrary(())
    whole = {"game": "formula-d", "seats": [{"seat": seat} for seat in levels], **header}
    engine = Engine(library)
    reply = engine.handle({"new": whole})
    assert reply["ok"], reply
    when, text = "2026-01-01T00:00:00Z", library.text(whole["track"])
    lines = [make_header(whole, race="id", name="", started=when, track_text=text)]
    while engine.open:
        ask = engine.open[0]
        value: object = throw(ask, dice)
        if value is None:
            value = answer(levels[ask.seat], engine.moment, ask)
        lines.append({"seat": ask.seat, ask.kind: value})
        reply = engine.handle(lines[-1])
        assert reply["ok"], (lines[-1], reply)
    state = engine.state()
    assert state is not None
    return [*lines, {"result": state["classification"]}]
