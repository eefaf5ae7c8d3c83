"""Rolls of the black die that may cost a point: debris, collisions, engine tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.formula import contact
from companion.rules.formula import events as ev
from companion.rules.formula.asking import outcomes_of
from companion.rules.formula.asks import Reason
from companion.rules.formula.black import black_roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.losses import damage, put_out
from companion.rules.formula.state import State
from companion.rules.formula.tables import BODY, ENGINE, HANDLING
from companion.rules.formula.wear import NOTHING, one


def answer_debris(flow: Flow, seat: int, value: Any) -> None:
    """FD-DEBRIS-2, FD-DEBRIS-3."""
    hurt = _hurts(flow.state, "debris", value, seat)
    step = flow.take()
    cost = one(HANDLING) if hurt else NOTHING
    space = flow.state.setup.track.ids[step.spaces[0]] if step.spaces else None
    gone = flow.car(seat).wear[HANDLING] <= 1
    flow.tell(
        ev.DebrisRolled(
            seat=seat, rule="FD-DEBRIS-2", space=space, roll=value, hurt=hurt, cost=cost
        )
    )
    if hurt and gone:
        put_out(flow, seat, "handling", "FD-DEBRIS-3")
    elif step.spaces[1:]:
        flow.first(replace(step, spaces=step.spaces[1:]))


def _hurts(state: State, reason: str, value: Any, seat: int) -> bool:
    """Whether this roll of a seat falls into the first, the hurting range."""
    return (
        black_roll(state, reason, value, seat) <= outcomes_of(state, Reason(reason), seat)[0].high
    )


def answer_collision(flow: Flow, seat: int, value: Any) -> None:
    """FD-BUMP-1, FD-BUMP-2."""
    hurt = _hurts(flow.state, "collision", value, seat)
    step = flow.take()
    mover = seat == step.seat
    against = step.seats[0] if mover else step.seat
    others = step.others if mover else _once_less(step.others, seat)
    seats = step.seats[1:] if mover else step.seats
    flow.first(replace(step, others=others, seats=seats))
    gone = flow.car(seat).wear[BODY] <= 1
    cost = one(BODY) if hurt else NOTHING
    flow.tell(
        ev.CollisionRolled(
            seat=seat, rule="FD-BUMP-1", against=against, roll=value, hurt=hurt, cost=cost
        )
    )
    if hurt:
        damage(flow, seat, gone=gone, why="body", rule="FD-BUMP-2")


def answer_touch(flow: Flow, seat: int, value: Any) -> None:
    contact.answer_touch(flow, seat, _hurts(flow.state, "collision", value, seat), value)


def _once_less(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The seats that still roll after one roll of this one."""
    at = seats.index(seat)
    return seats[:at] + seats[at + 1 :]


def answer_engine(flow: Flow, seat: int, value: Any) -> None:
    """FD-ENGINE-1, FD-ENGINE-3."""
    hurt = _hurts(flow.state, "engine", value, seat)
    step = flow.take()
    flow.first(replace(step, seats=tuple(s for s in step.seats if s != seat)))
    gone = flow.car(seat).wear[ENGINE] <= 1
    cost = one(ENGINE) if hurt else NOTHING
    flow.tell(ev.EngineTested(seat=seat, rule="FD-ENGINE-1", roll=value, hurt=hurt, cost=cost))
    if hurt:
        damage(flow, seat, gone=gone, why="engine", rule="FD-ENGINE-3")
