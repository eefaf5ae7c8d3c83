"""The odds of a turn: for each gear on offer what may come of it, face by face, exactly.

Traffic, weather, debris and tires are as they are. What the black die does after the move
(collisions, engine tests, debris) is not in it: the odds are of the gear die and of the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from companion.advice.alone import Alone
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.book import GEAR_FACES, TIRES, Wear, one, paid_by, total
from companion.rules.formula.car import Car, Option, Point
from companion.rules.formula.drivers import DRIFTS
from companion.rules.formula.gears import GearEngaged, GearRoll, gears_on_offer
from companion.rules.formula.moving import Length, Move, lengths, to_move
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
