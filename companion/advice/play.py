"""A whole race played by bots: the real rules, dice that are thrown, nobody at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.advice.bots.bot import Level, answer
from companion.rules.commands import Answer
from companion.rules.formula.asks import BlackAsk, RollAsk
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.game import Formula
from companion.rules.formula.rounds import TurnEnded
from companion.rules.formula.state import Event, State
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.game import Ask, Decision

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


def decisions(
    game: Formula, state: State, levels: Mapping[int, Level], dice: Dice
) -> Iterator[Decision[State, Event]]:
    """What follows from each answer of a race, from a state to its end; `levels` by seat."""
    while asks := game.asks(state):
        ask: Any = asks[0]
        value: object = throw(ask, dice)
        if value is None:
            value = answer(levels[ask.seat], state, ask)
        decision = game.decide(state, Answer(ask.seat, ask.kind, value), asks)
        yield decision
        state = decision.state


def play(game: Formula, state: State, levels: Mapping[int, Level], dice: Dice) -> State:
    """Play a race from a state to its end; `levels` by seat."""
    for decision in decisions(game, state, levels, dice):
        state = decision.state
    return state


def play_counting(
    game: Formula, state: State, levels: Mapping[int, Level], dice: Dice
) -> tuple[State, int]:
    """As `play`; with how many turns were played."""
    turns = 0
    for decision in decisions(game, state, levels, dice):
        turns += sum(isinstance(event, TurnEnded) for event in decision.events)
        state = decision.state
    return state, turns
