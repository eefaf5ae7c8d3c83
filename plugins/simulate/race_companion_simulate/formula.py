"""Races of cars as they are simulated, and what many come to.

A race is played by the real rules, with dice that are thrown and nobody at the table. What many
come to is a tally a race, added up in any order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.advice.alone import BySky, skies
from companion.advice.bots.by_room import play
from companion.advice.bots.levels import level_kind
from companion.race.boards import TrackLibrary
from companion.rules.board.ways import keep_roads
from companion.rules.formula.book import DRIVERS, URBAN, less
from companion.rules.formula.car import Car
from companion.rules.formula.game import Formula
from companion.rules.formula.header import Header, read_header
from companion.rules.formula.state import State
from companion.rules.games import fetch
from companion.rules.lines import Malformed
from companion.study.solved import Progress, SolvedBoards, check_solvable
from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Study:
    """A race of Formula D or Formule Dé: of `levels`, seat by seat; `rules` are optional rules.

    `solved` is the folder of solved boards, `given` the header of the races as JSON, instead of one
    that is made up of the rest.
    """

    game: str
    track: str
    laps: int | None
    rules: tuple[str, ...]
    levels: tuple[str, ...]
    seed: int
    solved: Path
    given: str = ""

    def header(self) -> dict[str, Any]:
        """The header of its races; without a grid it is drawn for each of them."""
        if self.given:
            return dict(json.loads(self.given))
        seats = [{"seat": seat, **self._who(seat)} for seat in range(1, len(self.levels) + 1)]
        laps = {} if self.laps is None else {"laps": self.laps}
        rules = {"rules": list(self.rules)}
        return {"game": self.game, "track": self.track, **laps, **rules, "seats": seats}

    def _who(self, seat: int) -> dict[str, str]:
        """What the rules want to know of a seat: a driver of the street, a team of two."""
        able = [name for name, one in DRIVERS.items() if one.needs in (None, *self.rules)]
        driver = {"driver": able[(seat - 1) % len(able)]} if URBAN in self.rules else {}
        team = {"team": f"Team {(seat + 1) // 2}"} if "teams" in self.rules else {}
        return driver | team

    def boards(self) -> Mapping[str, bytes]:
        """As `Simulated`; after `prepare`."""
        header = _read(self)
        wears = [car.wear for car in header.cars.values()]
        needs = any(level_kind(name).needs_board for name in self.levels)
        found = skies(header.setup) if needs else []
        files = [SolvedBoards(self.solved).file(header.setup, wears, sky) for sky in found]
        return {file.name: file.read_bytes() for file in files}

    def prepare(self, progress: Progress = lambda share: None) -> None:
        """Whether it can be simulated; a board that a level needs is solved first.

        Raises:
            Malformed: the header contradicts itself, a level is unknown, the board is a card.
            CannotSolve: a level needs a solved board, and it cannot be solved here.
        """
        kinds = [level_kind(name) for name in self.levels]
        header = _read(self)
        if header.setup.boardless:
            raise Malformed("board-blank", f"no bot can drive on {self.track}: it is a card")
        if any(kind.needs_board for kind in kinds):
            check_solvable(header.setup)
            wears = [car.wear for car in header.cars.values()]
            for sky in skies(header.setup):
                SolvedBoards(self.solved).solved(header.setup, wears, progress, sky=sky)

    def with_boards(self, folder: Path) -> Study:
        """As `Simulated`."""
        return replace(self, solved=folder)

    def crew(self) -> _Cars:
        """As `Simulated`."""
        return _Cars(self)

    def tell(self, rows: Sequence[Ran]) -> dict[str, object]:
        """What `companion simulate` tells of its races, without the clock."""
        levels = {name: asdict(level) for name, level in by_level(rows).items()}
        figures = tell(rows, len(self.levels), _read(self).setup.edition.categories)
        return figures | {"levels": levels}


def _game(name: str) -> Formula:
    game = fetch(name)
    assert isinstance(game, Formula)
    return game


def _read(study: Study) -> Header:
    game = _game(study.game)
    return read_header(study.header(), TrackLibrary().load(study.track), game.edition)


class _Cars:
    """All that a process needs to play races of cars."""

    def __init__(self, study: Study) -> None:
        keep_roads()
        self._study, self._game = study, _game(study.game)
        header = _read(study)
        self._track, self._header = header.setup.track, study.header()
        wears, boards = [car.wear for car in header.cars.values()], SolvedBoards(study.solved)
        figures = BySky(header.setup, lambda sky: boards.find(header.setup, wears, sky))
        if any(level_kind(name).needs_board for name in study.levels):
            known = [figures.exactly(sky) for sky in skies(header.setup)]
            assert all(known), "prepare has solved it"
        made = {name: level_kind(name).make(figures) for name in study.levels}
        named = zip(sorted(header.cars), study.levels, strict=True)
        self._levels = {seat: made[name] for seat, name in named}

    def play(self, race: int, dice: Random) -> list[Ran]:
        """As `Crew`."""
        grid: list[int] = list(self._header.get("grid") or self._levels)
        if not self._header.get("grid"):
            dice.shuffle(grid)
        begun = self._game.begin({**self._header, "grid": grid}, self._track).state
        end = play(begun, self._levels, dice)
        return rows_of(race, end, grid, self._study.levels)


# -- what many races come to ----------------------------------------------------------------------


class Ran(NamedTuple):
    """How a car of one race did: `grid` and `place` from 1; `out` is the cause, None: home."""

    race: int
    seat: int
    level: str
    grid: int
    place: int
    out: str | None
    used: tuple[int, ...]


def rows_of(race: int, state: State, grid: Sequence[int], levels: Sequence[str]) -> list[Ran]:
    """The cars of a race that is over; `levels` in the order of the seats."""
    cars = sorted(state.cars.values(), key=lambda car: car.seat)
    return [_row(race, car, grid, level) for car, level in zip(cars, levels, strict=True)]


def _row(race: int, car: Car, grid: Sequence[int], level: str) -> Ran:
    place = car.place or 0
    why = car.out.why if car.out else None
    at = grid.index(car.seat) + 1
    return Ran(race, car.seat, level, at, place, why, less(car.full, car.wear))


@dataclass(frozen=True, slots=True)
class Level:
    """How the cars of a level did, together."""

    cars: int
    wins: int
    mean_place: float
    out: int


def tell(rows: Sequence[Ran], seats: int, categories: Sequence[str]) -> dict[str, object]:
    """What `companion simulate` tells of races, without the clock; `wear_used` is a car's mean."""
    wins = Counter(row.grid for row in rows if row.place == 1)
    causes = Counter(row.out for row in rows if row.out is not None)
    used = (sum(points) / len(rows) for points in zip(*(row.used for row in rows), strict=True))
    return {
        "races": len(rows) // seats,
        "wins_by_grid": [wins[place] for place in range(1, seats + 1)],
        "out_by_cause": dict(sorted(causes.items())),
        "wear_used": dict(zip(categories, used, strict=True)),
    }


def by_level(rows: Iterable[Ran]) -> Mapping[str, Level]:
    """How each level did."""
    of: dict[str, list[Ran]] = {}
    for row in rows:
        of.setdefault(row.level, []).append(row)
    return {
        name: Level(
            len(some),
            sum(row.place == 1 for row in some),
            sum(row.place for row in some) / len(some),
            sum(row.out is not None for row in some),
        )
        for name, some in of.items()
    }
