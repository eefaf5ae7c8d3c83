"""The ground of a boardless race: seats report what a board would show; see `state.Ground`.

A report tells what the move met. Its debris is rolled for, the block and the overshoot are
charged, and where it ended a stop is marked, a pit stop begins or a collision is rolled, all in
the order of FD-TURN-1 and by the steps of every race; markers are laid by the table. Between two
rounds the running order is asked of the table. In a position what a board would show is said
instead: a car with a gear runs, one without stands on the grid; whoever is in the pit stands in
its box.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from companion.rules.codec import How
from companion.rules.copies import replace
from companion.rules.forms import Seats
from companion.rules.formula.asks import OrderAsk, ReportAsk
from companion.rules.formula.boardless.bounds import Report, bounds, read_report
from companion.rules.formula.boardless.cards import (
    Count,
    card_ahead,
    count_on,
    likely_reports,
    may_be_next,
)
from companion.rules.formula.boardless.running import (
    Levelled,
    likely_order,
    likely_touched,
    on_grid,
    run_on,
    runs_in,
)
from companion.rules.formula.boardless.told import Doubted, LineFollowed, Reported
from companion.rules.formula.car import Car, Place, Status
from companion.rules.formula.collisions import Collision, Spared, Touch
from companion.rules.formula.corners import Charge, Damage, finish_if_home, mark_stop
from companion.rules.formula.debris import Debris
from companion.rules.formula.moving import LineCrossed, Move, PitLeft, enter_pit
from companion.rules.formula.order import by_position, progress
from companion.rules.formula.pit import begin_stop
from companion.rules.formula.rounds import begin_round, begin_turn
from companion.rules.formula.settings import Setup
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
from companion.rules.formula.tires import overshoot_factor, slide_of
from companion.rules.formula.turn import On, Point
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse

CORNER, PIT = "corner", "pit"
FATAL = 2
"""So many stops missing put a car out (FD-CORNER-3)."""

# -- what happens -------------------------------------------------------------------------


class RoundEnded(Event):
    """A round is over: the table says who runs where."""

    round: int

    def applied(self, state: State) -> State:
        return replace(state, turn=None)


# -- the steps ----------------------------------------------------------------------------


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
        return [OrderAsk(0, seats=likely_order(state))]

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
        runs = runs_in(flow.state, order)
        if runs:
            flow.tell(Levelled(seat=0, rule=self.rule, runs=runs))
        seats = list(order)
        for at, seat in enumerate(flow.state.order):
            if flow.car(seat).is_wreck:
                seats.insert(at, seat)
        begin_round(flow, tuple(seats))
        begin_turn(flow, flow.state.order[0])


def _as_it_is(state: State) -> tuple[int, ...]:
    return tuple(car.seat for car in by_position(state, state.running()))


# -- the ground ---------------------------------------------------------------------------


class ByReport(Ground):
    """No board, or only the card of one: no car stands on a space, the table sees it."""

    forgets_order = True

    # -- a turn -----------------------------------------------------------------------------

    def ask_move(self, state: State, step: Step) -> Ask:
        """What the seat must say of its move, with the spaces that it has (FD-TIRE-6)."""
        assert isinstance(step, Move)
        car, listed = (
            state.cars[step.seat],
            bounds(state, step, next_corner=may_be_next(state, step)),
        )
        return ReportAsk(
            step.seat,
            bounds=listed,
            spaces=step.spaces,
            slide=slide_of(state, car),
            card=card_ahead(state, car),
            likely=likely_reports(state, step),
            near=likely_touched(state, step, listed["touched"]),
        )

    def answer_move(self, flow: Flow, step: Step, ask: Ask, value: object) -> None:
        """FD-MOVE-1 to FD-MOVE-5, as the seat reports them."""
        assert isinstance(step, Move)
        assert isinstance(ask, ReportAsk)
        seat, report = step.seat, read_report(flow.state, step, ask.bounds, value)
        count, factor = (
            count_on(flow.state, step, report),
            overshoot_factor(flow.state, flow.car(seat)),
        )
        self._tell_move(flow, step, report, count)
        flow.due(*(Debris(seat=seat) for _ in range(report.debris)))
        spaces = max(report.overshoot, int(report.missing >= FATAL))
        if spaces or report.blocked:
            damage = Damage(report.blocked, spaces * factor, spaces, count.overshot)
            flow.due(Charge(seat=seat, damage=damage, fatal=report.missing >= FATAL))
        where = PIT if report.pit else CORNER if count.stopped and not spaces else ""
        flow.due(Arrive(seat=seat, touched=report.touched, where=where))

    def _tell_move(self, flow: Flow, step: Move, report: Report, count: Count) -> None:
        """The move itself, what is doubted of it, the line, and the ends of the pit."""
        seat, car = step.seat, flow.car(step.seat)
        flow.tell(
            Reported(
                seat=seat,
                rule="FD-MOVE-1",
                spaces=step.spaces,
                how=step.how,
                stops=count.stops,
                place=count.corner,
                depth=count.depth,
                line_due=count.line_due,
                run=run_on(car, step, report),
                **report._asdict(),
            )
        )
        self._tell_doubts(flow, seat, count)
        if car.status is Status.PIT:
            flow.tell(PitLeft(seat=seat, rule="FD-PIT-6"))
        if report.pit:
            enter_pit(flow, seat)
        elif report.line or count.line:  # FD-PIT-5: of a car that stops the box counts the lap
            flow.tell(LineCrossed(seat=seat, rule="FD-END-2", lap=car.lap + 1))

    def _tell_doubts(self, flow: Flow, seat: int, count: Count) -> None:
        """What cannot be as it was said, and the line that nobody said."""
        corners = flow.state.setup.track.corners
        for about, corner, n in count.doubts:
            label = corners[corner].label
            flow.tell(Doubted(seat=seat, rule="FD-CORNER-1", about=str(about), corner=label, n=n))
        if count.line:
            flow.tell(LineFollowed(seat=seat, rule="FD-END-2"))

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
        order = tuple(s for s in state.order if state.cars[s].runs or state.cars[s].is_wreck)
        return (*order, *(seat for seat in _as_it_is(state) if seat not in order))

    # -- where cars are ---------------------------------------------------------------------

    def place(self, setup: Setup, car: Car) -> Place:
        """Every car in the pit stands in its box."""
        if Status.PIT in (car.status, car.out and car.out.was):
            return Place.BOX
        return Place.TRACK if car.runs or car.out else Place.NOWHERE

    def spaces_to_box(self, state: State, car: Car) -> int:
        """Nobody knows."""
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

    # -- positions --------------------------------------------------------------------------

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
        """The grid while all stand there, else it is not known."""
        on_grid = all(car.status is Status.GRID for car in state.running())
        open_yet = state.phase is not Phase.RACE or bool(data.get("pending"))
        if state.order or open_yet or not on_grid:
            return state
        return replace(state, order=grid or tuple(state.cars))

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """Nobody stands on a space."""
        return False
