"""What a loss brings with it: debris, and a car that is out with its pending steps."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Status, Step
from companion.rules.formula.urban.automatic import OWN
from companion.rules.formula.urban.zone import debris_on

# The steps that end for a car that is out (FD-DEBRIS-3); tests of others go on (FD-ENGINE-2).
_OWN_STEPS = frozenset(
    {
        "start",
        "gear",
        "double",
        "roll",
        "length",
        "move",
        "debris",
        "slipstream",
        "charge",
        "halt",
        "pit",
        "bump",
        "arrive",
    }
    | OWN
)


def mark(flow: Flow, seat: int) -> None:
    """This car leaves debris: at the end of the turn (FD-DEBRIS-1) or at once (DE-DEBRIS-1)."""
    if flow.state.setup.edition.debris_at_once:
        lay_marker(flow, seat)
        return
    for at, step in enumerate(flow.queue):
        if step.kind == "end" and seat not in step.seats:
            flow.queue[at] = Step("end", step.seat, seats=(*step.seats, seat))


def lay_marker(flow: Flow, seat: int) -> None:
    """Debris where a car stands or stood: one marker a space, none in the pit (FD-DEBRIS-4)."""
    track, car = flow.state.setup.track, flow.car(seat)
    if flow.state.setup.boardless:
        if Status.PIT not in (car.status, car.out and car.out.was) and (car.runs or car.out):
            flow.tell(ev.DebrisLaid(seat=seat, rule="FD-DEBRIS-1", space=None))
        return
    space = car.out.space if car.out else car.space
    if space is not None and track.lane[space] >= 0 and space not in debris_on(flow.state):
        flow.tell(ev.DebrisLaid(seat=seat, rule="FD-DEBRIS-1", space=track.ids[space]))


def damage(flow: Flow, seat: int, *, gone: bool, why: str, rule: str) -> None:
    """A body or engine WP was lost: it leaves debris, and if it was the last the car is out."""
    if gone:
        put_out(flow, seat, why, rule)
    else:
        mark(flow, seat)


def put_out(flow: Flow, seat: int, why: str, rule: str) -> None:
    """A car is out: what leaves debris does so, and what was still pending for it falls away."""
    edition = flow.state.setup.edition
    flow.tell(ev.Eliminated(seat=seat, rule=rule, why=why, round=flow.state.round))
    if why == "blocked" and edition.blocks == "wreck":
        flow.tell(ev.WreckLeft(seat=seat, rule="DE-BLOCK-1"))
    elif why in edition.debris_of:
        mark(flow, seat)
    flow.drop(seat, _OWN_STEPS)
    flow.queue = [_without(step, seat) for step in flow.queue]


def _without(step: Step, seat: int) -> Step:
    """A collision that goes on without a car that is out (FD-BUMP-2, DE-BUMP-2)."""
    if step.kind == "collision":
        others = tuple(other for other in step.others if other != seat)
        against = () if step.seat == seat else step.seats
        return replace(step, others=others, seats=against)
    if step.kind == "touch":
        rolls = tuple(pair for pair in step.rolls if pair[0] != seat)
        against = () if step.seat == seat else tuple(s for s in step.seats if s != seat)
        return Step("touch", step.seat, rolls=rolls, seats=against)
    return step
