"""The auction: the grid, the lots one by one, those set aside, and what becomes of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.frozen import dataclass
from companion.rules.downforce import refuse
from companion.rules.downforce.asks import LotAsk
from companion.rules.downforce.bids import bids_on
from companion.rules.downforce.entered import Enter
from companion.rules.downforce.lots import (
    CarUnsold,
    LotTurned,
    Pole,
    carless,
    lots_to_turn,
    read_lot,
)
from companion.rules.downforce.sales import Deal
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, State, Step
from companion.rules.downforce.tables import CARS
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, kw_only=True)
class NextLot(Step):
    """The table turns up a car and a power that have not been turned up yet."""

    kind = "lot"
    rule = "DF-SETUP-1"
    phases = (Phase.AUCTION,)

    def asks(self, state: State) -> Sequence[Ask]:
        return [LotAsk(TABLE, lots=lots_to_turn(state))]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        lot = read_lot(flow.state, refuse.an_object(value, ("car", "power"), "lot"))
        flow.take()
        flow.emit(LotTurned(seat=TABLE, rule=self.rule, lot=lot, again=False))
        is_dealt = flow.state.setup.plays("dealt")
        flow.first(Deal(lot=lot) if is_dealt else bids_on(flow.state, lot, again=False))

    def check(self, state: State) -> None:
        super().check(state)
        if not state.grid or len(state.lots) == len(CARS):
            bad("pending-form", "lots are turned up once there is a grid, and until all are")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionClosed(Event):
    """All lots are gone."""

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.POWERS)


def go_on(flow: Flow) -> None:
    """The grid, the six lots, those set aside (DF-BID-5), the powers."""
    state = flow.state
    if not state.grid:
        flow.first(Pole())
    elif len(state.lots) < len(CARS):
        flow.first(Enter(again=False) if state.setup.enters else NextLot())
    elif state.aside and carless(state) and state.setup.enters:
        flow.first(Enter(again=True))
    elif state.aside and carless(state):
        lot = state.aside[0]
        flow.emit(LotTurned(seat=TABLE, rule="DF-BID-5", lot=lot, again=True))
        flow.first(bids_on(flow.state, lot, again=True))
    else:
        for lot in state.aside:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        flow.emit(AuctionClosed(seat=TABLE, rule="DF-BID-4"))
