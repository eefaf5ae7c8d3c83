"""The levels that play a solved board: the racer as if it were alone, the champion among others.

The racer plays the board move by move; others it sees only by the ends that are on offer. The
champion works out where others stand in its way what the racer reads off the board: before it
chooses a gear it plays every face of the die on the ends that are there (`Among`), and weighs what
comes of them by its chance to win.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import neg
from typing import Final

from companion.advice.alone import HOME, Alone, Figures, Landing
from companion.advice.bots.by_room import usual_tires
from companion.advice.odds import HELD_UP, Winning, is_tested, near_ahead, spaces_of, with_gear
from companion.rules.board.track import IN_PIT
from companion.rules.board.ways import Arrival
from companion.rules.formula import book
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.car import Car, Option, Status
from companion.rules.formula.moves import ends_of_move, slipstream_options, ways_of_move
from companion.rules.formula.state import Phase, State


class Racer:
    """A level on a solved board."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def alone(self, state: State, seat: int) -> Alone:
        """What a moment is worth to this car, were it alone."""
        return self._figures.of(state, seat)

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """The gear with the least turns to come; of equal ones the lowest."""
        prices = self.gear_prices(state, seat, choices)
        return choices[prices.index(min(prices))].gear

    def gear_prices(self, state: State, seat: int, choices: Sequence[GearChoice]) -> list[float]:
        """The turns to come with each."""
        car, engaged = state.cars[seat], self.alone(state, seat).engaged
        return [engaged(car, choice) for choice in choices]

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """The end with the least turns to come."""
        if len(ends) == 1:
            return ends[0]
        prices = self.end_prices(state, seat, ends)
        return ends[prices.index(min(prices))]

    def end_prices(self, state: State, seat: int, ends: Sequence[Option]) -> list[float]:
        """The turns to come after each."""
        car, after, tested = state.cars[seat], self.alone(state, seat).after, is_tested(state)
        return [after(car, end, tested=tested) for end in ends]

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """The best end, if it is better than to stay; what the move has cost is paid by then."""
        car, end = state.cars[seat], self.end(state, seat, ends)
        tested, alone = is_tested(state), self.alone(state, seat)
        stays = alone.staying(car, tested=tested)
        return end if alone.after(car, end, tested=tested) < stays else None

    def length(self, state: State, seat: int, ends: Sequence[Sequence[Option]]) -> int:
        """The length with the best end."""
        car, after = state.cars[seat], self.alone(state, seat).after
        best = [min((after(car, end) for end in some), default=1e9) for some in ends]
        return min(range(len(ends)), key=best.__getitem__)

    def tires(self, state: State, seat: int) -> str:
        """At a stop the kind with the least turns to come; before the race the usual one."""
        if state.phase is not Phase.RACE:
            return usual_tires(state)
        car, alone = state.cars[seat], self.alone(state, seat)
        return min(book.TIRE_KINDS, key=lambda kind: alone.stopping(car, [kind]))


_NEAR: Final = 0.5
"""Turns by which a gear may be worse than the best for a car alone, and is looked at all the same,
as its faces are spread otherwise."""
_COSTS: Final = 1.0
"""The same where somebody is near: what traffic costs a gear at most."""


class Champion(Racer):
    """The highest level: what it weighs is the chance to win."""

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """The gear with the best chance to win, among those who are near."""
        car, alone = state.cars[seat], self.alone(state, seat)
        ranked = sorted((alone.engaged(car, one), one.gear, one) for one in choices)
        (bound, gear, _), hopes = ranked[0], Winning.of(self._figures, state, seat)
        crowded = _is_crowded(state, car, gear)
        likely = [one for turns, _, one in ranked if turns < bound + (_COSTS if crowded else _NEAR)]
        # To look around costs far more than to look up: it is left out where it cannot change
        # anything.
        if len(likely) == 1 or car.status is Status.PIT or not (crowded or hopes):
            return gear
        return max(likely, key=Among(state, seat, alone, hopes).with_gear).gear

    def end_prices(self, state: State, seat: int, ends: Sequence[Option]) -> list[float]:
        """The turns to come after each, risks and slipstreams counted."""
        tested, among = is_tested(state), self._among(state, seat)
        return [among.worth(end, tested=tested) for end in ends]

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """The best end, if it is better than to stay."""
        tested, among = is_tested(state), self._among(state, seat)
        best = min(ends, key=lambda end: among.worth_of_slip(end, tested=tested))
        value = among.worth_of_slip(best, tested=tested)
        return best if value < among.staying(tested=tested) else None

    def _among(self, state: State, seat: int) -> Among:
        hopes = Winning.of(self._figures, state, seat)
        return Among(state, seat, self.alone(state, seat), hopes)


def _is_crowded(state: State, car: Car, gear: int) -> bool:
    """Whether somebody, or debris, is where a move in this gear may lead."""
    assert car.space is not None
    reach = book.GEAR_FACES[gear][-1] + book.SLIPSTREAM + 1
    spaces = [*spaces_of(state.cars.values()), *state.debris]
    return near_ahead(state.setup.track, car.space, spaces, reach) > 0


# -- what an end is worth among others ------------------------------------------------------------


CONTACTS: Final = 0.38
"""Rolls for a collision in a turn (races of six champions on Monaco)."""
CROSSINGS: Final = 0.06
"""Rolls for debris in a turn, likewise."""


class Among:
    """One look at the board by a car that is to move.

    To the turns to come of a car alone come what others may do to its body where it stands, what
    debris on its way may do to its handling, and what those ahead will cost it; a slipstream that
    an end offers is taken where it is better. `hopes`: its chance to win by the turns to come.
    """

    def __init__(self, state: State, seat: int, alone: Alone, hopes: Winning | None = None) -> None:
        self.state, self.seat, self.alone, self._hopes = state, seat, alone, hopes
        self.car = state.cars[seat]
        others = (other for other in state.cars.values() if other is not self.car)
        self.taken = frozenset(spaces_of(others))
        to_come = alone.standing(self.car)
        bump = state.setup.edition.collision_hurts[state.raining] / book.BLACK_DIE[1]
        crash = book.DEBRIS_HURTS[state.raining] / book.BLACK_DIE[1]
        # Where nothing is to be won any more going out costs about the spread of a race.
        stake = hopes.stake(to_come) if hopes else 1.0
        body, handling = self.car.wear[book.BODY], self.car.wear[book.HANDLING]
        self._contact = bump * stake * point_worth(body, CONTACTS * bump * to_come)
        self._crossing = crash * stake * point_worth(handling, CROSSINGS * crash * to_come)
        self._known: dict[Arrival, tuple[Landing, float, bool]] = {}
        self._slips: dict[Arrival, float] = {}

    def with_gear(self, choice: GearChoice) -> float:
        """What a gear is good for, each face played at its best where the others stand.

        In chances to win; without hopes it is the turns to come, negated.
        """
        hope = self._hopes or neg
        if choice.out:
            return hope(self.alone.out(self.car))
        geared = with_gear(self.state, self.seat, choice)
        look = Among(geared, self.seat, self.alone, self._hopes)
        faces, value = book.GEAR_FACES[choice.gear], 0.0
        # One search, as far as the highest face leads, serves all faces.
        ways = ways_of_move(geared, self.seat, faces[-1])
        for face, count in Counter(faces).items():
            tested = self.alone.tests(choice.gear, face)
            ends = ends_of_move(geared, self.seat, face, ways)
            best = min([look.worth(end, tested=tested) for end in ends])
            value += count / len(faces) * hope(best)
        return value

    def worth(self, end: Option, *, tested: bool) -> float:
        """The turns to come after an end."""
        if end.out:
            return self.alone.out(self.car)
        known = self._known.get(end.arrival)
        if known is None:
            known = self._known[end.arrival] = self._look(end.arrival)
        landing, price, slips = known
        value = self.alone.landed(landing, self.car, end, tested=tested)
        # Only a full move may be followed by a slipstream (FD-SLIP-1).
        if slips and not (end.brakes or end.blocked or end.spin):
            value = min(value, self._slipped(end, tested=tested))
        return value + price

    def _look(self, arrival: Arrival) -> tuple[Landing, float, bool]:
        """Where a way leaves the car, what others make of that, whether it may slip from there."""
        landing = self.alone.landing(self.car, arrival)
        slips = landing is not HOME and not arrival.spaces and self._slips_from(arrival.space)
        return landing, self._price(landing, arrival), slips

    def staying(self, *, tested: bool) -> float:
        """The turns to come of a car that has moved, where it stands."""
        assert self.car.space is not None
        return self.alone.staying(self.car, tested=tested) + self._risk(self.car.space)

    def _price(self, landing: Landing, arrival: Arrival) -> float:
        """What others and debris make of a way; nothing for who is home by it."""
        if landing is HOME:
            return 0.0
        return self._risk(arrival.space) + len(arrival.debris) * self._crossing

    def _risk(self, space: int) -> float:
        """What others make of standing here, in turns: for the body, and as they are ahead.

        A roll for each car beside or directly ahead.
        """
        track, taken = self.state.setup.track, self.taken
        met = (track.ahead[space] in taken) + sum([near in taken for near in track.beside[space]])
        return met * self._contact + HELD_UP * near_ahead(track, space, taken)

    def _slips_from(self, space: int) -> bool:
        track, car = self.state.setup.track, self.car
        fast = car.gear >= book.SLIPSTREAM_GEAR and car.status is Status.RACING
        return fast and track.ahead[space] in self.taken and track.straight[space] != IN_PIT

    def _slipped(self, end: Option, *, tested: bool) -> float:
        """The best of the slipstreams that an end offers, against standing there."""
        known = self._slips.get(end.arrival)
        if known is None:
            there = _moved(self.state, self.car, end)
            look = Among(there, self.seat, self.alone, self._hopes)
            slips = slipstream_options(there, self.seat)
            stays = self._risk(end.to)
            known = min([look.worth_of_slip(slip, tested=tested) for slip in slips], default=1e9)
            # `worth` adds the price of standing there, which a car that slips on does not pay.
            known = self._slips[end.arrival] = known - stays
        return known

    def worth_of_slip(self, slip: Option, *, tested: bool) -> float:
        """The turns to come after the end of a slipstream, another one left out."""
        if slip.out:
            return self.alone.out(self.car)
        landing = self.alone.landing(self.car, slip.arrival)
        price = self._price(landing, slip.arrival)
        return self.alone.landed(landing, self.car, slip, tested=tested) + price


def _moved(state: State, car: Car, end: Option) -> State:
    """The state after a clean move, before its slipstream."""
    track = state.setup.track
    assert car.space is not None
    stays = track.corner[end.to] == track.corner[car.space] >= 0
    lap, stops = car.lap + end.arrival.line, car.stops if stays else 0
    return state.change(car.seat, space=end.to, lap=lap, stops=stops)


def point_worth(points: int, losses: float) -> float:
    """What a point of body or handling is worth, as a share of what going out costs.

    The car goes out by its last one, so it is the chance that of the losses to come (Poisson, so
    many on average) all points but one are lost, and no more.

    >>> round(point_worth(1, 0.5), 2), round(point_worth(3, 0.5), 2)
    (0.61, 0.08)
    """
    left = max(0, points - 1)
    return math.exp(-losses) * losses**left / math.factorial(left)
