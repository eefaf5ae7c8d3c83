"""FD-TURN-1 as the code has it: its points in words, and in every queue of a race."""

from __future__ import annotations

import pytest
from support.formula.drive import Drive
from support.formula.mixtures import mixtures

from companion.rules.formula.car import Point, turn_in_words
from companion.rules.formula.state import Phase

FD_TURN_1 = (
    "1 spun car turned round, 1st its only gear · stalled car: 1st only"
    " · car in its box or the lane: FD-PIT-2, 3 → 2 start roll (first turn)"
    " → 3 gear, over-rev loss → 4 gear roll"
    " → 5 choices that change the length: soft bonus, nitro, drift"
    " → 6 the way: where to, brakes, slide, Li-Tsu; debris rolls in the order met;"
    " line effects (tire age, nitro refill) as the line is crossed"
    " → 7 slipstream offers, again while they arise, with their debris"
    " → 8 overshoot: tires, spin or out; block; then the checkpoint → 9 police note"
    " → 10 pit: tires, choice, die, fast exit → 11 collision rolls → 12 engine tests"
    " → 13 weather roll → 14 noise zone → 15 radio, trail"
    " → 16 debris markers laid, cars out lifted"
)


def test_the_points_of_a_turn_are_those_of_the_rules() -> None:
    """FD-TURN-1, word for word."""
    assert " → ".join(f"{n} {words}" for n, words in turn_in_words().items()) == FD_TURN_1
    assert list(Point) == sorted(Point)


@pytest.mark.long
@pytest.mark.parametrize("game", ["formula-d", "formule-de"])
@pytest.mark.parametrize("number", range(3))
def test_whatever_is_pending_in_a_race_stands_in_the_order_of_the_points(
    game: str, number: int
) -> None:
    """FD-TURN-1: in every state of a race, whatever was taken back or corrected."""
    drive = Drive(mixtures(game)[number], number)
    drive.finish()
    queues = [state.pending for state, _ in drive.past if state.phase is Phase.RACE]
    assert len(queues) > 10
    for queue in queues:
        points = [step.point for step in queue]
        assert points == sorted(points), queue
