"""How a race begins: grid rolls, a given grid, or a position."""

from __future__ import annotations

from companion.rules.codec import Context
from companion.rules.formula.boardless.by_report import ByReport
from companion.rules.formula.boxes import step_of
from companion.rules.formula.construction import Build
from companion.rules.formula.grid import Grid, GridSet
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.header import Header
from companion.rules.formula.rounds import begin_round, begin_turn, end_race, settle
from companion.rules.formula.state import Event, Flow, Phase, State, Step
from companion.rules.formula.tires import Tires
from companion.rules.formula.trials import NextTrial, Ranking
from companion.rules.formula.weather import Weather
from companion.rules.game import Decision


class RaceSet(Event):
    """A race was set up, or set half-way by a position: the whole state that it begins with."""

    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self, context: Context) -> dict[str, object]:
        """Only that a race began; what it began with is STATE."""
        track, laps = self.state.setup.track.name or None, self.state.setup.laps
        told = {"event": "RaceSet", "seat": 0, "rule": self.rule, "track": track, "laps": laps}
        pack = self.state.setup.pack
        return told | ({"pack": pack} if pack else {})


def plan(state: State) -> list[Step]:
    """The steps that lie before this race, in the order of FD-TIRE-1.

    The grid is rolled for, or driven for in trials with their own weather and tires; then the
    weather of the race is rolled, boxes are chosen, cars constructed, tires chosen. A step that
    the header has answered already is not there; when none is left, the race begins
    (`rounds.settle`).
    """
    running = tuple(car.seat for car in state.running())
    fits = tuple(seat for seat in state.setup.fits if seat in running)
    builds = tuple(seat for seat in state.setup.builds if seat in running)
    weather: list[Step] = [Weather(seat=0)] if state.weather is None else []
    tires: list[Step] = [Tires(seats=fits)] if fits else []
    steps: list[Step] = []
    if state.ground.grid_is_open(state):
        if "trials" in state.setup.rules:
            trials = [NextTrial(seat=seat) for seat in running]
            steps = [*weather, *tires, *trials, Ranking()]
        else:
            steps = [Grid(groups=(running,))]
    built = [Build(seats=builds)] if builds else []
    return [*steps, *weather, *step_of(state, running), *built, *tires]


def begin(header: Header) -> Decision[State, Event]:
    """The events that open a race, down to its first ask.

    Raises:
        Malformed: a position that contradicts itself.
    """
    ground = ByReport() if header.setup.boardless else OnBoard()
    state = State(
        header.setup, ground, weather=header.weather, cars=header.cars, pools=header.pools
    )
    if header.position is not None:
        from companion.rules.formula.position import read_state  # most races begin at the start

        state = read_state(state, header.position, header.grid)
    flow = Flow(state)
    flow.tell(RaceSet(seat=0, rule=None, state=state))
    if header.position is not None:
        resume(flow)
        return flow.done()
    seats = tuple(header.cars)
    alone = len(seats) == 1 and "trials" not in header.setup.rules
    order = header.grid or (seats if alone else None)
    if order is not None:
        flow.tell(GridSet(seat=0, rule="FD-GRID-1", order=order))
    flow.due(*plan(flow.state))
    settle(flow)
    return flow.done()


def resume(flow: Flow) -> None:
    """Go on from a state that was set: in mid-turn, in mid-round, or with a new round."""
    state = flow.state
    if state.phase is Phase.RACE and not flow.queue:
        if not state.running():
            end_race(flow)
            return
        _begin_turn(flow)
    elif state.phase is Phase.SETUP and not flow.queue:
        flow.due(*plan(state))
    settle(flow)


def _begin_turn(flow: Flow) -> None:
    """The turn of whose it is, or of a new round."""
    if flow.state.turn is not None:
        begin_turn(flow, flow.state.turn)
        return
    order = flow.state.ground.open_round(flow)
    if order is not None:
        begin_round(flow, order)
        begin_turn(flow, flow.state.order[0])
