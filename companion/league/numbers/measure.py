"""What is counted of a race when it comes into the league.

A race keeps (`Race.numbers`): `seats` (number → name in the race), `rounds` (all seats from first
to last at the start of each round, and at the end), `gaps` (spaces behind the first, by seat, a
round each), `lap_spaces`, `answers`, `taken_back`, `seconds` (None where the record does not say).
Each car keeps (`Entry.numbers`) the figures of `cars.Tally`, its `laps` (`laps.Lap`), `passes` and
`passed` on the road, `led` (rounds begun as the first) and its `trial`, as far as there is one;
in Downforce what `downforce.tally_players` counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion.league.found import Measured
from companion.league.numbers.cars import tally_cars
from companion.league.numbers.downforce import tally_players
from companion.league.numbers.laps import driven_laps
from companion.league.numbers.road import LEVELS_A_SPACE, gaps_by_round, passes, rows_by_round
from companion.league.replayed import Replayed

JSON = Mapping[str, Any]


def measure(race: Replayed) -> Measured:
    """The numbers of a race and of its cars."""
    if race.header["game"] == "downforce":
        return Measured(_about(race), tally_players(race))
    rows = rows_by_round(race)
    gaps = [{str(seat): gap for seat, gap in row.items()} for row in gaps_by_round(race)]
    length = race.track.lap_levels / LEVELS_A_SPACE if race.track else None
    told = {**_about(race), "rounds": rows, "gaps": gaps, "lap_spaces": length}
    return Measured(told, _cars(race, rows))


def _about(race: Replayed) -> dict[str, Any]:
    times = [move.at for move in race.moves if move.at is not None]
    people: JSON = race.state.get("players") or race.state.get("cars") or {}
    return {
        "seats": {seat: one["name"] for seat, one in people.items()},
        "answers": len(race.moves) - 1,
        "taken_back": race.taken_back,
        "seconds": round(times[-1] - times[0], 1) if times else None,
    }


def _cars(race: Replayed, rows: Sequence[Sequence[int]]) -> dict[int, JSON]:
    laps = driven_laps(race.moves)
    made = passes(race)
    passing = Counter(seat for seat, _ in made)
    passed = Counter(other for _, other in made)
    led = Counter(row[0] for row in rows[:-1] if row)
    trials = _trials(race)
    return {
        seat: {
            **tally.as_json(),
            "laps": [asdict(lap) for lap in laps.get(seat, ())],
            "passes": passing[seat],
            "passed": passed[seat],
            "led": led[seat],
            **({"trial": trials[seat]} if seat in trials else {}),
        }
        for seat, tally in tally_cars(race).items()
    }


def _trials(race: Replayed) -> dict[int, JSON]:
    """Seconds and score of each time trial that was driven to its end (FD-TRIAL-2)."""
    return {
        event["seat"]: {"seconds": event["seconds"], "score": event["score"]}
        for event in race.events()
        if event["event"] == "TrialTimed"
    }
