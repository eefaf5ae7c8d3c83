"""Competitions: what people do to them, who is entered, their standings, and who goes on.

A stage is a season. Decided by the sum, the points of all stages that add are put together, and
equal points go to who has more wins, then more second places, over all of them. Decided by stages,
whoever came further stands before whoever did not: the final before the heats, the upper division
before the lower one; within a stage its own order holds, and of stages side by side (heats) first
all winners, of whom the one with more points, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Annotated

from companion.league import forms, plain
from companion.league.acts import Act, Done, Number, SetTeam
from companion.league.errors import BadAct, key_of
from companion.league.results import classify, is_classified
from companion.league.stand import Stage, Stand, without
from companion.league.standings import (
    Holder,
    Standing,
    holders,
    placed,
    rounds_of,
    standings,
    team_standings,
)
from companion.rules.codec import Maybe, OneOf, Within
from companion.system.frozen import dataclass

# -- acts -----------------------------------------------------------------------------------------


MOST_NUMBER = 999
"""On a car."""
Places = Annotated[int, Within(-plain.MOST_PLACES, plain.MOST_PLACES)]
OF_ENTRANT = ("number", "color", "role", "until", "via", "table", "grid")
"""What an `enter` sets as it is."""


class SetCompetition(Act, kind="competition", called="A new competition", go="Make it"):
    """A competition is made, or what is known of it is changed."""

    competition: forms.Key
    title: forms.MaybeName = forms.UNSAID
    ranking: Annotated[
        forms.May[plain.Ranking],
        OneOf(plain.RANKINGS),
        forms.Says(
            "Decided by",
            "the points of all stages together | the last stage that somebody reached",
        ),
    ] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        own = forms.given(self)
        key = own.pop("competition")
        stand.cups[key] = replace(stand.cups.get(key, plain.Competition(key=key, title=key)), **own)


class OpenPath(Act, kind="path", called="Places that lead on", go="Make it"):
    """Who is between two places of a stage goes into another; below 0 places are from the end."""

    season: forms.Key
    into: Annotated[forms.Key, forms.Says("go into")]
    first: Annotated[Places, forms.Says("From place")]
    last: Annotated[Places, forms.Says("to place")]
    by: Annotated[
        forms.May[plain.Way],
        OneOf(plain.WAYS),
        forms.Says("Places of", "the standings | every race"),
    ] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        stage, into = stand.stage_of(self.season), stand.stage_of(self.into)
        if stage is into:
            raise BadAct("a way leads into another stage")
        if 0 in (self.first, self.last) or (self.first > 0 < self.last < self.first):
            raise BadAct("places are counted from 1, or from the end, where -1 is the last")
        if self.first < 0 and self.last < self.first:
            raise BadAct(f"the places {self.first} to {self.last} are none")
        own = {name: value for name, value in forms.given(self).items() if name != "season"}
        stand.put(stage, paths={**stage.paths, done.n: plain.Path(id=done.n, **own)})


class ClosePath(Act, kind="close-path", called="A way was closed"):
    """Nobody goes that way any more."""

    path: Number

    def do(self, stand: Stand, done: Done) -> None:
        for stage in stand.stages.values():
            if self.path in stage.paths:
                stand.put(stage, paths=without(stage.paths, self.path))
                return
        raise BadAct(f"there is no way with number {self.path}")


class Enter(Act, kind="enter", called="Somebody was entered", go="Enter"):
    """Somebody is on the entry list of a stage, or what it says of him is changed."""

    season: forms.Key
    driver: forms.Person
    number: Annotated[forms.May[int | None], Maybe(Within(0, MOST_NUMBER))] = forms.UNSAID
    color: Annotated[forms.ThingOrNull, forms.Says("Color of the car")] = forms.UNSAID
    team: forms.NameOrNull = forms.UNSAID
    role: Annotated[
        forms.May[plain.Role],
        OneOf(plain.ROLES),
        forms.Says(
            "Drives as",
            "regular driver | reserve: own points, the other's team | joker: points for the other",
        ),
    ] = forms.UNSAID
    until: Annotated[forms.RoundOrNull, forms.Says("Last round")] = forms.UNSAID
    via: forms.KeyOrNull = forms.UNSAID
    table: forms.NameOrNull = forms.UNSAID
    grid: forms.SeatOrNull = forms.UNSAID
    crew: Annotated[forms.MaybeCrew, forms.Says("Crew: names with commas")] = forms.UNSAID

    def do(self, stand: Stand, done: Done) -> None:
        stage, own = stand.stage_of(self.season), forms.given(self)
        key = stand.name(self.driver)
        if own.get("via") is not None:
            stand.stage_of(own["via"])
        at = stand.entrant(stage, key)
        if at is None:
            _refuse_crew(stand, stage, key)
        if own.get("number") is not None:
            _check_number(stand, stage, at, own["number"])
        changes = {name: own[name] for name in OF_ENTRANT if name in own}
        if "crew" in own:
            changes["crew"] = _crew_of(stand, stage, at, key, own["crew"])
        old = stage.entrants.get(at or key, plain.Entrant(driver=key, name=""))
        stand.put(stage, entrants={**stage.entrants, at or key: replace(old, **changes)})
        if own.get("team") is not None:
            SetTeam(season=self.season, driver=self.driver, team=own["team"]).do(stand, done)
        if "crew" in own:
            stand.man_season(self.season)


class Scratch(Act, kind="scratch", called="Somebody was struck off"):
    """Somebody is no longer on the entry list."""

    season: forms.Key
    driver: forms.Person

    def do(self, stand: Stand, done: Done) -> None:
        stage, name = stand.stage_of(self.season), stand.known(self.driver)
        at = stand.entrant(stage, name)
        if at is None:
            who = stand.spelled(name)
            raise BadAct(f"{who} is not on the entry list of {stage.season.title}")
        stand.put(stage, entrants=without(stage.entrants, at))
        stand.man_season(self.season)


class StandFor(Act, kind="stand-in", may="steward", called="Somebody stands in", go="Enter"):
    """Somebody drives for another in a round; null: for himself after all."""

    season: forms.Key
    round: forms.Round
    driver: forms.Person
    absent: Annotated[str | None, Maybe(forms.PersonForm()), forms.Says("for")]

    def do(self, stand: Stand, done: Done) -> None:
        stage, at = stand.stage_of(self.season), (self.round, stand.name(self.driver))
        if self.absent is None:
            if at not in stage.stand_ins:
                raise BadAct(f"{self.driver!r} stands in for nobody in round {self.round}")
            stand.put(stage, stand_ins=without(stage.stand_ins, at))
            return
        stand.refuse_banned(self.season, at[1], self.round)
        absent = stand.known(self.absent)
        if absent == at[1]:
            raise BadAct(f"{self.driver!r} cannot stand in for himself")
        if (self.round, absent) in stage.stand_ins:
            raise BadAct(f"{self.absent!r} stands in for somebody in that round")
        stand.put(stage, stand_ins={**stage.stand_ins, at: absent})


def _crew_of(
    stand: Stand, stage: Stage, at: str | None, key: str, crew: tuple[str, ...]
) -> tuple[str, ...]:
    """The crew of an entrant, as keys of names; nobody: the driver is alone again.

    Raises:
        BadAct: one of them is entered already, or is in another crew.
    """
    for one in crew:
        is_own = stand.who(stand.name(one)) == stand.who(key)
        if is_own or stand.entrant(stage, key_of(one)) is not None:
            raise BadAct(f"{one} is entered already: a crew is of others")
        _refuse_crew(stand, stage, key_of(one), but=at)
    return tuple(map(key_of, crew))


def _refuse_crew(stand: Stand, stage: Stage, name: str, but: str | None = None) -> None:
    """See that somebody is in no crew of an entry list, under whatever name.

    Raises:
        BadAct: he is; the car is named.
    """
    for car, one in stage.entrants.items():
        if car != but and stand.who(name) in map(stand.who, one.crew):
            who, whose = stand.spelled(name), stand.spelled(car)
            raise BadAct(f"{who} is in the crew of {whose} already")


def _check_number(stand: Stand, stage: Stage, at: str | None, number: int) -> None:
    for other, one in stage.entrants.items():
        if other != at and one.number == number:
            raise BadAct(f"{stand.spelled(other)} has the number {number} already")


# -- standings ------------------------------------------------------------------------------------


def champions_overall(
    competition: plain.Competition, stages: Sequence[plain.Season], races: Sequence[plain.Race]
) -> list[Holder]:
    """Who has won a competition."""
    found: list[Holder] = []
    for of_teams in (False, True):
        tables = tables_of(stages, races, of_teams=of_teams)
        first = [one for one in overall(competition, tables) if one.place == 1]
        parts = (part for line in first for part in line.parts.values() if part.points > 0)
        found += holders(parts, of_teams=of_teams)
    return list(dict.fromkeys(found))


Table = tuple[plain.Season, Sequence[Standing]]
"""A stage and its standings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall(Standing):
    """A line of a competition. `parts` are its lines in the stages, by their keys; `last` is the
    title of the last stage that was reached."""

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
    stages: Iterable[plain.Season],
    races: Iterable[plain.Race],
    names: Mapping[str, str] | None = None,
    *,
    of_teams: bool = False,
) -> list[Table]:
    """The standings of each stage, of drivers or of teams."""
    own: dict[str | None, list[plain.Race]] = {}
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


def overall(competition: plain.Competition, tables: Sequence[Table]) -> list[Overall]:
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
    return placed(found, lambda line: merits[line.key])


Merit = tuple[float, ...]


def _by_sum(stages: Sequence[plain.Season], own: Mapping[str, Standing]) -> Merit:
    adding = [own[one.key] for one in stages if one.adds and one.key in own]
    places = [one.place for line in adding for one in line.scores if one.has_place]
    most = max(places, default=0)
    total = plain.tidy(sum(line.points for line in adding))
    return total, *(places.count(place) for place in range(1, most + 1))


def _by_stages(stages: Sequence[plain.Season], own: Mapping[str, Standing]) -> Merit:
    last = _overall_last(stages, own)
    line = own[last.key]
    return last.step, -last.tier, -line.place, line.points


def _overall_last(stages: Sequence[plain.Season], own: Mapping[str, Standing]) -> plain.Season:
    """The last stage that somebody reached; side by side, the uppermost one."""
    return max((one for one in stages if one.key in own), key=lambda one: (one.step, -one.tier))


def _line(
    key: str,
    own: Mapping[str, Standing],
    stages: Sequence[plain.Season],
    competition: plain.Competition,
) -> Overall:
    last = _overall_last(stages, own)
    adding = (own[one.key].points for one in stages if one.key in own and one.adds)
    is_sum = competition.ranking == "sum"
    return Overall(
        place=0,
        key=key,
        name=own[last.key].name,
        points=plain.tidy(sum(adding)) if is_sum else own[last.key].points,
        team=own[last.key].team,
        last=last.title,
        parts=dict(own),
    )


# -- who goes on ----------------------------------------------------------------------------


def qualified(
    stage: plain.Season, races: Sequence[plain.Race], names: Mapping[str, str] | None = None
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


def _by_race(stage: plain.Season, races: Sequence[plain.Race]) -> list[Ranked]:
    """The drivers of each race, those who came home."""
    return [
        [(one.driver, one.place) for one in classify(race) if is_classified(one)]
        for race in rounds_of(stage, races)
    ]


def _cut(path: plain.Path, ranked: Ranked, names: Mapping[str, str]) -> Ranked:
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
