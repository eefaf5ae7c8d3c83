"""What a running table is advised: the odds of a seat's gears as the race stands.

Where the board of such a race has been solved the expected turns are among them; the folder of
solved boards is looked into, nothing is solved here.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.advice.alone import Alone
from companion.advice.by_sky import BySky, moves_as_solved, sky_of
from companion.advice.odds import Odds, gears_now, odds_of
from companion.rules.errors import Malformed
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import State
from companion.rules.formula.tables import CHANGEABLE
from companion.rules.formula.urban.drivers import URBAN
from companion.solved import SolvedBoards, check_solvable


class Adviser:
    """The odds of races at a table; a board that was found solved is kept at hand.

    One that is not there is looked for again: it may be being solved.
    """

    def __init__(self, boards: SolvedBoards) -> None:
        self._boards = boards
        self._figures: BySky | None = None
        self._setup: Setup | None = None

    def odds(self, state: object, seat: int) -> Mapping[int, Odds]:
        """The odds of the gears that a seat may roll with next; none where none can be told.

        That is while a move is settled, off the board, and where figures cannot be given.
        """
        if not isinstance(state, State) or not is_known(state.setup):
            return {}
        choices = gears_now(state, seat)
        alone = self.alone(state, seat) if choices else None
        return {one.gear: odds_of(state, seat, one, alone) for one in choices}

    def alone(self, state: State, seat: int) -> Alone | None:
        """The values of a seat's car alone; None: no board is solved for such a race.

        Nor is one for the street, or where a house switch moves the weather otherwise.
        """
        setup = state.setup
        if URBAN in setup.rules or (state.weather in CHANGEABLE and not moves_as_solved(setup)):
            return None
        sky = sky_of(state, seat)
        wears = [car.full for car in state.cars.values()]
        if self._figures is None or setup is not self._setup:
            self._setup = setup
            self._figures = BySky(setup, lambda sky: self._boards.find(setup, wears, sky))
        return self._figures.exactly(sky)


def is_known(setup: Setup) -> bool:
    """Whether figures can be given of a race: its spaces are known, and so is each switch."""
    try:
        check_solvable(setup)
    except Malformed:
        return False
    return True
