"""Elo over positions: every race is a small tournament of duels, the one ahead wins.

A. Elo, The Rating of Chessplayers (1978): expected score 1 / (1 + 10^((Rb − Ra) / 400)). A race
of n drivers is n − 1 duels for each of them, all judged on the ratings before the race, and
their sum is divided by n − 1: so a race weighs as one game does, however many drive in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from companion.league.classified import classify
from companion.league.plain import Race
from companion.league.scores import started

START = 1500.0
SCALE = 400.0
K = 32.0
"""The most that one race can move a rating."""


def expected(own: float, other: float) -> float:
    """The score that is expected of a duel, 0 to 1.

    >>> expected(1500, 1500), round(expected(1900, 1500), 3)
    (0.5, 0.909)
    """
    return float(1 / (1 + 10 ** ((other - own) / SCALE)))


def places_of(race: Race) -> dict[str, int]:
    """The best place of each driver in a race, penalties in it."""
    places: dict[str, int] = {}
    for entry in started(classify(race)):
        places[entry.driver] = min(entry.place, places.get(entry.driver, entry.place))
    return places


def gains(places: Mapping[str, int], before: Mapping[str, float]) -> dict[str, float]:
    """What a race moves each rating by, all judged on the ratings before it."""
    gains = dict.fromkeys(places, 0.0)
    weight = K / (len(places) - 1)
    for one, other in combinations(places, 2):
        score = 0.5 + 0.5 * ((places[one] < places[other]) - (places[one] > places[other]))
        gain = weight * (score - expected(before[one], before[other]))
        gains[one] += gain
        gains[other] -= gain
    return gains
