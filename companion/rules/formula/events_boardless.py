"""What happens in boardless races only: see `events`."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.formula.events_base import Event


@dataclass(frozen=True, slots=True)
class Reported(Event):
    """A seat reported its move of so many spaces; `how`: move, great or fast.

    `stops` are the stops left in the corner where it ended, before this move's own is marked;
    `place` is the corner of the card that it is in or comes to next, from 0.
    """

    spaces: int = 0
    how: str = "move"
    brakes: int = 0
    overshoot: int = 0
    missing: int = 0
    blocked: int = 0
    touched: tuple[int, ...] = ()
    debris: int = 0
    corner: bool = False
    line: bool = False
    pit: bool = False
    stops: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """A round is over: the table says who runs where."""

    round: int = 0
