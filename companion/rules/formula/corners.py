"""Where a way ends: what it costs by a block or an overshoot, a stop, or the finish (FD-CORNER).

A way is charged once its debris is rolled for: the block first, then the overshoot (FD-BLOCK-2).
Then the move is over where it ended: the car has finished, stands in the pit, or marks a stop.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from companion.rules.board.ways import Arrival
from companion.rules.codec import Context, Form, How, Maybe, Space, Word, replace
from companion.rules.formula.book import NOTHING, TIRES, lost, one
from companion.rules.formula.car import (
    Car,
    On,
    Point,
    Status,
    Way,
    overshoot_outcome,
    overshoot_rule,
)
from companion.rules.formula.collisions import pay_block
from companion.rules.formula.losses import Spun, put_out
from companion.rules.formula.pit import begin_stop
from companion.rules.formula.state import ByItself, Event, Flow, State, Wears
from companion.rules.lines import bad, whole


class Overshot(Wears):
    """A corner was left with a stop missing."""

    corner: str
    spaces: int


class StopMade(Event):
    """A stop was marked in a corner."""

    corner: str
    stops: int
    needed: int

    def applied(self, state: State) -> State:
        return state.change(self.seat, stops=self.stops)


class Finished(Event):
    """A car crossed the line of its last lap."""

    place: int

    def applied(self, state: State) -> State:
        home = {"status": Status.FINISHED, "space": None, "stops": 0}
        return state.change(self.seat, place=self.place, **home)


# -- what a way costs -----------------------------------------------------------------------------


class Damage(NamedTuple):
    """What a way still costs: spaces blocked; tires asked by the overshoot, the spaces moved
    beyond the limit, and the corner overshot (an index, -1: none, or not known)."""

    blocked: int
    beyond: int = 0
    spaces: int = 0
    corner: int = -1


MOST_DAMAGE = 1000


class DamageForm(Form[Damage]):
    """Four numbers, the corner one of the board where one was overshot."""

    def read(self, data: object, what: str, context: Context) -> Damage:
        if not isinstance(data, list) or len(data) != len(Damage._fields):
            bad("pending-form", f"damage is a list of four numbers, not {data!r:.60}")
        known = len(context.board.corners) - 1
        *numbers, corner = data
        blocked, beyond, spaces = (whole(number, "damage", 0, MOST_DAMAGE) for number in numbers)
        lowest = 0 if spaces and known >= 0 else -1
        return Damage(blocked, beyond, spaces, whole(corner, "damage", lowest, known))


class Charge(ByItself, kind="charge", at=Point.CHARGE, rule="FD-CORNER-2"):
    """What the way costs once its debris is rolled for; `fatal`: two stops or more were missing."""

    damage: Annotated[Damage, DamageForm()]
    fatal: Annotated[bool, How("fatal")] = False

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        arrival, blocked = way.option.arrival, way.option.blocked
        if way.overshot or blocked:
            damage = Damage(blocked, arrival.beyond, arrival.spaces, arrival.corner)
            flow.due(cls(seat=way.seat, damage=damage, fatal=arrival.fatal))

    def settle(self, flow: Flow) -> None:
        blocked = self.damage.blocked
        if (not blocked or pay_block(flow, self.seat, blocked)) and self.damage.spaces:
            self._pay_overshoot(flow)

    def _pay_overshoot(self, flow: Flow) -> None:
        """FD-CORNER-2 to FD-CORNER-7, DE-CORNER-1; where it ends is no stop (FD-CORNER-4)."""
        setup, seat, car = flow.state.setup, self.seat, flow.car(self.seat)
        _, beyond, spaces, corner = self.damage
        # Built again from what was pending, so that offer and charge are judged by one function.
        arrival = Arrival(-1, (), False, beyond, spaces, corner=corner, fatal=self.fatal)
        spin, out = overshoot_outcome(setup, car, car.wear[TIRES], arrival)
        cost = NOTHING if self.fatal else lost(car.wear, one(TIRES, beyond))
        name = setup.track.corners[corner].name if corner >= 0 else ""
        rule = "FD-CORNER-3" if self.fatal else "FD-CORNER-2"
        flow.tell(Overshot(seat=seat, rule=rule, corner=name, spaces=spaces, cost=cost))
        rule = overshoot_rule(setup, car.wear[TIRES], arrival, spin=spin, out=out)
        if out:
            put_out(flow, seat, "corner" if rule == "FD-CORNER-3" else "tires", rule)
        # A block paid just before may have spun it already (DE-CORNER-3).
        elif spin and car.status is not Status.SPUN:
            flow.tell(Spun(seat=seat, rule=rule))
        flow.revise(Halt, lambda halt: replace(halt, overshot=True))


# -- where the move ended -------------------------------------------------------------------------


class Halt(ByItself, kind="halt", at=Point.HALT, rule="FD-MOVE-5", on=On.BOARD):
    """A move is over where it ended; `overshot`: its end is no stop (FD-CORNER-4).

    `ended` is where the move of a car ended that has crossed its last line (FD-END-2).
    """

    overshot: Annotated[bool, How("overshot", sparse=True)] = False
    ended: Annotated[int | None, Maybe(Space()), Word(sparse=True)] = None

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """A slipstream is part of a move whose end is pending already."""
        if not way.slips:
            flow.due(cls.just(way.seat))
        if flow.car(way.seat).space is None:
            flow.revise(cls, lambda halt: replace(halt, ended=way.option.to))

    def end_of(self, seat: int) -> int | None:
        return self.ended if seat == self.seat else None

    def settle(self, flow: Flow) -> None:
        """Finished, in the pit lane, or with a stop in a corner."""
        car, track = flow.car(self.seat), flow.state.setup.track
        # Home first: beyond the line there is neither a stop nor a collision (FD-END-2).
        if finish_if_home(flow, self.seat):
            flow.lift(self.seat)
            return
        assert car.space is not None
        if car.status is Status.PIT:
            # No collisions in the pit lane (FD-PIT-3).
            flow.drop(self.seat, {"bump"})
            # A car held up in the lane is not in its box yet, and one that was served has had its
            # stop (FD-PIT-1).
            if car.space in track.boxes and not car.served:
                begin_stop(flow, car)
        corner = track.corner[car.space]
        if corner >= 0 and not self.overshot:
            mark_stop(flow, car, corner)

    def check(self, state: State) -> None:
        """The last line lifts a car, and no other is told to have ended elsewhere."""
        if (self.ended is None) != (state.cars[self.seat].space is not None):
            bad("pending-form", "ended is where a car past its last line came", rule="FD-END-2")


def finish_if_home(flow: Flow, seat: int) -> bool:
    """A car that has crossed its last line has finished, in the order of crossing (FD-END-2)."""
    state = flow.state
    if flow.car(seat).lap <= state.setup.laps:
        return False
    place = 1 + sum(car.status is Status.FINISHED for car in state.cars.values())
    flow.tell(Finished(seat=seat, rule="FD-END-2", place=place))
    return True


def mark_stop(flow: Flow, car: Car, corner: int) -> None:
    """A move has ended in this corner (FD-MOVE-5), -1 if it is not known in which."""
    printed = flow.state.setup.track.corners[corner] if corner >= 0 else None
    name, needed = (printed.name, printed.stops) if printed else ("", 0)
    stops = car.stops + 1
    flow.tell(StopMade(seat=car.seat, rule="FD-MOVE-5", corner=name, stops=stops, needed=needed))
