"""What an end of a move says is what it costs: every option of crowded positions, played.

The price on the list (`car.py`) and the payment of a turn (`moving.py`, `collisions.py`) are
reckoned apart; here the second is held to the first.
"""

from __future__ import annotations

from random import Random
from typing import Any

from support.each import in_one
from support.formula.formule_de import GAME
from support.formula.scenes import LIBRARY

from companion.rules.formula.book import GEAR_DICE
from companion.rules.formula.car import Status
from companion.rules.formula.state import State
from companion.rules.games import fetch
from companion.rules.lines import Answer

RULES = fetch(GAME)
HARMLESS = {"black": 20, "slipstream": None}


def after(state: State, *answers: tuple[int, str, Any]) -> State:
    """The state after these answers."""
    for seat, kind, value in answers:
        state = RULES.decide(state, Answer(seat, kind, value), RULES.asks(state)).state
    return state


def crowded(seed: int) -> State:
    """Seat 1 among five cars, before a straight or a corner, worn, in some gear; it has rolled."""
    dice = Random(seed)
    track = LIBRARY.load("monaco")
    here = dice.choice([space for space in range(len(track.ids)) if track.lane[space] >= 0])
    near = [
        space
        for space in range(len(track.ids))
        if track.lane[space] >= 0 and 0 < (track.level[space] - track.level[here]) < 24
    ]
    spaces = [here, *dice.sample(near, min(5, len(near)))]
    wear = {"tires": dice.randint(0, 6), "brakes": dice.randint(0, 3), "body": dice.randint(1, 2)}
    cars = {str(n): {"space": track.ids[s], "gear": 2, "lap": 1} for n, s in enumerate(spaces, 1)}
    gear = dice.randint(2, 5)
    cars["1"] |= {"gear": gear, "wear": wear}
    seats = [{"seat": n} for n in range(1, len(spaces) + 1)]
    house = {"late_block": dice.choice(["on", "off"])}
    order = [seat["seat"] for seat in seats]
    position = {"cars": cars, "order": order, "turn": 1, "round": 3}
    header = {"game": GAME, "track": "monaco", "seats": seats, "house": house}
    state = RULES.begin({**header, "position": position}, track).state
    return after(state, (1, "gear", gear), (1, "roll", dice.randint(*GEAR_DICE[gear])))


def played(state: State, option: dict[str, Any]) -> State:
    """This end taken; nobody is hurt by a die and no slipstream is used."""
    state = after(state, (1, "move", {"to": option["to"], "brakes": option["brakes"]}))
    while state.turn == 1 and (asks := RULES.asks(state)):
        ask = asks[0]
        state = after(state, (ask.seat, ask.kind, HARMLESS[ask.kind]))
    return state


@in_one("seed", range(40))
def test_every_end_costs_what_it_says(seed: int) -> None:
    """DE-CORNER-1, DE-CORNER-3, DE-BLOCK-1, DE-BLOCK-2: cost, spin and out come true."""
    state = crowded(seed)
    before = RULES.tell(state)["cars"]["1"]["wear"]
    (ask,) = RULES.asks(state)
    for option in ask.as_json()["options"]:
        end = played(state, option)
        car = end.cars[1]
        assert (car.status is Status.OUT) == option["out"], option
        assert (car.status is Status.SPUN) == option["spin"], option
        if not option["out"]:
            left = {name: before[name] - option["cost"].get(name, 0) for name in before}
            assert RULES.tell(end)["cars"]["1"]["wear"] == left, option


def test_the_positions_show_what_they_are_for() -> None:
    """Blocks paid, late and fatal, overshoots with a spin and out: each occurs among them."""
    options = [o for n in range(40) for o in RULES.asks(crowded(n))[0].as_json()["options"]]
    assert any(o["cost"].get("body") for o in options)
    assert any(o["blocked"] and o["cost"].get("brakes") and not o["out"] for o in options)
    assert any(o["blocked"] >= 7 for o in options)
    assert any(o["spin"] for o in options)
    assert any(o["out"] and not o["blocked"] for o in options)
