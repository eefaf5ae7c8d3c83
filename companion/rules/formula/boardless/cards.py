"""Where a car is on the card of a board: which corner it is in, or comes to next.

Nobody says which corner it was, so it is counted along: a corner ends with the move that
leaves it, and the line begins the count anew, so that a slip is mended within a lap. A stop
beyond those that a corner asks for is taken to be in the next one. The referee may correct it.
"""

from __future__ import annotations

from companion.rules.board.plan import MOST_STOPS
from companion.rules.formula.boardless.bounds import Report
from companion.rules.formula.state import Car, State


def place_on_card(state: State, car: Car, report: Report, length: int) -> tuple[int, int]:
    """The corner (an index) after a reported move, and the stops left in it before its own."""
    corners = state.setup.track.corners
    count, needed = len(corners) or 1, corners[car.corner].stops if corners else MOST_STOPS
    after = (car.corner + 1) % count
    if length and report.brakes + report.blocked >= length:
        return car.corner, car.stops  # FD-MOVE-5: it stands where it stood
    if report.line or report.pit:
        return 0, 0
    if report.overshoot or report.missing:
        return after, 0
    if report.corner and car.stops < needed:
        return car.corner, car.stops
    return (after, 0) if car.stops else (car.corner, 0)


def card_ahead(state: State, car: Car) -> dict[str, str | int] | None:
    """What the ask of a report says of the corner that lies ahead; nothing without a card."""
    corners = state.setup.track.corners
    if not corners:
        return None
    corner = corners[car.corner]
    return {
        "corner": corner.label,
        "stops": corner.stops,
        "shortest": corner.shortest,
        "longest": corner.longest,
        "made": car.stops,
    }
