"""What each car of a Formula race did and suffered, counted out of the events of a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from companion.frozen import dataclass
from companion.league.games.formula.laps import (
    BOXES,
    FormulaMove,
    FormulaRace,
    race_moves,
)
from companion.league.plain import CarNumbers
from companion.rules.commands import Correct
from companion.rules.formula.blocks import Blocked
from companion.rules.formula.boardless.told import Reported
from companion.rules.formula.car import Car, Status
from companion.rules.formula.collisions import CollisionRolled
from companion.rules.formula.corners import Overshot
from companion.rules.formula.debris import DebrisRolled
from companion.rules.formula.elimination import Damaged, Spun
from companion.rules.formula.engine_tests import EngineTested
from companion.rules.formula.faces import GEAR_FACES, mean_face
from companion.rules.formula.gears import DieRolled, OverRevved
from companion.rules.formula.moving import Moved
from companion.rules.formula.rounds import TurnBegan, TurnEnded
from companion.rules.formula.slipstream import Slipstreamed
from companion.rules.formula.state import Event, State

COUNTED: Mapping[type[Event], str] = {
    Overshot: "overshoots",
    Spun: "spins",
    Slipstreamed: "slipstreams",
    OverRevved: "over_revs",
    Blocked: "blocks",
    EngineTested: "engine_tests",
    DebrisRolled: "debris",
}
"""Events that are counted for their seat, and as what."""


@dataclass(slots=True)
class Tally:
    """The figures of one car; the names are those of `Entry.numbers`.

    Args:
        counts: `overshoots`, `spins` and the like; `bumped`: other cars run into by its own
            moves, `was_bumped`: moves of others that ran into it, `hurt` by either;
            `spaces` moved, `rolls` of the gear dice.
        wp: wear points lost by category, regained ones not taken off.
        luck: how much more the gear dice have shown than they do in the long run.
        stops: turns spent in each pit stop, those in which it began included.
        stop_laps: the lap at whose end each pit stop was.
    """

    counts: Counter[str] = field(default_factory=Counter)
    wp: Counter[str] = field(default_factory=Counter)
    luck: Fraction = Fraction(0)
    stops: list[int] = field(default_factory=list)
    stop_laps: list[int] = field(default_factory=list)

    def numbers(self) -> CarNumbers:
        """The figures as they are kept."""
        return {
            **self.counts,  # type: ignore[typeddict-item]  # its keys are counts of CarNumbers
            "wp": dict(self.wp),
            "luck": round(float(self.luck), 3),
            "stops": self.stops,
            "stop_laps": self.stop_laps,
        }


def tally_cars(race: FormulaRace) -> dict[int, Tally]:
    """The figures of every car, by seat, from the first round on."""
    cars = {seat: Tally() for seat in race.state.cars}
    before: Mapping[int, Car] = {}
    turn = 0
    for move in race_moves(race.moves):
        for event in move.events:
            turn = event.seat if isinstance(event, TurnBegan) else turn
            if event.seat in cars:
                _count(cars, event, turn)
        _count_pit_turns(cars, move)
        if not isinstance(move.command, Correct):
            _count_wear(cars, before, move.state)
        before = move.state.cars
    return cars


def _count(cars: Mapping[int, Tally], event: Event, turn: int) -> None:
    tally = cars[event.seat]
    tally.counts["rolls"] += isinstance(event, DieRolled)
    match event:
        case DieRolled(gear=gear, face=face) if gear in GEAR_FACES:
            tally.luck += face - mean_face(gear)
        case Moved():
            tally.counts["spaces"] += event.spaces
            tally.counts["braked"] += event.brakes
        case Reported():  # boardless: as far as rolled, less what was braked and blocked
            tally.counts["spaces"] += event.spaces - event.brakes - event.blocked
            tally.counts["braked"] += event.brakes
        case CollisionRolled() | Damaged():  # in Formule Dé without a roll, and always hurt
            tally.counts["hurt"] += isinstance(event, Damaged) or event.hurt
            if event.seat != turn:
                tally.counts["was_bumped"] += 1
                if turn in cars:
                    cars[turn].counts["bumped"] += 1
        case _ if type(event) in COUNTED:
            tally.counts[COUNTED[type(event)]] += 1


def _count_pit_turns(cars: Mapping[int, Tally], move: FormulaMove) -> None:
    """A stop begins in the box; each turn that ends in the pits is one of its turns."""
    for event in move.events:
        if event.seat not in cars:
            continue
        tally = cars[event.seat]
        # Formule Dé tells a box twice where a turn is stood in it first: the lap is the same.
        if isinstance(event, BOXES) and event.lap - 1 not in tally.stop_laps:
            tally.stops.append(0)
            tally.stop_laps.append(event.lap - 1)
        is_in_pit = move.state.cars[event.seat].status is Status.PIT
        if isinstance(event, TurnEnded) and is_in_pit and tally.stops:
            tally.stops[-1] += 1


def _count_wear(cars: Mapping[int, Tally], before: Mapping[int, Car], state: State) -> None:
    for seat in cars.keys() & before.keys():
        had, has = before[seat].wear, state.cars[seat].wear
        lost = zip(state.setup.edition.categories, had, has, strict=True)
        cars[seat].wp.update({name: old - new for name, old, new in lost if old > new})
