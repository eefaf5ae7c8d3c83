"""What a running table is advised: the odds of a seat's gears as the race stands.

Where the board of such a race has been solved the expected turns are among them; the folder of
solved boards is looked into, nothing is solved here.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.advice.alone import Alone
from companion.advice.odds import Odds, gears_now, odds_of
from companion.advice.solve.model import Sky
from companion.rules.errors import Malformed
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import State, Status
from companion.rules.formula.tables import CHANGEABLE
from companion.rules.formula.urban.drivers import URBAN
from companion.solved import SolvedBoards, check_solvable


class Adviser:
    """The odds of races at a table; a board that was found solved is kept at hand.

    One that is not there is looked for again: it may be being solved.
    """

    def __init__(self, boards: SolvedBoards) -> None:
        self._boards = boards
        self._setup: Setup | None = None
        self._known: dict[Sky, Alone] = {}

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

        Nor is one where the weather may change, where tires have been changed, in the street and in
        the pit.
        """
        mine, setup = state.cars[seat], state.setup
        changed = mine.tires_lap != max(1, mine.lap)
        if state.weather in CHANGEABLE or URBAN in setup.rules:
            return None
        if changed or mine.status is Status.PIT:
            return None
        if setup is not self._setup:
            self._setup, self._known = setup, {}
        sky = Sky(mine.tires, state.raining)
        if sky not in self._known:
            table = self._boards.find(setup, [car.full for car in state.cars.values()], sky)
            if table is None:
                return None
            self._known[sky] = Alone(table, setup, sky)
        return self._known[sky]


def is_known(setup: Setup) -> bool:
    """Whether figures can be given of a race: its spaces are known, and so is each switch."""
    try:
        check_solvable(setup)
    except Malformed:
        return False
    return True
