"""What one round is worth to each of its cars; pure.

An eliminated car scores nothing for its place (FD-TEAM-1), nor does a disqualified one for
anything. `pole` is earned by whoever stood there; the other extras by cars that are not out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.frozen import dataclass
from companion.league.classified import classify
from companion.league.plain import Entry, Race, Season, Status
from companion.league.points import PointsTable, tidy


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one car brought home in one round. `extras` are the names of what was earned.

    `dropped`: it does not count in the total, as one of the worst.
    """

    race: str
    round: int
    entry: Entry
    points: float
    extras: tuple[str, ...] = ()
    dropped: bool = False

    @property
    def place(self) -> int:
        """After penalties."""
        return self.entry.place

    @property
    def status(self) -> Status:
        """After penalties."""
        return self.entry.status

    @property
    def is_classified(self) -> bool:
        """Whether the place counts as one that was reached."""
        return is_classified(self.entry)


def is_classified(entry: Entry) -> bool:
    """Whether it came home: neither out, disqualified nor too far behind.

    >>> is_classified(Entry(seat=1, driver="ana", name="Ana", place=3, status="running"))
    True
    """
    return entry.status in ("finished", "running")


def started(entries: Iterable[Entry]) -> list[Entry]:
    """The cars that have driven the race."""
    return [one for one in entries if one.status != "not-started"]


def score_in(season: Season, race: Race) -> list[Score]:
    """The score of every car of a race of a season, best place first; trials give no points."""
    if race.is_trials:
        return [
            Score(race=race.id, round=race.round or 0, entry=one, points=0)
            for one in classify(race)
        ]
    return score_round(race, season.points, half_under=season.half_under)


def score_round(race: Race, table: PointsTable, *, half_under: float | None = None) -> list[Score]:
    """The score of every car of a round, best place first.

    Args:
        table: what it is worth, where the race has no table of its own.
        half_under: it counts half where less than this share of its laps was driven.
    """
    table = race.scoring or table
    entries = classify(race)
    is_short = half_under is not None and share_driven(race) < half_under
    factor = race.factor / 2 if is_short else race.factor
    earned = {name: EARNERS[name](entries) for name in table.extras}
    scores = []
    for entry in entries:
        extras = tuple(name for name, seats in earned.items() if entry.seat in seats)
        points = _by_place(entry, table) + sum(table.extras[name] for name in extras)
        scores.append(
            Score(
                race=race.id,
                round=race.round or 0,
                entry=entry,
                points=tidy(points * factor),
                extras=extras,
            )
        )
    return scores


def share_driven(race: Race) -> float:
    """The share of its laps after which a race was over; 1 where nobody knows.

    Of a race that was ended early it is the whole laps of the leader.
    """
    if any(one.status == "finished" for one in race.entries) or not race.laps:
        return 1
    laps = [one.lap - 1 for one in race.entries if one.lap is not None and is_classified(one)]
    return max(laps, default=race.laps) / race.laps


def _by_place(entry: Entry, table: PointsTable) -> float:
    if entry.status in ("disqualified", "not-started"):
        return 0
    if table.by_result:
        return entry.points or 0
    return table.for_place(entry.place) if is_classified(entry) else 0


NO_POLE: tuple[Status, ...] = ("disqualified", "not-started")


def _pole(entries: Iterable[Entry]) -> set[int]:
    return {one.seat for one in entries if one.grid == 1 and one.status not in NO_POLE}


def _gained(entries: Iterable[Entry]) -> set[int]:
    gains = {
        one.seat: one.grid - one.place
        for one in entries
        if one.grid is not None and is_classified(one)
    }
    most = max(gains.values(), default=0)
    return {seat for seat, gain in gains.items() if gain == most > 0}


def _fastest(entries: Iterable[Entry]) -> set[int]:
    runners = [one for one in entries if is_classified(one)]
    marked = {one.seat for one in runners if one.fastest}
    laps = {one.seat: one.best_lap for one in runners if one.best_lap is not None}
    best = min(laps.values(), default=None)
    return marked or {seat for seat, lap in laps.items() if lap == best}


EARNERS: Mapping[str, Callable[[Iterable[Entry]], set[int]]] = {
    "pole": _pole,
    "gained": _gained,
    "fastest": _fastest,
}
"""The seats that earn each of `points.EXTRAS`."""
