"""What a header settles for the whole race: board, laps, optional rules, house switches.

`header` reads it and refuses what contradicts itself; here is what follows from it.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial

from companion.frozen import dataclass
from companion.rules.board.track import Track
from companion.rules.formula import tables
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.house import House, usual_house
from companion.rules.formula.wear import Wear


@dataclass(frozen=True)
class Setup:
    """What a header settles for the whole race.

    `builds` and `fits` are the seats whose wear and tires the header leaves to be asked for;
    `house` is how the house switches stand (`switches.toml`). `pack` is the name of the rules pack
    that the header came with, for people; "": none.
    """

    track: Track
    laps: int = tables.DEFAULT_LAPS
    start_rolls: bool = True
    rules: frozenset[str] = frozenset()
    house: House = field(default_factory=partial(usual_house, FORMULA_D.name))
    builds: tuple[int, ...] = ()
    fits: tuple[int, ...] = ()
    edition: Edition = FORMULA_D
    pack: str = ""

    @property
    def boardless(self) -> bool:
        """Whether nobody knows where the cars stand: no board, or only the card of one."""
        return self.track.is_blank

    @property
    def wrecks_stand(self) -> bool:
        """Whether a car that is out may stand in the way until its next turn (DE-BLOCK-1)."""
        return self.house.wrecks != "lifted"

    @property
    def standard_wear(self) -> tuple[int, ...]:
        """What a car of this race has of which nothing is said (FD-CAR-1)."""
        return self.edition.standard_wear(self.laps, self.rules)

    @property
    def most_on_car(self) -> int:
        """How many WP of the pit a constructed car may have on it (FD-TECH-1)."""
        pools = self.rules & self.edition.pool_rules
        return tables.POOL if self.house.pool_on_car == "yes" and pools else 0

    def on_car(self, wear: Wear) -> int:
        """How many WP of the pit a car of this wear has on it."""
        built = self.most_on_car and self.edition.build_rule in self.rules
        return max(0, sum(wear) - int(self.house.build_points)) if built else 0

    @property
    def build_limits(self) -> tuple[tuple[int, int], ...]:
        """The bounds of each category of a constructed car (FD-BUILD-1, DE-CAR-1).

        House switch `build_most` with "any": all that the others leave, with what would lie in the
        pit too.
        """
        bounds = self.edition.build_limits
        if self.edition.build_rule not in self.rules or self.house.build_most != "any":
            return bounds
        points = int(self.house.build_points) + self.most_on_car
        free = points - sum(low for low, _ in bounds)
        return tuple((low, low + free) for low, _ in bounds)
