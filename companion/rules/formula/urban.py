"""The urban races: police station, checkpoint, noise zone, and what two drivers do there.

Each is a step that hangs on the way of a move; the numbers stand in `book.py`, what the other
drivers can do in `drivers.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Final

from companion.rules.board.track import Track
from companion.rules.codec import How, Seats, Spaces, Within, Word, replace
from companion.rules.formula import book, drivers
from companion.rules.formula.asks import BlackAsk, RadioAsk, RecoverAsk, TrailAsk
from companion.rules.formula.car import Car, Point, Way, uses
from companion.rules.formula.losses import make_room, mark, put_out, read_roll, with_marker
from companion.rules.formula.state import (
    Asks,
    ByItself,
    Cost,
    Event,
    Flow,
    Roll,
    SeatStep,
    State,
    Step,
    Wears,
)
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse, whole_number, yes_or_no

# -- the police station (FD-URBAN-5) --------------------------------------------------------------

# Who passes it fastest in a lap gains wear points. A car's notes are kept until the contest of
# their lap is decided; whether a car without a note has passed shows in where it stands. A car
# that passes when all others have passed and none of them has a note comes too late: that contest
# was decided before it came back into the race.


@lru_cache(maxsize=32)
def _line(track: Track) -> tuple[int, ...]:
    """By lane: the level of the first space past the station."""
    levels = sorted((track.level[space], track.lane[space]) for space in track.police)
    # Reversed, so that of several spaces in a lane the first one stays.
    by_lane = {lane: level for level, lane in reversed(levels)}
    # A lane without a sign of its own takes the lowest level of all.
    return tuple(by_lane.get(lane, levels[0][0]) for lane in range(len(track.lanes)))


def _beyond(track: Track, space: int) -> int:
    """How many levels a space lies beyond the station, all round the lap."""
    return (track.level[space] - _line(track)[track.lane[space]]) % track.lap_levels


def _lap_of_passing(track: Track, lap: int, start: int, end: int) -> int | None:
    """The lap in which a car that is now in `lap` passed the station on this way; None: in none.

    FD-END-2: lap 0 and lap 1 are one.
    """
    # Counted on around the lap, this distance only falls where the station is passed.
    if _beyond(track, end) >= _beyond(track, start):
        return None
    # Behind the line since then, its lap has been counted up already (FD-URBAN-5).
    crossed_since = track.level[end] < _line(track)[track.lane[end]]
    return max(1, lap - crossed_since)


class PolicePassed(Event):
    """A car has passed the police station in this lap: its speed, and as which car it passed."""

    lap: int
    speed: int
    passed: int

    def applied(self, state: State) -> State:
        street = state.cars[self.seat].street
        notes = (*street.police, (self.lap, self.speed, self.passed))
        return state.change(self.seat, street=replace(street, police=notes))


class PoliceWon(Event):
    """All have passed the police station in this lap; this car was the fastest."""

    lap: int
    speed: int

    def applied(self, state: State) -> State:
        """The contest of this lap is over: its notes are struck out."""
        for seat, car in state.cars.items():
            notes = tuple(note for note in car.street.police if note[0] != self.lap)
            state = state.change(seat, street=replace(car.street, police=notes))
        return state


class Police(ByItself, kind="police", at=Point.POLICE, rule="FD-URBAN-5", needs=drivers.OF_URBAN):
    """A car that may have passed the station, with its face and where its move began."""

    face: Annotated[int, Within(0, 100)]
    spaces: Annotated[Spaces, Word("from")] = ()

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """After a gear roll the face is kept."""
        if flow.state.is_urban and flow.state.setup.track.police:
            space = flow.car(seat).space
            assert space is not None
            flow.due(cls(seat=seat, face=face, spaces=(space,)))

    def settle(self, flow: Flow) -> None:
        """A car that has passed notes the face of its gear roll, times ten."""
        state, car, end = flow.state, flow.car(self.seat), flow.stands(self.seat)
        assert end is not None
        lap = _lap_of_passing(state.setup.track, car.lap, self.spaces[0], end)
        if lap is None or _noted(car, lap) or _is_over(state, car, lap):
            return
        passed = 1 + sum(_noted(other, lap) is not None for other in state.cars.values())
        speed = book.SPEED_OF_A_FACE * self.face
        flow.tell(PolicePassed(seat=self.seat, rule=self.rule, lap=lap, speed=speed, passed=passed))
        decide(flow)

    def check(self, state: State) -> None:
        drivers.refuse_no_space(state, self.kind, self.spaces)
        if not state.setup.track.police or not 1 <= self.face <= book.TOP_FACE:
            bad("pending-form", "the police station notes the face of a die", rule=self.rule)


def _noted(car: Car, lap: int) -> tuple[int, int, int] | None:
    """The note of a car in the contest of this lap."""
    return next((note for note in car.street.police if note[0] == lap), None)


def _has_passed(state: State, car: Car, lap: int) -> bool:
    """Whether a car has passed the station in this lap."""
    if _noted(car, lap) or car.lap > lap or car.space is None:
        return True
    track = state.setup.track
    return car.lap == lap and track.level[car.space] >= _line(track)[track.lane[car.space]]


def _is_over(state: State, car: Car, lap: int) -> bool:
    """Whether the contest of this lap was decided without this car."""
    others = [other for other in state.running() if other is not car]
    noted = any(_noted(other, lap) for other in state.cars.values())
    return bool(others) and not noted and all(_has_passed(state, o, lap) for o in others)


def decide(flow: Flow) -> bool:
    """Decide the first contest that every car still running has passed; False: there is none.

    The fastest of those that still run gains; of equals the one that passed first.
    """
    state = flow.state
    if not state.setup.track.police:
        return False
    running = state.running()
    for lap in sorted({note[0] for car in running for note in car.street.police}):
        if all(_has_passed(state, car, lap) for car in running):
            notes = [(note, car) for car in running if (note := _noted(car, lap))]
            (_, speed, _), winner = min(notes, key=lambda noted: (-noted[0][1], noted[0][2]))
            flow.tell(PoliceWon(seat=winner.seat, rule="FD-URBAN-5", lap=lap, speed=speed))
            flow.due(Recover(seat=winner.seat, points=book.POLICE_PRIZE, source=POLICE))
            # Only one at a time: its winner may have to choose points before the next is decided.
            return True
    return False


# -- wear points that come back (FD-URBAN-5, FD-URBAN-7, FD-DRV-6) --------------------------------

# Nobody is asked where all worn points come back anyway, or where they all go to one category.

CHECKPOINT, POLICE = "checkpoint", "police"
MOST = 100


class CheckpointPassed(Event):
    """A car has passed the line at the end of a lap: its tires are new."""

    gain: Cost

    def applied(self, state: State) -> State:
        return state.regained(self.seat, self.gain)


class Recovered(Event):
    """Wear points came back; `source`: checkpoint or police."""

    source: str
    gain: Cost

    def applied(self, state: State) -> State:
        return state.regained(self.seat, self.gain)


class Checkpoint(
    ByItself, kind="checkpoint", at=Point.CHECKPOINT, rule="FD-URBAN-7", needs=drivers.OF_URBAN
):
    """The line at the end of a lap has been passed."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """FD-END-2: the first crossing refills nothing; after the last one the car has finished."""
        lap = flow.car(way.seat).lap
        refills = 1 < lap <= flow.state.setup.laps
        if flow.state.is_urban and way.option.arrival.line and refills:
            flow.due(cls(seat=way.seat))

    def settle(self, flow: Flow) -> None:
        """New tires, then points to choose (FD-URBAN-7, FD-DRV-6)."""
        car = flow.car(self.seat)
        gain = book.one(book.TIRES, car.full[book.TIRES] - car.wear[book.TIRES])
        flow.tell(CheckpointPassed(seat=self.seat, rule=self.rule, gain=gain))
        flow.due(Recover(seat=self.seat, points=drivers.driver_of(car).regains))


class Recover(
    SeatStep, kind="recover", at=Point.RECOVERY, rule="FD-URBAN-7", needs=drivers.OF_URBAN
):
    """Points that come back by choice, at the checkpoint or as the prize of the police."""

    points: Annotated[int, Within(0, MOST)]
    source: Annotated[str, How("", CHECKPOINT, POLICE)] = CHECKPOINT

    @property
    def point(self) -> Point:
        """The prize comes after the note of the police."""
        return Point.PRIZE if self.source == POLICE else Point.RECOVERY

    def _room(self, state: State) -> dict[int, int]:
        """What each worn category can take; the checkpoint's points are for others than tires."""
        car = state.cars[self.seat]
        worn = {at: f - have for at, (f, have) in enumerate(zip(car.full, car.wear, strict=True))}
        of_tires = self.source == POLICE
        return {at: n for at, n in worn.items() if n and (at != book.TIRES or of_tires)}

    def waits(self, state: State) -> bool:
        room = self._room(state)
        return len(room) > 1 and sum(room.values()) > self.points

    def settle(self, flow: Flow) -> None:
        """Points that leave no choice come back by themselves."""
        room = self._room(flow.state)
        gain = book.as_wear({at: min(n, self.points) for at, n in room.items()})
        if any(gain):
            self._recover(flow, gain)

    def asks(self, state: State) -> Asks:
        """How many points, and to which categories they may go."""
        names = tuple(book.CATEGORIES[at] for at in self._room(state))
        return [RecoverAsk(self.seat, points=self.points, categories=names)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """Refused as `read_points` says."""
        room = {book.CATEGORIES[at]: n for at, n in self._room(flow.state).items()}
        rule = self._rule(flow.state)
        gain = drivers.read_points("recover", value, book.CATEGORIES, room, self.points, rule=rule)
        self._recover(flow, gain)

    def _recover(self, flow: Flow, gain: book.Wear) -> None:
        rule = self._rule(flow.state)
        flow.tell(Recovered(seat=self.seat, rule=rule, source=self.source, gain=gain))

    def _rule(self, state: State) -> str:
        if self.source == POLICE:
            return "FD-URBAN-5"
        plain = drivers.driver_of(state.cars[self.seat]).regains == book.USUAL_RECOVERY
        return "FD-URBAN-7" if plain else "FD-DRV-6"

    def check(self, state: State) -> None:
        driver = drivers.driver_of(state.cars[self.seat])
        most = book.POLICE_PRIZE if self.source == POLICE else driver.regains
        if self.points > most or not self.source:
            message = f"{most} points come back, by checkpoint or police"
            bad("pending-form", message, rule="FD-URBAN-7")


# -- the noise zone: shots at a car that has ended its move there (FD-URBAN-3) --------------------

# What a shot does is the same for what Stanley throws (FD-DRV-3).


class NoiseRolled(Wears):
    """A shot at a car in the noise zone: the category that it aims at, "" for a miss."""

    roll: Roll
    category: str


def _outcomes(table: Mapping[tuple[int, int], str]) -> tuple[book.Outcome, ...]:
    """The outcomes of a shot: the category that is hit, or a miss."""
    return tuple(
        book.Outcome(low, high, book.Loses(book.CATEGORIES.index(hit)) if hit else book.Unhurt())
        for (low, high), hit in table.items()
    )


def _suffered(flow: Flow, seat: int, aimed: Cost) -> tuple[str, Cost]:
    """The category that a shot aims at ("": it misses), and what the car loses by it.

    Where there is nothing left nothing is lost (FD-CAR-2).
    """
    category = book.CATEGORIES[aimed.index(1)] if any(aimed) else ""
    return category, book.lost(flow.car(seat).wear, aimed)


def _suffer(flow: Flow, seat: int, category: str, cost: Cost, rule: str) -> None:
    """A body or engine WP lost leaves debris; the last of a vital one puts the car out."""
    if not any(cost):
        return
    if category in book.VITAL and not flow.car(seat).wear[book.CATEGORIES.index(category)]:
        put_out(flow, seat, category, rule)
    elif category in book.LEAVES_DEBRIS:
        mark(flow, seat)


class Noise(
    SeatStep, kind="noise", at=Point.NOISE, rule="FD-URBAN-3", needs=drivers.OF_URBAN, on_road=True
):
    """A move may have ended in the noise zone."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if flow.state.is_urban and not way.slips:
            flow.due(cls(seat=way.seat))

    def waits(self, state: State) -> bool:
        """Where the move has ended in the noise zone."""
        return state.cars[self.seat].space in state.setup.track.noise

    def asks(self, state: State) -> Asks:
        return [BlackAsk(self.seat, reason=book.Reason.NOISE, outcomes=_outcomes(book.NOISE))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-URBAN-3; tires at 0 lose nothing more, and no shot spins a car."""
        seat, rule, rolled = self.seat, self.rule, read_roll(ask, value)
        category, cost = _suffered(flow, seat, rolled.cost)
        flow.tell(NoiseRolled(seat=seat, rule=rule, roll=rolled.roll, category=category, cost=cost))
        _suffer(flow, seat, category, cost, rule)


# -- Stanley throws his radio at a car near by, once a race (FD-DRV-3) ----------------------------

THROWN: Final = uses("radio", lambda driver: driver.throws, each_lap=False)

# FD-DRV-3: what the radio hits.
RADIO: Final = {
    (1, 4): "tires",
    (5, 7): "brakes",
    (8, 10): "gearbox",
    (11, 13): "body",
    (14, 17): "engine",
    (18, 20): "handling",
}


class RadioThrown(Event):
    """Stanley throws his radio at a car."""

    against: int

    def applied(self, state: State) -> State:
        return state.used(self.seat, THROWN)


class RadioHit(Wears):
    """What the radio hits; `cost` is lost by the car that it was thrown at."""

    against: int
    roll: Roll
    category: str

    def applied(self, state: State) -> State:
        return state.worn(self.against, self.cost)


def _targets(state: State, seat: int) -> tuple[int, ...]:
    """The seats beside, directly ahead and directly behind, ascending."""
    track, space = state.setup.track, state.cars[seat].space
    if space is None:
        return ()
    near = {*track.beside[space], track.ahead[space], track.behind[space]}
    return tuple(sorted(car.seat for car in state.running() if car.space in near))


class OfStanley(SeatStep, rule="FD-DRV-3", needs=drivers.OF_URBAN):
    """A step of the driver who throws."""

    def check(self, state: State) -> None:
        able = drivers.driver_of(state.cars[self.seat]).throws
        drivers.refuse_other_driver(state, self.seat, self.kind, able=able)


class Radio(OfStanley, kind="radio", at=Point.RADIO, on_road=True):
    """At whom the radio is thrown, or nobody."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        car = flow.car(way.seat)
        if drivers.driver_of(car).throws and THROWN not in car.street.used and not way.slips:
            flow.due(cls(seat=way.seat))

    def waits(self, state: State) -> bool:
        """Where somebody is near."""
        return bool(_targets(state, self.seat))

    def asks(self, state: State) -> Asks:
        return [RadioAsk(self.seat, seats=_targets(state, self.seat))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """A car near by; null keeps it."""
        assert isinstance(ask, RadioAsk)
        if value is None:
            return
        victim, near = whole_number(value, "radio"), list(ask.seats)
        if victim not in near:
            message = f"the radio hits seats {near}, not {victim}"
            refuse("not-near", message, rule=self.rule, seat=victim, near=near)
        flow.tell(RadioThrown(seat=self.seat, rule=self.rule, against=victim))
        flow.due(Throw(seat=self.seat, victim=(victim,)))


class Throw(OfStanley, kind="throw", at=Point.THROW):
    """The black die for what the radio hits; no victim: it has gone meanwhile."""

    victim: Annotated[Seats, Word("at")] = ()

    def waits(self, state: State) -> bool:
        """As long as the car that was hit is there."""
        return bool(self.victim)

    def asks(self, state: State) -> Asks:
        (victim,), hits = self.victim, _outcomes(RADIO)
        return [BlackAsk(self.seat, reason=book.Reason.RADIO, outcomes=hits, against=victim)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """A category at 0 loses nothing."""
        (victim,), rolled = self.victim, read_roll(ask, value)
        category, cost = _suffered(flow, victim, rolled.cost)
        seat, rule, roll = self.seat, self.rule, rolled.roll
        hit = RadioHit(
            seat=seat, rule=rule, against=victim, roll=roll, category=category, cost=cost
        )
        flow.tell(hit)
        _suffer(flow, victim, category, cost, rule)

    def without(self, seat: int, *, retired: bool) -> Step | None:
        if seat == self.seat:
            return None
        return replace(self, victim=()) if retired and seat in self.victim else self

    def check(self, state: State) -> None:
        super().check(state)
        runs = all(seat != self.seat and state.cars[seat].runs for seat in self.victim)
        if not runs or len(self.victim) > 1:
            bad("pending-form", "the radio is thrown at another car that runs", rule=self.rule)


# -- Temana leaves debris where the move began, once a lap (FD-DRV-10) ----------------------------

LEFT: Final = uses("trail", lambda driver: driver.litters, each_lap=True)


class TrailLeft(Event):
    """Temana leaves debris on the space on which the move began."""

    space: str

    def applied(self, state: State) -> State:
        state = state.used(self.seat, LEFT)
        return with_marker(state, state.setup.track.index[self.space])


class Trail(
    SeatStep, kind="trail", at=Point.TRAIL, rule="FD-DRV-10", needs=drivers.OF_URBAN, on_road=True
):
    """Whether debris is left on the space on which the move began."""

    spaces: Spaces = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if drivers.driver_of(flow.car(way.seat)).litters and not way.slips:
            flow.due(cls(seat=way.seat, spaces=(way.start,)))

    def waits(self, state: State) -> bool:
        """Where debris can be left on a space that was left."""
        car, (space,) = state.cars[self.seat], self.spaces
        may = car.runs and LEFT not in car.street.used
        return may and car.space != space and space not in drivers.debris_on(state)

    def asks(self, state: State) -> Asks:
        return [TrailAsk(self.seat, at=state.setup.track.ids[self.spaces[0]])]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        if yes_or_no(value, self.kind):
            make_room(flow, self.seat)
            space = flow.state.setup.track.ids[self.spaces[0]]
            flow.tell(TrailLeft(seat=self.seat, rule=self.rule, space=space))

    def check(self, state: State) -> None:
        able = drivers.driver_of(state.cars[self.seat]).litters
        drivers.refuse_other_driver(state, self.seat, self.kind, able=able)
        drivers.refuse_no_space(state, self.kind, self.spaces)
