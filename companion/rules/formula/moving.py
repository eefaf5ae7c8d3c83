"""The way of a move: where it ends, and what it brings with it (FD-MOVE-1 to FD-MOVE-5).

Where it may end and what that costs is worked out in `moves`; what follows from a way (debris, a
slipstream, an overshoot, a stop …) is said by the step that it brings (`Step.after_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from companion.rules.codec import How
from companion.rules.copies import replace
from companion.rules.errors import Illegal, sentence
from companion.rules.forms import Within
from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.option import Option, Way
from companion.rules.formula.order import arrival_number
from companion.rules.formula.pitways import entry_cost
from companion.rules.formula.state import Asks, Event, Flow, Phase, SeatStep, State, Wears
from companion.rules.formula.tables import BRAKES
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drift import DRIFTS, Drifted, fresh_corner, may_drift
from companion.rules.formula.urban.memory import used_over_line
from companion.rules.formula.urban.passing import Charmed, charmer
from companion.rules.formula.wear import one
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse, whole_number

if TYPE_CHECKING:
    from companion.rules.ways.explain import Explanation

LONGEST = 100
"""Spaces that a pending move has at most."""
Manner = Annotated[str, How("move", "great", "fast")]
"""As rolled, at a great start, out of the pit by a fast stop."""

# -- what happens -------------------------------------------------------------------------


class Moved(Event):
    """A car moved. `spaces` counts those really moved; `how`: move, great, fast or slipstream.

    `stops` are the stops left in the corner where it ends, before this move's own is marked.
    """

    start: str
    to: str
    spaces: int
    brakes: int
    stops: int
    how: str

    def applied(self, state: State) -> State:
        state = state.worn(self.seat, one(BRAKES, self.brakes))
        car, space = state.cars[self.seat], state.setup.track.index[self.to]
        arrived = _arrived_by(state, car, space) if self.spaces else car.arrived
        return state.change(self.seat, space=space, stops=self.stops, arrived=arrived)


def _arrived_by(state: State, car: Car, space: int) -> int:
    """The number of a car that moves; in the pit lane that of its driving in stays (DE-PIT-4)."""
    in_lane = state.setup.track.lane[space] < 0
    return car.arrived if in_lane and car.status is Status.PIT else arrival_number(state)


class EndedNear(Event):
    """On a board that is a sketch: the move ends at `to`, and is taken for the `listed` one."""

    to: str
    listed: str


class LineCrossed(Event):
    """A car passed the finish line and is now in this lap.

    FD-END-2: lap 0 and lap 1 are one lap, the first crossing ages nothing. Each further one
    brings back what is used up for a lap only (FD-URBAN-2, FD-DRV-10).
    """

    lap: int

    def applied(self, state: State) -> State:
        if self.lap <= 1:
            return state.change(self.seat, lap=self.lap)
        car = state.cars[self.seat]
        street = replace(car.street, used=used_over_line(car.street.used))
        memory = replace(car.memory, extra=False)
        age = car.tires_lap + 1
        return state.change(self.seat, lap=self.lap, tires_lap=age, street=street, memory=memory)


class PitLaneEntered(Event):
    """A car is in the pit lane, before its box."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.PIT, served=False, stops=0)


class PitEnteredFast(Event):
    """A car came into the pit lane in too high a gear: it will stand a turn in its box."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, pit_mark=PitMark.LATE)


class PitBraked(Wears):
    """A car came into the pit lane in 5th, which costs brakes."""


class PitLeft(Event):
    """A car is back on the track."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.RACING, served=False)


# -- the step -----------------------------------------------------------------------------


class Move(SeatStep, kind="move", at=Point.WAY, rule="FD-MOVE-1", on_trial=True):
    """What is to be moved, and how."""

    spaces: Annotated[int, Within(0, LONGEST)]
    how: Manner = "move"
    drifts: Annotated[bool, How(DRIFTS)] = False

    def asks(self, state: State) -> Asks:
        return [state.ground.ask_move(state, self)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """On a board its end, by report what it met; what the way costs is queued."""
        flow.state.ground.answer_move(flow, self, ask, value)

    def ends(self, state: State) -> list[Option]:
        """Where it may end, on a board."""
        great = self.how == "great"
        return ends_of_move(state, self.seat, self.spaces, great=great, drifts=self.drifts)

    def explain(self, state: State, to: str, brakes: int) -> Explanation[Option]:
        """Why a space of the board is, or is not, an end of it."""
        from companion.rules.formula.explain_moves import explain_move  # only where one asks why

        end, great = state.setup.track.index[to], self.how == "great"
        how = {"great": great, "drifts": self.drifts}
        return explain_move(state, self.seat, self.spaces, end, brakes, **how)

    def check(self, state: State) -> None:
        """A drift needs a driver, tires and a corner (FD-DRV-2)."""
        car = state.cars[self.seat]
        runs = car.runs and car.space is not None
        if self.drifts and not (runs and may_drift(car) and self.ends(state)):
            message = "a drift is Jack's, costs tires and touches a corner"
            bad("pending-form", message, rule="FD-DRV-2")


def read_end(kind: str, value: object) -> tuple[str, int]:
    """The space of an answer, and the brakes spent.

    Raises:
        Malformed: not an object of these.
    """
    if not isinstance(value, dict) or set(value) != {"to", "brakes"}:
        message = f'{kind} is {{"to": a space, "brakes": a number}}, not {value!r:.60}'
        bad("move-form", message, kind=kind)
    to, brakes = value["to"], whole_number(value["brakes"], "brakes")
    if not isinstance(to, str):
        bad("move-form", f"to is the name of a space, not {to!r:.60}")
    return to, brakes


def chosen(state: State, ends: Sequence[Option], to: str, brakes: int, why_not: WhyNot) -> Option:
    """The end on this space with so many brakes spent; `why_not` explains one that is not there.

    Raises:
        Illegal: there is no such end, with the first rule that it breaks.
    """
    track = state.setup.track
    for end in ends:
        if end.brakes == brakes and track.ids[end.to] == to:
            return end
    if to not in track.index:
        refuse("no-such-space", f"this track has no space {to!r:.40}", to=to[:40])
    rule = why_not(state, to, brakes).rules[0]
    listed = sorted({track.ids[end.to] for end in ends if end.brakes == brakes})[:12]
    message = NOT_AN_END.get(rule, sentence("The move cannot end there."))
    args = {"to": to, "brakes": brakes, "ends": listed}
    raise Illegal("no-such-move", message, rule=rule, args=args)


WhyNot = Callable[[State, str, int], "Explanation[Option]"]
NOT_AN_END: Mapping[str, str] = {
    "FD-MOVE-1": sentence("Too far, too near, or through a car."),
    "FD-MOVE-2": sentence("No zigzag in a straight."),
    "FD-MOVE-3": sentence("Beside and in corners only along the arrows."),
    "FD-MOVE-4": sentence("In a straight the shortest way is driven."),
    "FD-CORNER-4": sentence("Who overshoots a corner keeps the lane."),
    "FD-BRAKE-1": sentence("The car has not so many brakes points."),
    "FD-BLOCK-2": sentence("Another way is free: the car is not blocked."),
    "FD-SLIP-1": sentence("No slipstream in this gear or place."),
    "FD-SLIP-2": sentence("A slipstream moves three spaces."),
    "FD-SLIP-5": sentence("No brakes points left to enter the corner."),
    "FD-PIT-1": sentence("The car cannot come to this box now."),
}
"""Why a space is no end of a move, by the rule that is met first."""

# -- the way ------------------------------------------------------------------------------


def drive(
    flow: Flow, seat: int, option: Option, how: str, *, drifts: bool = False, charmed: bool = False
) -> None:
    """Put the car at the end of its way and queue what the way brings with it.

    `charmed`: the whole move has lost a space to Li-Tsu before (FD-DRV-1).
    """
    on_trial, slips = flow.state.phase is Phase.TRIALS, how == "slipstream"
    if not on_trial:
        _before_way(flow, seat, option, drifts=drifts)
    track, car, arrival = flow.state.setup.track, flow.car(seat), option.arrival
    assert car.space is not None
    stays = track.corner[option.to] >= 0 and track.corner[option.to] == track.corner[car.space]
    flow.tell(
        Moved(
            seat=seat,
            rule="FD-TRIAL-1" if on_trial else "FD-SLIP-2" if slips else "FD-MOVE-1",
            start=track.ids[car.space],
            to=track.ids[option.to],
            spaces=option.spaces,
            brakes=option.brakes,
            stops=car.stops if stays else 0,
            how=how,
        )
    )
    if arrival.line:
        rule = "FD-TRIAL-1" if on_trial else "FD-END-2"
        flow.tell(LineCrossed(seat=seat, rule=rule, lap=car.lap + 1))
    if not on_trial:
        _pass_pit_ends(flow, seat)
    flow.after_way(Way(seat, car.space, option, how, charmed or option.charmed))


def _before_way(flow: Flow, seat: int, option: Option, *, drifts: bool) -> None:
    """Before a car goes: it drifts, it is charmed (FD-DRV-2, FD-DRV-1)."""
    fresh = fresh_corner(flow.state.setup.track, flow.car(seat)) if drifts else None
    if fresh is not None:
        flow.tell(Drifted.at(flow.state, seat, fresh))
    her = charmer(flow.state, flow.car(seat)) if option.charmed else None
    if her is not None:
        flow.tell(Charmed(seat=seat, rule="FD-DRV-1", against=her.seat))


def _pass_pit_ends(flow: Flow, seat: int) -> None:
    """A car whose way ended in the pit lane is in it, one whose way led out of it races."""
    car = flow.car(seat)
    assert car.space is not None
    in_lane = flow.state.setup.track.lane[car.space] < 0
    if in_lane and car.status is not Status.PIT:
        enter_pit(flow, seat)
    elif not in_lane and car.status is Status.PIT:
        flow.tell(PitLeft(seat=seat, rule="FD-PIT-6"))


def enter_pit(flow: Flow, seat: int) -> None:
    """A car comes into the pit lane; in too high a gear it is noted (DE-PIT-1)."""
    cost = entry_cost(flow.state.setup, flow.car(seat))
    if any(cost):
        flow.tell(PitBraked(seat=seat, rule="FD-PIT-1", cost=cost))
    flow.tell(PitLaneEntered(seat=seat, rule="FD-PIT-6"))
    if flow.car(seat).gear > flow.state.setup.edition.pit_entry_gear:
        flow.tell(PitEnteredFast(seat=seat, rule="DE-PIT-1"))
