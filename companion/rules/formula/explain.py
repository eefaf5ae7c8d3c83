"""The referee of a Formula race explains an answer: see `companion.rules.explain`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.errors import Refusal
from companion.rules.explain import NEAREST, Explanation, by_trying
from companion.rules.formula.asks import GearAsk, MoveAsk, SlipstreamAsk
from companion.rules.formula.decide import asked, decide
from companion.rules.formula.moving import Move, read_end
from companion.rules.formula.slipstream import Slipstream
from companion.rules.formula.state import State
from companion.rules.game import Answer, Ask


def explain(state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
    """Why an answer is legal or not; its rules have the ids of Formula D."""
    ask = asked(answer, asks)
    if answer.kind in ("move", "slipstream") and _is_of_a_way(state, answer, ask):
        return _of_way(state, answer)
    tried = by_trying(lambda: decide(state, answer, asks))
    if isinstance(ask, GearAsk):
        return _of_gear(ask, answer.value, tried)
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


def _is_of_a_way(state: State, answer: Answer, ask: Ask | None) -> bool:
    """Whether an answer names an end on the board that may be asked of its seat."""
    if not isinstance(ask, MoveAsk | SlipstreamAsk):
        return False
    try:
        to, brakes = read_end(answer.kind, answer.value)
    except Refusal:
        return False
    return to in state.setup.track.index and brakes >= 0


def _of_way(state: State, answer: Answer) -> Explanation:
    """Where a way ends, in the ids of the board."""
    ids, step = state.setup.track.ids, state.pending[0]
    to, brakes = read_end(answer.kind, answer.value)
    assert isinstance(step, Move | Slipstream)
    found = step.explain(state, to, brakes)
    instead = tuple({"to": ids[option.to], "brakes": option.brakes} for option in found.instead)
    return Explanation(found.legal, found.rules, tuple(ids[at] for at in found.at), instead)
