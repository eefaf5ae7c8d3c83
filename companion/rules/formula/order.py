"""Turn order (FD-ORDER-1 to FD-ORDER-3, FD-PIT-4, FD-PIT-5) and the classification."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from companion.rules.board.track import Track
from companion.rules.formula.car import Car, Status
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Phase, State


def arrival_number(state: State) -> int:
    """The number of who arrives now, higher than all before (DE-ORDER-1); 0: nobody counts.

    House switch `level_order`: who arrived first, or (FD-ORDER-3) who is on the inside.
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
    """Whoever still has a turn in this round, in its order."""
    at = state.order.index(state.turn) + 1 if state.turn in state.order else 0
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
    return track.straight[car.space] in pit_straights(track)


@lru_cache(maxsize=32)
def pit_straights(track: Track) -> frozenset[int]:
    """The straights (by section) from the one of the pit entry to the one of the pit exit."""
    into = [here for here, entry in enumerate(track.entries) if entry]
    if not into:
        return frozenset()
    count = len(track.sections)
    first, last = track.section[into[0]], track.section[track.exits[-1]]
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
