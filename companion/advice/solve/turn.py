"""One place of the sweep: what each gear is worth there, and what standing there is.

For a roll of n with b brakes points at hand, R(n, b) = min(U(n, b), R(n - 1, b - 1)), where U(n) is
the best end of exactly n spaces: so brakes are reckoned by one comparison a length, and never
enumerated. A move braked away ends where the car stands, with fewer brakes: it is reckoned anew
until nothing changes any more, which is hardly ever more than once.

numpy is needed here, in `values` and in `board`, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import ONLY_FIRST, Grip, Model, gears
from companion.advice.solve.places import End, Ends
from companion.rules.formula.meanings import LeavesPit
from companion.rules.formula.pit import die_outcomes
from companion.rules.formula.tables import BLACK_DIE, BRAKES, ENGINE, GEARBOX, PIT_GEAR

Floats = npt.NDArray[np.floating[Any]]
_ALL: Final = slice(None)
_TINY: Final = 1e-6
_UNTESTED, _TESTED, _WEATHER = range(3)
"""What follows a move: nothing, an engine test, or that and a roll for the weather."""


class Value(NamedTuple):
    """Standing somewhere by the gear before, and the same with what may follow a move to come."""

    plain: Floats
    tested: Floats
    weather: Floats


class Road(NamedTuple):
    """Where ways lead in one weather: values of this lap, and of the next one (None: home).

    `open`: the pit is; `lane`: they begin in it.
    """

    now: Mapping[int, Value]
    over: Mapping[int, Value] | None
    grip: Grip
    open: bool = False
    lane: bool = False


class Turn:
    """The arithmetic of a turn for a model, in numbers of this type."""

    def __init__(self, model: Model, number: type[np.floating[Any]]) -> None:
        self._model, self._type, self._shape = model, number, model.box.shape
        self._brakes, self._out = model.box.brakes, model.out
        self._skids: dict[tuple[int, int, bool], list[tuple[int, int, bool]]] = {}
        self._worn_only = model.setup.edition.stops_worn_only

    # -- the gears ----------------------------------------------------------------------------

    def engaged(self, place: int, ends: Ends, road: Road) -> Floats:
        """By the gear engaged: the mean over the faces of its die, each played at its best."""
        found = np.empty((len(gears()), *self._shape), self._type)
        for gear in gears():
            found[gear - 1] = self._geared(ends, gear, road, None)
        if self._model.sky.whole and any(end.place == place for end in ends[0]) and not road.lane:
            while self._is_lowered(found, ends, road):
                pass
        return found

    def _is_lowered(self, found: Floats, ends: Ends, road: Road) -> bool:
        """Reckon moves braked away to where the car stands; whether that was any better."""
        standing, lowered = self.standing(found), False
        for gear in gears():
            if min(self._model.faces(gear)) <= self._brakes:
                better = self._geared(ends, gear, road, standing[gear])
                lowered |= bool(np.any(better < found[gear - 1] - _TINY))
                found[gear - 1] = better
        return lowered

    def _geared(self, ends: Ends, gear: int, road: Road, own: Floats | None) -> Floats:
        """One gear; `own` are the values of the very place, as far as they are known."""
        chances = self._model.faces(gear)
        bonus = road.grip.bonus and not road.lane
        mean = np.ones(self._shape, self._type)
        by_length = self._lengths(ends, gear, road, (min(chances), max(chances) + bonus), own)
        for face, chance in chances.items():
            follows = _UNTESTED if road.lane else self._follows(gear, face)
            met = by_length[face]
            if follows:
                met = self._lengths(ends, gear, road, (face, face), None, follows)[face]
            if bonus:
                longer = by_length[face + 1]
                if follows:
                    further = (face + 1, face + 1)
                    longer = self._lengths(ends, gear, road, further, None, follows)[face + 1]
                met = np.minimum(met, longer)
            mean += chance * met
        return mean

    def _follows(self, gear: int, face: int) -> int:
        if self._model.moves_weather(gear, face):
            return _WEATHER
        return _TESTED if face in self._model.tested(gear) else _UNTESTED

    def _lengths(
        self,
        ends: Ends,
        lever: int,
        road: Road,
        span: tuple[int, int],
        own: Floats | None,
        follows: int = _UNTESTED,
    ) -> dict[int, Floats]:
        """By the spaces rolled, of this span: the best end, brakes spent or not."""
        nearest = 0 if self._model.sky.whole and not road.lane else 1
        found, shorter = dict[int, Floats](), None
        for spaces in range(max(nearest, span[0] - self._brakes), span[1] + 1):
            reached = self._reached(ends[spaces], lever, road, follows, None if spaces else own)
            if shorter is not None:
                np.minimum(reached[:, 1:], shorter[:, :-1], out=reached[:, 1:])
            found[spaces] = reached
            in_lane = road.lane and all(end.lane for end in ends[spaces])
            shorter = None if in_lane else reached  # FD-PIT-3: nobody brakes in the lane
        return found

    def _reached(
        self, ends: tuple[End, ...], lever: int, road: Road, follows: int, own: Floats | None
    ) -> Floats:
        """The best end of one length."""
        best = np.full(self._shape, self._out, self._type)
        for end in ends:
            if end.lane and not road.lane:
                if road.open:
                    self._into_pit(best, end, lever, road, follows)
                continue
            home = end.line and road.over is None
            value = None if home else ((road.over or {}) if end.line else road.now).get(end.place)
            if end.spaces:
                self._skid(best, end, lever, value, road.grip.factor, follows)
            elif home:
                best[...] = 0.0
            elif value is not None:
                np.minimum(best, value[follows][lever], out=best)
            elif own is not None:
                np.minimum(best, own, out=best)
        best[..., 0] = self._out
        return best

    def _into_pit(self, best: Floats, end: End, gear: int, road: Road, follows: int) -> None:
        """Into the pit lane, or to the stop at once (DE-PIT-1: worn, and not too fast)."""
        worn = slice(0, -1 if self._worn_only else None)
        there = road.now[end.place][follows][gear][worn] + self._model.is_late(gear)
        np.minimum(best[worn], there, out=best[worn])

    def _skid(
        self, best: Floats, end: End, gear: int, value: Value | None, factor: int, follows: int
    ) -> None:
        """An overshoot: what is left of the tires, and a spin's 1st gear."""
        for tires, left, spins in self._skids_of(end, factor):
            if value is None:
                best[tires] = 0.0
                continue
            there = value[follows][ONLY_FIRST if spins else gear]
            np.minimum(best[tires], there[left], out=best[tires])

    def _skids_of(self, end: End, factor: int) -> list[tuple[int, int, bool]]:
        beyond = end.beyond * factor
        key = beyond, end.spaces, end.fatal
        if key not in self._skids:
            known = enumerate(self._model.skids(beyond, end.spaces, fatal=end.fatal))
            self._skids[key] = [(t, skid.left, skid.spins) for t, skid in known if skid]
        return self._skids[key]

    # -- standing -----------------------------------------------------------------------------

    def standing(self, engaged: Floats, *, lane: bool = False, in_box: bool = False) -> Floats:
        """The best of the gears on offer, by the gear of the turn before; an over-rev is paid."""
        found = np.full((self._model.levers, *self._shape), self._out, self._type)
        for before in range(len(found)):
            for choice in self._model.choices(before, lane=lane, in_box=in_box):
                cost = choice.cost[BRAKES], choice.cost[GEARBOX], choice.cost[ENGINE]
                have = (_ALL, *(slice(points, None) for points in cost))
                left = (_ALL, *(slice(0, -points or None) for points in cost))
                into = found[before][have]
                np.minimum(into, engaged[choice.gear - 1][left], out=into)
        found[..., 0] = self._out
        return found

    def values(self, standing: Mapping[str, Floats], *, tests: bool = True) -> dict[str, Value]:
        """Standing somewhere in each weather, and the same with what may follow a move to it.

        `tests`: in the pit no engine is tested (FD-ENGINE-2).
        """
        found = {}
        for weather, plain in standing.items():
            later = self._model.weather_after(weather)
            hurts = self._model.hurts(weather) if tests else 0.0
            tested = _with_test(plain, hurts) if tests else plain
            moved = tested
            if len(later) > 1:
                mixed = sum(chance * standing[sky] for sky, chance in later.items())
                moved = _with_test(np.asarray(mixed, self._type), hurts)
            found[weather] = Value(plain, tested, moved)
        return found

    # -- the stop -----------------------------------------------------------------------------

    def stopped(self, ends: Ends, road: Road, in_box: Floats) -> Floats:
        """A stop before its die: out at once, or at the next turn (FD-PIT-2).

        `ends` are those from the box, `in_box` what standing there is.
        """
        lever, total = self._model.left_in, np.zeros(self._shape, self._type)
        for low, high, does in die_outcomes():
            assert isinstance(does, LeavesPit)
            met = in_box[PIT_GEAR]
            if does.spaces:
                span = (does.spaces, does.spaces)
                met = self._lengths(ends, lever, road, span, None)[does.spaces]
            total += (high - low + 1) / BLACK_DIE[1] * met
        total[:] = total[-1]  # the tires are new
        return total


def _with_test(standing: Floats, hurts: float) -> Floats:
    """Each value with an engine test before it (FD-ENGINE-1)."""
    tested = standing.copy()
    tested[..., 1:] = (1 - hurts) * standing[..., 1:] + hurts * standing[..., :-1]
    return tested
