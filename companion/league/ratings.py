"""How good a driver is: Elo's ratings over positions, and skill with how sure it is.

Elo: every race is a small tournament of duels, the one ahead wins. A. Elo, The Rating of
Chessplayers (1978): expected score 1 / (1 + 10^((Rb − Ra) / 400)). A race of n drivers is n − 1
duels for each of them, all judged on the ratings before the race, and their sum is divided by
n − 1: so a race weighs as one game does, however many drive in it.

Skill is Plackett–Luce, as the library openskill has it. R. C. Weng, C.-J. Lin, A Bayesian
Approximation Method for Online Ranking (2011), algorithm 4: what is known of a driver is a bell
curve, `mu` and `sigma`, and a race moves both at once by the whole order, where Elo takes it to
duels. The library comes with the extra `league`; without it nobody's skill is reckoned, and a
league that gets it makes itself again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from typing import Any, Final, NamedTuple

# -- Elo ------------------------------------------------------------------------------------------


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


# -- skill ----------------------------------------------------------------------------------------


class Skill(NamedTuple):
    """What is known of a driver."""

    mu: float
    sigma: float

    @property
    def sure(self) -> float:
        """What somebody is at least, in 997 of 1000 cases: what one is ranked by."""
        return self.mu - 3 * self.sigma


UNKNOWN: Final = Skill(25.0, 25.0 / 3.0)
"""Of whom nothing is known: at least 0."""


@cache
def is_reckoned() -> bool:
    """Whether the library is there."""
    return find_spec("openskill") is not None


@cache
def _model() -> Any:
    # Imported here: whoever only reads pages needs none of it.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=UNKNOWN.mu, sigma=UNKNOWN.sigma)


def after(places: Mapping[str, int], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills after a race; who is not in `before` is new.

    Only where `is_reckoned`.
    """
    model, drivers = _model(), list(places)
    known = [before.get(driver, UNKNOWN) for driver in drivers]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in known]
    rated = model.rate(teams, ranks=[float(places[driver]) for driver in drivers])
    return {driver: Skill(one.mu, one.sigma) for driver, [one] in zip(drivers, rated, strict=True)}
