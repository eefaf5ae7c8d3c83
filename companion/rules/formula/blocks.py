"""A car held up: what it pays, and in Formule Dé the wreck and the car directly in front.

There a car that a block puts out stands where it is until its next turn, is then taken away,
and leaves debris there (DE-BLOCK-1). As long as it stands it is out, and stands in the way
all the same: `Out.stands`.

House switch `wrecks` of Formula D: cars are lifted (FD-BLOCK-1), or stand as in Formule Dé; with
"blocked-body" so do those that a collision puts out, and too few WP for a block cost the car in
front its body too, as in the federation's competition rules (12-1, 14-2 of 2018). House switch
`block_last_tires`: a block that takes the last tires spins the car (12-1-4; DE-CORNER-3).
"""

from __future__ import annotations

from companion.rules.formula.collisions import Collision
from companion.rules.formula.elimination import Spun, damage, put_out, strike
from companion.rules.formula.option import block_cost, is_late
from companion.rules.formula.state import Flow, Step, Wears
from companion.rules.formula.tables import BODY, BRAKES, TIRES
from companion.rules.formula.wear import NOTHING, affords, lost, one, total


class Blocked(Wears):
    """A car could not go on."""

    spaces: int


def pay_block(flow: Flow, seat: int, blocked: int) -> bool:
    """FD-BLOCK-1, FD-BLOCK-2, DE-BLOCK-1, DE-BLOCK-2; False: the car is out."""
    wear, setup, cost = flow.car(seat).wear, flow.state.setup, block_cost(blocked)
    if setup.house.late_block == "on" and is_late(wear[BRAKES], blocked):
        return _pay_late(flow, seat, blocked)
    paid = NOTHING if cost is None else lost(wear, cost)
    flow.tell(Blocked(seat=seat, rule="FD-BLOCK-1", spaces=blocked, cost=paid))
    if cost is None:
        _out_by_block(flow, seat, "FD-BLOCK-1", strikes=setup.wrecks_stand)
        return False
    if not affords(wear, cost):
        _out_by_block(flow, seat, "FD-BLOCK-2", strikes=setup.house.wrecks == "blocked-body")
        return False
    _spin_if_last(flow, seat, wear[TIRES])
    return True


def _out_by_block(flow: Flow, seat: int, rule: str, *, strikes: bool) -> None:
    """It is out; DE-BLOCK-1: the car in front of it pays.

    House switch `block_contact`: the others that it touches roll (rules of 2018, 12-1-5).
    """
    ground, rolls = flow.state.ground, flow.state.setup.house.block_contact == "rolls"
    front = ground.in_front(flow, seat)
    met = [other for other in ground.in_contact(flow, seat) if other != front] if rolls else []
    put_out(flow, seat, "blocked", rule)
    if strikes:
        _strike_front(flow, seat, front, "DE-BLOCK-1")
    if met:
        flow.due(Collision(seat=seat, others=tuple(met)))


def _pay_late(flow: Flow, seat: int, blocked: int) -> bool:
    """DE-BLOCK-2: all tires and 1 body; the car in front loses 1 body and does not roll."""
    wear = flow.car(seat).wear
    cost = total(one(TIRES, wear[TIRES]), one(BODY))
    flow.tell(Blocked(seat=seat, rule="DE-BLOCK-2", spaces=blocked, cost=cost))
    front = flow.state.ground.in_front(flow, seat)
    damage(flow, seat, gone=wear[BODY] <= 1, why="body", rule="DE-OUT-1")
    _strike_front(flow, seat, front, "DE-BLOCK-2")
    if not flow.car(seat).runs:
        return False
    _spin_if_last(flow, seat, wear[TIRES])
    if front is not None:
        flow.revise(Step, lambda step: step.sparing(seat, front))
    return True


def _spin_if_last(flow: Flow, seat: int, before: int) -> None:
    """DE-CORNER-3: the last tires WP, by whatever cause; no spin by FD-BLOCK-2."""
    spins = flow.state.setup.house.block_last_tires == "spin"
    if spins and before and not flow.car(seat).wear[TIRES]:
        flow.tell(Spun(seat=seat, rule="DE-CORNER-3"))


def _strike_front(flow: Flow, seat: int, front: int | None, rule: str) -> None:
    """The car directly in front loses 1 body; None where nobody stands there."""
    if front is not None:
        strike(flow, front, by=seat, rule=rule)
