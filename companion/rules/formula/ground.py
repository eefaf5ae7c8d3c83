"""The two grounds of a race: a board whose spaces are known, and what seats report without one.

See `state.Ground` for what the rules ask of a ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from companion.rules.codec import How, Seats, replace
from companion.rules.formula import cards, moving
from companion.rules.formula.asks import MoveAsk, OrderAsk, ReportAsk
from companion.rules.formula.book import Setup
from companion.rules.formula.car import Car, On, Option, Place, Point, Status
from companion.rules.formula.cards import on_grid
from companion.rules.formula.collisions import Collision, Debris, Spared, Touch
from companion.rules.formula.corners import Charge, Damage, Halt, finish_if_home, mark_stop
from companion.rules.formula.drivers import driver_of, overshoot_factor, slide_of
from companion.rules.formula.moves import near_ends
from companion.rules.formula.order import (
    by_position,
    in_circle,
    in_pit_order,
    lap_back_at,
    level_gear,
    progress,
)
from companion.rules.formula.pit import begin_stop
from companion.rules.formula.rounds import begin_round, begin_turn
from companion.rules.formula.state import (
    Asks,
    ByItself,
    Event,
    Flow,
    Ground,
    Phase,
    State,
    Step,
    but,
)
from companion.rules.game import Ask
from companion.rules.lines import Illegal, bad, refuse

# -- a board --------------------------------------------------------------------------------------


class OnBoard(Ground):
    """A board whose spaces are known."""

    # -- a turn --------------------------------------------------------------------------------

    def ask_move(self, state: State, step: Step) -> Ask:
        assert isinstance(step, moving.Move)
        ends = step.ends(state)
        near = near_ends(state, step.seat, ends)
        return MoveAsk(step.seat, track=state.setup.track, ends=ends, near=near)

    def answer_move(self, flow: Flow, step: Step, ask: Ask, value: object) -> None:
        assert isinstance(step, moving.Move)
        assert isinstance(ask, MoveAsk)
        to, brakes = moving.read_end("move", value)
        option = _near(flow, step, ask, to, brakes) or moving.chosen(
            flow.state, ask.ends, to, brakes, step.explain
        )
        moving.drive(flow, step.seat, option, step.how, drifts=step.drifts)

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

    # -- rounds --------------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        track, cars = state.setup.track, list(cars)
        come = {car.seat: progress(track, car) for car in cars}
        # As a rule nobody is level with anybody, and how far they have come decides alone.
        if len({*come.values()}) == len(cars):
            return sorted(cars, key=lambda car: -come[car.seat])
        lane_first = state.setup.house.pit_level == "lane"

        def key(car: Car) -> tuple[int, bool, bool, int, int, int, int]:
            in_box = lane_first and car.space in track.boxes
            inside = 0 if car.space is None else track.inside(car.space)
            # Diane goes before all who are level with her, whatever their gears (FD-DRV-9).
            first = driver_of(car).first
            gear = level_gear(state.setup, car)
            level = (not first, -gear, car.arrived, inside, car.seat)
            return (-come[car.seat], in_box, *level)

        return sorted(cars, key=key)

    def round_order(self, state: State) -> tuple[int, ...]:
        running, grid = state.running(), state.setup.track.grid
        # Nobody has started yet: the grid gives the order, not the levels of its spaces
        # (FD-START-1).
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

    # -- where cars are ------------------------------------------------------------------------

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
        # The grid has more places than cars, so `strict` is off.
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
        # A car's own wreck does not keep it from its place.
        taken |= {other for other, wreck in state.wrecks().items() if wreck is not car}
        # At most once around, or a full board would never let it end.
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

    # -- positions -----------------------------------------------------------------------------

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
        # A race ended before its grid was settled has cars that never stood anywhere.
        unplaced = phase is Phase.FINISHED and car.status is Status.GRID and car.space is None
        before = phase in (Phase.SETUP, Phase.TRIALS)
        on_grid = car.space in setup.track.grid and car.status is Status.GRID and not car.lap
        waits = phase is Phase.SETUP and car.runs and on_grid
        drives = phase is Phase.TRIALS and car.runs
        if waits or drives:
            return False
        # Past its last line a car is lifted, also while its turn goes on (FD-END-2).
        stands = car.runs and not before and not unplaced and car.lap <= setup.laps
        return (car.space is None) == stands


def _near(flow: Flow, step: moving.Move, ask: MoveAsk, to: str, brakes: int) -> Option | None:
    """On a board that is a sketch: the listed end that an end beside it is taken for."""
    ids = flow.state.setup.track.ids
    for end in ask.near:
        if (ids[end.space], end.listed.brakes) == (to, brakes):
            flow.tell(moving.EndedNear(seat=step.seat, rule=None, to=to, listed=ids[end.listed.to]))
            return end.option()
    return None


# -- boardless: seats report what a board would show ----------------------------------------------

# A report says what the move met. Its debris is rolled for, the block and the overshoot are
# charged, and where it ended a stop is marked, a pit stop begins or a collision is rolled, all in
# the order of FD-TURN-1 and by the steps of every race; markers are laid by the table. Between
# two rounds the running order is asked of the table. In a position what a board would show is
# said instead: a car with a gear runs, one without stands on the grid; whoever is in the pit
# stands in its box.

CORNER, PIT = "corner", "pit"
FATAL = 2
"""So many stops missing put a car out (FD-CORNER-3)."""


class RoundEnded(Event):
    """A round is over: the table says who runs where."""

    round: int

    def applied(self, state: State) -> State:
        return replace(state, turn=None)


class Arrive(ByItself, kind="arrive", at=Point.HALT, rule="FD-MOVE-5", on=On.REPORT):
    """After a report: "corner" or "pit" where the move ended, and whom the car touched there.

    `spared` cars do not roll (DE-BLOCK-2).
    """

    where: Annotated[str, How("", CORNER, PIT)] = ""
    touched: Seats = ()
    spared: Spared = ()

    def settle(self, flow: Flow) -> None:
        """Finished, in its box, a stop, a collision."""
        if finish_if_home(flow, self.seat):
            return
        car = flow.car(self.seat)
        if self.where == PIT:
            begin_stop(flow, car)
            return
        if self.where == CORNER:
            mark_stop(flow, car, car.reckoning.corner if flow.state.setup.track.corners else -1)
        met = [seat for seat in self.touched if flow.car(seat).runs]
        if met:
            flow.due(self._contact(flow, met))

    def _contact(self, flow: Flow, met: list[int]) -> Step:
        """FD-BUMP-1; DE-BUMP-1: of the group those are known whom the mover has named."""
        if flow.state.setup.edition.collisions == "group":
            rolls = tuple((seat, self.seat) for seat in met if seat not in self.spared)
            return Touch(seat=self.seat, rolls=rolls, against=tuple(met))
        return Collision.of(flow.state, self.seat, met)

    def sparing(self, seat: int, other: int) -> Step:
        return replace(self, spared=(*self.spared, other)) if seat == self.seat else self

    def without(self, seat: int, *, retired: bool) -> Step | None:
        if seat == self.seat:
            return None
        return replace(self, touched=but(self.touched, seat)) if retired else self


class Order(Step, kind="order", at=Point.ORDER, rule="FD-ORDER-1", on=On.REPORT):
    """Between two rounds: the running order is asked of the table (FD-ORDER-1)."""

    def waits(self, state: State) -> bool:
        """Of a single car there is nothing to ask."""
        return len(state.running()) > 1

    def asks(self, state: State) -> Asks:
        """The running seats as the figures suggest."""
        return [OrderAsk(0, seats=cards.likely_order(state))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-ORDER-1 to FD-ORDER-3: the table sees who is ahead; it decides ties too."""
        seats = sorted(_as_it_is(flow.state))
        if not isinstance(value, list) or not all(type(seat) is int for seat in value):
            message = f"order is a list of the seats {seats}, not {value!r:.60}"
            bad("order-form", message, rule=self.rule)
        if sorted(value) != seats:
            message = f"order names each of the running seats {seats} once, not {value!r:.60}"
            refuse("order-names-all", message, rule=self.rule, seats=seats)
        self._go_on(flow, tuple(value))

    def settle(self, flow: Flow) -> None:
        self._go_on(flow, _as_it_is(flow.state))

    def _go_on(self, flow: Flow, order: tuple[int, ...]) -> None:
        """The next round in this order; a wreck has its turn where it had it (DE-BLOCK-1)."""
        runs = cards.runs_in(flow.state, order)
        if runs:
            flow.tell(cards.Levelled(seat=0, rule=self.rule, runs=runs))
        seats = list(order)
        for at, seat in enumerate(flow.state.order):
            if flow.car(seat).is_wreck:
                seats.insert(at, seat)
        begin_round(flow, tuple(seats))
        begin_turn(flow, flow.state.order[0])


def _as_it_is(state: State) -> tuple[int, ...]:
    return tuple(car.seat for car in by_position(state, state.running()))


class ByReport(Ground):
    """No board, or only the card of one: no car stands on a space, the table sees it."""

    forgets_order = True

    # -- a turn --------------------------------------------------------------------------------

    def ask_move(self, state: State, step: Step) -> Ask:
        """What the seat must say of its move, with the spaces that it has (FD-TIRE-6)."""
        assert isinstance(step, moving.Move)
        car, listed = (
            state.cars[step.seat],
            cards.bounds(state, step, next_corner=cards.may_be_next(state, step)),
        )
        return ReportAsk(
            step.seat,
            bounds=listed,
            spaces=step.spaces,
            slide=slide_of(state, car),
            card=cards.card_ahead(state, car),
            likely=cards.likely_reports(state, step),
            near=cards.likely_touched(state, step, listed["touched"]),
        )

    def answer_move(self, flow: Flow, step: Step, ask: Ask, value: object) -> None:
        """FD-MOVE-1 to FD-MOVE-5, as the seat reports them."""
        assert isinstance(step, moving.Move)
        assert isinstance(ask, ReportAsk)
        seat, report = step.seat, cards.read_report(flow.state, step, ask.bounds, value)
        count, factor = (
            cards.count_on(flow.state, step, report),
            overshoot_factor(flow.state, flow.car(seat)),
        )
        self._tell_move(flow, step, report, count)
        # One step a space, as none of them has a name without a board (FD-DEBRIS-2).
        flow.due(*(Debris(seat=seat) for _ in range(report.debris)))
        # With two stops missing the car is out, even if nobody counted its spaces (FD-CORNER-3).
        spaces = max(report.overshoot, int(report.missing >= FATAL))
        if spaces or report.blocked:
            damage = Damage(report.blocked, spaces * factor, spaces, count.overshot)
            flow.due(Charge(seat=seat, damage=damage, fatal=report.missing >= FATAL))
        where = PIT if report.pit else CORNER if count.stopped and not spaces else ""
        flow.due(Arrive(seat=seat, touched=report.touched, where=where))

    def _tell_move(
        self, flow: Flow, step: moving.Move, report: cards.Report, count: cards.Count
    ) -> None:
        """The move itself, what is doubted of it, the line, and the ends of the pit."""
        seat, car = step.seat, flow.car(step.seat)
        flow.tell(
            cards.Reported(
                seat=seat,
                rule="FD-MOVE-1",
                spaces=step.spaces,
                how=step.how,
                stops=count.stops,
                place=count.corner,
                depth=count.depth,
                line_due=count.line_due,
                run=cards.run_on(car, step, report),
                **report._asdict(),
            )
        )
        self._tell_doubts(flow, seat, count)
        # Every car in the pit stands in its box here, so any move of it leads out.
        if car.status is Status.PIT:
            flow.tell(moving.PitLeft(seat=seat, rule="FD-PIT-6"))
        if report.pit:
            moving.enter_pit(flow, seat)
        # Not for a car that stops: its box counts the lap (FD-PIT-5).
        elif report.line or count.line:
            flow.tell(moving.LineCrossed(seat=seat, rule="FD-END-2", lap=car.lap + 1))

    def _tell_doubts(self, flow: Flow, seat: int, count: cards.Count) -> None:
        """What cannot be as it was said, and the line that nobody said."""
        corners = flow.state.setup.track.corners
        for about, corner, n in count.doubts:
            label = corners[corner].label
            flow.tell(
                cards.Doubted(seat=seat, rule="FD-CORNER-1", about=str(about), corner=label, n=n)
            )
        if count.line:
            flow.tell(cards.LineFollowed(seat=seat, rule="FD-END-2"))

    def stop_in_box(self, seat: int) -> Step:
        return Arrive(seat=seat, where=PIT)

    def in_front(self, flow: Flow, seat: int) -> int | None:
        """The first of those that the car has touched."""
        arrived = (s for s in flow.queue if isinstance(s, Arrive) and s.seat == seat and s.touched)
        return next((step.touched[0] for step in arrived), None)

    def in_contact(self, flow: Flow, seat: int) -> list[int]:
        """Those that the car has touched."""
        arrived = (s for s in flow.queue if isinstance(s, Arrive) and s.seat == seat)
        return [other for step in arrived for other in step.touched if flow.car(other).runs]

    # -- rounds --------------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        """By the laps that the line has counted, then by the running order of the round.

        A car that is not in that order, such as one that has returned, comes behind those that are.
        """
        ran = {seat: place for place, seat in enumerate(state.order)}
        track = state.setup.track
        return sorted(cars, key=lambda c: (-progress(track, c), ran.get(c.seat, len(ran)), c.seat))

    def round_order(self, state: State) -> tuple[int, ...]:
        """As they ran."""
        return _as_it_is(state)

    def orders_itself(self, flow: Flow) -> bool:
        """The table is asked."""
        flow.tell(RoundEnded(seat=0, rule="FD-ORDER-1", round=flow.state.round))
        flow.due(Order())
        return False

    def open_round(self, flow: Flow) -> tuple[int, ...] | None:
        """In the order of the position; where it names none the table is asked."""
        state = flow.state
        if not state.order:
            flow.due(Order())
            return None
        order = tuple(s for s in state.order if state.cars[s].runs or state.cars[s].is_wreck)
        return (*order, *(seat for seat in _as_it_is(state) if seat not in order))

    # -- where cars are ------------------------------------------------------------------------

    def place(self, setup: Setup, car: Car) -> Place:
        """Every car in the pit stands in its box."""
        if Status.PIT in (car.status, car.out and car.out.was):
            return Place.BOX
        return Place.TRACK if car.runs or car.out else Place.NOWHERE

    def spaces_to_box(self, state: State, car: Car) -> int:
        """0: without a board nobody knows."""
        return 0

    def has_box(self, setup: Setup, car: Car) -> bool:
        """The table has it."""
        return True

    def grid_is_open(self, state: State) -> bool:
        """As long as there is no order: the grid is the first one."""
        return not state.order

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        return replace(on_grid(state, order), order=tuple(order))

    def space_of_return(self, state: State, car: Car) -> int | None:
        """The table puts it back."""
        return None

    def space_of_joining(self, state: State) -> int | None:
        """The table puts it behind all others."""
        return None

    # -- positions -----------------------------------------------------------------------------

    def first_lap(self, setup: Setup, data: Mapping[str, object], space: int | None) -> int:
        """Lap 0 on the grid, else lap 1."""
        return int(bool(data.get("gear")))

    def status_unsaid(
        self, setup: Setup, car: Car, data: Mapping[str, object], *, before: bool
    ) -> Status:
        """By its gear and lap."""
        if data.get("out") is not None:
            return Status.OUT
        return Status.RACING if data.get("gear") or car.lap else Status.GRID

    def read_served(self, setup: Setup, car: Car, data: object) -> bool:
        """Left out: a car in the pit has made its stop (FD-PIT-6)."""
        in_pit = self.place(setup, car) is Place.BOX
        if data is None:
            return in_pit
        if not isinstance(data, bool) or (data and not in_pit):
            bad("served-on-track", "only a car in the pit can be served", rule="FD-PIT-6")
        return data

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        """Nobody stands on a space."""

    def order_unsaid(
        self, state: State, data: Mapping[str, object], grid: tuple[int, ...] | None
    ) -> State:
        """The grid as long as all cars stand there; otherwise the order is not known."""
        on_grid = all(car.status is Status.GRID for car in state.running())
        open_yet = state.phase is not Phase.RACE or bool(data.get("pending"))
        if state.order or open_yet or not on_grid:
            return state
        return replace(state, order=grid or tuple(state.cars))

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """Nobody stands on a space."""
        return False
