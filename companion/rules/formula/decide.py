"""Who is asked what, and what an answer brings about: the first pending step says both.

Here all chapters of the rulebook come together, so that every kind of step and event is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.formula import (
    collisions,
    construction,
    corners,
    debris,
    engine_tests,
    gears,
    grid,
    lengths,
    moving,
    pit,
    referee,
    rounds,
    slipstream,
    start,
    tires,
    trials,
    weather,
)
from companion.rules.formula.boardless import by_report
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State
from companion.rules.formula.step import Asks
from companion.rules.formula.urban import checkpoint, noise, police, radio, reroll, trail
from companion.rules.game import Answer, Ask, Decision
from companion.rules.reading import refuse

CHAPTERS = (
    *(grid, trials, construction, tires, start, gears, lengths, moving, slipstream, debris),
    *(corners, checkpoint, police, pit, collisions, engine_tests, weather, reroll, noise, radio),
    *(trail, rounds, by_report, referee),
)


def asks(state: State) -> Asks:
    """Every open ask, in the order in which a table would take them; `decide` accepts no other."""
    return state.pending[0].asks(state) if state.pending else ()


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision[State, Event]:
    """What follows from an answer to one of the open asks, down to the next ones.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    seat, kind = answer.seat, answer.kind
    ask = next((ask for ask in open_asks if (ask.seat, ask.kind) == (seat, kind)), None)
    if ask is None:
        wanted = ", ".join(f"seat {ask.seat}: {ask.kind}" for ask in open_asks) or "nothing"
        message = f"seat {seat} is not asked for {kind} now; asked is {wanted}"
        refuse("not-asked", message, seat=seat, kind=kind)
    flow = Flow(state)
    flow.take().answer(flow, ask, answer.value)
    rounds.settle(flow)
    return flow.done()
