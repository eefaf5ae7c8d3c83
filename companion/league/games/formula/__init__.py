"""The two Formula games in the league: what is counted of a race of theirs."""

from __future__ import annotations

from collections import Counter

from companion.frozen import dataclass
from companion.league.game import CarEnd, Measured
from companion.league.games.formula.cars import tally_cars
from companion.league.games.formula.laps import FormulaRace, Lap, driven_laps
from companion.league.games.formula.road import (
    LEVELS_A_SPACE,
    gaps_by_round,
    passes,
    rows_by_round,
)
from companion.league.plain import CarNumbers, LapNumbers, RaceNumbers, TrialNumbers
from companion.rules.formula.grid import GridSet
from companion.rules.formula.trials import TrialTimed


@dataclass(frozen=True, slots=True)
class Formula:
    """An edition; see `game.LeagueGame`."""

    title: str
    bgg_id: int
    has_money: bool = False
    has_laps: bool = True

    def names(self, race: FormulaRace) -> dict[int, str]:
        """Of the cars."""
        return {seat: car.name for seat, car in race.state.cars.items()}

    def ends(self, race: FormulaRace) -> dict[int, CarEnd]:
        """The best lap has the fewest rolls of the gear dice; whole laps only."""
        grid, laps = _grid(race), driven_laps(race.moves)
        return {
            seat: CarEnd(
                grid=grid.get(seat),
                lap=car.lap,
                out=car.out.why if car.out else None,
                best_lap=min((lap.rolls for lap in laps.get(seat, ())), default=None),
            )
            for seat, car in race.state.cars.items()
        }

    def measure(self, race: FormulaRace) -> Measured:
        """The figures of the cars, and where they were round by round."""
        rows = rows_by_round(race)
        numbers = RaceNumbers(
            rounds=rows,
            gaps=[{f"{seat}": gap for seat, gap in row.items()} for row in gaps_by_round(race)],
            lap_spaces=race.track.lap_levels / LEVELS_A_SPACE if race.track else None,
        )
        return Measured(numbers, _cars(race, rows))


GAMES = {"formula-d": Formula("Formula D", 37904), "formule-de": Formula("Formule Dé", 173)}


def _grid(race: FormulaRace) -> dict[int, int]:
    """Places on the grid by seat; empty for a race that had no grid of its own."""
    orders = [event.order for event in race.events() if isinstance(event, GridSet)]
    order = orders[-1] if orders else race.header.get("grid")
    seats = order if isinstance(order, list | tuple) else ()
    return {seat: place for place, seat in enumerate(seats, 1) if isinstance(seat, int)}


def _cars(race: FormulaRace, rows: list[list[int]]) -> dict[int, CarNumbers]:
    laps = driven_laps(race.moves)
    made = passes(race)
    passing = Counter(seat for seat, _ in made)
    passed = Counter(other for _, other in made)
    led = Counter(row[0] for row in rows[:-1] if row)
    cars = {seat: tally.numbers() for seat, tally in tally_cars(race).items()}
    for seat, numbers in cars.items():
        numbers["laps"] = [_lap(lap) for lap in laps.get(seat, ())]
        numbers["passes"], numbers["passed"] = passing[seat], passed[seat]
        numbers["led"] = led[seat]
    for event in race.events():
        if isinstance(event, TrialTimed) and event.seat in cars:
            trial = TrialNumbers(seconds=event.seconds, score=event.score)
            cars[event.seat]["trial"] = trial
    return cars


def _lap(lap: Lap) -> LapNumbers:
    return LapNumbers(number=lap.number, rolls=lap.rolls, position=lap.position, at=lap.at)
