"""What follows by itself: the automatic steps of a turn, in the order of FD-TURN-1.

`settle` works off the queue until a step waits for an answer. Each automatic step is one
small function named after it; the answers that come between are in `answers`.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.formula import contact, length, pitstop, setting_up, trials, weather, wrecks
from companion.rules.formula import events as ev
from companion.rules.formula.boardless import reports
from companion.rules.formula.boardless import rounds as boardless_rounds
from companion.rules.formula.finish import finish_if_home
from companion.rules.formula.flow import Flow
from companion.rules.formula.losses import lay_marker, put_out
from companion.rules.formula.marks import mark_stop
from companion.rules.formula.moves import slipstream_options
from companion.rules.formula.option import Option, overshoot_outcome
from companion.rules.formula.order import by_position
from companion.rules.formula.rounds import begin_round, begin_turn, next_turn, settle_grid
from companion.rules.formula.state import Car, Phase, Status, Step
from companion.rules.formula.tables import TIRES
from companion.rules.formula.urban import automatic as urban_steps
from companion.rules.formula.urban import police, street
from companion.rules.formula.wear import NOTHING, lost, one
from companion.rules.ways.arrivals import Arrival


def settle(flow: Flow) -> None:
    """Do all automatic steps up to the next one that waits for an answer.

    When nothing is left to be settled before the race, it begins.
    """
    while flow.state.phase is not Phase.FINISHED:
        if not flow.queue and flow.state.phase is Phase.SETUP:
            begin_round(flow)
            begin_turn(flow, flow.state.order[0])
        work = _AUTOMATIC.get(flow.queue[0].kind) if flow.queue else None
        if work is None or not work(flow, flow.queue[0]):
            return


# -- the way ------------------------------------------------------------------------------


def follow_way(flow: Flow, seat: int, option: Option, how: str, *, charmed: bool = False) -> None:
    """Put the car at the end of its way and queue what the way brings with it.

    `charmed`: the whole move has lost a space to Li-Tsu (FD-DRV-1), so the rest of it does not.
    """
    track, car, arrival = flow.state.setup.track, flow.car(seat), option.arrival
    assert car.space is not None
    stays = track.corner[option.to] >= 0 and track.corner[option.to] == track.corner[car.space]
    overshot = arrival.spaces > 0
    flow.tell(
        ev.Moved(
            seat=seat,
            rule="FD-SLIP-2" if how == "slipstream" else "FD-MOVE-1",
            start=track.ids[car.space],
            to=track.ids[option.to],
            spaces=option.spaces,
            brakes=option.brakes,
            stops=car.stops if stays else 0,
            how=how,
        )
    )
    if arrival.line:
        flow.tell(ev.LineCrossed(seat=seat, rule="FD-END-2", lap=car.lap + 1))
    _pass_pit_ends(flow, car.seat)
    steps = []
    if arrival.debris:
        steps.append(Step("debris", seat, spaces=arrival.debris))
    if not option.brakes and not option.blocked and not overshot and how in ("move", "slipstream"):
        steps.append(Step("slipstream", seat, flags=("charmed",) if charmed else ()))
    if overshot or option.blocked:
        damage = (option.blocked, arrival.beyond, arrival.spaces, arrival.corner)
        flags = ("fatal",) if arrival.fatal else ()
        steps.append(Step("charge", seat, damage=damage, flags=flags))
    if how != "slipstream":
        steps += [Step("halt", seat), Step("bump", seat)]
    flow.first(*steps)
    street.after_way(flow, seat, car.space, line=arrival.line, slips=how == "slipstream")


def _slipstream(flow: Flow, step: Step) -> bool:
    """Offer the slipstream where there is one (FD-SLIP-1); past the last line there is none."""
    car = flow.car(step.seat)
    charmed = "charmed" in step.flags
    within = car.lap <= flow.state.setup.laps
    if within and slipstream_options(flow.state, step.seat, charmed=charmed):
        return False
    flow.take()
    return True


def _charge(flow: Flow, step: Step) -> bool:
    """What the way costs after its debris: the block first, then the overshoot (FD-BLOCK-2)."""
    flow.take()
    blocked, beyond, spaces, corner = step.damage
    if blocked and not wrecks.pay_block(flow, step.seat, blocked):
        return True
    if spaces:
        arrival = Arrival(-1, (), False, beyond, spaces, corner=corner, fatal="fatal" in step.flags)
        _pay_overshoot(flow, step.seat, arrival)
    return True


def _pay_overshoot(flow: Flow, seat: int, arrival: Arrival) -> None:
    """FD-CORNER-2 to FD-CORNER-7, DE-CORNER-1."""
    wear, edition = flow.car(seat).wear, flow.state.setup.edition
    spin, out = overshoot_outcome(edition, wear[TIRES], arrival)
    cost = NOTHING if arrival.fatal else lost(wear, one(TIRES, arrival.beyond))
    corners = flow.state.setup.track.corners
    name = corners[arrival.corner].name if arrival.corner >= 0 else ""
    rule = "FD-CORNER-3" if arrival.fatal else "FD-CORNER-2"
    flow.tell(ev.Overshot(seat=seat, rule=rule, corner=name, spaces=arrival.spaces, cost=cost))
    if out and (arrival.fatal or arrival.spaces >= edition.overshoot_out):
        put_out(flow, seat, "corner", "FD-CORNER-3")
    elif out:
        put_out(flow, seat, "tires", "FD-CORNER-7")
    elif spin and flow.car(seat).status is not Status.SPUN:
        rule = "FD-CORNER-6" if wear[TIRES] else "FD-CORNER-7"
        if flow.car(seat).wear[TIRES]:
            rule = "FD-CORNER-2"  # DE-CORNER-1: by its spaces alone
        flow.tell(ev.Spun(seat=seat, rule=rule))
    for at, step in enumerate(flow.queue):
        if step.kind == "halt" and step.seat == seat:
            flow.queue[at] = Step("halt", seat, flags=("overshot",))


_OF_A_CAR_ON_THE_ROAD = frozenset({"bump", "noise", "radio", "trail"})
"""What still comes after a move, but not for a car that the line has lifted (FD-END-2)."""


def _halt(flow: Flow, step: Step) -> bool:
    """Where the move ended: finished, in the pit lane, or with a stop in a corner."""
    flow.take()
    state, seat = flow.state, step.seat
    car, track = flow.car(seat), state.setup.track
    assert car.space is not None
    if finish_if_home(flow, seat):
        flow.drop(seat, _OF_A_CAR_ON_THE_ROAD)
        return True
    if car.status is Status.PIT:
        _halt_in_pit(flow, car)
    corner = track.corner[car.space]
    if corner >= 0 and "overshot" not in step.flags:
        mark_stop(flow, car, corner)
    return True


# -- the pit ------------------------------------------------------------------------------


def _pass_pit_ends(flow: Flow, seat: int) -> None:
    """A car whose way ended in the pit lane is in it, one whose way led out of it races."""
    car = flow.car(seat)
    assert car.space is not None
    in_lane = flow.state.setup.track.lane[car.space] < 0
    if in_lane and car.status is not Status.PIT:
        flow.tell(ev.PitLaneEntered(seat=seat, rule="FD-PIT-6"))
        if car.gear > flow.state.setup.edition.pit_entry_gear:
            flow.tell(ev.PitEnteredFast(seat=seat, rule="DE-PIT-1"))
    elif not in_lane and car.status is Status.PIT:
        flow.tell(ev.PitLeft(seat=seat, rule="FD-PIT-6"))


def _halt_in_pit(flow: Flow, car: Car) -> None:
    """A move ended in the pit: in the box the stop begins (FD-PIT-2, FD-PIT-5)."""
    flow.drop(car.seat, frozenset({"bump"}))  # FD-PIT-3: no collision in the pit lane
    if car.space in flow.state.setup.track.boxes and not car.served:
        pitstop.begin_stop(flow, car)  # FD-PIT-1: one stop; held up, it waits


# -- collisions and engine tests ----------------------------------------------------------


def _bump(flow: Flow, step: Step) -> bool:
    """Who rolls for a collision where the move ended (FD-BUMP-1, FD-BUMP-3; DE-BUMP-1)."""
    flow.take()
    state = flow.state
    if state.setup.edition.collisions == "group":
        return contact.meet(flow, step)
    mover, track = state.cars[step.seat], state.setup.track
    if mover.space is None or mover.status is Status.PIT:
        return True
    near = {*track.beside[mover.space], track.ahead[mover.space]}
    met = [
        car.seat
        for car in by_position(state, state.running())
        if car.space in near and car.status is not Status.PIT
    ]
    if met:
        flow.first(street.contact(flow, mover, met))
    return True


def _collision(flow: Flow, step: Step) -> bool:
    if step.seats or step.others or step.rolls:
        return False
    flow.take()
    return True


def _tests(flow: Flow, step: Step) -> bool:
    """Who tests the engine: the roller first, then the others in running order (FD-ENGINE-2)."""
    flow.take()
    state = flow.state
    ranked = [car for car in by_position(state, state.running()) if car.status is not Status.PIT]
    fast = [car.seat for car in ranked if car.gear in state.setup.edition.engine_faces]
    fast.sort(key=lambda seat: seat != step.seat)
    if fast:
        flow.first(Step("engine", seats=tuple(fast)))
    return True


# -- the end of a turn --------------------------------------------------------------------


def _end(flow: Flow, step: Step) -> bool:
    """Debris markers are laid, cars that are out are lifted, the next turn begins."""
    if police.decide(flow):
        return True  # FD-URBAN-5: the last that had not passed is out
    flow.take()
    for seat in step.seats:
        lay_marker(flow, seat)
    flow.tell(ev.TurnEnded(seat=step.seat))
    next_turn(flow)
    return True


_AUTOMATIC: dict[str, Callable[[Flow, Step], bool]] = {
    "slipstream": _slipstream,
    "charge": _charge,
    "halt": _halt,
    "bump": _bump,
    "collision": _collision,
    "touch": _collision,
    "lift": wrecks.lift,
    "tests": _tests,
    "engine": setting_up.all_said,
    "weather": weather.skip_if_settled,
    "build": setting_up.all_said,
    "tires": setting_up.all_said,
    "length": length.move_if_plain,
    "trial": trials.begin_trial,
    "judge": trials.judge,
    "ranking": trials.rank,
    "grid": settle_grid,
    "stop": pitstop.choose_or_roll,
    "repair": pitstop.repair_if_plain,
    "arrive": reports.arrive,
    "order": boardless_rounds.begin_if_plain,
    **urban_steps.AUTOMATIC,
    "end": _end,
}
