"""Solving one board: the backward sweep, and the table and the figures that come of it.

For each lap, kind of tires, weather, place, gear engaged and wear the sweep gives the expected
turns to the finish, this turn among them (`Block.engaged`), place by place, from the line back.
With it the value of standing somewhere is the best of a few figures: of each gear on offer, what it
costs taken off. Weathers and gears are swept side by side, in one run of numbers; tires one after
the other, since only the line and the pit lead from some to others. What is kept goes to its file
place by place.

numpy is needed here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import (
    COUNTED,
    GONE,
    LONGEST,
    ONLY_FIRST,
    Box,
    End,
    Ends,
    Feel,
    Fitted,
    Grip,
    Model,
    Places,
    Skid,
    gears,
    out_turns,
    points,
)
from companion.advice.solve.table import FORM, STEPS, Layout, Title, key_of
from companion.rules.formula import book
from companion.rules.formula.pit import die_outcomes

Floats = npt.NDArray[np.floating[Any]]
Progress = Callable[[float], None]
"""Is called with the share of the work that is done, from 0 to 1."""


class Solved(NamedTuple):
    """A solved board: its title, and the file in which its numbers are."""

    title: Title
    file: BinaryIO


def solve(
    places: Places, model: Model, wear: book.Wear, progress: Progress,
    file: Callable[[], BinaryIO], *, builds: bool,
) -> Iterator[Solved]:  # fmt: skip
    """Solve a board for a car with this wear at the start of a race.

    Where the weather may change there is a table for each that there may be. `builds`:
    constructions are compared too, without stops. `file` gives an empty one for the numbers of a
    table. `seconds` of the summary is left to who has a clock.
    """
    # The table holds the wear of the cars that race. Which construction is best is found by a
    # second sweep with all wear that a construction can have, of which only the start is kept.
    wide = _wide(model) if builds else None
    part = 0.25 if wide is not None else 1.0
    kept = [
        _Kept(places, one, file())
        for one in (replace(model, sky=model.sky._replace(weather=sky)) for sky in model.weathers)
    ]
    states = _sweep(places, model, lambda share: progress(part * share), kept)
    # Of one pool nothing can be built.
    found: list[tuple[float, book.Wear]] | None = [] if builds and model.has_pool else None
    if wide is not None:
        any_wear = _Kept(places, wide)
        _sweep(places, wide, lambda share: progress(part + (1 - part) * share), [any_wear])
        found = list(_builds(any_wear.start, model.setup.edition))
        if not Box.of(wear).within(model.box):
            kept[0].start = any_wear.start
    progress(1.0)
    for one in kept:
        title = one.title(_summary(one, states, wear, found))
        assert one.file is not None
        yield Solved(title, one.file)


LARGEST_BOX: Final = 10_000
"""Wears of the second sweep; more take too much memory on a Pi (Formule Dé's advanced cars)."""


def _wide(model: Model) -> Model | None:
    """The model with all wear that a construction can have; None: it takes too much, or none is."""
    if model.has_pool:
        return None
    limits = model.setup.edition.build_limits
    largest = Box(*(limits[category][1] for category in COUNTED))
    if np.prod(largest.shape) > LARGEST_BOX or len(model.weathers) > 1:
        return None
    return Model(model.setup, largest, model.sky._replace(whole=False))


class _Kept:
    """What is kept of a sweep in one weather: the start, and in a file, if there is one, all."""

    def __init__(self, places: Places, model: Model, file: BinaryIO | None = None) -> None:
        self.model, self.file, self._places, track = model, file, places, places.track
        self._layout = Layout(places, model)
        self._pole, self._first = places.at(track.grid[0]), places.at(track.finish[0])
        self._by_lap: dict[int, float] = {}
        self.start: Floats = np.zeros(0)
        self._laps, self._unit = model.setup.laps, _unit(model.setup.laps)
        if file is not None:
            file.truncate(2 * self._layout.size)

    def put(self, block: Block, sky: int, swept: int) -> None:
        """A block of a race of `swept` laps, where the whole race may have more."""
        began = block.fitted == self.model.began(block.lap)
        if began and block.place == self._first:
            self._by_lap[block.lap] = float(block.standing[sky, 2].flat[-1])
        more = 0.0 if block.lap else self.per_lap * (self._laps - swept)
        if block.place == self._pole and not block.lap:
            self.start = block.standing[sky, ONLY_FIRST] + more
        layout, to_go = self._layout, swept - block.lap if block.lap else self._laps
        if self.file is None or not layout.is_kept(to_go, block.place):
            return
        if not block.lap or layout.has(to_go, block.fitted):
            self.file.seek(2 * layout.begin(to_go, block.place, block.fitted))
            steps = np.rint((block.engaged[sky, ..., 1:] + more) / self._unit)
            self.file.write(np.minimum(steps, STEPS).astype("<u2").tobytes())

    @property
    def per_lap(self) -> float:
        """What a lap more costs a car as it is driven."""
        laps = self._by_lap
        return laps[1] - laps[2] if 2 in laps else laps[1]

    def title(self, summary: Mapping[str, Any]) -> Title:
        """The first line of its file."""
        box = self.model.box
        return Title(FORM, key_of(self.model), self._laps, box, self._unit, self.per_lap, summary)


def _unit(laps: int) -> float:
    """A step of the table: the turns of all laps after a car has gone out fit in.

    >>> _unit(2) < 0.003
    True
    """
    return (out_turns(laps) + 25.0 * (laps + 1)) / STEPS


def _sweep(places: Places, model: Model, progress: Progress, kept: Sequence[_Kept]) -> int:
    """Sweep the board; the states that there are."""
    model = model.shortened
    sweep = Sweep(places, model)
    for done, block in enumerate(sweep):
        if done % 100 == 0:
            progress(min(1.0, done / len(sweep)))
        for sky, one in enumerate(kept):
            one.put(block, sky, model.setup.laps)
    return len(sweep) * len(kept) * (len(gears()) + 1) * int(np.prod(model.box.shape))


BEST: Final = 10
"""How many constructions are told."""


def _builds(values: Floats, edition: book.Edition) -> Iterator[tuple[float, book.Wear]]:
    """Every construction that leaves all it can to what a car alone can lose, the best first."""
    limits = edition.build_limits
    spare = book.BUILD_POINTS - sum(low for at, (low, _) in enumerate(limits) if at not in COUNTED)
    found = []
    for box in points(Box(*(length - 1 for length in values.shape))):
        if sum(box) == spare and all(n >= limits[c][0] for n, c in zip(box, COUNTED, strict=True)):
            wear = [low for low, _ in limits]
            for category, have in zip(COUNTED, box, strict=True):
                wear[category] = have
            found.append((float(values[tuple(box)]), tuple(wear)))
    yield from sorted(found)


def _summary(
    kept: _Kept, states: int, wear: book.Wear, builds: Sequence[tuple[float, book.Wear]] | None
) -> dict[str, Any]:
    setup, values = kept.model.setup, kept.start
    names = setup.edition.categories
    at = tuple(
        min(have, length - 1) for have, length in zip(Box.of(wear), values.shape, strict=True)
    )
    start = float(values[at])
    worth, last = {}, len(COUNTED) - 1
    axes = {last: 0} if kept.model.has_pool else dict(enumerate(COUNTED))
    for axis, category in axes.items():
        less = tuple(n - (axis == i) for i, n in enumerate(at))
        worth[names[category]] = float(values[less]) - start if min(less) >= 0 else 0.0
    return {
        "track": setup.track.name,
        "laps": setup.laps,
        "states": states,
        "expected_turns": start,
        "worth": worth,
        "best_builds": None if builds is None else [_build(names, *b) for b in builds[:BEST]],
        "worst_build": _build(names, *builds[-1]) if builds else None,
    }


def _build(names: tuple[str, ...], turns: float, wear: book.Wear) -> Mapping[str, Any]:
    return {"turns": turns, "wear": dict(zip(names, wear, strict=True))}


# -- one place of the sweep -----------------------------------------------------------------------

# Every run of numbers has these axes: weather, gear (the one engaged, or that of the turn before),
# tires, brakes, gearbox, engine. A place has few numbers of each, so that it is the count of steps
# that takes time: they are made for all weathers and gears at once.

_TINY: Final = 1e-4
_UNTESTED, _TESTED, _WEATHER = range(3)
"""What follows a move: nothing, an engine test, or that and a roll for the weather."""


class Value(NamedTuple):
    """Standing somewhere by the gear before, and the same with what may follow a move to come.

    Of what may follow there are only those gears that have such a face, and before them 1st only.
    """

    plain: Floats
    tested: Floats
    weather: Floats


_Values = dict[int, Value]


class Road(NamedTuple):
    """Where ways lead in some weathers (`part`) in which tires do the same to a move (`grip`).

    `now` and `over` are values of this lap, and of the next one (None: home). `out` is what being
    out counts, by weather. `open`: the pit is; `lane`: they begin in it.
    """

    part: slice
    grip: Grip
    now: _Values
    over: _Values | None
    out: Floats
    open: bool = False
    lane: bool = False


_Span = tuple[int, int, int]
"""The gears that are played with some spaces: the first, the first that begins, and the end."""


_Skids = tuple[slice, slice | None, bool]
"""Tires that there were, those that are left (None: out), and whether the car spins."""


def _alike(one: tuple[int, Skid | None]) -> tuple[int, bool] | None:
    """What overshoots have in common whose tires follow each other."""
    tires, skid = one
    return None if skid is None else (tires - skid.left, skid.spins)


def _run(some: list[tuple[int, Skid | None]]) -> _Skids:
    (first, skid), (last, _) = some[0], some[-1]
    tires = slice(first, last + 1)
    if skid is None:
        return tires, None, False
    return tires, slice(skid.left, skid.left + last - first + 1), skid.spins


class Turn:
    """The arithmetic of a turn for a model, in numbers of this type."""

    def __init__(self, model: Model, number: type[np.floating[Any]]) -> None:
        self._model, self._type, self._shape = model, number, model.box.shape
        self._brakes = model.brakes
        # Where brakes are spent: of their own axis, or of the pool's, where a point must be left.
        pool = model.has_pool
        of_brakes: tuple[Any, ...] = () if pool else (slice(None), slice(None))
        self._more = (..., slice(1 + pool, None), *of_brakes)
        self._less = (..., slice(0 + pool, -1), *of_brakes)
        self._never = number(model.out)  # more than anything is worth: where no way leads
        self._skids: dict[tuple[int, int, bool], list[_Skids]] = {}
        self._worn = slice(0, -1 if model.setup.edition.stops_worn_only else None)
        self._late = _wide_as([model.is_late(gear) for gear in gears()], number)
        self._hurts = _wide_as([[model.hurts(sky)] for sky in model.weathers], number)
        later = [model.weather_after(sky) for sky in model.weathers]
        chances = [[some.get(sky, 0.0) for sky in model.weathers] for some in later]
        self._later = np.asarray(chances, number)
        self._faces = [model.faces(gear) for gear in gears()]
        self._follow = [
            {face: self._follows(gear, face) for face in model.faces(gear)} for gear in gears()
        ]
        self._choices, self._spans = cache(self._choices_of), cache(self._spans_of)
        self._weights = cache(self._weights_of)
        # A gear below has no face that anything follows.
        self._first_tested = next(
            (at for at, some in enumerate(self._follow) if any(some.values())), len(gears()) - 1
        )

    def _follows(self, gear: int, face: int) -> int:
        if self._model.moves_weather(gear, face):
            return _WEATHER
        return _TESTED if face in self._model.tested(gear) else _UNTESTED

    # -- the gears ----------------------------------------------------------------------------

    def engaged(self, place: int, ends: Ends, road: Road, found: Floats) -> None:
        """By the gear engaged: the mean over the faces of its die, each played at its best."""
        self._play(found, ends, road, len(gears()), None)
        if self._model.sky.whole and any(end.place == place for end in ends[0]) and not road.lane:
            # A move braked away ends where the car stands, with fewer brakes: it is reckoned anew
            # until nothing changes any more, which is hardly ever more than once.
            while self._is_lowered(found, ends, road):
                pass

    def _is_lowered(self, found: Floats, ends: Ends, road: Road) -> bool:
        """Reckon moves braked away to where the car stands; whether that was any better."""
        own, before = self.standing(found, road.out), found.copy()
        low = sum(min(faces) <= self._brakes for faces in self._faces)
        self._play(found, ends, road, low, own)
        return bool(np.any(found[:, :low] < before[:, :low] - _TINY))

    def _play(self, found: Floats, ends: Ends, road: Road, high: int, own: Floats | None) -> None:
        """The gears up to one; `own` are the values of the very place, as far as they are known."""
        bonus = road.grip.bonus and not road.lane
        chances = self._weights(road.lane)
        # For a roll of n with b brakes points at hand R(n, b) = min(U(n, b), R(n - 1, b - 1)),
        # where U(n) is the best end of exactly n spaces: so brakes are one comparison a length,
        # and never enumerated.
        shape = (len(found), len(gears()), *self._shape)
        # Zeros, as a gear that begins with more spaces is added with no chance until then.
        met, before = np.zeros(shape, self._type), np.zeros(shape, self._type)
        total, stuck = found[:, :high], False
        total[...] = 1.0
        for spaces, (low, fresh, top) in self._spans(road.lane, bonus, high):
            met, before = before, met
            reached, here = met[:, low:top], None if spaces else own
            self._reach(reached, ends[spaces], low, road, _UNTESTED, here)
            if fresh > low and not stuck:
                with_brakes = reached[:, : fresh - low][self._more]
                np.minimum(with_brakes, before[:, low:fresh][self._less], out=with_brakes)
            stuck = _is_stuck(ends[spaces], road)
            if spaces >= bonus:
                best = np.minimum(reached, before[:, low:top]) if bonus else reached
                total[:, low:top] += chances[spaces - bonus, low:top] * best
        for at in range(0 if road.lane else high):
            for face, follows in self._follow[at].items():
                if follows:
                    best = np.minimum(*self._chain(ends, at, face, face + bonus, road, follows))
                    found[:, at] += self._faces[at][face] * best

    def _weights_of(self, lane: bool) -> Floats:
        """By spaces and gear: the chance of that face, if nothing follows it."""
        found = np.zeros((LONGEST + 1, len(gears()), 1, 1, 1, 1), self._type)
        for at, faces in enumerate(self._faces):
            for face, chance in faces.items():
                found[face, at] = chance if lane or not self._follow[at][face] else 0.0
        return found

    def _spans_of(self, lane: bool, bonus: bool, high: int) -> list[tuple[int, _Span]]:
        """The spaces that may be moved in the gears up to one, and which gears are played so."""
        # Brakes may stop a car where it stands, but in the lane and in the plain model.
        nearest = 0 if self._model.sky.whole and not lane else 1
        first = [max(nearest, min(faces) - self._brakes) for faces in self._faces[:high]]
        last = [max(faces) + bonus for faces in self._faces[:high]]
        found = []
        for spaces in range(first[0], last[-1] + 1):
            low = sum(end < spaces for end in last)
            top = sum(start <= spaces for start in first)
            fresh = max(low, sum(start < spaces for start in first))
            if low < top:
                found.append((spaces, (low, fresh, top)))
        return found

    def _chain(
        self, ends: Ends, at: int, low: int, high: int, road: Road, follows: int
    ) -> tuple[Floats, Floats]:
        """One gear: the best end of some lengths, the first and the last, brakes spent or not."""
        found: list[Floats] = []
        stuck = True
        for spaces in range(max(1, low - self._brakes), high + 1):
            reached = np.empty((len(road.out), 1, *self._shape), self._type)
            self._reach(reached, ends[spaces], at, road, follows, None)
            if not stuck:
                with_brakes = reached[self._more]
                np.minimum(with_brakes, found[-1][self._less], out=with_brakes)
            found.append(reached)
            stuck = _is_stuck(ends[spaces], road)
        return found[low - high - 1][:, 0], found[-1][:, 0]

    def _reach(
        self, best: Floats, ends: tuple[End, ...], low: int, road: Road, follows: int,
        own: Floats | None,
    ) -> None:  # fmt: skip
        """The best end of one length, in the gears from one on."""
        best[...] = self._never
        top = low + best.shape[1]
        less = self._first_tested if follows else 0
        levers = slice(low + 1 - less, top + 1 - less)
        for end in ends:
            if end.lane and not road.lane:
                if road.open:
                    into = road.now[end.place][follows][road.part, levers, self._worn]
                    worn = best[:, :, self._worn]
                    np.minimum(worn, into + self._late[:, low:top], out=worn)
                continue
            home = end.line and road.over is None
            value = None if home else ((road.over or {}) if end.line else road.now).get(end.place)
            if end.spaces:
                there = None if value is None else value[follows][road.part]
                self._skid(best, end, levers, there, road)
            elif home:
                best[...] = 0.0
            elif value is not None:
                np.minimum(best, value[follows][road.part, levers], out=best)
            elif own is not None:
                np.minimum(best, own[:, levers], out=best)
        # A car without engine points is out, wherever it has come to.
        best[..., 0] = road.out[..., 0]

    def _skid(
        self, best: Floats, end: End, levers: slice, value: Floats | None, road: Road
    ) -> None:
        """An overshoot: what is left of the tires, and a spin's 1st gear; or out."""
        for tires, left, spins in self._skids_of(end, road.grip.factor):
            some = best[..., tires] if self._model.has_pool else best[:, :, tires]
            if left is None:
                np.minimum(some, road.out, out=some)
            elif value is None:
                some[...] = 0.0
            else:
                gear = slice(ONLY_FIRST, ONLY_FIRST + 1) if spins else levers
                there = value[:, gear]
                there = there[..., left] if self._model.has_pool else there[:, :, left]
                np.minimum(some, there, out=some)

    def _skids_of(self, end: End, factor: int) -> list[_Skids]:
        """The tires that there were, those that are left, whether it spins; in runs."""
        beyond = end.beyond * factor
        key = beyond, end.spaces, end.fatal
        if key not in self._skids:
            known = enumerate(self._model.skids(beyond, end.spaces, fatal=end.fatal))
            runs = [list(run) for _, run in groupby(known, _alike)]
            self._skids[key] = [_run(some) for some in runs]
        return self._skids[key]

    # -- standing -----------------------------------------------------------------------------

    def standing(
        self, engaged: Floats, out: Floats, *, lane: bool = False, in_box: bool = False
    ) -> Floats:
        """The best of the gears on offer, by the gear of the turn before; an over-rev is paid."""
        found = np.empty((len(engaged), self._model.levers, *self._shape), self._type)
        found[...] = self._never
        for before, gear, have, left in self._choices(lane, in_box):
            into = found[:, before][have]
            np.minimum(into, engaged[:, gear - 1][left], out=into)
        np.copyto(found, out, where=found == self._never)
        found[..., 0] = out[..., 0]
        return found

    def _choices_of(self, lane: bool, in_box: bool) -> list[tuple[int, int, Any, Any]]:
        """The gear before, one on offer after it, who can pay for it, and what is left."""
        found = []
        for before in range(self._model.levers):
            for choice in self._model.choices(before, lane=lane, in_box=in_box):
                _, *cost = Box.of(choice.cost)
                have = (..., *(slice(points, None) for points in cost))
                left = (..., *(slice(0, -points or None) for points in cost))
                found.append((before, choice.gear, have, left))
        return found

    def value(self, standing: Floats, *, tests: bool = True) -> Value:
        """Standing somewhere, and the same with what may follow a move to it.

        `tests`: in the pit no engine is tested (FD-ENGINE-2).
        """
        some = np.concatenate(
            (standing[:, : ONLY_FIRST + 1], standing[:, self._first_tested + 1 :]), axis=1
        )
        tested = self._with_test(some) if tests else some
        if len(standing) == 1:
            return Value(standing, tested, tested)
        mixed = np.tensordot(self._later, some, 1)
        return Value(standing, tested, self._with_test(mixed) if tests else mixed)

    def _with_test(self, standing: Floats) -> Floats:
        """Each value with an engine test before it (FD-ENGINE-1)."""
        tested = standing.copy()
        tested[..., 1:] += self._hurts * (standing[..., :-1] - standing[..., 1:])
        return tested

    # -- the stop -----------------------------------------------------------------------------

    def stopped(self, ends: Ends, road: Road, in_box: Floats) -> Floats:
        """A stop before its die: out at once, or at the next turn (FD-PIT-2).

        `ends` are those from the box, `in_box` what standing there is.
        """
        if self._model.has_pool:  # no die, and all points are back (FD-BASIC-14)
            stays = in_box[:, book.PIT_GEAR]
            return np.broadcast_to(stays[..., -1:], stays.shape).copy()
        at, total = self._model.left_in - 1, np.zeros_like(in_box[:, 0])
        for low, high, does in die_outcomes():
            assert isinstance(does, book.LeavesPit)
            met = in_box[:, book.PIT_GEAR]
            if does.spaces:
                _, met = self._chain(ends, at, does.spaces, does.spaces, road, _UNTESTED)
            total += (high - low + 1) / book.BLACK_DIE[1] * met
        total[:] = total[:, -1:]  # the tires are new
        return total


def _wide_as(values: Any, number: type[np.floating[Any]]) -> Floats:
    """Figures by weather and gear (or by gear), as they are added to a run of numbers."""
    return np.atleast_2d(np.asarray(values, number))[..., None, None, None, None]


def _is_stuck(ends: tuple[End, ...], road: Road) -> bool:
    """Whether nobody brakes down to these ends: in the lane (FD-PIT-3)."""
    return road.lane and all(end.lane for end in ends)


# -- the sweep ------------------------------------------------------------------------------------


class Block(NamedTuple):
    """What the sweep gives of one place in one lap, on these tires, by weather.

    `engaged`: expected turns by gear (1st first), tires, brakes, gearbox, engine. `standing`: the
    same before the gear is chosen, by the gear of the turn before (0: 1st only). Of `Places.stop`
    both are the turns that come after this one.
    """

    lap: int
    fitted: Fitted
    place: int
    engaged: Floats
    standing: Floats


_Pars = dict[int, Floats]
"""By space: the turns of the best car that may stand there, by weather."""


class Sweep:
    """The sweep over a board for a model; the plain one in 64 bits, the whole one in 32."""

    def __init__(self, places: Places, model: Model) -> None:
        self._places, self._model = places, model
        self._type = np.float32 if model.sky.whole else np.float64
        self._turn = Turn(model, self._type)
        self._by_slide: dict[int, Places] = {}
        self._ends: dict[tuple[int, int, bool], Ends] = {}
        self._after: dict[Feel, tuple[_Values, _Pars]] = {}
        self._stops: Floats | None = None
        self._dropped: dict[frozenset[int], list[list[int]]] = {}
        self._out = _wide_as([[model.out]] * len(model.weathers), self._type)

    def __len__(self) -> int:
        """How many blocks there are."""
        model, places = self._model, self._places
        each = len(places) if model.sky.whole else places.on_track
        laps = sum(len(model.fitted(lap)) for lap in range(1, model.setup.laps + 1))
        return laps * each + len(places.before_line)

    def __iter__(self) -> Iterator[Block]:
        model, kinds = self._model, self._model.kinds
        for lap in range(model.setup.laps, -1, -1):
            done: dict[Feel, tuple[_Values, _Pars]] = {}
            fresh = {model.feel(Fitted(kind), lap) for kind in kinds} if lap > 1 else set()
            entry, lane = self._before_box(lap)
            stops: Floats | None = None
            for feel, fitted in model.fitted(lap).items():
                now, pars = dict(entry), _Pars()
                yield from self._on_track(lap, fitted, now, pars)
                # Reckoned once for all tires: they are changed at the stop, and have no say in the
                # lane.
                yield from (block._replace(fitted=fitted) for block in lane)
                for block in self._in_pit(lap, fitted, now) if model.may_stop(lap - 1) else ():
                    yield block
                    # What a stop is worth in the lap before: with the best set among those that
                    # have done no lap yet.
                    if block.place == self._places.stop and feel in fresh:
                        known = block.standing
                        stops = known if stops is None else np.minimum(stops, known)
                done[feel] = now, pars
            self._after, self._stops = done, stops

    # -- the track ----------------------------------------------------------------------------

    def _on_track(self, lap: int, fitted: Fitted, now: _Values, pars: _Pars) -> Iterator[Block]:
        roads, over = self._roads(lap, fitted, now), self._pars_over(lap, fitted)
        order = self._places.backward if lap else self._places.before_line
        drops = self._drops(order, frozenset(road.grip.slide for road in roads)) if lap else None
        for at, place in enumerate(order):
            space = self._places.spaces[place]
            out = self._gone(space, pars, over)
            engaged = self._engaged(place, [road._replace(out=out[road.part]) for road in roads])
            standing = self._turn.standing(engaged, out)
            if space not in pars:  # the first of a space has made all its stops
                pars[space] = engaged[..., 1:].min(axis=(1, 2, 3, 4, 5), keepdims=True)
            yield Block(lap, fitted, place, engaged, standing)
            now[place] = self._turn.value(standing)
            # To save memory: a value has a number for each gear and every wear.
            for gone in drops[at] if drops else ():
                del now[gone]

    def _engaged(self, place: int, roads: Sequence[Road]) -> Floats:
        """By the gear engaged, in all weathers."""
        shape = len(self._model.weathers), len(gears()), *self._model.box.shape
        found = np.empty(shape, self._type)
        for road in roads:
            self._turn.engaged(place, self._ends_of(place, road), road, found[road.part])
        return found

    def _pars_over(self, lap: int, fitted: Fitted) -> _Pars | None:
        """The best cars of the lap after this one; None: they are home."""
        if lap == self._model.setup.laps:
            return None
        older = fitted.older() if lap else fitted
        return self._after[self._model.feel(older, lap + 1)][1]

    def _gone(self, space: int, pars: _Pars, over: _Pars | None) -> Floats:
        """What going out on this space counts (`Model.gone`)."""
        if not self._model.sky.whole:
            return self._out
        there, line = self._places.next_to(space)
        if not line:
            return pars[there] + GONE
        return (0 * self._out if over is None else over[there]) + self._type(GONE)

    def _roads(self, lap: int, fitted: Fitted, now: _Values) -> list[Road]:
        """Where ways lead from a place of this lap, in the weathers that are alike."""
        model, older, over = self._model, fitted.older() if lap else fitted, None
        if lap < model.setup.laps:
            over = self._after[model.feel(older, lap + 1)][0]
        known, roads, at = [model.grip(fitted, sky) for sky in model.weathers], [], 0
        for grip, some in groupby(known):
            part = slice(at, at + len(list(some)))
            out = self._out[part]
            roads.append(Road(part, grip, now, over, out, model.may_stop(lap)))
            at = part.stop
        return roads

    def _ends_of(self, place: int, road: Road) -> Ends:
        """Beyond its last line no corner is judged, so ways past it are other ones (FD-END-2)."""
        slide = road.grip.slide
        ends = self._ends_by(place, slide)
        if road.over is None and any(end.line for some in ends for end in some):
            return self._ends_by(place, slide, last_lap=True)
        return ends

    def _ends_by(self, place: int, slide: int, *, last_lap: bool = False) -> Ends:
        key = place, slide, last_lap
        if key not in self._ends:
            self._ends[key] = self._places_for(slide).ends(place, last_lap=last_lap)
        return self._ends[key]

    def _places_for(self, slide: int) -> Places:
        if slide not in self._by_slide:
            self._by_slide[slide] = self._places.sliding(slide)
        return self._by_slide[slide]

    def _drops(self, order: list[int], slides: frozenset[int]) -> list[list[int]]:
        """After each place of the sweep: the places that no move ends on any more, in any lap."""
        if slides in self._dropped:
            return self._dropped[slides]
        last: dict[int, int] = {}
        kept: set[int] = set()
        for place in self._places.served.values():
            kept |= {end.place for end in self._every_end(place, slides)}
        for at, place in enumerate(order):
            last[place] = at
            for end in self._every_end(place, slides):
                if end.place < self._places.on_track:
                    last[end.place] = at
                if end.line:
                    kept.add(end.place)
        drops: list[list[int]] = [[] for _ in order]
        for place, at in last.items():
            if place not in kept:
                drops[at].append(place)
        self._dropped[slides] = drops
        return drops

    def _every_end(self, place: int, slides: frozenset[int]) -> Iterator[End]:
        return (end for one in slides for some in self._ends_by(place, one) for end in some)

    # -- the pit ------------------------------------------------------------------------------

    def _in_pit(self, lap: int, fitted: Fitted, now: _Values) -> Iterator[Block]:
        """The lane behind the box, the box, and the stop itself."""
        roads = [road._replace(lane=True) for road in self._roads(lap, fitted, now)]
        *lane, box = self._places.served.values() or [-1]
        for place in [*reversed(lane), box] if lane else ():
            engaged = self._engaged(place, roads)
            there = self._turn.standing(engaged, self._out, lane=True, in_box=place == box)
            yield Block(lap, fitted, place, engaged, there)
            if place == box:
                stop = self._all([
                    self._turn.stopped(self._ends_of(place, road), road, there[road.part])
                    for road in roads
                ])  # fmt: skip
                yield Block(lap, fitted, self._places.stop, stop[:, 1:7], stop)
            now[place] = self._turn.value(there, tests=False)

    def _before_box(self, lap: int) -> tuple[_Values, list[Block]]:
        """The lane before the box in a lap, and its blocks: where ways into the pit lead."""
        model, places = self._model, self._places
        now: _Values = {}
        blocks: list[Block] = []
        if not model.may_stop(lap) or self._stops is None:
            return now, blocks
        now[places.stop] = self._turn.value(self._stops, tests=False)
        # Any tires would do: in the lane there is neither slide nor bonus, and the stop brings new
        # ones.
        fitted, every = Fitted(model.sky.tires), slice(0, len(model.weathers))
        road = Road(every, model.grip(fitted, model.weathers[0]), now, {}, self._out, lane=True)
        for place in reversed(places.lane.values()):
            engaged = self._engaged(place, [road])
            standing = self._turn.standing(engaged, self._out, lane=True)
            blocks.append(Block(lap, fitted, place, engaged, standing))
            now[place] = self._turn.value(standing, tests=False)
        return now, blocks

    def _all(self, parts: Sequence[Floats]) -> Floats:
        """Of all weathers, the same by whatever gear came before."""
        values = np.concatenate(parts)[:, None]
        return np.repeat(values, self._model.levers, axis=1)
