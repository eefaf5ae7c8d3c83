"""What a moment of a race is worth to a car, were it alone: a solved board in the rules' terms.

Everything is given in expected turns to the finish; being out is priced in them (`Alone.out`), home
is none. Boards are solved for a car whose box is the first one: others are looked up by their
spaces to the box. Which solved board a moment is looked up on follows from its weather, and from
the tires that a car began on (`BySky`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from companion.advice.solve.model import GONE, OLDEST, USUAL, Fitted, Sky
from companion.advice.solve.table import Table
from companion.rules.board.track import IN_PIT
from companion.rules.board.ways import Arrival
from companion.rules.formula import book
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.car import Car, Option, PitMark, Status
from companion.rules.formula.gears import ONLY_FIRST, gear_choices
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import State

_MOST_KNOWN: Final = 20_000
"""Values that are remembered; then memory is cleared."""
_Key = tuple[int, int, int, book.Wear, Fitted]
_TEST: Final = book.one(book.ENGINE)
_ON_TRACK, _FRESH, _LANE, _IN_BOX = range(4)
"""Where a car stands that chooses a gear: what it is offered differs. A `lever` is four times the
gear before and one of these."""


class Landing(NamedTuple):
    """Where a way leaves a car: the laps to go, the place, its tires; where the table has that.

    `block` is -1 where the table does not keep that lap.
    """

    to_go: int
    place: int
    fitted: Fitted
    block: int = -1


HOME: Final = Landing(-1, -1, Fitted("home"))
_IN_PIT: Final = Landing(-1, -1, Fitted("pit"))


class Alone:
    """Values of one race on a solved board; a value once looked up is remembered."""

    def __init__(self, table: Table, setup: book.Setup) -> None:
        self._table, self._places, self._setup = table, table.places, setup
        self._model = table.model
        self._hurts = self._model.hurts(self._model.sky.weather)
        self._faces = setup.edition.engine_faces
        self._has_pit = self._model.sky.whole and bool(setup.track.boxes)
        self._state = State(setup, OnBoard())
        self._known: dict[_Key, float] = {}
        self._gears: dict[tuple[int, book.Wear], tuple[int, ...]] = {}
        self._lefts: dict[tuple[book.Wear, book.Wear], book.Wear] = {}
        self._after: dict[tuple[int, book.Wear, book.Wear], tuple[int, ...]] = {}
        self._prices: dict[tuple[int, int, Fitted], float] = {}
        every = (99,) * len(_TEST)
        self._any_gear = table.offsets((gear, every) for gear in range(1, book.TOP_GEAR + 1))

    def of(self, state: State, seat: int) -> Alone:
        """The values of any car at any moment are these (`Figures`)."""
        return self

    def out(self, car: Car) -> float:
        """What going out counts where this car stands: `GONE` turns more than the best car takes.

        The best car on the next space, that is, with all its points, in whatever gear is best.
        """
        if car.space is None:
            return self._model.out
        return self._price(self._setup.laps - car.lap, car.space, fitted_on(car))

    def _price(self, to_go: int, space: int, fitted: Fitted) -> float:
        found = self._prices.get((to_go, space, fitted))
        if found is None:
            found = self._prices[to_go, space, fitted] = self._priced(to_go, space, fitted)
        return found

    def _priced(self, to_go: int, space: int, fitted: Fitted) -> float:
        if not self._model.sky.whole or self._setup.track.straight[space] == IN_PIT:
            return self._model.out
        there, line = self._places.next_to(space)
        if line:
            fitted = fitted.older() if to_go < self._setup.laps else fitted
            to_go -= 1
        if to_go < 0:
            return GONE
        return GONE + self._table.least(to_go, self._places.made(there), self._any_gear, fitted)

    # -- before the roll ----------------------------------------------------------------------

    def engaged(self, car: Car, choice: GearChoice) -> float:
        """The turns to come, this one among them, with one of the gears on offer."""
        assert car.space is not None
        if choice.out:  # nobody is better off for it than by going on
            return max(self.out(car), self.standing(car))
        in_pit = self._setup.track.straight[car.space] == IN_PIT
        # Such a table has no places in the pit.
        if in_pit and not self._has_pit:
            return self._model.out
        place = self._in_lane(car) if in_pit else self._places.at(car.space, car.stops)
        left = self._left(car.wear, choice.cost)
        turns = self._table.engaged(
            self._setup.laps - car.lap, place, choice.gear, left, fitted_on(car)
        )
        # Whoever came in too fast stands a turn more (DE-PIT-1).
        return turns + (car.pit_mark is PitMark.LATE)

    def running(self, car: Car) -> float:
        """The turns to come before the roll, with the gear as it is engaged."""
        return self.engaged(car, GearChoice(car.gear))

    def standing(self, car: Car, *, tested: bool = False) -> float:
        """The turns to come before the gear is chosen: the best of those on offer.

        `tested`: an engine test comes before it.
        """
        assert car.space is not None
        if self._setup.track.straight[car.space] == IN_PIT:
            return self._in_pit(car)
        gear = 0 if car.status in ONLY_FIRST else car.gear
        place = self._places.at(car.space, car.stops)
        lever = 4 * gear + (_FRESH if car.pit_mark is PitMark.FRESH else _ON_TRACK)
        to_go = self._setup.laps - car.lap
        return self._stood(to_go, place, lever, car.wear, fitted_on(car), tested)

    # -- after it -----------------------------------------------------------------------------

    def tests(self, gear: int, face: int) -> bool:
        """Whether this face asks the roller for an engine test (FD-ENGINE-1)."""
        return face in self._faces.get(gear, ())

    def after(self, car: Car, end: Option, *, tested: bool = False) -> float:
        """The turns to come after a move with this end; `tested`: an engine test follows it."""
        if end.out:
            return self.out(car)
        landing = self.landing(car, end.arrival)
        return self.landed(landing, car, end, tested=tested)

    def landing(self, car: Car, arrival: Arrival) -> Landing:
        """Where the end of a way leaves a car that does not go out by it."""
        track, lap = self._setup.track, car.lap + arrival.line
        if lap > self._setup.laps:
            return HOME
        if track.straight[arrival.space] == IN_PIT:
            return _IN_PIT
        fitted = fitted_on(car)
        # The first crossing begins lap 1 and ages nothing (FD-END-2).
        if arrival.line and lap > 1:
            fitted = fitted.older()
        to_go, place = self._setup.laps - lap, self.place_after(car, arrival)
        return Landing(to_go, place, fitted, self._table.block(to_go, place, fitted))

    def landed(self, there: Landing, car: Car, end: Option, *, tested: bool = False) -> float:
        """The turns to come after an end whose landing is known; it is not out."""
        if there is HOME:
            return 0.0
        if there is _IN_PIT:
            return self._into_pit(car, end.arrival.space)
        to_go, place, fitted, block = there
        lever = 4 * (0 if end.spin else car.gear)
        lever += _FRESH if car.pit_mark is PitMark.FRESH else _ON_TRACK
        # In the pit no engine is tested (FD-ENGINE-2).
        tested = tested and car.status is not Status.PIT
        if tested or block < 0:
            return self._stood(to_go, place, lever, self._left(car.wear, end.cost), fitted, tested)
        # Kept, as this is asked for every end of every face.
        key = lever, car.wear, end.cost
        offsets = self._after.get(key)
        if offsets is None:
            if len(self._after) > _MOST_KNOWN:
                self._after.clear()
            left = self._left(car.wear, end.cost)
            offsets = self._after[key] = self._on_offer(lever, left)
        if offsets:
            return self._table.least_of(block, offsets)
        return self._price(to_go, self._places.spaces[place], fitted)

    def staying(self, car: Car, *, tested: bool = False) -> float:
        """The turns to come where the move just made ends, its stop not yet marked."""
        assert car.space is not None
        # While a slipstream is on offer the stop is not marked yet: only where the whole move ends
        # (FD-SLIP-6).
        stops = car.stops + (self._setup.track.corner[car.space] >= 0)
        place, lever = self._places.at(car.space, stops), 4 * car.gear + _ON_TRACK
        to_go = self._setup.laps - car.lap
        return self._stood(to_go, place, lever, car.wear, fitted_on(car), tested)

    def _stood(
        self, to_go: int, place: int, lever: int, wear: book.Wear, fitted: Fitted, tested: bool
    ) -> float:
        """Standing on a place, with an engine test to come or without."""
        value = self._standing(to_go, place, lever, wear, fitted)
        if not tested:
            return value
        hurt = self._standing(to_go, place, lever, self._left(wear, _TEST), fitted)
        return value + self._hurts * (hurt - value)

    def place_after(self, car: Car, arrival: Arrival) -> int:
        """The place of a move's end; one braked away is a stop where the car stands."""
        assert car.space is not None
        in_pit = self._setup.track.straight[car.space] == IN_PIT
        space, stops = (self._setup.track.exits[0], 0) if in_pit else (car.space, car.stops)
        here = self._places.at(space, stops)
        return self._places.at(arrival.space, self._places.stops_after(here, arrival))

    # -- in the pit ---------------------------------------------------------------------------

    def stopping(self, car: Car, kinds: Iterable[str] | None = None) -> float:
        """The turns that come after this one for a car whose stop begins, its lap counted.

        `kinds`: the tires that it may fit; those worth fitting, if nothing is said.
        """
        fresh = type(car.full)(
            full if at == book.TIRES else car.wear[at] for at, full in enumerate(car.full)
        )
        to_go, place = self._setup.laps - car.lap, self._places.stop
        # At the end of the last lap nobody stops (FD-PIT-1).
        if to_go < 0 or not self._has_pit:
            return self._model.out
        offsets = self._table.offsets([(1, fresh)])
        if "tires" not in self._setup.rules:
            kinds = (car.tires,)
        return min(
            self._table.least(to_go, place, offsets, Fitted(kind))
            for kind in kinds or self._model.kinds
        )

    def _into_pit(self, car: Car, space: int) -> float:
        """The turns to come after a move that ends in the pit."""
        late = car.status is not Status.PIT and self._model.is_late(car.gear)
        mark = PitMark.LATE if late else car.pit_mark
        served = car.status is Status.PIT and car.served
        there = replace(car, space=space, status=Status.PIT, served=served, pit_mark=mark)
        return self._in_pit(there)

    def _in_pit(self, car: Car) -> float:
        """The turns to come of a car in the pit, after the turn in which it has come there."""
        if not self._has_pit:
            return self._model.out
        in_box = car.space in self._setup.track.boxes
        if in_box and not car.served:
            waits = car.pit_mark is PitMark.WAITS
            late = waits or car.pit_mark is PitMark.LATE
            return late + self.stopping(replace(car, lap=car.lap + (not waits)))
        kind = _IN_BOX if in_box else _FRESH if car.pit_mark is PitMark.FRESH else _LANE
        to_go, lever = self._setup.laps - car.lap, 4 * car.gear + kind
        turns = self._standing(to_go, self._in_lane(car), lever, car.wear, fitted_on(car))
        return turns + (car.pit_mark is PitMark.LATE)

    def _in_lane(self, car: Car) -> int:
        """The place of a car in the pit, by its way to the box or to the end of the lane."""
        track = self._setup.track
        if not car.served:
            return self._places.before_box(self._state.ground.spaces_to_box(self._state, car))
        if car.space in track.boxes:
            first = car.space == track.boxes[0]
            beside = track.box_lane[track.boxes.index(car.space)]
            left = len(track.pit) - track.pit.index(beside)
            return self._places.at(track.boxes[0]) if first else self._places.beyond_box(left)
        assert car.space is not None
        return self._places.at(car.space)

    # -- looked up ----------------------------------------------------------------------------

    def _standing(
        self, to_go: int, place: int, lever: int, wear: book.Wear, fitted: Fitted
    ) -> float:
        key = to_go, place, lever, wear, fitted
        value = self._known.get(key)
        if value is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            offsets = self._on_offer(lever, wear)
            if offsets:
                value = self._table.least(to_go, place, offsets, fitted)
            else:
                value = self._price(to_go, self._places.spaces[place], fitted)
            self._known[key] = value
        return value

    def _on_offer(self, lever: int, wear: book.Wear) -> tuple[int, ...]:
        """Where a block has the gears after this one, as the rules offer them to this wear."""
        found = self._gears.get((lever, wear))
        if found is None:
            gear, kind = divmod(lever, 4)
            status = Status.PIT if kind >= _LANE else Status.RACING if gear else Status.SPUN
            car = Car(1, "", 1, gear=gear, wear=wear, status=status, served=kind == _IN_BOX)
            car = replace(car, pit_mark=PitMark.FRESH if kind == _FRESH else None)
            choices = [c for c in gear_choices(car, in_box=kind == _IN_BOX) if not c.out]
            found = self._table.offsets((c.gear, book.less(wear, c.cost)) for c in choices)
            self._gears[lever, wear] = found
        return found

    def _left(self, wear: book.Wear, cost: book.Wear) -> book.Wear:
        """What is left of the wear."""
        found = self._lefts.get((wear, cost))
        if found is None:
            found = self._lefts[wear, cost] = book.less(wear, cost)
        return found


def fitted_on(car: Car) -> Fitted:
    """The tires that a car is on."""
    return _fitted(car.tires, car.tires_lap)


@lru_cache
def _fitted(kind: str, lap: int) -> Fitted:
    return Fitted(kind, min(OLDEST, lap))


# -- which solved board ---------------------------------------------------------------------------


Find = Callable[[Sky], Table | None]
"""The table of a race that is solved for this; None: there is none."""


class Figures(Protocol):
    """Whoever knows the values of a car alone."""

    def of(self, state: State, seat: int) -> Alone:
        """The values of a seat's car as the race stands."""


class BySky:
    """The values of one race, each table looked for once."""

    def __init__(self, setup: book.Setup, find: Find) -> None:
        self._setup, self._find = setup, find
        self._known: dict[Sky, Alone] = {}
        self._is_usual = not setup.rules & {"weather", "tires"}

    def of(self, state: State, seat: int) -> Alone:
        """The values of a seat's car; where its sky is not solved, those of one that is."""
        found = None
        # Without weather and tires all cars share one sky, which need not be worked out for each
        # value.
        if self._is_usual and state.weather in (None, USUAL.weather):
            found = self._known.get(USUAL)
        if found is None:
            found = self.exactly(sky_of(state, seat))
        if found is None:
            found = next(iter(self._known.values()))
        return found

    def exactly(self, sky: Sky) -> Alone | None:
        """The values of a sky; None: it is not solved, or not yet, so it is looked for again."""
        if sky not in self._known:
            table = self._find(sky)
            if table is None:
                return None
            self._known[sky] = Alone(table, self._setup)
        return self._known[sky]


def moves_as_solved(setup: book.Setup) -> bool:
    """Whether the weather moves as it is solved: a row at a time, at once (FD-WEATHER-3)."""
    return setup.house.weather_machine == "rows" and setup.house.weather_test == "move"


def sky_of(state: State, seat: int) -> Sky:
    """What a seat's race is solved for, as it stands.

    After a stop it does not matter on which tires the car began. Weather that changes by a house
    switch is taken as it is.
    """
    car, weather = state.cars[seat], state.weather or "fine"
    if weather in book.CHANGEABLE and not moves_as_solved(state.setup):
        weather = "rain" if weather in book.RAINS else "fine"
    return Sky("hard" if car.pit_stops else car.tires, weather)


def skies(setup: book.Setup) -> list[Sky]:
    """What is solved for a race whose weather nobody knows yet, on the tires that bots fit."""
    if "weather" not in setup.rules:
        return [USUAL]
    in_rain = Sky("rain" if "tires" in setup.rules else "hard", "rain")
    changes = [Sky("hard", "variable")] if moves_as_solved(setup) else []
    return [USUAL, in_rain, *changes]


def skies_of(state: State) -> list[Sky]:
    """What is solved for a race as it stands, the first car's first."""
    if state.weather is None and "weather" in state.setup.rules:
        return skies(state.setup)
    return list(dict.fromkeys(sky_of(state, seat) for seat in state.cars))
