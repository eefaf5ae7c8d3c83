"""Wear points that come back: the checkpoint, and the prize of the police station.

FD-URBAN-7, FD-DRV-6, FD-URBAN-5. Nobody is asked where all worn points come back anyway, or
where they all go to one category.
"""

from __future__ import annotations

from typing import Annotated

from companion.rules.codec import How
from companion.rules.forms import Within
from companion.rules.formula.asks import RecoverAsk
from companion.rules.formula.option import Way
from companion.rules.formula.points import read_points
from companion.rules.formula.state import Asks, ByItself, Cost, Event, Flow, SeatStep, State
from companion.rules.formula.tables import CATEGORIES, TIRES
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, is_urban
from companion.rules.formula.urban.tables import POLICE_PRIZE, USUAL_RECOVERY
from companion.rules.formula.wear import Wear, as_wear, one
from companion.rules.game import Ask
from companion.rules.reading import bad

CHECKPOINT, POLICE = "checkpoint", "police"
MOST = 100


class CheckpointPassed(Event):
    """A car has passed the line at the end of a lap: its tires are new."""

    gain: Cost

    def applied(self, state: State) -> State:
        return state.regained(self.seat, self.gain)


class Recovered(Event):
    """Wear points came back; `source`: checkpoint or police."""

    source: str
    gain: Cost

    def applied(self, state: State) -> State:
        return state.regained(self.seat, self.gain)


class Checkpoint(
    ByItself, kind="checkpoint", at=Point.CHECKPOINT, rule="FD-URBAN-7", needs=OF_URBAN
):
    """The line at the end of a lap has been passed."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """FD-END-2: the first crossing refills nothing; who crosses the last has finished."""
        lap = flow.car(way.seat).lap
        refills = 1 < lap <= flow.state.setup.laps
        if is_urban(flow.state) and way.option.arrival.line and refills:
            flow.due(cls(seat=way.seat))

    def settle(self, flow: Flow) -> None:
        """New tires, then points to choose (FD-URBAN-7, FD-DRV-6)."""
        car = flow.car(self.seat)
        gain = one(TIRES, car.full[TIRES] - car.wear[TIRES])
        flow.tell(CheckpointPassed(seat=self.seat, rule=self.rule, gain=gain))
        flow.due(Recover(seat=self.seat, points=driver_of(car).regains))


class Recover(SeatStep, kind="recover", at=Point.RECOVERY, rule="FD-URBAN-7", needs=OF_URBAN):
    """Points that come back by choice, at the checkpoint or as the prize of the police."""

    points: Annotated[int, Within(0, MOST)]
    source: Annotated[str, How("", CHECKPOINT, POLICE)] = CHECKPOINT

    @property
    def point(self) -> Point:
        """The prize comes after the note of the police."""
        return Point.PRIZE if self.source == POLICE else Point.RECOVERY

    def _room(self, state: State) -> dict[int, int]:
        """What each worn category can take; the checkpoint's points are for others than tires."""
        car = state.cars[self.seat]
        worn = {at: f - have for at, (f, have) in enumerate(zip(car.full, car.wear, strict=True))}
        of_tires = self.source == POLICE
        return {at: n for at, n in worn.items() if n and (at != TIRES or of_tires)}

    def waits(self, state: State) -> bool:
        room = self._room(state)
        return len(room) > 1 and sum(room.values()) > self.points

    def settle(self, flow: Flow) -> None:
        """Points that leave no choice come back by themselves."""
        room = self._room(flow.state)
        gain = as_wear({at: min(n, self.points) for at, n in room.items()})
        if any(gain):
            self._recover(flow, gain)

    def asks(self, state: State) -> Asks:
        """How many points, and to which categories they may go."""
        names = tuple(CATEGORIES[at] for at in self._room(state))
        return [RecoverAsk(self.seat, points=self.points, categories=names)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """Refused as `read_points` says."""
        room = {CATEGORIES[at]: n for at, n in self._room(flow.state).items()}
        rule = self._rule(flow.state)
        gain = read_points("recover", value, CATEGORIES, room, self.points, rule=rule)
        self._recover(flow, gain)

    def _recover(self, flow: Flow, gain: Wear) -> None:
        rule = self._rule(flow.state)
        flow.tell(Recovered(seat=self.seat, rule=rule, source=self.source, gain=gain))

    def _rule(self, state: State) -> str:
        if self.source == POLICE:
            return "FD-URBAN-5"
        plain = driver_of(state.cars[self.seat]).regains == USUAL_RECOVERY
        return "FD-URBAN-7" if plain else "FD-DRV-6"

    def check(self, state: State) -> None:
        driver = driver_of(state.cars[self.seat])
        most = POLICE_PRIZE if self.source == POLICE else driver.regains
        if self.points > most or not self.source:
            message = f"{most} points come back, by checkpoint or police"
            bad("pending-form", message, rule="FD-URBAN-7")
