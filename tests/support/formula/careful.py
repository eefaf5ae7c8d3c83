"""A driver for tests: looks one turn ahead and seldom breaks its car.

It answers asks of the engine protocol from the asks alone, but for the gear, where it tries
each gear's faces on the pure core. Dice come from the `random.Random` that it is given.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from companion.rules.board.ways import Reach
from companion.rules.formula.book import GEAR_DICE, less
from companion.rules.formula.car import Car, Option
from companion.rules.formula.gears import gear_choices, trial_gears
from companion.rules.formula.moves import ends_of_move, ways_of_move
from companion.rules.formula.state import Phase, State


def answer(ask: dict[str, Any], state: State, dice: Random) -> Any:
    """A sensible answer to one ask."""
    kind, options = ask["kind"], ask.get("options")
    if kind == "time":
        return dice.randint(100, 500)
    if kind == "gear":
        return best_gear(state, ask["seat"], [g for g in options if g not in ask["out"]] or options)
    if kind == "black":
        return dice.randint(1, 20)
    if kind == "roll":
        return dice.choice(options)
    if kind in ("move", "slipstream"):
        return best_end(state, ask["seat"], options)
    if kind in ("tires", "pit", "length", "radio", "trail", "reroll", "second_roll", "box"):
        return dice.choice(options)
    if kind in ("build", "repair", "recover"):
        return spread(options, dice)
    raise AssertionError(f"this driver does not know {kind}")


def spread(bounds: dict[str, Any], dice: Random) -> dict[str, int]:
    """All the points of a construction, or one of a repair."""
    if "categories" in bounds:
        return {dice.choice(bounds["categories"]): 1}
    wear = {name: low for name, (low, _) in bounds["limits"].items()}
    while sum(wear.values()) < bounds["points"]:
        name = dice.choice([n for n, (_, high) in bounds["limits"].items() if wear[n] < high])
        wear[name] += 1
    return wear


def best_end(state: State, seat: int, options: list[Any]) -> Any:
    """The end that costs least, then the one furthest on; a slipstream only where it is free.

    The pit lane is taken whenever it is on offer.
    """
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    level = track.level[car.space]

    def price(option: Any) -> tuple[float, ...]:
        if option is None:
            return (0, 0, 0.5, 0, 0)
        space = track.index[option["to"]]
        if track.lane[space] < 0:
            return (0, 0, -1, 0, 0)
        lost = sum(option["cost"].values()) + 0.3 * len(option["debris"])
        gone = (track.level[space] - level) % track.lap_levels
        more = _stops_after(state, car, space) > 0
        return (
            option["out"],
            option["spin"],
            lost,
            track.corner[space] < 0,
            gone if more else -gone,
        )

    best = min(options, key=price)
    return best and {"to": best["to"], "brakes": best["brakes"]}


def best_gear(state: State, seat: int, gears: list[int]) -> int:
    """The gear with the best outcome over the faces of its die."""
    # One search for all faces of all gears: it is most of what a race of a test costs.
    ways = ways_of_move(state, seat, max(GEAR_DICE[gear][1] for gear in gears))
    return max(gears, key=lambda gear: _worth(state, seat, gear, ways))


def _worth(state: State, seat: int, gear: int, ways: Reach) -> float:
    car = state.cars[seat]
    if state.phase is Phase.TRIALS:
        choices = trial_gears(car, flying=state.setup.house.trial_start == "flying")
    else:
        choices = gear_choices(car, in_box=state.ground.in_box(state, car))
    choice = next(c for c in choices if c.gear == gear)
    worn = replace(car, wear=less(car.wear, choice.cost))
    trial = replace(state, cars={**state.cars, seat: worn})
    low, high = GEAR_DICE[gear]
    worths = []
    for face in range(low, high + 1):
        options = ends_of_move(trial, seat, face, ways)
        worths.append(max(_value(trial, worn, option) for option in options))
    return sum(worths) / len(worths) - 2.5 * sum(choice.cost)


def _stops_after(state: State, car: Car, space: int) -> int:
    """The stops that the corner still asks for once a move has ended there."""
    track, corner = state.setup.track, state.setup.track.corner[space]
    if corner < 0 or car.space is None:
        return 0
    made = car.stops if track.corner[car.space] == corner else 0
    return track.corners[corner].stops - made - 1


def _value(state: State, car: Car, option: Option) -> float:
    track = state.setup.track
    if option.out:
        return -400
    value = float(option.spaces) - 2.5 * sum(option.cost) - 12 * option.spin
    corner = track.corner[option.to]
    if corner < 0 or option.arrival.spaces:
        return value
    left = _room(state, option.to)
    more = _stops_after(state, car, option.to)
    return value + 7 - (6 if more > 0 and left < 3 * more else 0)


def _room(state: State, space: int) -> int:
    """The spaces of its corner that still lie ahead in its lane."""
    track, room = state.setup.track, 0
    corner = track.corner[space]
    while track.corner[track.ahead[space]] == corner:
        space, room = track.ahead[space], room + 1
    return room


def race(engine: Any, header: dict[str, Any], dice: Random) -> list[dict[str, Any]]:
    """Play a race on an `Engine` to its end; the lines that were answered."""
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    lines = []
    while reply["asks"]:
        ask = dice.choice(reply["asks"])
        value = answer(ask, engine.moment, dice)
        line = {"seat": ask["seat"], ask["kind"]: value, "version": engine.version}
        reply = engine.handle(line)
        assert reply["ok"], (line, reply)
        lines.append(line)
    return lines


def header(seats: int = 6, **more: Any) -> dict[str, Any]:
    """A header of Formula D on Monaco."""
    cars = [{"seat": seat} for seat in range(1, seats + 1)]
    return {"game": "formula-d", "track": "monaco", "seats": cars, **more}
