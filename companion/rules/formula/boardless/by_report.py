"""The ground of a boardless race: seats report what a board would show; see `formula.ground`.

A report tells what the move met. Its debris is rolled for, the block and the overshoot are
charged, and where it ended a stop is marked, a pit stop begins or a collision is rolled, all in
the order of FD-TURN-1 and by the steps of every race; markers are laid by the table. Between two
rounds the running order is asked of the table. In a position what a board would show is told
instead: a car with a gear runs, one without stands on the grid; whoever is in the pit stands in
its box.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import How, Many, Seat, Word
from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import OrderAsk, ReportAsk
from companion.rules.formula.boardless.bounds import Report, bounds, read_report
from companion.rules.formula.boardless.cards import (
    card_ahead,
    corner_data,
    place_on_card,
    read_corner,
)
from companion.rules.formula.collisions import Collision, Touch
from companion.rules.formula.corners import Charge, Damage, finish_if_home, mark_stop
from companion.rules.formula.debris import Debris
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.ground import Marker
from companion.rules.formula.moving import LineCrossed, Move, PitLeft, enter_pit
from companion.rules.formula.order import by_position, progress
from companion.rules.formula.pit import begin_stop, serve_turn
from companion.rules.formula.rounds import begin_round, begin_turn
from companion.rules.formula.state import Car, Out, Phase, Setup, State, Status
from companion.rules.formula.step import On, Point, SeatStep, Step
from companion.rules.formula.tables import BRAKES
from companion.rules.formula.tires import overshoot_factor, slide_of
from companion.rules.formula.wear import one
from companion.rules.game import Ask
from companion.rules.reading import bad

CORNER, PIT = "corner", "pit"
FATAL = 2
"""So many stops missing put a car out (FD-CORNER-3)."""

# -- what happens -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported(Event):
    """A seat reported its move of so many spaces; `how`: move, great or fast.

    `stops` are the stops left in the corner where it ended, before this move's own is marked;
    `place` is the corner of the card that it is in or comes to next, from 0.
    """

    spaces: int
    how: str
    brakes: int
    overshoot: int
    missing: int
    blocked: int
    touched: tuple[int, ...]
    debris: int
    corner: bool
    line: bool
    pit: bool
    stops: int
    place: int

    def applied(self, state: State) -> State:
        state = state.worn(self.seat, one(BRAKES, self.brakes))
        return state.change(self.seat, stops=self.stops, corner=self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Event):
    """A round is over: the table says who runs where."""

    round: int

    def applied(self, state: State) -> State:
        return replace(state, turn=None)


# -- the steps ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrive(SeatStep):
    """After a report: "corner" or "pit" where the move ended, and whom the car touched there.

    `spared` cars do not roll (DE-BLOCK-2).
    """

    kind: ClassVar[str] = "arrive"
    at: ClassVar[Point] = Point.HALT
    rule: ClassVar[str] = "FD-MOVE-5"
    on: ClassVar[On] = On.REPORT
    where: Annotated[str, How("", CORNER, PIT)] = ""
    touched: Annotated[tuple[int, ...], Many(Seat())] = ()
    spared: Annotated[tuple[int, ...], Many(Seat()), Word("spared", sparse=True)] = ()

    def settle(self, flow: Flow) -> bool:
        """Finished, in its box, a stop, a collision."""
        flow.take()
        if finish_if_home(flow, self.seat):
            return True
        car = flow.car(self.seat)
        if self.where == PIT:
            begin_stop(flow, car)
            return True
        if self.where == CORNER:
            mark_stop(flow, car, car.corner if flow.state.setup.track.corners else -1)
        met = [seat for seat in self.touched if flow.car(seat).runs]
        if met:
            flow.due(self._contact(flow, met))
        return True

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
        left = tuple(other for other in self.touched if other != seat)
        return replace(self, touched=left) if retired else self


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Step):
    """Between two rounds: the running order is asked of the table (FD-ORDER-1)."""

    kind: ClassVar[str] = "order"
    at: ClassVar[Point] = Point.ORDER
    rule: ClassVar[str] = "FD-ORDER-1"
    on: ClassVar[On] = On.REPORT

    def asks(self, state: State) -> Sequence[Ask]:
        """The running seats as far as is known: by laps, then as they ran in this round."""
        return [OrderAsk(0, _as_it_is(state))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-ORDER-1 to FD-ORDER-3: the table sees who is ahead; it decides ties too."""
        seats = sorted(_as_it_is(flow.state))
        if not isinstance(value, list) or not all(type(seat) is int for seat in value):
            message = f"order is a list of the seats {seats}, not {value!r:.60}"
            raise Malformed("order-form", message, rule=self.rule)
        if sorted(value) != seats:
            raise Illegal(
                "order-names-all",
                f"order names each of the running seats {seats} once, not {value!r:.60}",
                rule=self.rule,
                args={"seats": seats},
            )
        self._go_on(flow, tuple(value))

    def settle(self, flow: Flow) -> bool:
        """Of a single car there is nothing to ask."""
        seats = _as_it_is(flow.state)
        if len(seats) > 1:
            return False
        self._go_on(flow, seats)
        return True

    def _go_on(self, flow: Flow, order: tuple[int, ...]) -> None:
        """The next round in this order; a wreck has its turn where it had it (DE-BLOCK-1)."""
        flow.take()
        seats = list(order)
        for at, seat in enumerate(flow.state.order):
            if flow.car(seat).is_wreck:
                seats.insert(at, seat)
        begin_round(flow, tuple(seats))
        begin_turn(flow, flow.state.order[0])


def _as_it_is(state: State) -> tuple[int, ...]:
    return tuple(car.seat for car in by_position(state, state.running()))


def is_in_pit(status: Status, out: Out | None) -> bool:
    """Whether a car stands in the pit, or stood there when it went out."""
    return Status.PIT in (status, out.was if out else None)


# -- the ground ---------------------------------------------------------------------------


class ByReport:
    """No board, or only the card of one."""

    forgets_order = True

    # -- a turn -----------------------------------------------------------------------------

    def ask_move(self, state: State, step: Move) -> Ask:
        """What the seat must say of its move, with the spaces that it has (FD-TIRE-6)."""
        car = state.cars[step.seat]
        slide, card = slide_of(state, car), card_ahead(state, car)
        return ReportAsk(step.seat, bounds(state, step), step.spaces, slide, card)

    def answer_move(self, flow: Flow, step: Move, ask: Ask, value: Any) -> None:
        """FD-MOVE-1 to FD-MOVE-5, as the seat reports them."""
        seat, report = step.seat, read_report(flow.state, step, value)
        flow.take()
        corner, factor = flow.car(seat).corner, overshoot_factor(flow.state, flow.car(seat))
        self._tell_move(flow, step, report)
        flow.due(*(Debris(seat=seat) for _ in range(report.debris)))
        spaces = max(report.overshoot, int(report.missing >= FATAL))
        if spaces or report.blocked:
            at = corner if spaces and flow.state.setup.track.corners else -1
            damage = Damage(report.blocked, spaces * factor, spaces, at)
            flow.due(Charge(seat=seat, damage=damage, fatal=report.missing >= FATAL))
        where = PIT if report.pit else CORNER if report.corner and not spaces else ""
        flow.due(Arrive(seat=seat, touched=report.touched, where=where))

    def _tell_move(self, flow: Flow, step: Move, report: Report) -> None:
        """The move itself, the line, and the ends of the pit."""
        seat, car = step.seat, flow.car(step.seat)
        place, stops = place_on_card(flow.state, car, report, step.spaces)
        flow.tell(
            Reported(
                seat=seat,
                rule="FD-MOVE-1",
                spaces=step.spaces,
                how=step.how,
                stops=stops,
                place=place,
                **asdict(report),
            )
        )
        if car.status is Status.PIT:
            flow.tell(PitLeft(seat=seat, rule="FD-PIT-6"))
        if report.pit:
            enter_pit(flow, seat)
        elif report.line:  # FD-PIT-5: of a car that stops the box counts the lap
            flow.tell(LineCrossed(seat=seat, rule="FD-END-2", lap=car.lap + 1))

    def stop_after_wait(self, flow: Flow, seat: int) -> Step:
        """It has reported that it is in its box."""
        serve_turn(flow, seat)
        return Arrive(seat=seat, where=PIT)

    def in_front(self, flow: Flow, seat: int) -> int | None:
        """The first of those that the car has touched."""
        for step in flow.queue:
            if isinstance(step, Arrive) and step.seat == seat and step.touched:
                return step.touched[0]
        return None

    def place_of_marker(self, state: State, car: Car) -> Marker:
        """Where it stands or stood, but for the pit; the table knows."""
        return not is_in_pit(car.status, car.out) and (car.runs or car.out is not None), None

    # -- rounds -----------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        """By the laps that the line has counted, then by the running order of the round.

        Whoever is not in it, as a car that has returned, comes after those that are.
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
        told = tuple(s for s in state.order if state.cars[s].runs or state.cars[s].is_wreck)
        return (*told, *(seat for seat in _as_it_is(state) if seat not in told))

    # -- where cars are ---------------------------------------------------------------------

    def grid_is_open(self, state: State) -> bool:
        """As long as there is no order."""
        return not state.order

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        """It is the first order."""
        return replace(state, order=tuple(order))

    def in_box(self, state: State, car: Car) -> bool:
        """Every car in the pit stands in its box."""
        return car.status is Status.PIT

    def has_box(self, setup: Setup, car: Car) -> bool:
        """The table has it."""
        return True

    def space_of_return(self, state: State, car: Car) -> int | None:
        """The table puts it back."""
        return None

    # -- positions --------------------------------------------------------------------------

    def car_data(self, setup: Setup, car: Car) -> dict[str, Any]:
        """`served` of a car in the pit, and the corner of the card."""
        in_pit = car.served or is_in_pit(car.status, car.out)
        return ({"served": car.served} if in_pit else {}) | corner_data(setup.track, car)

    def first_lap(self, setup: Setup, data: Mapping[str, Any], space: int | None) -> int:
        """Lap 0 on the grid, else lap 1."""
        return int(bool(data.get("gear")))

    def status_unsaid(
        self, setup: Setup, data: Mapping[str, Any], space: int | None, lap: int, *, before: bool
    ) -> Status:
        """By its gear and lap."""
        if data.get("out") is not None:
            return Status.OUT
        return Status.RACING if data.get("gear") or lap else Status.GRID

    def read_served(
        self, setup: Setup, box: int, data: Any, status: Status, out: Out | None, stood: int | None
    ) -> bool:
        """Left out: a car in the pit has made its stop (FD-PIT-6)."""
        in_pit = is_in_pit(status, out)
        if data is None:
            return in_pit
        if not isinstance(data, bool) or (data and not in_pit):
            bad("served-on-track", "only a car in the pit can be served", rule="FD-PIT-6")
        return data

    def stood_in_pit(self, setup: Setup, car: Car, stood: int | None) -> bool:
        """By its status."""
        return is_in_pit(car.status, car.out)

    def may_wait(self, setup: Setup, stood: int | None) -> bool:
        """Whoever is in the pit stands in its box."""
        return True

    def may_stand(self, setup: Setup, space: int | None) -> bool:
        """The table sees it."""
        return True

    def read_corner(self, setup: Setup, data: Any) -> int:
        """By its label on the card; left out the first one."""
        return read_corner(setup.track, data)

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        """Nobody stands on a space."""

    def order_unsaid(
        self, state: State, data: Mapping[str, Any], grid: tuple[int, ...] | None
    ) -> State:
        """The grid while all stand there, else it is not known."""
        on_grid = all(car.status is Status.GRID for car in state.running())
        open_yet = state.phase is not Phase.RACE or bool(data.get("pending"))
        if state.order or open_yet or not on_grid:
            return state
        return replace(state, order=grid or tuple(state.cars))

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """Nobody stands on a space."""
        return False

    def may_return(self, out: Out) -> bool:
        """The table puts it back."""
        return True
