"""Time trials: one lap alone for each car, which decides the grid (FD-TRIAL).

A trial is a queue of its own: `trial` puts the car before the line, then `gear`, `roll` and
`move` as in a race, `judge` after each move, `time` once the line is crossed again. Wear
points are not counted; what counts is kept in `Car.trial`. `ranking` makes the grid of it.
"""

from __future__ import annotations

from typing import Any

from companion.rules.board.track import Track
from companion.rules.errors import Illegal, Malformed
from companion.rules.formula import events as ev
from companion.rules.formula.asks import TimeAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.marks import mark_stop
from companion.rules.formula.option import Option
from companion.rules.formula.state import Car, State, Step, Trial
from companion.rules.formula.tables import TRIAL_LAPS
from companion.rules.formula.urban.drivers import gallant
from companion.rules.game import Ask

MINUTE_S = 60
LONGEST_S = 86_400


def begin_trial(flow: Flow, step: Step) -> bool:
    """An automatic step: the car stands alone on the middle space just before the line."""
    track = flow.state.setup.track
    middle = len(track.lanes) // 2
    space = track.ids[track.behind[track.finish[middle]]]
    flow.take()
    flow.tell(ev.TrialBegan(seat=step.seat, rule="FD-TRIAL-1", space=space))
    flow.first(Step("gear", step.seat))
    return True


def follow_trial_way(flow: Flow, seat: int, option: Option) -> None:
    """Put the car at the end of its way and count what it has overshot (FD-TRIAL-2)."""
    track, car, arrival = flow.state.setup.track, flow.car(seat), option.arrival
    assert car.space is not None
    corner = track.corner[option.to]
    flow.tell(
        ev.Moved(
            seat=seat,
            rule="FD-TRIAL-1",
            start=track.ids[car.space],
            to=track.ids[option.to],
            spaces=option.spaces,
            stops=car.stops if corner >= 0 and corner == track.corner[car.space] else 0,
        )
    )
    if arrival.line:
        flow.tell(ev.LineCrossed(seat=seat, rule="FD-TRIAL-1", lap=car.lap + 1))
    if arrival.fatal:
        flow.tell(ev.TrialEnded(seat=seat, rule="FD-TRIAL-3", reached=_reached(track, flow, seat)))
        return
    if arrival.spaces:
        name = track.corners[arrival.corner].name
        flow.tell(
            ev.TrialOvershot(seat=seat, rule="FD-TRIAL-2", corner=name, spaces=arrival.beyond)
        )
    flow.first(Step("judge", seat, flags=("overshot",) if arrival.spaces else ()))


def _reached(track: Track, flow: Flow, seat: int) -> int:
    """How far a trial came, in levels from the line."""
    car = flow.car(seat)
    assert car.space is not None
    return car.lap * track.lap_levels + track.level[car.space]


def judge(flow: Flow, step: Step) -> bool:
    """An automatic step: a lap driven asks for its time; else a stop is marked, and on."""
    flow.take()
    car, track = flow.car(step.seat), flow.state.setup.track
    assert car.space is not None
    if car.lap > TRIAL_LAPS:
        flow.first(Step("time", step.seat))
        return True
    corner = track.corner[car.space]
    if corner >= 0 and not step.flags:
        mark_stop(flow, car, corner)
    flow.first(Step("gear", step.seat))
    return True


def ask_time(_: State, step: Step) -> list[Ask]:
    """FD-TRIAL-1: the stopwatch of the table."""
    return [TimeAsk(step.seat)]


def answer_time(flow: Flow, seat: int, value: Any) -> None:
    """FD-TRIAL-1, FD-TRIAL-2: seconds, with or without a fraction."""
    if type(value) not in (int, float):
        raise Malformed("time-form", f"time is a number of seconds, not {value!r:.60}")
    if not 0 < value <= LONGEST_S:
        raise Illegal(
            "time-out-of-range",
            f"a trial takes more than 0 and at most {LONGEST_S} seconds, not {value!r:.20}",
            rule="FD-TRIAL-1",
        )
    flow.take()
    trial = flow.car(seat).trial or Trial()
    flow.tell(ev.TrialTimed(seat=seat, rule="FD-TRIAL-2", seconds=value, score=score(trial, value)))


def score(trial: Trial, seconds: float) -> int:
    """FD-TRIAL-2: gear rolls, full minutes and spaces of overshoot; car A of FD-TRIAL-4.

    >>> score(Trial(rolls=18, beyond=2), 4 * 60 + 23)
    24
    """
    return trial.rolls + int(seconds // MINUTE_S) + trial.beyond


def rank(flow: Flow, _: Step) -> bool:
    """An automatic step: the grid by the trials; who is equal in all rolls the black die."""
    flow.take()
    cars = flow.state.running()
    keys = sorted({_key(car) for car in cars})
    equal = (tuple(car.seat for car in cars if _key(car) == key) for key in keys)
    groups = tuple(part for group in equal for part in gallant(flow.state, group))
    flow.tell(ev.TrialsRanked(rule="FD-TRIAL-2", seats=tuple(s for group in groups for s in group)))
    flow.first(Step("grid", groups=groups))
    return True


def _key(car: Car) -> tuple[bool, float, float]:
    """FD-TRIAL-2: lowest score, then the shorter time; FD-TRIAL-3: ended ones by distance."""
    trial = car.trial or Trial(reached=0)
    if trial.seconds is None:
        return True, -(trial.reached or 0), 0
    return False, score(trial, trial.seconds), trial.seconds
