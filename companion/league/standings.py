"""The standings of a season: pure functions over plain records.

Rulings, explained in docs/league.md: a driver with several cars in a round scores
with the best of them, a team with all or its best few; the worst rounds are dropped from the
first round on, rounds missed first, but one always counts and a disqualification cannot be
dropped; points that a penalty takes come off a driver's total, not off the team's; equal
points are decided by who has more wins, then more second places and so on, over all rounds;
what is equal then shares its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.frozen import dataclass
from companion.league.names import key_of
from companion.league.plain import Entry, Race, Season
from companion.league.scores import Score, score_round


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A line of the standings, of a driver or of a team.

    Args:
        place: from 1, shared by those whom nothing tells apart.
        key: of the driver or the team. `name`: as people write it.
        team: the team that the driver last scored for; None without one, and for a team.
        points: the total, penalties taken off; may be below 0.
        penalty: the points that penalties have taken.
        scores: round by round; for a team all its cars.
    """

    place: int
    key: str
    name: str
    points: int
    team: str | None = None
    penalty: int = 0
    scores: tuple[Score, ...] = ()

    @property
    def wins(self) -> int:
        """First places, after penalties."""
        return sum(score.is_classified and score.place == 1 for score in self.scores)


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
    scores: dict[str, list[Score]] = {}
    for race in rounds:
        for driver, score in _best_cars(score_round(race, season.points)).items():
            scores.setdefault(driver, []).append(score)
    taken = _points_taken(season, rounds)
    held = len({race.round for race in rounds})
    lines = []
    for driver, own in scores.items():
        counted = _drop(own, held=held, drops=season.drops)
        latest = own[-1].entry
        lines.append(
            Standing(
                place=0,
                key=driver,
                name=(names or {}).get(driver, latest.name),
                team=_team_of(season, latest),
                points=_total(counted) - taken.get(driver, 0),
                penalty=taken.get(driver, 0),
                scores=tuple(counted),
            )
        )
    return _ranked(lines)


def team_standings(season: Season, races: Iterable[Race]) -> list[Standing]:
    """The teams of a season, best first; none where nobody has a team."""
    scores: dict[str, list[Score]] = {}
    titles: dict[str, str] = {}
    for race in rounds_of(season, races):
        for team, cars in _by_team(season, score_round(race, season.points)).items():
            titles[key_of(team)] = team
            best = sorted(cars, key=lambda score: (-score.points, score.place))
            counted = best[: season.team_cars]
            rest = [replace(score, dropped=True) for score in best[len(counted) :]]
            scores.setdefault(key_of(team), []).extend(counted + rest)
    return _ranked(
        Standing(place=0, key=key, name=titles[key], points=_total(own), scores=tuple(own))
        for key, own in scores.items()
    )


def progress(
    season: Season, races: Iterable[Race], names: Mapping[str, str] | None = None
) -> list[tuple[Race, list[Standing]]]:
    """The standings after each round, the rounds in their order."""
    rounds = rounds_of(season, races)
    return [(race, standings(season, rounds[:held], names)) for held, race in enumerate(rounds, 1)]


def _best_cars(scores: Iterable[Score]) -> dict[str, Score]:
    """Each driver's best car of a round."""
    best: dict[str, Score] = {}
    for score in scores:
        known = best.get(score.entry.driver)
        if known is None or score.points > known.points:
            best[score.entry.driver] = score
    return best


def _by_team(season: Season, scores: Iterable[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for score in scores:
        team = _team_of(season, score.entry)
        if team is not None:
            found.setdefault(team, []).append(score)
    return found


def _team_of(season: Season, entry: Entry) -> str | None:
    return season.teams.get(entry.driver, entry.team)


def _drop(scores: Sequence[Score], *, held: int, drops: int) -> list[Score]:
    """The same scores, the worst marked as dropped; rounds missed are dropped before them."""
    missed = held - len({score.round for score in scores})
    count = min(drops, held - 1) - missed
    may_go = [score for score in scores if score.status != "disqualified"]
    worst = sorted(may_go, key=lambda score: (score.points, -score.place, score.round))
    gone = {score.race for score in worst[: max(count, 0)]}
    return [replace(score, dropped=score.race in gone) for score in scores]


def _total(scores: Iterable[Score]) -> int:
    return sum(score.points for score in scores if not score.dropped)


def _points_taken(season: Season, rounds: Iterable[Race]) -> dict[str, int]:
    taken: dict[str, int] = {}
    for penalty in (*season.penalties, *(p for race in rounds for p in race.penalties)):
        if penalty.lifted is None:
            taken[penalty.driver] = taken.get(penalty.driver, 0) + penalty.points
    return taken


def _ranked(lines: Iterable[Standing]) -> list[Standing]:
    """By points, then by countback; places shared where both are equal."""

    def merit(line: Standing) -> tuple[int, tuple[int, ...]]:
        return line.points, _countback(line)

    ordered = sorted(lines, key=lambda line: line.name.casefold())
    ordered.sort(key=merit, reverse=True)  # stable: equals stay in the order of the alphabet
    ranked: list[Standing] = []
    for number, line in enumerate(ordered, 1):
        is_shared = bool(ranked) and merit(ranked[-1]) == merit(line)
        ranked.append(replace(line, place=ranked[-1].place if is_shared else number))
    return ranked


def _countback(line: Standing) -> tuple[int, ...]:
    """How often it came first, second, third … as far as it ever came."""
    places = [score.place for score in line.scores if score.is_classified]
    return tuple(places.count(place) for place in range(1, max(places, default=0) + 1))
