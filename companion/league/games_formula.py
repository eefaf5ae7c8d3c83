"""The two Formula games in the league: what is counted of a race of theirs.

What each car of a Formula race did and suffered, counted out of the events of a replay.

The laps of each car: when each was over, and with how many rolls of the gear dice.

Where the cars are on the road, out of its states: in rows, in levels, and who passes whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from companion.league.games import CarEnd, Measured, Move, Replayed
from companion.league.plain import CarNumbers, LapNumbers, RaceNumbers, TrialNumbers
from companion.rules.board.track import Track
from companion.rules.formula.book import GEAR_FACES, mean_face
from companion.rules.formula.car import RUNNING, Car, Status
from companion.rules.formula.cards import Reported
from companion.rules.formula.collisions import Blocked, CollisionRolled, DebrisRolled, EngineTested
from companion.rules.formula.corners import Finished, Overshot
from companion.rules.formula.gears import DieRolled, OverRevved
from companion.rules.formula.grid import GridSet, TrialTimed
from companion.rules.formula.losses import Damaged, Eliminated, Spun
from companion.rules.formula.moving import LineCrossed, Moved, Slipstreamed
from companion.rules.formula.order import progress
from companion.rules.formula.pit import PitStopBegan, PitTurnBegan
from companion.rules.formula.referee import Retired, Returned
from companion.rules.formula.rounds import RoundBegan, TurnBegan, TurnEnded
from companion.rules.formula.state import Event, State
from companion.rules.lines import Correct
from companion.system.frozen import dataclass

# -- formula --------------------------------------------------------------------------------------


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
                best_lap=min((lap["rolls"] for lap in laps.get(seat, ())), default=None),
            )
            for seat, car in race.state.cars.items()
        }

    def measure(self, race: FormulaRace) -> Measured:
        """The figures of the cars, and where they were round by round."""
        rows = rows_by_round(race)
        numbers = RaceNumbers(
            rounds=rows,
            gaps=[{f"{seat}": gap for seat, gap in row.items()} for row in gaps_by_round(race)],
            flag={f"{seat}": gap for seat, gap in gaps_at_flag(race).items()},
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
        numbers["laps"] = laps.get(seat, [])
        numbers["passes"], numbers["passed"] = passing[seat], passed[seat]
        numbers["led"] = led[seat]
    for event in race.events():
        if isinstance(event, TrialTimed) and event.seat in cars:
            trial = TrialNumbers(seconds=event.seconds, score=event.score)
            cars[event.seat]["trial"] = trial
    return cars


# -- cars -----------------------------------------------------------------------------------------


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


# -- laps -----------------------------------------------------------------------------------------


FormulaMove = Move[State, Event]
FormulaRace = Replayed[State, Event]

BOXES = (PitStopBegan, PitTurnBegan)
"""A car is in its box: for its stop, or for the turn that it stands before it (DE-PIT-1)."""
LAP_BEGINS = (LineCrossed, *BOXES)
"""Events that carry the `lap` which begins: at the line, or in the box (FD-PIT-5)."""


@dataclass(slots=True)
class _Car:
    lap: int = 0
    rolls: int = 0
    driven: list[LapNumbers] = field(default_factory=list)


def driven_laps(moves: Iterable[FormulaMove]) -> dict[int, list[LapNumbers]]:
    """The whole laps of every car that rolled in the race, by seat; trials are no laps of it.

    A lap that the referee has put a car into does not count, nor does the one that it was in.
    """
    cars: dict[int, _Car] = {}
    ended: dict[int, int] = {}
    for move in race_moves(moves):
        for event in move.events:
            car = cars.setdefault(event.seat, _Car())
            car.rolls += isinstance(event, DieRolled)
            if isinstance(event, LAP_BEGINS) and event.lap > car.lap:
                _begin(car, event.lap, ended, move.at)
    return {seat: car.driven for seat, car in cars.items() if seat}


def begins_round(move: FormulaMove) -> bool:
    """Whether a round began by this move."""
    return any(isinstance(event, RoundBegan) for event in move.events)


def race_moves(moves: Iterable[FormulaMove]) -> Iterable[FormulaMove]:
    """The moves from the first round on, without the grid and its trials."""
    has_begun = False
    for move in moves:
        has_begun = has_begun or begins_round(move)
        if has_begun:
            yield move


def _begin(car: _Car, lap: int, ended: dict[int, int], at: float | None) -> None:
    if car.lap and lap == car.lap + 1:
        ended[car.lap] = ended.get(car.lap, 0) + 1
        position = ended[car.lap]
        lap_driven = LapNumbers(number=car.lap, rolls=car.rolls, position=position, at=at)
        car.driven.append(lap_driven)
    car.lap, car.rolls = lap, 0


# -- road -----------------------------------------------------------------------------------------


ON_THE_ROAD = RUNNING - {Status.PIT}
"""A car in the pit lane is not passed: it let the others by."""
LEVELS_A_SPACE = 2
"""`Track.level` counts so that a space may lie half-way between two of the next lane."""


def rows_by_round(race: FormulaRace) -> list[list[int]]:
    """All seats from first to last at the start of each round, and at the end of the race."""
    home: list[int] = []
    out: list[int] = []
    rows: list[list[int]] = []
    for event in race.events():
        seat = event.seat
        match event:
            case RoundBegan(order=order):
                rows.append([*home, *order, *reversed(out)])
            case Finished():
                home.append(seat)
            case Eliminated() | Retired() if seat not in out:
                out.append(seat)
            case Returned() if seat in out:
                out.remove(seat)
    end = race.endings[-1] if race.endings else ()
    return [*rows, [row.seat for row in end]]


def gaps_by_round(race: FormulaRace) -> list[dict[int, float]]:
    """How many spaces each running car is behind the first at the start of each round.

    In halves, along the middle of the road; a car in the pit lane is where the lane lies
    (FD-PIT-5). Nothing without a board.
    """
    track = race.track
    if track is None:
        return []
    starts = [move.state for move in race.moves if begins_round(move)]
    return [_gaps(_standing(track, state, RUNNING)) for state in starts]


def gaps_at_flag(race: FormulaRace) -> dict[int, float]:
    """How many spaces each car was from the line when the first one had crossed it; without those
    that were out by then. Nothing without a board, or where nobody came home."""
    track = race.track
    for move in race.moves if track else ():
        first = next((event.seat for event in move.events if isinstance(event, Finished)), None)
        if track is not None and first is not None:
            line = (move.state.setup.laps + 1) * track.lap_levels
            road = _standing(track, move.state, RUNNING)
            left = {seat: (line - place) / LEVELS_A_SPACE for seat, place in road.items()}
            return {first: 0, **left}
    return {}


def passes(race: FormulaRace) -> list[tuple[int, int]]:
    """Who passed whom on the road, in order: by a move of its own, cars in the pit left out.

    Cars that stand side by side (on one level) have not passed each other yet.
    """
    track = race.track
    if track is None:
        return []
    found: list[tuple[int, int]] = []
    before: dict[int, int] = {}
    for move in race.moves:
        now = _standing(track, move.state, ON_THE_ROAD)
        for seat in _movers(move.events):
            if seat in before and seat in now:
                found += [(seat, other) for other in _passed(seat, before, now)]
        before = now if isinstance(move.command, Correct) else _settled(before, now)
    return found


def _movers(events: Sequence[Event]) -> list[int]:
    return list(dict.fromkeys(event.seat for event in events if isinstance(event, Moved)))


def _passed(seat: int, before: Mapping[int, int], now: Mapping[int, int]) -> list[int]:
    """Cars that were ahead, or passed level, and are behind now."""
    return [
        other
        for other in now
        if other != seat
        and other in before
        and before[seat] < before[other]
        and now[seat] > now[other]
    ]


def _settled(before: Mapping[int, int], now: Mapping[int, int]) -> dict[int, int]:
    """Where the cars are now; one that has drawn level keeps where it came from.

    So whoever draws level in one move and ahead in the next has passed, and who falls back
    again has not.
    """
    settled = dict(now)
    for seat, place in now.items():
        is_level = any(other != seat and now[other] == place for other in now)
        was = before.get(seat)
        if is_level and was is not None and was < place:
            settled[seat] = was
    return settled


def _standing(track: Track, state: State, among: Collection[Status]) -> dict[int, int]:
    """The progress of every car of one of these kinds that stands on the board, by seat."""
    cars = (car for car in state.cars.values() if car.status in among and car.space is not None)
    return {car.seat: progress(track, car) for car in cars}


def _gaps(standing: Mapping[int, int]) -> dict[int, float]:
    first = max(standing.values(), default=0)
    return {seat: (first - place) / LEVELS_A_SPACE for seat, place in standing.items()}
