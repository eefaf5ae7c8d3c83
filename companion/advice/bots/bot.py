"""What every bot does alike: it answers what a seat is asked, dice left out.

A level says which gear it plays and which end it takes; what is asked seldom, and needs no board,
is answered here for all levels. An answer is in the form of the engine protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.rules.formula.asks import (
    BuildAsk,
    FormulaAsk,
    GearAsk,
    GearChoice,
    Length,
    LengthAsk,
    MoveAsk,
    PointsAsk,
    SlipstreamAsk,
    TiresAsk,
)
from companion.rules.formula.extra import EXTRA
from companion.rules.formula.moving import Move
from companion.rules.formula.option import Option
from companion.rules.formula.state import State
from companion.rules.formula.urban.drift import DRIFTS
from companion.rules.game import Ask

FIRST_WANTED = ("engine", "body", "tires", "brakes", "handling", "gearbox")
"""Which points a car takes first, where it gets some."""


class Level(Protocol):
    """How a level of play chooses."""

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """One of the gears on offer."""

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """Where a move ends, one of these."""

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """Where a slipstream ends; None: it is not used."""

    def tires(self, state: State, seat: int) -> str:
        """Which kind is fitted, before the race or at a stop."""

    def length(self, state: State, seat: int, ends: Sequence[Sequence[Option]]) -> int:
        """Which of some lengths, by where each may end."""


def answer(level: Level, state: State, ask: Ask) -> object:
    """What a bot of a level answers.

    Raises:
        TypeError: it is a die, or another thing that no bot is asked.
    """
    match ask:
        case GearAsk():
            return level.gear(state, ask.seat, ask.choices)
        case MoveAsk():
            return _told(state, level.end(state, ask.seat, ask.ends))
        case SlipstreamAsk():
            return _told(state, level.slip(state, ask.seat, ask.ends))
        case TiresAsk():
            return level.tires(state, ask.seat)
        case LengthAsk():
            # What an extra space is worth is not in their figures: they go as far as without it.
            lengths = [length for length in ask.lengths if EXTRA.isdisjoint(length.by)]
            ends = [_ends(state, ask.seat, length) for length in lengths]
            return lengths[level.length(state, ask.seat, ends)].as_json()
    return _chore(state, ask)


def _told(state: State, end: Option | None) -> Mapping[str, object] | None:
    ids = state.setup.track.ids
    return None if end is None else {"to": ids[end.to], "brakes": end.brakes}


def _ends(state: State, seat: int, length: Length) -> Sequence[Option]:
    return Move(seat=seat, spaces=length.spaces, drifts=DRIFTS in length.by).ends(state)


def _chore(state: State, ask: Ask) -> object:
    """What needs no thought of the board."""
    match ask:
        case PointsAsk():
            return _points(ask)
        case BuildAsk():
            return _build(ask)
        case FormulaAsk():
            return ask.usual  # what another roll is worth is not in their figures
    raise TypeError(f"no bot is asked for {ask.kind}")


def _points(ask: PointsAsk) -> Mapping[str, int]:
    """One point of what is wanted most; whether more may go there the rules know."""
    return {next(name for name in FIRST_WANTED if name in ask.categories): 1}


def _build(ask: BuildAsk) -> Mapping[str, int]:
    """The usual car, within the limits, its points made up in the first category."""
    wear = {name: min(high, max(low, 3)) for name, (low, high) in ask.limits.items()}
    first = next(iter(wear))
    wear[first] += ask.points - sum(wear.values())
    return wear
