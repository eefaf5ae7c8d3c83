"""A competition as a whole: standings over its stages, and who goes from one into the next; pure.

Decided by the sum, the points of all stages that add are put together, and equal points go to who
has more wins, then more second places, over all of them. Decided by stages, whoever came further
stands before whoever did not: the final before the heats, the upper division before the lower one;
within a stage its own order holds, and of stages side by side (heats) first all winners, of whom
the one with more points, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from companion.frozen import dataclass
from companion.league.classified import classify
from companion.league.competing import Competition, Path
from companion.league.errors import BadAct
from companion.league.plain import Race, Season
from companion.league.points import tidy
from companion.league.scores import is_classified
from companion.league.standings import Standing, rounds_of, standings, team_standings

Table = tuple[Season, Sequence[Standing]]
"""A stage and its standings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall:
    """A line of a competition. `parts` are its lines in the stages, by their keys; `last` is the
    title of the last stage that was reached."""

    place: int
    key: str
    name: str
    points: float
    team: str | None
    last: str
    parts: Mapping[str, Standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualified:
    """Somebody who goes from a place of a stage into another."""

    driver: str
    name: str
    place: int
    into: str


def tables_of(
    stages: Iterable[Season],
    races: Iterable[Race],
    names: Mapping[str, str] | None = None,
    *,
    of_teams: bool = False,
) -> list[Table]:
    """The standings of each stage, of drivers or of teams."""
    own: dict[str | None, list[Race]] = {}
    for race in races:
        own.setdefault(race.season, []).append(race)
    return [
        (
            stage,
            team_standings(stage, own.get(stage.key, ()))
            if of_teams
            else standings(stage, own.get(stage.key, ()), names),
        )
        for stage in stages
    ]


def overall(competition: Competition, tables: Sequence[Table]) -> list[Overall]:
    """The standings over all stages, best first."""
    parts: dict[str, dict[str, Standing]] = {}
    for stage, lines in tables:
        for line in lines:
            parts.setdefault(line.key, {})[stage.key] = line
    merit = _by_sum if competition.ranking == "sum" else _by_stages
    stages = [stage for stage, _ in tables]
    merits = {key: merit(stages, own) for key, own in parts.items()}
    found = [_line(key, own, stages, competition) for key, own in parts.items()]
    found.sort(key=lambda line: (line.name.casefold(), line.key))
    found.sort(key=lambda line: merits[line.key], reverse=True)  # stable
    placed: list[Overall] = []
    for number, one in enumerate(found, 1):
        is_shared = bool(placed) and merits[placed[-1].key] == merits[one.key]
        placed.append(replace(one, place=placed[-1].place if is_shared else number))
    return placed


Merit = tuple[float, ...]


def _by_sum(stages: Sequence[Season], own: Mapping[str, Standing]) -> Merit:
    adding = [own[one.key] for one in stages if one.adds and one.key in own]
    places = [one.place for line in adding for one in line.scores if one.is_classified]
    most = max(places, default=0)
    total = tidy(sum(line.points for line in adding))
    return total, *(places.count(place) for place in range(1, most + 1))


def _by_stages(stages: Sequence[Season], own: Mapping[str, Standing]) -> Merit:
    last = _last(stages, own)
    line = own[last.key]
    return last.step, -last.tier, -line.place, line.points


def _last(stages: Sequence[Season], own: Mapping[str, Standing]) -> Season:
    """The last stage that somebody reached; side by side, the uppermost one."""
    return max((one for one in stages if one.key in own), key=lambda one: (one.step, -one.tier))


def _line(
    key: str, own: Mapping[str, Standing], stages: Sequence[Season], competition: Competition
) -> Overall:
    last = _last(stages, own)
    adding = (own[one.key].points for one in stages if one.key in own and one.adds)
    is_sum = competition.ranking == "sum"
    return Overall(
        place=0,
        key=key,
        name=own[last.key].name,
        points=tidy(sum(adding)) if is_sum else own[last.key].points,
        team=own[last.key].team,
        last=last.title,
        parts=dict(own),
    )


# -- who goes on ----------------------------------------------------------------------------


def qualified(
    stage: Season, races: Sequence[Race], names: Mapping[str, str] | None = None
) -> list[Qualified]:
    """Who goes from a stage into which other, way by way; who has gone one way goes no other.

    Places of the standings are counted without those who only stand in for others.

    Raises:
        BadAct: two share a place, of whom one would go on: somebody has to decide first.
    """
    gone: set[str] = set()
    found: list[Qualified] = []
    only = {one.driver for one in stage.entrants if one.role != "regular"}
    lines = [line for line in standings(stage, races, names) if line.key not in only]
    known = {line.key: line.name for line in lines}
    for path in stage.paths:
        ranks = _by_race(stage, races) if path.by == "race" else [_by_place(lines)]
        for ranked in ranks:
            for driver, place in _cut(path, ranked, known):
                if driver not in gone:
                    gone.add(driver)
                    name = known.get(driver, driver)
                    one = Qualified(driver=driver, name=name, place=place, into=path.into)
                    found.append(one)
    return found


Ranked = list[tuple[str, int]]
"""Drivers by place; a place may be shared."""


def _by_place(lines: Iterable[Standing]) -> Ranked:
    return [(line.key, line.place) for line in lines]


def _by_race(stage: Season, races: Sequence[Race]) -> list[Ranked]:
    """The drivers of each race, those who came home."""
    return [
        [(one.driver, one.place) for one in classify(race) if is_classified(one)]
        for race in rounds_of(stage, races)
    ]


def _cut(path: Path, ranked: Ranked, names: Mapping[str, str]) -> Ranked:
    """Those of the places that a way takes.

    Raises:
        BadAct: a place at its border is shared with somebody beyond it.
    """
    taken = path.cut(len(ranked))
    for _, group in groupby(range(len(ranked)), key=lambda n: ranked[n][1]):
        shared = list(group)
        inside = [n for n in shared if n in taken]
        if inside and len(inside) < len(shared):
            people = " and ".join(names.get(ranked[n][0], ranked[n][0]) for n in shared)
            raise BadAct(
                f"{people} share place {ranked[shared[0]][1]}, and not all of them go on: decide "
                "it by what breaks ties, by a penalty or a bonus, or enter them by hand"
            )
    return [ranked[n] for n in taken]
