"""Who drives without a solved board, and what every bot of a Formula race does alike.

A level says which gear it plays and which end it takes; what is asked seldom, and needs no board,
is answered here for all levels. An answer is in the form of the engine protocol; dice are left out.

The amateur weighs each face: spaces won, a stop made where one is wanted, points spent, where it
would stand; the levels below it err (`Erring`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple, Protocol, TypeVar

from companion.advice.bots.levels import Draw
from companion.rules.board.track import Track
from companion.rules.formula import asks
from companion.rules.formula.book import BLACK_DIE, BRAKES, GEAR_FACES, TIRES, TOP_GEAR, Pool, spare
from companion.rules.formula.car import Car, Option
from companion.rules.formula.drivers import DRIFTS
from companion.rules.formula.game import Course
from companion.rules.formula.moving import EXTRA, Move
from companion.rules.formula.state import State
from companion.rules.game import Ask

T = TypeVar("T")


class Level(Protocol):
    """How a level of play chooses."""

    def gear(self, state: State, seat: int, choices: Sequence[asks.GearChoice]) -> int:
        """One of the gears on offer."""

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """Where a move ends, one of these."""

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """Where a slipstream ends; None: it is not used."""

    def tires(self, state: State, seat: int) -> str:
        """Which kind is fitted, before the race or at a stop."""

    def length(self, state: State, seat: int, ends: Sequence[Sequence[Option]]) -> int:
        """Which of some lengths, by where each may end."""


def answer(level: Level, state: State, ask: Ask) -> object:
    """What a bot of a level answers.

    Raises:
        TypeError: it is a die, or another thing that no bot is asked.
    """
    match ask:
        case asks.GearAsk():
            return level.gear(state, ask.seat, ask.choices)
        case asks.MoveAsk():
            return _as_answer(state, level.end(state, ask.seat, ask.ends))
        case asks.SlipstreamAsk():
            return _as_answer(state, level.slip(state, ask.seat, ask.ends))
        case asks.TiresAsk():
            return level.tires(state, ask.seat)
        case asks.LengthAsk():
            # What an extra space is worth is not in their figures: they go as far as without it.
            lengths = [length for length in ask.lengths if EXTRA.isdisjoint(length.by)]
            ends = [_ends(state, ask.seat, length) for length in lengths]
            return lengths[level.length(state, ask.seat, ends)].as_json()
    return _chore(state, ask)


def _as_answer(state: State, end: Option | None) -> Mapping[str, object] | None:
    ids = state.setup.track.ids
    return None if end is None else {"to": ids[end.to], "brakes": end.brakes}


def _ends(state: State, seat: int, length: asks.Length) -> Sequence[Option]:
    return Move(seat=seat, spaces=length.spaces, drifts=DRIFTS in length.by).ends(state)


def _chore(state: State, ask: Ask) -> object:
    """What needs no thought of the board."""
    match ask:
        case asks.PointsAsk():
            return _points(ask)
        case asks.BuildAsk():
            return _build(ask)
        case asks.FormulaAsk():
            return ask.usual  # what another roll is worth is not in their figures
    raise TypeError(f"no bot is asked for {ask.kind}")


FIRST_WANTED = ("engine", "body", "tires", "brakes", "handling", "gearbox")
"""Which points a car takes first, where it gets some."""


def _points(ask: asks.PointsAsk) -> Mapping[str, int]:
    """One point of what is wanted most; whether more may go there the rules know."""
    return {next(name for name in FIRST_WANTED if name in ask.categories): 1}


def _build(ask: asks.BuildAsk) -> Mapping[str, int]:
    """The usual car, within the limits, its points made up in the first category."""
    wear = {name: min(high, max(low, 3)) for name, (low, high) in ask.limits.items()}
    first = next(iter(wear))
    wear[first] += ask.points - sum(wear.values())
    return wear


# -- the levels that look at the room up to the next limit ----------------------------------------


def usual_tires(state: State) -> str:
    """What is fitted without a thought."""
    return "rain" if state.raining else "hard"


_POINT: Final = 3.0
"""What a wear point is worth, in spaces."""
_SPARES: Final = 10.0
"""What a point is worth once the die has fallen: an amateur spends none that it can keep."""
_LANE: Final = 0.1
"""What the next end in the list, as a rule a lane further out, is worth less than one like it; in
turns. Drawn from ends that are equal otherwise, an amateur would take 3.5 turns more on Monaco."""
_PACE: Final = 8.0
"""Spaces that a car comes on in a turn."""


class Amateur:
    """Who weighs each face, and has an eye for where the next corner begins."""

    def gear(self, state: State, seat: int, choices: Sequence[asks.GearChoice]) -> int:
        """The gear with the best mean over its faces."""
        prices = self.gear_prices(state, seat, choices)
        return choices[prices.index(min(prices))].gear

    def gear_prices(
        self, state: State, seat: int, choices: Sequence[asks.GearChoice]
    ) -> Sequence[float]:
        """What speaks against each gear, in turns."""
        car, track = state.cars[seat], state.setup.track
        if car.space is None or track.lane[car.space] < 0:
            return [choice.out * _GONE - choice.gear for choice in choices]
        road = road_ahead(track, car.space, car.stops)
        tires, brakes = spare(car.wear, TIRES), spare(car.wear, BRAKES)

        return _gear_prices(tuple(choices), road, tires, brakes)

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """The cheapest end; of those a stop where one is wanted, else the furthest."""
        car, track = state.cars[seat], state.setup.track
        return min(ends, key=partial(price, track, car))

    def unbraked(self, state: State, move: Move) -> Option | None:
        """The end that it takes of all, by those without brakes; None: they do not say.

        A point spent is more than a stop is worth, so braking betters no end that costs nothing;
        but who has few tires left may look for the pit lane.
        """
        car, track = state.cars[move.seat], state.setup.track
        ends = [] if _is_worn(car) else move.ends(state, most_brakes=0)
        prices = [price(track, car, end) for end in ends]
        best = min(prices, default=(True, True, 1))
        free = not (best[0] or best[1]) and best[2] <= 0
        return ends[prices.index(best)] if free else None

    def end_prices(self, state: State, seat: int, ends: Sequence[Option]) -> Sequence[float]:
        """What speaks against each end, in turns."""
        car, track = state.cars[seat], state.setup.track
        told = [price(track, car, end) for end in ends]
        return [
            (_GONE * out + _SPIN * spin + _SPARES * lost + _STOP * rolls_on + further) / _PACE
            + _LANE * at
            for at, (out, spin, lost, rolls_on, further) in enumerate(told)
        ]

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """Where it is free."""
        free = [end for end in ends if not (end.out or end.spin or any(end.cost))]
        return self.end(state, seat, free) if free else None

    def tires(self, state: State, seat: int) -> str:
        """Rain tires in rain, hard ones else."""
        return usual_tires(state)

    def length(self, state: State, seat: int, ends: Sequence[Sequence[Option]]) -> int:
        """The first that is safe."""
        return next((at for at, some in enumerate(ends) if any(not e.out for e in some)), 0)


# -- levels that err ------------------------------------------------------------------------------


class Pricing(Level, Protocol):
    """A level that can tell what speaks against each choice, in turns."""

    def gear_prices(
        self, state: State, seat: int, choices: Sequence[asks.GearChoice]
    ) -> Sequence[float]:
        """Of the gears on offer."""

    def end_prices(self, state: State, seat: int, ends: Sequence[Option]) -> Sequence[float]:
        """Of the ends of a move."""


_CALM: Final = 0.3
"""How much of its heat a level has where no corner is near."""


class Erring:
    """A level that errs as people do, most of all where a corner is near.

    It chooses by the prices of another level, softly: a choice is taken the less often the more
    turns it costs, by `heat` (a temperature, in turns). In a share of its turns it is `blind` to a
    corner that is near, and goes a gear higher. What it draws hangs on the position alone, so that
    the same position has the same answer.
    """

    def __init__(self, level: Pricing, heat: float, blind: float) -> None:
        self._level, self._heat, self._blind = level, heat, blind
        self.slip, self.tires, self.length = level.slip, level.tires, level.length

    def gear(self, state: State, seat: int, choices: Sequence[asks.GearChoice]) -> int:
        """A gear."""
        draw, near = _drawn(state, seat), _is_near(state, seat)
        prices = self._level.gear_prices(state, seat, choices)
        chosen = self._softly(choices, prices, draw, near=near).gear
        too_fast = [choice.gear for choice in choices if choice.gear > chosen]
        return too_fast[0] if near and too_fast and draw.share() < self._blind else chosen

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """An end."""
        if len(ends) == 1:
            return ends[0]
        prices = self._level.end_prices(state, seat, ends)
        return self._softly(ends, prices, _drawn(state, seat), near=_is_near(state, seat))

    def _softly(self, some: Sequence[T], prices: Sequence[float], draw: Draw, *, near: bool) -> T:
        """One of these, as likely as exp(-price / heat) against the others."""
        heat = self._heat * (1 if near else _CALM)
        # The largest of values with noise of this form is a draw of that distribution (Gumbel).
        noisy = [price + heat * math.log(-math.log(draw.share())) for price in prices]
        return some[noisy.index(min(noisy))]


def _drawn(state: State, seat: int) -> Draw:
    cars = [(car.space, car.lap, car.gear, *car.wear) for car in state.cars.values()]
    return Draw((state.round, seat, len(state.pending), cars))


def _is_near(state: State, seat: int) -> bool:
    """Whether the limit of a corner is within the highest face of the next gear up."""
    car, track = state.cars[seat], state.setup.track
    if car.space is None or track.lane[car.space] < 0:
        return False
    most = GEAR_FACES[min(car.gear + 1, TOP_GEAR)][-1]
    return road_ahead(track, car.space, car.stops).room < most


# -- the road ahead -------------------------------------------------------------------------------


class Road(NamedTuple):
    """What lies ahead in a lane up to the next limit.

    `entry` and `room` are the spaces to the first and to the last space of the corner that still
    asks for stops (entry 0: the car is in it), `owed` the stops that it asks for; `more` the room
    from there to the limit after it.
    """

    entry: int
    room: int
    owed: int
    more: int


@lru_cache(maxsize=8192)
def road_ahead(track: Track, space: int, stops: int) -> Road:
    """The road of a car with so many stops made in its corner."""
    here = track.corner[space]
    owed = track.corners[here].stops - stops if here >= 0 else 0
    if owed > 0:
        end = _last_of(track, space, here)
        return Road(0, _between(track, space, end), owed, _room(track, end))
    entry = _first_of_next(track, space, here)
    corner = track.corner[entry]
    end = _last_of(track, entry, corner)
    asked = track.corners[corner].stops if corner >= 0 else 0
    return Road(
        _between(track, space, entry), _between(track, space, end), asked, _room(track, end)
    )


def _room(track: Track, end: int) -> int:
    """The spaces from the end of a corner to the limit of the next."""
    entry = _first_of_next(track, end, track.corner[end])
    return _between(track, end, _last_of(track, entry, track.corner[entry]))


def _last_of(track: Track, space: int, corner: int) -> int:
    """The last space of a corner in this lane."""
    while track.ahead[space] >= 0 and track.corner[track.ahead[space]] == corner:
        space = track.ahead[space]
    return space


_FAR: Final = 40
"""Spaces that are looked ahead."""


def _first_of_next(track: Track, space: int, here: int) -> int:
    """The first space of the next corner in this lane."""
    for _ in range(_FAR):
        if track.ahead[space] < 0 or track.corner[space] not in (-1, here):
            break
        space = track.ahead[space]
    return space


def _between(track: Track, space: int, end: int) -> int:
    """How many spaces one is ahead of the other in its lane, as far as is looked."""
    for steps in range(_FAR):
        if space in (end, -1):
            return steps
        space = track.ahead[space]
    return _FAR


_STOP: Final = 5.0
_SPIN: Final = 15.0
_GONE: Final = 150.0


@lru_cache(maxsize=65_536)
def _gear_prices(
    choices: tuple[asks.GearChoice, ...], road: Road, tires: int, brakes: int
) -> Sequence[float]:
    """What speaks against each gear, in turns."""
    prices = []
    for gear, cost, _, out in choices:
        value = merit(gear, road, tires, brakes - cost[BRAKES]) - _POINT * sum(cost)
        prices.append((out * 2 * _GONE - value) / _PACE)
    return prices


@lru_cache(maxsize=65_536)
def merit(gear: int, road: Road, tires: int, brakes: int) -> float:
    """What a gear is good for, in spaces, on the mean over its faces."""
    faces = GEAR_FACES[gear]
    return sum([_merit(face, gear, road, tires, brakes) for face in faces]) / len(faces)


def _merit(face: int, gear: int, road: Road, tires: int, brakes: int) -> float:
    """One face: braked to the limit as far as there are brakes, then slid."""
    spent = min(brakes, max(0, face - road.room))
    spaces = face - spent
    over = spaces - road.room
    value = spaces - _POINT * spent
    if over > 0:
        # Two stops missing put a car out (FD-CORNER-3), as do more spaces too far than it has tires
        # points.
        gone = road.owed > 1 or over > tires
        return -_GONE if gone else value - _POINT * over - _SPIN * (over == tires)
    if spaces < road.entry:
        return value - _POINT * _too_fast(gear, road.room - spaces)
    again = road.owed > 1
    left = road.room - spaces if again else road.more
    tight = again and left < 3 * (road.owed - 1)
    return value + _STOP - _POINT * (2 * tight + _too_fast(gear, left))


@lru_cache(maxsize=512)
def _too_fast(gear: int, room: int) -> int:
    """How many gears must be skipped next turn, lest even the lowest face is too far."""
    fits = max((g for g in GEAR_FACES if GEAR_FACES[g][0] <= room), default=1)
    return max(0, gear - 1 - fits)


FEW_POINTS: Final = 5
"""With so many points left of the one pool a stop is worth its turns (FD-BASIC-14)."""


def _is_worn(car: Car) -> bool:
    """Whether new tires are worth a stop."""
    return car.wear[TIRES] <= (FEW_POINTS if isinstance(car.wear, Pool) else 1)


def price(track: Track, car: Car, end: Option) -> tuple[float, ...]:
    """What speaks against an end, the worst first; the pit lane is for who has no tires left."""
    arrival = end.arrival
    space, debris = arrival.space, arrival.debris
    if track.lane[space] < 0:
        # Better than the best that the track has (a free stop, −0.9), or worse than a point lost.
        return (end.out, end.spin, -1 if _is_worn(car) else 1.5, False, 0)
    lost: float = sum(end.cost)
    if debris:
        lost += 0.3 * len(debris)
    if track.corner[space] >= 0 and not arrival.spaces:
        return (end.out, end.spin, lost - 0.9, False, -end.spaces)
    return (end.out, end.spin, lost, True, -end.spaces)


# -- a whole race played by bots -------------------------------------------------------------------


class Dice(Protocol):
    """What throws the dice: `random.Random`, say."""

    def choice(self, seq: Sequence[T]) -> T:
        """One of these, all alike."""

    def randint(self, a: int, b: int) -> int:
        """A whole number from a to b, both included."""


def throw(ask: Ask, dice: Dice) -> int | None:
    """The face that is asked for; None: no die is.

    The physical dice have some faces twice (FD-DIE-1), so they are thrown as such.
    """
    if isinstance(ask, asks.RollAsk):
        return dice.choice(GEAR_FACES[ask.gear])
    if isinstance(ask, asks.BlackAsk):
        return dice.randint(*BLACK_DIE)
    if ask.kind == "time":
        return 1  # no watch runs; equal times are rolled for (FD-TRIAL-2)
    return None


def play(state: State, levels: Mapping[int, Level], dice: Dice) -> State:
    """Play a race of cars from a state to its end; `levels` by seat."""
    course, quick = Course(state), Amateur
    while True:
        move = course.move
        level = levels[move.seat] if move else None
        # Most of a list are ends that are braked to, which an amateur's move seldom needs; who
        # builds on an amateur may need them.
        if move and type(level) is quick and (end := level.unbraked(course.cars, move)):
            course.drive(move, end)
        elif open_asks := course.asks():
            value: object = throw(open_asks[0], dice)
            if value is None:
                value = answer(levels[open_asks[0].seat], course.state, open_asks[0])
            course.go_on(open_asks[0], value)
        else:
            return course.state
