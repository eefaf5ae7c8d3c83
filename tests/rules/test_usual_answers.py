"""What is answered without a thought of the board: bots do, where they have no figures."""

from __future__ import annotations

import pytest

from companion.rules.formula.asks import (
    BoxAsk,
    FormulaAsk,
    GearAsk,
    PitAsk,
    RadioAsk,
    RerollAsk,
    SecondRollAsk,
    TrailAsk,
)

SMALL: tuple[tuple[FormulaAsk, object], ...] = (
    (BoxAsk(1, options=(2, 3)), 2),
    (PitAsk(1), "tires"),
    (RadioAsk(1, seats=(3, 4)), 3),
    (RadioAsk(1, seats=()), None),
    (TrailAsk(1, at="S1.m3"), True),
    (RerollAsk(1, outcome="rain"), True),
    (RerollAsk(1, outcome="fine"), False),
    (SecondRollAsk(1, roll=4), False),
)


@pytest.mark.parametrize(("ask", "usual"), SMALL, ids=lambda one: repr(one)[:40])
def test_a_small_choice_has_a_usual_answer_that_is_on_offer(ask: FormulaAsk, usual: object) -> None:
    options = ask.data()["options"]
    assert isinstance(options, list)
    assert ask.usual == usual
    assert usual in options


def test_what_needs_a_thought_has_no_usual_answer() -> None:
    with pytest.raises(TypeError, match="gear"):
        _ = GearAsk(1, choices=(), categories=()).usual
