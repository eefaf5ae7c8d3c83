"""A whole race played by bots: the real rules, dice that are thrown, nobody at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.advice.bots.bot import Level, answer
from companion.rules.commands import Answer
from companion.rules.formula.asks import BlackAsk, RollAsk
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.game import Formula
from companion.rules.formula.state import State
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.game import Ask

T = TypeVar("T")


class Dice(Protocol):
    """What throws the dice: `random.Random`, say."""

    def choice(self, seq: Sequence[T]) -> T:
        """One of these, all alike."""

    def randint(self, a: int, b: int) -> int:
        """A whole number from a to b, both included."""


def throw(ask: Ask, dice: Dice) -> int | None:
    """The face that is asked for; None: no die is.

    The physical dice have some faces twice (FD-DIE-1), so they are thrown as such.
    """
    if isinstance(ask, RollAsk):
        return dice.choice(GEAR_FACES[ask.gear])
    if isinstance(ask, BlackAsk):
        return dice.randint(*BLACK_DIE)
    if ask.kind == "time":
        return 1  # no watch runs; equal times are rolled for (FD-TRIAL-2)
    return None


def play(game: Formula, state: State, levels: Mapping[int, Level], dice: Dice) -> State:
    """Play a race from a state to its end; `levels` by seat."""
    asks: Sequence[Any] = game.asks(state)
    while asks:
        ask = asks[0]
        value: object = throw(ask, dice)
        if value is None:
            value = answer(levels[ask.seat], state, ask)
        state = game.decide(state, Answer(ask.seat, ask.kind, value), asks).state
        asks = game.asks(state)
    return state
