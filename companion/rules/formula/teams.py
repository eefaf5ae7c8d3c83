"""Points by place, and the classification of teams (FD-TEAM-1)."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.rules.formula.car import Car, Status
from companion.rules.formula.order import classification, progress
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Phase, State
from companion.rules.formula.tables import POINTS_BY_PLACE

WHOLE: Final = 2
"""The halves of what a race is worth."""
ENOUGH: Final = 0.75
LEAST_LAPS: Final = 2
"""House switch `stopped_points`."""


def points_for(state: State, place: int, car: Car) -> int:
    """Points by place, by house switch `points`.

    An eliminated car scores nothing; by house switch `classified` it scores where it came 90 % of
    the distance (GG), or as far as it came (SBMRL, RBB, the federation's variants, 21-A).
    """
    points = POINTS_BY_PLACE[state.setup.house.points]
    if place > len(points) or not _is_classified(state.setup, car):
        return 0
    return points[place - 1] * _worth(state) // WHOLE


def _is_classified(setup: Setup, car: Car) -> bool:
    if car.status is not Status.OUT or setup.house.classified == "distance":
        return True
    classified = setup.house.classified
    return classified != "line" and _share(setup, car) * 100 >= int(classified)


def _share(setup: Setup, car: Car) -> float:
    """The part of the race that a car has come, from the line where its first lap began."""
    lap = setup.track.lap_levels
    return (progress(setup.track, car) - lap) / (setup.laps * lap)


def _worth(state: State) -> int:
    """Of two halves, how many the points of a race are worth that was stopped before its end.

    House switch `stopped_points`: less than 75 % of the distance is worth half (variants, 21-B),
    and less than two laps nothing (GG). What the books say of half a point is not known: it falls
    away.
    """
    setup, cars = state.setup, state.cars.values()
    ran = [car for car in cars if car.runs]
    whole = setup.house.stopped_points == "full" or state.phase is not Phase.FINISHED or not ran
    if whole or any(car.status is Status.FINISHED for car in cars):
        return WHOLE
    share = max(_share(setup, car) for car in ran)
    if setup.house.stopped_points == "half-75-2-laps" and share * setup.laps < LEAST_LAPS:
        return 0
    return WHOLE if share >= ENOUGH else 1


class TeamRow(NamedTuple):
    """A team with its points, and its place once the race is over."""

    team: str
    points: int
    place: int | None


def rank_teams(state: State) -> list[TeamRow]:
    """The teams, best first.

    Cars score as they finish. Equal totals: the better best car.
    """
    over = state.phase is Phase.FINISHED
    points: dict[str, int] = {}
    best: dict[str, int] = {}
    for place, car in enumerate(classification(state), 1):
        if car.team is None:
            continue
        scored = points_for(state, place, car) if over or car.status is Status.FINISHED else 0
        points[car.team] = points.get(car.team, 0) + scored
        best.setdefault(car.team, place)
    ranked = sorted(points, key=lambda team: (-points[team], best[team]))
    return [
        TeamRow(team, points[team], place if over else None) for place, team in enumerate(ranked, 1)
    ]


def tell_teams(state: State) -> list[dict[str, object]]:
    """The teams as STATE tells them."""
    return [
        row._asdict() | ({"pool": state.pools[row.team]} if row.team in state.pools else {})
        for row in rank_teams(state)
    ]
