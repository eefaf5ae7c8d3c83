"""The result of one race with its penalties in it; pure.

Seconds of a penalty are added to a car's time, and the cars that came home stand in the order of
their times then, where all of them have one. A penalty of places moves a car down among those that
are not out; it never falls behind one that is. A disqualified car comes last, behind those that did
not start. Cars that shared a place share it still.

A session of a stage of time trials stands in the order of these, with equal ones sharing a place;
who ended none is not classified and stands behind, level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from companion.league.plain import Entry, Penalty, Race, Status
from companion.league.points import tidy
from companion.league.trials import LAST, trial_of


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
