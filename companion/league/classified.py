"""The result of one race with its penalties in it; pure.

A penalty of places moves a car down among those that are not out; it never falls behind one
that is. A disqualified car comes last, behind those that did not start. Cars that shared a
place share it still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from companion.league.plain import Entry, Penalty, Race, Status


def classify(race: Race) -> tuple[Entry, ...]:
    """The entries by place, with the penalties that hold, and renumbered where there are any."""
    active = [penalty for penalty in race.penalties if penalty.lifted is None]
    entries = sorted(race.entries, key=lambda entry: (entry.place, entry.seat))
    if not any(penalty.places or penalty.disqualified for penalty in active):
        return tuple(entries)
    return tuple(_renumber(_judge(entry, active) for entry in entries))


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
    own = [penalty for penalty in active if penalty.driver == entry.driver]
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
