"""What a loss brings with it: debris, and a car that is out with its pending steps.

House switches `debris_from` (every car that is out leaves debris, FD-DEBRIS-1, or only damage and
a block do, DE-DEBRIS-1) and `debris_laid` (at the end of the turn, or at once where it happened).
"""

from __future__ import annotations

from companion.rules.copies import replace
from companion.rules.formula.car import Out, Place, Status
from companion.rules.formula.markers import make_room, with_marker
from companion.rules.formula.state import Event, Flow, State, Step, Wears
from companion.rules.formula.tables import BODY
from companion.rules.formula.urban.zone import debris_on
from companion.rules.formula.wear import one

DAMAGE = frozenset({"body", "engine", "blocked"})
"""What leaves debris where not every car that is out does (DE-DEBRIS-1)."""
STAY = {
    "lifted": frozenset[str](),
    "blocked": frozenset({"blocked"}),
    "blocked-body": frozenset({"blocked", "body"}),
}
"""House switch `wrecks`: what puts a car out that stands on until its next turn."""


class Eliminated(Event):
    """A car is out of the race."""

    why: str
    round: int

    def applied(self, state: State) -> State:
        return lift(state, self.seat, self.why, self.rule, self.round)


class Spun(Event):
    """A car stands reversed."""

    def applied(self, state: State) -> State:
        return state.change(self.seat, status=Status.SPUN)


class Damaged(Wears):
    """A car lost body without a roll, by what befell another car (`against`)."""

    against: int


class WreckLeft(Event):
    """A car that is out stands in the way until its next turn (DE-BLOCK-1)."""

    def applied(self, state: State) -> State:
        return stand(state, self.seat, stands=True)


class DebrisLaid(Event):
    """A debris marker lies on a space; boardless (None), where the car stands or stood."""

    space: str | None

    def applied(self, state: State) -> State:
        if self.space is None:
            return state
        return with_marker(state, state.setup.track.index[self.space])


def lift(state: State, seat: int, why: str, rule: str | None, round: int) -> State:
    """A car is taken from the board for good."""
    car = state.cars[seat]
    out = Out(why, rule, round, car.space, car.status)
    return state.change(seat, status=Status.OUT, space=None, out=out, place=None)


def stand(state: State, seat: int, *, stands: bool) -> State:
    """A wreck stands in the way, or is taken away."""
    out = state.cars[seat].out
    assert out is not None
    return state.change(seat, out=replace(out, stands=stands))


def mark(flow: Flow, seat: int) -> None:
    """This car leaves debris: at the end of the turn (FD-DEBRIS-1) or at once (DE-DEBRIS-1)."""
    if flow.state.setup.house.debris_laid == "at-once":
        lay_marker(flow, seat)
        return
    flow.revise(Step, lambda step: step.marked(seat))


def lay_marker(flow: Flow, seat: int) -> None:
    """Debris where a car stands or stood: one marker a space, none in the pit (FD-DEBRIS-4)."""
    setup, car = flow.state.setup, flow.car(seat)
    space, on_track = car.stood, flow.state.ground.place(setup, car) is Place.TRACK
    if not on_track or (space is not None and space in debris_on(flow.state)):
        return
    make_room(flow, seat)
    where = None if space is None else setup.track.ids[space]
    flow.tell(DebrisLaid(seat=seat, rule="FD-DEBRIS-1", space=where))


def damage(flow: Flow, seat: int, *, gone: bool, why: str, rule: str) -> None:
    """A body or engine WP was lost: it leaves debris, and if it was the last the car is out."""
    if gone:
        put_out(flow, seat, why, rule)
    else:
        mark(flow, seat)


def strike(flow: Flow, seat: int, *, by: int, rule: str) -> None:
    """A car loses 1 body without a roll, by what befell another (DE-BUMP-2, DE-BLOCK-1)."""
    gone = flow.car(seat).wear[BODY] <= 1
    flow.tell(Damaged(seat=seat, rule=rule, against=by, cost=one(BODY)))
    damage(flow, seat, gone=gone, why="body", rule="DE-OUT-1")


def put_out(flow: Flow, seat: int, why: str, rule: str, *, stands: bool = False) -> None:
    """A car is out: what leaves debris does so, and what was still pending for it falls away.

    `stands`: its wreck does so until its next turn, whatever put it out.

    Tests of others go on (FD-ENGINE-2), and a collision without it (FD-BUMP-2, DE-BUMP-2).
    """
    setup = flow.state.setup
    flow.tell(Eliminated(seat=seat, rule=rule, why=why, round=flow.state.round))
    if stands or why in STAY[setup.house.wrecks]:
        flow.tell(WreckLeft(seat=seat, rule="DE-BLOCK-1"))
    elif setup.house.debris_from == "every-out" or why in DAMAGE:
        mark(flow, seat)
    flow.drop_car(seat)
