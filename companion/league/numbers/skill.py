"""Skill over positions, of many drivers at once: Plackett–Luce, as the library openskill has it.

R. C. Weng, C.-J. Lin, A Bayesian Approximation Method for Online Ranking (2011), algorithm 4: what
is known of a driver is a bell curve, `mu` and `sigma`, and a race moves both at once by the whole
order, where Elo takes it to duels. The library comes with the extra `league`; without it nobody's
skill is reckoned, and a league that gets it makes itself again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, NamedTuple


class Skill(NamedTuple):
    """What is known of a driver."""

    mu: float
    sigma: float

    @property
    def sure(self) -> float:
        """What somebody is at least, in 997 of 1000 cases: what one is ranked by."""
        return self.mu - 3 * self.sigma


START: Final = Skill(25.0, 25.0 / 3.0)
"""Of whom nothing is known: at least 0."""


@cache
def is_reckoned() -> bool:
    """Whether the library is there."""
    return find_spec("openskill") is not None


@cache
def _model() -> Any:
    # Imported here: whoever only reads pages needs none of it.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START.mu, sigma=START.sigma)


def after(places: Mapping[str, int], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills after a race; who is not in `before` is new.

    Only where `is_reckoned`.
    """
    model, drivers = _model(), list(places)
    known = [before.get(driver, START) for driver in drivers]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in known]
    rated = model.rate(teams, ranks=[float(places[driver]) for driver in drivers])
    return {driver: Skill(one.mu, one.sigma) for driver, [one] in zip(drivers, rated, strict=True)}
