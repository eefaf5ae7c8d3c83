"""How far along the lap each space of a drawing lies.

Only the corners have values in the file, and only their differences count; the straights are
derived. A step in a lane is about 1, and two spaces half abreast are 0.5 apart. The number says
who is ahead of whom, which space follows in a lane, and who stands beside whom.

The lap is walked once from the finish row: straight by straight, each space that has a single
way to it one step behind what follows; corner by corner, each as a whole behind what came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from companion.rules.board.dat.source import Drawing, Type
from companion.rules.board.faults import Faults

STEP = 1.0
HALF = 0.5
ALONE = 0.4
"""The step to a space of a straight that one space alone leads to."""
LONGEST_LOOK = 4
"""Steps in which a space of a straight is looked for."""
USUAL_LANES = 3


def find_distances(drawing: Drawing, faults: Faults) -> dict[int, float]:
    """The distance of each space of the track; a fault where one cannot be reached."""
    row = [node.id for node in drawing.nodes.values() if node.finish]
    if not 2 <= len(row) <= 4:
        faults.add("finish", f"is marked on {len(row)} spaces; 2 to 4 are possible, one a lane")
        return {}
    walk = _Walk(drawing)
    walk.start(row)
    walk.lap()
    lost = [n.id for n in drawing.nodes.values() if n.type != Type.PIT and n.id not in walk.found]
    if lost:
        faults.add("arrows", f"no way from the finish leads to {_some(lost)}")
    return walk.found


def _some(spaces: list[int]) -> str:
    more = "" if len(spaces) <= 5 else f" and {len(spaces) - 5} more"
    return f"space {', '.join(map(str, spaces[:5]))}{more}"


class _Walk:
    """One walk round the lap; `found` are the distances so far."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._before = drawing.before()
        self.found: dict[int, float] = {}

    def start(self, row: list[int]) -> None:
        """The finish row: hindmost 0, the others half a step ahead."""
        leads = {s: [end for end in self._drawing.nexts[s] if end in row] for s in row}
        bends = [s for s in row if self._drawing.nodes[s].is_corner]
        if bends:  # the line lies astride the limit of a corner
            ways = [set(self._before.get(s, ())) for s in row]
            entered = set.intersection(*({*way} or {-1} for way in ways))
            hind = [s for s in row if s not in bends and {*self._before[s]} >= entered][:1]
        else:
            hind = [s for s in row if not any(s in ends for ends in leads.values())]
        for space in row:
            self.found[space] = 0.0 if space in hind else HALF
            if space in bends:
                self.found[space] = self._drawing.values.get(space, HALF)

    def lap(self) -> None:
        """All straights and corners, in driving order."""
        waiting = self._straights(sorted(self.found, key=self.found.__getitem__))
        while waiting:
            following = self._corner(waiting)
            if not following:
                return
            waiting = self._straights(self._first_straight(following))

    def _straights(self, begin: Iterable[int]) -> list[int]:
        """The spaces of a straight, breadth first; the spaces of the next corner that wait."""
        return self._spread(begin, self._is_straight, self._step)

    def _is_straight(self, space: int) -> bool:
        return self._drawing.nodes[space].type in (Type.STRAIGHT, Type.FINISH)

    def _is_corner(self, space: int) -> bool:
        return self._drawing.nodes[space].is_corner

    def _spread(
        self,
        begin: Iterable[int],
        belongs: Callable[[int], bool],
        distance: Callable[[int, int], float],
    ) -> list[int]:
        """Give each space of a section its distance; return the spaces behind it, in order."""
        queue = deque(begin)
        beyond: dict[int, None] = {}
        while queue:
            space = queue.popleft()
            for end in self._drawing.nexts[space]:
                if end in self.found:
                    continue
                if belongs(end):
                    self.found[end] = distance(space, end)
                    queue.append(end)
                elif self._drawing.nodes[end].type != Type.PIT:
                    beyond[end] = None
        return [space for space in beyond if space not in self.found]

    def _step(self, start: int, end: int) -> float:
        """The distance of `end`, a space of a straight that `start` leads to."""
        here = self.found[start]
        if len(self._before[end]) > 1:
            return here + HALF * self._most_steps(start, end, LONGEST_LOOK)
        leads_in = any(self._is_corner(following) for following in self._drawing.nexts[end])
        return here + (STEP if leads_in else ALONE)

    def _most_steps(self, start: int, end: int, most: int) -> int:
        """The greatest number of steps up to `most` from `start` to `end`; 0 for no way.

        A plain straight gives 2 in the own lane (over the space half ahead), 1 to the next.
        """
        ways = [1] if end in self._drawing.nexts[start] else []
        if most > 1:
            for over in self._drawing.nexts[start]:
                if over != end and len(self._before.get(over, ())) > 1:
                    rest = self._most_steps(over, end, most - 1)
                    ways += [rest + 1] if rest else []
        return max(ways, default=0)

    def _base(self, waiting: list[int]) -> float:
        return max(self.found.values()) + HALF * (USUAL_LANES - len(waiting))

    def _corner(self, waiting: list[int]) -> list[int]:
        """All spaces of a corner by their values; the spaces of the next straight that wait."""
        base = self._base(waiting)
        values = self._drawing.values
        for space in waiting:
            self.found[space] = base + values.get(space, 0.0)
        return self._spread(waiting, self._is_corner, lambda _, end: base + values.get(end, 0.0))

    def _first_straight(self, waiting: list[int]) -> list[int]:
        """The first spaces of a straight: where its walk goes on from."""
        base = self._base(waiting)
        hind = next((s for s in waiting if all(map(self._is_corner, self._before[s]))), waiting[0])
        ahead = [end for end in self._drawing.nexts[hind] if end in waiting]
        if len(self._drawing.nexts[hind]) > 2 or not ahead:
            self.found[hind] = base + HALF
            return [hind]
        self.found[hind] = base
        self.found[ahead[0]] = base + HALF
        return [ahead[0], hind]
