"""The grid and the lots: what is turned up, and how many are left for whom (DF-SETUP-1).

Lots left count the one on the table. The first time through, those set aside do not count
(DF-BID-4, DF-BID-5); the second time only they are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.codec import Spread
from companion.rules.downforce import refuse
from companion.rules.downforce.asks import PoleAsk
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.state import TABLE, Event, Flow, Lot, Phase, State, Step
from companion.rules.downforce.tables import CARS
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, grid=self.order)


@dataclass(frozen=True, kw_only=True)
class Pole(Step):
    """The table says how the cars stand on the grid."""

    kind = "pole"
    rule = "DF-SETUP-1"
    phases = (Phase.AUCTION,)

    def asks(self, state: State) -> Sequence[Ask]:
        return [PoleAsk(TABLE)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        order = refuse.all_cars(value, "pole")
        flow.take()
        flow.emit(GridSet(seat=TABLE, rule=self.rule, order=order))

    def check(self, state: State) -> None:
        super().check(state)
        if state.grid:
            bad("pending-form", "the grid is asked only as long as there is none")


@dataclass(frozen=True, slots=True, kw_only=True)
class LotTurned(Event):
    """A lot was turned up, or `again` came back after it had been set aside."""

    lot: Annotated[Lot, Spread(Lot)]
    again: bool

    def applied(self, state: State) -> State:
        if self.again:
            return replace(state, aside=tuple(one for one in state.aside if one != self.lot))
        return replace(state, lots=(*state.lots, self.lot))


@dataclass(frozen=True, slots=True, kw_only=True)
class LotSetAside(Event):
    """Nobody bid on the lot; it may come back after the auction."""

    lot: Annotated[Lot, Spread(Lot)]

    def applied(self, state: State) -> State:
        return replace(state, aside=(*state.aside, self.lot))


@dataclass(frozen=True, slots=True, kw_only=True)
class CarUnsold(Event):
    """The car is nobody's; it races all the same."""

    car: str

    def applied(self, state: State) -> State:
        return replace(state, aside=tuple(lot for lot in state.aside if lot.car != self.car))


def powers_to_turn(state: State) -> list[str | None]:
    """The powers that the next lot may have; None is a lot without a power.

    Without powers all lots have none, of two players' lots one (DF-VAR-2); where cars are
    dealt (DF-VAR-1) the powers may be left out of any.
    """
    setup = state.setup
    if setup.plays("no-powers"):
        return [None]
    turned = [lot.power for lot in state.lots]
    left: list[str | None] = [power for power in setup.powers if power not in turned]
    spare = setup.plays("two-players") and None not in turned
    return [*left, None] if spare or setup.plays("dealt") else left


def lots_to_turn(state: State) -> tuple[Lot, ...]:
    """Every car and power that have not been turned up yet."""
    turned = {lot.car for lot in state.lots}
    cars = [car for car in CARS if car not in turned]
    return tuple(Lot(car, power) for car in cars for power in powers_to_turn(state))


def read_lot(state: State, data: Mapping[str, object]) -> Lot:
    """The lot that was turned up, as an answer names it."""
    car, power = refuse.a_car(data.get("car"), "car"), data.get("power")
    if power is not None and (not isinstance(power, str) or power not in state.setup.powers):
        known = ", ".join(state.setup.powers)
        bad("no-such-power", f"power is one of {known}, or null", known=known)
    if car in {lot.car for lot in state.lots}:
        illegal("car-turned-up", f"{car} has been turned up before", "DF-SETUP-1", car=car)
    if power not in powers_to_turn(state):
        if power is None:
            rule = "DF-VAR-2" if state.setup.plays("two-players") else "DF-SETUP-1"
            illegal("power-missing", "a power is turned up with this lot", rule)
        if state.setup.plays("no-powers"):
            illegal("no-powers", "this game is played without powers", "DF-VAR-1", power=power)
        illegal("power-turned-up", f"{power} has been turned up before", "DF-SETUP-1", power=power)
    return Lot(car, power)


def carless(state: State) -> list[int]:
    """The seats at the table that own no car, clockwise."""
    owners = {car.owner for car in state.cars.values()}
    return [seat for seat in state.here() if seat not in owners]


def lots_left(state: State, *, again: bool) -> int:
    """How many lots are left, with the one that is on the table now."""
    return 1 + (len(state.aside) if again else len(CARS) - len(state.lots))


def is_forced(state: State, *, again: bool) -> bool:
    """Whether the one bidder takes the last lot at the hand's lowest number (DF-BID-4)."""
    return len(carless(state)) == 1 and lots_left(state, again=again) == 1
