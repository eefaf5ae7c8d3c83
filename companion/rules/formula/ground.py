"""A board whose spaces are known, as the ground of a race; see `state.Ground`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.rules.copies import replace
from companion.rules.errors import Illegal
from companion.rules.formula.asks import MoveAsk
from companion.rules.formula.car import Car, Place, Status
from companion.rules.formula.corners import Halt
from companion.rules.formula.lapping import in_circle
from companion.rules.formula.moving import EndedNear, Move, chosen, drive, read_end
from companion.rules.formula.option import Option
from companion.rules.formula.order import in_pit_order, lap_back_at, level_gear, progress
from companion.rules.formula.settings import Setup
from companion.rules.formula.sketch import near_ends
from companion.rules.formula.state import Flow, Ground, Phase, State, Step
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse


class OnBoard(Ground):
    """A board whose spaces are known."""

    # -- a turn -----------------------------------------------------------------------------

    def ask_move(self, state: State, step: Step) -> Ask:
        assert isinstance(step, Move)
        ends = step.ends(state)
        near = near_ends(state, step.seat, ends)
        return MoveAsk(step.seat, track=state.setup.track, ends=ends, near=near)

    def answer_move(self, flow: Flow, step: Step, ask: Ask, value: object) -> None:
        assert isinstance(step, Move)
        assert isinstance(ask, MoveAsk)
        to, brakes = read_end("move", value)
        option = _near(flow, step, ask, to, brakes) or chosen(
            flow.state, ask.ends, to, brakes, step.explain
        )
        drive(flow, step.seat, option, step.how, drifts=step.drifts)

    def stop_in_box(self, seat: int) -> Step:
        return Halt(seat=seat)

    def in_front(self, flow: Flow, seat: int) -> int | None:
        state = flow.state
        space = state.cars[seat].space
        assert space is not None
        ahead = state.setup.track.ahead[space]
        return next((other.seat for other in state.running() if other.space == ahead), None)

    def in_contact(self, flow: Flow, seat: int) -> list[int]:
        state = flow.state
        space = state.cars[seat].stood
        assert space is not None
        near = {*state.setup.track.beside[space], state.setup.track.ahead[space]}
        return [car.seat for car in self.ranked(state, state.running()) if car.space in near]

    # -- rounds -----------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        track = state.setup.track

        def key(car: Car) -> tuple[int, bool, int, int, int, int]:
            inside = 0 if car.space is None else track.inside(car.space)
            first = driver_of(car).first  # FD-DRV-9
            gear = level_gear(state.setup, car)
            return (-progress(track, car), not first, -gear, car.arrived, inside, car.seat)

        return sorted(cars, key=key)

    def round_order(self, state: State) -> tuple[int, ...]:
        running, grid = state.running(), state.setup.track.grid
        if all(car.status is Status.GRID and car.space in grid for car in running):
            placed = {car.space: car.seat for car in running}
            return tuple(placed[space] for space in grid if space in placed)
        ranked = self.ranked(state, (*running, *state.wrecks().values()))
        ranked = in_circle(state, ranked)
        return tuple(car.seat for car in in_pit_order(state.setup, ranked))

    def orders_itself(self, flow: Flow) -> bool:
        return True

    def open_round(self, flow: Flow) -> tuple[int, ...] | None:
        return self.round_order(flow.state)

    # -- where cars are ---------------------------------------------------------------------

    def place(self, setup: Setup, car: Car) -> Place:
        space, track = car.stood, setup.track
        if space is None:
            return Place.NOWHERE
        if space in track.boxes:
            return Place.BOX
        return Place.LANE if track.lane[space] < 0 else Place.TRACK

    def spaces_to_box(self, state: State, car: Car) -> int:
        track = state.setup.track
        if car.status is not Status.PIT or car.served or car.space in (None, *track.boxes):
            return 0
        space, away = car.space, 1
        while space not in (None, track.box_lane[car.box - 1], -1):
            space, away = track.ahead[space], away + 1
        return away

    def has_box(self, setup: Setup, car: Car) -> bool:
        return car.box <= len(setup.track.boxes)

    def grid_is_open(self, state: State) -> bool:
        return any(car.space is None for car in state.running())

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        cars = dict(state.cars)
        for seat, space in zip(order, state.setup.track.grid, strict=False):
            cars[seat] = replace(cars[seat], space=space)
        return replace(state, cars=cars)

    def space_of_return(self, state: State, car: Car) -> int | None:
        space = car.stood
        if space is None:
            message = f"it is not known where seat {car.seat} stood"
            refuse("nowhere-to-return", message, seat=car.seat)
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

    def space_of_joining(self, state: State) -> int | None:
        track = state.setup.track
        taken = {car.space for car in state.cars.values()} | state.wrecks().keys()
        space, behind = track.grid[-1], []
        for _ in track.ids:
            space = track.behind[space]
            if space < 0:
                break
            behind.append(space)
        for space in (*track.grid[len(state.cars) :], *behind):
            if space not in taken:
                return space
        raise Illegal("nowhere-to-return", "no space behind the grid is free", args={})

    # -- positions --------------------------------------------------------------------------

    def first_lap(self, setup: Setup, data: Mapping[str, object], space: int | None) -> int:
        if space is None:
            return 0
        return 0 if setup.track.section[space] == 0 and not setup.track.past_line[space] else 1

    def status_unsaid(
        self, setup: Setup, car: Car, data: Mapping[str, object], *, before: bool
    ) -> Status:
        if car.space is None:
            return Status.GRID if before else Status.OUT
        if setup.track.lane[car.space] < 0:
            return Status.PIT
        waits = car.lap == 0 and car.space in setup.track.grid and not data.get("gear")
        return Status.GRID if waits else Status.RACING

    def read_served(self, setup: Setup, car: Car, data: object) -> bool:
        track, place, stood = setup.track, self.place(setup, car), car.stood
        if stood is None or place is Place.TRACK:
            if data:
                message = "only a car in the pit lane can be served"
                bad("served-on-track", message, rule="FD-PIT-6")
            return False
        in_box = place is Place.BOX
        if car.box > len(track.boxes) or (in_box and stood != track.boxes[car.box - 1]):
            message = f"a car stops in its own box, B{car.box}"
            bad("wrong-box", message, rule="FD-PIT-1", box=car.box)
        beyond = in_box or stood > track.box_lane[car.box - 1]
        if data is None:
            return beyond
        if not isinstance(data, bool) or (not data and beyond and not in_box):
            bad("served-form", f"served {data!r:.20} contradicts the space", rule="FD-PIT-6")
        return data

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        taken = {car.space for car in cars.values()}
        free = [space for space in setup.track.grid if space not in taken]
        for seat, space in zip(rest, free, strict=False):
            cars[seat] = replace(cars[seat], space=space)
        if len(rest) > len(free):
            bad("too-many-seats", "the grid has no room for the cars that are not named")

    def order_unsaid(
        self, state: State, data: Mapping[str, object], grid: tuple[int, ...] | None
    ) -> State:
        return state if state.turn is not None else replace(state, order=())

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        unplaced = phase is Phase.FINISHED and car.status is Status.GRID and car.space is None
        before = phase in (Phase.SETUP, Phase.TRIALS)
        on_grid = car.space in setup.track.grid and car.status is Status.GRID and not car.lap
        waits = phase is Phase.SETUP and car.runs and on_grid
        drives = phase is Phase.TRIALS and car.runs
        if waits or drives:
            return False
        return (car.space is None) == (car.runs and not before and not unplaced)


def _near(flow: Flow, step: Move, ask: MoveAsk, to: str, brakes: int) -> Option | None:
    """On a board that is a sketch: the listed end that an end beside it is taken for."""
    ids = flow.state.setup.track.ids
    for end in ask.near:
        if (ids[end.space], end.listed.brakes) == (to, brakes):
            flow.tell(EndedNear(seat=step.seat, rule=None, to=to, listed=ids[end.listed.to]))
            return end.option()
    return None
