"""The backward sweep: the expected turns to the finish, place by place, from the line back.

For each lap, place, gear engaged and wear the sweep gives the expected turns to the finish, this
turn among them (`Block.engaged`). With it the value of standing somewhere is the best of a few
figures: of each gear on offer, what it costs taken off.

For a roll of n with b brakes points at hand, R(n, b) = min(U(n, b), R(n - 1, b - 1)), where U(n) is
the best end of exactly n spaces: so brakes are reckoned by one comparison a length, and never
enumerated.

numpy is needed here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import ONLY_FIRST, OUT_TURNS, Model, gears
from companion.advice.solve.places import End, Ends, Places
from companion.rules.formula.tables import BRAKES, ENGINE, GEARBOX

Floats = npt.NDArray[np.floating[Any]]
_ALL = slice(None)


class Block(NamedTuple):
    """What the sweep gives of one place in one lap.

    `engaged`: expected turns by gear (1st first), tires, brakes, gearbox, engine. `standing`: the
    same before the gear is chosen, by the gear of the turn before (0: 1st only).
    """

    lap: int
    place: int
    engaged: Floats
    standing: Floats


class _Value(NamedTuple):
    """Standing somewhere by the lever, and the same with an engine test to come."""

    plain: Floats
    tested: Floats


class Sweep:
    """The sweep over a board for a model; `precise` reckons in 64 bits."""

    def __init__(self, places: Places, model: Model, *, precise: bool = True) -> None:
        self._places, self._model = places, model
        self._type = np.float64 if precise else np.float32
        self._shape = model.box.shape
        self._brakes = model.box.brakes
        self._skids: dict[tuple[int, int, bool], list[tuple[int, int, bool]]] = {}
        self._ends: dict[int, Ends] = {}
        self._now: dict[int, _Value] = {}
        self._after: dict[int, _Value] = {}
        self._last, self._bonus, self._factor = False, False, 1

    def __len__(self) -> int:
        """How many blocks there are."""
        laps = self._model.setup.laps
        return laps * len(self._places) + len(self._places.before_line)

    def __iter__(self) -> Iterator[Block]:
        laps = self._model.setup.laps
        drop = self._drops(self._places.backward)
        for lap in range(laps, -1, -1):
            self._now, self._last = {}, lap >= laps
            self._factor, self._bonus = self._model.factor(lap), self._model.has_bonus(lap)
            for at, place in enumerate(self._places.backward if lap else self._places.before_line):
                engaged = self._engaged(self._ends_of(place))
                standing = self._standing(engaged)
                yield Block(lap, place, engaged, standing)
                self._now[place] = _Value(standing, self._with_test(standing))
                for gone in drop[at] if lap else ():
                    del self._now[gone]
            self._after = self._now

    def _ends_of(self, place: int) -> Ends:
        """Beyond its last line no corner is judged, so ways past it are other ones (FD-END-2)."""
        if place not in self._ends:
            self._ends[place] = self._places.ends(place, last_lap=False)
        ends = self._ends[place]
        if self._last and any(end.line for some in ends for end in some):
            return self._places.ends(place, last_lap=True)
        return ends

    def _drops(self, order: list[int]) -> list[list[int]]:
        """After each place of the sweep: the places that no move ends on any more, in any lap."""
        last: dict[int, int] = {}
        kept: set[int] = set()
        for at, place in enumerate(order):
            last[place] = at
            for ends in self._ends_of(place):
                for end in ends:
                    last[end.place] = at
                    if end.line:
                        kept.add(end.place)
        drops: list[list[int]] = [[] for _ in order]
        for place, at in last.items():
            if place not in kept:
                drops[at].append(place)
        return drops

    # -- one place ----------------------------------------------------------------------------

    def _engaged(self, ends: Ends) -> Floats:
        """By the gear engaged: the mean over the faces of its die, each played at its best."""
        found = np.empty((len(gears()), *self._shape), self._type)
        for gear in gears():
            chances, tested = self._model.faces(gear), self._model.tested(gear)
            mean = found[gear - 1]
            mean[...] = 1.0
            low = max(1, min(chances) - self._brakes)
            best: Floats | None = None
            by_length: dict[int, Floats] = {}
            for spaces in range(low, max(chances) + 1 + self._bonus):
                best = self._braked(self._reached(ends[spaces], gear, tested=False), best)
                by_length[spaces] = best
            for face, chance in chances.items():
                met = self._met(ends, gear, face) if face in tested else by_length[face]
                if self._bonus:
                    longer = by_length[face + 1]
                    longer = self._met(ends, gear, face + 1) if face in tested else longer
                    met = np.minimum(met, longer)
                mean += chance * met
        return found

    def _met(self, ends: Ends, gear: int, face: int) -> Floats:
        """The best of a face that asks for an engine test, which the move is chosen before."""
        best: Floats | None = None
        for spaces in range(max(1, face - self._brakes), face + 1):
            best = self._braked(self._reached(ends[spaces], gear, tested=True), best)
        assert best is not None
        return best

    @staticmethod
    def _braked(reached: Floats, shorter: Floats | None) -> Floats:
        """The best of going so far, and of spending a brakes point on the move a space shorter."""
        if shorter is not None:
            np.minimum(reached[:, 1:], shorter[:, :-1], out=reached[:, 1:])
        return reached

    def _reached(self, ends: tuple[End, ...], gear: int, *, tested: bool) -> Floats:
        """The best end of one length."""
        best = np.full(self._shape, OUT_TURNS, self._type)
        for end in ends:
            home = end.line and self._last
            value = None if home else (self._after if end.line else self._now)[end.place]
            if end.spaces:
                self._skid(best, end, gear, value, tested=tested)
            elif value is None:
                best[...] = 0.0
            else:
                np.minimum(best, (value.tested if tested else value.plain)[gear], out=best)
        best[..., 0] = OUT_TURNS
        return best

    def _skid(
        self, best: Floats, end: End, gear: int, value: _Value | None, *, tested: bool
    ) -> None:
        """An overshoot: what is left of the tires, and a spin's 1st gear."""
        for tires, left, spins in self._skids_of(end):
            if value is None:
                best[tires] = 0.0
                continue
            there = (value.tested if tested else value.plain)[ONLY_FIRST if spins else gear]
            np.minimum(best[tires], there[left], out=best[tires])

    def _skids_of(self, end: End) -> list[tuple[int, int, bool]]:
        beyond = end.beyond * self._factor
        key = beyond, end.spaces, end.fatal
        if key not in self._skids:
            known = enumerate(self._model.skids(beyond, end.spaces, fatal=end.fatal))
            self._skids[key] = [(t, skid.left, skid.spins) for t, skid in known if skid]
        return self._skids[key]

    def _standing(self, engaged: Floats) -> Floats:
        """The best of the gears on offer, by the gear of the turn before; an over-rev is paid."""
        found = np.full((len(gears()) + 1, *self._shape), OUT_TURNS, self._type)
        for before in range(len(found)):
            for choice in self._model.choices(before):
                cost = choice.cost[BRAKES], choice.cost[GEARBOX], choice.cost[ENGINE]
                have = (_ALL, *(slice(points, None) for points in cost))
                left = (_ALL, *(slice(0, -points or None) for points in cost))
                into = found[before][have]
                np.minimum(into, engaged[choice.gear - 1][left], out=into)
        found[..., 0] = OUT_TURNS
        return found

    def _with_test(self, standing: Floats) -> Floats:
        """Each value with an engine test before it (FD-ENGINE-1)."""
        hurts = self._model.hurts
        tested = standing.copy()
        tested[..., 1:] = (1 - hurts) * standing[..., 1:] + hurts * standing[..., :-1]
        return tested
