"""What a race is run on: a board that is known, or (boardless) what the seats report.

A race is given its ground once (`Setup.ground`), and all that differs between the two stands in
`on_board` and `boardless.by_report`: how a move is asked for and answered, who is ahead of whom,
who stands where. No other rule asks whether there is a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules.formula.state import Car, Out, Phase, Setup, State, Status
from companion.rules.game import Ask

if TYPE_CHECKING:
    from companion.rules.formula.flow import Flow
    from companion.rules.formula.moving import Move
    from companion.rules.formula.step import Step

Marker = tuple[bool, int | None]
"""Whether debris may lie, and on which space (None: nobody knows where)."""


class Ground(Protocol):
    """See the head of this file."""

    forgets_order: bool
    """Whether the order of a race that is over is known by the places alone."""

    # -- a turn -----------------------------------------------------------------------------

    def ask_move(self, state: State, step: Move) -> Ask:
        """What a seat is asked of its move."""

    def answer_move(self, flow: Flow, step: Move, ask: Ask, value: Any) -> None:
        """The answer to that: a way, and what it brings with it.

        Raises:
            Malformed: the value is not of its form.
            Illegal: the move cannot have been like that.
        """

    def stop_after_wait(self, flow: Flow, seat: int) -> Step:
        """A car has stood its turn in the box: the step in which its stop begins (DE-PIT-1)."""

    def in_front(self, flow: Flow, seat: int) -> int | None:
        """The seat of the car directly in front of one that is held up, if it still runs."""

    def place_of_marker(self, state: State, car: Car) -> Marker:
        """Where a car leaves debris; none in the pit (FD-DEBRIS-4)."""

    # -- rounds -----------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        """Cars from first to last (FD-ORDER-1 to FD-ORDER-3, DE-ORDER-1)."""

    def round_order(self, state: State) -> tuple[int, ...]:
        """The order of a new round; of the first one that of the grid (FD-START-1)."""

    def orders_itself(self, flow: Flow) -> bool:
        """A round is over: whether the next one has an order of itself; else it is asked for."""

    def open_round(self, flow: Flow) -> tuple[int, ...] | None:
        """The order of a round that begins from a position; None: it is asked for, and queued."""

    # -- where cars are ---------------------------------------------------------------------

    def grid_is_open(self, state: State) -> bool:
        """Whether it is not known yet who begins where."""

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        """The cars on the grid, pole first."""

    def in_box(self, state: State, car: Car) -> bool:
        """Whether a car stands in its box."""

    def has_box(self, setup: Setup, car: Car) -> bool:
        """Whether there is a box for a car to stop in."""

    def space_of_return(self, state: State, car: Car) -> int | None:
        """Where a car that is out comes back; None: it is not known where it stands.

        Raises:
            Illegal: there is nowhere for it.
        """

    # -- positions --------------------------------------------------------------------------

    def car_data(self, setup: Setup, car: Car) -> dict[str, Any]:
        """The further keys of a car in STATE."""

    def first_lap(self, setup: Setup, data: Mapping[str, Any], space: int | None) -> int:
        """The lap of a car of which it is not said."""

    def status_unsaid(
        self, setup: Setup, data: Mapping[str, Any], space: int | None, lap: int, *, before: bool
    ) -> Status:
        """How a car stands of which it is not said; `before` the race."""

    def read_served(
        self, setup: Setup, box: int, data: Any, status: Status, out: Out | None, stood: int | None
    ) -> bool:
        """Whether the stop of a car in the pit is over.

        Raises:
            Malformed: it contradicts where the car stands.
        """

    def stood_in_pit(self, setup: Setup, car: Car, stood: int | None) -> bool:
        """Whether a car stands in the pit, or did when it went out."""

    def may_wait(self, setup: Setup, stood: int | None) -> bool:
        """Whether a car can wait where it stands for its stop to begin (DE-PIT-1)."""

    def may_stand(self, setup: Setup, space: int | None) -> bool:
        """Whether a wreck can stand in the way there (DE-BLOCK-1)."""

    def read_corner(self, setup: Setup, data: Any) -> int:
        """The corner of the card that a car is in or comes to next."""

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        """Put cars that a position does not name on what is free of the grid."""

    def order_unsaid(
        self, state: State, data: Mapping[str, Any], grid: tuple[int, ...] | None
    ) -> State:
        """The order where a position names none."""

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """Whether a car stands on a space and should not, or stands nowhere and should."""

    def may_return(self, out: Out) -> bool:
        """Whether a car that is out can come back."""
