"""What each car of a Formula race did and suffered, counted out of the events of a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from companion.league.numbers.laps import BOXES, race_moves, rolls_in
from companion.league.replayed import Move, Replayed
from companion.rules.formula.faces import GEAR_FACES, mean_face

JSON = Mapping[str, Any]

COUNTED: Mapping[str, str] = {
    "Overshot": "overshoots",
    "Spun": "spins",
    "Slipstreamed": "slipstreams",
    "OverRevved": "over_revs",
    "Blocked": "blocks",
    "EngineTested": "engine_tests",
    "DebrisRolled": "debris",
}
"""Events that are counted for their seat, and as what."""
COLLISIONS = ("CollisionRolled", "Damaged")
"""With a roll, or in Formule Dé without one and then always hurt."""


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

    def as_json(self) -> dict[str, Any]:
        """The figures as they are kept."""
        return {
            **self.counts,
            "wp": dict(self.wp),
            "luck": round(float(self.luck), 3),
            "stops": self.stops,
            "stop_laps": self.stop_laps,
        }


def tally_cars(race: Replayed) -> dict[int, Tally]:
    """The figures of every car, by seat, from the first round on."""
    cars = {int(seat): Tally() for seat in race.state.get("cars", {})}
    before: JSON = {}
    turn = 0
    for move in race_moves(race.moves):
        for event in move.events:
            turn = event["seat"] if event["event"] == "TurnBegan" else turn
            if event["seat"] in cars:
                _count(cars, event, turn)
        _count_pit_turns(cars, move)
        if "correct" not in move.given:
            _count_wear(cars, before, move.state)
        before = move.state.get("cars", {})
    return cars


def _count(cars: Mapping[int, Tally], event: JSON, turn: int) -> None:
    kind, tally = event["event"], cars[event["seat"]]
    tally.counts["rolls"] += rolls_in(event)
    if kind in COUNTED:
        tally.counts[COUNTED[kind]] += 1
    elif kind == "DieRolled" and event["gear"] in GEAR_FACES:
        tally.luck += event["face"] - mean_face(event["gear"])
    elif kind == "Moved":
        tally.counts["spaces"] += event["spaces"]
        tally.counts["braked"] += event["brakes"]
    elif kind == "Reported":  # boardless: as far as rolled, less what was braked and blocked
        tally.counts["spaces"] += event["spaces"] - event["brakes"] - event["blocked"]
        tally.counts["braked"] += event["brakes"]
    elif kind in COLLISIONS:
        tally.counts["hurt"] += bool(event.get("hurt", True))
        if event["seat"] != turn:
            tally.counts["was_bumped"] += 1
            if turn in cars:
                cars[turn].counts["bumped"] += 1


def _count_pit_turns(cars: Mapping[int, Tally], move: Move) -> None:
    """A stop begins in the box; each turn that ends in the pits is one of its turns."""
    for event in move.events:
        seat = event["seat"]
        if seat not in cars:
            continue
        # Formule Dé tells a box twice where a turn is stood in it first: the lap is the same.
        if event["event"] in BOXES and event["lap"] - 1 not in cars[seat].stop_laps:
            cars[seat].stops.append(0)
            cars[seat].stop_laps.append(event["lap"] - 1)
        is_in_pit = move.state["cars"].get(str(seat), {}).get("status") == "pit"
        if event["event"] == "TurnEnded" and is_in_pit and cars[seat].stops:
            cars[seat].stops[-1] += 1


def _count_wear(cars: Mapping[int, Tally], before: JSON, state: JSON) -> None:
    for seat, tally in cars.items():
        had = before.get(str(seat), {}).get("wear", {})
        has = state["cars"].get(str(seat), {}).get("wear", {})
        tally.wp.update(_lost(had, has))


def _lost(had: Mapping[str, int], has: Mapping[str, int]) -> dict[str, int]:
    gone: Iterable[tuple[str, int]] = ((name, had[name] - has.get(name, 0)) for name in had)
    return {name: points for name, points in gone if points > 0}
