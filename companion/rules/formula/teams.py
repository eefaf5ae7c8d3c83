"""Points by place, and the classification of teams (FD-TEAM-1)."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.formula.order import classification
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Car, Phase, State, Status
from companion.rules.formula.tables import POINTS_BY_PLACE


def points_for(setup: Setup, place: int, car: Car) -> int:
    """Points by place, by house switch `points`; an eliminated car scores nothing."""
    points = POINTS_BY_PLACE[setup.points]
    return points[place - 1] if place <= len(points) and car.status is not Status.OUT else 0


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
        scored = points_for(state.setup, place, car) if over or car.status is Status.FINISHED else 0
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
