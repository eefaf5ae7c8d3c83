"""Where the cars are on the road, out of its states: in rows, in levels, and who passes whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from companion.league.games.formula.laps import FormulaRace, begins_round
from companion.rules.board.track import Track
from companion.rules.commands import Correct
from companion.rules.formula.car import RUNNING, Status
from companion.rules.formula.corners import Finished
from companion.rules.formula.elimination import Eliminated
from companion.rules.formula.moving import Moved
from companion.rules.formula.order import progress
from companion.rules.formula.referee import Retired, Returned
from companion.rules.formula.rounds import RoundBegan
from companion.rules.formula.state import Event, State

ON_THE_ROAD = RUNNING - {Status.PIT}
"""A car in the pit lane is not passed: it let the others by."""
LEVELS_A_SPACE = 2
"""`Track.level` counts so that a space may lie half-way between two of the next lane."""


def rows_by_round(race: FormulaRace) -> list[list[int]]:
    """All seats from first to last at the start of each round, and at the end of the race."""
    home: list[int] = []
    out: list[int] = []
    rows: list[list[int]] = []
    for event in race.events():
        seat = event.seat
        match event:
            case RoundBegan(order=order):
                rows.append([*home, *order, *reversed(out)])
            case Finished():
                home.append(seat)
            case Eliminated() | Retired() if seat not in out:
                out.append(seat)
            case Returned() if seat in out:
                out.remove(seat)
    end = race.endings[-1] if race.endings else ()
    return [*rows, [row.seat for row in end]]


def gaps_by_round(race: FormulaRace) -> list[dict[int, float]]:
    """How many spaces each running car is behind the first at the start of each round.

    In halves, along the middle of the road; a car in the pit lane is where the lane lies
    (FD-PIT-5). Nothing without a board.
    """
    track = race.track
    if track is None:
        return []
    starts = [move.state for move in race.moves if begins_round(move)]
    return [_gaps(_standing(track, state, RUNNING)) for state in starts]


def passes(race: FormulaRace) -> list[tuple[int, int]]:
    """Who passed whom on the road, in order: by a move of its own, cars in the pit left out.

    Cars that stand side by side (on one level) have not passed each other yet.
    """
    track = race.track
    if track is None:
        return []
    found: list[tuple[int, int]] = []
    before: dict[int, int] = {}
    for move in race.moves:
        now = _standing(track, move.state, ON_THE_ROAD)
        for seat in _movers(move.events):
            if seat in before and seat in now:
                found += [(seat, other) for other in _passed(seat, before, now)]
        before = now if isinstance(move.command, Correct) else _settled(before, now)
    return found


def _movers(events: Sequence[Event]) -> list[int]:
    return list(dict.fromkeys(event.seat for event in events if isinstance(event, Moved)))


def _passed(seat: int, before: Mapping[int, int], now: Mapping[int, int]) -> list[int]:
    """Cars that were ahead, or passed level, and are behind now."""
    return [
        other
        for other in now
        if other != seat
        and other in before
        and before[seat] < before[other]
        and now[seat] > now[other]
    ]


def _settled(before: Mapping[int, int], now: Mapping[int, int]) -> dict[int, int]:
    """Where the cars are now; one that has drawn level keeps where it came from.

    So whoever draws level in one move and ahead in the next has passed, and who falls back
    again has not.
    """
    settled = dict(now)
    for seat, place in now.items():
        is_level = any(other != seat and now[other] == place for other in now)
        was = before.get(seat)
        if is_level and was is not None and was < place:
            settled[seat] = was
    return settled


def _standing(track: Track, state: State, among: Collection[Status]) -> dict[int, int]:
    """The progress of every car of one of these kinds that stands on the board, by seat."""
    cars = (car for car in state.cars.values() if car.status in among and car.space is not None)
    return {car.seat: progress(track, car) for car in cars}


def _gaps(standing: Mapping[int, int]) -> dict[int, float]:
    first = max(standing.values(), default=0)
    return {seat: (first - place) / LEVELS_A_SPACE for seat, place in standing.items()}
