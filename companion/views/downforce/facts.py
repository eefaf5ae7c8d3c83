"""What a view reads off a game of Downforce: players, the table's own asks, who is still asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.model import Scene

JSON = Mapping[str, Any]
TABLE = 0
"""The seat of what the whole table is asked."""
AT_ONCE = ("pole", "lot", "award")
"""What the table is asked and everybody waits for; `end` is open all through a race."""


def players_of(scene: Scene) -> Mapping[int, JSON]:
    """The players by their seats, clockwise."""
    told: Mapping[str, JSON] = (scene.state or {}).get("players", {})
    return {int(seat): player for seat, player in told.items()}


def player_of(scene: Scene, seat: int) -> JSON:
    """A player as STATE has it; empty for a seat that does not play."""
    return players_of(scene).get(seat, {})


def price_of(scene: Scene, car: str) -> int:
    """What was paid for a car, in millions."""
    return int((scene.state or {}).get("cars", {}).get(car, {}).get("price") or 0)


def powers_of(player: JSON) -> list[str]:
    """The powers that a player has won, or the one kept."""
    several: list[str] = list(player.get("powers", ()))
    return several or ([player["power"]] if player.get("power") else [])


def table_ask(scene: Scene) -> JSON:
    """What the table is asked and everybody waits for; empty for nothing.

    The end of a race is that only where nothing else is asked: the cards are all played.
    """
    asks = [ask for ask in scene.asks if ask["seat"] == TABLE]
    waiting = [ask for ask in asks if ask["kind"] in AT_ONCE or len(scene.asks) == 1]
    return waiting[0] if waiting else {}


def end_ask(scene: Scene) -> JSON:
    """The ask that ends a race; empty before and after it."""
    return next((ask for ask in scene.asks if ask["kind"] == "end"), {})


def secret_round(scene: Scene) -> dict[str, Any] | None:
    """Who has answered a secret ask that is open, and who has not: what is public of it.

    `{"kind": "bid", "answered": [1, 3], "open": [2]}`; None while nothing secret is asked.
    """
    pending = (scene.state or {}).get("pending") or [{}]
    step = pending[0]
    if step.get("step") not in ("bids", "bets"):
        return None
    waiting = list(step["seats"])
    if step["step"] == "bids":
        return {"kind": "bid", "answered": sorted(map(int, step["bids"])), "open": waiting}
    here = [seat for seat, player in players_of(scene).items() if not player.get("left")]
    answered = [seat for seat in here if seat not in waiting]
    return {"kind": "bet", "answered": answered, "open": waiting}


def own_bets(scene: Scene, seat: int) -> list[str]:
    """The bets that a seat has made, for its own screen."""
    return [bet for bet in scene.own.get(seat, {}).get("bets", ()) if bet]
