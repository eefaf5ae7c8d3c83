"""The folder of solved boards, and what a running table is advised by them.

Each is a file, found by what was solved, and mapped into memory. Its first line is its title in
JSON, filled with spaces up to `HEAD` bytes; the numbers come after it. Whoever looks a value up
touches a page or two of it, so a table's process does not grow; nobody who only reads needs numpy.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from companion.advice.alone import Alone, BySky, moves_as_solved, sky_of
from companion.advice.odds import Odds, gears_now, odds_of
from companion.advice.solve.model import USUAL, Box, Model, Places, Sky
from companion.advice.solve.table import LARGEST, Layout, Table, Title, key_of
from companion.rules.board.track import Track
from companion.rules.formula.book import (
    CHANGEABLE,
    START_WEAR,
    URBAN,
    Setup,
    Wear,
    refuse_unknown_to_advice,
)
from companion.rules.formula.moves import takes_shortest
from companion.rules.formula.state import State
from companion.rules.lines import Malformed
from companion.system.host import how_to_install, write_whole

HEAD = 8192
"""Bytes before the numbers; a title has 1 to 3 KB."""
Progress = Callable[[float], None]


class CannotSolve(Exception):
    """A board that cannot be solved, or not on this machine; the message is a sentence."""


class SolvedBoards:
    """The solved boards of a data folder; `folder` need not be there yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, setup: Setup, wears: Sequence[Wear], sky: Sky = USUAL) -> Table | None:
        """The table for a race with these cars; None: it has not been solved yet."""
        return self._read(_model_of(setup, wears, sky))

    def file(self, setup: Setup, wears: Sequence[Wear], sky: Sky = USUAL) -> Path:
        """Where the table for a race with these cars is, or would be."""
        return self._path(key_of(_model_of(setup, wears, sky)))

    def solved(
        self,
        setup: Setup,
        wears: Sequence[Wear],
        progress: Progress = lambda share: None,
        *,
        builds: bool = False,
        sky: Sky = USUAL,
    ) -> Table:
        """The table for a race with these cars, solved now if need be.

        `progress` is called with how far it is, from 0 to 1. Where the weather may change, those
        of the other weathers are solved with it. `builds`: its summary compares constructions too.
        A board that is a sketch is solved as it is listed; who gives odds of it looks first
        (`check_solvable`).

        Raises:
            CannotSolve: a library is missing.
            OSError: the table cannot be kept.
        """
        found = self.find(setup, wears, sky)
        if found is not None and not (builds and found.title.summary["best_builds"] is None):
            return found
        try:
            # It needs numpy, which only whoever solves must have.
            from companion.advice.solve.sweep import solve
        except ModuleNotFoundError as error:
            message = f"solving a board needs {error.name}: {how_to_install('solve')}"
            raise CannotSolve(message) from error
        begun, model = time.perf_counter(), _model_of(setup, wears, sky)
        for one in solve(places_of(setup), model, wears[0], progress, builds=builds):
            summary = {**one.title.summary, "seconds": round(time.perf_counter() - begun, 3)}
            line = json.dumps(replace(one.title, summary=summary).as_json()).encode()
            content = line.ljust(HEAD - 1) + b"\n" + one.numbers.astype("<u2").tobytes()
            write_whole(self._path(one.title.key), content)
        made = self._read(model)
        assert made is not None
        return made

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.solved"

    def _read(self, model: Model) -> Table | None:
        key = key_of(model)
        try:
            with self._path(key).open("rb") as file:
                title = Title.from_json(json.loads(file.read(HEAD)))
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                numbers = memoryview(mapped)[HEAD:].cast("H")
        except (OSError, KeyError, TypeError, ValueError):
            return None
        layout = Layout(places_of(model.setup), model)
        # The numbers are read where they lie, which only a machine of the same byte order can.
        whole = title.key == key and len(numbers) == layout.size and sys.byteorder == "little"
        return Table(title, layout, numbers) if whole else None


def places_of(setup: Setup) -> Places:
    """The places of the board of a race."""
    return _places(setup.track, takes_shortest(setup))


@lru_cache(maxsize=4)
def _places(track: Track, whole: bool) -> Places:
    return Places(track, whole=whole)


_USUAL = Box.of(START_WEAR)


def _model_of(setup: Setup, wears: Sequence[Wear], sky: Sky = USUAL) -> Model:
    """What is solved for a race with these cars.

    It knows the most of each counted category that one of them has, as far as a file may be large:
    points beyond count as the most that it knows.
    """
    box = Box(*(max(points) for points in zip(*map(Box.of, wears), strict=True)))
    places, model = places_of(setup), Model(setup, box, sky)
    while Layout(places, model).size > LARGEST and max(box) > 1:
        most = max(range(len(box)), key=lambda at: box[at] - _USUAL[at])
        box = Box(*(points - (at == most) for at, points in enumerate(box)))
        model = Model(setup, box, sky)
    return model


def check_solvable(setup: Setup) -> None:
    """Whether the board of a race can be solved, and figures be given of the race.

    Raises:
        Malformed: it has no spaces, they are not known exactly, or a house switch is not known.
    """
    refuse_unknown_to_advice(setup.house, setup.edition.name)
    track = setup.track
    if track.is_blank:
        raise Malformed("board-blank", f"{track.name or 'this board'} has no spaces: it is a card")
    if not track.exact:
        message = f"the spaces of {track.name} are not known exactly (exact = false): no odds of it"
        raise Malformed("board-not-exact", message)


def is_known(setup: Setup) -> bool:
    """Whether figures can be given of a race: its spaces are known, and so is each switch."""
    try:
        check_solvable(setup)
    except Malformed:
        return False
    return True


# -- advice at a table ----------------------------------------------------------------------------


class Adviser:
    """The odds of races at a table; a board that was found solved is kept at hand.

    Where the board of a race has been solved the expected turns are among the odds. Nothing is
    solved here; a board that is not there is looked for again, as it may be being solved.
    """

    def __init__(self, boards: SolvedBoards) -> None:
        self._boards = boards
        self._figures: BySky | None = None
        self._setup: Setup | None = None

    def odds(self, state: object, seat: int) -> Mapping[int, Odds]:
        """The odds of the gears that a seat may roll with next; none where none can be told.

        That is while a move is settled, off the board, and where figures cannot be given.
        """
        if not isinstance(state, State) or not is_known(state.setup):
            return {}
        choices = gears_now(state, seat)
        alone = self.alone(state, seat) if choices else None
        return {one.gear: odds_of(state, seat, one, alone) for one in choices}

    def alone(self, state: State, seat: int) -> Alone | None:
        """The values of a seat's car alone; None: no board is solved for such a race.

        None is for the streets, nor where a house switch changes how the weather moves.
        """
        setup = state.setup
        if URBAN in setup.rules or (state.weather in CHANGEABLE and not moves_as_solved(setup)):
            return None
        sky = sky_of(state, seat)
        wears = [car.full for car in state.cars.values()]
        if self._figures is None or setup is not self._setup:
            self._setup = setup
            self._figures = BySky(setup, lambda sky: self._boards.find(setup, wears, sky))
        return self._figures.exactly(sky)
