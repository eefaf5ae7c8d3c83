"""What is solved: a car alone on a board, and what the rules say of its dice, gears, tires and sky.

The whole model has pit stops, moves braked away, every kind of tires at every age, and weather that
changes by the car's own rolls. The plain one has none of them: no pit, no move braked to nothing,
and tires and sky stay as they are. Out counts as `GONE` turns more than the best car would take
home, in the plain model as 100 at once; engine tests come at the faces that ask for them, none on
the move that finishes, and the move is chosen before the test;
there is no debris, and no technical stop. All of it is asked of functions and tables of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import product
from typing import Final, NamedTuple

from companion.rules.board.track import Track
from companion.rules.board.ways import Arrival, Reach, Traffic, reach
from companion.rules.formula import book
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.car import Car, Memory, Option, PitMark, Status, overshoot_outcome
from companion.rules.formula.drivers import has_bonus, overshoot_factor, slide_of
from companion.rules.formula.gears import gear_choices
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.moves import may_stop, pit_ways, to_box
from companion.rules.formula.state import State
from companion.rules.formula.weather import line_hit, weather_after
from companion.system.frozen import dataclass

GONE: Final = 5.0
"""What being out costs, in turns: a car that goes out is told, and judged by its driver, as if it
had come home so much later than the best car that may stand on the next space."""
OUT_TURNS: Final = 100.0
"""What being out counts in the plain model; more in a race of more than two laps (`out_turns`)."""
_OUT_A_LAP: Final = 40.0
"""More than a lap takes anybody: to go on is never worse than to be out."""
COUNTED: Final = (book.TIRES, book.BRAKES, book.GEARBOX, book.ENGINE)
"""The categories that a car alone can lose."""
ONLY_FIRST: Final = 0
"""The gear of a car that may engage 1st only: on the grid, or after a spin."""
FRESH: Final = book.TOP_GEAR + 1
"""The "gear" of a car after a fast stop where that holds its next gear down (DE-PIT-2)."""
OLDEST: Final = max(map(len, book.OVERSHOOT.values()))
"""From this lap on a set of tires does not change any more."""
LEAST_LAPS: Final = 2
"""Laps that are swept, and kept, whatever it takes."""
MOST_SWEPT: Final = 48
"""Sweeps of a lap, one for each feel of tires in each weather: some 40 s on Monaco."""
_PLENTY: Final = (99,) * 6


class Box(NamedTuple):
    """The most wear points that a solved table knows of each counted category."""

    tires: int
    brakes: int
    gearbox: int
    engine: int

    @classmethod
    def of(cls, wear: book.Wear) -> Box:
        """The counted categories of a car's wear, or of a cost.

        FD-BASIC-16: the one pool stands where the engine does, whose last point puts a car out too.
        """
        if isinstance(wear, book.Pool):
            return cls(0, 0, 0, sum(wear))
        return cls(*(wear[category] for category in COUNTED))

    def within(self, other: Box) -> bool:
        """Whether no category has more than the other one."""
        return all(have <= most for have, most in zip(self, other, strict=True))

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """How many values each category takes, 0 among them."""
        return (self.tires + 1, self.brakes + 1, self.gearbox + 1, self.engine + 1)


class Skid(NamedTuple):
    """What an overshoot leaves, by the tires there were: None for out, else tires and a spin."""

    left: int
    spins: bool


class Sky(NamedTuple):
    """What a race is solved for: the tires that it begins on, its weather, and which model."""

    tires: str = "hard"
    weather: str = "fine"
    whole: bool = True

    @property
    def raining(self) -> bool:
        """Whether it rains now."""
        return self.weather in book.RAINS


PLAIN: Final = Sky(whole=False)
USUAL: Final = Sky()


class Fitted(NamedTuple):
    """Tires on a car: their kind, and the lap on them, up to `OLDEST`."""

    kind: str
    lap: int = 1

    def older(self) -> Fitted:
        """The same a lap later (FD-END-2)."""
        return Fitted(self.kind, min(OLDEST, self.lap + 1))


class Grip(NamedTuple):
    """What tires do to a move: the spaces of a slide, the price of an overshoot, the bonus."""

    slide: int
    factor: int
    bonus: bool


Feel = tuple[Grip, ...]
"""What tires do in each lap to come, by the weather; who feels the same drives the same."""


@dataclass(frozen=True)
class Model:
    """The car and the rules of a solved race."""

    setup: book.Setup
    box: Box
    sky: Sky = USUAL

    @property
    def out(self) -> float:
        """What being out counts in the plain model, in turns; more than anything in any."""
        return out_turns(self.setup.laps)

    # -- tires --------------------------------------------------------------------------------

    def grip(self, fitted: Fitted, weather: str) -> Grip:
        """What these tires do now (FD-TIRE-2 to FD-TIRE-6)."""
        state = State(self.setup, OnBoard(), weather=weather)
        car = replace(_RACING, tires=fitted.kind, tires_lap=fitted.lap)
        return Grip(slide_of(state, car), overshoot_factor(state, car), has_bonus(state, car))

    def feel(self, fitted: Fitted, lap: int) -> Feel:
        """What these tires will do from this lap to the end, in any weather that may come."""
        found, last = [], max(lap, self.setup.laps)
        for now in range(lap, last + 1):
            found += [self.grip(fitted, weather) for weather in self.weathers]
            fitted = fitted.older() if now else fitted
        return tuple(found)

    def began(self, lap: int) -> Fitted:
        """The tires of the start, in this lap."""
        return Fitted(self.sky.tires, min(OLDEST, max(1, lap)))

    def fitted(self, lap: int) -> dict[Feel, Fitted]:
        """The tires that a car may be on in a lap, one for each feel."""
        found = [self.began(lap)]
        if lap > 1 and self.may_stop(lap - 1):
            ages = range(1, min(OLDEST, lap - 1) + 1)
            found += [Fitted(kind, age) for kind in self.kinds for age in ages]
        # The last of a key stays, so reversed the tires of the start win over a set that feels the
        # same.
        return {self.feel(one, lap): one for one in reversed(found)}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds worth fitting at a stop; one that is never better than another is not."""
        if "tires" not in self.setup.rules:
            return (self.sky.tires,)
        known = {kind: self._over_time(kind) for kind in book.TIRE_KINDS}
        return tuple(
            kind
            for kind, mine in known.items()
            if not any(_is_worse(mine, theirs) for theirs in known.values())
        )

    def _over_time(self, kind: str) -> list[Grip]:
        ages = range(1, OLDEST + 1)
        return [self.grip(Fitted(kind, lap), sky) for lap in ages for sky in self.weathers]

    @cached_property
    def shortened(self) -> Model:
        """The same with as many laps as are swept: all, unless tires and weather make it too much.

        A lap more of a longer race then costs what one of these does.
        """
        swept = 0
        for lap in range(1, self.setup.laps + 1):
            swept += len(self.fitted(lap)) * len(self.weathers)
            if swept > MOST_SWEPT and lap > LEAST_LAPS:
                return replace(self, setup=replace(self.setup, laps=lap - 1))
        return self

    # -- the sky ------------------------------------------------------------------------------

    @cached_property
    def weathers(self) -> tuple[str, ...]:
        """The weather that there may be, as it is now among it."""
        changes = self.sky.whole and self.sky.weather in book.CHANGEABLE
        return book.WEATHER_ROWS if changes else (self.sky.weather,)

    def weather_after(self, weather: str) -> Mapping[str, float]:
        """The chances of the weather after a roll for it (FD-WEATHER-3)."""
        if len(self.weathers) == 1 or weather not in book.CHANGEABLE:
            return {weather: 1.0}
        state, faces = (
            State(self.setup, OnBoard(), weather=weather),
            range(book.BLACK_DIE[0], book.BLACK_DIE[1] + 1),
        )
        hit = Counter(weather_after(state, weather, line_hit(self.setup, n)) for n in faces)
        return {there: count / len(faces) for there, count in hit.items()}

    def moves_weather(self, gear: int, face: int) -> bool:
        """Whether a face makes the roller roll for the weather (FD-WEATHER-3)."""
        return len(self.weathers) > 1 and book.WEATHER_FACES.get(gear) == face

    # -- dice, gears, engine ------------------------------------------------------------------

    def faces(self, gear: int) -> Mapping[int, float]:
        """The chance of each face of a gear's die."""
        faces = book.GEAR_FACES[gear]
        return {face: count / len(faces) for face, count in sorted(Counter(faces).items())}

    def tested(self, gear: int) -> frozenset[int]:
        """The faces after which a car in this gear tests its engine (FD-ENGINE-1)."""
        return frozenset(self.setup.edition.engine_faces.get(gear, ()))

    def hurts(self, weather: str) -> float:
        """The chance that a test costs an engine point."""
        hurts = self.setup.edition.engine_hurts
        return hurts[weather in book.RAINS] / book.BLACK_DIE[1]

    @property
    def levers(self) -> int:
        """How many "gears before" there are: 1st only, the gears, and `FRESH` where it exists."""
        return book.TOP_GEAR + 1 + self.setup.edition.holds_gear_after_pit

    @property
    def left_in(self) -> int:
        """The gear before of a car that has left its box at once (FD-PIT-2, DE-PIT-2)."""
        return FRESH if self.setup.edition.holds_gear_after_pit else book.PIT_GEAR

    def choices(self, gear: int, *, lane: bool = False, in_box: bool = False) -> list[GearChoice]:
        """The gears on offer after this one to a car that can pay for all of them.

        `lane`: on the pit lane, or `in_box` after its stop.
        """
        status = Status.PIT if lane else Status.RACING if gear else Status.GRID
        plenty = book.Pool(_PLENTY) if self.has_pool else _PLENTY
        car = replace(_RACING, gear=gear, status=status, served=in_box, wear=plenty, full=plenty)
        if gear == FRESH:
            car = replace(car, gear=book.PIT_GEAR, pit_mark=PitMark.FRESH)
        return gear_choices(car, in_box=in_box)

    # -- the pit ------------------------------------------------------------------------------

    def may_stop(self, lap: int) -> bool:
        """Whether a car may drive into the pit at the end of this lap (FD-PIT-1)."""
        if not self.sky.whole or not self.setup.track.boxes:
            return False
        worn = (0,) * len(_PLENTY)
        # Worn and in 1st, so that only lap and board decide: wear and speed are looked at by the
        # sweep (DE-PIT-1).
        return may_stop(State(self.setup, OnBoard()), replace(_RACING, lap=lap, wear=worn, gear=1))

    def is_late(self, gear: int) -> bool:
        """Whether a car that comes into the pit in this gear stands a turn for it (DE-PIT-1)."""
        return gear > self.setup.edition.pit_entry_gear

    @property
    def has_pool(self) -> bool:
        """Whether one pool pays for everything (FD-BASIC-16)."""
        return self.setup.edition.one_pool

    @property
    def brakes(self) -> int:
        """The most spaces that a car brakes: of a pool a point must be left (FD-BASIC-8)."""
        return self.box.engine - 1 if self.has_pool else self.box.brakes

    # -- corners ------------------------------------------------------------------------------

    def skids(self, beyond: int, spaces: int, *, fatal: bool) -> list[Skid | None]:
        """What an overshoot leaves, by the tires from 0 to those of the box (FD-CORNER-7).

        By the points where there is one pool (FD-BASIC-7).
        """
        most = self.box.engine if self.has_pool else self.box.tires
        return [self._skid(tires, beyond, spaces, fatal) for tires in range(most + 1)]

    def _skid(self, tires: int, beyond: int, spaces: int, fatal: bool) -> Skid | None:
        arrival = Arrival(-1, (), beyond=beyond, spaces=spaces, fatal=fatal)
        spin, out = overshoot_outcome(self.setup, _RACING, tires, arrival)
        return None if out else Skid(max(0, tires - beyond), spin)


def out_turns(laps: int) -> float:
    """What being out counts in the plain model of a race of so many laps, in turns.

    >>> out_turns(1), out_turns(2), out_turns(10)
    (100.0, 100.0, 400.0)
    """
    return max(OUT_TURNS, _OUT_A_LAP * laps)


_RACING: Final = Car(1, "", 1, status=Status.RACING, memory=Memory(grace=True))


def _is_worse(mine: list[Grip], theirs: list[Grip]) -> bool:
    """Whether some tires are never better than others, and at some time worse."""
    pairs = list(zip(mine, theirs, strict=True))
    never = all(
        a.slide == b.slide and a.factor >= b.factor and a.bonus <= b.bonus for a, b in pairs
    )
    return never and mine != theirs


@cache
def gears() -> range:
    """All gears."""
    return range(1, book.TOP_GEAR + 1)


def points(box: Box) -> Iterator[Box]:
    """Every wear that a box holds."""
    return (Box(*point) for point in product(*map(range, box.shape)))


# -- where a car may stand, and where its ways end ------------------------------------------------


LONGEST = book.GEAR_DICE[book.TOP_GEAR][1] + book.SOFT_BONUS
"""The longest move of a car alone, in spaces, before it slides."""


class End(NamedTuple):
    """An end of ways of one length: the place, and what of the way matters.

    `line`: the finish line was passed; `lane`: it is in the pit, or (a box) the stop itself. Of an
    overshoot: `beyond` are the tires that it asks for, `spaces` those moved beyond the limit (0:
    none), `fatal` that two stops were missing.
    """

    place: int
    line: bool = False
    beyond: int = 0
    spaces: int = 0
    fatal: bool = False
    lane: bool = False


Ends = tuple[tuple[End, ...], ...]
"""The ends by the spaces to be moved, from 0 to `LONGEST`; a slide comes on top."""
_CAR: Final = Car(1, "", 1, status=Status.RACING)
"""Whose box it is that cars stop in: the first one. The others are a few spaces further."""


class Places:
    """The places of a board, and the ways between them.

    A place is a space with the stops made in its corner, as far as the corner asks for them: more
    stops than it asks for change nothing. Places are numbered through, and `backward` has them in
    an order in which every place comes after all that a move from it may end on in the same lap, so
    that values are known when they are wanted.

    Those of the pit come after those of the track: `lane` before the stop, `served` after it (the
    box the last of them), `stop` the stop itself; none where the board has no boxes.

    Args:
        whole: only the shortest ways count in corners too.
        slide: the spaces by which a move that touches a corner is longer (FD-TIRE-6).
    """

    def __init__(self, track: Track, *, whole: bool = False, slide: int = 0) -> None:
        self.track, self._whole, self._slide = track, whole, slide
        self._state = State(book.Setup(track), OnBoard())
        self._known: dict[End, End] = {}
        self._first: list[int] = []
        self._asked: list[int] = []
        self.spaces: list[int] = []
        """By place: its space."""
        self.stops: list[int] = []
        """By place: the stops made there."""
        for space in track.track_spaces():
            self._first.append(len(self.spaces))
            needed = self._needed(space)
            self._asked.append(needed)
            self.spaces += [space] * (needed + 1)
            self.stops += range(needed + 1)
        self.on_track = len(self.spaces)
        """How many places are on the track."""
        self._in_pit(track)

    def _in_pit(self, track: Track) -> None:
        """Number the places of the pit."""
        beside = track.pit.index(track.box_lane[0]) if track.boxes else -1
        before, after = track.pit[: beside + 1], track.pit[beside:] if track.boxes else ()
        first = self.on_track
        self.lane = {space: at for at, space in enumerate(before, first)}
        """By space of the pit lane before the box: the place of a car that has not stopped yet."""
        self.served = {space: at for at, space in enumerate(after, first + len(before))}
        """By space of the pit lane, and of the box: the place of a car that has."""
        self.spaces += [*before, *after]
        if track.boxes:
            self.served[track.boxes[0]] = len(self.spaces)
            self.spaces += [track.boxes[0]] * 2
        self.stop = len(self.spaces) - 1
        """The stop under way, before its die; not there without boxes."""
        self.stops += [0] * (len(self.spaces) - len(self.stops))

    def sliding(self, slide: int) -> Places:
        """The same places, for a car that slides so far."""
        if slide == self._slide:
            return self
        return Places(self.track, whole=self._whole, slide=slide)

    def __len__(self) -> int:
        return len(self.spaces)

    def _needed(self, space: int) -> int:
        corner = self.track.corner[space]
        return self.track.corners[corner].stops if corner >= 0 else 0

    def at(self, space: int, stops: int = 0) -> int:
        """The place of a car on a space with so many stops made in its corner.

        In the pit it has served its stop.
        """
        # The spaces of the pit are numbered after all those of the track.
        if space >= len(self._first):
            return self.served[space]
        return self._first[space] + min(stops, self._asked[space])

    def before_box(self, away: int) -> int:
        """The place of a car so many spaces before its box, whichever that is."""
        lane = list(self.lane.values())
        return lane[max(0, len(lane) - away)]

    def beyond_box(self, left: int) -> int:
        """The place of a car that has served, with so many spaces of the lane left before it."""
        lane = list(self.served.values())[:-1]
        return lane[max(0, len(lane) - 1 - left)]

    @cached_property
    def backward(self) -> list[int]:
        """All places, from those just before the line back to those just after it."""
        track, order, seen = self.track, list[int](), set[int]()
        for start in track.track_spaces():
            waiting = [(start, iter(self._on(start)))]
            while start not in seen and waiting:
                space, nexts = waiting[-1]
                there = next((one for one in nexts if one not in seen), None)
                if there is not None:
                    waiting.append((there, iter(self._on(there))))
                    continue
                waiting.pop()
                if space not in seen:
                    seen.add(space)
                    order.append(space)
        return [self.at(space, k) for space in order for k in range(self._needed(space), -1, -1)]

    def _on(self, space: int) -> list[int]:
        """Where a step leads within the lap."""
        past = self.track.past_line
        return [there for there in self.track.nexts[space] if past[space] or not past[there]]

    @cached_property
    def before_line(self) -> list[int]:
        """The places on which a car of lap 0 may stand, in the order of `backward`."""
        track = self.track
        lap_0 = {s for s in track.track_spaces() if not track.section[s] and not track.past_line[s]}
        return [place for place in self.backward if self.spaces[place] in lap_0]

    def made(self, space: int) -> int:
        """The place of a car on a space of the track that has made all stops of its corner."""
        return self._first[space] + self._asked[space]

    def next_to(self, space: int) -> tuple[int, bool]:
        """The space of the track that comes after this one, and whether it is past the line."""
        track = self.track
        there = track.ahead[space]
        if there < 0:
            there = next(to for to in track.nexts[space] if track.lane[to] >= 0)
        return there, track.past_line[there] and not track.past_line[space]

    def ends(self, place: int, *, last_lap: bool) -> Ends:
        """Where moves from a place end, by the spaces to be moved.

        Ways into the pit are among them, whether or not it is open; a stop is served there.
        """
        space = self.spaces[place]
        if self.lane.get(space) == place:
            return self._to_box(space)
        traffic = Traffic(
            frozenset(), stops=self.stops[place], last_lap=last_lap, whole=self._whole
        )
        ways = reach(self.track, space, LONGEST, traffic, self._slide)
        found, car = list[tuple[End, ...]](), replace(_CAR, space=space)
        for length in range(LONGEST + 1):
            whole = (some.arrivals for some in ways.ends(length) if not some.blocked)
            ends = [end for arrivals in whole for end in self._ends(place, arrivals)]
            ends += self._pit_ends(car, ways, length, traffic)
            # Most ends are those of many ways: each is kept once.
            found.append(tuple(self._known.setdefault(end, end) for end in dict.fromkeys(ends)))
        return tuple(found)

    def _ends(self, place: int, arrivals: list[Arrival]) -> Iterator[End]:
        on_track = self.on_track
        for one in arrivals:
            to = self.at(one.space, self.stops_after(place, one))
            yield End(to, one.line, one.beyond, one.spaces, one.fatal, to >= on_track)

    def _pit_ends(self, car: Car, ways: Reach, length: int, traffic: Traffic) -> list[End]:
        """The ends in the pit lane, and in the box (FD-PIT-1, FD-PIT-3)."""
        if not self.lane or not length or car.space in self.served:
            return []
        return [self._in_lane(end) for end in pit_ways(self._state, car, ways, length, traffic)]

    def _in_lane(self, end: Option) -> End:
        return End(self.lane.get(end.to, self.stop), lane=True)

    def _to_box(self, space: int) -> Ends:
        """Along the lane to the box (FD-PIT-3)."""
        traffic = Traffic(frozenset())
        some = ([], *(to_box(self._state, _CAR, Arrival(space, ()), n, traffic)
                      for n in range(1, LONGEST + 1)))  # fmt: skip
        return tuple(tuple(map(self._in_lane, ends)) for ends in some)

    def stops_after(self, place: int, arrival: Arrival) -> int:
        """The stops in the corner where a move has ended (FD-MOVE-5, FD-CORNER-4)."""
        corner = self.track.corner[arrival.space]
        if corner < 0 or arrival.spaces:
            return 0
        stays = corner == self.track.corner[self.spaces[place]]
        return 1 + (self.stops[place] if stays else 0)
