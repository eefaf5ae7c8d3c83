"""An edition of the Formula rules: its numbers and the names of its rules.

Formula D and Formule Dé are one body of rules. Where they differ, the rules ask the edition
of the race (`Setup.edition`): a number or a table stands here as such, and where the two
differ in shape, the edition names the way that is played, and that way has a file of its
own (`collisions`). No rule asks which game it is in.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Set
from typing import Final, Literal

from companion.frozen import dataclass
from companion.rules.formula.house import clashes_in, offered
from companion.rules.formula.wear import Wear
from companion.rules.game import Choices

NEVER: Final = sys.maxsize
"""A count of spaces that no move reaches: what would happen from there on does not."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Edition:
    """One edition; two are equal only if they are the same one.

    `ids` are the rules that have another id here than in Formula D. `optional_rules` are
    those that a header may put on.
    """

    name: str
    ids: Mapping[str, str]
    optional_rules: tuple[str, ...]

    # The race: laps from–to, cars at most (FD-LAPS-1, DE-CAR-2).
    laps: tuple[int, int]
    most_cars: int

    # The car (FD-CAR-1, DE-CAR-1): wear by laps where it is not `start_wear`; `built_wear` is
    # what a constructed car is taken to have where nothing is said.
    categories: tuple[str, ...]
    start_wear: Wear
    wear_by_laps: Mapping[int, Wear]
    built_wear: Wear
    build_rule: str
    build_limits: tuple[tuple[int, int], ...]
    pool_rules: Set[str]
    """The rules of which any gives each car, or team, generic WP (FD-TECH-1, DE-PIT-2)."""

    # The start (FD-START-2 to FD-START-4, DE-START-1).
    start_outcomes: tuple[str, str, str]

    # The turn. In the pit lane who drove in first plays first (DE-PIT-4), else who is further.
    pit_in_order_of_entry: bool
    engine_faces: Mapping[int, Set[int]]
    """The faces that ask for engine tests, by gear (FD-ENGINE-1, DE-ENGINE-1)."""

    # Overshoot by its spaces, whatever it costs (DE-CORNER-1).
    overshoot_spins: int
    overshoot_out: int

    collisions: Literal["mover", "group"]
    """Who rolls: the mover and whom it met (FD-BUMP-1), or all who touch one another
    (DE-BUMP-1)."""

    # The pit (DE-PIT-1, DE-PIT-2): only with worn tires; the highest gear that may enter
    # without standing a turn; whether the gear after a fast stop is held down.
    stops_worn_only: bool
    pit_entry_gear: int
    holds_gear_after_pit: bool

    @property
    def house(self) -> Mapping[str, tuple[str, ...]]:
        """The house switches that it offers, each with its values, the default first."""
        return offered(self.name)

    @property
    def choices(self) -> Choices:
        """What a header may choose."""
        return Choices(self.optional_rules, self.house, clashes_in(self.name))

    def rule(self, rule: str | None) -> str | None:
        """The id that this rule of Formula D has here."""
        return None if rule is None else self.ids.get(rule, rule)

    def standard_wear(self, laps: int, rules: Set[str]) -> Wear:
        """What a car has of which nothing is said (FD-CAR-1, DE-CAR-1)."""
        if self.build_rule in rules:
            return self.built_wear
        return self.wear_by_laps.get(laps, self.start_wear)
