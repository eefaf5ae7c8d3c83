"""Gears set early: kept until the seat is asked, then answered for it.

A gear that is no longer on offer by then, or that would put the car out, is dropped with a
word on the seat's screen; the seat is asked as if it had set none.
"""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal
from companion.table.ports import JSON, By
from companion.table.race import Race

GEARS = range(1, 7)


def preset_line(race: Race, seat: int, gear: Any) -> dict[str, Any]:
    """The word that sets a gear early; None forgets it.

    Raises:
        Illegal: the seat has no car in the race, or there is no such gear.
    """
    car = race.state.get("cars", {}).get(str(seat))
    if car is None or car["status"] in ("finished", "out"):
        raise Illegal("not-running", f"the car of seat {seat} does not run", args={"seat": seat})
    if gear is not None and (type(gear) is not int or gear not in GEARS):
        raise Illegal("no-such-gear", f"there is no gear {gear!r:.20}", args={"gear": gear})
    return {"table": "preset", "seat": seat, "gear": gear}


def answer_presets(race: Race, at: float) -> list[JSON]:
    """Answer what was set early, as far as it is asked now; the events of it.

    Not in time trials: the first gear starts a watch, which is for the driver to press.
    """
    if not race.preset or race.state.get("phase") == "trials":
        return []
    told: list[JSON] = []
    for ask in list(race.asks):
        gear = race.preset.get(ask["seat"])
        if ask["kind"] == "gear" and gear is not None:
            told += _answer(race, ask, gear, at)
    return told


def _answer(race: Race, ask: JSON, gear: int, at: float) -> list[JSON]:
    seat, by = ask["seat"], BY_ITSELF
    error: JSON = _puts_out(seat, gear)
    if gear not in ask.get("out", ()):
        reply = race.say({"seat": seat, "gear": gear}, by=by, at=at)
        if reply["ok"]:
            return list(reply["events"])
        error = reply["error"]
    race.say({"table": "preset", "seat": seat, "gear": None}, by=by, at=at)
    race.words[seat] = error
    return []


def _puts_out(seat: int, gear: int) -> JSON:
    refusal = Illegal(
        "gear-puts-out", f"gear {gear} would put the car out now; choose again", args={"gear": gear}
    )
    return refusal.as_json()


BY_ITSELF: By = "companion"
