"""The standings of a season, and who has won what: pure functions over plain records.

Standings, by rulings that docs/league.md explains: a driver with several cars in a race scores with
the best of them, a team with all or its best few; the worst rounds, or all but so many best ones,
are dropped from the first round on, rounds missed first, but one always counts and a round with a
disqualification cannot be dropped; races of one round (a sprint and the race behind it) are kept or
dropped together; a sprint has points, and no place that decides anything; points that a penalty
takes come off a driver's total, or off a team's where it is a team's; equal points are decided by
what the season says (`TIES`), as a rule by who has more wins, then more second places and so on,
over all rounds; what is equal then shares its place. Who is entered stands there before any race.

Rounds: what comes next in the calendar of a stage, how many rounds there are to be, and what each
driver needs to win it.

Championships: who has won what, when it is over: seasons, divisions and whole competitions. Heats,
knockout rounds, trials, sprints and finals are won on the way to a competition's title and give
none of their own. A team's title is held by everybody who scored for it.

Money: the world championship of two evenings (DF-VAR-4), of games for money.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple, TypeVar

from companion.league.errors import LeagueError, key_of
from companion.league.games import game_of, games
from companion.league.plain import (
    RESULT,
    Entrant,
    Entry,
    Penalty,
    Planned,
    Race,
    Season,
    tidy,
)
from companion.league.results import (
    LAST,
    Score,
    Trial,
    best_trials,
    score_in,
)
from companion.system.frozen import dataclass

# -- standings ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A line of the standings, of a driver or of a team.

    Args:
        place: from 1, shared by those whom nothing tells apart.
        key: of the driver or the team. `name`: as people write it.
        team: the team that the driver last scored for; None without one, and for a team.
        points: the total, penalties taken off; may be below 0.
        penalty: the points that penalties have taken, less those that a bonus gave.
        scores: round by round; for a team all its cars.
        trial: in a stage of time trials, the best one; None: none was ended.
    """

    place: int
    key: str
    name: str
    points: float
    team: str | None = None
    penalty: float = 0
    scores: tuple[Score, ...] = ()
    trial: Trial | None = None

    @property
    def wins(self) -> int:
        """First places, after penalties."""
        return sum(score.has_place and score.place == 1 for score in self.scores)


LineT = TypeVar("LineT", bound=Standing)


def rounds_of(season: Season, races: Iterable[Race]) -> list[Race]:
    """The races that count in a season, by round."""
    ours = [race for race in races if race.season == season.key and race.counts]
    return sorted(ours, key=lambda race: (race.round or 0, race.date, race.id))


def standings(
    season: Season, races: Iterable[Race], names: Mapping[str, str] | None = None
) -> list[Standing]:
    """The drivers of a season, best first.

    Args:
        names: what people are called, by key; who is not in it goes by the latest race.
    """
    rounds = rounds_of(season, races)
    if season.kind == "trials":
        return _of_trials(season, rounds, names or {})
    scores: dict[str, list[Score]] = {}
    for race in rounds:
        for driver, score in _best_cars(season, score_in(season, race)).items():
            scores.setdefault(driver, []).append(score)
    taken = _points_taken(season, rounds)
    held = len({race.round for race in rounds})
    called = {one.driver: one.name for one in season.entrants} | dict(names or {})
    lines = []
    for driver in _in_it(season, scores):
        counted = _drop(scores.get(driver, ()), season, held)
        lines.append(
            Standing(
                place=0,
                key=driver,
                name=called.get(driver) or (counted[-1].entry.name if counted else driver),
                team=_latest_team(season, driver, counted),
                points=tidy(_total(counted) - taken.get(driver, 0)),
                penalty=tidy(taken.get(driver, 0)),
                scores=tuple(counted),
            )
        )
    return _ranked(lines, season)


def _of_trials(season: Season, rounds: Sequence[Race], names: Mapping[str, str]) -> list[Standing]:
    """The drivers of time trials: no points are given for them, only places."""
    called = {entry.driver: entry.name for race in rounds for entry in race.entries}
    called |= {one.driver: one.name for one in season.entrants} | dict(names)
    lines = [
        Standing(
            place=0,
            key=driver,
            name=called.get(driver, driver),
            points=0,
            team=season.team_of(driver, 1, None),
            trial=best,
        )
        for driver, best in best_trials(season, rounds).items()
    ]
    lines.sort(key=lambda line: (line.name.casefold(), line.key))
    return placed(lines, lambda line: [-one for one in line.trial or LAST])


def team_standings(season: Season, races: Iterable[Race]) -> list[Standing]:
    """The teams of a season, best first; none where nobody has a team."""
    scores: dict[str, list[Score]] = {}
    titles: dict[str, str] = {}
    rounds = rounds_of(season, races) if season.kind != "trials" else []
    for race in rounds:
        for team, cars in _by_team(season, score_in(season, race)).items():
            titles[key_of(team)] = team
            best = sorted(cars, key=lambda score: (-score.points, score.place))
            counted = best[: season.team_cars]
            rest = [replace(score, dropped=True) for score in best[len(counted) :]]
            scores.setdefault(key_of(team), []).extend(counted + rest)
    taken = _points_taken(season, rounds, of_teams=True)
    return _ranked(
        (
            Standing(
                place=0,
                key=key,
                name=titles[key],
                points=tidy(_total(own) - taken.get(key, 0)),
                penalty=tidy(taken.get(key, 0)),
                scores=tuple(own),
            )
            for key, own in scores.items()
        ),
        season,
    )


def progress(
    season: Season, races: Iterable[Race], names: Mapping[str, str] | None = None
) -> list[tuple[Race, list[Standing]]]:
    """The standings after each round, the rounds in their order."""
    rounds = rounds_of(season, races)
    return [(race, standings(season, rounds[:held], names)) for held, race in enumerate(rounds, 1)]


def gross(
    season: Season, races: Iterable[Race], names: Mapping[str, str] | None = None
) -> list[tuple[str, list[float]]]:
    """The points of each driver after each round, who has most first; with those that are dropped,
    for which they are is settled by the last round, and lines that fall would mislead."""
    after = {
        race.round: lines
        for race, lines in progress(replace(season, drops=0, best=None), races, names)
    }
    held = list(after.values())
    points = [{line.key: line.points for line in lines} for lines in held]
    return [
        (line.name, [row.get(line.key, 0) for row in points]) for line in (held[-1] if held else [])
    ]


def _in_it(season: Season, scores: Mapping[str, object]) -> list[str]:
    """Who has a line: those who scored, and those who are entered and shall drive."""
    regular = [one for one in season.entrants if one.role == "regular"]
    if season.crews == "each":
        shall = [driver for one in regular for driver in one.crew or (one.driver,)]
    else:
        shall = [one.driver for one in regular]
    return list(dict.fromkeys([*scores, *shall]))


def _best_cars(season: Season, scores: Iterable[Score]) -> dict[str, Score]:
    """Each driver's best car of a race."""
    best: dict[str, Score] = {}
    for score in scores:
        for driver in season.scorers(score.entry, score.round):
            known = best.get(driver)
            if known is None or score.points > known.points:
                best[driver] = score
    return best


def _by_team(season: Season, scores: Iterable[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for score in scores:
        team = season.team_of(score.entry.driver, score.round, score.entry.team)
        if team is not None:
            found.setdefault(team, []).append(score)
    return found


def _latest_team(season: Season, driver: str, scores: Sequence[Score]) -> str | None:
    """The team that a driver last scored for; before the first race, the one entered with."""
    if not scores:
        return season.team_of(driver, 1, None)
    last = scores[-1]
    own = last.entry.team if last.entry.driver == driver else None
    return season.team_of(driver, last.round, own)


def _drop(scores: Sequence[Score], season: Season, held: int) -> list[Score]:
    """The same scores, those of the worst rounds marked as dropped; rounds missed go first."""
    rounds: dict[int, list[Score]] = {}
    for score in scores:
        rounds.setdefault(score.round, []).append(score)
    drops = season.drops if season.best is None else held - season.best
    count = min(drops, held - 1) - (held - len(rounds))
    may_go = [
        own for own in rounds.values() if all(score.status != "disqualified" for score in own)
    ]
    worst = sorted(may_go, key=_worth)
    gone = {own[0].round for own in worst[: max(count, 0)]}
    return [replace(score, dropped=score.round in gone) for score in scores]


def _worth(own: Sequence[Score]) -> tuple[float, int, int]:
    """By which rounds of a driver are dropped, the lowest first."""
    best = min(score.place for score in own)
    return tidy(sum(score.points for score in own)), -best, own[0].round


def _total(scores: Iterable[Score]) -> float:
    return sum(score.points for score in scores if not score.dropped)


def _points_taken(
    season: Season, rounds: Iterable[Race], *, of_teams: bool = False
) -> dict[str, float]:
    taken: dict[str, float] = {}
    given: list[tuple[Penalty, Sequence[Entry | Entrant]]]
    given = [(one, season.entrants) for one in season.penalties]
    given += [(one, race.entries) for race in rounds for one in race.penalties]
    for one, cars in given:
        if one.lifted is None and (one.team is not None) == of_teams:
            for key in [key_of(one.team)] if one.team else _losers(season, one.driver, cars):
                taken[key] = taken.get(key, 0) + one.points - one.bonus
    return taken


def _losers(season: Season, driver: str, cars: Iterable[Entry | Entrant]) -> Sequence[str]:
    """Who loses the points that a penalty takes: those who have the points of that car."""
    crews = {one.driver: one.crew for one in cars}
    if season.crews == "each":
        return crews.get(driver) or [driver]
    if driver in crews:
        return [driver]
    return [car for car, crew in crews.items() if driver in crew] or [driver]


# -- equal points ---------------------------------------------------------------------------


def _countback(line: Standing) -> tuple[float, ...]:
    """How often it came first, second, third … as far as it ever came."""
    places = [score.place for score in line.scores if score.has_place]
    return tuple(places.count(place) for place in range(1, max(places, default=0) + 1))


def _last(line: Standing) -> tuple[float, ...]:
    """The place in its latest round, a later round before an earlier one."""
    home = [(score.round, -score.place) for score in line.scores if score.has_place]
    return max(home, default=(0, 0))


TIES: Mapping[str, Callable[[Standing], tuple[float, ...]]] = {
    "places": _countback,
    "wins": lambda line: (line.wins,),
    "poles": lambda line: (sum(score.entry.grid == 1 for score in line.scores),),
    "fastest": lambda line: (
        sum("fastest" in score.extras or score.entry.fastest for score in line.scores),
    ),
    "last": _last,
    "dropped": lambda line: (tidy(sum(score.points for score in line.scores)),),
}
"""What may decide equal points: all places (countback), wins, poles, fastest laps, who was better
in the latest round, and what stands there with the rounds that are dropped."""


def _ranked(lines: Iterable[Standing], season: Season) -> list[Standing]:
    """By points, then by what decides; places shared where all of it is equal."""

    def merit(line: Standing) -> tuple[float, list[tuple[float, ...]]]:
        return line.points, [TIES[name](line) for name in season.ties]

    return placed(sorted(lines, key=lambda line: line.name.casefold()), merit)


def placed(lines: Sequence[LineT], merit: Callable[[LineT], Any]) -> list[LineT]:
    """With places, who has most first; equals share one, and stay in their order."""
    placed: list[LineT] = []
    ordered = sorted(lines, key=merit, reverse=True)
    for number, line in enumerate(ordered, 1):
        is_shared = number > 1 and merit(ordered[number - 2]) == merit(line)
        place = placed[-1].place if is_shared else number
        placed.append(replace(line, place=place))
    return placed


# -- rounds ---------------------------------------------------------------------------------------


class Chance(NamedTuple):
    """What a driver needs to win a season, whatever anybody else does.

    Args:
        most: the points that he can still have.
        place: the last place that is enough in each of the rounds left, 0 where nothing is needed;
            None: no place is, and each of the `rivals` has to get fewer than so many points in all
            rounds left, while this one wins them all.
    """

    line: Standing
    most: float
    place: int | None
    rivals: tuple[tuple[str, float], ...] = ()


def to_win(
    season: Season, rounds: Sequence[Race], lines: Sequence[Standing], left: int
) -> list[Chance]:
    """Who can still win, if each of the rounds `left` is one race of the season's points; nobody
    where rounds may be dropped or halved, or cars may share a place.

    >>> ana = Standing(place=1, key="ana", name="Ana", points=12)
    >>> bea = Standing(place=2, key="bea", name="Bea", points=7)
    >>> chances = to_win(Season(key="s", title=""), [], [ana, bea], 1)
    >>> [(one.most, one.place, one.rivals) for one in chances]
    [(22, 3, ()), (17, None, (('Ana', 5),))]
    """
    table = season.points
    is_shared = season.crews == "each" or any(game_of(one.game).has_money for one in rounds)
    if is_shared or season.drops or season.best or season.half_under or not table.places:
        return []
    gives = (*table.places, 0)
    extra = sum(points for points in table.extras.values() if points > 0)
    first, second = max(gives) + extra, max(gives[1:]) + extra
    found = []
    for line in lines:
        others = [one for one in lines if one is not line]
        ahead = max((one.points for one in others), default=0)
        most = line.points + left * first
        sure = (
            place
            for place, points in reversed(list(enumerate(gives, 1)))
            if line.points + left * min(gives[:place])
            > ahead + left * (second if place == 1 else first)
        )
        place = next(sure, None)
        if place is None and (most <= ahead or gives[0] < max(gives)):
            continue
        won = line.points + left * gives[0]
        near = (one for one in others if one.points + left * second >= won)
        rivals = tuple((one.name, tidy(won - one.points)) for one in near)
        enough = 0 if place == len(gives) else place
        found.append(Chance(line, tidy(most), enough, () if place else rivals))
    return found


def coming(season: Season, rounds: Iterable[Race]) -> Planned | None:
    """The round of the calendar that is to be driven next; None: nobody knows of one."""
    last = max((race.round or 0 for race in rounds), default=0)
    return next((one for one in season.calendar if one.round > last and not one.cancelled), None)


def next_number(season: Season, rounds: Iterable[Race]) -> int:
    """The number of the round that is driven next, or of the one that all races come into."""
    if season.current_round is not None:
        return season.current_round
    off = {one.round for one in season.calendar if one.cancelled}
    last = max((race.round or 0 for race in rounds), default=0)
    return next(number for number in count(last + 1) if number not in off)


def planned(season: Season) -> int | None:
    """How many rounds a season is to have: what it says, else those of its calendar. One that is
    cancelled is not waited for, unless there is another one in its place; None: nobody knows.

    >>> one, two, three = (Planned(round=n) for n in (1, 2, 3))
    >>> off = replace(two, cancelled="rain")
    >>> season = Season(key="s", title="", planned=2)
    >>> [planned(replace(season, calendar=own)) for own in ((off,), (one, off, three))]
    [1, 2]
    >>> planned(Season(key="s", title="", calendar=(Planned(round=6),)))  # five were driven before
    6
    """
    calendar, said = season.calendar, season.planned
    off = [one.round for one in calendar if one.cancelled is not None]
    if said is None:
        return max((one.round for one in calendar), default=0) - len(off) or None
    return max(said - sum(number <= said for number in off), min(said, len(calendar) - len(off)))


# -- championships --------------------------------------------------------------------------------


WON_ALONE = ("season", "division")
"""The kinds of stages that have a title of their own."""


class Holder(NamedTuple):
    """Somebody who has won; `team` is the one whose title it is, None: the driver's own."""

    driver: str
    team: str | None = None


def is_over(season: Season, held: int, *, is_closed: bool) -> bool:
    """Whether nothing more is to come of a season.

    Short of its plan it is over when somebody has closed it, without a plan when it is not open;
    but seasons and divisions beside each other are closed all the time: of these only the plan says
    whether they are over.

    Args:
        held: rounds. `is_closed`: whether it was open, and somebody has closed it.

    >>> seasons = [Season(key="s", title="", planned=planned) for planned in (5, 6, None)]
    >>> [is_over(season, 5, is_closed=False) for season in seasons]
    [True, False, True]
    >>> is_over(seasons[1], 5, is_closed=True)
    True
    """
    wanted = planned(season)
    if wanted is not None and held >= wanted:
        return True
    is_among_others = season.competition is not None and season.kind in WON_ALONE
    is_ended = not season.is_open if wanted is None else is_closed
    return held > 0 and is_ended and not is_among_others


def champions(season: Season, races: Sequence[Race]) -> list[Holder]:
    """Who has won a season; several where the first place is shared."""
    drivers = holders(_first(standings(season, races)))
    return drivers + holders(_first(team_standings(season, races)), of_teams=True)


def _first(lines: Iterable[Standing]) -> list[Standing]:
    return [line for line in lines if line.place == 1 and line.points > 0]


def holders(lines: Iterable[Standing], *, of_teams: bool = False) -> list[Holder]:
    """Whose the titles of these lines are: of drivers, or of the crews of their cars; of teams
    everybody's who scored for them."""
    found: list[Holder] = []
    for line in lines:
        cars = [score.entry for score in line.scores if of_teams or score.entry.driver == line.key]
        people = [driver for entry in cars for driver in entry.people]
        found += [Holder(one, line.name if of_teams else None) for one in people or [line.key]]
    return list(dict.fromkeys(found))


# -- money ----------------------------------------------------------------------------------------


def world_championship(
    first: Race, second: Race, names: Mapping[str, str] | None = None
) -> list[Standing]:
    """Two races for money, their totals added. Equal totals: more wins, then second places.

    A championship that the table itself played as one race (`championship` in its rules) has
    its totals in its result already.

    Raises:
        LeagueError: they are not two races for money on two circuits.
    """
    races = (first, second)
    if first.id == second.id or not all(game_of(race.game).has_money for race in races):
        titles = " or ".join(game.title for game in games().values() if game.has_money)
        raise LeagueError(f"a world championship is two races of {titles} (DF-VAR-4)")
    boards = [race.track for race in races]
    if None not in boards and boards[0] == boards[1]:
        raise LeagueError("a world championship is run on two circuits, one race each (DF-VAR-4)")
    season = Season(key="", title="", points=RESULT)
    rounds = [_as_round(race, season, number) for number, race in enumerate(races, 1)]
    return standings(season, rounds, names)


def _as_round(race: Race, season: Season, number: int) -> Race:
    return replace(race, season=season.key, round=number, factor=1)
