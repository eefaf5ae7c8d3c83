"""The backward sweep: the expected turns to the finish, place by place, from the line back.

For each lap, kind of tires, weather, place, gear engaged and wear the sweep gives the expected
turns to the finish, this turn among them (`Block.engaged`). With it the value of standing somewhere
is the best of a few figures: of each gear on offer, what it costs taken off. Weathers are swept
side by side, since one leads to another within a lap; tires one after the other, since only the
line and the pit lead from some to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from companion.advice.solve.model import Feel, Fitted, Model
from companion.advice.solve.places import End, Ends, Places
from companion.advice.solve.turn import Floats, Road, Turn, Value


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
                yield from (block._replace(fitted=fitted) for block in lane)
                for block in self._in_pit(lap, fitted, now) if model.may_stop(lap - 1) else ():
                    yield block
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
