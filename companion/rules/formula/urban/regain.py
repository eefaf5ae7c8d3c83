"""Wear points that come back: the checkpoint, and the prize of the police station.

FD-URBAN-7, FD-DRV-6, FD-URBAN-5. Nobody is asked where all worn points come back anyway, or
where they all go to one category.
"""

from __future__ import annotations

from typing import Any

from companion.rules.formula import events_urban as ev
from companion.rules.formula.asks import RecoverAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.points import read_points
from companion.rules.formula.state import State, Step
from companion.rules.formula.tables import CATEGORIES, TIRES
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.wear import Wear, as_wear, one
from companion.rules.game import Ask

CHECKPOINT, POLICE = "checkpoint", "police"


def is_checkpoint(state: State, lap: int) -> bool:
    """Whether the line before this lap is a checkpoint.

    FD-END-2: the first crossing refills nothing; who crosses the last line has finished.
    """
    return 1 < lap <= state.setup.laps


def pass_checkpoint(flow: Flow, step: Step) -> bool:
    """An automatic step: new tires, then points to choose (FD-URBAN-7, FD-DRV-6)."""
    flow.take()
    car = flow.car(step.seat)
    gain = one(TIRES, car.full[TIRES] - car.wear[TIRES])
    flow.tell(ev.CheckpointPassed(seat=step.seat, rule="FD-URBAN-7", gain=gain))
    points = driver_of(car).regains
    flow.first(Step("recover", step.seat, number=points, flags=(CHECKPOINT,)))
    return True


def _room(state: State, step: Step) -> dict[int, int]:
    """What each worn category can take; the checkpoint's points are for others than tires."""
    car = state.cars[step.seat]
    worn = {at: full - have for at, (full, have) in enumerate(zip(car.full, car.wear, strict=True))}
    return {at: n for at, n in worn.items() if n and (at != TIRES or POLICE in step.flags)}


def recover_if_plain(flow: Flow, step: Step) -> bool:
    """An automatic step: points that leave no choice come back by themselves."""
    room = _room(flow.state, step)
    if len(room) > 1 and sum(room.values()) > step.number:
        return False
    flow.take()
    gain = as_wear({at: min(n, step.number) for at, n in room.items()})
    if any(gain):
        _recover(flow, step, gain)
    return True


def ask_recover(state: State, step: Step) -> list[Ask]:
    """How many points, and to which categories they may go."""
    names = tuple(CATEGORIES[at] for at in _room(state, step))
    return [RecoverAsk(step.seat, step.number, names)]


def answer_recover(flow: Flow, seat: int, value: Any) -> None:
    """FD-URBAN-7, FD-URBAN-5; refused as `read_points` says."""
    step = flow.queue[0]
    room = {CATEGORIES[at]: n for at, n in _room(flow.state, step).items()}
    gain = read_points(
        "recover", value, CATEGORIES, room, step.number, rule=_rule(flow.state, step)
    )
    flow.take()
    _recover(flow, step, gain)


def _recover(flow: Flow, step: Step, gain: Wear) -> None:
    source = POLICE if POLICE in step.flags else CHECKPOINT
    rule = _rule(flow.state, step)
    flow.tell(ev.Recovered(seat=step.seat, rule=rule, source=source, gain=gain))


def _rule(state: State, step: Step) -> str:
    if POLICE in step.flags:
        return "FD-URBAN-5"
    plain = driver_of(state.cars[step.seat]).regains == 2
    return "FD-URBAN-7" if plain else "FD-DRV-6"
