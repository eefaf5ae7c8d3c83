"""Head to head: who was ahead of whom in the races that both drove; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.league.numbers.rating import places_of
from companion.league.plain import Race


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody whom a driver has met: the driver was so often `ahead`, `behind`, or neither."""

    driver: str
    races: int
    ahead: int
    behind: int


def rivals_of(driver: str, races: Iterable[Race]) -> list[Rival]:
    """Everybody a driver has met, those met most first; struck races do not count."""
    met: dict[str, list[int]] = {}
    for race in races:
        places = places_of(race)
        if not race.counts or driver not in places:
            continue
        own = places[driver]
        for other, place in places.items():
            if other != driver:
                met.setdefault(other, []).append((place > own) - (place < own))
    found = [
        Rival(other, len(duels), duels.count(1), duels.count(-1)) for other, duels in met.items()
    ]
    return sorted(found, key=lambda rival: (-rival.races, rival.driver))
