"""`companion odds`: what may come of each gear that a car is offered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from companion.advice.odds import Odds, odds
from companion.advising import Adviser
from companion.cli.advice import HEADER, Asked, asked
from companion.cli.tools import AS_JSON, DATA, Failure, answer, command
from companion.rules.beside import refuse_without
from companion.rules.formula.gears import gears_on_offer
from companion.rules.formula.state import State
from companion.rules.formula.tables import TOP_GEAR
from companion.solved import SolvedBoards


@command("odds", HEADER, DATA, AS_JSON)
@click.option("--track", required=True, help="a board, or a .toml in the working folder")
@click.option("--space", required=True, help="where the car stands: S2.m5")
@click.option(
    "--gear", required=True, type=click.IntRange(1, TOP_GEAR), help="the lever as it stands now"
)
def show_odds(
    track: str, space: str, gear: int, header: Path | None, data: Path, as_json: bool
) -> None:
    """Tell the odds of each gear on offer: to come through clean, to overshoot, to spin, to be out.

    Each face of the die is played by the legal move that costs least. Without a header it is a
    standard car in lap 1 of 2, alone; with one, the car that its position has on the space, or else
    the car on turn is put there. On a board that is solved (companion solve) each gear has the
    expected turns to the finish.
    """
    race = asked(track, header)
    refuse_without(race.beside)
    state, seat = _placed(race, space, gear)
    alone = Adviser(SolvedBoards(data / "solved")).alone(state, seat)
    found = odds(state, seat, alone)
    categories = race.game.edition.categories
    told = {str(gear): one.as_json(categories) for gear, one in found.items()}
    answer(as_json, told, *(_line(gear, one, categories) for gear, one in found.items()))


def _placed(race: Asked, space: str, gear: int) -> tuple[State, int]:
    """The race with the car on the space, on turn; and its seat.

    Raises:
        Failure: the board has no such space.
        Malformed: the header, or the car there, contradicts itself.
    """
    track = race.header.setup.track
    if space not in track.index:
        raise Failure(f"{track.name} has no space {space!r:.40}; one is written S2.m5")
    position = {"weather": race.header.weather or "fine", **(race.header.position or {})}
    cars: Any = position.get("cars", {})
    seats = list(race.header.cars)
    standing = [int(seat) for seat, car in _known(cars, seats) if car.get("space") == space]
    turn = position.get("turn")
    seat = next(iter(standing), turn if turn in seats else seats[0])
    car = {"lap": 1, **dict(_known(cars, seats)).get(str(seat), {}), "space": space, "gear": gear}
    alone = len(seats) == 1
    others = cars if isinstance(cars, dict) and not alone else {}
    position |= {"cars": {**others, str(seat): car}}
    if turn != seat:
        position |= {"order": seats, "turn": seat}
    position.pop("pending", None)
    begun = race.game.begin({**race.data, "position": position}, track).state
    if not gears_on_offer(begun, seat):
        raise Failure(f"seat {seat} is offered no gear there")
    return begun, seat


def _known(cars: object, seats: list[int]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The cars of a position that have the form of one; the rules refuse the rest."""
    for seat in map(str, seats):
        car = cars.get(seat) if isinstance(cars, dict) else None
        if isinstance(car, dict):
            yield seat, car


def _line(gear: int, one: Odds, categories: tuple[str, ...]) -> str:
    """A gear as a person reads it."""
    overshoot = sum(one.overshoot.values())
    said = {"clean": one.clean, "to overshoot": overshoot, "to spin": one.spin, "out": one.out}
    words = [f"{float(chance):.0%} {what}" for what, chance in said.items() if chance]
    wear = [f"{name} {float(n):.2f}" for name, n in zip(categories, one.wear, strict=True) if n]
    costs = f"; wear {', '.join(wear)}" if wear else ""
    turns = "" if one.turns is None else f"; {one.turns:.2f} turns to the finish"
    return f"{gear}: {', '.join(words)}{costs}{turns}"
