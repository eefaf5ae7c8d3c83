"""Positions of a boardless race: cars without a space, in an order that is told.

What a board would show is told instead: a car with a gear runs, one without stands on the
grid; whoever is in the pit stands in its box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.formula.state import Out, Phase, State, Status, Step
from companion.rules.reading import bad

OF_A_BOARD = frozenset({"slipstream", "halt", "bump"})
BOARDLESS = frozenset({"arrive", "order"})
"""The kinds of steps of the one and of the other."""


def first_lap(told: Mapping[str, Any]) -> int:
    """The lap of a car of which it is not said: lap 0 on the grid, else lap 1."""
    return int(bool(told.get("gear")))


def status_unsaid(told: Mapping[str, Any], lap: int) -> Status:
    """How a car stands of which it is not said."""
    if told.get("out") is not None:
        return Status.OUT
    return Status.RACING if told.get("gear") or lap else Status.GRID


def is_in_pit(status: Status, out: Out | None) -> bool:
    """Whether a car stands in the pit, or stood there when it went out."""
    return Status.PIT in (status, out.was if out else None)


def read_served(told: Any, status: Status, out: Out | None) -> bool:
    """Left out: a car in the pit has made its stop (FD-PIT-6)."""
    in_pit = is_in_pit(status, out)
    if told is None:
        return in_pit
    if not isinstance(told, bool) or (told and not in_pit):
        bad("served-on-track", "only a car in the pit can be served", rule="FD-PIT-6")
    return told


def order_from_grid(
    state: State, told: Mapping[str, Any], grid: tuple[int, ...] | None
) -> tuple[int, ...]:
    """The order where a position names none: the grid while all stand there, else not known."""
    on_grid = all(car.status is Status.GRID for car in state.running())
    open_yet = state.phase is not Phase.RACE or bool(told.get("pending"))
    return () if open_yet or not on_grid else grid or tuple(state.cars)


def refuse_foreign_steps(state: State, steps: Sequence[Step]) -> None:
    """Refuse steps that only a race with a board has, or only one without."""
    foreign = OF_A_BOARD if state.setup.boardless else BOARDLESS
    for step in steps:
        if step.kind in foreign:
            bad("pending-form", f"{step.kind} is not pending in this race: it has "
                f"{'no' if state.setup.boardless else 'a'} board", rule="FD-MOVE-1")  # fmt: skip


def is_between_rounds(state: State, steps: Sequence[Step]) -> bool:
    """Whether only the running order is asked (FD-ORDER-1)."""
    return state.turn is None and [step.kind for step in steps] == ["order"]
