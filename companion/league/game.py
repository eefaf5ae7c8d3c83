"""What a game is to the league: what differs between games, and what is counted of their races."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from companion.frozen import dataclass
from companion.league.plain import CarNumbers, RaceNumbers
from companion.league.replayed import EventT, Replayed, StateT


@dataclass(frozen=True, slots=True)
class CarEnd:
    """What the end of a race tells of a car beside its place; see `plain.Entry`."""

    grid: int | None = None
    lap: int | None = None
    out: str | None = None
    best_lap: int | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a race and of its cars, by seat."""

    race: RaceNumbers = field(default_factory=RaceNumbers)
    cars: Mapping[int, CarNumbers] = field(default_factory=dict)


class LeagueGame(Protocol[StateT, EventT]):
    """One of the games, as the league knows it; `games.game_of` has them by name."""

    @property
    def title(self) -> str:
        """As its box has it."""

    @property
    def bgg_id(self) -> int:
        """Its number at BoardGameGeek, by which other programs know it."""

    @property
    def has_money(self) -> bool:
        """Whether its own points are money, which no place earns and which totals are of."""

    @property
    def has_laps(self) -> bool:
        """Whether a car that is home has driven the laps of the header."""

    def names(self, race: Replayed[StateT, EventT]) -> Mapping[int, str]:
        """What its seats are called, by number."""

    def ends(self, race: Replayed[StateT, EventT]) -> Mapping[int, CarEnd]:
        """How its cars ended, by seat; without those of which there is nothing to tell."""

    def measure(self, race: Replayed[StateT, EventT]) -> Measured:
        """What is counted of a race."""
