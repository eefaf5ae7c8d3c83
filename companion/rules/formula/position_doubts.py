"""What one car of a position cannot be: contradictions between its figures."""

from __future__ import annotations

from companion.rules.board.track import Track
from companion.rules.formula.state import Car, Phase, Setup, Status
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.reading import bad


def refuse_contradictions(setup: Setup, car: Car, phase: Phase) -> None:
    """Refuse a car that could not stand so.

    Raises:
        Malformed: what contradicts what, with the rule where there is one.
    """
    _check(setup.track, car, phase)
    _check_rules(setup, car)


def _on_grid(track: Track, car: Car) -> bool:
    """Whether a car waits on its grid space for the race to begin."""
    return car.space in track.grid and car.status is Status.GRID and not car.lap


def _check(track: Track, car: Car, phase: Phase) -> None:
    """Contradictions within one car."""
    seat = car.seat
    ended_on_no_grid = phase is Phase.FINISHED and car.status is Status.GRID and car.space is None
    before = phase in (Phase.SETUP, Phase.TRIALS)
    waits = phase is Phase.SETUP and car.runs and _on_grid(track, car)
    drives = phase is Phase.TRIALS and car.runs
    if not (track.is_blank or waits or drives) and (car.space is None) == (
        car.runs and not before and not ended_on_no_grid
    ):
        bad("space-and-status", f"seat {seat} is {car.status} and stands on "
            f"{'no space' if car.space is None else track.ids[car.space]}", seat=seat)  # fmt: skip
    may_return = car.out is not None and (track.is_blank or car.out.space is not None)
    standing = (car.out.was if car.out else car.status) in (Status.GRID, Status.STALLED)
    if (car.runs or may_return) and standing == bool(car.gear):
        bad("gear-and-status", f"seat {seat} is {car.status} in gear {car.gear}",
            rule="FD-GEAR-1", seat=seat)  # fmt: skip
    if car.space is None:
        return
    in_pit = track.lane[car.space] < 0
    if in_pit != (car.status is Status.PIT):
        bad("pit-and-status", f"seat {seat} is {car.status} on {track.ids[car.space]}", seat=seat)
    if car.stops and track.corner[car.space] < 0:
        bad("stops-outside-corner", f"seat {seat} has stops outside a corner",
            rule="FD-CORNER-1", seat=seat)  # fmt: skip


def _check_rules(setup: Setup, car: Car) -> None:
    """What the optional rules of the race leave no room for."""
    if car.status is Status.PIT and URBAN in setup.rules:
        bad("not-with-urban", "in urban races there are no pits", rule="FD-URBAN-1", name="pit")
    if car.tires != "hard" and "tires" not in setup.rules:
        bad("tires-not-on", "tires are hard: the rule of tires is not on", rule="FD-TIRE-1")
