"""The rolls of a move that is told together with its end: who touches throws before the report."""

from __future__ import annotations

from companion.rules.errors import Refusal
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.decide import asks, decide
from companion.rules.formula.meanings import Reason, Unhurt
from companion.rules.formula.state import State
from companion.rules.game import Answer

ROLLS = (Reason.COLLISION, Reason.DEBRIS)
"""What a report brings to roll for and a table rolls for at once."""


def unhurt(state: State, report: Answer) -> tuple[Answer, ...]:
    """The answers to all rolls that this report brings, where nobody is hurt by one.

    Empty where it brings none, or would be refused; only those before any other question.
    """
    rolls: list[Answer] = []
    try:
        state = decide(state, report, asks(state)).state
    except Refusal:
        return ()
    while roll := _spared(state):
        rolls.append(roll)
        state = decide(state, roll, asks(state)).state
    return tuple(rolls)


def _spared(state: State) -> Answer | None:
    """The first open roll, with the outcome that hurts nobody; None where another is asked."""
    ask = next(iter(asks(state)), None)
    if not isinstance(ask, BlackAsk) or ask.reason not in ROLLS:
        return None
    last = ask.outcomes[-1]
    if not isinstance(last.meaning, Unhurt):
        return None
    return Answer(ask.seat, ask.kind, last.low if last.low == last.high else [last.low, last.high])
