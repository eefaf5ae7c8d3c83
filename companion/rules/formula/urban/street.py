"""What a way through the streets brings with it: the steps that a move queues."""

from __future__ import annotations

from companion.rules.formula import events_urban as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.option import Option
from companion.rules.formula.state import Car, Phase, Step
from companion.rules.formula.urban.drift import COST, fresh_corner
from companion.rules.formula.urban.drivers import driver_of, is_urban
from companion.rules.formula.urban.passing import charmer
from companion.rules.formula.urban.regain import is_checkpoint


def note_roll(flow: Flow, seat: int, face: int) -> None:
    """After a gear roll: the face is kept for the police station (FD-URBAN-5)."""
    state = flow.state
    if not is_urban(state) or not state.setup.track.police or state.phase is Phase.TRIALS:
        return
    space = flow.car(seat).space
    assert space is not None
    flow.queue.insert(1, Step("police", seat, number=face, spaces=(space,)))


def before_way(flow: Flow, seat: int, option: Option, *, drifts: bool) -> None:
    """Before a car goes: it drifts, it is charmed (FD-DRV-2, FD-DRV-1)."""
    state, car = flow.state, flow.car(seat)
    fresh = fresh_corner(state.setup.track, car) if drifts else None
    if fresh is not None:
        _, corner, lap = fresh
        label = state.setup.track.corners[corner].label
        flow.tell(ev.Drifted(seat=seat, rule="FD-DRV-2", corner=label, lap=lap, cost=COST))
    her = charmer(state, car) if option.charmed else None
    if her is not None:
        flow.tell(ev.Charmed(seat=seat, rule="FD-DRV-1", against=her.seat))


def after_way(flow: Flow, seat: int, start: int, *, line: bool, slips: bool) -> None:
    """After a way: the checkpoint comes after its losses, then the police station's note.

    The rest comes at the end of the turn, once for the whole move.
    """
    if not is_urban(flow.state):
        return
    notes = [step for step in flow.queue if step.kind == "police" and step.seat == seat]
    if not slips:
        flow.drop(seat, frozenset({"police"}))
        _before(flow, seat, "halt", *notes)
        for step in _last(flow.car(seat), start):
            flow.before_end(step)
    if line and is_checkpoint(flow.state, flow.car(seat).lap):
        _before(flow, seat, "police" if notes else "halt", Step("checkpoint", seat))


def contact(flow: Flow, mover: Car, met: list[int]) -> Step:
    """The rolls of a collision: each once for the other, against Derek twice (FD-DRV-8)."""
    others = tuple(seat for seat in met for _ in range(driver_of(mover).blows))
    against = tuple(seat for seat in met for _ in range(driver_of(flow.car(seat)).blows))
    return Step("collision", mover.seat, seats=against, others=others)


def _before(flow: Flow, seat: int, kind: str, *steps: Step) -> None:
    """Put steps before the next of this kind that belongs to a seat."""
    at = next(at for at, step in enumerate(flow.queue) if (step.kind, step.seat) == (kind, seat))
    flow.queue[at:at] = steps


def _last(car: Car, start: int) -> list[Step]:
    """FD-TURN-1, 14 and 15: the noise zone, then what the driver may do."""
    driver, steps = driver_of(car), [Step("noise", car.seat)]
    if driver.throws and not car.radio:
        steps.append(Step("radio", car.seat))
    if driver.litters:
        steps.append(Step("trail", car.seat, spaces=(start,)))
    return steps
