"""A stop in the box: new tires, which stop, its die or its repair, and the way out.

Step 10 of FD-TURN-1. Each part is a pending step, taken only where a rule in force offers a
real choice: `tires` (FD-TIRE-7), `stop` and `repair` (FD-TECH-1), `pit` (FD-PIT-2).
"""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula import events as ev
from companion.rules.formula.asks import STOPS, PitAsk, RepairAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.points import read_points
from companion.rules.formula.state import Car, State, Step
from companion.rules.formula.tables import PIT_SLOW, POOL_A_STOP, TIRES
from companion.rules.formula.wear import Wear, one
from companion.rules.game import Ask


def begin_stop(flow: Flow, car: Car) -> None:
    """A car has come to its box (FD-PIT-2, FD-PIT-5); what it still has to say is queued.

    DE-PIT-1: one that came in too fast stands a turn first.
    """
    box, lap = f"B{car.box}", car.lap if car.pit_mark == "waits" else car.lap + 1
    if car.pit_mark == "late":
        flow.tell(ev.PitTurnBegan(seat=car.seat, rule="DE-PIT-1", box=box, lap=lap))
        return
    flow.tell(ev.PitStopBegan(seat=car.seat, rule="FD-PIT-2", box=box, lap=lap))
    steps = [Step("stop", car.seat)]
    if "tires" in flow.state.setup.rules:
        steps.insert(0, Step("tires", seats=(car.seat,)))
    flow.first(*steps)


# -- which stop ---------------------------------------------------------------------------


def pool(state: State, car: Car) -> int:
    """The generic WP that a car may use: its own or its team's (FD-TECH-1, FD-TEAM-1)."""
    return (car.pool or 0) if car.team is None else state.pools.get(car.team, 0)


def repairs(state: State, car: Car) -> tuple[int, tuple[int, ...]]:
    """How many WP one stop may give back, and to which categories (FD-TECH-1, FD-CAR-2)."""
    worn = tuple(
        category
        for category in range(len(car.wear))
        if category != TIRES and car.wear[category] < car.full[category]
    )
    room = sum(car.full[category] - car.wear[category] for category in worn)
    return min(POOL_A_STOP, pool(state, car), room), worn


def choose_or_roll(flow: Flow, step: Step) -> bool:
    """An automatic step: without a technical stop to choose, it is a tire stop (FD-PIT-2)."""
    if repairs(flow.state, flow.car(step.seat))[0]:
        return False
    flow.take()
    flow.first(Step("pit", step.seat))
    return True


def ask_stop(_: State, step: Step) -> list[Ask]:
    """FD-TECH-1."""
    return [PitAsk(step.seat)]


def answer_stop(flow: Flow, seat: int, value: Any) -> None:
    """FD-TECH-1: a technical stop rolls no die, the car leaves at its next turn."""
    if not isinstance(value, str):
        raise Malformed("stop-form", f"pit is one of {', '.join(STOPS)}, not {value!r:.60}")
    if value not in STOPS:
        raise Illegal(
            "no-such-stop",
            f"pit is one of {', '.join(STOPS)}, not {value!r:.40}",
            rule="FD-TECH-1",
            args={"stop": value[:40]},
        )
    flow.take()
    flow.tell(ev.PitChosen(seat=seat, rule="FD-TECH-1", stop=value))
    flow.first(Step("repair" if value == "technical" else "pit", seat))


# -- the repair ---------------------------------------------------------------------------


def repair_if_plain(flow: Flow, step: Step) -> bool:
    """An automatic step: one point that can go to one category only is not asked for."""
    points, worn = repairs(flow.state, flow.car(step.seat))
    if points > 1 or len(worn) > 1:
        return False
    if points:
        _repair(flow, step.seat, one(worn[0]))
    else:
        flow.take()
    return True


def ask_repair(state: State, step: Step) -> list[Ask]:
    """FD-TECH-1: up to so many points, to one or two of these categories."""
    points, worn = repairs(state, state.cars[step.seat])
    names = tuple(state.setup.edition.categories[category] for category in worn)
    return [RepairAsk(step.seat, points, names)]


def answer_repair(flow: Flow, seat: int, value: Any) -> None:
    """FD-TECH-1; refused as `read_points` says."""
    car, categories = flow.car(seat), flow.state.setup.edition.categories
    points, worn = repairs(flow.state, car)
    room = {categories[at]: car.full[at] - car.wear[at] for at in worn}
    told = read_points("repair", value, categories, room, points, rule="FD-TECH-1")
    _repair(flow, seat, told)


def _repair(flow: Flow, seat: int, gain: Wear) -> None:
    flow.take()
    left = pool(flow.state, flow.car(seat)) - sum(gain)
    flow.tell(ev.Repaired(seat=seat, rule="FD-TECH-1", gain=gain, pool=left))


# -- the die of a tire stop ---------------------------------------------------------------


def tell_pit_roll(flow: Flow, seat: int, roll: int, value: Any) -> None:
    """FD-PIT-2, DE-PIT-2: half the roll, rounded up, at once; or until the next turn."""
    flow.take()
    spaces = 0 if roll >= PIT_SLOW[0] else (roll + 1) // 2
    flow.tell(ev.PitRolled(seat=seat, rule="FD-PIT-2", roll=value, spaces=spaces))
    if spaces:
        flow.first(Step("move", seat, number=spaces, flags=("fast",)))
