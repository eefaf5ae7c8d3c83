"""What a league works out for its stages and writes down as acts: who goes on, who sits where."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from companion.league.acts import Act
from companion.league.competing import Draw
from companion.league.errors import BadAct
from companion.league.ports import LeagueQueries
from companion.league.qualifying import Draws, draw_acts, late_acts, qualify_acts


class Staging(ABC):
    """The part of a league that asks and does, and knows nothing of how it is kept."""

    @abstractmethod
    def do(self, *acts: Act, by: str) -> int:
        """Carry out acts."""

    @abstractmethod
    def known(self) -> LeagueQueries:
        """All that is known, hidden drivers too."""

    def qualify(self, season: str, *, by: str) -> list[str]:
        """Enter those whom the ways out of a stage take; their names.

        Raises:
            BadAct: there is no such stage, nobody goes on, or a place at a border is shared.
        """
        going, acts = qualify_acts(self.known(), season)
        if not acts:
            raise BadAct("nobody goes on from here who is not entered already")
        self.do(*acts, by=by)
        return [one.name for one in going]

    def draw(
        self,
        season: str,
        tables: int,
        how: Draw,
        dice: Random,
        *,
        by: str,
        with_grid: bool = False,
    ) -> Draws:
        """Draw the tables of a stage, and their grids; who was drawn, and who is banned.

        Raises:
            BadAct: there is no such stage, or as many do not fit at as many tables.
        """
        drawn = draw_acts(self.known(), season, tables, how, dice, with_grid=with_grid)
        self.do(*drawn.acts, by=by)
        return drawn

    def seat_late(self, season: str, *, by: str) -> Draws:
        """Give a table to those of a stage who have come late.

        Raises:
            BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
        """
        drawn = late_acts(self.known(), season)
        self.do(*drawn.acts, by=by)
        return drawn
