"""A state as JSON and back: STATE, a position (any part of it), and how a race begins.

What a position leaves out is as the contract says: standard wear, hard tires, fine weather, no
stops. Contradictions are refused with both sides named; every STATE that `tell_state` writes
reads back to an equal state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NoReturn

from companion.rules.codec import Context, read, replace, tell
from companion.rules.formula import book
from companion.rules.formula.car import Car, On, Place, Point, Status
from companion.rules.formula.drivers import Build, Tires
from companion.rules.formula.gears import Double, Gear, GearRoll
from companion.rules.formula.grid import Grid, GridSet, NextTrial, Ranking
from companion.rules.formula.ground import ByReport, OnBoard, Order
from companion.rules.formula.header import Header
from companion.rules.formula.order import classification, lose_turn, points_for, tell_teams
from companion.rules.formula.pit import are_chosen, step_of
from companion.rules.formula.position_cars import read_cars
from companion.rules.formula.rounds import End, begin_round, begin_turn, end_race, settle
from companion.rules.formula.state import Event, Flow, Phase, SeatStep, State, Step
from companion.rules.formula.weather import Held, Weather
from companion.rules.game import Decision
from companion.rules.lines import bad, one_of, only_keys, read_name, whole

STATE_KEYS = frozenset(
    {"phase", "round", "laps", "turn", "order", "weather", "raining", "cars", "debris"}
    | {"classification", "pending", "teams", "sky", "laid", "laps_added"}
)


def read_state(
    blank: State,
    data: Mapping[str, object],
    grid: tuple[int, ...] | None = None,
    kept: Collection[int] = (),
) -> State:
    """The state that a position describes; `blank` gives the setup and the cars' names.

    Cars of `kept` seats are those of `blank`; the position says nothing of them.

    Raises:
        Malformed: unknown keys, values out of bounds, contradictions.
    """
    only_keys(data, STATE_KEYS, "a state")
    phase = Phase(one_of(data.get("phase", "race"), "phase", tuple(map(str, Phase))))
    if phase is Phase.TRIALS and "trials" not in blank.setup.rules:
        bad("rule-not-on", "the phase is trials, but the rule is not on", name="trials")
    blank = _in_laps(blank, data)
    weather = _read_weather(blank, data, phase)
    rest = [seat for seat in grid or blank.cars if seat not in kept]
    cars = read_cars(blank, data.get("cars", {}), phase, rest)
    _refuse_shared_spaces(blank, cars)
    debris, sky = _read_debris(blank, data), _read_sky(blank, data, weather)
    state = replace(blank, phase=phase, weather=weather, cars=cars, debris=debris, sky=sky)
    # After `debris` is in the state: what `laid` leaves unsaid follows from it.
    state = replace(state, laid=_read_laid(state, data))
    state = _read_round(replace(state, pools=_read_pools(blank, data.get("teams", []))), data)
    state = state.ground.order_unsaid(state, data, grid)
    # Last, since every step is checked against the finished state.
    pending = _read_steps(state, data.get("pending", []))
    _check_laps_run(state, bool(pending))
    return replace(state, pending=pending)


def _in_laps(blank: State, data: Mapping[str, object]) -> State:
    """In the laps of the race, with those that the referee has added to the header's (FD-LAPS-1);
    where the bell may ring (`rounds.ring`) it may have fewer by now."""
    setup = blank.setup
    room = setup.edition.laps[1] - 1
    added = whole(data.get("laps_added", blank.laps_added), "laps_added", 0, room)
    most = setup.laps - blank.laps_added + added
    laps = data.get("laps", setup.laps)
    least = most if setup.house.race_time == "none" else 1
    if type(laps) is not int or not least <= laps <= min(most, room + 1):
        bad("laps-differ", f"the race has {most} laps, not {laps!r:.20}")
    blank = replace(blank, laps_added=added)
    return replace(blank, setup=replace(setup, laps=laps))


def _read_weather(blank: State, data: Mapping[str, object], phase: Phase) -> str | None:
    """Left out it is fine; not rolled yet only while the race is set up (FD-WEATHER-2).

    A race that was ended while it was set up says so: its weather is null, not left out.
    """
    weather = data.get("weather", blank.weather if "weather" in blank.setup.rules else None)
    open_yet = phase in (Phase.SETUP, Phase.TRIALS)
    never = phase is Phase.FINISHED and "weather" in data
    if weather is not None:
        weather = one_of(weather, "weather", book.WEATHER_ROWS)
    elif "weather" not in blank.setup.rules or not (open_yet or never):
        weather = "fine"
    rains = weather in book.RAINS
    raining = data.get("raining", rains)
    # By identity, so that 0 and 1 do not pass for truth values.
    if raining is not rains:
        bad("raining-differs", f"raining {raining!r:.20} contradicts the weather {weather}")
    return weather


def _read_sky(blank: State, data: Mapping[str, object], weather: str | None) -> str | None:
    """What the weather table said last; house switch `weather_machine`."""
    sky = data.get("sky")
    if sky is None:
        return None
    if blank.setup.house.weather_machine != "masters" or weather not in book.CHANGEABLE:
        message = "a sky is remembered where weather_machine is masters and it may change"
        bad("sky-form", message, rule="FD-WEATHER-3")
    return one_of(sky, "sky", tuple(book.TEMPORARY), rule="FD-WEATHER-3")


def _read_pools(blank: State, data: object) -> Mapping[str, int]:
    """The generic WP of the teams; points and places follow from the cars (FD-TEAM-1)."""
    if not isinstance(data, list) or not all(isinstance(team, dict) for team in data):
        bad("teams-form", f"teams is a list of objects, not {data!r:.60}")
    known = {car.team for car in blank.cars.values() if car.team}
    pools = dict(blank.pools)
    for row in data:
        only_keys(row, frozenset({"team", "points", "place", "pool"}), "a team")
        team = read_name(row.get("team"), "team")
        if team not in known:
            bad("no-such-team", f"this race has no team {team!r}", rule="FD-TEAM-1")
        if "pool" in row and team not in pools:
            bad("no-pool", f"team {team} has no pool: technical is not on", rule="FD-TECH-1")
        if "pool" in row:
            pools[team] = whole(row["pool"], "pool", 0, book.TEAM_POOL, rule="FD-TEAM-1")
    return pools


def _refuse_shared_spaces(blank: State, cars: Mapping[int, Car]) -> None:
    taken: dict[int, int] = {}
    for car in cars.values():
        at = car.out.space if car.out and car.is_wreck else car.space
        if at is None:
            continue
        if at in taken:
            space = blank.setup.track.ids[at]
            bad("space-shared", f"seats {taken[at]} and {car.seat} both stand on {space}",
                rule="FD-MOVE-1", space=space)  # fmt: skip
        taken[at] = car.seat


def _read_debris(blank: State, data: Mapping[str, object]) -> frozenset[int]:
    track, names = blank.setup.track, data.get("debris", [])
    if not isinstance(names, list):
        bad("debris-form", f"debris is a list of spaces, not {names!r:.60}")
    found: set[int] = set()
    for name in names:
        space = track.index.get(name) if isinstance(name, str) else None
        if space is None or track.lane[space] < 0:
            bad("no-such-space", f"debris lies on a space of the track, not {name!r:.40}")
        if space in found:
            bad("debris-twice", f"{name} holds one marker only", rule="FD-DEBRIS-4", space=name)
        found.add(space)
    if found and not blank.setup.edition.debris:
        bad("no-debris", "the basic game has no debris", rule="FD-BASIC-13")
    return frozenset(found)


def _read_laid(state: State, data: Mapping[str, object]) -> tuple[int, ...]:
    """The markers in the order in which they were laid; house switch `debris_limit`."""
    track, limit = state.setup.track, state.setup.house.debris_limit
    usual = [track.ids[space] for space in sorted(state.debris)] if limit != "none" else []
    names = data.get("laid", usual)
    if not isinstance(names, list) or sorted(map(str, names)) != sorted(usual):
        bad("laid-form", f"laid names the spaces of debris in their order, each once: {usual}",
            rule="FD-DEBRIS-4")  # fmt: skip
    if limit != "none" and len(names) > int(limit):
        bad("too-much-debris", f"at this table {limit} markers lie on the board, not {len(names)}",
            rule="FD-DEBRIS-4", most=int(limit))  # fmt: skip
    return tuple(track.index[name] for name in names)


def _read_round(state: State, data: Mapping[str, object]) -> State:
    """Round, order and turn; without order and turn a new round begins."""
    named, turn = data.get("order") or [], data.get("turn")
    # No seat is None, so what is not a list is refused two lines on.
    order = tuple(named) if isinstance(named, list) else (None,)
    known = all(type(seat) is int and seat in state.cars for seat in order)
    if not known or len(set(order)) != len(order):
        bad("order-form", f"order names seats of the race, each once, not {named!r:.60}")
    begun = state.phase in (Phase.RACE, Phase.FINISHED)
    number = whole(data.get("round", int(begun)), "round", 0, book.MANY)
    if turn is None:
        # Without a turn a new round begins and will be counted: its number is taken back by one.
        going_on = state.phase is not Phase.RACE or bool(data.get("pending"))
        number = number if going_on else max(0, number - 1)
        return replace(state, round=number, order=order)
    if type(turn) is not int or turn not in order:
        bad("turn-not-in-order", f"turn is one of the seats in order, not {turn!r:.20}")
    if state.phase is not Phase.RACE:
        bad("turn-outside-race", f"nobody is on turn in the phase {state.phase}")
    plays = state.cars[turn].runs or state.cars[turn].is_wreck
    if "pending" not in data and not plays:
        bad("turn-of-car-out", f"the car of seat {turn} does not run any more")
    return replace(state, round=number, turn=turn, order=order)


def _check_laps_run(state: State, in_turn: bool) -> None:
    """A running car has passed its last line only in its own turn, which may end the race."""
    if state.phase is Phase.TRIALS:
        return
    for car in state.cars.values():
        in_its_turn = state.phase is Phase.FINISHED or (in_turn and car.seat == state.turn)
        most = state.setup.laps + in_its_turn
        if car.runs and car.lap > most:
            bad("lap-past-end", f"seat {car.seat} runs in lap {car.lap} of {state.setup.laps}",
                rule="FD-END-2", seat=car.seat)  # fmt: skip


# -- the pending steps of a position --------------------------------------------------------------

# A step by itself is judged by its own `check`; here the queue is.


def _read_steps(state: State, data: object) -> tuple[Step, ...]:
    """The queue of pending steps, checked against the state.

    Raises:
        Malformed: a step that is unknown, or that the state contradicts.
    """
    if not isinstance(data, list):
        _wrong(data)
    steps = tuple(_read_step(state, one) for one in data)
    _check_double(steps)
    if state.phase is Phase.TRIALS:
        _check_trial(state, steps)
        return steps
    _refuse_foreign_steps(state, steps)
    # Between two rounds the table may still owe the order, with nobody on turn.
    if not steps or (state.turn is None and [type(step) for step in steps] == [Order]):
        return steps
    if state.phase is Phase.SETUP:
        if not all(step.before_race for step in steps):
            known = sorted(kind.kind for kind in Step.kinds.values() if kind.before_race)
            bad("pending-form", f"while setting up only {', '.join(known)} are pending")
        _check_plan(state, steps)
    else:
        _check_turn(state, steps)
    return steps


def _read_step(state: State, data: object) -> Step:
    # A tuple instead of the dict: a name that cannot be hashed must be refused, not crash.
    if not isinstance(data, dict) or data.get("step") not in tuple(Step.kinds):
        _wrong(data)
    name = str(data["step"])
    fields = {key: value for key, value in data.items() if key != "step"}
    step = read(Step.kinds[name], fields, f"the step {name}", state.context)
    if step.needs and not state.plays(step.needs):
        rule = ", ".join(sorted(step.needs))
        bad("rule-not-on", f"{name} is pending, but the rule {rule} is not on", name=rule)
    if not all(state.cars[seat].runs for seat in step.seats_named()):
        bad("pending-of-car-out", f"{name} is pending for a car that does not run")
    step.check(state)
    return step


def _wrong(data: object) -> NoReturn:
    known = ", ".join(sorted(Step.kinds))
    bad("pending-form", f"pending is a list of steps ({known}), not {data!r:.60}")


def _refuse_foreign_steps(state: State, steps: Sequence[Step]) -> None:
    """Refuse steps that only a race with a board has, or only one without."""
    foreign = On.BOARD if state.setup.boardless else On.REPORT
    for step in steps:
        if step.on is foreign:
            has = "no" if state.setup.boardless else "a"
            message = f"{step.kind} is not pending in this race: it has {has} board"
            bad("pending-form", message, rule="FD-MOVE-1")


def _check_turn(state: State, steps: Sequence[Step]) -> None:
    """A turn ends with its end; what lies before the race is behind."""
    before = [
        kind.kind
        for kind in Step.kinds.values()
        if kind.at is Point.BEFORE_THE_RACE or "trials" in kind.needs
    ]
    if any(step.kind in before for step in steps):
        bad("pending-form", f"{', '.join(before)} are pending only before the race")
    ends = [step for step in steps if isinstance(step, End)]
    if state.turn is None or ends != [steps[-1]] or ends[0].seat != state.turn:
        bad("pending-form", "pending ends with the end of the turn of the seat on turn")


def _check_double(steps: Sequence[Step]) -> None:
    """What counts double is the roll right before it: else it would wait for ever (DE-START-1)."""
    # Each step with the one before it; the lists differ by one, so `strict` is off.
    for before, step in zip((None, *steps), steps, strict=False):
        if isinstance(step, Double) and not (
            isinstance(before, Gear | GearRoll) and before.seat == step.seat
        ):
            message = "double follows the gear or the roll of its seat"
            bad("pending-form", message, rule="DE-START-1")


def _check_trial(state: State, steps: Sequence[Step]) -> None:
    """One car drives; then the other trials, the ranking, and what lies before the race."""
    first = steps[0] if steps else None
    if not isinstance(first, SeatStep) or not first.on_trial:
        known = ", ".join(sorted(kind.kind for kind in Step.kinds.values() if kind.on_trial))
        message = f"in the trials one of {known} is pending"
        bad("pending-form", message, rule="FD-TRIAL-1")
    if not all(step.before_race for step in steps[1:]):
        bad("pending-form", "one car drives its trial at a time", rule="FD-TRIAL-1")
    if not any(isinstance(step, Ranking) for step in steps):
        bad("pending-form", "trials end with their ranking", rule="FD-TRIAL-2")
    _check_plan(state, steps[1:])
    on_track = [car.seat for car in state.cars.values() if car.space is not None]
    if on_track != [first.seat]:
        message = "the car that drives its trial is alone on the track"
        bad("pending-form", message, rule="FD-TRIAL-1")


def _check_plan(state: State, steps: Sequence[Step]) -> None:
    """Before the race each thing is pending once, and whatever is not known yet is pending.

    Weather and tires are pending twice where they lie before the trials too (FD-TIRE-1).
    """
    kinds = [type(step) for step in steps]
    raced = kinds[kinds.index(Ranking) + 1 :] if Ranking in kinds else kinds
    if len(set(raced)) != len(raced) or Grid in kinds[1:] or NextTrial in raced:
        bad("pending-form", "each thing is settled once before the race, the grid first")
    if not {Grid, Ranking} & set(kinds) and state.ground.grid_is_open(state):
        message = "cars without a place on the grid, and no grid pending"
        bad("pending-form", message, rule="FD-GRID-1")
    if not any(isinstance(step, Weather | Held) for step in steps) and state.weather is None:
        message = "no weather yet, and no weather pending"
        bad("pending-form", message, rule="FD-WEATHER-2")


# -- how a race begins: grid rolls, a given grid, or a position -----------------------------------


class RaceSet(Event):
    """A race was set up, or set half-way by a position: the whole state that it begins with."""

    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self, context: Context) -> dict[str, object]:
        """Only that a race began; what it began with is STATE."""
        track, laps = self.state.setup.track.name or None, self.state.setup.laps
        shown = {"event": "RaceSet", "seat": 0, "rule": self.rule, "track": track, "laps": laps}
        pack = self.state.setup.pack
        return shown | ({"pack": pack} if pack else {})


def _plan(state: State) -> list[Step]:
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
        state = read_state(state, header.position, header.grid)
    flow = Flow(state)
    flow.tell(RaceSet(seat=0, rule=None, state=state))
    if header.position is not None:
        resume(flow)
        return flow.done()
    seats = tuple(header.cars)
    # A single car has nobody to roll against, but it may still drive a trial (FD-GRID-1).
    alone = len(seats) == 1 and "trials" not in header.setup.rules
    order = header.grid or (seats if alone else None)
    if order is not None:
        flow.tell(GridSet(seat=0, rule="FD-GRID-1", order=order))
    flow.due(*_plan(flow.state))
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
        flow.due(*_plan(state))
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


# -- STATE of the engine protocol -----------------------------------------------------------------


def tell_state(state: State, seats: Collection[int] | None = None) -> dict[str, object]:
    """The whole state; of the cars those of some `seats` only."""
    track = state.setup.track
    cars = (car for seat, car in state.cars.items() if seats is None or seat in seats)
    data: dict[str, object] = {
        "phase": str(state.phase),
        "round": state.round,
        "laps": state.setup.laps,
        "turn": state.turn,
        "order": list(state.order),
        "weather": state.weather,
        "raining": state.raining,
        "cars": {str(car.seat): _tell_car(state, car) for car in cars},
        "debris": sorted((track.ids[space] for space in state.debris), key=track.index.__getitem__),
        "classification": _tell_classification(state),
    }
    if any(car.team for car in state.cars.values()):
        data["teams"] = tell_teams(state)
    if state.laid:
        data["laid"] = [track.ids[space] for space in state.laid]
    if state.sky:
        data["sky"] = state.sky
    if state.laps_added:
        data["laps_added"] = state.laps_added
    if state.pending:
        data["pending"] = tell_steps(state, state.pending)
    return data


def tell_steps(state: State, steps: Iterable[Step]) -> list[dict[str, object]]:
    """Pending steps of a state."""
    context = state.context
    return [{"step": step.kind, **tell(step, context)} for step in steps]


def _tell_car(state: State, car: Car) -> dict[str, object]:
    """One car; what is unused, or as usual, is left out."""
    setup = state.setup
    data = tell(car, state.context)
    if not (car.served or state.ground.place(setup, car) is Place.BOX):
        del data["served"]
    if lose_turn(setup):
        data["laps_down"] = car.memory.laps_down
    if are_chosen(setup):
        data["box"] = car.box
    if car.full == setup.standard_wear == setup.edition.start_wear:
        del data["full"]
    if not (setup.boardless and setup.track.corners and car.runs):
        del data["corner"]
    return data


def _tell_classification(state: State) -> list[dict[str, object]]:
    """Those who have finished so far; at the end of the race, everybody (FD-TEAM-1 points)."""
    over = state.phase is Phase.FINISHED
    ranked = [c for c in classification(state) if over or c.status is Status.FINISHED]
    return [
        {
            "place": place,
            "seat": car.seat,
            "status": str(car.status),
            "points": points_for(state, place, car),
        }
        for place, car in enumerate(ranked, 1)
    ]
