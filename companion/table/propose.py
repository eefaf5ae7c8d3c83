"""It stands elsewhere: the table may overrule the companion.

A seat says at which space its car stands, another seat agrees with one press, and the record
has a `correct` line with the reason. Where the car was just being moved, that move is closed:
what a move brings where it ends (a stop, collisions) follows as ever; debris, overshoot and
slipstream on a way that the companion does not know are for the table to settle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.board.track import Track
from companion.rules.errors import Illegal
from companion.table import refusals
from companion.table.ports import JSON
from companion.table.race import Race

MOVES = frozenset({"move", "slipstream"})
AFTER_A_MOVE = ("halt", "bump")


def proposal_line(race: Race, seat: int, space: Any, proposer: int | None) -> dict[str, Any]:
    """The word to the table that car `seat` stands at `space`.

    `error` is the refusal that the rules have for such a move, where they have one.

    Raises:
        Malformed: the board has no such space.
        Illegal: the car is not on the board, or the space is not free.
    """
    track, cars = race.track, race.state.get("cars", {})
    if track is None or not isinstance(space, str) or space not in track.index:
        raise refusals.no_such_space(space)
    car = cars.get(str(seat))
    if car is None or car["space"] is None:
        raise Illegal("not-on-board", f"seat {seat} has no car on the board", args={"seat": seat})
    holder = next((c["seat"] for c in cars.values() if c["space"] == space), seat)
    if holder != seat:
        raise Illegal(
            "space-taken", f"the car of seat {holder} stands there", args={"seat": holder}
        )
    line = {"table": "propose", "seat": seat, "space": space, "from": proposer}
    error = _broken_rule(race, seat, space)
    return line | ({"error": error} if error else {})


def near_end(race: Race, seat: int, space: Any) -> dict[str, Any] | None:
    """The answer that ends the car's move at this space, where its board is a sketch.

    Near the ends that are listed such a board believes the table: nobody needs to agree.
    """
    for ask in race.asks:
        if (ask["seat"], ask["kind"]) != (seat, "move"):
            continue
        brakes = [end["brakes"] for end in ask.get("near", ()) if end["to"] == space]
        if brakes:
            return {"seat": seat, "move": {"to": space, "brakes": min(brakes)}}
    return None


def correction(race: Race, proposal: JSON) -> dict[str, Any]:
    """The referee's line that carries the proposal out."""
    track, seat = race.track, proposal["seat"]
    assert track is not None  # proposal_line has refused it
    state = race.state
    car = state["cars"][str(seat)]
    pending = state.get("pending", [])
    moving = bool(pending) and pending[0]["step"] in MOVES and pending[0].get("seat") == seat
    part: dict[str, Any] = {
        "cars": {str(seat): _moved(track, car, proposal["space"], forward=moving)}
    }
    if moving:
        part["pending"] = _closed(pending)
    agreed = f"it stands at {proposal['space']}, as the table agreed"
    return {"correct": part, "reason": agreed}


def _broken_rule(race: Race, seat: int, space: str) -> JSON | None:
    """Why the rules do not let the car end there; None: they do, or it is not moving."""
    for ask in race.asks:
        if ask["seat"] == seat and ask["kind"] in MOVES:
            if any(option and option["to"] == space for option in ask["options"]):
                return None
            # Not on offer, so that the engine can only refuse it, which changes nothing.
            tried = {"seat": seat, ask["kind"]: {"to": space, "brakes": 0}}
            error: JSON = race.engine.handle(tried)["error"]
            return error
    return None


def _closed(pending: Sequence[JSON]) -> list[JSON]:
    """The open steps without the move (or its slipstream), with what its end brings."""
    seat, rest = pending[0]["seat"], list(pending[1:])
    if pending[0]["step"] == "move":
        return [*({"step": step, "seat": seat} for step in AFTER_A_MOVE), *rest]
    return rest


def _moved(track: Track, car: JSON, space: str, *, forward: bool) -> dict[str, Any]:
    """Space, lap and stops of the car at its new place.

    A car in its move has gone forward. Otherwise it stands wherever is nearer, which may be
    back over the line.
    """
    old, new = track.index[car["space"]], track.index[space]
    ahead = (track.level[new] - track.level[old]) % track.lap_levels
    back = not forward and ahead > track.lap_levels // 2
    lap = car["lap"]
    if back and track.level[new] > track.level[old]:
        lap = max(0, lap - 1)
    elif not back and track.level[new] < track.level[old]:
        lap += 1
    moved = {"space": space, "stops": _stops(track, car, old, new, forward=forward)}
    return moved | ({"lap": lap} if lap != car["lap"] else {})


def _stops(track: Track, car: JSON, old: int, new: int, *, forward: bool) -> int:
    """Stops made in the corner of the new space, the one of a move just ending not yet."""
    if track.corner[new] < 0:
        return 0
    if track.corner[new] == track.corner[old]:
        return int(car["stops"])
    return 0 if forward else 1
