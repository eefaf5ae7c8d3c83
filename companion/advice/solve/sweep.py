"""Solving one board: the backward sweep, and the table and the figures that come of it.

For each lap, kind of tires, weather, place, gear engaged and wear the sweep gives the expected
turns to the finish, this turn among them (`Block.engaged`), place by place, from the line back.
With it the value of standing somewhere is the best of a few figures: of each gear on offer, what it
costs taken off. Weathers are swept side by side, since one leads to another within a lap; tires one
after the other, since only the line and the pit lead from some to others.

numpy is needed here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import (
    COUNTED,
    ONLY_FIRST,
    Box,
    End,
    Ends,
    Feel,
    Fitted,
    Grip,
    Model,
    Places,
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
    """A solved board: the model of its table, its title and its numbers."""

    model: Model
    title: Title
    numbers: npt.NDArray[np.uint16]


def solve(
    places: Places, model: Model, wear: book.Wear, progress: Progress, *, builds: bool
) -> Iterator[Solved]:
    """Solve a board for a car with this wear at the start of a race.

    Where the weather may change there is a table for each that there may be, as it is now first.
    `builds`: constructions are compared too, without stops. `seconds` of the summary is left to who
    has a clock.
    """
    # The table holds the wear of the cars that race. Which construction is best is found by a
    # second sweep with all wear that a construction can have, of which only the start is kept.
    wide = _wide(model) if builds else None
    part = 0.25 if wide is not None else 1.0
    now, skies = model.sky.weather, model.weathers
    order = sorted(skies, key=lambda sky: sky != now)
    kept = [_Kept(places, replace(model, sky=model.sky._replace(weather=s))) for s in order]
    for one in kept:
        one.begin()
    states = _sweep(places, model, lambda share: progress(part * share), kept)
    found: list[tuple[float, book.Wear]] | None = None
    if wide is not None:
        any_wear = _Kept(places, wide)
        _sweep(places, wide, lambda share: progress(part + (1 - part) * share), [any_wear])
        found = list(_builds(any_wear.start, model.setup.edition))
        if not Box.of(wear).within(model.box):
            kept[0].start = any_wear.start
    progress(1.0)
    for one in kept:
        title = one.title(_summary(one, states, wear, found))
        yield Solved(one.model, title, one.numbers)


LARGEST_BOX: Final = 10_000
"""Wears of the second sweep; more take too much memory on a Pi (Formule Dé's advanced cars)."""


def _wide(model: Model) -> Model | None:
    """The model with all wear that a construction can have; None: it takes too much."""
    limits = model.setup.edition.build_limits
    largest = Box(*(limits[category][1] for category in COUNTED))
    if np.prod(largest.shape) > LARGEST_BOX or len(model.weathers) > 1:
        return None
    return Model(model.setup, largest, model.sky._replace(whole=False))


class _Kept:
    """What is kept of a sweep in one weather."""

    def __init__(self, places: Places, model: Model) -> None:
        self.model, self._places, track = model, places, places.track
        self._layout = Layout(places, model)
        self._pole, self._first = places.at(track.grid[0]), places.at(track.finish[0])
        self._by_lap: dict[int, float] = {}
        self.numbers = np.zeros(0, np.uint16)
        self.start: Floats = np.zeros(0)
        self._laps, self._unit = model.setup.laps, _unit(model.setup.laps)

    def begin(self) -> None:
        """Make room for the numbers of a table."""
        self.numbers = np.zeros(self._layout.size, np.uint16)

    def put(self, block: Block, swept: int) -> None:
        """A block of a race of `swept` laps, where the whole race may have more."""
        began = block.fitted == self.model.began(block.lap)
        if began and block.place == self._first:
            self._by_lap[block.lap] = float(block.standing[2].flat[-1])
        more = 0.0 if block.lap else self.per_lap * (self._laps - swept)
        if block.place == self._pole and not block.lap:
            self.start = block.standing[ONLY_FIRST] + more
        to_go, layout = swept - block.lap, self._layout
        if not block.lap:
            to_go = self._laps
        elif not layout.has(to_go, block.fitted):
            return
        if len(self.numbers) and layout.is_kept(to_go, block.place):
            begin = layout.begin(to_go, block.place, block.fitted)
            steps = np.rint((block.engaged[..., 1:] + more) / self._unit)
            self.numbers[begin : begin + layout.block] = np.minimum(steps, STEPS).ravel()

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
    by_sky, model = {one.model.sky.weather: one for one in kept}, model.shortened
    sweep = Sweep(places, model, precise=bool(len(kept[0].numbers)))
    for done, block in enumerate(sweep):
        if done % 100 == 0:
            progress(min(1.0, done / len(sweep)))
        by_sky[block.weather].put(block, model.setup.laps)
    return len(sweep) * (len(gears()) + 1) * int(np.prod(model.box.shape))


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
    worth = {}
    for axis, category in enumerate(COUNTED):
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
            # A move braked away ends where the car stands, with fewer brakes: it is reckoned anew
            # until nothing changes any more, which is hardly ever more than once.
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
        # For a roll of n with b brakes points at hand R(n, b) = min(U(n, b), R(n - 1, b - 1)),
        # where U(n) is the best end of exactly n spaces: so brakes are one comparison a length,
        # and never enumerated.
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
        # A car without engine points is out, wherever it has come to.
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
                cost = choice.cost[book.BRAKES], choice.cost[book.GEARBOX], choice.cost[book.ENGINE]
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
            assert isinstance(does, book.LeavesPit)
            met = in_box[book.PIT_GEAR]
            if does.spaces:
                span = (does.spaces, does.spaces)
                met = self._lengths(ends, lever, road, span, None)[does.spaces]
            total += (high - low + 1) / book.BLACK_DIE[1] * met
        total[:] = total[-1]  # the tires are new
        return total


def _with_test(standing: Floats, hurts: float) -> Floats:
    """Each value with an engine test before it (FD-ENGINE-1)."""
    tested = standing.copy()
    tested[..., 1:] = (1 - hurts) * standing[..., 1:] + hurts * standing[..., :-1]
    return tested


# -- the sweep ------------------------------------------------------------------------------------


class Block(NamedTuple):
    """What the sweep gives of one place in one lap, on these tires in this weather.

    `engaged`: expected turns by gear (1st first), tires, brakes, gearbox, engine. `standing`: the
    same before the gear is chosen, by the gear of the turn before (0: 1st only). Of `Places.stop`
    both are the turns that come after this one.
    """

    lap: int
    fitted: Fitted
    weather: str
    place: int
    engaged: Floats
    standing: Floats


_Values = dict[int, Value]


class Sweep:
    """The sweep over a board for a model; `precise` reckons in 64 bits."""

    def __init__(self, places: Places, model: Model, *, precise: bool = True) -> None:
        self._places, self._model = places, model
        self._turn = Turn(model, np.float64 if precise else np.float32)
        self._by_slide: dict[int, Places] = {}
        self._ends: dict[tuple[int, int], Ends] = {}
        self._after: dict[tuple[Feel, str], _Values] = {}
        self._stops: dict[str, Floats] = {}
        self._dropped: dict[frozenset[int], list[list[int]]] = {}

    def __len__(self) -> int:
        """How many blocks there are."""
        model, places = self._model, self._places
        each = len(places) if model.sky.whole else places.on_track
        laps = sum(len(model.fitted(lap)) for lap in range(1, model.setup.laps + 1))
        return len(model.weathers) * (laps * each + len(places.before_line))

    def __iter__(self) -> Iterator[Block]:
        model, kinds = self._model, self._model.kinds
        for lap in range(model.setup.laps, -1, -1):
            done: dict[tuple[Feel, str], _Values] = {}
            fresh = {model.feel(Fitted(kind), lap) for kind in kinds} if lap > 1 else set()
            entry, lane = self._before_box(lap)
            stops: dict[str, Floats] = {}
            for feel, fitted in model.fitted(lap).items():
                now = {sky: dict(known) for sky, known in entry.items()}
                yield from self._on_track(lap, fitted, now)
                # Reckoned once for all tires: they are changed at the stop, and have no say in the
                # lane.
                yield from (block._replace(fitted=fitted) for block in lane)
                for block in self._in_pit(lap, fitted, now) if model.may_stop(lap - 1) else ():
                    yield block
                    # What a stop is worth in the lap before: with the best set among those that
                    # have done no lap yet.
                    if block.place == self._places.stop and feel in fresh:
                        least = stops.get(block.weather, block.standing)
                        stops[block.weather] = np.minimum(least, block.standing)
                done |= {(feel, sky): known for sky, known in now.items()}
            self._after, self._stops = done, stops

    # -- the track ----------------------------------------------------------------------------

    def _on_track(self, lap: int, fitted: Fitted, now: dict[str, _Values]) -> Iterator[Block]:
        roads = self._roads(lap, fitted, now)
        order = self._places.backward if lap else self._places.before_line
        slides = frozenset(road.grip.slide for road in roads.values())
        drops = self._drops(order, slides) if lap else None
        for at, place in enumerate(order):
            standing: dict[str, Floats] = {}
            for sky, road in roads.items():
                engaged = self._turn.engaged(place, self._ends_of(place, road), road)
                standing[sky] = self._turn.standing(engaged)
                yield Block(lap, fitted, sky, place, engaged, standing[sky])
            for sky, value in self._turn.values(standing).items():
                now[sky][place] = value
                # To save memory: a value has a number for each gear and every wear.
                for gone in drops[at] if drops else ():
                    del now[sky][gone]

    def _roads(self, lap: int, fitted: Fitted, now: Mapping[str, _Values]) -> dict[str, Road]:
        """By weather: where ways lead from a place of this lap."""
        model, older = self._model, fitted.older() if lap else fitted
        over: dict[str, _Values | None] = dict.fromkeys(model.weathers)
        if lap < model.setup.laps:
            feel = model.feel(older, lap + 1)
            over |= {sky: self._after[feel, sky] for sky in model.weathers}
        stops = model.may_stop(lap)
        return {
            sky: Road(now[sky], over[sky], model.grip(fitted, sky), stops) for sky in model.weathers
        }

    def _ends_of(self, place: int, road: Road) -> Ends:
        """Beyond its last line no corner is judged, so ways past it are other ones (FD-END-2)."""
        slide = road.grip.slide
        ends = self._ends_by(place, slide)
        if road.over is None and any(end.line for some in ends for end in some):
            return self._places_for(slide).ends(place, last_lap=True)
        return ends

    def _ends_by(self, place: int, slide: int) -> Ends:
        key = place, slide
        if key not in self._ends:
            self._ends[key] = self._places_for(slide).ends(place, last_lap=False)
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

    def _in_pit(self, lap: int, fitted: Fitted, now: dict[str, _Values]) -> Iterator[Block]:
        """The lane behind the box, the box, and the stop itself."""
        roads = {sky: r._replace(lane=True) for sky, r in self._roads(lap, fitted, now).items()}
        *lane, box = self._places.served.values() or [-1]
        for place in [*reversed(lane), box] if lane else ():
            standing: dict[str, Floats] = {}
            for sky, road in roads.items():
                ends = self._ends_of(place, road)
                engaged = self._turn.engaged(place, ends, road)
                there = self._turn.standing(engaged, lane=True, in_box=place == box)
                standing[sky] = there
                yield Block(lap, fitted, sky, place, engaged, there)
                if place == box:
                    stop = self._all(self._turn.stopped(ends, road, there))
                    yield Block(lap, fitted, sky, self._places.stop, stop[1:7], stop)
            for sky, value in self._turn.values(standing, tests=False).items():
                now[sky][place] = value

    def _before_box(self, lap: int) -> tuple[dict[str, _Values], list[Block]]:
        """The lane before the box in a lap, and its blocks: where ways into the pit lead."""
        model, places = self._model, self._places
        now: dict[str, _Values] = {sky: {} for sky in model.weathers}
        blocks: list[Block] = []
        if not model.may_stop(lap):
            return now, blocks
        for sky, value in self._turn.values(self._stops, tests=False).items():
            now[sky][places.stop] = value
        for place in reversed(places.lane.values()):
            standing: dict[str, Floats] = {}
            for sky in model.weathers:
                # Any would do: in the lane there is neither slide nor bonus, and the stop brings
                # new ones.
                fitted = Fitted(model.sky.tires)
                road = Road(now[sky], {}, model.grip(fitted, sky), lane=True)
                engaged = self._turn.engaged(place, self._ends_of(place, road), road)
                standing[sky] = self._turn.standing(engaged, lane=True)
                blocks.append(Block(lap, fitted, sky, place, engaged, standing[sky]))
            for sky, value in self._turn.values(standing, tests=False).items():
                now[sky][place] = value
        return now, blocks

    def _all(self, values: Floats) -> Floats:
        """The same by whatever gear came before."""
        return np.broadcast_to(values, (self._model.levers, *values.shape))
