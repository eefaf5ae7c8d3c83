"""Puts the bots of a table together: what they look at, and who solves a board for them."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from companion.closing import Closing
from companion.config import Config
from companion.table.ports import Snapshot
from companion.table.session import Session
from companion.table.state import TableState

if TYPE_CHECKING:
    from companion.advice.by_sky import BySky
    from companion.advice.solve.model import Sky
    from companion.robots import Robots
    from companion.rules.formula.state import State
    from companion.rules.formula.wear import Wear

SOLVING_S = 600
"""Longer than a board takes on a Pi, in all weathers."""
LOOK_S = 0.2
LOWEST = 19
"""The priority of what only fills the gaps."""
_log = logging.getLogger(__name__)


class TableBots(Closing):
    """The bots of a table; a table that has none does not import them."""

    def __init__(self, session: Session, state: TableState, config: Config) -> None:
        self._session, self._state, self._config = session, state, config
        self._robots: Robots | None = None
        self._stop = session.watch(self._look)

    def close(self) -> None:
        """The bots stop. May be called twice."""
        self._stop()
        if self._robots is not None:
            self._robots.close()

    def _look(self, shown: Snapshot) -> None:
        """In the table's thread."""
        race = self._state.race
        if race is None or not race.beside.bots or race.is_finished or race.paused:
            return
        from companion.robots import Moment, Robots

        if self._robots is None:
            self._robots = Robots(self._session, self._solved, self._config.bot_pace_s)
        engine = race.engine
        asks, bots = engine.open_asks, race.beside.bots
        game = str(race.header["game"])
        self._robots.look(Moment(race.id, game, bots, engine.moment, engine.version, asks))

    def _solved(self, state: State) -> BySky | None:
        return solved_apart(self._config.data / "solved", state)


def solved_apart(folder: Path, state: State, *, given_up: Event | None = None) -> BySky | None:
    """The solved boards of a race; what is not solved yet is solved by a process of its own.

    So the table's own does not grow by what solving takes. With `given_up`, which ends it, it takes
    only what nobody else wants of the processor. None: it cannot be solved here.
    """
    from companion.advice.by_sky import BySky, skies_of
    from companion.rules.formula.house import as_advice_has_it
    from companion.solved import SolvedBoards

    setup, boards, wanted = state.setup, SolvedBoards(folder), skies_of(state)
    if setup.boardless:
        return None
    wears = [car.full for car in state.cars.values()]
    figures = BySky(setup, lambda sky: boards.find(setup, wears, sky))
    if not all(figures.exactly(sky) for sky in wanted):
        house = as_advice_has_it(setup.house, setup.edition.name)
        given = {"laps": setup.laps, "rules": setup.rules, "house": house}
        told = folder, setup.track.source, setup.edition.name, given, wears, wanted
        _solve_apart(told, given_up)
    return figures if figures.exactly(wanted[0]) else None


def _solve_apart(told: tuple[Any, ...], given_up: Event | None) -> None:
    """Have a board solved, and wait for it."""
    from multiprocessing import get_context

    args = (*told, given_up is not None)
    solver = get_context("spawn").Process(target=_solve, args=args, daemon=True)
    solver.start()
    until = monotonic() + SOLVING_S
    while solver.is_alive() and monotonic() < until and not (given_up and given_up.is_set()):
        solver.join(LOOK_S)
    solver.kill()
    solver.join()
    if solver.exitcode and not (given_up and given_up.is_set()):
        _log.warning("the board could not be solved (see above): bots play without it")


def _solve(
    folder: Path, source: str, game: str, given: dict[str, Any], wears: list[Wear],
    wanted: list[Sky], gently: bool,
) -> None:  # fmt: skip
    """In a process of its own."""
    if gently:
        os.nice(LOWEST)
    from companion.rules.board.file import load_track
    from companion.rules.formula.game import Formula
    from companion.rules.formula.settings import Setup
    from companion.rules.games import fetch
    from companion.solved import SolvedBoards

    rules = fetch(game)
    assert isinstance(rules, Formula)
    setup = Setup(load_track(source), edition=rules.edition, **given)
    for sky in wanted:
        SolvedBoards(folder).solved(setup, wears, sky=sky)
