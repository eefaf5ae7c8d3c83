"""The games as the league knows them: a record played again, and what is counted of it.

What differs between games is a `LeagueGame`. It is fetched when something is asked of it, by the
names that `rules.games` has, out of the module here that is called as its room in the rules, which
has all games of the room as `GAMES`. Events and states are those of the game's own rules
(`rules.game.Game`), as types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from companion.league.plain import CarNumbers, Line, RaceNumbers
from companion.race.engine import Engine
from companion.race.record import PAUSES, RecordError, engine_line, play, seats_of, tracks_of
from companion.race.times import Times, Wait
from companion.rules.board.track import Track
from companion.rules.games import NAMES, room_of
from companion.rules.lines import InRace, New
from companion.system.frozen import dataclass

# -- replayed -------------------------------------------------------------------------------------


LATEST_S = 1e9
"""Seconds of a table's clock, some thirty years; not a number is not below it."""
StateT = TypeVar("StateT")
EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class Move(Generic[StateT, EventT]):
    """An accepted line that was not taken back, and what came of it.

    `line` is its number in the record, from 1 (the header); `at` seconds since the table's
    clock began, None where the record does not say. `state` is the race after it.
    """

    line: int
    at: float | None
    command: New | InRace
    events: tuple[EventT, ...]
    state: StateT = field(repr=False)


@dataclass(frozen=True, slots=True)
class Placing:
    """A line of a classification, as the engine has it. `points` are the race's own."""

    seat: int
    place: int
    status: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Replayed(Generic[StateT, EventT]):
    """A race as it was played, in the end.

    Args:
        header: the first line of the record, with who came late in `seats`; `game` is named by it.
        moves: the header and every answer that holds, in order.
        endings: the classification of every end that the race came to, the last one included;
            more than one where answers were taken back or corrected after the end.
        taken_back: answers that were taken back on the way.
        track: the board; None for a game without one.
        waits: who waited for whom, by seat; nothing where the record does not say when.
    """

    game: str
    header: Line
    moves: tuple[Move[StateT, EventT], ...]
    endings: tuple[tuple[Placing, ...], ...]
    taken_back: int
    track: Track | None = None
    waits: Mapping[int, Wait] = field(default_factory=dict)

    @property
    def state(self) -> StateT:
        """The race at the end."""
        return self.moves[-1].state

    def events(self) -> Iterator[EventT]:
        """All events that hold, in order."""
        for move in self.moves:
            yield from move.events


AnyReplayed = Replayed[Any, Any]


def replay_events(lines: Sequence[Line]) -> AnyReplayed:
    """Play a record to its end on the board that it carries, and keep what happened.

    Raises:
        RecordError: a line is refused, or the end is not the recorded result.
    """
    engine = Engine(tracks_of(lines[0]))
    watched = _Watched(engine, lines)
    play(watched, lines)
    if not watched.moves:
        raise RecordError(1, "there is no race in it")
    return Replayed(
        game=str(lines[0]["game"]),
        header={**lines[0], "seats": seats_of(lines)},
        moves=tuple(watched.moves),
        endings=tuple(watched.endings),
        taken_back=watched.taken_back,
        track=engine.track,
        waits=watched.waits(),
    )


class _Watched:
    """An engine that keeps what it answers; the player of `record.play`."""

    def __init__(self, engine: Engine, lines: Sequence[Line]) -> None:
        self._engine = engine
        self._numbered = (
            (number, _at(line), str(line.get("by", "")))
            for number, line in enumerate(lines, 1)
            if number == 1 or engine_line(line) is not None
        )
        self._times = Times()
        self._last_at: float | None = 0.0
        for line in lines:
            if (word := line.get("table")) in PAUSES:
                self._times.pause(word == PAUSES[0], _at(line) or 0.0)
        self.moves: list[Move[Any, Any]] = []
        self.endings: list[tuple[Placing, ...]] = []
        self.taken_back = 0

    def handle(self, line: dict[str, Any]) -> dict[str, Any]:
        """The engine's reply."""
        reply = self._engine.handle(line)
        number, at, by = next(self._numbered)
        if not reply["ok"]:
            return reply
        self._note_time(line, at, by)
        if "undo" in line:
            del self.moves[-line["undo"] :]
            self.taken_back += line["undo"]
        elif "new" in line or self._engine.accepted:
            command = New(line["new"]) if "new" in line else self._engine.accepted[-1]
            events = tuple(self._engine.events)
            self.moves.append(Move(number, at, command, events, self._engine.moment))
        if not reply["asks"] and self._engine.outline().is_over:
            self.endings.append(_placings(self.state()))
        return reply

    def _note_time(self, line: dict[str, Any], at: float | None, by: str) -> None:
        """Once a line does not say when it was given, nothing is known of the times any more."""
        if "new" in line:
            self._times.begin(self._engine)
            return
        self._last_at = at if self._last_at is not None else None
        if at is not None and "undo" in line:
            self._times.take_back(line["undo"], at, by)
        elif at is not None and self._engine.accepted:
            self._times.add(at, by, self._engine.accepted[-1], self._engine)

    def waits(self) -> Mapping[int, Wait]:
        """Who waited for whom, as far as the record says when lines were given."""
        return {} if self._last_at is None else self._times.waits(self._last_at)

    def state(self) -> Line | None:
        """The engine's state."""
        return self._engine.state()


def _at(line: Line) -> float | None:
    """When a line was given; None: it does not say, or what no clock shows."""
    at = line.get("at")
    return at if isinstance(at, int | float) and abs(at) < LATEST_S else None


def _placings(state: Line | None) -> tuple[Placing, ...]:
    """The classification that a finished STATE tells."""
    rows = state["classification"] if state else None
    assert isinstance(rows, list)
    return tuple(Placing(r["seat"], r["place"], r["status"], r["points"]) for r in rows)


# -- game -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CarEnd:
    """What the end of a race tells of a car beside its place; see `plain.Entry`."""

    grid: int | None = None
    lap: int | None = None
    out: str | None = None
    best_lap: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a race and of its cars, by seat."""

    race: RaceNumbers = field(default_factory=RaceNumbers)
    cars: Mapping[int, CarNumbers] = field(default_factory=dict)


class LeagueGame(Protocol[StateT, EventT]):
    """One of the games, as the league knows it; `games.game_of` has them by name."""

    @property
    def title(self) -> str:
        """As its box has it."""

    @property
    def bgg_id(self) -> int:
        """Its number at BoardGameGeek, by which other programs know it."""

    @property
    def has_money(self) -> bool:
        """Whether its own points are money, which no place earns and which totals are of."""

    @property
    def has_laps(self) -> bool:
        """Whether a car that is home has driven the laps of the header."""

    def names(self, race: Replayed[StateT, EventT]) -> Mapping[int, str]:
        """What its seats are called, by number."""

    def ends(self, race: Replayed[StateT, EventT]) -> Mapping[int, CarEnd]:
        """How its cars ended, by seat; without those of which there is nothing to tell."""

    def measure(self, race: Replayed[StateT, EventT]) -> Measured:
        """What is counted of a race."""


# -- games ----------------------------------------------------------------------------------------


AnyGame = LeagueGame[Any, Any]


@cache
def game_of(name: str) -> AnyGame:
    """The game of this name, one of `rules.games.NAMES`."""
    game: AnyGame = import_module(f"companion.league.games_{room_of(name)}").GAMES[name]
    return game


def games() -> dict[str, AnyGame]:
    """All of them by name."""
    return {name: game_of(name) for name in NAMES}


# -- measured -------------------------------------------------------------------------------------


def measure(race: AnyReplayed) -> Measured:
    """The numbers of a race and of its cars."""
    game = game_of(race.game)
    own = game.measure(race)
    times = [move.at for move in race.moves if move.at is not None]
    own.race["seats"] = {f"{seat}": name for seat, name in game.names(race).items()}
    own.race["colors"] = _colors(race)
    own.race["answers"] = len(race.moves) - 1
    own.race["taken_back"] = race.taken_back
    own.race["seconds"] = round(times[-1] - times[0], 1) if times else None
    return replace(own, cars=_with_waits(own.cars, race.waits))


def _with_waits(
    cars: Mapping[int, CarNumbers], waits: Mapping[int, Wait]
) -> Mapping[int, CarNumbers]:
    """The numbers of the cars with who waited for whom; a race without a moment of it has none."""
    told = waits if any(one.kept_s for one in waits.values()) else {}
    more: dict[int, CarNumbers] = {
        seat: {"kept_waiting": round(one.kept_s, 1), "waited": round(one.waited_s, 1)}
        for seat, one in told.items()
    }
    return {seat: {**cars.get(seat, {}), **more.get(seat, {})} for seat in {**cars, **more}}


def _colors(race: AnyReplayed) -> dict[str, str]:
    """The colors of the cars by their seats, as far as the header names them."""
    seats = race.header.get("seats")
    told = [one for one in seats if one.get("color")] if isinstance(seats, list) else []
    return {f"{one['seat']}": one["color"] for one in told}
