"""What follows from the report of a move: the same steps as after a way on the board.

The way is what the seat says it was. Its debris is rolled for, the block and the overshoot
are charged, and where it ended a stop is marked, a pit stop begins or a collision is rolled,
all in the order of FD-TURN-1 and by the steps of every race; markers are laid by the table.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from companion.rules.formula import events as ev
from companion.rules.formula import pitstop
from companion.rules.formula.asks import ReportAsk
from companion.rules.formula.boardless.bounds import Report, bounds, read_report
from companion.rules.formula.boardless.cards import place_on_card, tell_next
from companion.rules.formula.finish import finish_if_home
from companion.rules.formula.flow import Flow
from companion.rules.formula.marks import mark_stop
from companion.rules.formula.state import State, Status, Step
from companion.rules.formula.tires import overshoot_factor, slide_of
from companion.rules.formula.urban import street
from companion.rules.game import Ask

CORNER, PIT = "corner", "pit"
FATAL = 2
"""So many stops missing put a car out (FD-CORNER-3)."""


def ask_report(state: State, step: Step) -> list[Ask]:
    """What the seat must say of its move, with the spaces that it has (FD-MOVE-1, FD-TIRE-6)."""
    car = state.cars[step.seat]
    card = tell_next(state, car)
    return [ReportAsk(step.seat, bounds(state, step), step.number, slide_of(state, car), card)]


def answer_report(flow: Flow, seat: int, value: Any) -> None:
    """FD-MOVE-1 to FD-MOVE-5, as the seat reports them."""
    step = flow.queue[0]
    report = read_report(flow.state, step, value)
    flow.take()
    car = flow.car(seat)
    corner, factor = car.corner, overshoot_factor(flow.state, car)
    _tell_move(flow, step, report)
    steps = [Step("debris", seat) for _ in range(report.debris)]
    spaces = max(report.overshoot, int(report.missing >= FATAL))
    if spaces or report.blocked:
        at = corner if flow.state.setup.track.corners else -1
        damage = (report.blocked, spaces * factor, spaces, at if spaces else -1)
        flags = ("fatal",) if report.missing >= FATAL else ()
        steps.append(Step("charge", seat, damage=damage, flags=flags))
    how = PIT if report.pit else CORNER if report.corner and not spaces else ""
    arrive = Step("arrive", seat, seats=report.touched, flags=(how,) if how else ())
    flow.first(*steps, arrive)


def _tell_move(flow: Flow, step: Step, report: Report) -> None:
    """The move itself, the line, and the ends of the pit."""
    seat, car = step.seat, flow.car(step.seat)
    place, stops = place_on_card(flow.state, car, report, step.number)
    flow.tell(
        ev.Reported(
            seat=seat,
            rule="FD-MOVE-1",
            spaces=step.number,
            how=next(iter(step.flags), "move"),
            stops=stops,
            place=place,
            **asdict(report),
        )
    )
    if car.status is Status.PIT:
        flow.tell(ev.PitLeft(seat=seat, rule="FD-PIT-6"))
    if report.pit:
        flow.tell(ev.PitLaneEntered(seat=seat, rule="FD-PIT-6"))
        if car.gear > flow.state.setup.edition.pit_entry_gear:
            flow.tell(ev.PitEnteredFast(seat=seat, rule="DE-PIT-1"))
    elif report.line:  # FD-PIT-5: of a car that stops the box counts the lap
        flow.tell(ev.LineCrossed(seat=seat, rule="FD-END-2", lap=car.lap + 1))


def arrive(flow: Flow, step: Step) -> bool:
    """An automatic step, where the move ended: finished, in its box, a stop, a collision."""
    flow.take()
    if finish_if_home(flow, step.seat):
        return True
    car = flow.car(step.seat)
    if PIT in step.flags:
        pitstop.begin_stop(flow, car)
        return True
    if CORNER in step.flags:
        mark_stop(flow, car, car.corner if flow.state.setup.track.corners else -1)
    met = [seat for seat in step.seats if flow.car(seat).runs]
    if met:
        flow.first(_contact(flow, step, met))
    return True


def _contact(flow: Flow, step: Step, met: list[int]) -> Step:
    """FD-BUMP-1; DE-BUMP-1: of the group those are known whom the mover has named."""
    if flow.state.setup.edition.collisions == "group":
        rolls = tuple((seat, step.seat) for seat in met if seat not in step.others)
        return Step("touch", step.seat, rolls=rolls, seats=tuple(met))
    return street.contact(flow, flow.car(step.seat), met)
