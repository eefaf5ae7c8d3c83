"""Collisions by groups (DE-BUMP-1, DE-BUMP-2): all who touch one another roll.

A car that comes to stand beside or behind another draws in everybody who is joined to it by
touching pairs: beside, or one directly behind the other. Each rolls once for each car that it
touches; the car that caused it rolls last. For each car that goes out by it the cause loses
1 body instead: its roll for that car falls away where the two touch.
"""

from __future__ import annotations

from typing import Any

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.losses import damage
from companion.rules.formula.order import by_position
from companion.rules.formula.state import Car, State, Status, Step
from companion.rules.formula.tables import BODY
from companion.rules.formula.wear import NOTHING, one


def meet(flow: Flow, step: Step) -> bool:
    """Who rolls where the move of a car ended; `step.others` are spared (DE-BLOCK-2)."""
    state, mover = flow.state, flow.car(step.seat)
    touched = touching(state, mover)
    rolls = [
        (seat, against)
        for seat, near in touched.items()
        if seat != mover.seat and seat not in step.others
        for against in near
    ]
    if touched:
        own = touched[mover.seat]
        flow.first(Step("touch", mover.seat, rolls=tuple(rolls), seats=own))
    return True


def touching(state: State, mover: Car) -> dict[int, tuple[int, ...]]:
    """The group of a car by seat, each with those whom it touches, all in running order.

    Empty where the car stands neither beside nor behind another one.
    """
    track = state.setup.track
    if mover.space is None or mover.status is Status.PIT:
        return {}
    ranked = [car for car in by_position(state, state.running()) if car.status is not Status.PIT]
    at = {car.space: car.seat for car in ranked if car.space is not None}
    if not at.keys() & {*track.beside[mover.space], track.ahead[mover.space]}:
        return {}
    near = {
        seat: {at[s] for s in (*track.beside[space], track.ahead[space]) if s in at}
        for space, seat in at.items()
    }
    for seat, met in list(near.items()):
        for other in met:
            near[other] = near[other] | {seat}
    group, edge = {mover.seat}, [mover.seat]
    while edge:
        edge = list({seat for one in edge for seat in near[one]} - group)
        group.update(edge)
    seats = [car.seat for car in ranked if car.seat in group]
    return {seat: tuple(other for other in seats if other in near[seat]) for seat in seats}


def rollers(step: Step) -> dict[int, int]:
    """Who rolls now, each with the car that it rolls for; the cause once all others have."""
    if not step.rolls:
        return {step.seat: step.seats[0]}
    first: dict[int, int] = {}
    for seat, against in step.rolls:
        first.setdefault(seat, against)
    return first


def answer_touch(flow: Flow, seat: int, hurt: bool, value: Any) -> None:
    """One roll: a 1 costs 1 body, the last one is the end (DE-BUMP-1)."""
    step = flow.take()
    against = rollers(step)[seat]
    if step.rolls:
        rolls = tuple(pair for pair in step.rolls if pair != (seat, against))
        flow.first(Step("touch", step.seat, rolls=rolls, seats=step.seats))
    else:
        flow.first(Step("touch", step.seat, seats=step.seats[1:]))
    gone = flow.car(seat).wear[BODY] <= 1
    cost = one(BODY) if hurt else NOTHING
    flow.tell(
        ev.CollisionRolled(
            seat=seat, rule="DE-BUMP-1", against=against, roll=value, hurt=hurt, cost=cost
        )
    )
    if not hurt:
        return
    damage(flow, seat, gone=gone, why="body", rule="DE-OUT-1")
    if gone and seat != step.seat and flow.car(step.seat).runs:
        strike(flow, step.seat, by=seat, rule="DE-BUMP-2")


def strike(flow: Flow, seat: int, *, by: int, rule: str) -> None:
    """A car loses 1 body without a roll, by what befell another (DE-BUMP-2, DE-BLOCK-1)."""
    gone = flow.car(seat).wear[BODY] <= 1
    flow.tell(ev.Damaged(seat=seat, rule=rule, against=by, cost=one(BODY)))
    damage(flow, seat, gone=gone, why="body", rule="DE-OUT-1")
