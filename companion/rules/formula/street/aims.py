"""Who is shot at: a car in the noise zone, cars around Stanley (FD-URBAN-3, FD-DRV-3)."""

from __future__ import annotations

from companion.rules.formula.asks import RadioAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State, Step
from companion.rules.game import Ask


def skip_quiet(flow: Flow, step: Step) -> bool:
    """An automatic step: it waits where a move has ended in the noise zone."""
    if flow.car(step.seat).space in flow.state.setup.track.noise:
        return False
    flow.take()
    return True


def targets(state: State, seat: int) -> list[int]:
    """The seats beside, directly ahead and directly behind, ascending."""
    track, space = state.setup.track, state.cars[seat].space
    if space is None:
        return []
    near = {*track.beside[space], track.ahead[space], track.behind[space]}
    return sorted(car.seat for car in state.running() if car.space in near)


def skip_alone(flow: Flow, step: Step) -> bool:
    """An automatic step: it waits where somebody is near."""
    if targets(flow.state, step.seat):
        return False
    flow.take()
    return True


def ask_radio(state: State, step: Step) -> list[Ask]:
    """FD-DRV-3: a car near by, or null."""
    return [RadioAsk(step.seat, tuple(targets(state, step.seat)))]


def skip_missed(flow: Flow, step: Step) -> bool:
    """An automatic step: the die is rolled as long as the car that was hit is there."""
    if step.seats:
        return False
    flow.take()
    return True
