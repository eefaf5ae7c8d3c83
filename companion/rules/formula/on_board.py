"""The ground of a race on a board that is known; see `ground`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.errors import Illegal
from companion.rules.formula.corners import Halt
from companion.rules.formula.flow import Flow
from companion.rules.formula.ground import Marker
from companion.rules.formula.moving import Move, answer_end, ask_end
from companion.rules.formula.order import ranked_on_board, round_order
from companion.rules.formula.pit import serve_turn
from companion.rules.formula.returning import lap_back_at
from companion.rules.formula.state import Car, Out, Phase, Setup, State, Status
from companion.rules.formula.step import Step
from companion.rules.game import Ask
from companion.rules.reading import bad


class OnBoard:
    """A board whose spaces are known."""

    forgets_order = False

    # -- a turn -----------------------------------------------------------------------------

    def ask_move(self, state: State, step: Move) -> Ask:
        """The ends of the move."""
        return ask_end(state, step)

    def answer_move(self, flow: Flow, step: Move, ask: Ask, value: Any) -> None:
        """One of the ends."""
        answer_end(flow, step, ask, value)

    def stop_after_wait(self, flow: Flow, seat: int) -> Step:
        """Where its move ended it stands still."""
        serve_turn(flow, seat)
        return Halt(seat=seat)

    def in_front(self, flow: Flow, seat: int) -> int | None:
        """The car on the next space of the lane."""
        state = flow.state
        space = state.cars[seat].space
        assert space is not None
        ahead = state.setup.track.ahead[space]
        return next((other.seat for other in state.running() if other.space == ahead), None)

    def place_of_marker(self, state: State, car: Car) -> Marker:
        """Where it stands or stood."""
        space = car.out.space if car.out else car.space
        return (space is not None and state.setup.track.lane[space] >= 0), space

    # -- rounds -----------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        """By where they stand."""
        return ranked_on_board(state, cars)

    def round_order(self, state: State) -> tuple[int, ...]:
        """By where they stand."""
        return round_order(state)

    def orders_itself(self, flow: Flow) -> bool:
        """Always."""
        return True

    def open_round(self, flow: Flow) -> tuple[int, ...] | None:
        """In the order in which they stand."""
        return round_order(flow.state)

    # -- where cars are ---------------------------------------------------------------------

    def grid_is_open(self, state: State) -> bool:
        """As long as a car stands nowhere."""
        return any(car.space is None for car in state.running())

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        """The cars on the spaces of the grid."""
        cars = dict(state.cars)
        for seat, space in zip(order, state.setup.track.grid, strict=False):
            cars[seat] = replace(cars[seat], space=space)
        return replace(state, cars=cars)

    def in_box(self, state: State, car: Car) -> bool:
        """On the space of a box."""
        return car.space in state.setup.track.boxes

    def has_box(self, setup: Setup, car: Car) -> bool:
        """Where the board has so many."""
        return car.box <= len(setup.track.boxes)

    def space_of_return(self, state: State, car: Car) -> int | None:
        """Where it went out, or the nearest free space behind in its lane.

        A car that went out past its last line has not finished: it comes back before the line.
        """
        space = car.out.space if car.out else None
        if space is None:
            raise Illegal(
                "nowhere-to-return",
                f"it is not known where seat {car.seat} stood",
                args={"seat": car.seat},
            )
        track = state.setup.track
        taken = {other.space for other in state.cars.values()}
        taken |= {other for other, wreck in state.wrecks().items() if wreck is not car}
        for _ in track.ids:
            if space not in taken and lap_back_at(state, car, space) <= state.setup.laps:
                return space
            space = track.behind[space]
            if space < 0:
                break
        message = "no space behind it is free"
        raise Illegal("nowhere-to-return", message, args={"seat": car.seat})

    # -- positions --------------------------------------------------------------------------

    def car_data(self, setup: Setup, car: Car) -> dict[str, Any]:
        """`served` of a car whose stop is over, or that stands in a box."""
        stood = car.out.space if car.out else car.space
        in_box = stood is not None and stood in setup.track.boxes
        return {"served": car.served} if car.served or in_box else {}

    def first_lap(self, setup: Setup, data: Mapping[str, Any], space: int | None) -> int:
        """Lap 0 before the line in the section of the line, else lap 1."""
        if space is None:
            return 0
        return 0 if setup.track.section[space] == 0 and not setup.track.past_line[space] else 1

    def status_unsaid(
        self, setup: Setup, data: Mapping[str, Any], space: int | None, lap: int, *, before: bool
    ) -> Status:
        """As it follows from where the car is."""
        track = setup.track
        if space is None:
            return Status.GRID if before else Status.OUT
        if track.lane[space] < 0:
            return Status.PIT
        waits = lap == 0 and space in track.grid and not data.get("gear")
        return Status.GRID if waits else Status.RACING

    def read_served(
        self, setup: Setup, box: int, data: Any, status: Status, out: Out | None, stood: int | None
    ) -> bool:
        """Left out: a car in its box or beyond it has made its stop (FD-PIT-6).

        A served car may stand before its box: it returned there, where its own space was taken.
        One in its box may not be served yet: debris on its way there is still to be rolled for.
        """
        track = setup.track
        if stood is None or track.lane[stood] >= 0:
            if data:
                message = "only a car in the pit lane can be served"
                bad("served-on-track", message, rule="FD-PIT-6")
            return False
        if box > len(track.boxes) or (stood in track.boxes and stood != track.boxes[box - 1]):
            bad("wrong-box", f"a car stops in its own box, B{box}", rule="FD-PIT-1", box=box)
        in_box = stood in track.boxes
        beyond = in_box or stood > track.box_lane[box - 1]
        if data is None:
            return beyond
        if not isinstance(data, bool) or (not data and beyond and not in_box):
            bad("served-form", f"served {data!r:.20} contradicts the space", rule="FD-PIT-6")
        return data

    def stood_in_pit(self, setup: Setup, car: Car, stood: int | None) -> bool:
        """By where it stood."""
        return stood is not None and setup.track.lane[stood] < 0

    def may_wait(self, setup: Setup, stood: int | None) -> bool:
        """In a box."""
        return stood in setup.track.boxes

    def may_stand(self, setup: Setup, space: int | None) -> bool:
        """On the track."""
        return space is not None and setup.track.lane[space] >= 0

    def read_corner(self, setup: Setup, data: Any) -> int:
        """A board needs no card."""
        if data is not None:
            bad("no-such-corner", f"the card has no corner {data!r:.20}", rule="FD-CORNER-1")
        return 0

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        """On the free spaces of the grid, in its order."""
        taken = {car.space for car in cars.values()}
        free = [space for space in setup.track.grid if space not in taken]
        for seat, space in zip(rest, free, strict=False):
            cars[seat] = replace(cars[seat], space=space)
        if len(rest) > len(free):
            bad("too-many-seats", "the grid has no room for the cars that are not named")

    def order_unsaid(
        self, state: State, data: Mapping[str, Any], grid: tuple[int, ...] | None
    ) -> State:
        """None: where they stand says it."""
        return state if state.turn is not None else replace(state, order=())

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """A car stands on a space exactly while it runs, or waits for its race or trial."""
        unplaced = phase is Phase.FINISHED and car.status is Status.GRID and car.space is None
        before = phase in (Phase.SETUP, Phase.TRIALS)
        on_grid = car.space in setup.track.grid and car.status is Status.GRID and not car.lap
        waits = phase is Phase.SETUP and car.runs and on_grid
        drives = phase is Phase.TRIALS and car.runs
        if waits or drives:
            return False
        return (car.space is None) == (car.runs and not before and not unplaced)

    def may_return(self, out: Out) -> bool:
        """Where it is known where it stood."""
        return out.space is not None
