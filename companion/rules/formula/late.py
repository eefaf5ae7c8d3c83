"""A car that comes late: it stands at the back of the grid and plays from the next round.

The rulebooks say nothing of it; a table that lets somebody in half-way has to. Our ruling: the
car is as a header would have set it up, has all laps before it (FD-END-2), and makes its start
roll, where there are any, in its first turn (FD-START-1). Trials and grid rolls are over: who
comes then waits for the first round. What a rule that is on wants of a seat and the line leaves out
follows by itself: the first driver that nobody has, the team that is one car short, else a new
one; a car that nobody has constructed is a standard one (FD-CAR-1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.rules.copies import replace
from companion.rules.formula.car import Car
from companion.rules.formula.header import read_car, refuse_shared_boxes
from companion.rules.formula.header_options import refuse_shared_drivers, team_pools
from companion.rules.formula.order import arrival_number
from companion.rules.formula.state import Event, Flow, Phase, State
from companion.rules.formula.tables import TEAM_SIZE
from companion.rules.formula.urban.tables import DRIVERS
from companion.rules.game import Decision
from companion.rules.reading import refuse


class Joined(Event):
    """A player has come late. Boardless, `space` is None."""

    name: str
    space: str | None
    car: Car

    def applied(self, state: State) -> State:
        """One car more, which is in no order before the next round (FD-ORDER-1)."""
        cars = {**state.cars, self.seat: self.car}
        pools = team_pools(cars.values(), state.setup.builds, state.setup)
        return replace(state, cars=cars, pools={**pools, **state.pools})

    def as_json(self, context: object) -> dict[str, object]:
        """Who and where; what the car has is STATE."""
        told = {"seat": self.seat, "rule": self.rule, "name": self.name, "space": self.space}
        return {"event": "Joined", **told}


def join(state: State, entry: Mapping[str, object]) -> Decision[State, Event]:
    """One seat more, as an entry of a header's `seats` says it.

    Raises:
        Malformed: the entry breaks a rule, or contradicts the cars that are there.
        Illegal: the race has not begun, is over, or has no room.
    """
    if state.phase is not Phase.RACE:
        refuse("no-late-join", f"nobody comes in late while a race is in {state.phase}")
    _refuse_full(state)
    box = next(box for box in range(1, 100) if all(box != c.box for c in state.cars.values()))
    car = read_car({**_unsaid(state), **entry}, box, state.setup)
    if car.seat in state.cars:
        refuse("seat-taken", f"seat {car.seat} is there already", seat=car.seat)
    cars = {**state.cars, car.seat: car}
    refuse_shared_boxes(cars, state.setup.track)
    refuse_shared_drivers(cars)
    team_pools(cars.values(), state.setup.builds, state.setup)
    space = state.ground.space_of_joining(state)
    car = replace(car, space=space, arrived=arrival_number(state))
    where = None if space is None else state.setup.track.ids[space]
    flow = Flow(state)
    flow.tell(Joined(seat=car.seat, rule=None, name=car.name, space=where, car=car))
    return flow.done()


def _refuse_full(state: State) -> None:
    """No more cars than the rules and the grid have room for (DE-CAR-2)."""
    setup, cars = state.setup, len(state.cars)
    room = setup.edition.most_cars
    if not setup.boardless:
        room = min(room, len(setup.track.grid))
    if cars >= room:
        refuse("no-room", f"{room} cars race, there is no room for another", room=room)


def _unsaid(state: State) -> dict[str, object]:
    """What the rules that are on want of a seat, for who leaves it out (FD-URBAN-1, FD-TEAM-1)."""
    unsaid: dict[str, object] = {}
    if "urban" in state.setup.rules:
        taken = {car.street.driver for car in state.cars.values()}
        free = (d for d in DRIVERS.values() if d.needs is None or d.needs in state.setup.rules)
        unsaid["driver"] = next((d.name for d in free if d.name not in taken), None)
    if "teams" in state.setup.rules:
        teams = Counter(car.team for car in state.cars.values() if car.team)
        short = [team for team, cars in teams.items() if cars < TEAM_SIZE]
        names = (f"Team {number}" for number in range(1, 100))
        unsaid["team"] = short[0] if short else next(name for name in names if name not in teams)
    return unsaid
