"""The grid: the black die, ties rolled again, and the cars set in order (FD-GRID, DE-GRID).

House switch `grid_die`: the highest roll has pole (FD-GRID-1), or the lowest (DE-GRID-1).
"""

from __future__ import annotations

from typing import Annotated, Final

from companion.rules.copies import replace
from companion.rules.forms import Many, Pair, Seat, Within
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.black_die import read_roll
from companion.rules.formula.meanings import Outcome, Reason
from companion.rules.formula.state import Asks, Event, Flow, State, Step, but
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import gallant
from companion.rules.game import Ask
from companion.rules.reading import bad

Group = tuple[int, ...]
"""Seats that are equal on the grid."""


class GridRolled(Event):
    """A roll for the grid."""

    roll: int


class GridTied(Event):
    """These seats tie and roll again."""

    seats: tuple[int, ...]


class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        return state.ground.set_grid(state, self.order)


FACES: Final = tuple(Outcome(face, face) for face in range(BLACK_DIE[0], BLACK_DIE[1] + 1))
"""Each number of the black die counts for itself."""


class Grid(Step, kind="grid", at=Point.BEFORE_THE_RACE, rule="FD-GRID-1", before_race=True):
    """Groups of tied cars in order, and the rolls of those who have rolled (again)."""

    groups: Annotated[tuple[Group, ...], Many(Many(Seat()))] = ()
    rolls: Annotated[tuple[tuple[int, int], ...], Many(Pair(Seat(), Within(*BLACK_DIE)))] = ()

    def _open(self) -> list[int]:
        """Who is still to roll."""
        rolled = {seat for seat, _ in self.rolls}
        tied = (group for group in self.groups if len(group) > 1)
        return [seat for group in tied for seat in group if seat not in rolled]

    def waits(self, state: State) -> bool:
        return bool(self._open())

    def asks(self, state: State) -> Asks:
        return [BlackAsk(seat, reason=Reason.GRID, outcomes=FACES) for seat in self._open()]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-GRID-1, FD-GRID-2."""
        roll = read_roll(ask, value).number
        flow.tell(GridRolled(seat=ask.seat, rule=self.rule, roll=roll))
        flow.due(replace(self, rolls=tuple(sorted((*self.rolls, (ask.seat, roll))))))

    def settle(self, flow: Flow) -> None:
        """Sort the groups, all having rolled; those who tie roll again (FD-GRID-2)."""
        rolls, low_first = dict(self.rolls), flow.state.setup.house.grid_die == "low"
        groups = tuple(
            part
            for group in self.groups
            for equal in _split(group, rolls, low_first)
            for part in gallant(flow.state, equal)
        )
        for group in groups:
            if len(group) > 1:
                flow.tell(GridTied(seat=0, rule="FD-GRID-2", seats=group))
        if any(len(group) > 1 for group in groups):
            flow.due(Grid(groups=groups))
            return
        order = tuple(seat for (seat,) in groups)
        flow.tell(GridSet(seat=0, rule=self.rule, order=order))

    def without(self, seat: int, *, retired: bool) -> Step:
        groups = (but(group, seat) for group in self.groups)
        rolls = tuple(roll for roll in self.rolls if roll[0] != seat)
        return replace(self, groups=tuple(group for group in groups if group), rolls=rolls)

    def check(self, state: State) -> None:
        seats = sorted(car.seat for car in state.running())
        if sorted(seat for group in self.groups for seat in group) != seats:
            bad("grid-form", f"groups name each of the seats {seats} once")


def _split(group: Group, rolls: dict[int, int], low_first: bool) -> list[Group]:
    """A group by its rolls, the first place first; those who tie stay together."""
    if len(group) == 1:
        return [group]
    faces = sorted({rolls[seat] for seat in group}, reverse=not low_first)
    return [tuple(seat for seat in group if rolls[seat] == face) for face in faces]
