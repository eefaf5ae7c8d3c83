"""Boardless races for tests: reports drawn from a seeded random, and what must hold in them.

No board stands behind a report; a line is passed as often as on a lap of `LAP` spaces.
"""

from __future__ import annotations

from dataclasses import field
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.system.frozen import dataclass
from support.formula import careful
from support.formula import invariants as holds
from support.formula.scenes import Scene
from support.formula.walks import Walk

LAP = 90
SHIPPED = TrackLibrary(())
BOARD_CHECKS = (holds.check_spaces, holds.check_status, holds.check_order)
"""What only holds where cars have spaces, or where no order is asked."""


def header(game: str = "formula-d", seats: int = 3, **more: Any) -> dict[str, Any]:
    """A header without a board."""
    cars = [{"seat": seat} for seat in range(1, seats + 1)]
    return {"game": game, "track": None, "seats": cars, **more}


def scene(cars: dict[int, dict[str, Any]], game: str = "formula-d", **more: Any) -> Scene:
    """Cars in mid-race on no board, the first of them on turn."""
    head = {"game": game, "track": more.pop("track", None), **more.pop("header", {})}
    return Scene(cars, header=head, library=SHIPPED, **more)


def driving(game: str = "formula-d", face: int = 9, **more: Any) -> Scene:
    """Three cars in 4th, the first of which has rolled and is asked for its report."""
    cars = {seat: {"gear": 4, "lap": 1} | more.pop(f"car{seat}", {}) for seat in (1, 2, 3)}
    return scene(cars, game, **more).gear(4).roll(face)


def report(ask: dict[str, Any], dice: Random) -> dict[str, Any]:
    """A report that this ask accepts: of a clean move, or of much at once."""
    bounds, spaces = ask["options"], ask["spaces"]
    given: dict[str, Any] = {}
    if dice.random() < 0.3:
        given["corner"] = True
    if len(bounds["line"]) > 1 and dice.random() < spaces / LAP:
        given["line"] = True
    if len(bounds["pit"]) > 1 and dice.random() < 0.2:
        return {"pit": True, "line": dice.choice(bounds["line"])}
    if dice.random() < 0.6:
        return given
    low = dice.randint(0, min(bounds["brakes"][1], spaces))
    given["brakes"] = low
    if dice.random() < 0.3 and spaces > low:
        given |= {"overshoot": dice.randint(1, min(spaces - low, 4)), "missing": 1}
        given["missing"] = dice.choice((1, 1, 1, 1, 2))
    elif not given.get("line") and dice.random() < 0.3:
        given["blocked"] = dice.randint(0, spaces - low)
    given["debris"] = dice.randint(0, min(2, bounds["debris"][1]))
    near = [seat for seat in bounds["touched"] if dice.random() < 0.4]
    return given | {"touched": near}


def answer(ask: dict[str, Any], dice: Random) -> Any:
    """An answer to any ask of a boardless race."""
    kind, options = ask["kind"], ask.get("options")
    if kind == "report":
        return report(ask, dice)
    if kind == "order":
        order = list(options)
        at = dice.randrange(len(order) - 1)
        order[at : at + 2] = reversed(order[at : at + 2])
        return order
    if kind == "black":
        return dice.randint(1, 20)
    if kind in ("build", "repair"):
        return careful.spread(options, dice)
    if kind == "gear":
        return dice.choice([gear for gear in options if gear not in ask["out"]] or options)
    return dice.choice(options)


def smooth(ask: dict[str, Any], dice: Random) -> Any:
    """An answer of people who drive with some care, in the fewest words."""
    kind, options = ask["kind"], ask.get("options")
    if kind == "gear":
        free = [gear for gear in options if str(gear) not in ask["costs"]]
        return max(free) if dice.random() < 0.2 else min(free, key=lambda gear: abs(gear - 4))
    if kind == "order" and dice.random() < 0.5:
        return list(options)
    if kind != "report":
        return answer(ask, dice)
    if "likely" in ask and dice.random() < 0.9:  # what the figures say is mostly so
        return dict(ask["likely"][0])
    return _smooth_report(ask["options"], ask["spaces"], dice)


def _smooth_report(bounds: dict[str, Any], spaces: int, dice: Random) -> dict[str, Any]:
    """How a move ended, and seldom one thing more that happened on it."""
    if True in bounds["pit"] and dice.random() < 0.2:
        return {"pit": True}
    given: dict[str, Any] = {"corner": True} if dice.random() < 0.45 else {}
    if True in bounds["line"] and dice.random() < spaces / LAP:
        given = {"line": True}
    happened = {
        "brakes": {"brakes": 1} if bounds["brakes"][1] else {},
        "overshoot": {"overshoot": dice.randint(1, min(3, spaces)), "missing": 1},
        "blocked": {} if given.get("line") else {"blocked": 1},
        "debris": {"debris": 1} if bounds["debris"][1] else {},
        "touched": {"touched": bounds["touched"][:1]} if bounds["touched"] else {},
    }
    if dice.random() < 0.1:
        more = happened[dice.choice([*happened, "touched"])]
        return {**({} if "missing" in more else given), **more}
    return given


@dataclass
class BoardlessWalk(Walk):
    """A walk through a race without a board."""

    library: Any = field(default=SHIPPED)

    def hold(self) -> None:
        """The checks that need no board, and those that only hold without one."""
        state, asks = self.shown[-1]
        for check in holds.CHECKS:
            if check not in BOARD_CHECKS:
                check(state, asks)
        check_boardless(state, asks)

    def value(self, ask: dict[str, Any]) -> Any:
        """An answer drawn from what the ask lists."""
        return answer(ask, self.dice)

    def returns(self, car: dict[str, Any]) -> bool:
        """Every car that is out may come back: nobody stands in its way."""
        return bool(car["status"] == "out")

    def folds_from(self) -> Any:
        """The board of a card, or none."""
        track = self.header["track"]
        return track and self.library.load(track)


def check_boardless(state: holds.STATE, asks: holds.ASKS) -> None:
    """No car has a space, nothing lies on one, and between two rounds the order is asked."""
    assert state["debris"] == []
    for car in holds.cars_of(state):
        assert car["space"] is None
        assert car["gear"] or car["status"] in ("grid", "stalled", "out"), car
    order = state["order"]
    assert len(set(order)) == len(order)
    if state["phase"] == "race" and state["turn"] is None:
        (ask,) = asks
        running = {c["seat"] for c in holds.cars_of(state) if c["status"] in holds.RUNNING}
        assert (ask["seat"], ask["kind"]) == (0, "order")
        assert set(ask["options"]) == running
    elif state["phase"] == "race":
        assert state["turn"] in order


def race(data: dict[str, Any], seed: int, library: Any = SHIPPED) -> Engine:
    """A whole race, answered at random; the engine at its end."""
    engine, dice = Engine(library), Random(seed)
    reply = engine.handle({"new": data})
    assert reply["ok"], reply
    while reply["asks"]:
        ask = dice.choice(reply["asks"])
        reply = engine.handle({"seat": ask["seat"], ask["kind"]: answer(ask, dice)})
        assert reply["ok"], (ask, reply["error"])
    return engine
