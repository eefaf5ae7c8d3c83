"""Puzzles from real races: decisions of a review that have one answer, which was missed.

A decision is a puzzle where the answer that was played lost at least `LEAST_LOSS` turns, and the
second best answer is at least `CLEAR` turns worse than the best. The figures are those of a car
alone (`Alone`), so only decisions are taken with nobody near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.frozen import dataclass
from companion.rules.formula.car import Car
from companion.rules.formula.moving import Move
from companion.rules.formula.state import State

LEAST_LOSS: Final = 0.3
"""Turns that were lost, at least."""
CLEAR: Final = 0.15
"""Turns by which the best answer is better than any other, at least."""
KINDS: Final = frozenset({"gear", "move", "slipstream"})
MOST_ENDS: Final = 4
"""Ends that are offered: the best, the one that was played, and the next best."""
FEWEST: Final = 3
NEAR: Final = (-6, 24)
"""Levels behind and ahead of a car in which it has to be alone."""

Weighed = tuple[object, float]
"""An answer as reviews list it, and the turns to come with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A decision to be made again: its line of the record, who decided, and the state before it.

    `choices` are answers with their turns to come, in an order that tells nothing; `best` and
    `played` are places in it. `rolled` is what is to be moved, None before a roll.
    """

    line: int
    seat: int
    kind: str
    state: State
    rolled: int | None
    choices: tuple[Weighed, ...]
    best: int
    played: int

    @property
    def loss(self) -> float:
        """What was played lost, in turns."""
        return self.choices[self.played][1] - self.choices[self.best][1]


def puzzle_of(
    line: int, kind: str, seat: int, state: State, weighed: Sequence[Weighed], played: object
) -> Puzzle | None:
    """The puzzle that a decision is; None: it is none."""
    if kind not in KINDS or len(weighed) < FEWEST:
        return None
    ranked = sorted(weighed, key=lambda one: one[1])
    taken = next(one for one in ranked if one[0] == played)
    if taken[1] - ranked[0][1] < LEAST_LOSS or ranked[1][1] - ranked[0][1] < CLEAR:
        return None
    if not _is_alone(state, state.cars[seat], kind):
        return None
    offered = ranked if kind == "gear" else list(_ends(ranked, taken))
    if len(offered) < FEWEST or ranked[0] not in offered or taken not in offered:
        return None
    choices = tuple(sorted(offered, key=lambda one: str(one[0])))
    step = state.pending[0] if state.pending else None
    return Puzzle(
        line=line,
        seat=seat,
        kind=kind,
        state=state,
        rolled=step.spaces if isinstance(step, Move) else None,
        choices=choices,
        best=choices.index(ranked[0]),
        played=choices.index(taken),
    )


def _ends(ranked: Sequence[Weighed], taken: Weighed) -> Iterator[Weighed]:
    """The best, the one that was played, and the next best, each on a space of its own."""
    spaces: set[object] = set()
    for one in (ranked[0], taken, *ranked[1:]):
        space = _space(one[0])
        if space not in spaces and len(spaces) < MOST_ENDS:
            spaces.add(space)
            yield one


def _space(answer: Any) -> object:
    return answer[0] if isinstance(answer, tuple) else answer


def _is_alone(state: State, car: Car, kind: str) -> bool:
    """Whether nobody is near who could be in the way; of a slipstream somebody always is."""
    if kind == "slipstream" or car.space is None:
        return car.space is not None
    level, lap = state.setup.track.level, state.setup.track.lap_levels
    here, (behind, ahead) = level[car.space], NEAR
    others = (one.space for one in state.cars.values() if one.seat != car.seat)
    away = ((level[space] - here - behind) % lap for space in others if space is not None)
    return all(gap > ahead - behind for gap in away)
