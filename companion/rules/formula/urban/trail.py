"""Temana's car leaves debris on the space on which the move began, once a lap (FD-DRV-10)."""

from __future__ import annotations

from typing import Final

from companion.rules.forms import Spaces
from companion.rules.formula.asks import TrailAsk
from companion.rules.formula.markers import make_room, with_marker
from companion.rules.formula.option import Way
from companion.rules.formula.state import Asks, Event, Flow, SeatStep, State
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.urban.memory import uses
from companion.rules.formula.urban.zone import debris_on, refuse_no_space
from companion.rules.game import Ask
from companion.rules.reading import yes_or_no

LEFT: Final = uses("trail", lambda driver: driver.litters, each_lap=True)


class TrailLeft(Event):
    """Temana leaves debris on the space on which the move began."""

    space: str

    def applied(self, state: State) -> State:
        state = state.used(self.seat, LEFT)
        return with_marker(state, state.setup.track.index[self.space])


class Trail(SeatStep, kind="trail", at=Point.TRAIL, rule="FD-DRV-10", needs=OF_URBAN, on_road=True):
    """Whether debris is left on the space on which the move began."""

    spaces: Spaces = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if driver_of(flow.car(way.seat)).litters and not way.slips:
            flow.due(cls(seat=way.seat, spaces=(way.start,)))

    def waits(self, state: State) -> bool:
        """Where debris can be left on a space that was left."""
        car, (space,) = state.cars[self.seat], self.spaces
        may = car.runs and LEFT not in car.street.used
        return may and car.space != space and space not in debris_on(state)

    def asks(self, state: State) -> Asks:
        return [TrailAsk(self.seat, at=state.setup.track.ids[self.spaces[0]])]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        if yes_or_no(value, self.kind):
            make_room(flow, self.seat)
            space = flow.state.setup.track.ids[self.spaces[0]]
            flow.tell(TrailLeft(seat=self.seat, rule=self.rule, space=space))

    def check(self, state: State) -> None:
        able = driver_of(state.cars[self.seat]).litters
        refuse_other_driver(state, self.seat, self.kind, able=able)
        refuse_no_space(state, self.kind, self.spaces)
