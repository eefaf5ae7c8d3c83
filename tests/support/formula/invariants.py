"""What holds in every state of a race, read from STATE and the asks alone.

Each check raises AssertionError with a sentence. `check_all` runs them in turn; the tests of
this file's own show that each of them can fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

STATE = Mapping[str, Any]
ASKS = Sequence[Mapping[str, Any]]

START_WEAR = {"tires": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
"""FD-CAR-1."""
OLD_WEAR = {"tires": 6, "brakes": 4, "fuel": 3, "body": 3, "engine": 3, "handling": 0}
"""DE-CAR-1: two or three laps, not advanced; STATE tells `full` in all other races."""
BASIC_WEAR = {"points": 18}
"""FD-BASIC-2."""
VITAL = ("body", "engine", "handling", "points")
RUNNING = {"grid", "racing", "stalled", "spun", "pit"}


def cars_of(state: STATE) -> list[dict[str, Any]]:
    """The cars of a state, by seat."""
    return list(state["cars"].values())


def full_of(car: Mapping[str, Any]) -> Mapping[str, int]:
    """What a car started with."""
    others = {"points": BASIC_WEAR, "fuel": OLD_WEAR}
    standard = next((own for name, own in others.items() if name in car["wear"]), START_WEAR)
    return car.get("full", standard)


def check_wear(state: STATE, _: ASKS) -> None:
    """FD-CAR-2: within 0 and the starting value, every category there."""
    for car in cars_of(state):
        assert set(car["wear"]) == set(full_of(car)), f"seat {car['seat']} wears {car['wear']}"
        for category, points in car["wear"].items():
            most = full_of(car)[category]
            assert 0 <= points <= most, f"seat {car['seat']} has {points} {category} of {most}"


def check_dead_cars(state: STATE, _: ASKS) -> None:
    """FD-BUMP-2, FD-ENGINE-3, FD-DEBRIS-3: a car without body, engine or handling is out.

    FD-BASIC-12: so is one without a point.
    """
    for car in cars_of(state):
        vital = [name for name in VITAL if full_of(car).get(name)]
        empty = [name for name in vital if not car["wear"][name]]
        rolls_on = empty == ["engine"] and "blown" in car
        assert not empty or rolls_on or car["status"] not in RUNNING, (
            f"seat {car['seat']} runs without {empty}"
        )


def check_spaces(state: STATE, _: ASKS) -> None:
    """FD-MOVE-1: one car a space; a car has one while it runs, and only then.

    Before the race begins, also where it is ended there, cars wait beside the board.
    """
    taken: dict[str, int] = {}
    for car in cars_of(state):
        space, seat = car["space"], car["seat"]
        waits = car["status"] == "grid" and state["phase"] == "finished" and not state["round"]
        assert (
            (space is not None) == (car["status"] in RUNNING and car["lap"] <= state["laps"])
            or state["phase"] in ("setup", "trials")
            or waits
        ), f"seat {seat} is {car['status']} on {space}"
        assert space is None or space not in taken, f"seats {seat} and {taken[space]} on {space}"
        if space is None and car["out"] and car["out"].get("stands"):
            space = car["out"]["space"]  # DE-BLOCK-1
            assert space not in taken, f"seat {taken[space]} stands on the wreck of {seat}"
        if space is not None:
            taken[space] = seat


def check_status(state: STATE, _: ASKS) -> None:
    """A pit car stands in the pit; a stop is in a corner; gear 0 on the grid only."""
    for car in cars_of(state):
        space = car["space"] or ""
        seat, status = car["seat"], car["status"]
        assert (status == "pit") == (space[:1] in ("P", "B") and space != ""), (
            f"seat {seat} is {status} on {space}"
        )
        assert not car["stops"] or space.startswith("T") or not space, f"{seat}: stops on {space}"
        assert 0 <= car["gear"] <= 6, f"seat {seat} is in gear {car['gear']}"
        assert car["gear"] or status in ("grid", "stalled", "out"), f"seat {seat} drives in no gear"


def check_order(state: STATE, _: ASKS) -> None:
    """FD-ORDER-1: each seat at most once; the one on turn is among them."""
    order = state["order"]
    assert len(set(order)) == len(order), f"order {order} has a seat twice"
    assert {str(seat) for seat in order} <= set(state["cars"]), f"order {order} of strangers"
    if state["phase"] == "race":
        assert state["turn"] in order, f"turn {state['turn']} is not in {order}"


def check_laps(state: STATE, _: ASKS) -> None:
    """FD-END-2: 0 to the race's laps; beyond only in the turn that crosses the last line."""
    for car in cars_of(state):
        most = max(state["laps"], 2 if state["phase"] == "trials" else 0)
        if car["status"] not in RUNNING or car["seat"] == state["turn"]:
            most += 1
        assert 0 <= car["lap"] <= most, f"seat {car['seat']} is in lap {car['lap']}"
        assert car["tires_lap"] >= 1, f"seat {car['seat']} has tires of lap {car['tires_lap']}"


def check_debris(state: STATE, _: ASKS) -> None:
    """FD-DEBRIS-4: one marker a space, none in the pit."""
    debris = state["debris"]
    assert len(set(debris)) == len(debris), f"two markers on a space: {debris}"
    assert not [space for space in debris if space[0] not in "ST"], f"debris in the pit: {debris}"


def check_places(state: STATE, _: ASKS) -> None:
    """FD-END-2: places from 1 on without a gap, in the order of crossing."""
    places = sorted(car["place"] for car in cars_of(state) if car["status"] == "finished")
    assert places == list(range(1, len(places) + 1)), f"finishers have the places {places}"
    if state["phase"] == "finished":
        rows = state["classification"]
        assert [row["place"] for row in rows] == list(range(1, len(rows) + 1)), rows
        assert {str(row["seat"]) for row in rows} == set(state["cars"]), rows


def check_goes_on(state: STATE, asks: ASKS) -> None:
    """A race that is not over asks something; one that is over asks nothing."""
    assert bool(asks) == (state["phase"] != "finished"), f"{state['phase']} with {len(asks)} asks"


def check_asks(state: STATE, asks: ASKS) -> None:
    """One open ask of a kind a seat, of a running car, with options in order."""
    keys = [(ask["seat"], ask["kind"]) for ask in asks]
    assert len(set(keys)) == len(keys), f"a seat is asked twice: {keys}"
    for ask in asks:
        options = ask.get("options")
        assert options or ask["kind"] == "time", f"no option in {ask}"
        assert may_be_asked(state, ask), f"a car out is asked: {ask}"
        if ask["kind"] in ("gear", "roll", "black"):
            assert options == sorted(options), f"not ascending: {ask}"
        if options is None or ask["kind"] not in ("move", "slipstream"):
            continue
        keyed = [(o["to"], o["brakes"]) for o in options if o]
        named = {(o["to"], o["brakes"]) for o in options if o}
        assert len(named) == len(keyed), f"an end twice: {ask}"


def may_be_asked(state: STATE, ask: Mapping[str, Any]) -> bool:
    """The table is seat 0, and says the order; a car that is gone still rolls the weather.

    FD-ORDER-1, FD-WEATHER-3.
    """
    if ask["kind"] == "order":
        return bool(ask["seat"] == 0 and state["phase"] == "race")
    if ask.get("for") == "weather" or ask["seat"] == 0:
        return ask["seat"] != 0 or state["phase"] == "setup"
    return bool(state["cars"][str(ask["seat"])]["status"] in RUNNING)


def check_pools(state: STATE, _: ASKS) -> None:
    """FD-TECH-1, FD-TEAM-1: 2 generic WP of a car, 4 of a team, never below 0."""
    for car in cars_of(state):
        assert 0 <= car.get("pool", 0) <= 2, f"seat {car['seat']} has {car['pool']} in its pool"
    for team in state.get("teams", []):
        assert 0 <= team.get("pool", 0) <= 4, f"{team}"


def check_teams(state: STATE, _: ASKS) -> None:
    """FD-TEAM-1: the teams' points are those of the classification."""
    if "teams" in state:
        scored = sum(row["points"] for row in state["classification"])
        assert sum(team["points"] for team in state["teams"]) == scored, state["teams"]


def check_urban(state: STATE, _: ASKS) -> None:
    """FD-URBAN-2, FD-URBAN-5, FD-DRV-2: what cars of an urban race remember makes sense."""
    passed: set[tuple[str, int]] = set()
    for car in cars_of(state):
        latest, seat = max(1, car["lap"]), car["seat"]
        for key in ("nitro", "trail", "radio"):
            assert car.get(key, True) is True, f"seat {seat} tells an unused {key}"
        for corner, lap in car.get("drift", {}).items():
            assert 1 <= lap <= latest + 1, f"seat {seat} drifts in {corner} in lap {lap}"
        for lap, note in car.get("police", {}).items():
            assert 1 <= int(lap) <= latest, f"seat {seat} notes {note} for lap {lap}"
            assert note["speed"] in range(0, 301, 10), f"seat {seat}: {note}"
            assert (lap, note["passed"]) not in passed, f"two cars passed as {note} in lap {lap}"
            passed.add((lap, note["passed"]))


CHECKS: tuple[Callable[[STATE, ASKS], None], ...] = (
    check_wear,
    check_dead_cars,
    check_spaces,
    check_status,
    check_order,
    check_laps,
    check_debris,
    check_places,
    check_goes_on,
    check_asks,
    check_pools,
    check_teams,
    check_urban,
)


def check_all(state: STATE, asks: ASKS) -> None:
    """Every check."""
    for check in CHECKS:
        check(state, asks)
