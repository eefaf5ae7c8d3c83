"""What a review knows of one car: its decisions, its rolls, and what they come to."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Final, NamedTuple

from companion.advice.puzzles import Puzzle
from companion.frozen import dataclass

FORGIVING: Final = 0.35
"""The loss a turn, in turns, at which accuracy falls to 1/e (docs/advice.md)."""


SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: its line of the record, the kind of its ask, and what it lost."""

    line: int
    kind: str
    played: object
    best: object
    loss: float


@dataclass(frozen=True, slots=True)
class Thrown:
    """A roll: its line of the record, and what it did to the turns to come."""

    line: int
    face: object
    luck: float


class Expected(NamedTuple):
    """What a car's turns at its finish were expected to be after a line of a round."""

    line: int
    round: int
    turns: float


@dataclass(slots=True)
class Course:
    """What is known of a car so far; `start` is None until it stands on the board of a race.

    `history` has what its result was expected to be, from its start on, where that changed;
    `puzzles` are those of its decisions that make one.
    """

    start: float | None = None
    to_come: float = 0.0
    turns: int = 0
    traffic: float = 0.0
    finished: bool = False
    choices: list[Choice] = field(default_factory=list)
    rolls: list[Thrown] = field(default_factory=list)
    history: list[Expected] = field(default_factory=list)
    puzzles: list[Puzzle] = field(default_factory=list)

    def note(self, line: int, round_number: int) -> None:
        """Keep what the result is expected to be after a line, if that is another one now."""
        if self.start is None:
            return
        turns = self.turns + self.to_come
        if not self.history or abs(self.history[-1].turns - turns) > SAME:
            self.history.append(Expected(line, round_number, turns))

    @property
    def luck(self) -> float:
        """All rolls together; positive is bad luck."""
        return math.fsum(roll.luck for roll in self.rolls)

    @property
    def errors(self) -> float:
        """What all decisions lost together."""
        return math.fsum(choice.loss for choice in self.choices)

    @property
    def accuracy(self) -> float:
        """From 0 to 100: 100 · exp(−loss a turn / `FORGIVING`)."""
        return 100 * math.exp(-self.errors / max(1, self.turns) / FORGIVING)

    def moved(self, to_come: float) -> float:
        """The turns to come are these now; by how much they have changed."""
        change, self.to_come = to_come - self.to_come, to_come
        return change

    def as_json(self) -> dict[str, object]:
        """The car as `companion review` tells it."""
        return {
            "start": self.start,
            "luck": self.luck,
            "errors": self.errors,
            "traffic": self.traffic,
            "result": self.turns if self.finished else None,
            "accuracy": round(self.accuracy, 1),
            "decisions": [
                {"line": c.line, "kind": c.kind, "played": c.played, "best": c.best, "loss": c.loss}
                for c in self.choices
            ],
            "rolls": [{"line": r.line, "face": r.face, "luck": r.luck} for r in self.rolls],
        }
