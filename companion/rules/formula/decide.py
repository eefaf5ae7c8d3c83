"""Who is asked what, and what an answer brings about: the first pending step says both.

Here all chapters of the rulebook come together, so that every kind of step and event is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

from companion.rules.formula import (
    boxes,
    collisions,
    construction,
    corners,
    debris,
    engine_tests,
    gears,
    grid,
    lapping,
    lengths,
    moving,
    pace,
    pit,
    referee,
    rounds,
    second_roll,
    slipstream,
    start,
    tires,
    trials,
    urban,
    weather,
)
from companion.rules.formula.boardless import by_report
from companion.rules.formula.state import Asks, Event, Flow, State
from companion.rules.game import Answer, Ask, Decision
from companion.rules.reading import refuse

CHAPTERS = (
    *(grid, trials, boxes, construction, tires, start, gears, lengths, moving, slipstream, debris),
    *(corners, pit, collisions, engine_tests, weather, lapping, rounds, by_report, referee, pace),
    second_roll,
    # the streets have a small chapter a driver: whatever module is there
    *(import_module(f"{urban.__name__}.{found.name}") for found in iter_modules(urban.__path__)),
)


ONE_BY_ONE = frozenset({"gear", "roll", "move"})
"""A turn is the gear, then its die, then the move (FD-GEAR-1)."""


def asks(state: State) -> Asks:
    """Every open ask, in the order in which a table would take them; `decide` accepts no other."""
    return state.pending[0].asks(state) if state.pending else ()


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision[State, Event]:
    """What follows from an answer to one of the open asks, down to the next ones.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    ask = asked(answer, open_asks)
    if ask is None:
        _refuse_unasked(state, answer, open_asks)
    flow = Flow(state)
    if not second_roll.holds(flow, ask, answer.value):
        flow.take().answer(flow, ask, answer.value)
    rounds.settle(flow)
    return flow.done()


def asked(answer: Answer, open_asks: Sequence[Ask]) -> Ask | None:
    """The open ask that an answer answers; None: nobody has asked this seat that."""
    seat, kind = answer.seat, answer.kind
    for ask in open_asks:
        if ask.seat == seat and ask.kind == kind:
            return ask
    return None


def _refuse_unasked(state: State, answer: Answer, asks: Sequence[Ask]) -> NoReturn:
    """Nobody asked this seat that, with the rule by which it is not its moment."""
    wanted = ", ".join(f"seat {ask.seat}: {ask.kind}" for ask in asks) or "nothing"
    message = f"seat {answer.seat} is not asked for {answer.kind} now; asked is {wanted}"
    rule = _why_not_asked(state, answer, asks)
    refuse("not-asked", message, rule=rule, seat=answer.seat, kind=answer.kind)


def _why_not_asked(state: State, answer: Answer, asks: Sequence[Ask]) -> str | None:
    """Rolls that are open come first, then whose turn it is, then the order of a turn."""
    if not asks:
        return None
    step = state.pending[0]
    if any(ask.kind == "black" for ask in asks):
        return step.rule
    if state.turn is not None and answer.seat != state.turn:
        return "FD-ORDER-1"
    if answer.kind in ONE_BY_ONE and step.kind in ONE_BY_ONE:
        return "FD-GEAR-1"
    return "FD-SLIP-1" if answer.kind == "slipstream" else step.rule
