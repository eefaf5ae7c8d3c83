"""The weather: rolled before the race, and moved by fast cars during it (FD-WEATHER).

House switches, all of the federation's competition rules of 2018: `weather_machine` with "masters"
lets a line hold until the next roll, and for good if it comes twice running (3-2-6); `weather_test`
with "round" rolls when the round ends (3-2-5); `variable_start` with "as-trials" has a variable
race begin as wet as its trials were (3-2-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from companion.rules.codec import How, Seat, Seats, Within, replace
from companion.rules.formula import book
from companion.rules.formula.asks import BlackAsk, RerollAsk
from companion.rules.formula.car import Car, Point
from companion.rules.formula.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.losses import read_roll
from companion.rules.formula.state import Asks, Event, Flow, Phase, Roll, SeatStep, State, Step
from companion.rules.game import Ask
from companion.rules.lines import bad, yes_or_no


class WeatherRolled(Event):
    """The black die on the weather table: the line it hit, and what the weather is now."""

    roll: Roll
    outcome: str
    weather: str

    def applied(self, state: State) -> State:
        if self.seat:
            state = state.remembering(self.seat, weather_due=False)
        remembered = state.setup.house.weather_machine == "masters" and state.phase is Phase.RACE
        holds = remembered and self.weather in book.CHANGEABLE and self.outcome in book.TEMPORARY
        sky = self.outcome if holds else None
        return replace(state, weather=self.weather, sky=sky)


class WeatherTestDue(Event):
    """A car has rolled the highest face: it rolls for the weather when the round ends."""

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, weather_due=True)


def weather_table(setup: book.Setup) -> Mapping[str, tuple[int, int]]:
    """The weather table of the track (FD-WEATHER-1); of a board nobody has put in, the usual one.

    Its players read the outcome off their own board, and answer by the range that means it.
    """
    table = setup.track.weather or (book.USUAL_WEATHER if setup.boardless else None)
    assert table is not None, "a header with weather on a track without a table is refused"
    return table


def line_hit(setup: book.Setup, number: int) -> str:
    """The line of the weather table that a number hits (FD-WEATHER-1)."""
    rows = weather_table(setup).items()
    return next(line for line, (low, high) in rows if low <= number <= high)


def _may_change(state: State) -> bool:
    """Whether the weather can still change: neither for good, nor with nobody left to drive."""
    return (
        "weather" in state.setup.rules
        and state.weather in book.CHANGEABLE
        and bool(state.running())
    )


class Held(SeatStep):
    """A roll on the weather table that waits until somebody has said whether it counts."""

    @classmethod
    def is_of(cls, car: Car) -> bool:
        """Whether the driver of this car may have the weather rolled again."""
        raise NotImplementedError

    @classmethod
    def holds(cls, flow: Flow, seat: int, number: int, roll: Roll) -> bool:
        """Whether a roll waits for a step of this kind, now put in."""
        raise NotImplementedError


class Weather(
    Step,
    kind="weather",
    at=Point.WEATHER,
    rule="FD-WEATHER-3",
    needs=("weather",),
    before_race=True,
):
    """The black die on the weather table; seat 0: rolled for the table, before the race.

    `again`: it has been rolled once (FD-DRV-5), and this roll counts.
    """

    seat: Annotated[int, Seat(table=True)]
    again: Annotated[bool, How("again")] = False

    @property
    def point(self) -> Point:
        """Before the race it stands in the list of what is settled then."""
        return Point.WEATHER if self.seat else Point.BEFORE_THE_RACE

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """FD-WEATHER-3: the highest face of 5th and 6th."""
        if book.WEATHER_FACES.get(flow.car(seat).gear) != face or not _may_change(flow.state):
            return
        if by_round(flow.state):
            flow.tell(WeatherTestDue(seat=seat, rule=cls.rule))
        else:
            flow.due(cls(seat=seat))

    def waits(self, state: State) -> bool:
        """Where there is something to roll for."""
        return state.phase is not Phase.RACE or _may_change(state)

    def asks(self, state: State) -> Asks:
        rows = sorted((low, high, line) for line, (low, high) in weather_table(state.setup).items())
        outcomes = [book.Outcome(low, high, book.Sky(line)) for low, high, line in rows]
        return [BlackAsk(self.seat, reason=book.Reason.WEATHER, outcomes=outcomes)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """The roll counts, unless somebody may have it rolled again."""
        number, roll, _ = read_roll(ask, value)
        kinds = () if self.again else Held.__subclasses__()
        if not any(kind.holds(flow, self.seat, number, roll) for kind in kinds):
            _set_weather(flow, self.seat, number, roll)

    def check(self, state: State) -> None:
        before = state.phase in (Phase.SETUP, Phase.TRIALS)
        if not self.again and (self.seat == 0) != before:
            message = "weather is rolled by the table before the race, then by a seat"
            bad("pending-form", message, rule="FD-WEATHER-3")
        if self.again and not self.seat:
            message = "weather is not for the table"
            bad("not-of-this-driver", message, rule="FD-URBAN-1", name=self.kind)
        if self.again:
            able = any(kind.is_of(state.cars[self.seat]) for kind in Held.__subclasses__())
            refuse_other_driver(state, self.seat, self.kind, able=able)


def _set_weather(flow: Flow, seat: int, number: int, roll: Roll) -> None:
    """The weather by a roll: set by the table before the race, then moved by one row.

    FD-WEATHER-1, FD-WEATHER-2, FD-WEATHER-3; `roll` is what was answered.
    """
    outcome, now = line_hit(flow.state.setup, number), flow.state.weather
    if flow.state.phase is not Phase.RACE or now is None:
        # With the ranking still to come this weather is that of the trials (FD-WEATHER-1).
        for_trials = any(step.kind == "ranking" for step in flow.queue)
        rule, weather = "FD-WEATHER-1" if for_trials else "FD-WEATHER-2", outcome
        as_trials = not for_trials and flow.state.setup.house.variable_start == "as-trials"
        if as_trials and outcome == "variable" and now == "rain":
            weather = book.TEMPORARY[now]
    else:
        rule, weather = "FD-WEATHER-3", weather_after(flow.state, now, outcome)
    flow.tell(WeatherRolled(seat=seat, rule=rule, roll=roll, outcome=outcome, weather=weather))


def weather_after(state: State, now: str, outcome: str) -> str:
    """The weather after a roll in the race: a row up or down, or by the masters' machine."""
    if state.setup.house.weather_machine == "rows":
        # Never off the table: only the two middle rows can change at all (FD-WEATHER-3).
        return book.WEATHER_ROWS[book.WEATHER_ROWS.index(now) + book.WEATHER_STEP[outcome]]
    if outcome not in book.TEMPORARY:
        return now
    return outcome if outcome == state.sky else book.TEMPORARY[outcome]


def by_round(state: State) -> bool:
    """Whether what the turns of a round ask for is rolled at its end."""
    return state.setup.house.weather_test == "round"


def tests_at_round_end(flow: Flow) -> bool:
    """Put in the rolls that were kept for the end of the round; False: there is none."""
    due = [seat for seat, car in flow.state.cars.items() if car.memory.weather_due]
    if due and _may_change(flow.state):
        flow.due(*(Weather(seat=seat) for seat in due))
        return True
    return False


# -- Julien may have a weather roll made again, the second counts (FD-DRV-5) ----------------------

# Between the first roll and his answer nothing has changed; the roll waits in a pending step. He
# rolls the second himself. Out of the race, or home, he is not asked any more.


class WeatherThrown(Event):
    """A weather roll that may yet be rolled again; nothing has changed so far."""

    roll: Roll
    outcome: str


class RerollChosen(Event):
    """Whether the weather is rolled again."""

    again: bool


class Reroll(
    Held,
    kind="reroll",
    at=Point.REROLL,
    rule="FD-DRV-5",
    needs=OF_URBAN,
    before_race=True,
    outlives=True,
):
    """A weather roll that may be rolled again: the number, and who has rolled it (or nobody)."""

    roll: Annotated[int, Within(0, 100)]
    by: Seats = ()

    @classmethod
    def is_of(cls, car: Car) -> bool:
        return driver_of(car).twice

    @classmethod
    def holds(cls, flow: Flow, seat: int, number: int, roll: Roll) -> bool:
        """Every roll on the weather table waits for him while he runs."""
        julien = next((c.seat for c in flow.state.running() if cls.is_of(c)), None)
        if julien is None:
            return False
        outcome = line_hit(flow.state.setup, number)
        flow.tell(WeatherThrown(seat=seat, rule="FD-WEATHER-1", roll=roll, outcome=outcome))
        flow.due(cls(seat=julien, roll=number, by=(seat,) if seat else ()))
        return True

    def _counts(self, state: State) -> bool:
        """Whether the roll can still change the weather; a settled one stays (corrected)."""
        return state.phase is not Phase.RACE or _may_change(state)

    def waits(self, state: State) -> bool:
        return self._counts(state) and state.cars[self.seat].runs

    def settle(self, flow: Flow) -> None:
        """Without him the first roll counts."""
        if self._counts(flow.state):
            self._keep(flow)

    def asks(self, state: State) -> Asks:
        return [RerollAsk(self.seat, outcome=line_hit(state.setup, self.roll))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        again = yes_or_no(value, self.kind)
        flow.tell(RerollChosen(seat=self.seat, rule=self.rule, again=again))
        if again:
            flow.due(Weather(seat=self.seat, again=True))
        else:
            self._keep(flow)

    def _keep(self, flow: Flow) -> None:
        """The roll that has waited counts."""
        _set_weather(flow, self.by[0] if self.by else 0, self.roll, self.roll)

    def without(self, seat: int, *, retired: bool) -> Step:
        """It is settled when its turn comes; a roller who has retired is nobody."""
        return replace(self, by=()) if retired and seat in self.by else self

    def check(self, state: State) -> None:
        able = self.is_of(state.cars[self.seat])
        refuse_other_driver(state, self.seat, self.kind, able=able)
        if not book.BLACK_DIE[0] <= self.roll <= book.BLACK_DIE[1]:
            bad("pending-form", "a reroll has the number that was rolled", rule=self.rule)
