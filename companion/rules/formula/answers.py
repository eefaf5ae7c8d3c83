"""What an answer brings about: one small function for each kind of pending step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.errors import Malformed
from companion.rules.formula import events as ev
from companion.rules.formula import hurts, length, pitstop, setting_up, trials, turn, weather
from companion.rules.formula.asking import stands_in_box
from companion.rules.formula.black import black_roll
from companion.rules.formula.boardless import reports
from companion.rules.formula.boardless.rounds import answer_order
from companion.rules.formula.flow import Decision, Flow
from companion.rules.formula.gears import GearChoice, gear_choices, trial_gears
from companion.rules.formula.losses import mark, put_out
from companion.rules.formula.moves import (
    corners_entered,
    move_options,
    slipstream_leader,
    slipstream_options,
)
from companion.rules.formula.option import Option
from companion.rules.formula.refuse import (
    not_asked,
    refuse_face,
    refuse_gear,
    refuse_move,
    whole_number,
)
from companion.rules.formula.sketch import near_ends
from companion.rules.formula.state import Car, Phase, State, Status, Step
from companion.rules.formula.tables import (
    BRAKES,
    ENGINE,
    GEAR_DICE,
    GREAT_START,
    SLIPSTREAM_CORNER_COST,
    START_RANGES,
    WEATHER_FACES,
)
from companion.rules.formula.urban import regain, reroll, shots, street, trail
from companion.rules.formula.urban.drift import DRIFTS
from companion.rules.formula.wear import one
from companion.rules.game import Answer, Ask


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision:
    """What follows from an answer, down to the next ask.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    ask = next((a for a in open_asks if (a.seat, a.kind) == (answer.seat, answer.kind)), None)
    if ask is None:
        raise not_asked(answer, open_asks)
    flow = Flow(state)
    _ANSWERS[state.pending[0].kind](flow, answer.seat, answer.value)
    turn.settle(flow)
    return flow.done()


# -- grid and start -----------------------------------------------------------------------


def _grid(flow: Flow, seat: int, value: Any) -> None:
    """FD-GRID-1, FD-GRID-2."""
    roll = black_roll(flow.state, "grid", value)
    step = flow.take()
    flow.tell(ev.GridRolled(seat=seat, rule="FD-GRID-1", roll=roll))
    rolls = dict(step.rolls) | {seat: roll}
    flow.first(replace(step, rolls=tuple(sorted(rolls.items()))))


def _start(flow: Flow, seat: int, value: Any) -> None:
    """FD-START-2 to FD-START-4, DE-START-1."""
    roll = black_roll(flow.state, "start", value)
    flow.take()
    (stalled, _), (_, normal), _ = START_RANGES
    place = 0 if roll <= stalled else 1 if roll <= normal else 2
    outcome = flow.state.setup.edition.start_outcomes[place]
    rule = ("FD-START-2", "FD-START-3", "FD-START-4")[place]
    flow.tell(ev.StartRolled(seat=seat, rule=rule, roll=value, outcome=outcome))
    if outcome == "normal":
        flow.first(Step("gear", seat))
    elif outcome == "double":
        flow.first(Step("gear", seat), Step("double", seat))
    elif outcome == "great":
        flow.first(length.to_move(flow.state, seat, GREAT_START, ("great",)))


# -- gear and roll ------------------------------------------------------------------------


def _gear(flow: Flow, seat: int, value: Any) -> None:
    """FD-GEAR-1 to FD-GEAR-3, FD-REV-1, FD-REV-2."""
    car = flow.car(seat)
    in_box = stands_in_box(flow.state, seat)
    gear = whole_number("gear", value)
    on_trial = flow.state.phase is Phase.TRIALS
    choices = trial_gears(car) if on_trial else gear_choices(car, in_box=in_box)
    choice = next((c for c in choices if c.gear == gear), None)
    if choice is None:
        raise refuse_gear(flow.state.setup.edition, car, gear, in_box=in_box)
    flow.take()
    if car.status is Status.SPUN:
        flow.tell(ev.TurnedRound(seat=seat, rule="FD-CORNER-6"))
    flow.tell(ev.GearEngaged(seat=seat, rule="FD-GEAR-1", gear=gear, before=car.gear))
    flow.first(Step("roll", seat))
    if choice.skipped:
        _over_rev(flow, car, choice)


def _over_rev(flow: Flow, car: Car, choice: GearChoice) -> None:
    flow.tell(
        ev.OverRevved(seat=car.seat, rule="FD-REV-1", skipped=choice.skipped, cost=choice.cost)
    )
    if choice.out:
        put_out(flow, car.seat, "engine", "FD-REV-2")
    elif choice.cost[ENGINE]:
        mark(flow, car.seat)


def _roll(flow: Flow, seat: int, value: Any) -> None:
    """FD-DIE-1, FD-ENGINE-1, FD-WEATHER-3."""
    car = flow.car(seat)
    face = whole_number("roll", value)
    low, high = GEAR_DICE[car.gear]
    if not low <= face <= high:
        raise refuse_face(car.gear, face)
    flow.take()
    flow.tell(ev.DieRolled(seat=seat, rule="FD-DIE-1", gear=car.gear, face=face))
    spaces = face
    if flow.queue[0].kind == "double":
        flow.take()
        spaces = 2 * face  # DE-START-1
    flow.first(length.to_move(flow.state, seat, spaces))
    street.note_roll(flow, seat, face)
    if flow.state.phase is Phase.TRIALS:
        return
    tested = face in flow.state.setup.edition.engine_faces.get(car.gear, ())
    if tested and car.status is not Status.PIT:
        flow.before_end(Step("tests", seat))
    if WEATHER_FACES.get(car.gear) == face and weather.may_change(flow.state):
        flow.before_end(Step("weather", seat))


# -- the way ------------------------------------------------------------------------------


def _chosen(flow: Flow, options: Sequence[Option], kind: str, value: Any) -> Option:
    """The option that an answer names by its end and the brakes spent, or one near it."""
    track = flow.state.setup.track
    if not isinstance(value, dict) or set(value) != {"to", "brakes"}:
        raise Malformed(
            "move-form",
            f'{kind} is {{"to": a space, "brakes": a number}}, not {value!r:.60}',
            args={"kind": kind},
        )
    to, brakes = value["to"], whole_number("brakes", value["brakes"])
    if not isinstance(to, str):
        raise Malformed("move-form", f"to is the name of a space, not {to!r:.60}")
    for option in options:
        if track.ids[option.to] == to and option.brakes == brakes:
            return option
    seat = flow.queue[0].seat
    for end in near_ends(flow.state, seat, options) if kind == "move" else ():
        if track.ids[end.space] == to and end.listed.brakes == brakes:
            flow.tell(ev.EndedNear(seat=seat, to=to, listed=track.ids[end.listed.to]))
            return end.option()
    raise refuse_move(track, options, to, brakes)


def _move(flow: Flow, seat: int, value: Any) -> None:
    """FD-MOVE-1 to FD-MOVE-5; what the way costs is queued."""
    if flow.state.setup.boardless:
        reports.answer_report(flow, seat, value)
        return
    step = flow.queue[0]
    option = _chosen(flow, move_options(flow.state, step), "move", value)
    flow.take()
    if flow.state.phase is Phase.TRIALS:
        trials.follow_trial_way(flow, seat, option)
        return
    street.before_way(flow, seat, option, drifts=DRIFTS in step.flags)
    how = next((flag for flag in step.flags if flag != DRIFTS), "move")
    turn.follow_way(flow, seat, option, how, charmed=option.charmed)


def _slipstream(flow: Flow, seat: int, value: Any) -> None:
    """FD-SLIP-1 to FD-SLIP-6."""
    if value is None:
        flow.take()
        flow.tell(ev.SlipstreamDeclined(seat=seat, rule="FD-SLIP-6"))
        return
    state, charmed = flow.state, "charmed" in flow.queue[0].flags
    options = slipstream_options(state, seat, charmed=charmed)
    option = _chosen(flow, options, "slipstream", value)
    leader, start = slipstream_leader(state, seat), state.cars[seat].space
    assert leader is not None
    assert start is not None
    entered = corners_entered(state.setup.track, start, option.arrival, option.spaces)
    cost = one(BRAKES, entered * SLIPSTREAM_CORNER_COST)
    flow.take()
    rule = "FD-SLIP-5" if entered else "FD-SLIP-1"
    flow.tell(ev.Slipstreamed(seat=seat, rule=rule, behind=leader.seat, cost=cost))
    street.before_way(flow, seat, option, drifts=False)
    turn.follow_way(flow, seat, option, "slipstream", charmed=charmed or option.charmed)


# -- pit and weather -----------------------------------------------------------------------


def _pit(flow: Flow, seat: int, value: Any) -> None:
    pitstop.tell_pit_roll(flow, seat, black_roll(flow.state, "pit", value), value)


def _weather(flow: Flow, seat: int, value: Any) -> None:
    reroll.take_weather(flow, seat, black_roll(flow.state, "weather", value), value)


_ANSWERS: dict[str, Callable[[Flow, int, Any], None]] = {
    "grid": _grid,
    "start": _start,
    "gear": _gear,
    "roll": _roll,
    "move": _move,
    "debris": hurts.answer_debris,
    "slipstream": _slipstream,
    "pit": _pit,
    "collision": hurts.answer_collision,
    "touch": hurts.answer_touch,
    "engine": hurts.answer_engine,
    "weather": _weather,
    "build": setting_up.answer_build,
    "tires": setting_up.answer_tires,
    "length": length.answer_length,
    "time": trials.answer_time,
    "stop": pitstop.answer_stop,
    "repair": pitstop.answer_repair,
    "recover": regain.answer_recover,
    "noise": shots.answer_noise,
    "radio": shots.answer_radio,
    "throw": shots.answer_throw,
    "trail": trail.answer_trail,
    "reroll": reroll.answer_reroll,
    "order": answer_order,
}
