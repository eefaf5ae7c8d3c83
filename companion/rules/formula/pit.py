"""A stop in the box: new tires, which stop, its repair or its die, and the way out.

Each part is a pending step, taken only where a rule in force offers a real choice: tires
(FD-TIRE-7), which stop and the repair (FD-TECH-1), the die (FD-PIT-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import STOPS, LeavesPit, Outcome, PitAsk, Reason, RepairAsk
from companion.rules.formula.black_die import ask_black, meant, read_roll
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.fitting import Tires
from companion.rules.formula.flow import Flow
from companion.rules.formula.moving import Move
from companion.rules.formula.points import read_points
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.step import Point, SeatStep
from companion.rules.formula.tables import BLACK_DIE, PIT_GEAR, PIT_SLOW, POOL_A_STOP, TIRES
from companion.rules.formula.wear import Wear, one, total
from companion.rules.game import Ask
from companion.rules.reading import bad

# -- what happens -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PitStopBegan(Event):
    """A car is in its box: the lap counts, the tires are new."""

    box: str
    lap: int

    def applied(self, state: State) -> State:
        car = state.cars[self.seat]
        return state.change(
            self.seat,
            status=Status.PIT,
            served=True,
            pit_mark=None,
            lap=self.lap,
            wear=(car.full[TIRES], *car.wear[1:]),
            tires_lap=1,
            pit_stops=car.pit_stops + 1,
            stops=0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PitTurnBegan(Event):
    """A car that came in too fast is in its box and stands a turn there: the lap counts."""

    box: str
    lap: int

    def applied(self, state: State) -> State:
        return state.change(self.seat, lap=self.lap, pit_mark="waits")


@dataclass(frozen=True, slots=True, kw_only=True)
class PitTurnServed(Event):
    """A car has stood its turn in the box; the stop itself begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PitChosen(Event):
    """Which stop it is: tires or technical."""

    stop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired(Event):
    """Generic WP were put into categories; `gain` are the points got back, `pool` those left.

    They come from the team's pool where there is one (FD-TEAM-1).
    """

    gain: Cost
    pool: int

    def applied(self, state: State) -> State:
        car = state.cars[self.seat]
        wear = total(car.wear, self.gain)
        if car.pool is not None:
            return state.change(self.seat, wear=wear, pool=self.pool)
        assert car.team is not None
        state = replace(state, pools={**state.pools, car.team: self.pool})
        return state.change(self.seat, wear=wear)


@dataclass(frozen=True, slots=True, kw_only=True)
class PitRolled(Event):
    """The roll of the pit stop: `spaces` 0 is a slow stop."""

    roll: Roll
    spaces: int

    def applied(self, state: State) -> State:
        if not self.spaces:
            return state
        mark = "fresh" if state.setup.edition.holds_gear_after_pit else None
        return state.change(self.seat, gear=PIT_GEAR, pit_mark=mark)


# -- the steps ----------------------------------------------------------------------------


def begin_stop(flow: Flow, car: Car) -> None:
    """A car has come to its box (FD-PIT-2, FD-PIT-5); what it still has to say is queued.

    DE-PIT-1: one that came in too fast stands a turn first.
    """
    box, lap = f"B{car.box}", car.lap if car.pit_mark == "waits" else car.lap + 1
    if car.pit_mark == "late":
        flow.tell(PitTurnBegan(seat=car.seat, rule="DE-PIT-1", box=box, lap=lap))
        return
    flow.tell(PitStopBegan(seat=car.seat, rule="FD-PIT-2", box=box, lap=lap))
    flow.due(Stop(seat=car.seat))
    if "tires" in flow.state.setup.rules:
        flow.due(Tires(seats=(car.seat,)))


def serve_turn(flow: Flow, seat: int) -> None:
    """A car has stood its turn for coming in too fast (DE-PIT-1)."""
    flow.tell(PitTurnServed(seat=seat, rule="DE-PIT-1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class InBox(SeatStep):
    """A step of a car that stands in its box."""

    rule: ClassVar[str] = "FD-PIT-2"

    def check(self, state: State) -> None:
        if not state.setup.ground.in_box(state, state.cars[self.seat]):
            bad("pending-form", f"{self.kind} is for a car in its box", rule="FD-PIT-2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(InBox):
    """Which stop it is (FD-TECH-1)."""

    kind: ClassVar[str] = "stop"
    at: ClassVar[Point] = Point.STOP

    def settle(self, flow: Flow) -> bool:
        """Without a technical stop to choose, it is a tire stop (FD-PIT-2)."""
        if repairs(flow.state, flow.car(self.seat))[0]:
            return False
        flow.take()
        flow.due(Die(seat=self.seat))
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [PitAsk(self.seat)]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-TECH-1: a technical stop rolls no die, the car leaves at its next turn."""
        known = ", ".join(STOPS)
        if not isinstance(value, str):
            raise Malformed("stop-form", f"pit is one of {known}, not {value!r:.60}")
        if value not in STOPS:
            raise Illegal(
                "no-such-stop",
                f"pit is one of {known}, not {value!r:.40}",
                rule="FD-TECH-1",
                args={"stop": value[:40]},
            )
        flow.take()
        flow.tell(PitChosen(seat=self.seat, rule="FD-TECH-1", stop=value))
        flow.due(Repair(seat=self.seat) if value == "technical" else Die(seat=self.seat))


def pool(state: State, car: Car) -> int:
    """The generic WP that a car may use: its own or its team's (FD-TECH-1, FD-TEAM-1)."""
    return (car.pool or 0) if car.team is None else state.pools.get(car.team, 0)


def repairs(state: State, car: Car) -> tuple[int, tuple[int, ...]]:
    """How many WP one stop may give back, and to which categories (FD-TECH-1, FD-CAR-2)."""
    worn = tuple(
        category
        for category in range(len(car.wear))
        if category != TIRES and car.wear[category] < car.full[category]
    )
    room = sum(car.full[category] - car.wear[category] for category in worn)
    return min(POOL_A_STOP, pool(state, car), room), worn


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(InBox):
    """Where the points of a technical stop go."""

    kind: ClassVar[str] = "repair"
    at: ClassVar[Point] = Point.REPAIR
    needs: ClassVar[frozenset[str]] = frozenset({"technical", "advanced"})

    def settle(self, flow: Flow) -> bool:
        """One point that can go to one category only is not asked for."""
        points, worn = repairs(flow.state, flow.car(self.seat))
        if points > 1 or len(worn) > 1:
            return False
        if points:
            self._repair(flow, one(worn[0]))
        else:
            flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        """FD-TECH-1: up to so many points, to one or two of these categories."""
        points, worn = repairs(state, state.cars[self.seat])
        names = tuple(state.setup.edition.categories[category] for category in worn)
        return [RepairAsk(self.seat, points, names)]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-TECH-1; refused as `read_points` says."""
        car, categories = flow.car(self.seat), flow.state.setup.edition.categories
        points, worn = repairs(flow.state, car)
        room = {categories[at]: car.full[at] - car.wear[at] for at in worn}
        gain = read_points(
            "repair", value, categories, room, points, rule="FD-TECH-1", of_pool=True
        )
        self._repair(flow, gain)

    def _repair(self, flow: Flow, gain: Wear) -> None:
        flow.take()
        left = pool(flow.state, flow.car(self.seat)) - sum(gain)
        flow.tell(Repaired(seat=self.seat, rule="FD-TECH-1", gain=gain, pool=left))


def die_outcomes() -> tuple[Outcome, ...]:
    """The outcomes of the pit roll: two faces for each space of a fast exit, then slow."""
    fast = range(BLACK_DIE[0], PIT_SLOW[0], 2)
    outcomes = (Outcome(low, low + 1, LeavesPit((low + 1) // 2)) for low in fast)
    return (*outcomes, Outcome(*PIT_SLOW, LeavesPit(0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(InBox):
    """The black die of a tire stop."""

    kind: ClassVar[str] = "pit"
    at: ClassVar[Point] = Point.DIE

    def asks(self, state: State) -> Sequence[Ask]:
        return [ask_black(self.seat, Reason.PIT, die_outcomes())]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-PIT-2, DE-PIT-2: half the roll, rounded up, at once; or until the next turn."""
        does = meant(ask, read_roll(ask, value)).meaning
        assert isinstance(does, LeavesPit)
        flow.take()
        flow.tell(PitRolled(seat=self.seat, rule=self.rule, roll=value, spaces=does.spaces))
        if does.spaces:
            flow.due(Move(seat=self.seat, spaces=does.spaces, how="fast"))
