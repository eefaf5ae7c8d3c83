"""One race: its classification with penalties in it, its rows, and what it is worth; pure.

Classified: seconds of a penalty are added to a car's time, and the cars that came home stand in the
order of their times then, where all of them have one. A penalty of places moves a car down among
those that are not out; it never falls behind one that is. A disqualified car comes last, behind
those that did not start. Cars that shared a place share it still. A session of a stage of time
trials stands in the order of these, with equal ones sharing a place; who ended none is not
classified and stands behind, level.

Rows of a result: as a record or people tell them, amended, put in their places.

Scores: what one round is worth to each of its cars. An eliminated car scores nothing for its place
(FD-TEAM-1), nor does a disqualified one for anything. `pole` is earned by whoever stood there; the
other extras by cars that are not out.

Trials: the classification of a stage of time trials, over all its tables. A driver's best session
counts: the lowest score (FD-TRIAL-2: rolls, overshoot, full minutes), then the shorter time;
seconds of a penalty are added to the time of the session that they were given in, and a full minute
more is a point more. Behind those stand, level, who ended no trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from sys import intern
from typing import Any, NamedTuple

from companion.league import plain
from companion.league.errors import BadAct
from companion.league.forms import UNSAID, Car, ChangedCar, NewCar, given
from companion.league.games import game_of
from companion.league.plain import (
    FORMULA_D,
    MINUTE_S,
    CarNumbers,
    Entry,
    Penalty,
    PointsTable,
    Race,
    Season,
    Status,
    TrialNumbers,
    tidy,
)
from companion.system.frozen import dataclass, no_state

# -- classified -----------------------------------------------------------------------------------


def classify(race: Race) -> tuple[Entry, ...]:
    """The entries by place, with the penalties that hold, and renumbered where there are any."""
    entries = _classify_race(race)
    return _by_trial(entries, race) if race.is_trials else entries


def _by_trial(entries: Sequence[Entry], race: Race) -> tuple[Entry, ...]:
    trials = {one.seat: trial_of(one, race) for one in race.entries}
    order = sorted(trial or LAST for trial in trials.values())
    ranked = []
    for entry in entries:
        trial = trials[entry.seat]
        has_none = trial is None and not GROUPS[entry.status]
        status: Status = "not-classified" if has_none else entry.status
        place = order.index(trial or LAST) + 1
        ranked.append(replace(entry, place=place, status=status))
    return tuple(sorted(ranked, key=lambda one: one.place))  # stable


def _classify_race(race: Race) -> tuple[Entry, ...]:
    active = [penalty for penalty in race.penalties if penalty.lifted is None]
    entries = sorted(race.entries, key=lambda entry: (entry.place, entry.seat))
    if has_times(race) and any(penalty.seconds for penalty in active):
        entries = _by_time(entries, active)
    if not any(penalty.places or penalty.disqualified for penalty in active):
        return tuple(entries)
    return tuple(_renumber(_judge(entry, active) for entry in entries))


def has_times(race: Race) -> bool:
    """Whether seconds of a penalty can move anybody: every car that came home has its time."""
    home = [entry for entry in race.entries if not GROUPS[entry.status]]
    return bool(home) and all(entry.time is not None for entry in home)


def takes_seconds(race: Race) -> bool:
    """Whether seconds of a penalty bear on anything: the race's times, or those of a session of
    time trials; where a race has followed on them, they were for its grid alone."""
    has_trials = any(entry.trial_time is not None for entry in race.entries)
    was_driven = race.source == "record" and any(one.status == "finished" for one in race.entries)
    return has_times(race) or (has_trials and not was_driven)


def seconds_of(entry: Entry, active: Iterable[Penalty]) -> float:
    """The time of a car with its penalties."""
    own = sum(penalty.seconds for penalty in entry.of(active))
    return tidy((entry.time or 0) + own)


def _by_time(entries: Sequence[Entry], active: Sequence[Penalty]) -> list[Entry]:
    """The cars that came home in the order of their times, then all others as they were."""
    home = [
        ((0, seconds_of(entry, active)), entry) for entry in entries if not GROUPS[entry.status]
    ]
    timed = _renumber(home)
    with_time = [replace(entry, time=seconds_of(entry, active)) for entry in timed]
    return [*with_time, *(entry for entry in entries if GROUPS[entry.status])]


Judged = tuple[tuple[int, float], Entry]
"""A car and where it belongs: its group, and its place in it."""
GROUPS: Mapping[Status, int] = {
    "finished": 0,
    "running": 0,
    "out": 1,
    "not-classified": 1,
    "not-started": 2,
    "disqualified": 3,
}
"""Which cars stand before which others, whatever their places."""


def _judge(entry: Entry, active: Sequence[Penalty]) -> Judged:
    own = entry.of(active)
    if any(penalty.disqualified for penalty in own):
        return (GROUPS["disqualified"], entry.place), replace(entry, status="disqualified")
    if GROUPS[entry.status]:
        return (GROUPS[entry.status], entry.place), entry
    lost = sum(penalty.places for penalty in own)
    # Half a place more: it comes behind the car whose place it was moved to.
    return (0, entry.place + lost + 0.5 if lost else entry.place), entry


def _renumber(judged: Iterable[Judged]) -> list[Entry]:
    ordered = sorted(judged, key=lambda one: (one[0], one[1].seat))
    entries: list[Entry] = []
    for _, group in groupby(ordered, key=lambda one: one[0]):
        place = len(entries) + 1
        entries += [replace(entry, place=place) for _, entry in group]
    return entries


# -- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(plain.Car):
    """A car of a result, whose people stand by their names.

    `player` is who drives, where that is not the name. `measured`: its numbers lie packed with the
    race (`stand.Told`).
    """

    player: str | None = None
    measured: bool = False


def read_row(data: Mapping[str, Any]) -> Row:
    """A row out of the JSON that it was kept as; of many that say the same, it is kept once."""
    own: dict[str, Any] = {**data, "numbers": data.get("numbers") or NOTHING}
    for name in TEXTS & own.keys():
        own[name] = own[name] and intern(own[name])
    if "crew" in own:
        own["crew"] = tuple(own["crew"])
    return Row(**own)


TEXTS = frozenset(("name", "player", "status", "team", "out"))
"""What many rows say alike."""


NOTHING = CarNumbers()
"""What was measured of most cars: one for all."""


def entered(cars: Sequence[NewCar], game: str) -> list[Row]:
    """The rows of a race entered by hand; seats are numbered as the cars are listed.

    Raises:
        BadAct: some cars have a place and some have none.
    """
    rows = [Row(seat=seat, **_told(car)) for seat, car in enumerate(cars, 1)]
    return _placed(rows, cars, game)


def amended(rows: Sequence[Row], cars: Sequence[ChangedCar], game: str) -> list[Row]:
    """A result as somebody changed it: the cars named, in the order named.

    Raises:
        BadAct: a seat is named twice; a car that was not in the race has no name; some cars
            have a place and some have none.
    """
    known = {row.seat: row for row in rows}
    seats = [car.seat for car in cars]
    if len(set(seats)) != len(seats):
        raise BadAct(f"a seat is named twice in {seats}")
    return _placed([_changed(known.get(car.seat), car) for car in cars], cars, game)


def _changed(row: Row | None, car: ChangedCar) -> Row:
    if row is None and car.name is UNSAID:
        raise BadAct(f"seat {car.seat} was not in the race; a car that is added needs name")
    changes = _told(car, row)
    if "name" in changes:  # another person, unless somebody says who plays
        changes.setdefault("player", changes["name"])
    return Row(**changes) if row is None else replace(row, **changes)


def _told(car: Car, row: Row | None = None) -> dict[str, Any]:
    """What people say of a car, by the fields of a row; full minutes count in a trial's score."""
    own = given(car)
    rolls = own.pop("trial", None)
    if rolls is None:
        return own
    seconds = own.pop("time", None)
    if seconds is None:
        raise BadAct("a trial has a time: the seconds that it took")
    numbers = CarNumbers() if row is None else row.numbers
    trial = TrialNumbers(seconds=seconds, score=rolls + int(seconds // MINUTE_S))
    return {**own, "numbers": {**numbers, "trial": trial}}


def _placed(rows: list[Row], cars: Sequence[Car], game: str) -> list[Row]:
    """With places: those that were given, else the order of the list, cars that are out last."""
    have = sum(car.place is not UNSAID for car in cars)
    if have not in (0, len(rows)):
        raise BadAct("either every car has a place, or none: then the order of the list holds")
    paid = {row.seat for row, car in zip(rows, cars, strict=True) if car.points is not UNSAID}
    if have:
        rows.sort(key=lambda row: (row.place, row.seat))
    else:
        rows.sort(key=lambda row: GROUPS[row.status])
        rows = [replace(row, place=place) for place, row in enumerate(rows, 1)]
    return list(_own_points(rows, paid, game))


def _own_points(rows: Iterable[Row], paid: set[int], game: str) -> Iterable[Row]:
    """The race's own points go with the place (FD-TEAM-1); where they are money, they stay."""
    for row in rows:
        is_home = not GROUPS[row.status]
        ended = replace(row, out=None) if is_home else row
        if game_of(game).has_money or row.seat in paid:
            yield ended
        else:
            points = int(FORMULA_D.for_place(row.place)) if is_home else 0
            yield replace(ended, points=points)


# -- scores ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one car brought home in one round. `extras` are the names of what was earned.

    `dropped`: it does not count in the total, as one of the worst. `is_sprint`: its points count,
    and its place does not.
    """

    race: str
    round: int
    entry: Entry
    points: float
    extras: tuple[str, ...] = ()
    dropped: bool = False
    is_sprint: bool = False

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
        """Whether it came home in a place."""
        return is_classified(self.entry)

    @property
    def has_place(self) -> bool:
        """Whether the place counts as one that was reached."""
        return self.is_classified and not self.is_sprint


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
    if table.fastest_top is not None:
        first = {one.seat for one in entries if one.place <= table.fastest_top}
        earned["fastest"] = earned.get("fastest", set()) & first
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
                is_sprint=race.is_sprint,
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


# -- trials ---------------------------------------------------------------------------------------


class Trial(NamedTuple):
    """A time trial; the better one is less."""

    score: int
    seconds: float

    def __setstate__(self, state: object) -> None:
        no_state(self, state)


LAST = Trial(10**9, 0)
"""Of those who ended none."""


def trial_of(entry: Entry, race: Race) -> Trial | None:
    """A car's time trial with the seconds of its penalties; None where it ended none."""
    own = entry.of(race.penalties)
    if entry.trial_score is None or entry.trial_time is None:
        return None
    if any(one.disqualified for one in own):
        return None
    seconds = tidy(entry.trial_time + sum(one.seconds for one in own))
    more = int(seconds // MINUTE_S) - int(entry.trial_time // MINUTE_S)
    return Trial(entry.trial_score + more, seconds)


def best_trials(season: Season, races: Iterable[Race]) -> dict[str, Trial | None]:
    """The best time trial of everybody who drove in these or is entered; None: none was ended."""
    best: dict[str, Trial | None] = {
        one.driver: None for one in season.entrants if one.role == "regular"
    }
    for race in races:
        for entry in race.entries:
            trial = trial_of(entry, race)
            known = best.setdefault(entry.driver, trial)
            if trial is not None and (known is None or trial < known):
                best[entry.driver] = trial
    return best
