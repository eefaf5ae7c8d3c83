"""It stands elsewhere: the table may say at which space a car stands, whatever the state says.

Where the car was just being moved, that move is closed: what a move brings where it ends (a
stop, collisions) follows as ever; debris, overshoot and slipstream on a way that the companion
does not know are for the table to settle. Near the ends that are listed a board that is a
sketch believes the table: that is an answer like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.board.track import Track
from companion.rules.commands import Answer, Correct
from companion.rules.errors import Illegal, no_such_space
from companion.rules.formula.asks import MoveAsk
from companion.rules.formula.car import Car
from companion.rules.formula.collisions import Bump
from companion.rules.formula.corners import Halt
from companion.rules.formula.moving import Move
from companion.rules.formula.sketch import NearEnd
from companion.rules.formula.slipstream import Slipstream
from companion.rules.formula.state import State, Step
from companion.rules.formula.tell import tell_steps
from companion.rules.game import Ask

_AGREED = "it stands at {}, as the table agreed"


def format_agreed(space: str) -> str:
    """The reason of a correction that two seats agreed on, as a record keeps it."""
    return _AGREED.format(space)


def parse_agreed(reason: str) -> str | None:
    """The space that such a reason names; None: it is another reason.

    >>> parse_agreed(format_agreed("T2.m1"))
    'T2.m1'
    """
    before, after = _AGREED.split("{}")
    is_agreed = reason.startswith(before) and reason.endswith(after)
    return reason.removeprefix(before).removesuffix(after) if is_agreed else None


def elsewhere(state: State, asks: Sequence[Ask], seat: int, space: str) -> Answer | Correct:
    """What says that the car of a seat stands at this space: its move ends there, or a correction.

    Raises:
        Malformed: the board has no such space.
        Illegal: the car is not on the board, or the space is not free.
    """
    track = state.setup.track
    if space not in track.index:
        raise no_such_space(space)
    brakes = [end.listed.brakes for end in _near(asks, seat) if track.ids[end.space] == space]
    if brakes:
        return Answer(seat, "move", {"to": space, "brakes": min(brakes)})
    car = state.cars.get(seat)
    if car is None or car.space is None:
        raise Illegal("not-on-board", f"seat {seat} has no car on the board", args={"seat": seat})
    new = track.index[space]
    holder = next((one.seat for one in state.cars.values() if one.space == new), seat)
    if holder != seat:
        raise Illegal(
            "space-taken", f"the car of seat {holder} stands there", args={"seat": holder}
        )
    step = state.pending[0] if state.pending else None
    moving = isinstance(step, Move | Slipstream) and step.seat == seat
    moved = _moved(track, car, car.space, new, forward=moving)
    part: dict[str, object] = {"cars": {str(seat): moved}}
    if moving:
        part["pending"] = tell_steps(state, _closed(state.pending, seat))
    return Correct(part, format_agreed(space))


def _near(asks: Sequence[Ask], seat: int) -> list[NearEnd]:
    """The ends near those that are listed for the move of this seat."""
    moves = (ask for ask in asks if isinstance(ask, MoveAsk) and ask.seat == seat)
    return [end for ask in moves for end in ask.near]


def _closed(pending: Sequence[Step], seat: int) -> list[Step]:
    """The open steps without the move (or its slipstream), with what its end brings."""
    first, *rest = pending
    return [Halt(seat=seat), Bump(seat=seat), *rest] if isinstance(first, Move) else rest


def _moved(track: Track, car: Car, old: int, new: int, *, forward: bool) -> dict[str, object]:
    """Space, lap and stops of the car at its new place.

    A car in its move has gone forward. Otherwise it stands wherever is nearer, which may be
    back over the line.
    """
    ahead = (track.level[new] - track.level[old]) % track.lap_levels
    back = not forward and ahead > track.lap_levels // 2
    lap = car.lap
    if back and track.level[new] > track.level[old]:
        lap = max(0, lap - 1)
    elif not back and track.level[new] < track.level[old]:
        lap += 1
    moved = {"space": track.ids[new], "stops": _stops(track, car, old, new, forward=forward)}
    return moved | ({"lap": lap} if lap != car.lap else {})


def _stops(track: Track, car: Car, old: int, new: int, *, forward: bool) -> int:
    """Stops made in the corner of the new space, the one of a move just ending not yet."""
    if track.corner[new] < 0:
        return 0
    if track.corner[new] == track.corner[old]:
        return car.stops
    return 0 if forward else 1
