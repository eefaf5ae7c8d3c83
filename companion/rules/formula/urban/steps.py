"""The pending steps of urban races in a position: what contradicts the state."""

from __future__ import annotations

from companion.rules.formula.moves import move_options
from companion.rules.formula.state import State, Step
from companion.rules.formula.urban.automatic import AUTOMATIC
from companion.rules.formula.urban.drift import DRIFTS, may_drift
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.regain import CHECKPOINT, POLICE
from companion.rules.formula.urban.reroll import AGAIN
from companion.rules.formula.urban.tables import POLICE_PRIZE, TOP_FACE
from companion.rules.reading import bad

STEPS = frozenset(AUTOMATIC)
HOW = frozenset({DRIFTS, "charmed", CHECKPOINT, POLICE, AGAIN})
LONE_SPACE = frozenset({"police", "trail"})


def rolls(state: State, step: Step, seat: int) -> int:
    """How often a step may name a seat: once, but twice in a collision with Derek (FD-DRV-8)."""
    if step.kind != "collision":
        return 1
    mover, met = state.cars.get(step.seat), state.cars[seat]
    return max(driver_of(met).blows, 1 if mover is None else driver_of(mover).blows)


def check_urban(state: State, step: Step) -> None:
    """Contradictions between a step and the driver, the board and the numbers of the rules.

    Raises:
        Malformed: what is wrong.
    """
    track, driver = state.setup.track, driver_of(state.cars[step.seat])
    able = {"radio": driver.throws, "throw": driver.throws, "trail": driver.litters}
    able["reroll"] = driver.rerolls
    if not able.get(step.kind, True) or (AGAIN in step.flags and not driver.rerolls):
        bad("not-of-this-driver", f"{step.kind} is not for {driver.name or 'this car'}",
            rule="FD-URBAN-1", name=step.kind)  # fmt: skip
    if DRIFTS in step.flags and not _can_drift(state, step):
        bad("pending-form", "a drift is Jack's, costs tires and touches a corner", rule="FD-DRV-2")
    lone = len(step.spaces) == 1 and track.lane[step.spaces[0]] >= 0
    if step.kind in LONE_SPACE and not lone:
        bad("pending-form", f"{step.kind} names one space of the track", rule="FD-MOVE-1")
    at_others = all(seat != step.seat and state.cars[seat].runs for seat in step.seats)
    if step.kind == "throw" and not (at_others and len(step.seats) <= 1):
        bad("pending-form", "the radio is thrown at another car that runs", rule="FD-DRV-3")
    if step.kind == "police" and (not track.police or not 1 <= step.number <= TOP_FACE):
        bad("pending-form", "the police station notes the face of a die", rule="FD-URBAN-5")
    if step.kind == "recover":
        most = POLICE_PRIZE if POLICE in step.flags else driver.regains
        if step.number > most or not {CHECKPOINT, POLICE} & set(step.flags):
            bad("pending-form", f"{most} points come back, by checkpoint or police",
                rule="FD-URBAN-7")  # fmt: skip
    if step.kind == "reroll" and not 1 <= step.number <= 20:
        bad("pending-form", "a reroll has the number that was rolled", rule="FD-DRV-5")


def _can_drift(state: State, step: Step) -> bool:
    """Whether a pending move with a drift has an end."""
    car = state.cars[step.seat]
    on_track = step.kind == "move" and car.runs and car.space is not None
    return on_track and may_drift(car) and bool(move_options(state, step))
