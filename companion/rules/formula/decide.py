"""Who is asked what, and what an answer brings about: the first pending step says both."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.formula import chapters
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import not_asked
from companion.rules.formula.rounds import settle
from companion.rules.formula.state import State
from companion.rules.game import Answer, Ask, Decision

assert chapters.CHAPTERS, "every kind of step and event is known from here on"


def asks(state: State) -> Sequence[Ask]:
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
        raise not_asked(state, answer, open_asks)
    flow = Flow(state)
    flow.queue[0].answer(flow, ask, answer.value)
    settle(flow)
    return flow.done()


def asked(answer: Answer, open_asks: Sequence[Ask]) -> Ask | None:
    """The open ask that an answer answers; None: nobody has asked this seat that."""
    return next((a for a in open_asks if (a.seat, a.kind) == (answer.seat, answer.kind)), None)
