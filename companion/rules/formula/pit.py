"""A stop in the box: new tires, which stop, its repair or its die, and the way out.

Each part is a pending step, taken only where a rule in force offers a real choice: tires
(FD-TIRE-7), which stop and the repair (FD-TECH-1), the die (FD-PIT-2).
"""

from __future__ import annotations

from companion.rules.codec import Seats, replace
from companion.rules.formula import book
from companion.rules.formula.asks import STOPS, BlackAsk, BoxAsk, PitAsk, RepairAsk
from companion.rules.formula.car import Car, On, PitMark, Point, Status
from companion.rules.formula.drivers import Tires, read_points
from companion.rules.formula.losses import read_roll
from companion.rules.formula.moving import Move
from companion.rules.formula.state import AllSeats, Asks, Cost, Event, Flow, Roll, SeatStep, State
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse, whole_number

RESTORED = {
    "tires": (book.TIRES,),
    "gearbox": (book.TIRES, book.GEARBOX),
    "all": tuple(range(len(book.CATEGORIES))),
}
"""House switch `stop_restores`: what every stop gives back whole."""


class PitStopBegan(Event):
    """A car is in its box: the lap counts, the tires are new."""

    box: str
    lap: int

    def applied(self, state: State) -> State:
        car = state.cars[self.seat]
        gain = type(car.full)(
            car.full[at] - car.wear[at] if at in RESTORED[state.setup.house.stop_restores] else 0
            for at in range(len(car.full))
        )
        state = state.regained(self.seat, gain).remembering(self.seat, grace=None)
        return state.change(
            self.seat,
            status=Status.PIT,
            served=True,
            pit_mark=None,
            lap=self.lap,
            tires_lap=1,
            pit_stops=car.pit_stops + 1,
            stops=0,
        )


class PitTurnBegan(Event):
    """A car that came in too fast is in its box and stands a turn there: the lap counts."""

    box: str
    lap: int

    def applied(self, state: State) -> State:
        return state.change(self.seat, lap=self.lap, pit_mark=PitMark.WAITS)


class PitTurnServed(Event):
    """A car has stood its turn in the box; the stop itself begins."""


class PitChosen(Event):
    """Which stop it is: tires or technical."""

    stop: str


class Repaired(Event):
    """Generic WP were put into categories; `gain` are the points got back, `pool` those left.

    They come from the team's pool where there is one (FD-TEAM-1).
    """

    gain: Cost
    pool: int

    def applied(self, state: State) -> State:
        car, state = state.cars[self.seat], state.regained(self.seat, self.gain)
        if car.pool is not None:
            return state.change(self.seat, pool=self.pool)
        assert car.team is not None
        return replace(state, pools={**state.pools, car.team: self.pool})


class PitRolled(Event):
    """The roll of the pit stop: `spaces` 0 is a slow stop."""

    roll: Roll
    spaces: int

    def applied(self, state: State) -> State:
        if not self.spaces:
            return state
        mark = PitMark.FRESH if state.setup.edition.holds_gear_after_pit else None
        return state.change(self.seat, gear=book.PIT_GEAR, pit_mark=mark)


def begin_stop(flow: Flow, car: Car) -> None:
    """A car has come to its box (FD-PIT-2, FD-PIT-5); what it still has to say is queued.

    DE-PIT-1: one that came in too fast stands a turn first.
    """
    # For a car that had to stand a turn the lap counted as it came in (FD-PIT-5).
    box, lap = f"B{car.box}", car.lap if car.pit_mark is PitMark.WAITS else car.lap + 1
    if car.pit_mark is PitMark.LATE:
        flow.tell(PitTurnBegan(seat=car.seat, rule="DE-PIT-1", box=box, lap=lap))
        return
    flow.tell(PitStopBegan(seat=car.seat, rule="FD-PIT-2", box=box, lap=lap))
    flow.due(Stop(seat=car.seat))
    if "tires" in flow.state.setup.rules:
        flow.due(Tires(seats=(car.seat,)))


class InBox(SeatStep, rule="FD-PIT-2"):
    """A step of a car that stands in its box."""

    def check(self, state: State) -> None:
        if not state.ground.in_box(state, state.cars[self.seat]):
            bad("pending-form", f"{self.kind} is for a car in its box", rule="FD-PIT-2")


class Stop(InBox, kind="stop", at=Point.STOP, rule="FD-TECH-1"):
    """Which stop it is (FD-TECH-1).

    House switch `long_stop`: with "any" a car may stay for its tires alone (2018, 19-4-3).
    """

    def waits(self, state: State) -> bool:
        anyhow = state.setup.house.long_stop == "any" and state.plays(Repair.needs)
        return anyhow or _repairs(state, state.cars[self.seat])[0] > 0

    def settle(self, flow: Flow) -> None:
        """Without a technical stop to choose, it is a tire stop (FD-PIT-2; FD-BASIC-14: no die)."""
        if flow.state.setup.edition.pit_die:
            flow.due(Die(seat=self.seat))

    def asks(self, state: State) -> Asks:
        return [PitAsk(self.seat)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-TECH-1: a technical stop rolls no die, the car leaves at its next turn."""
        known = ", ".join(STOPS)
        if not isinstance(value, str):
            bad("stop-form", f"pit is one of {known}, not {value!r:.60}")
        if value not in STOPS:
            message = f"pit is one of {known}, not {value!r:.40}"
            refuse("no-such-stop", message, rule=self.rule, stop=value[:40])
        flow.tell(PitChosen(seat=self.seat, rule=self.rule, stop=value))
        flow.due(Repair(seat=self.seat) if value == "technical" else Die(seat=self.seat))


def pool(state: State, car: Car) -> int:
    """The generic WP that a car may use: its own or its team's (FD-TECH-1, FD-TEAM-1)."""
    return (car.pool or 0) if car.team is None else state.pools.get(car.team, 0)


def _repairs(state: State, car: Car) -> tuple[int, dict[int, int]]:
    """How many WP one stop may give back, and what each worn category can take of them.

    FD-TECH-1, FD-CAR-2: tires are none of them.
    """
    room = {at: full - car.wear[at] for at, full in enumerate(car.full) if full > car.wear[at]}
    room.pop(book.TIRES, None)
    return min(book.POOL_A_STOP, pool(state, car), sum(room.values())), room


class Repair(
    InBox, kind="repair", at=Point.REPAIR, rule="FD-TECH-1", needs=("technical", "advanced")
):
    """Where the points of a technical stop go."""

    def waits(self, state: State) -> bool:
        points, room = _repairs(state, state.cars[self.seat])
        return points > 1 or (points == 1 and len(room) > 1)

    def settle(self, flow: Flow) -> None:
        """One point that can go to one category only is not asked for."""
        points, room = _repairs(flow.state, flow.car(self.seat))
        if points:
            self._repair(flow, book.one(min(room)))

    def asks(self, state: State) -> Asks:
        """FD-TECH-1: up to so many points, to one or two of these categories."""
        points, room = _repairs(state, state.cars[self.seat])
        names = tuple(state.setup.edition.categories[category] for category in room)
        return [RepairAsk(self.seat, points=points, categories=names)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-TECH-1; refused as `read_points` says."""
        # Whoever stays for tires alone repairs nothing (competition rules of 2018, 19-4-3).
        if value == {} and flow.state.setup.house.long_stop == "any":
            return
        names = flow.state.setup.edition.categories
        points, worn = _repairs(flow.state, flow.car(self.seat))
        room = {names[at]: most for at, most in worn.items()}
        gain = read_points("repair", value, names, room, points, rule=self.rule, of_pool=True)
        self._repair(flow, gain)

    def _repair(self, flow: Flow, gain: book.Wear) -> None:
        left = pool(flow.state, flow.car(self.seat)) - sum(gain)
        flow.tell(Repaired(seat=self.seat, rule=self.rule, gain=gain, pool=left))


def die_outcomes() -> tuple[book.Outcome, ...]:
    """The outcomes of the pit roll: two faces for each space of a fast exit, then slow."""
    fast = range(book.BLACK_DIE[0], book.PIT_SLOW[0], 2)
    outcomes = (book.Outcome(low, low + 1, book.LeavesPit((low + 1) // 2)) for low in fast)
    return (*outcomes, book.Outcome(*book.PIT_SLOW, book.LeavesPit(0)))


class Die(InBox, kind="pit", at=Point.DIE):
    """The black die of a tire stop."""

    def asks(self, state: State) -> Asks:
        return [BlackAsk(self.seat, reason=book.Reason.PIT, outcomes=die_outcomes())]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-PIT-2, DE-PIT-2: half the roll, rounded up, at once; or until the next turn."""
        _, roll, does = read_roll(ask, value)
        assert isinstance(does, book.LeavesPit)
        flow.tell(PitRolled(seat=self.seat, rule=self.rule, roll=roll, spaces=does.spaces))
        if does.spaces:
            flow.due(Move(seat=self.seat, spaces=does.spaces, how="fast"))


# -- boxes that are chosen before the race, pole first (FD-PIT-1, DE-PIT-3) -----------------------

# House switch `boxes`: a car has the box of its seat, or with "grid" each chooses one, in the
# order of the grid (competition rules of 2018, 4-0-1). Until it has chosen, a car holds one for
# itself; who takes that changes with it, so that no two ever have the same.


def are_chosen(setup: book.Setup) -> bool:
    """Whether each car chooses its box, and a header names none."""
    return setup.house.boxes == "grid"


class BoxChosen(Event):
    """A car has its box for the race."""

    box: int

    def applied(self, state: State) -> State:
        left = state.cars[self.seat].box
        for car in state.cars.values():
            if car.box == self.box:
                state = state.change(car.seat, box=left)
        return state.change(self.seat, box=self.box)


class Boxes(
    AllSeats, kind="box", at=Point.BEFORE_THE_RACE, rule="FD-PIT-1", before_race=True, on=On.BOARD
):
    """Who still chooses a box; one after the other, in the order of the grid."""

    def _next(self, state: State) -> int:
        order = state.ground.round_order(state)
        return next(seat for seat in order if seat in self.seats)

    def _free(self, state: State) -> tuple[int, ...]:
        """The boxes that nobody has chosen."""
        taken = {car.box for car in state.cars.values() if car.seat not in self.seats}
        boxes = range(1, len(state.setup.track.boxes) + 1)
        return tuple(box for box in boxes if box not in taken)

    def waits(self, state: State) -> bool:
        """As long as there is a choice."""
        return bool(self.seats) and len(self._free(state)) > 1

    def asks(self, state: State) -> Asks:
        return [BoxAsk(self._next(state), options=self._free(state))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """One of those that are free."""
        free, box = self._free(flow.state), whole_number(value, "box")
        if box not in free:
            message = f"box is one of {list(free)}, not {box}"
            refuse("box-not-free", message, rule=self.rule, box=box)
        self.strike(flow, ask.seat)
        flow.tell(BoxChosen(seat=ask.seat, rule=self.rule, box=box))

    def settle(self, flow: Flow) -> None:
        """The last box is not asked for."""
        for seat in self.seats:
            box = self._free(flow.state)[0]
            flow.tell(BoxChosen(seat=seat, rule=self.rule, box=box))

    def check(self, state: State) -> None:
        super().check(state)
        if not _chooses(state):
            bad("pending-form", "here nobody chooses a box", rule=self.rule)


def _chooses(state: State) -> bool:
    """Whether boxes are chosen in this race, on a board that has some to stop in."""
    setup = state.setup
    return are_chosen(setup) and bool(setup.track.boxes) and book.URBAN not in setup.rules


def step_of(state: State, running: Seats) -> list[Boxes]:
    """The step in which they are chosen, if they are."""
    return [Boxes(seats=running)] if _chooses(state) else []
