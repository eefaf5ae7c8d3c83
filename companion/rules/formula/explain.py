"""The referee of a Formula race explains an answer: see `companion.rules.explain`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.explain import NEAREST, Explanation, by_trying
from companion.rules.formula.asks import GearAsk, MoveAsk, SlipstreamAsk
from companion.rules.formula.decide import asked, decide
from companion.rules.formula.explain_moves import explain_end, explain_slipstream
from companion.rules.formula.moving import Move
from companion.rules.formula.state import State
from companion.rules.game import Answer, Ask


def explain(state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
    """Why an answer is legal or not; its rules have the ids of Formula D."""
    tried = by_trying(lambda: decide(state, answer, asks))
    ask = asked(answer, asks)
    if isinstance(ask, GearAsk):
        return _of_gear(ask, answer.value, tried)
    if isinstance(ask, MoveAsk):
        step = state.pending[0]
        assert isinstance(step, Move)
        return explain_end(state, step, ask, answer.value, tried)
    if isinstance(ask, SlipstreamAsk) or (ask is None and answer.kind == "slipstream"):
        return explain_slipstream(state, ask, answer, tried)
    options = ask.data().get("options") if ask is not None else None
    listed = options if isinstance(options, list) and not tried.legal else []
    return Explanation(tried.legal, tried.rules, instead=tuple(listed[:NEAREST]))


def _of_gear(ask: GearAsk, value: object, tried: Explanation) -> Explanation:
    """FD-GEAR-1 to FD-GEAR-3, FD-REV-2: a gear that puts the car out is legal and says so."""
    if tried.legal:
        out = any(choice.out for choice in ask.choices if choice.gear == value)
        return Explanation(True, ("FD-REV-2",) if out else ())
    wanted = value if type(value) is int else 0
    near = sorted((choice.gear for choice in ask.choices), key=lambda gear: abs(gear - wanted))
    return Explanation(False, tried.rules, instead=tuple(near[:NEAREST]))
