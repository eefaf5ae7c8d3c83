"""The state of a Formula race, and all that changes it: events, pending steps, and the flow.

A turn is a queue of steps, kept in the state. The first of them is what happens now: either it
waits, and then it asks (`asks`, `answer`), or it goes by itself (`settle`). What it brings with
it is put into the queue, and so on, until the end of the turn begins the next one.

These name one another, so they stand in one file; chapters and grounds come above it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Protocol, Self, TypedDict, TypeVar, Unpack

from companion.rules.codec import Context, Points, Record, Seat, Seats, Word, replace, tell
from companion.rules.formula import book
from companion.rules.formula.book import Setup, Wear, less, total
from companion.rules.formula.car import Car, On, Place, Point, Status, Way
from companion.rules.game import Ask, Decision
from companion.rules.lines import bad
from companion.system.frozen import dataclass

Asks = Sequence[Ask]
# Asked for at every step, and Python 3.11 looks a member of an Enum up by a function.
BEFORE_THE_RACE: Final = Point.BEFORE_THE_RACE
T = TypeVar("T")
StepT = TypeVar("StepT", bound="Step")


class Phase(StrEnum):
    """Where a race is."""

    SETUP = "setup"
    TRIALS = "trials"
    RACE = "race"
    FINISHED = "finished"


@dataclass(frozen=True)
class State:
    """A race at one moment; none of its mappings is ever changed in place.

    `ground` is what it is run on: the game's beginning gives it, by whether there is a board.
    `weather` is None until it is rolled. `pools` are the teams' generic WP (FD-TEAM-1). `sky` is
    the line of the weather table that was hit last, where the next roll may fix it (FD-WEATHER-3).
    `laid` are the spaces of `debris` as they were laid, the oldest first, where a house switch asks
    for them (`markers`). `laps_added` are those that the referee has added to the header's.
    """

    setup: Setup
    # Each reading makes a ground of its own; that must not make two equal races differ.
    ground: Ground = field(compare=False)
    phase: Phase = Phase.SETUP
    round: int = 0
    turn: int | None = None
    order: tuple[int, ...] = ()
    weather: str | None = "fine"
    cars: Mapping[int, Car] = field(default_factory=dict)
    debris: frozenset[int] = frozenset()
    pending: tuple[Step, ...] = ()
    laid: tuple[int, ...] = ()
    pools: Mapping[str, int] = field(default_factory=dict)
    sky: str | None = None
    laps_added: int = 0

    @property
    def raining(self) -> bool:
        """Whether it rains (FD-WEATHER-3)."""
        return self.weather in book.RAINS

    @property
    def is_urban(self) -> bool:
        """Whether this race is run through the streets (FD-URBAN-1)."""
        return book.URBAN in self.setup.rules

    def running(self) -> list[Car]:
        """The cars still in the race, by seat."""
        return [car for car in self.cars.values() if car.runs]

    @property
    def context(self) -> Context:
        """What its steps are written and read with."""
        return Context(self.setup.track, self.cars, self.setup.edition.categories)

    def change(self, seat: int, **values: Any) -> State:
        """The state with some fields of one car set."""
        return replace(self, cars={**self.cars, seat: replace(self.cars[seat], **values)})

    def used(self, seat: int, name: str) -> State:
        """The state with something of a car used up (`car.Street`)."""
        street = self.cars[seat].street
        return self.change(seat, street=replace(street, used=street.used | {name}))

    def remembering(self, seat: int, **values: Any) -> State:
        """The state with some of what house switches have a car remember set (`car.Memory`)."""
        return self.change(seat, memory=replace(self.cars[seat].memory, **values))

    def worn(self, seat: int, cost: Wear) -> State:
        """The state with these wear points of a car lost (FD-CAR-2)."""
        return self.change(seat, wear=less(self.cars[seat].wear, cost)) if any(cost) else self

    def regained(self, seat: int, gain: Wear) -> State:
        """The state with these wear points of a car back.

        FD-REV-2, by house switch: a gearbox that was at 0 is limited for good. FD-CORNER-7: the
        grace of a spin is over with new tires.
        """
        car = self.cars[seat]
        from_none = gain[book.GEARBOX] > 0 and not car.wear[book.GEARBOX]
        limited = car.memory.limited or (from_none and self.setup.house.repair_lifts == "no")
        grace = None if gain[book.TIRES] else car.memory.grace
        regained = self.change(seat, wear=total(car.wear, gain))
        if (limited, grace) == (car.memory.limited, car.memory.grace):
            return regained
        return regained.remembering(seat, limited=limited, grace=grace)

    def plays(self, rules: Collection[str]) -> bool:
        """Whether any of these optional rules is on."""
        return not self.setup.rules.isdisjoint(rules)

    def wrecks(self) -> dict[int, Car]:
        """The cars that are out and still stand in the way, by space (DE-BLOCK-1)."""
        gone = (car for car in self.cars.values() if car.is_wreck)
        return {car.out.space: car for car in gone if car.out and car.out.space is not None}


# -- events ---------------------------------------------------------------------------------------

Cost = Annotated[Wear, Points(lost=True)]
"""Wear points lost or gained: only the categories that change are named."""
Roll = int | list[int]
"""What was answered for the black die: a number, or a range that was on offer."""


class Event(Record):
    """Base of all events; `seat` 0 is the table. One that is not `public` stays inside.

    An event carries all that it changes, so that applying it (`applied`) needs no rule and refuses
    nothing. `rule` is the id of the rule behind it, in whose chapter it stands. Spaces go by their
    ids.
    """

    seat: int
    rule: str | None

    public: ClassVar[bool] = False
    names: ClassVar[dict[str, type[Event]]] = {}
    """Every public event, by its name."""

    def __init_subclass__(cls, *, public: bool = True) -> None:
        super().__init_subclass__()
        cls.public = public
        if public:
            Event.names[cls.__name__] = cls

    @classmethod
    @cache
    def just(cls, seat: int) -> Self:
        """The event of which nothing but the seat is said; every turn has some, made once."""
        return cls(seat=seat, rule=None)

    def applied(self, state: State) -> State:
        """The state after it."""
        return state

    def as_json(self, context: Context) -> dict[str, object]:
        """The event as the engine protocol tells it."""
        return {"event": type(self).__name__, **tell(self, context)}


class Wears(Event, public=False):
    """An event by which its car loses wear points."""

    cost: Annotated[Wear, Points(lost=True), Word(last=True)]

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)


# -- pending steps --------------------------------------------------------------------------------


class Kind(TypedDict, total=False):
    """What is said of a kind of step where its class begins; see `Step`."""

    kind: str
    at: Point
    rule: str
    on: On
    needs: Collection[str]
    before_race: bool
    on_trial: bool
    outlives: bool
    on_road: bool


class Step(Record):
    """One pending step, each kind a class in the chapter of the rulebook that it belongs to.

    Besides its fields it says when it `waits`, what is left of it when a car is gone (`without`),
    and what of it would contradict a state (`check`). What a roll or a way brings with it is not
    listed anywhere: every kind is asked (`after_roll`, `after_way`), so a rule that hangs on a way
    is found in its chapter.

    Of its kind is said: its name in STATE; its point; the rule behind it; the ground; `needs`,
    optional rules of which one must be on; whether it may be pending before the race, and of a
    car in its trial; `outlives`: it goes on without its car; `on_road`: it comes after a move, but
    not for a car that the line has lifted (FD-END-2).
    """

    kind: ClassVar[str]
    at: ClassVar[Point]
    rule: ClassVar[str]
    on: ClassVar[On] = On.BOTH
    needs: ClassVar[Collection[str]] = ()
    before_race: ClassVar[bool] = False
    on_trial: ClassVar[bool] = False
    outlives: ClassVar[bool] = False
    on_road: ClassVar[bool] = False

    kinds: ClassVar[dict[str, type[Step]]] = {}
    """All kinds by their names; `game.py` imports every chapter, so they are all there."""

    def __init_subclass__(cls, **about: Unpack[Kind]) -> None:
        super().__init_subclass__()
        for name, value in about.items():
            setattr(cls, name, value)
        # Past the property: a queue is ordered by it at every step that is put in.
        if "at" in about and "point" not in vars(cls):
            type.__setattr__(cls, "point", cls.at)
        # Classes that only others build on (`SeatStep`, `Contact`) have no name and are never
        # pending.
        if "kind" in about:
            Step.kinds[cls.kind] = cls

    @property
    def point(self) -> Point:
        """Where it comes in a turn."""
        return self.at

    def waits(self, state: State) -> bool:
        """Whether it waits for an answer, as the first step."""
        return True

    def asks(self, state: State) -> Asks:
        """What is asked while it waits."""
        return ()

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """What the answer to one of its asks brings about; it is taken off the queue.

        Raises:
            Malformed: the value is not of the form of this kind.
            Illegal: it is not on offer.
        """
        raise NotImplementedError

    def settle(self, flow: Flow) -> None:
        """What it does by itself, where it does not wait; it is taken off the queue."""

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """What is left when a car is out, or (`retired`) taken from the race by the referee."""
        return self

    def marked(self, seat: int) -> Step:
        """The step when this car leaves debris at the end of the turn (FD-DEBRIS-1)."""
        return self

    def end_of(self, seat: int) -> int | None:
        """Where the move of this car ended, which the last line has lifted (FD-END-2)."""
        return None

    def sparing(self, seat: int, other: int) -> Step:
        """The step when a car rolls in no collision that this seat causes now (DE-BLOCK-2)."""
        return self

    def check(self, state: State) -> None:
        """Refuse what contradicts the state.

        Raises:
            Malformed: what is wrong, with its rule.
        """

    def seats_named(self) -> Iterable[int]:
        """The seats that it names and that must be running for it to be pending."""
        return ()

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """Put in what a roll of the gear die brings with it, of this kind; not in trials."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """Put in what a way brings with it, of this kind."""


class SeatStep(Step):
    """A step that belongs to a car; it falls away with it, unless it outlives it."""

    seat: Annotated[int, Seat()]

    @classmethod
    @cache
    def just(cls, seat: int) -> Self:
        """The step of which nothing but the seat is said; every turn has several, made once."""
        return cls(seat=seat)

    def without(self, seat: int, *, retired: bool) -> Step | None:
        return None if seat == self.seat and not self.outlives else self

    def seats_named(self) -> Iterable[int]:
        return () if self.outlives else (self.seat,)


class ByItself(SeatStep):
    """A step of a car that asks nobody anything."""

    def waits(self, state: State) -> bool:
        return False


class AllSeats(Step):
    """A step that waits as long as one of its `seats` has not answered, in any order."""

    seats: Seats = ()

    def waits(self, state: State) -> bool:
        return bool(self.seats)

    def strike(self, flow: Flow, seat: int) -> None:
        """A seat has answered."""
        flow.due(replace(self, seats=but(self.seats, seat)))

    def without(self, seat: int, *, retired: bool) -> Step:
        """A car that is out is not asked any more."""
        return replace(self, seats=but(self.seats, seat)) if retired else self

    def seats_named(self) -> Iterable[int]:
        return self.seats

    def check(self, state: State) -> None:
        if len(set(self.seats)) != len(self.seats):
            bad("pending-form", f"{self.kind} names a seat twice")


def but(things: Iterable[T], one: T) -> tuple[T, ...]:
    """All of them but one."""
    return tuple(thing for thing in things if thing != one)


# -- one decision ---------------------------------------------------------------------------------


class StepsPended(Event, public=False):
    """The queue of pending steps after an answer; not public."""

    steps: tuple[Step, ...]

    def applied(self, state: State) -> State:
        return replace(state, pending=self.steps)


class Flow:
    """The work of one decision: what follows from one answer or referee's line.

    It is events one after another, and the queue of steps that they leave; all that edits the
    queue of a turn stands here. A step is put in by its point (`car.Point`): before the first one
    that comes later or at the same point, so that what has just arisen is done first, and what is
    left of a step that was taken comes back to where it was. Each event is applied as it is added,
    and only then; what follows sees it.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.queue: list[Step] = list(state.pending)
        edition = state.setup.edition
        self._differs = bool(edition.ids) or edition.one_pool

    # -- events --------------------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        """Tell an event, with its rule under the id that the edition gives it, and apply it.

        FD-BASIC-3: where one pool pays, what an event costs is told as its points.
        """
        if self._differs:
            event = self._in_edition(event)
        self.events.append(event)
        self.state = event.applied(self.state)

    def _in_edition(self, event: Event) -> Event:
        edition = self.state.setup.edition
        if event.rule is not None and event.rule in edition.ids:
            event = replace(event, rule=edition.ids[event.rule])
        if edition.one_pool and isinstance(event, Wears):
            event = replace(event, cost=book.paid_by(self.car(event.seat).wear, event.cost))
        return event

    def car(self, seat: int) -> Car:
        """The car as it is now."""
        return self.state.cars[seat]

    def stands(self, seat: int) -> int | None:
        """Where the car is, or came to if it is lifted and its turn goes on (FD-END-2)."""
        ends = (step.end_of(seat) for step in self.queue)
        space = self.car(seat).space
        return next((end for end in ends if end is not None), space) if space is None else space

    def done(self) -> Decision[State, Event]:
        """What has come of it: all events, the queue last, and the state."""
        queue = tuple(self.queue)
        if queue != self.state.pending:
            # No pool pays for it and no edition has its rule: it needs nothing of `tell`.
            event = StepsPended(seat=0, rule=None, steps=queue)
            self.events.append(event)
            self.state = event.applied(self.state)
        return Decision(tuple(self.events), self.state)

    def standing(self) -> State:
        """The state with the queue as it is now, which nothing tells."""
        self.state = replace(self.state, pending=tuple(self.queue))
        return self.state

    # -- the queue -----------------------------------------------------------------------------

    def due(self, *steps: Step) -> None:
        """Put steps in, each by its point; those of one point in the order given.

        What is settled before the race is one list (`position.py`): there a step comes first.
        """
        queue = self.queue
        # From the last to the first: each goes in front of its equals, so they end up as given.
        for step in reversed(steps):
            point, at = step.point, 0
            if point is not BEFORE_THE_RACE:
                for other in queue:
                    if other.point >= point:
                        break
                    at += 1
            queue.insert(at, step)

    def take(self) -> Step:
        """Take the first step off: it is answered, or goes by itself."""
        return self.queue.pop(0)

    def revise(self, kind: type[StepT], change: Callable[[StepT], Step]) -> None:
        """Change all pending steps of a kind where they stand."""
        self.queue = [change(s) if isinstance(s, kind) else s for s in self.queue]

    def drop_all(self) -> None:
        """Nothing is pending any more: the race is over, or begins again."""
        self.queue = []

    def drop(self, seat: int, kinds: Collection[str]) -> None:
        """Drop what is pending of these kinds for a car."""
        self.queue = [s for s in self.queue if s.kind not in kinds or seat not in s.seats_named()]

    def lift(self, seat: int) -> None:
        """The line has lifted a car: what comes after a move on the road is not for it."""
        self.drop(seat, [kind for kind, step in Step.kinds.items() if step.on_road])

    def drop_car(self, seat: int, *, retired: bool = False) -> None:
        """What is pending goes on without a car that is out."""
        left = (step.without(seat, retired=retired) for step in self.queue)
        self.queue = [step for step in left if step is not None]

    def after_roll(self, seat: int, face: int) -> None:
        """Put in what a roll of the gear die brings with it."""
        for kind in _bringing("after_roll", self.state.setup.rules, len(Step.kinds)):
            kind.after_roll(self, seat, face)

    def after_way(self, way: Way) -> None:
        """Put in what a way brings with it; a trial has ways of its own (FD-TRIAL-1)."""
        state, known = self.state, len(Step.kinds)
        for kind in _bringing_after_way(state.setup.rules, known, state.phase is Phase.TRIALS):
            kind.after_way(self, way)


@cache
def _bringing(method: str, rules: frozenset[str], known: int) -> tuple[type[Step], ...]:
    """The kinds that a roll or a way may bring with it under these optional rules.

    `known` is how many kinds there are by now.
    """
    # Bound class methods are made anew at each access; only the functions can be compared.
    base = getattr(Step, method).__func__
    on = (k for k in Step.kinds.values() if not k.needs or not rules.isdisjoint(k.needs))
    kinds = tuple(k for k in on if getattr(k, method).__func__ is not base)
    # The number is part of the cache's key, so a chapter imported later is not missed.
    assert len(Step.kinds) == known
    return kinds


@cache
def _bringing_after_way(
    rules: frozenset[str], known: int, on_trial: bool
) -> tuple[type[Step], ...]:
    return tuple(k for k in _bringing("after_way", rules, known) if k.on_trial == on_trial)


# -- the ground -----------------------------------------------------------------------------------


class Ground(Protocol):
    """What a race is run on: a board that is known, or (boardless) what the seats report.

    A race is given its ground once (`State.ground`). Whatever differs between the two is a method
    here: `ground.OnBoard` has it for a board, `ground.ByReport` for a race whose spaces are not
    known. No other rule asks whether there is a board.
    """

    forgets_order: bool = False
    """Whether the order of a race that is over is known by the places alone."""

    # -- a turn --------------------------------------------------------------------------------

    def ask_move(self, state: State, step: Step) -> Ask:
        """What a seat is asked of its move."""

    def answer_move(self, flow: Flow, step: Step, ask: Ask, value: object) -> None:
        """The answer to that: a way, and what it brings with it.

        Raises:
            Malformed: the value is not of its form.
            Illegal: the move cannot have been like that.
        """

    def stop_in_box(self, seat: int) -> Step:
        """The step in which the stop of a car in its box begins (DE-PIT-1)."""

    def in_front(self, flow: Flow, seat: int) -> int | None:
        """The seat of the car directly in front of one that is held up, if it still runs."""

    def in_contact(self, flow: Flow, seat: int) -> list[int]:
        """The seats of running cars beside or directly in front of one that is held up."""

    # -- rounds --------------------------------------------------------------------------------

    def ranked(self, state: State, cars: Iterable[Car]) -> list[Car]:
        """Cars from first to last: further, then higher gear, then nearer the inside.

        FD-ORDER-1 to FD-ORDER-3. DE-ORDER-1: before the inside, who arrived first; in Formula D
        nobody remembers that.
        """

    def round_order(self, state: State) -> tuple[int, ...]:
        """The order of a new round; of the first one that of the grid (FD-START-1).

        A wreck that still stands has its turn too (DE-BLOCK-1).
        """

    def orders_itself(self, flow: Flow) -> bool:
        """A round is over: whether the next one's order is known, or has to be asked for."""

    def open_round(self, flow: Flow) -> tuple[int, ...] | None:
        """The order of a round that begins from a position; None: it is asked for, and queued."""

    # -- where cars are ------------------------------------------------------------------------

    def place(self, setup: Setup, car: Car) -> Place:
        """Where a car stands, or stood."""

    def in_box(self, state: State, car: Car) -> bool:
        """Whether a car stands in its box."""
        return self.place(state.setup, car) is Place.BOX

    def spaces_to_box(self, state: State, car: Car) -> int:
        """How far it is to its box for a car in the pit lane before it; 0 for all others."""

    def has_box(self, setup: Setup, car: Car) -> bool:
        """Whether there is a box for a car to stop in."""

    def grid_is_open(self, state: State) -> bool:
        """Whether it is not known yet who begins where."""

    def set_grid(self, state: State, order: Sequence[int]) -> State:
        """The cars on the grid, pole first."""

    def space_of_return(self, state: State, car: Car) -> int | None:
        """Where a car that is out comes back: where it went out, or the nearest free space behind.

        A car that went out past its last line has not finished: it comes back before the line.
        None: it is not known where it stands.

        Raises:
            Illegal: there is nowhere for it.
        """

    def space_of_joining(self, state: State) -> int | None:
        """Where a car that comes late stands: behind the last place of the grid that was given out.

        Where another car stands there, the next place behind it, and behind the grid the next free
        space of its last lane. None: it is not known where cars stand.

        Raises:
            Illegal: there is nowhere for it.
        """

    # -- positions -----------------------------------------------------------------------------

    def first_lap(self, setup: Setup, data: Mapping[str, object], space: int | None) -> int:
        """The lap of a car of which it is not said: lap 0 as long as it stands before the line."""

    def status_unsaid(
        self, setup: Setup, car: Car, data: Mapping[str, object], *, before: bool
    ) -> Status:
        """How a car stands of which it is not said; `before` the race."""

    def read_served(self, setup: Setup, car: Car, data: object) -> bool:
        """Whether the stop of a car is over; left out, one in its box or beyond has made it.

        A served car may stand before its box: it returned there, where its own space was taken.
        One in its box may not be served yet: debris on its way there is still to be rolled for.

        Raises:
            Malformed: it contradicts where the car stands (FD-PIT-6).
        """

    def fill_grid(self, setup: Setup, cars: dict[int, Car], rest: Sequence[int]) -> None:
        """Put cars that a position does not name on what is free of the grid."""

    def order_unsaid(
        self, state: State, data: Mapping[str, object], grid: tuple[int, ...] | None
    ) -> State:
        """The order where a position names none: where cars stand says it."""

    def contradicts_space(self, setup: Setup, car: Car, phase: Phase) -> bool:
        """Whether a car stands on a space and should not, or stands nowhere and should.

        It stands on one exactly while it runs, or waits for its race or trial.
        """
