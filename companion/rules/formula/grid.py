"""The grid: the black die, ties rolled again, and the cars set in order (FD-GRID, DE-GRID)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Seat, Tupled, Within
from companion.rules.formula.asks import Outcome, Reason
from companion.rules.formula.black_die import ask_black, read_roll
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State
from companion.rules.formula.step import Point, Step
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.urban.drivers import gallant
from companion.rules.game import Ask
from companion.rules.reading import bad

Group = tuple[int, ...]
"""Seats that are equal on the grid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRolled(Event):
    """A roll for the grid."""

    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GridTied(Event):
    """These seats tie and roll again."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        return state.setup.ground.set_grid(state, self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid(Step):
    """Groups of tied cars in order, and the rolls of those who have rolled (again)."""

    kind: ClassVar[str] = "grid"
    at: ClassVar[Point] = Point.BEFORE_THE_RACE
    rule: ClassVar[str] = "FD-GRID-1"
    before_race: ClassVar[bool] = True
    groups: Annotated[tuple[Group, ...], Many(Many(Seat()))] = ()
    rolls: Annotated[
        tuple[tuple[int, int], ...],
        Many(Tupled((Seat(), Within(*BLACK_DIE)), key="pending-form")),
    ] = ()

    def asks(self, state: State) -> Sequence[Ask]:
        rolled = {seat for seat, _ in self.rolls}
        tied = [seat for group in self.groups if len(group) > 1 for seat in group]
        faces = tuple(Outcome(face, face) for face in range(BLACK_DIE[0], BLACK_DIE[1] + 1))
        return [ask_black(seat, Reason.GRID, faces) for seat in tied if seat not in rolled]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-GRID-1, FD-GRID-2."""
        roll = read_roll(ask, value)
        flow.take()
        flow.tell(GridRolled(seat=ask.seat, rule=self.rule, roll=roll))
        rolls = dict(self.rolls) | {ask.seat: roll}
        flow.put_back(replace(self, rolls=tuple(sorted(rolls.items()))))

    def settle(self, flow: Flow) -> bool:
        """Sort the groups once all have rolled; those who tie roll again (FD-GRID-2)."""
        rolls = dict(self.rolls)
        if not all(seat in rolls for group in self.groups if len(group) > 1 for seat in group):
            return False
        flow.take()
        low_first = flow.state.setup.edition.low_roll_leads
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
            flow.put_back(Grid(groups=groups))
            return False
        order = tuple(seat for (seat,) in groups)
        flow.tell(GridSet(seat=0, rule=self.rule, order=order))
        return True

    def without(self, seat: int, *, retired: bool) -> Step:
        groups = (tuple(other for other in group if other != seat) for group in self.groups)
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
