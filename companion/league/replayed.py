"""A record played again with its events: what every number about a race is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine import Engine
from companion.record import RecordError, engine_line, play, tracks_of
from companion.rules.board.track import Track

JSON = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """An accepted line that was not taken back, and what came of it.

    `line` is its number in the record, from 1 (the header); `at` seconds since the table's
    clock began, None where the record does not say; `given` the line of the engine protocol.
    `state` is STATE after it.
    """

    line: int
    at: float | None
    given: JSON
    events: tuple[JSON, ...]
    state: JSON = field(repr=False)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A race as it was played, in the end.

    Args:
        header: the first line of the record.
        moves: the header and every answer that holds, in order.
        state: STATE of the engine protocol at the end.
        endings: the classification of every end that the race came to, the last one included;
            more than one where answers were taken back or corrected after the end.
        taken_back: answers that were taken back on the way.
        track: the board; None for a game without one.
    """

    header: JSON
    moves: tuple[Move, ...]
    state: JSON
    endings: tuple[Sequence[JSON], ...]
    taken_back: int
    track: Track | None = None

    def events(self) -> Iterator[JSON]:
        """All events that hold, in order."""
        for move in self.moves:
            yield from move.events


def replay_events(lines: Sequence[JSON]) -> Replayed:
    """Play a record to its end on the board that it carries, and keep what happened.

    Raises:
        RecordError: a line is refused, or the end is not the recorded result.
    """
    engine = Engine(tracks_of(lines[0]))
    watched = _Watched(engine, lines)
    play(watched, lines)
    state = watched.state()
    if state is None:
        raise RecordError(1, "there is no race in it")
    return Replayed(
        header=lines[0],
        moves=tuple(watched.moves),
        state=state,
        endings=tuple(watched.endings),
        taken_back=watched.taken_back,
        track=engine.track,
    )


class _Watched:
    """An engine that keeps what it answers; the player of `record.play`."""

    def __init__(self, engine: Engine, lines: Sequence[JSON]) -> None:
        self._engine = engine
        self._numbered = (
            (number, line.get("at"))
            for number, line in enumerate(lines, 1)
            if number == 1 or engine_line(line) is not None
        )
        self.moves: list[Move] = []
        self.endings: list[Sequence[JSON]] = []
        self.taken_back = 0

    def handle(self, line: dict[str, Any]) -> dict[str, Any]:
        """The engine's reply."""
        reply = self._engine.handle(line)
        number, at = next(self._numbered)
        if not reply["ok"]:
            return reply
        if "undo" in line:
            del self.moves[-line["undo"] :]
            self.taken_back += line["undo"]
        else:
            state = self._engine.state() or {}
            self.moves.append(Move(number, at, line, tuple(reply["events"]), state))
        if not reply["asks"]:
            self._note_end()
        return reply

    def state(self) -> JSON | None:
        """The engine's state."""
        return self._engine.state()

    def _note_end(self) -> None:
        state: JSON = self._engine.state() or {}
        if state.get("phase") == "finished":
            self.endings.append(state["classification"])
