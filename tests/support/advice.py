"""Solved boards and races on them for tests of advice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from companion.advice.alone import Alone
from companion.advice.bots.bot import Level, answer
from companion.advice.bots.racer import Racer
from companion.advice.play import throw
from companion.advice.solve.model import PLAIN, Sky
from companion.advice.solve.table import Table
from companion.boards import TrackLibrary
from companion.cli import main
from companion.engine import Engine
from companion.record import make_header
from companion.rules.board.file import load_track
from companion.rules.commands import Answer
from companion.rules.formula.asks import BlackAsk, GearAsk, LengthAsk, MoveAsk, RollAsk
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.game import FormulaD
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Status
from companion.solved import SolvedBoards

STANDARD = (6, 3, 3, 3, 3, 2)


@cache
def setup_on(board: str, laps: int, *rules: str) -> Setup:
    """A race on a board, by its name or its text; without start rolls."""
    track = load_track(board) if "\n" in board else TrackLibrary(()).load(board)
    return Setup(track, laps, start_rolls=False, rules=frozenset(rules))


def solved_board(board: str, *, laps: int, folder: Path) -> Table:
    """The solved board, out of the folder if it is there."""
    return SolvedBoards(folder).solved(setup_on(board, laps), [STANDARD])


def alone_on(board: str, *, laps: int, folder: Path) -> tuple[Alone, Setup]:
    """The values of a race on a solved board."""
    setup = setup_on(board, laps)
    return Alone(solved_board(board, laps=laps, folder=folder), setup), setup


def alone_under(sky: Sky, board: str, *, laps: int, folder: Path) -> tuple[Alone, Setup]:
    """The values of a race with tires and weather on a solved board."""
    setup = setup_on(board, laps, "tires", "weather")
    table = SolvedBoards(folder).solved(setup, [STANDARD], sky=sky)
    return Alone(table, setup, sky), setup


def race_alone(alone: Alone, setup: Setup, dice: Random, sky: Sky = PLAIN) -> int:
    """The turns of a race of the real rules, driven by the table; the car must finish."""
    game, bot, turns = FormulaD(), Racer(alone), 0
    header = {
        "game": "formula-d",
        "laps": setup.laps,
        "start": "normal",
        "rules": sorted(setup.rules),
        "weather": "rain" if sky.raining else "fine",
        "seats": [{"seat": 1, "tires": sky.tires}],
    }
    state = game.begin(header, setup.track).state
    while asks := game.asks(state):
        ask, value = asks[0], None
        if isinstance(ask, GearAsk):
            value, turns = bot.gear(state, 1, ask.choices), turns + 1
        elif isinstance(ask, RollAsk):
            value = dice.choice(GEAR_FACES[ask.gear])
        elif isinstance(ask, BlackAsk):
            value = dice.randint(1, 20)
        elif isinstance(ask, LengthAsk):
            value = answer(bot, state, ask)
        else:
            assert isinstance(ask, MoveAsk)
            end = bot.end(state, 1, ask.ends)
            value = {"to": setup.track.ids[end.to], "brakes": end.brakes}
        state = game.decide(state, Answer(1, ask.kind, value), asks).state
    assert state.cars[1].status is Status.FINISHED
    return turns


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
