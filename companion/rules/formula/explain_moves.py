"""Why an end of a move or of a slipstream is legal or not, from a state of the race.

A fault that lies in the way is found by `ways.explain`. All others (brakes, tires, drivers, the
pit, what a slipstream asks for) are found by asking once more: the ends are listed for a state
in which this one rule does not bind, and where the wanted end is among them, that was it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.rules.board.track import Track
from companion.rules.copies import replace
from companion.rules.formula.car import Car, Status
from companion.rules.formula.moves import (
    ends_of_move,
    slipstream_leader,
    slipstream_options,
    takes_shortest,
    traffic_for,
)
from companion.rules.formula.option import Option, block_cost
from companion.rules.formula.pitways import may_stop
from companion.rules.formula.sketch import near_ends
from companion.rules.formula.state import Phase, State
from companion.rules.formula.tables import (
    BRAKES,
    SLIPSTREAM,
    SLIPSTREAM_CORNER_COST,
    SLIPSTREAM_GEAR,
    TIRES,
)
from companion.rules.formula.tires import slide_of
from companion.rules.formula.urban.drivers import is_urban
from companion.rules.formula.urban.memory import Street
from companion.rules.formula.urban.passing import space_of_charmer
from companion.rules.formula.urban.tables import TOP_FACE
from companion.rules.formula.wear import one, total
from companion.rules.ways.explain import Explanation, Fault, faults_of

INSTEAD = 3
"""How many of the nearest ends an explanation names."""


class _Move(NamedTuple):
    """A move that is to be explained: who moves how many spaces, and how."""

    seat: int
    spaces: int
    great: bool
    drifts: bool

    def ends(self, state: State) -> list[Option]:
        """Its ends in a state."""
        great, drifts = self.great, self.drifts
        return ends_of_move(state, self.seat, self.spaces, great=great, drifts=drifts)

    def has(self, state: State, to: int, brakes: int = 0) -> bool:
        """Whether it may end there in a state."""
        return _has(self.ends(state), to, brakes)


def explain_move(
    state: State,
    seat: int,
    spaces: int,
    to: int,
    brakes: int,
    *,
    great: bool = False,
    drifts: bool = False,
) -> Explanation[Option]:
    """Whether a move of so many `spaces` may end there with so many brakes spent, and why not.

    `to` is a space of the board. For `great` and `drifts` see `ends_of_move`.
    """
    move = _Move(seat, spaces, great, drifts)
    track, car, options = state.setup.track, state.cars[seat], move.ends(state)
    for option in [*options, *(end.option() for end in near_ends(state, seat, options))]:
        if (option.to, option.brakes) == (to, brakes):
            return _legal(state, seat, option)
    faults = _too_many_brakes(state, car, spaces, brakes)
    if track.lane[to] < 0:
        faults += _pit_faults(state, car, move, to, brakes)
    elif car.status is Status.PIT and not car.served:
        faults.append(Fault("FD-PIT-6", to))
    elif move._replace(great=False, drifts=False).has(state, to, brakes):
        changes_lane = move._replace(great=False).has(state, to, brakes)
        faults.append(Fault("FD-START-4" if changes_lane else "FD-DRV-2", to))
    elif brakes <= spaces and not move.has(_with_brakes(state, seat, brakes), to, brakes):
        faults += _way_faults(state, car, move, to, brakes)
    return _explained(state, faults, options, to, brakes)


def explain_slipstream(
    state: State, seat: int, to: int, brakes: int, *, charmed: bool = False
) -> Explanation[Option]:
    """Whether a slipstream may end there with so many brakes spent, and why not.

    `charmed`: passing Li-Tsu has cost this move a space already (FD-DRV-1).
    """
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    options = slipstream_options(state, seat, charmed=charmed)
    for option in options:
        if (option.to, option.brakes) == (to, brakes):
            return _legal(state, seat, option)
    if slipstream_leader(state, seat) is None:
        return _explained(state, [_no_leader(state, car)], options, to, brakes)
    faults = []
    if brakes > car.wear[BRAKES]:
        faults.append(Fault("FD-BRAKE-1", car.space))
    paid = _with_brakes(state, seat, brakes + len(track.corners) * SLIPSTREAM_CORNER_COST)
    if brakes >= SLIPSTREAM:
        faults.append(Fault("FD-SLIP-3", car.space))
    elif track.lane[to] < 0:
        faults.append(Fault("FD-SLIP-6", to))
    elif not _has(slipstream_options(paid, seat, charmed=charmed), to, brakes):
        traffic = traffic_for(state, car)
        found = faults_of(track, car.space, SLIPSTREAM - brakes, traffic, to)
        faults += [Fault("FD-SLIP-2", found[0].at)]
        faults += [fault for fault in found if fault.rule != "FD-MOVE-1"]
    elif brakes <= car.wear[BRAKES]:
        faults.append(Fault("FD-SLIP-5", _first_corner_space(track, car.space, to)))
    return _explained(state, faults, options, to, brakes)


def _no_leader(state: State, car: Car) -> Fault:
    """Why there is no slipstream: the gears and the place, or the state of the car ahead."""
    assert car.space is not None
    ahead = state.setup.track.ahead[car.space]
    lame = any(c.space == ahead and c.status is not Status.RACING for c in state.cars.values())
    if lame and car.gear >= SLIPSTREAM_GEAR:
        return Fault("FD-SLIP-6", ahead)
    return Fault("FD-SLIP-1", car.space)


def _first_corner_space(track: Track, start: int, to: int) -> int:
    """The first space of a corner straight ahead of a start, or the end itself."""
    space = start
    for _ in range(SLIPSTREAM):
        space = track.ahead[space]
        if space < 0:
            break
        if track.corner[space] not in (-1, track.corner[start]):
            return space
    return to


def _legal(state: State, seat: int, option: Option) -> Explanation[Option]:
    """A legal end, with the rules by which it spins the car or puts it out."""
    return Explanation(True, *_named(state, _consequences(state, state.cars[seat], option)))


def _consequences(state: State, car: Car, option: Option) -> Iterator[Fault]:
    """What follows from a legal end: the block first, then the overshoot (FD-BLOCK-2)."""
    edition, arrival = state.setup.edition, option.arrival
    block = block_cost(option.blocked)
    if block is None:
        yield Fault("FD-BLOCK-1", option.to)
        return
    tires = car.wear[TIRES] - block[TIRES]
    brakes = car.wear[BRAKES] - option.brakes - block[BRAKES]
    if option.blocked and option.out and min(tires, brakes) < 0:
        yield Fault("FD-BLOCK-2", option.to)
        return
    if not (option.spin or option.out) or not arrival.spaces:
        return
    first = option.to
    for _ in range(arrival.spaces - 1):
        first = state.setup.track.behind[first]
    if arrival.fatal or arrival.spaces >= edition.overshoot_out:
        yield Fault("FD-CORNER-3", first)
    elif option.out or not tires:
        yield Fault("FD-CORNER-7", first)
    else:
        yield Fault("FD-CORNER-6", first)


def _too_many_brakes(state: State, car: Car, spaces: int, brakes: int) -> list[Fault]:
    """FD-BRAKE-1: no more than it has, and no more than it moves; FD-TRIAL-1: none."""
    assert car.space is not None
    if brakes and state.phase is Phase.TRIALS:
        return [Fault("FD-TRIAL-1", car.space)]
    return [Fault("FD-BRAKE-1", car.space)] if brakes > min(car.wear[BRAKES], spaces) else []


def _way_faults(state: State, car: Car, move: _Move, to: int, brakes: int) -> Iterable[Fault]:
    """What is wrong with an end on the track: a rule that does not bind all, or its way."""
    assert car.space is not None
    for rule, at, unbound in _unbound(state, car, to):
        if move.has(_with_brakes(unbound, car.seat, brakes), to, brakes):
            return [Fault(rule, at)]
    traffic = traffic_for(state, car)
    length, slide = move.spaces - brakes, slide_of(state, car)
    return faults_of(state.setup.track, car.space, length, traffic, to, slide)


def _unbound(state: State, car: Car, to: int) -> Iterator[tuple[str, int, State]]:
    """States in which a rule does not hold that holds for some cars or houses only."""
    her = space_of_charmer(state, car)
    if her >= 0:
        seat = next(seat for seat, other in state.cars.items() if other.space == her)
        yield "FD-DRV-1", her, state.change(seat, street=Street())
    if takes_shortest(state.setup):
        yield "FD-MOVE-4", to, _in_house(state, corner_ways="any")
    if slide_of(state, car):
        yield "FD-TIRE-6", to, replace(state, weather="fine")
    if car.coasts:
        yield "FD-ENGINE-3", to, state.remembering(car.seat, blown=None)
    if state.setup.house.block_end == "plays-first":
        yield "FD-BLOCK-2", to, _in_house(state, block_end="choice")


def _in_house(state: State, **values: str) -> State:
    """The state in a house with some switches otherwise."""
    return replace(state, setup=replace(state.setup, house=state.setup.house.but(**values)))


def _pit_faults(state: State, car: Car, move: _Move, to: int, brakes: int) -> list[Fault]:
    """What is wrong with an end in the pit (FD-PIT-1, FD-PIT-3, FD-PIT-6)."""
    track = state.setup.track
    assert car.space is not None
    if is_urban(state):
        return [Fault("FD-URBAN-1", to)]
    in_lane = car.status is Status.PIT and not car.served
    others = to in track.boxes and to != track.boxes[car.box - 1]
    if others or not (in_lane or may_stop(state, car)):
        return [Fault("FD-PIT-1", to)]
    if brakes:
        return [Fault("FD-PIT-3", to)]
    if move.has(replace(state, cars={car.seat: car}), to):
        waits = next((o.to for o in move.ends(state) if track.lane[o.to] < 0), None)
        return [Fault("FD-MOVE-1", to) if waits is None else Fault("FD-PIT-3", track.ahead[waits])]
    corner = track.corner[car.space]
    if corner >= 0:
        stopped = state.change(car.seat, stops=track.corners[corner].stops)
        if move.has(stopped, to):
            return [Fault("FD-CORNER-4", to)]
    farther = range(move.spaces + 1, move.spaces + TOP_FACE)
    if any(move._replace(spaces=more).has(state, to) for more in farther):
        return [Fault("FD-PIT-1", to)]
    passed = any(move._replace(spaces=less).has(state, to) for less in range(move.spaces))
    return [Fault("FD-PIT-6" if passed else "FD-MOVE-1", to)]


def _has(options: Sequence[Option], to: int, brakes: int) -> bool:
    return any((option.to, option.brakes) == (to, brakes) for option in options)


def _with_brakes(state: State, seat: int, brakes: int) -> State:
    """The state in which a car has as many brakes WP at least."""
    wear = state.cars[seat].wear
    more = max(0, brakes - wear[BRAKES])
    return state.change(seat, wear=total(wear, one(BRAKES, more))) if more else state


def _explained(
    state: State, faults: Sequence[Fault], options: Sequence[Option], to: int, brakes: int
) -> Explanation[Option]:
    """An end that is not on the list. FD-BRAKE-1: the brakes alone can be what is not."""
    if not faults:
        faults = [Fault("FD-BRAKE-1", to)]
    nearest = sorted(options, key=lambda option: _apart(state.setup.track, option, to, brakes))
    return Explanation(False, *_named(state, faults), tuple(nearest[:INSTEAD]))


def _named(state: State, faults: Iterable[Fault]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Rules and spaces apart, by the names that the edition has for the rules."""
    found = {state.setup.edition.rule(fault.rule) or fault.rule: fault.at for fault in faults}
    return tuple(found), tuple(found.values())


def _apart(track: Track, option: Option, to: int, brakes: int) -> tuple[int, int, int, object]:
    """How far an end lies off: along, then across, then in brakes; equals by least cost."""
    along = (track.level[option.to] - track.level[to]) % track.lap_levels
    across = abs(track.lane[option.to] - track.lane[to])
    near = min(along, track.lap_levels - along)
    return near, across, abs(option.brakes - brakes), option.rank(track)
