"""Turn order (FD-ORDER-1 to FD-ORDER-3, FD-PIT-4, FD-PIT-5), the classification, and teams."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from companion.rules.board.track import Track
from companion.rules.codec import replace
from companion.rules.formula.book import OVER_REV_COST, PIT_GEAR, POINTS_BY_PLACE, TOP_GEAR, Setup
from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.state import Event, Flow, Phase, State


def arrival_number(state: State) -> int:
    """The number of a car that arrives now, higher than all before (DE-ORDER-1).

    House switch `level_order`: 0, as nobody counts, where the inside decides (FD-ORDER-3).
    """
    if state.setup.house.level_order != "arrived":
        return 0
    return 1 + max(car.arrived for car in state.cars.values())


def level_gear(setup: Setup, car: Car) -> int:
    """The gear that counts where cars are level (FD-ORDER-2, FD-CORNER-6).

    House switch `spin_level`: a car that has spun counts as in 1st (rules of 2018, 10-4-7).
    """
    return 1 if setup.house.spin_level == "first" and car.status is Status.SPUN else car.gear


def lap_back_at(state: State, car: Car, space: int | None) -> int:
    """The lap of a car put back on a space: behind the line it has yet to cross it (FD-END-2)."""
    if space is None:
        return min(car.lap, state.setup.laps)
    past, stood = state.setup.track.past_line, car.stood
    return car.lap - (stood is not None and past[stood] and not past[space])


def progress(track: Track, car: Car) -> int:
    """How far a car has come, in levels from the start of lap 0.

    In the pit lane levels go on without a jump at the line, and from its box on a car's place
    is taken without the lap that its stop has added (FD-PIT-5).
    """
    space = car.stood
    if space is None:
        return car.lap * track.lap_levels
    lap = car.lap - 1 if car.counts_lap_early else car.lap
    return lap * track.lap_levels + track.far_level[space]


def following(state: State) -> list[int]:
    """The seats that still have a turn in this round, in its order."""
    # Nobody is on turn once a car has its lap back (`Unlapped`): all of the order is to come.
    at = state.order.index(state.turn) + 1 if state.turn in state.order else 0
    # A wreck has a turn too, in which it is taken away (DE-BLOCK-1).
    return [s for s in state.order[at:] if state.cars[s].runs or state.cars[s].is_wreck]


def by_position(state: State, cars: Iterable[Car]) -> list[Car]:
    """Cars from first to last."""
    return state.ground.ranked(state, cars)


def in_pit_order(setup: Setup, ranked: list[Car]) -> list[Car]:
    """Cars from first to last, those in the pit lane where they have their turn."""
    ranked = _pits_last(setup.track, ranked)
    return _first_in_first_out(ranked) if setup.edition.pit_in_order_of_entry else ranked


def _pits_last(track: Track, ranked: list[Car]) -> list[Car]:
    """Cars in the pit lane after all cars of the straight beside it (FD-PIT-4)."""
    beside = [car for car in ranked if _is_beside_pits(track, car)]
    if not beside:
        return ranked
    last = ranked.index(beside[-1])
    # Those behind the last car of the straight play after it anyway (FD-PIT-4).
    waiting = [car for car in ranked[:last] if car.status is Status.PIT]
    early = [car for car in ranked[: last + 1] if car.status is not Status.PIT]
    return early + waiting + ranked[last + 1 :]


def _first_in_first_out(ranked: list[Car]) -> list[Car]:
    """Cars in the pit lane in the order in which they drove in (DE-PIT-4).

    Where nobody remembers that they keep their order: furthest first (FD-PIT-4).
    """
    waiting = iter(sorted((c for c in ranked if c.status is Status.PIT), key=lambda c: c.arrived))
    return [next(waiting) if car.status is Status.PIT else car for car in ranked]


def _is_beside_pits(track: Track, car: Car) -> bool:
    """Whether a car is on the track in a straight between pit entry and pit exit."""
    if not track.pit or car.space is None or car.status is Status.PIT:
        return False
    return track.straight[car.space] in _pit_straights(track)


@lru_cache(maxsize=32)
def _pit_straights(track: Track) -> frozenset[int]:
    """The straights (by section) from the one of the pit entry to the one of the pit exit."""
    into = [here for here, entry in enumerate(track.entries) if entry]
    if not into:
        return frozenset()
    count = len(track.sections)
    first, last = track.section[into[0]], track.section[track.exits[-1]]
    # Counted around the lap, as the pit may lie across the line, where sections start again at 0.
    between = {(first + step) % count for step in range((last - first) % count + 1)}
    return frozenset(section for section in between if section in track.straight)


def classification(state: State) -> list[Car]:
    """All cars in the order of the result (FD-END-2).

    Finishers in order of crossing, then cars still running as they stand, then the eliminated,
    the last one out first, in one round the further one first; by house switch `classified` the
    one that came furthest first.
    """
    track, cars = state.setup.track, state.cars.values()
    if state.phase is Phase.FINISHED and state.ground.forgets_order:
        return sorted(cars, key=lambda car: car.place or len(cars))
    home = sorted((c for c in cars if c.status is Status.FINISHED), key=lambda c: c.place or 0)
    running = by_position(state, state.running())
    by_distance = state.setup.house.classified != "line"

    def left(car: Car) -> tuple[int, int, int]:
        lasted, came = -(car.out.round if car.out else 0), -progress(track, car)
        return (came, lasted, car.seat) if by_distance else (lasted, came, car.seat)

    return home + running + sorted((c for c in cars if c.status is Status.OUT), key=left)


# -- a lapped car loses a turn, and has it back with its lap (FD-ORDER-1) -------------------------

# House switch `lapped`, of the federation's competition rules of 2018 (6-2-5): with "circular" a
# round goes from the leader around the loop of the track, down to the car right in front of him.
# Whoever is overtaken by a whole lap before its turn has none in this round; who overtakes back
# plays twice. Without a board the table says who plays when.


class Lapped(Event):
    """A car was lapped before its turn, and has none in this round; `laps` down it is now."""

    laps: int

    def applied(self, state: State) -> State:
        state = state.remembering(self.seat, laps_down=self.laps)
        return replace(state, order=tuple(seat for seat in state.order if seat != self.seat))


class Unlapped(Event):
    """A car has its lap back, and plays once more at the end of the round."""

    laps: int
    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        state = state.remembering(self.seat, laps_down=self.laps)
        return replace(state, order=self.order, turn=None)


def lose_turn(setup: Setup) -> bool:
    """Whether cars that are lapped lose a turn in this race."""
    return setup.house.lapped == "circular"


def laps_behind(state: State, car: Car) -> int:
    """How many times the leader has overtaken a car that runs."""
    track = state.setup.track
    if track.is_blank:
        return 0
    here = progress(track, car)
    most = max((progress(track, one) - here for one in state.running()), default=0)
    # Exactly a lap ahead is level, not past: it takes one level more to lap a car.
    return max(0, most - 1) // track.lap_levels


def in_circle(state: State, ranked: list[Car]) -> list[Car]:
    """Cars from first to last, in the order of the loop behind the first one."""
    if not (lose_turn(state.setup) and ranked):
        return ranked
    track = state.setup.track
    first = progress(track, ranked[0])

    def behind(car: Car) -> int:
        gap = first - progress(track, car)
        # Exactly a lap down plays last, not beside the leader: so the remainder runs from 1 to a
        # whole lap.
        return (gap - 1) % track.lap_levels + 1 if gap > 0 else 0

    return sorted(ranked, key=behind)


def lose_turns(flow: Flow) -> None:
    """A car that would be next loses its turn if it was lapped since the last one."""
    if not lose_turn(flow.state.setup) or flow.state.setup.boardless:
        return
    for seat in following(flow.state):
        car = flow.car(seat)
        laps = laps_behind(flow.state, car) if car.runs else 0
        if laps <= car.memory.laps_down:
            # Later seats are judged when they would be next: until then they may still be lapped.
            return
        flow.tell(Lapped(seat=seat, rule="FD-ORDER-1", laps=laps))


def regain_turn(flow: Flow, seat: int) -> None:
    """The car that has just moved: is it fewer laps down than when its turn began?"""
    state, car = flow.state, flow.car(seat)
    if not (car.runs and lose_turn(state.setup)) or state.setup.boardless:
        return
    laps = laps_behind(state, car)
    if laps < car.memory.laps_down:
        order = (*following(state), seat)
        flow.tell(Unlapped(seat=seat, rule="FD-ORDER-1", laps=laps, order=order))


# -- points by place, and the classification of teams (FD-TEAM-1) ---------------------------------

WHOLE: Final = 2
"""The halves of what a race is worth."""
ENOUGH: Final = 0.75
LEAST_LAPS: Final = 2
"""House switch `stopped_points`."""


def was_driven(state: State) -> bool:
    """Whether anybody has engaged a gear: a race that ends before that has no winner (FD-END-2)."""
    stood = (car.out.was if car.out else car.status for car in state.cars.values())
    return any(status is not Status.GRID for status in stood)


def points_for(state: State, place: int, car: Car) -> int:
    """Points by place, by house switch `points`; nobody has any of a race that was not driven.

    An eliminated car scores nothing; by house switch `classified` it scores where it came 90 % of
    the distance (GG), or as far as it came (SBMRL, RBB, the federation's variants, 21-A).
    """
    points = POINTS_BY_PLACE[state.setup.house.points]
    if place > len(points) or not _is_classified(state.setup, car) or not was_driven(state):
        return 0
    return points[place - 1] * _worth(state) // WHOLE


def _is_classified(setup: Setup, car: Car) -> bool:
    if car.status is not Status.OUT or setup.house.classified == "distance":
        return True
    classified = setup.house.classified
    return classified != "line" and _share(setup, car) * 100 >= int(classified)


def _share(setup: Setup, car: Car) -> float:
    """The part of the race that a car has come, from the line where its first lap began."""
    lap = setup.track.lap_levels
    return (progress(setup.track, car) - lap) / (setup.laps * lap)


def _worth(state: State) -> int:
    """Of two halves, how many the points of a race are worth that was stopped before its end.

    House switch `stopped_points`: less than 75 % of the distance is worth half (variants, 21-B),
    and less than two laps nothing (GG). What the books say of half a point is not known: it falls
    away.
    """
    setup, cars = state.setup, state.cars.values()
    ran = [car for car in cars if car.runs]
    whole = setup.house.stopped_points == "full" or state.phase is not Phase.FINISHED or not ran
    if whole or any(car.status is Status.FINISHED for car in cars):
        return WHOLE
    share = max(_share(setup, car) for car in ran)
    if setup.house.stopped_points == "half-75-2-laps" and share * setup.laps < LEAST_LAPS:
        return 0
    return WHOLE if share >= ENOUGH else 1


class TeamRow(NamedTuple):
    """A team with its points, and its place once the race is over."""

    team: str
    points: int
    place: int | None


def rank_teams(state: State) -> list[TeamRow]:
    """The teams, best first.

    Cars score as they finish. Equal totals: the better best car.
    """
    over = state.phase is Phase.FINISHED
    points: dict[str, int] = {}
    best: dict[str, int] = {}
    for place, car in enumerate(classification(state), 1):
        if car.team is None:
            continue
        scored = points_for(state, place, car) if over or car.status is Status.FINISHED else 0
        points[car.team] = points.get(car.team, 0) + scored
        # The best car comes first, so the first place met is the team's.
        best.setdefault(car.team, place)
    ranked = sorted(points, key=lambda team: (-points[team], best[team]))
    return [
        TeamRow(team, points[team], place if over else None) for place, team in enumerate(ranked, 1)
    ]


def tell_teams(state: State) -> list[dict[str, object]]:
    """The teams as STATE tells them."""
    return [
        row._asdict() | ({"pool": state.pools[row.team]} if row.team in state.pools else {})
        for row in rank_teams(state)
    ]


# -- what people want to know that is no ask ------------------------------------------------------

FARTHEST = 45
"""Levels that no move covers: 30 of a die, a slipstream or two, whatever else adds to it."""


def plays_next(state: State) -> int | None:
    """The seat whose turn comes after this one; None where this turn may still decide that.

    A seat that sits a turn out (`rounds.py`) is passed over. Behind the last turn of a round comes
    the leader, if nobody can pass it in this turn.
    """
    if state.turn is None or state.turn not in state.order:
        return None
    later = state.order[state.order.index(state.turn) + 1 :]
    cars = (state.cars[seat] for seat in later if seat in state.cars)
    plays = (car.seat for car in cars if car.runs and not car.flags.sits_out)
    return next(plays, None) if later else _leads_on(state, state.turn)


def _leads_on(state: State, turn: int) -> int | None:
    """Who begins the next round whatever the last turn brings; None: that turn decides it."""
    others = [car for car in state.running() if car.seat != turn and not car.flags.sits_out]
    if state.setup.boardless or not others:
        return None
    track, first = state.setup.track, state.ground.ranked(state, others)[0]
    ahead = progress(track, first) - progress(track, state.cars[turn])
    # In the pit even the leader plays behind the cars of the straight (FD-PIT-4).
    return first.seat if ahead > FARTHEST and first.status is not Status.PIT else None


def gears_to_come(car: Car) -> tuple[int, ...]:
    """The gears that a car may think of for its coming turn (FD-GEAR-2, FD-GEAR-3, DE-PIT-2).

    Only a wish: whether it can be paid for is judged when the turn comes.
    """
    if car.status in (Status.STALLED, Status.SPUN, Status.GRID) or not car.gear:
        return (1,)
    top = PIT_GEAR if car.pit_mark is PitMark.FRESH else min(TOP_GEAR, car.gear + 1)
    return tuple(range(max(1, car.gear - max(OVER_REV_COST) - 1), top + 1))


def stands_a_turn(state: State, seat: int, space: int) -> bool:
    """Whether a move to that space comes into the pit too fast, and costs a turn (DE-PIT-1)."""
    car = state.cars[seat]
    into_pit = state.setup.track.lane[space] < 0 and car.status is not Status.PIT
    return into_pit and car.gear > state.setup.edition.pit_entry_gear


def trials_to_come(state: State) -> bool:
    """Whether time trials are still to be driven: then the weather is rolled for them."""
    return any(step.kind in ("trial", "ranking") for step in state.pending)
