"""The classification of a stage of time trials, over all its tables; pure.

A driver's best session counts: the lowest score (FD-TRIAL-2: rolls, overshoot, full minutes), then
the shorter time; seconds of a penalty are added to the time of the session that they were given in,
and a full minute more is a point more. Behind those stand, level, who ended no trial.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.frozen import dataclass
from companion.league.plain import MINUTE_S, Entry, Race, Season
from companion.league.points import tidy


class Trial(NamedTuple):
    """A time trial; the better one is less."""

    score: int
    seconds: float


LAST = Trial(10**9, 0)
"""Of those who ended none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLine:
    """A line of the classification. `best` is None where no trial was driven to its end."""

    place: int
    driver: str
    best: Trial | None


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


def classify_trials(
    season: Season, races: Iterable[Race], names: Mapping[str, str]
) -> list[TrialLine]:
    """Everybody who drove in the trials or is entered, best first; equal ones share a place."""
    best: dict[str, Trial | None] = {
        one.driver: None for one in season.entrants if one.role == "regular"
    }
    for race in races:
        for entry in race.entries:
            trial = trial_of(entry, race)
            known = best.setdefault(entry.driver, trial)
            if trial is not None and (known is None or trial < known):
                best[entry.driver] = trial
    order = sorted(best, key=lambda one: (best[one] or LAST, names.get(one, one).casefold(), one))
    lines: list[TrialLine] = []
    for number, driver in enumerate(order, 1):
        is_shared = bool(lines) and lines[-1].best == best[driver]
        place = lines[-1].place if is_shared else number
        lines.append(TrialLine(place=place, driver=driver, best=best[driver]))
    return lines
