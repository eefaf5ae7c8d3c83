"""A position: any part of STATE, read as a state to go on from.

What is left out is as DESIGN's contract says: standard wear, hard tires, fine weather, no
stops. Contradictions are refused with both sides named; every STATE that `tell_state` writes
reads back to an equal state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.rules.copies import replace
from companion.rules.formula.car import Car
from companion.rules.formula.pending import read_steps
from companion.rules.formula.position_cars import read_cars
from companion.rules.formula.state import Phase, State
from companion.rules.formula.tables import (
    CHANGEABLE,
    MANY,
    RAINS,
    TEAM_POOL,
    TEMPORARY,
    WEATHER_ROWS,
)
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

STATE_KEYS = frozenset(
    {"phase", "round", "laps", "turn", "order", "weather", "raining", "cars", "debris"}
    | {"classification", "pending", "teams", "sky", "laid"}
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
    state = replace(state, laid=_read_laid(state, data))
    state = _read_round(replace(state, pools=_read_pools(blank, data.get("teams", []))), data)
    state = state.ground.order_unsaid(state, data, grid)
    pending = read_steps(state, data.get("pending", []))
    _check_laps_run(state, bool(pending))
    return replace(state, pending=pending)


def _in_laps(blank: State, data: Mapping[str, object]) -> State:
    """In the laps of the race; where the bell may ring (`pace`) it may have fewer by now."""
    setup = blank.setup
    laps = data.get("laps", setup.laps)
    if laps == setup.laps:
        return blank
    if setup.house.race_time == "none" or type(laps) is not int or not 0 < laps < setup.laps:
        bad("laps-differ", f"the race has {setup.laps} laps, not {laps!r:.20}")
    return replace(blank, setup=replace(setup, laps=laps))


def _read_weather(blank: State, data: Mapping[str, object], phase: Phase) -> str | None:
    """Left out it is fine; not rolled yet only while the race is set up (FD-WEATHER-2).

    A race that was ended while it was set up says so: its weather is null, not left out.
    """
    weather = data.get("weather")
    open_yet = phase in (Phase.SETUP, Phase.TRIALS)
    never = phase is Phase.FINISHED and "weather" in data
    if weather is not None:
        weather = one_of(weather, "weather", WEATHER_ROWS)
    elif "weather" not in blank.setup.rules or not (open_yet or never):
        weather = "fine"
    rains = weather in RAINS
    raining = data.get("raining", rains)
    if raining is not rains:
        bad("raining-differs", f"raining {raining!r:.20} contradicts the weather {weather}")
    return weather


def _read_sky(blank: State, data: Mapping[str, object], weather: str | None) -> str | None:
    """What the weather table said last; house switch `weather_machine`."""
    sky = data.get("sky")
    if sky is None:
        return None
    if blank.setup.house.weather_machine != "masters" or weather not in CHANGEABLE:
        message = "a sky is remembered where weather_machine is masters and it may change"
        bad("sky-form", message, rule="FD-WEATHER-3")
    return one_of(sky, "sky", tuple(TEMPORARY), rule="FD-WEATHER-3")


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
            pools[team] = whole(row["pool"], "pool", 0, TEAM_POOL, rule="FD-TEAM-1")
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
    order = tuple(named) if isinstance(named, list) else (None,)
    known = all(type(seat) is int and seat in state.cars for seat in order)
    if not known or len(set(order)) != len(order):
        bad("order-form", f"order names seats of the race, each once, not {named!r:.60}")
    begun = state.phase in (Phase.RACE, Phase.FINISHED)
    number = whole(data.get("round", int(begun)), "round", 0, MANY)
    if turn is None:
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
    """A running car has passed its last line only while its own turn is still going on."""
    if state.phase is Phase.TRIALS:
        return
    for car in state.cars.values():
        most = state.setup.laps + (1 if in_turn and car.seat == state.turn else 0)
        if car.runs and car.lap > most:
            bad("lap-past-end", f"seat {car.seat} runs in lap {car.lap} of {state.setup.laps}",
                rule="FD-END-2", seat=car.seat)  # fmt: skip
