"""The odds of a turn, and the chances of a race.

The odds are exact: for each gear on offer what may come of it, face by face. Traffic, weather,
debris and tires are as they are. What the black die does after the move (collisions, engine tests,
debris) is not in it: the odds are of the gear die and of the way.

The chances to win are estimates: of each car the turns that it has to come as if it were alone,
how far they are spread, and whether it comes home at all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from companion.advice.alone import Alone, Figures
from companion.advice.solve.model import GONE
from companion.rules.board.track import LEVELS_A_SPACE, Track
from companion.rules.formula import asks
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.book import BODY, GEAR_FACES, TIRES, Wear, one, paid_by, total
from companion.rules.formula.car import Car, Option, Point, Status
from companion.rules.formula.collisions import Engine, Tests
from companion.rules.formula.drivers import DRIFTS, Tires
from companion.rules.formula.gears import GearEngaged, GearRoll, gears_on_offer
from companion.rules.formula.moving import Length, Move, lengths, to_move
from companion.rules.formula.pit import Die, Stop
from companion.rules.formula.state import Phase, State
from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Odds:
    """What may come of a gear. All chances together are 1.

    `overshoot`: by the spaces beyond the limit, of moves that neither spin nor end the race.
    `wear`: wear points lost on average, an over-rev among them. `turns`: expected turns to the
    finish, this one among them; None where the board is not solved.
    """

    clean: Fraction
    overshoot: Mapping[int, Fraction]
    spin: Fraction
    out: Fraction
    wear: tuple[Fraction, ...]
    turns: float | None = None

    def as_json(self, categories: Sequence[str]) -> dict[str, object]:
        """The odds as `companion odds` tells them."""
        data: dict[str, object] = {
            "clean": float(self.clean),
            "overshoot": {str(n): float(chance) for n, chance in sorted(self.overshoot.items())},
            "spin": float(self.spin),
            "out": float(self.out),
            "expected_wear": dict(zip(categories, map(float, self.wear), strict=True)),
        }
        return data if self.turns is None else data | {"turns": self.turns}


def odds(state: State, seat: int, alone: Alone | None = None) -> dict[int, Odds]:
    """The odds of each gear that a seat is offered now, by the gear."""
    choices = gears_on_offer(state, seat)
    return {choice.gear: odds_of(state, seat, choice, alone) for choice in choices}


def gears_now(state: State, seat: int) -> list[GearChoice]:
    """The gears that a car may roll with next, at any moment of a race.

    The one that is engaged where its die is waited for; none while a move is settled, before the
    race, and where the car runs no more.
    """
    car = state.cars.get(seat)
    if state.phase is not Phase.RACE or car is None or not car.runs or car.space is None:
        return []
    step = state.pending[0] if state.pending and state.turn == seat else None
    if isinstance(step, GearRoll):
        return [GearChoice(car.gear)]
    return gears_on_offer(state, seat) if step is None or step.point is Point.GEAR else []


def odds_of(state: State, seat: int, choice: GearChoice, alone: Alone | None = None) -> Odds:
    """The odds of one gear; in the basic game wear is of one pool (FD-BASIC-16)."""
    none, cost = Fraction(0), paid_by(state.cars[seat].wear, choice.cost)
    if choice.out:
        lost = tuple(map(Fraction, cost))
        turns = None if alone is None else alone.engaged(state.cars[seat], choice)
        return Odds(none, {}, none, Fraction(1), lost, turns)
    state = with_gear(state, seat, choice)
    faces, played = GEAR_FACES[choice.gear], Counter[str | int]()
    wear, turns = [Fraction(points) for points in cost], 1.0
    for face, count in Counter(faces).items():
        chance, ends = Fraction(count, len(faces)), list(ends_of_roll(state, seat, face))
        # Risks are those of the cheapest end (what `companion odds` promises), turns those of the
        # fastest.
        end, cost = least(state, ends)
        if alone is not None:
            turns += count / len(faces) * _to_come(state.cars[seat], face, ends, alone)
        played[_what(end)] += count
        wear = [have + chance * points for have, points in zip(wear, cost, strict=True)]
    chances = {what: Fraction(count, len(faces)) for what, count in played.items()}
    beyond = {what: chance for what, chance in chances.items() if isinstance(what, int) and what}
    return Odds(
        clean=chances.get(0, none),
        overshoot=beyond,
        spin=chances.get("spin", none),
        out=chances.get("out", none),
        wear=tuple(wear),
        turns=None if alone is None else turns,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What the faces of a gear come to, counted, each played by the end that costs least.

    `missed` are the faces that leave a corner with a stop missing, by the corner, `stopping` those
    that can end in a corner and lose nothing; `paid` what the gear itself costs, `mean` the spaces.
    """

    gear: int
    faces: int
    spin: int
    out: int
    missed: Mapping[int, int]
    stopping: Mapping[int, int]
    paid: int
    mean: float

    def as_json(self) -> dict[str, int]:
        """The counts as they are shown."""
        over = sum(self.missed.values())
        clean = self.faces - over - self.spin - self.out
        counts = {"clean": clean, "over": over, "spin": self.spin, "out": self.out}
        return {"gear": self.gear, "faces": self.faces, **counts}


def outlook(state: State, seat: int, choice: GearChoice) -> Outlook:
    """The faces of a gear that is on offer; one that puts the car out does so with all of them."""
    faces, engaged = GEAR_FACES[choice.gear], with_gear(state, seat, choice)
    played, missed, stopping = Counter[str | int](), Counter[int](), Counter[int]()
    for face, count in Counter(faces).items():
        ends = [] if choice.out else list(ends_of_roll(engaged, seat, face))
        end = None if choice.out else least(engaged, ends)[0]
        what = "out" if end is None else _what(end)
        played[what] += count
        if end is not None and isinstance(what, int) and what:
            missed[end.arrival.corner] += count
        corner = state.setup.track.corner
        kept = {corner[end.to] for end, cost in ends if not _what(end) and not any(cost)}
        stopping.update({one: count for one in kept if one >= 0})
    return Outlook(
        gear=choice.gear,
        faces=len(faces),
        spin=played["spin"],
        out=played["out"],
        missed=missed,
        stopping=stopping,
        paid=sum(choice.cost),
        mean=sum(faces) / len(faces),
    )


def _what(end: Option) -> str | int:
    """What a move comes to: out, a spin, or the spaces of its overshoot (0: clean)."""
    return "out" if end.out else "spin" if end.spin else end.arrival.spaces


def with_gear(state: State, seat: int, choice: GearChoice) -> State:
    """The state with a gear engaged and an over-rev paid, before the roll."""
    before = state.cars[seat].gear
    engaged = GearEngaged(seat=seat, rule=None, gear=choice.gear, before=before)
    return engaged.applied(state).worn(seat, choice.cost)


def ends_of_roll(state: State, seat: int, face: int) -> Iterator[tuple[Option, Wear]]:
    """Every end of a roll, by whatever length it may be played, with all that it costs."""
    step = to_move(state, seat, face)
    choices = lengths(state, step) if isinstance(step, Length) else ()
    for length in choices or ((face, ()),):
        spaces, by = length
        drifts = DRIFTS in by
        for end in Move(seat=seat, spaces=spaces, drifts=drifts).ends(state):
            cost = paid_by(state.cars[seat].wear, end.cost)
            yield end, total(cost, one(TIRES)) if drifts else cost


Rank = tuple[bool, bool, int, int, str]


def least(state: State, ends: Iterable[tuple[Option, Wear]]) -> tuple[Option, Wear]:
    """The end that costs least: out, spin, points in all, brakes, name of the space."""
    ids = state.setup.track.ids

    def rank(found: tuple[Option, Wear]) -> Rank:
        end, cost = found
        return end.out, end.spin, sum(cost), end.brakes, ids[end.to]

    return min(ends, key=rank)


def _to_come(car: Car, face: int, ends: Iterable[tuple[Option, Wear]], alone: Alone) -> float:
    """The expected turns to come after a face, played by the end with the fewest."""
    tested = alone.tests(car.gear, face)
    return min(alone.after(car, end, tested=tested) for end, _ in ends)


# -- the turns to come of a car -------------------------------------------------------------------


def is_tested(state: State) -> bool:
    """Whether an engine test follows the move that is asked for."""
    return any(step.kind == "tests" for step in state.pending)


def is_out(car: Car) -> bool:
    """Whether a car runs no more, and is not home."""
    return car.status is not Status.FINISHED and (car.space is None or not car.runs)


def turns_to_come(figures: Figures, state: State, seat: int) -> float | None:
    """The turns to come of a car at any moment, the one under way among them; None: it is out."""
    car, step = state.cars[seat], None
    if state.pending and state.turn == seat:
        step = state.pending[0]
    under_way = float(step is not None and step.point > Point.WAY)
    if car.status is Status.FINISHED:
        return under_way
    if is_out(car):
        return None
    alone = figures.of(state, seat)
    if isinstance(step, GearRoll):
        return alone.running(car)
    if isinstance(step, Move | Length):
        return 1 + _best_alone(alone, state, car, step)
    tested = any(
        (isinstance(other, Engine) and seat in other.seats)
        or (isinstance(other, Tests) and seat == other.seat)
        for other in state.pending
    )
    if isinstance(step, Tires | Stop | Die):
        return under_way + alone.stopping(car, None if isinstance(step, Tires) else [car.tires])
    return under_way + alone.standing(car, tested=tested)


def _best_alone(alone: Alone, state: State, car: Car, step: Move | Length) -> float:
    """The best end of a move on an empty board."""
    # Luck is the die against its mean on an empty board; what cars in the way make of it is
    # traffic.
    empty = replace(state, cars={car.seat: car}, debris=frozenset())
    if isinstance(step, Move):
        moves = [step]
    else:
        moves = [move_of(step.seat, one, step.how) for one in lengths(empty, step)]
    return best_of(alone, empty, car, moves)


def best_of(alone: Alone, state: State, car: Car, moves: Iterable[Move]) -> float:
    """The turns that come after the best of the ends of some moves."""
    tested = is_tested(state)
    return min(
        (alone.after(car, end, tested=tested) for m in moves for end in m.ends(state)),
        default=alone.out(car),
    )


def move_of(seat: int, length: asks.Length, how: str = "move") -> Move:
    """The move of one of the lengths on offer."""
    return Move(seat=seat, spaces=length.spaces, how=how, drifts=DRIFTS in length.by)


# -- the chances of a race ------------------------------------------------------------------------


SPREAD: Final = 0.2
"""How far the turns of a car are spread: the deviation of one turn, in turns."""
HAZARD: Final = 0.013
"""The chance that a car goes out in a turn."""
BODILESS: Final = 1.5
"""By so much more of a car with its last body point."""
HELD_UP: Final = 0.04
"""Turns that each car costs who is up to `NEAR_AHEAD` spaces ahead of a car."""
NEAR_AHEAD: Final = 12
SOON: Final = 6
"""Turns to come below which they cost less."""
PODIUM: Final = 3


class Chance(NamedTuple):
    """The chance of a car to win, and to stand on the podium."""

    wins: float
    podium: float


def chances(
    figures: Figures, state: State, given: Mapping[int, float] = MappingProxyType({})
) -> dict[int, Chance]:
    """The chances of each car, those to win together 1; none before a race and where all are out.

    What they are held against: docs/advice.md. `given`: the turns to come of a seat, if others.
    """
    home = [car for car in state.cars.values() if car.status is Status.FINISHED]
    found = {seat: Chance(0.0, 0.0) for seat in state.cars}
    for car in home:
        place = car.place or 1
        found[car.seat] = Chance(float(place == 1), float(place <= PODIUM))
    runs = [seat for seat, car in state.cars.items() if car not in home and not is_out(car)]
    if state.phase is Phase.RACE and runs:
        left = {seat: turns_to_come(figures, state, seat) or 0.0 for seat in runs} | dict(given)
        found |= _shared({seat: _finish(state, seat, left[seat]) for seat in runs}, len(home))
    return found if any(chance.wins for chance in found.values()) else {}


class _Finish(NamedTuple):
    """When a car is expected home, in turns, how far that is spread, whether it gets there."""

    at: float
    spread: float
    comes: float

    def by(self, moment: float) -> float:
        """The chance that it is home by a moment."""
        z = (moment - self.at) / self.spread
        return self.comes * 0.5 * (1 + math.erf(z / math.sqrt(2)))


def _finish(state: State, seat: int, left: float) -> _Finish:
    car, order, turn = state.cars[seat], state.order, state.turn
    # Who has moved in this round waits for the next one.
    moved = turn in order and seat in order and order.index(seat) < order.index(turn)
    assert car.space is not None
    ahead = near_ahead(state.setup.track, car.space, spaces_of(state.cars.values()))
    hazard = HAZARD * (BODILESS if car.full[BODY] and car.wear[BODY] <= 1 else 1)
    late = left + moved + HELD_UP * ahead * min(1.0, left / SOON)
    return _Finish(late, _spread(left), math.exp(-hazard * left))


def _spread(left: float) -> float:
    return max(0.05, SPREAD * math.sqrt(left))


def spaces_of(cars: Iterable[Car]) -> list[int]:
    """Where the cars stand that are on the board."""
    return [car.space for car in cars if car.space is not None]


def near_ahead(track: Track, space: int, cars: Iterable[int], reach: int = NEAR_AHEAD) -> int:
    """How many cars, by their spaces, are up to `reach` spaces ahead of a space."""
    here, lap, levels = track.level[space], track.lap_levels, LEVELS_A_SPACE * reach
    return sum([0 < (track.level[car] - here) % lap <= levels for car in cars])


_PART: Final = 0.25
"""Turns between those for which a chance is reckoned."""
_PLACES: Final = 0.02
"""What a turn more is worth beside the chance to win: other places, where that is as good as
none."""


class Winning:
    """What the turns that a car has to come after this one are worth: its chance to win by them.

    The others are as they stand; the later places count a little.
    """

    def __init__(self, others: Sequence[_Finish]) -> None:
        self._others, self._at = others, cache(self._reckoned)

    @classmethod
    def of(cls, figures: Figures, state: State, seat: int) -> Self | None:
        """As a race stands; None: there is nobody to race, or somebody has won."""
        cars = [car for car in state.cars.values() if car.seat != seat and not is_out(car)]
        if not cars or any(car.status is Status.FINISHED for car in cars):
            return None
        left = {car.seat: turns_to_come(figures, state, car.seat) or 0.0 for car in cars}
        return cls([_finish(state, one, turns) for one, turns in left.items()])

    def __call__(self, left: float) -> float:
        """The chance, less a little for each turn."""
        at, part = divmod(left / _PART, 1)
        low = self._at(at)
        return low + part * (self._at(at + 1) - low) - _PLACES * left

    def stake(self, left: float) -> float:
        """What going out costs, in turns: the chance that is lost, by what a turn costs of it."""
        at = max(2, round(left / _PART))
        turn = (self._at(at - 2) - self._at(at + 2)) / (4 * _PART) + _PLACES
        return min(GONE, (self._at(at) + GONE * _PLACES) / turn)

    def _reckoned(self, at: float) -> float:
        left = at * _PART
        own = _Finish(1 + left, _spread(left), math.exp(-HAZARD * left))
        return _met(own, self._others)[0]


def _shared(finishes: Mapping[int, _Finish], home: int) -> dict[int, Chance]:
    """The chances of the cars that are on their way, where so many are home."""
    ahead = {
        seat: _met(one, [other for which, other in finishes.items() if which != seat])
        for seat, one in finishes.items()
    }
    free = max(0, PODIUM - home)
    total = 0.0 if home else sum(chances[0] for chances in ahead.values())
    # Somebody wins, even where all may go out on the way.
    wins = {seat: chances[0] / total if total else 0.0 for seat, chances in ahead.items()}
    return {
        seat: Chance(wins[seat], min(1.0, max(wins[seat], sum(chances[:free]))))
        for seat, chances in ahead.items()
    }


_NODES: Final = ((-2.857, 0.0113), (-1.356, 0.2221), (0, 0.5333), (1.356, 0.2221), (2.857, 0.0113))
"""Where a normal distribution is looked at, in deviations, and the weights (Gauss and Hermite)."""


def _met(one: _Finish, others: Sequence[_Finish]) -> list[float]:
    """The chances that a car comes home and meets none of the others there, one, two."""
    found = [0.0] * PODIUM
    for where, weight in _NODES:
        met = _count([other.by(one.at + where * one.spread) for other in others])
        found = [a + one.comes * weight * b for a, b in zip(found, met, strict=True)]
    return found


def _count(chances: Sequence[float]) -> list[float]:
    """The chances that none of some things comes true, one, two: as many as the podium has."""
    found = [1.0, *[0.0] * (PODIUM - 1)]
    for chance in chances:
        for at in range(PODIUM - 1, 0, -1):
            found[at] += chance * (found[at - 1] - found[at])
        found[0] *= 1 - chance
    return found
