"""What is next to what: the lane changes of a drawing, and the spaces side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from companion.rules.board.dat.distances import HALF, STEP
from companion.rules.board.dat.sections import Pair, Sections
from companion.rules.board.faults import Faults

LAPS = 3
"""So many laps of a lane stand in a row where spaces are compared round the line."""


class Arrows:
    """The lane changes, (from, to), and the pairs side by side, (left, right).

    Arrows that no track file can say are left out, each with a doubt.
    """

    def __init__(self, board: Sections, distances: Mapping[int, float], left_out: Faults) -> None:
        self._board = board
        self._distances = distances
        self._lap = self._lap_length()
        lanes = range(len(board.names) - 1)
        self.beside = {pair for lane in lanes for pair in self._pairs(lane)}
        self.changes = tuple(self._changes(left_out))

    def changes_of(self, at: int) -> list[Pair]:
        """The changes that go from a section."""
        return [change for change in self.changes if self._board.spot[change[0]].section == at]

    def beside_of(self, at: int) -> list[Pair]:
        """The pairs with a space of a section that are no lane changes."""
        changes = {frozenset(change) for change in self.changes}
        return [pair for pair in self.beside
                if at in (self._board.spot[space].section for space in pair)
                and frozenset(pair) not in changes]  # fmt: skip

    def inside(self, at: int, pair: Pair) -> bool:
        """Whether both spaces lie in a section."""
        return all(self._board.spot[space].section == at for space in pair)

    def _changes(self, left_out: Faults) -> Iterator[Pair]:
        board = self._board
        arrows = ((s, end) for s, ends in board.drawing.nexts.items() for end in ends)
        for start, end in arrows:
            if start not in board.spot or end not in board.spot:
                continue  # to or from the pit
            apart = abs(board.spot[start].lane - board.spot[end].lane)
            if apart == 1 and board.follows(start, end):
                yield start, end
            elif apart or end != self._following(start):
                over = "a lane" if apart > 1 else "a section" if apart else "a space"
                what = f"{board.id(start)}>{board.id(end)} jumps over {over} and is left out"
                left_out.add(board.where(start), what)

    def _following(self, space: int) -> int:
        """The next space of the same lane."""
        lane = self._board.lane(self._board.spot[space].lane)
        return lane[(lane.index(space) + 1) % len(lane)]

    def _pairs(self, lane: int) -> Iterator[Pair]:
        """Pairs side by side of a lane and the next to its right.

        A space lies beside all of the other lane that are ahead of the one behind it, up to the
        first that is not behind itself.
        """
        for here, there in ((lane, lane + 1), (lane + 1, lane)):
            mine, others = self._laps(here), self._laps(there)
            lap = len(mine) // LAPS
            for (behind, _), (front, space) in pairwise(mine[lap - 1 : 2 * lap]):
                for place, other in others:
                    if behind < place:
                        yield (space, other) if here == lane else (other, space)
                        if place >= front:
                            break

    def _laps(self, lane: int) -> list[tuple[float, int]]:
        """Some laps of a lane: distance and space, the first section's beginning first."""
        board = self._board
        line = board.spot[board.row[lane]].number
        lap = []
        for space in board.lane(lane):
            at, _, number = board.spot[space]
            before_line = at == 0 and number < line
            lap.append((self._distances[space] - (self._lap if before_line else 0), space))
        return [(d + k * self._lap, space) for k in range(LAPS) for d, space in lap]

    def _lap_length(self) -> float:
        """The distance of a lap: most lanes come to the line one step behind it."""
        laps: Counter[int] = Counter()
        for lane, first in enumerate(self._board.row):
            spaces = self._board.lane(lane)
            last = spaces[spaces.index(first) - 1]
            laps[round((self._distances[last] + STEP - self._distances[first]) / HALF)] += 1
        return laps.most_common(1)[0][0] * HALF
