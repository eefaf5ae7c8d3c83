"""What a federation has beside a season: competitions, entry lists, ways from stage to stage, draws
and the sheets of its tables, licences and bans.

A table at home imports none of it (`tests/league/test_federation.py`): it is fetched when an act of
its kinds is read (`acts.kind_of`), when somebody is banned or may be, and with its pages.

What stands against the drivers of a stage: bans, licence points, places on the next grid; pure.

One place decides it, for entries, draws, grids, scores and pages. A ban of so many rounds holds for
the rounds that are driven after the one it was given in, one ban after another; points on the
licence that reach the season's bound (or a multiple of it) are a ban of one round. Places on the
grid are served by the driver's next race. In a competition what was given in a stage holds in the
later ones. A penalty of a season without a round holds in all of it, until it is lifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from companion.league.forms import MOST_ROUNDS
from companion.league.plain import Entrant, Penalty, Race, Season
from companion.system.frozen import dataclass

When = tuple[int, int]
"""The step of a stage and a round of it."""
Stage = tuple[Season, Sequence[Race]]
"""A stage and its races."""
ALWAYS = 10**6
"""Rounds of a ban that holds until it is lifted."""


class Banned(NamedTuple):
    """Who is banned from a round, and why; as a sentence in English."""

    name: str
    round: int
    reason: str

    def __str__(self) -> str:
        return f"{self.name} is banned from round {self.round}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Record:
    """What stands against a driver before a round.

    Args:
        licence: points on the licence in this stage.
        grid: places lost on the next grid. `ban`: rounds of it that are still to come.
    """

    driver: str
    licence: int
    grid: int
    ban: int


@dataclass(slots=True)
class _Ban:
    penalty: Penalty
    given: When
    left: int


class Conduct:
    """What stands against the drivers of a stage.

    Args:
        races: those of the stage; `before`: the stages of earlier steps, with theirs.
    """

    def __init__(self, season: Season, races: Iterable[Race], before: Iterable[Stage] = ()) -> None:
        self._season = season
        stages = [*before, (season, list(races))]
        self._given = sorted(_given(stages), key=lambda one: (one[0], one[1].id))
        self._held: set[When] = set()
        self._drove: dict[str, list[When]] = {}
        for stage, own in stages:
            for race in own:
                if race.counts:
                    self._note(race, (stage.step, race.round or 0))

    def _note(self, race: Race, when: When) -> None:
        self._held.add(when)
        for entry in race.entries:
            for driver in {entry.driver, *entry.people}:
                self._drove.setdefault(driver, []).append(when)

    def barred_by(self, driver: str, number: int) -> Penalty | None:
        """By what a driver is not to drive a round; None: he may."""
        return self._bans(driver, number)[0]

    def banned(self, entrant: Entrant, number: int) -> Banned | None:
        """Why a car on the entry list is not to drive a round: whoever of its crew is banned bans
        it."""
        found = (self.barred_by(one, number) for one in (entrant.driver, *entrant.crew))
        by = next(filter(None, found), None)
        return None if by is None else Banned(entrant.name, number, by.reason)

    def grid(self, driver: str, number: int) -> int:
        """Places lost on the grid of a round."""
        now = (self._season.step, number)
        return sum(
            one.grid
            for when, one in self._of(driver)
            if when < now and (_holds_always(when) or not self._has_driven(driver, when, now))
        )

    def grid_of(self, entrant: Entrant, number: int) -> int:
        """The same of a car on the entry list: what any of its crew has lost."""
        return sum(self.grid(one, number) for one in {entrant.driver, *entrant.crew})

    def records(self, number: int) -> list[Record]:
        """Against whom anything stands before a round, most licence points first."""
        drivers = dict.fromkeys(one.driver for _, one in self._given if one.driver)
        lines = [
            Record(one, self._licence(one), self.grid(one, number), self._bans(one, number)[1])
            for one in drivers
        ]
        found = [line for line in lines if line.licence or line.grid or line.ban]
        return sorted(found, key=lambda line: (-line.licence, -line.ban, line.driver))

    def _of(self, driver: str) -> list[tuple[When, Penalty]]:
        return [(when, one) for when, one in self._given if one.driver == driver]

    def _licence(self, driver: str) -> int:
        own = self._of(driver)
        return sum(one.licence for when, one in own if when[0] == self._season.step)

    def _has_driven(self, driver: str, given: When, now: When) -> bool:
        return any(given < when < now for when in self._drove.get(driver, ()))

    def _rounds_before(self, now: When) -> set[When]:
        """The rounds that were driven, and those that are to be driven, before one."""
        step, number = now
        held = {when for when in self._held if when < now}
        last = max((when[1] for when in held if when[0] == step), default=0)
        off = {one.round for one in self._season.calendar if one.cancelled}
        return held | {(step, n) for n in range(last + 1, number) if n not in off}

    def _bans(self, driver: str, number: int) -> tuple[Penalty | None, int]:
        """By what a driver is banned from a round, and how many rounds are still to come."""
        bans = list(_bans_in(self._of(driver), self._season.licence, self._season.step))
        now = (self._season.step, number)
        for when in sorted(self._rounds_before(now)) if bans else ():
            served = next((one for one in bans if one.left and one.given < when), None)
            if served is not None:
                served.left -= 1
        coming = [one for one in bans if one.left and one.given < now]
        left = sum(one.penalty.ban if one.left > MOST_ROUNDS else one.left for one in coming)
        return (coming[0].penalty if coming else None), left


def _holds_always(given: When) -> bool:
    """Whether a penalty was given for a season, and not after a round of it."""
    return given[1] == 0


def _given(stages: Iterable[Stage]) -> Iterable[tuple[When, Penalty]]:
    """The penalties that hold, each with when it was given."""
    for season, races in stages:
        for one in season.penalties:
            if one.lifted is None:
                yield (season.step, one.round or 0), one
        for race in races:
            for one in race.penalties:
                if one.lifted is None and not one.banned and race.struck is None:
                    yield (season.step, race.round or 0), one


def _bans_in(given: Iterable[tuple[When, Penalty]], bound: int | None, step: int) -> Iterable[_Ban]:
    points = 0
    for when, one in given:
        if one.ban:
            yield _Ban(one, when, ALWAYS if _holds_always(when) else one.ban)
        if bound and one.licence and when[0] == step:
            reached = (points + one.licence) // bound - points // bound
            points += one.licence
            if reached:
                yield _Ban(one, when, reached)


def places_after(order: Sequence[str], lost: Mapping[str, int]) -> list[str]:
    """A grid with the places that some lose on it; who loses some stands behind the car there.

    >>> places_after(["ana", "bea", "cai", "dot"], {"ana": 2})
    ['bea', 'cai', 'ana', 'dot']
    """
    ranks = [
        (place + lost[who] + 0.5 if lost.get(who) else place, who)
        for place, who in enumerate(order, 1)
    ]
    return [who for _, who in sorted(ranks, key=itemgetter(0))]
