"""The grid: by the black die, ties rolled again (FD-GRID, DE-GRID), or by time trials (FD-TRIAL).

House switch `grid_die`: the highest roll has pole (FD-GRID-1), or the lowest (DE-GRID-1).
"""

from __future__ import annotations

from typing import Annotated, Final

from companion.rules.board.track import Track
from companion.rules.codec import How, Many, Pair, Seat, Within, replace
from companion.rules.formula.asks import BlackAsk, TimeAsk
from companion.rules.formula.book import BLACK_DIE, TRIAL_LAPS, Outcome, Reason
from companion.rules.formula.car import LONGEST_TRIAL_S, UNMOVED, Car, Point, Trial, Way
from companion.rules.formula.corners import mark_stop
from companion.rules.formula.drivers import gallant
from companion.rules.formula.gears import Gear
from companion.rules.formula.losses import read_roll
from companion.rules.formula.state import (
    Asks,
    ByItself,
    Event,
    Flow,
    Phase,
    SeatStep,
    State,
    Step,
    but,
)
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse

Group = tuple[int, ...]
"""Seats that are equal on the grid."""


class GridRolled(Event):
    """A roll for the grid."""

    roll: int


class GridTied(Event):
    """These seats tie and roll again."""

    seats: tuple[int, ...]


class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        return state.ground.set_grid(state, self.order)


FACES: Final = tuple(Outcome(face, face) for face in range(BLACK_DIE[0], BLACK_DIE[1] + 1))
"""Each number of the black die counts for itself."""


class Grid(Step, kind="grid", at=Point.BEFORE_THE_RACE, rule="FD-GRID-1", before_race=True):
    """Groups of tied cars in order, and the rolls of those who have rolled (again)."""

    groups: Annotated[tuple[Group, ...], Many(Many(Seat()))] = ()
    rolls: Annotated[tuple[tuple[int, int], ...], Many(Pair(Seat(), Within(*BLACK_DIE)))] = ()

    def _open(self) -> list[int]:
        """Who is still to roll."""
        rolled = {seat for seat, _ in self.rolls}
        tied = (group for group in self.groups if len(group) > 1)
        return [seat for group in tied for seat in group if seat not in rolled]

    def waits(self, state: State) -> bool:
        return bool(self._open())

    def asks(self, state: State) -> Asks:
        return [BlackAsk(seat, reason=Reason.GRID, outcomes=FACES) for seat in self._open()]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-GRID-1, FD-GRID-2."""
        roll = read_roll(ask, value).number
        flow.tell(GridRolled(seat=ask.seat, rule=self.rule, roll=roll))
        # Sorted, so that the state does not depend on who answered first.
        flow.due(replace(self, rolls=tuple(sorted((*self.rolls, (ask.seat, roll))))))

    def settle(self, flow: Flow) -> None:
        """Sort the groups, all having rolled; those who tie roll again (FD-GRID-2)."""
        rolls, low_first = dict(self.rolls), flow.state.setup.house.grid_die == "low"
        groups = tuple(
            part
            for group in self.groups
            for equal in _split(group, rolls, low_first)
            for part in gallant(flow.state, equal)
        )
        for group in groups:
            if len(group) > 1:
                flow.tell(GridTied(seat=0, rule="FD-GRID-2", seats=group))
        if any(len(group) > 1 for group in groups):
            flow.due(Grid(groups=groups))
            return
        order = tuple(seat for (seat,) in groups)
        flow.tell(GridSet(seat=0, rule=self.rule, order=order))

    def without(self, seat: int, *, retired: bool) -> Step:
        groups = (but(group, seat) for group in self.groups)
        rolls = tuple(roll for roll in self.rolls if roll[0] != seat)
        return replace(self, groups=tuple(group for group in groups if group), rolls=rolls)

    def check(self, state: State) -> None:
        seats = sorted(car.seat for car in state.running())
        if sorted(seat for group in self.groups for seat in group) != seats:
            bad("grid-form", f"groups name each of the seats {seats} once")


def _split(group: Group, rolls: dict[int, int], low_first: bool) -> list[Group]:
    """A group by its rolls, the first place first; those who tie stay together."""
    if len(group) == 1:
        return [group]
    faces = sorted({rolls[seat] for seat in group}, reverse=not low_first)
    return [tuple(seat for seat in group if rolls[seat] == face) for face in faces]


# -- time trials: one lap alone for each car, which decides the grid (FD-TRIAL) -------------------

# A trial is a queue of its own: `trial` puts the car before the line, then `gear`, `roll` and
# `move` as in a race, `judge` after each move, `time` once the line is crossed again. Wear points
# are not counted; what counts is kept in `Car.trial`. `ranking` makes the grid of it.
#
# House switch `trial_corner`: with "missing" two stops missing end a trial, whether one was made
# or not (competition rules of 2018, 1-1-14), where the book's only end it with none (FD-TRIAL-3).
# House switch `trial_ties`: of equal trials the one driven first is ahead (1-3-2), or a die
# decides.


class TrialBegan(Event):
    """A car begins its time trial, alone, from this space."""

    space: str

    def applied(self, state: State) -> State:
        space = state.setup.track.index[self.space]
        state = state.change(self.seat, space=space, trial=Trial(), stops=0)
        return replace(state, phase=Phase.TRIALS)


class TrialOvershot(Event):
    """A corner was left with a stop missing in a trial: spaces that count."""

    corner: str
    spaces: int

    def applied(self, state: State) -> State:
        trial = state.cars[self.seat].trial or Trial()
        trial = replace(trial, beyond=trial.beyond + self.spaces)
        return state.change(self.seat, trial=trial)


class TrialTimed(Event):
    """A trial is over: its time in seconds, and its score."""

    seconds: float
    score: int

    def applied(self, state: State) -> State:
        trial = replace(state.cars[self.seat].trial or Trial(), seconds=self.seconds)
        return _lifted(state, self.seat, trial)


class TrialEnded(Event):
    """A trial ended in a corner without a stop; `reached` is how far it came, in levels."""

    reached: int

    def applied(self, state: State) -> State:
        trial = replace(state.cars[self.seat].trial or Trial(), reached=self.reached)
        return _lifted(state, self.seat, trial)


def _lifted(state: State, seat: int, trial: Trial) -> State:
    """The car is lifted and stands ready for the race again."""
    return state.change(seat, trial=trial, **UNMOVED)


class TrialsRanked(Event):
    """All trials are over: the seats in their order, equal ones side by side."""

    seats: tuple[int, ...]

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.SETUP)


class NextTrial(
    ByItself,
    kind="trial",
    at=Point.BEFORE_THE_RACE,
    rule="FD-TRIAL-1",
    needs=("trials",),
    before_race=True,
):
    """Who drives next."""

    def settle(self, flow: Flow) -> None:
        """The car stands alone on the middle space just before the line."""
        track = flow.state.setup.track
        middle = len(track.lanes) // 2
        space = track.ids[track.behind[track.finish[middle]]]
        flow.tell(TrialBegan(seat=self.seat, rule=self.rule, space=space))
        flow.due(Gear(seat=self.seat))


class Judge(
    ByItself, kind="judge", at=Point.JUDGE, rule="FD-TRIAL-1", needs=("trials",), on_trial=True
):
    """The end of a move in a trial; `overshot`: it is no stop (FD-CORNER-4)."""

    overshot: Annotated[bool, How("overshot")] = False

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """What was overshot counts (FD-TRIAL-2), or ends the trial (FD-TRIAL-3)."""
        track, arrival = flow.state.setup.track, way.option.arrival
        if arrival.fatal:
            reached = _reached(track, flow.car(way.seat))
            flow.tell(TrialEnded(seat=way.seat, rule="FD-TRIAL-3", reached=reached))
            # Nothing is put in: the next trial, or the ranking, is first in the queue by now.
            return
        if way.overshot:
            # Not `arrival.spaces`: in a trial the tires multiply the spaces that count
            # (FD-TRIAL-1).
            corner, spaces = track.corners[arrival.corner].name, arrival.beyond
            rule = "FD-TRIAL-2"
            flow.tell(TrialOvershot(seat=way.seat, rule=rule, corner=corner, spaces=spaces))
        flow.due(cls(seat=way.seat, overshot=way.overshot))

    def settle(self, flow: Flow) -> None:
        """After a whole lap its time is asked; otherwise a stop is marked and the trial goes on."""
        car, track = flow.car(self.seat), flow.state.setup.track
        assert car.space is not None
        if car.lap > TRIAL_LAPS:
            flow.due(Time(seat=self.seat))
            return
        corner = track.corner[car.space]
        if corner >= 0 and not self.overshot:
            mark_stop(flow, car, corner)
        flow.due(Gear(seat=self.seat))


def _reached(track: Track, car: Car) -> int:
    """How far a trial came, in levels from the line."""
    assert car.space is not None
    return car.lap * track.lap_levels + track.level[car.space]


class Time(
    SeatStep, kind="time", at=Point.TIME, rule="FD-TRIAL-1", needs=("trials",), on_trial=True
):
    """How long the lap took, by the stopwatch of the table."""

    def asks(self, state: State) -> Asks:
        return [TimeAsk(self.seat)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-TRIAL-1, FD-TRIAL-2: seconds, with or without a fraction."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            bad("time-form", f"time is a number of seconds, not {value!r:.60}")
        if not 0 < value <= LONGEST_TRIAL_S:
            message = f"a trial takes more than 0 and at most {LONGEST_TRIAL_S} seconds"
            refuse("time-out-of-range", f"{message}, not {value!r:.20}", rule=self.rule)
        counted = score(flow.car(self.seat).trial or Trial(), value)
        rule = "FD-TRIAL-2"
        flow.tell(TrialTimed(seat=self.seat, rule=rule, seconds=value, score=counted))


class Ranking(
    Step,
    kind="ranking",
    at=Point.BEFORE_THE_RACE,
    rule="FD-TRIAL-2",
    needs=("trials",),
    before_race=True,
):
    """The grid by the trials; who is equal in all rolls the black die."""

    def waits(self, state: State) -> bool:
        return False

    def settle(self, flow: Flow) -> None:
        cars = flow.state.running()
        ranks = sorted({_rank(car) for car in cars})
        equal = [tuple(car.seat for car in cars if _rank(car) == rank) for rank in ranks]
        if flow.state.setup.house.trial_ties == "first":
            # Trials are driven in the order of the cars, so the one driven first stands first.
            equal = [(seat,) for group in equal for seat in group]
        groups = tuple(part for group in equal for part in gallant(flow.state, group))
        seats = tuple(seat for group in groups for seat in group)
        flow.tell(TrialsRanked(seat=0, rule=self.rule, seats=seats))
        flow.due(Grid(groups=groups))


MINUTE_S = 60


def score(trial: Trial, seconds: float) -> int:
    """FD-TRIAL-2: gear rolls, full minutes and spaces of overshoot; car A of FD-TRIAL-4.

    >>> score(Trial(rolls=18, beyond=2), 4 * 60 + 23)
    24
    """
    return trial.rolls + int(seconds // MINUTE_S) + trial.beyond


def _rank(car: Car) -> tuple[bool, float, float]:
    """FD-TRIAL-2: lowest score, then the shorter time; FD-TRIAL-3: ended ones by distance."""
    trial = car.trial or Trial(reached=0)
    if trial.seconds is None:
        return True, -(trial.reached or 0), 0
    return False, score(trial, trial.seconds), trial.seconds
