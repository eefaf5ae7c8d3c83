"""One car of a Formula race, the points of a turn, and one end of a move with its price.

All of it is immutable, and nothing of it could be worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Any, Literal, NamedTuple

from companion.rules import codec
from companion.rules.board.track import Track
from companion.rules.board.ways import Arrival
from companion.rules.formula import book
from companion.rules.formula.book import TIRES
from companion.rules.lines import bad, only_keys, whole
from companion.system.frozen import dataclass

# -- what a car remembers, as STATE has it --------------------------------------------------------

# What it has used up has a name, which its chapter gives it (`uses`).


class Use(NamedTuple):
    """What a car may use up: who can, and whether the next lap brings it back."""

    able: Callable[[book.Driver], bool]
    each_lap: bool


USES: dict[str, Use] = {}
"""By name; `game.py` imports every chapter, so they are all there."""


def uses(name: str, able: Callable[[book.Driver], bool], *, each_lap: bool) -> str:
    """Put in what a car may use up; gives its name."""
    USES[name] = Use(able, each_lap)
    return name


def used_over_line(used: frozenset[str]) -> frozenset[str]:
    """What stays used up in the next lap."""
    return frozenset(name for name in used if not USES[name].each_lap)


Drifts = tuple[tuple[int, int], ...]
Notes = tuple[tuple[int, int, int], ...]


class DriftForm(codec.Form[Drifts]):
    """Pairs of a corner and a lap, as laps by the labels of corners."""

    def tell(self, value: Drifts, context: codec.Context) -> dict[str, int]:
        return {context.board.corners[corner].label: lap for corner, lap in value}

    def read(self, data: object, what: str, context: codec.Context) -> Drifts:
        if not isinstance(data, dict):
            bad("drift-form", f'drift is laps by corner ({{"T3": 1}}), not {data!r:.60}')
        labels = [corner.label for corner in context.board.corners]
        for label in data:
            if label not in labels:
                name = context.board.name
                bad("no-such-corner", f"{name} has no corner {label!r:.20}", rule="FD-DRV-2")
        laps = {labels.index(label): whole(lap, "lap", 1, book.MANY) for label, lap in data.items()}
        return tuple(sorted(laps.items()))


class NotesForm(codec.Form[Notes]):
    """Notes of lap, speed and as which car it passed, as objects by laps (FD-URBAN-5)."""

    def tell(self, value: Notes, context: codec.Context) -> dict[str, object]:
        return {str(lap): {"speed": speed, "passed": passed} for lap, speed, passed in value}

    def read(self, data: object, what: str, context: codec.Context) -> Notes:
        if not isinstance(data, dict):
            bad("police-form", f"police is notes by lap, not {data!r:.60}")
        if data and not context.board.police:
            message = f"{context.board.name} has no police station"
            bad("police-form", message, rule="FD-URBAN-5")
        return tuple(_read_note(lap, note) for lap, note in data.items())


@dataclass(frozen=True)
class Street:
    """What a car of an urban race has beside all others; `driver` is a name of `book.DRIVERS`.

    `used` names what is used up in this lap or race; `drift` has the lap of the latest drift by
    corner, `police` the notes of open contests by lap, each with its speed and as which car it
    passed.
    """

    used: Annotated[frozenset[str], codec.Marks(USES)] = frozenset()
    drift: Annotated[Drifts, DriftForm(), codec.Word(sparse=True)] = ()
    police: Annotated[Notes, NotesForm(), codec.Word(sparse=True)] = ()
    driver: Annotated[str | None, codec.Word(hidden=True)] = None


def _read_note(lap: object, note: object) -> tuple[int, int, int]:
    laps = {str(lap): lap for lap in range(1, book.LAPS[1] + 1)}
    if lap not in laps or not isinstance(note, dict):
        bad("police-form", f"police has no note {lap!r:.20}: {note!r:.40}")
    only_keys(note, ("speed", "passed"), "a note of the police")
    passed = whole(note.get("passed"), "passed", 1, book.MANY)
    speed = whole(
        note.get("speed"), "speed", book.SPEED_OF_A_FACE, book.SPEED_OF_A_FACE * book.TOP_FACE
    )
    if speed % book.SPEED_OF_A_FACE:
        message = f"a speed is {book.SPEED_OF_A_FACE} times a face, not {speed}"
        bad("police-form", message, rule="FD-URBAN-5")
    return laps[lap], speed, passed


# -- the car --------------------------------------------------------------------------------------


class Status(StrEnum):
    """How a car stands."""

    GRID = "grid"
    RACING = "racing"
    STALLED = "stalled"
    SPUN = "spun"
    PIT = "pit"
    FINISHED = "finished"
    OUT = "out"


class Place(Enum):
    """Where a car stands, or stood when it went out."""

    TRACK = auto()
    LANE = auto()
    BOX = auto()
    NOWHERE = auto()


UNMOVED: Mapping[str, Any] = {
    **dict.fromkeys(("gear", "lap", "stops"), 0),
    "space": None,
    "tires_lap": 1,
    "status": Status.GRID,
}
"""What a car is before it has its place on the grid."""
RUNNING = frozenset({Status.GRID, Status.RACING, Status.STALLED, Status.SPUN, Status.PIT})


@dataclass(frozen=True)
class Out:
    """Why a car is out: the reason, its rule (None: retired), the round, and where it stood.

    `stands`: the wreck is still there, until the car's next turn (DE-BLOCK-1).
    """

    why: Annotated[str, codec.Name()] = "retired"
    rule: Annotated[str | None, codec.Maybe(codec.Name())] = None
    round: Annotated[int, codec.Within(0, book.MANY)] = 0
    space: Annotated[int | None, codec.Maybe(codec.Space())] = None
    was: Annotated[Status, codec.OneOf(tuple(sorted(RUNNING)))] = Status.RACING
    stands: Annotated[bool, codec.Flag("DE-BLOCK-1"), codec.Word(sparse=True)] = False


LONGEST_TRIAL_S = 86_400


class Seconds(codec.Form[float | None]):
    """The time of a lap in seconds, with or without a fraction; None: it was not driven."""

    def read(self, data: object, what: str, context: codec.Context) -> float | None:
        if data is None:
            return None
        # True would pass for a number, and text would not compare: -1 is refused by the bounds.
        if isinstance(data, bool) or not isinstance(data, int | float):
            data = -1
        if not 0 < data <= LONGEST_TRIAL_S:
            message = f"{what} is a number of seconds, up to a day"
            bad("time-form", message, rule="FD-TRIAL-1")
        return data


@dataclass(frozen=True)
class Trial:
    """A time trial so far: gear rolls, and spaces of overshoot (FD-TRIAL-2).

    `seconds` is None until the lap is driven; `reached` is how far an ended trial came, in
    levels from the line (FD-TRIAL-3), None for all others.
    """

    rolls: Annotated[int, codec.Within(0, book.MANY)] = 0
    beyond: Annotated[int, codec.Within(0, book.MANY)] = 0
    seconds: Annotated[float | None, Seconds()] = None
    reached: Annotated[int | None, codec.Maybe(codec.Within(0, book.MANY))] = None


class OnCard(codec.Form[int]):
    """A corner of the card of a board, by its label."""

    def tell(self, value: int, context: codec.Context) -> str | None:
        corners = context.board.corners
        return corners[value].label if corners else None

    def read(self, data: object, what: str, context: codec.Context) -> int:
        labels = [corner.label for corner in context.board.corners if context.board.is_blank]
        if data is not None and data not in labels:
            bad("no-such-corner", f"the card has no corner {data!r:.20}", rule="FD-CORNER-1")
        return labels.index(str(data)) if data is not None else 0


Count = Annotated[int, codec.Within(0, book.MANY)]
Few = Annotated[int, codec.Within(0, book.MANY), codec.Word(sparse=True)]
Mark = Annotated[bool, codec.Flag(), codec.Word(sparse=True)]


class PitMark(StrEnum):
    """What the pit still holds against a car.

    It came into the lane too fast; stands a turn in its box for it (DE-PIT-1); or has left it by
    a fast stop (DE-PIT-2).
    """

    LATE = "late"
    WAITS = "waits"
    FRESH = "fresh"


@dataclass(frozen=True)
class Memory:
    """What house switches have a car remember.

    `limited`: a gearbox that was at 0 shifts down by one gear for good (FD-REV-2); `extra`: it has
    had its extra move of this lap (`extra_move`); `second_roll`: its second roll of this race;
    `weather_due`: it rolls for the weather when the round ends (FD-WEATHER-3); `blown`: its engine
    is gone and it rolls on, once more or home (FD-ENGINE-3); `laps_down`: how often it was lapped
    as its turn began (FD-ORDER-1); `grace`: whether this is the one turn in which tires at 0 allow
    a space of overshoot (FD-CORNER-7), None before that turn.
    """

    limited: Mark = False
    extra: Mark = False
    second_roll: Mark = False
    weather_due: Mark = False
    blown: Annotated[
        Literal["last", "home"] | None,
        codec.Maybe(codec.OneOf(("last", "home"), "FD-ENGINE-3")),
        codec.Word(sparse=True),
    ] = None
    laps_down: Annotated[int, codec.Within(0, book.MANY, "FD-ORDER-1"), codec.Word(sparse=True)] = 0
    grace: Annotated[bool | None, codec.Maybe(codec.Flag()), codec.Word(sparse=True)] = None


@dataclass(frozen=True)
class Flags:
    """The flags that a car was given, and the turns that it has to lose for them (`rounds.py`)."""

    time: Annotated[int, codec.Within(0, book.MANY), codec.Word("time_flags", sparse=True)] = 0
    error: Annotated[int, codec.Within(0, book.MANY), codec.Word("error_flags", sparse=True)] = 0
    sits_out: Few = 0


@dataclass(frozen=True)
class Reckoning:
    """Where a boardless car is, as far as the reports of its moves tell.

    `corner` is the corner of the card that it is in or comes to next; `depth` are the fewest and
    the most spaces that it can have come in it (both 0: it is before it, or nobody knows),
    `line_due` tells that the last corner is behind it and the line is not, and `run` counts the
    spaces it has moved.
    """

    corner: Annotated[int, OnCard()] = 0
    depth: Annotated[
        tuple[int, int],
        codec.Pair(codec.Within(0, book.MANY), codec.Within(0, book.MANY)),
        codec.Word(sparse=True),
    ] = (0, 0)
    line_due: Mark = False
    run: Few = 0


MOST_SEATS = 99


@dataclass(frozen=True)
class Car:
    """One car. `space` is an index of the track, None when finished or out.

    `wear` stands in the order of `book.CATEGORIES`; `full` is what it started with
    (FD-CAR-2). `lap` counts the crossings of the line (FD-END-2). `stops` are those made in
    the corner that the car is in. `served` tells, in the pit lane, that the stop is over.
    `pool` are the car's own generic WP (FD-TECH-1); None where there are none, or the team's.
    `arrived` tells who came first where it matters: the later, the higher (DE-ORDER-1; in the
    pit, when it drove in: DE-PIT-4).

    What it must remember for one chapter only is a record of that chapter, at its default where
    the chapter is not in force; its keys stand among those of the car. Boardless, `space` is None
    for every car, and `stops` counts the moves in a row that ended in a corner.
    """

    seat: Annotated[int, codec.Seat()]
    name: Annotated[str, codec.Name()]
    box: Annotated[int, codec.Word(hidden=True)]
    gear: Annotated[int, codec.Within(0, book.TOP_GEAR, "FD-GEAR-1")] = 0
    lap: Count = 0
    space: Annotated[int | None, codec.Maybe(codec.Space())] = None
    stops: Count = 0
    wear: Annotated[book.Wear, codec.Points()] = book.START_WEAR
    tires: Annotated[str, codec.OneOf(book.TIRE_KINDS)] = "hard"
    tires_lap: Annotated[int, codec.Within(1, book.MANY)] = 1
    status: Annotated[Status, codec.OneOf(tuple(Status))] = Status.GRID
    out: Annotated[Out | None, codec.Maybe(codec.Nested(Out))] = None
    place: Annotated[int | None, codec.Maybe(codec.Within(1, MOST_SEATS))] = None
    pit_stops: Count = 0
    served: Annotated[bool, codec.Flag("FD-PIT-6")] = False
    full: Annotated[book.Wear, codec.Points()] = book.START_WEAR
    trial: Annotated[
        Trial | None, codec.Maybe(codec.Nested(Trial, what="a trial")), codec.Word(sparse=True)
    ] = None
    arrived: Annotated[int, codec.Within(0, book.MANY, "DE-ORDER-1"), codec.Word(sparse=True)] = 0
    pit_mark: Annotated[
        PitMark | None,
        codec.Maybe(codec.OneOf(tuple(PitMark), "DE-PIT-1")),
        codec.Word(sparse=True),
    ] = None
    pool: Annotated[
        int | None, codec.Maybe(codec.Within(0, book.POOL, "FD-TECH-1")), codec.Word(sparse=True)
    ] = None
    street: Annotated[Street, codec.Spread(Street), codec.Word(sparse=True)] = Street()
    memory: Annotated[Memory, codec.Spread(Memory), codec.Word(sparse=True)] = Memory()
    flags: Annotated[Flags, codec.Spread(Flags), codec.Word(sparse=True)] = Flags()
    reckoning: Annotated[Reckoning, codec.Spread(Reckoning)] = Reckoning()
    team: Annotated[str | None, codec.Word(hidden=True)] = None

    @property
    def runs(self) -> bool:
        """Whether the car is still in the race."""
        return self.status in RUNNING

    @property
    def is_wreck(self) -> bool:
        """Whether it is out and still stands in the way (DE-BLOCK-1)."""
        return self.out is not None and self.out.stands

    @property
    def coasts(self) -> bool:
        """Whether it moves, or has moved, without an engine (house switch `blown_engine`)."""
        # Blown in 5th or 6th it stands in that gear until its next turn; then it rolls on in 4th.
        return self.memory.blown is not None and self.gear <= book.COAST_GEAR

    @property
    def stood(self) -> int | None:
        """The space on which it stands, or stood when it went out."""
        return self.out.space if self.out else self.space

    @property
    def counts_lap_early(self) -> bool:
        """Whether its lap counts what its place does not: since it came to its box (FD-PIT-5)."""
        return self.served or self.pit_mark is PitMark.WAITS


# -- the order of a turn (FD-TURN-1): this list of points and nothing else ------------------------

# A step is put into the queue by its `point` (`state.Flow.due`), never by position. Before the
# race there is no turn: what is settled then is one list in an order of its own
# (`position.py`), behind all points of a turn, as a trial has turns.


class Point(IntEnum):
    """The points of a turn in their order: ten times the number in FD-TURN-1, and a place in it.

    `text` is what FD-TURN-1 says of it; a point without a text is between two that it names.
    """

    text: str

    def __new__(cls, value: int, text: str = "") -> Point:
        # A value beside a text: Enum cannot work that out, so both are set by hand.
        point = int.__new__(cls, value)
        point._value_ = value
        point.text = text
        return point

    STANDING = (
        10,
        "spun car turned round, 1st its only gear · stalled car: 1st only"
        " · car in its box or the lane: FD-PIT-2, 3",
    )
    """Nothing is pending here: how a car stands decides which gears it is asked for."""
    HELD = 11
    """A roll that may be made once more (`second_roll`): before whatever has asked for it."""
    START = 20, "start roll (first turn)"
    GEAR = 30, "gear, over-rev loss"
    ROLL = 40, "gear roll"
    DOUBLE = 41
    LENGTH = 50, "choices that change the length: soft bonus, nitro, drift"
    WAY = 60, "the way: where to, brakes, slide, Li-Tsu"
    DEBRIS = (
        61,
        "; debris rolls in the order met"
        "; line effects (tire age, nitro refill) as the line is crossed",
    )
    SLIPSTREAM = 70, "slipstream offers, again while they arise, with their debris"
    CHARGE = 80, "overshoot: tires, spin or out; block"
    CHECKPOINT = 81, "; then the checkpoint"
    RECOVERY = 82
    POLICE = 90, "police note"
    PRIZE = 91
    HALT = 100
    TIRES = 101, "pit: tires"
    STOP = 102, ", choice"
    REPAIR = 103
    DIE = 104, ", die, fast exit"
    BUMP = 110, "collision rolls"
    COLLISION = 111
    TESTS = 120, "engine tests"
    ENGINE = 121
    WEATHER = 130, "weather roll"
    REROLL = 131
    NOISE = 140, "noise zone"
    RADIO = 150, "radio"
    THROW = 151
    TRAIL = 152, ", trail"
    JUDGE = 153
    TIME = 154
    LIFT = 160
    END = 161, "debris markers laid, cars out lifted"
    ORDER = 170
    BEFORE_THE_RACE = 200

    @property
    def number(self) -> int:
        """The number of FD-TURN-1 that it belongs to."""
        return self // 10


def turn_in_words() -> dict[int, str]:
    """FD-TURN-1: what each of its numbers says, from the points in their order."""
    words: dict[int, str] = {}
    for point in Point:
        if point.text:
            words[point.number] = words.get(point.number, "") + point.text
    return words


class On(Enum):
    """On which ground a kind of step is pending: a board, by report (boardless), or both."""

    BOARD = "board"
    REPORT = "report"
    BOTH = "both"


# -- an end of a move with its price, and a way ---------------------------------------------------

Rank = tuple[bool, bool, int, int, str, list[str]]


class Option(NamedTuple):
    """One end of a move. `arrival` tells how the way went; `spaces` how long it is.

    `cost` are all WP lost, brakes spent by choice among them; never more than the car has.
    `charmed` tells that passing Li-Tsu has made it a space shorter (FD-DRV-1).
    """

    arrival: Arrival
    spaces: int
    brakes: int = 0
    blocked: int = 0
    cost: book.Wear = book.NOTHING
    spin: bool = False
    out: bool = False
    charmed: bool = False

    @property
    def to(self) -> int:
        """The space of the end."""
        return self.arrival.space

    def rank(self, track: Track) -> Rank:
        """What is "least": out, spin, WP in all, debris spaces, name of the space."""
        names = [track.ids[space] for space in self.arrival.debris]
        return (self.out, self.spin, sum(self.cost), len(names), track.ids[self.to], names)

    def as_json(self, track: Track) -> dict[str, object]:
        """The option as the ask tells it."""
        arrival, _, brakes, blocked, cost, spin, out, _ = self
        ids = track.ids
        return {
            "to": ids[arrival.space],
            "brakes": brakes,
            # FD-BASIC-2: what a pool loses is nobody's tires.
            "tires": 0 if isinstance(cost, book.Pool) else cost[TIRES],
            "blocked": blocked,
            "cost": book.tell_cost(cost),
            "debris": [ids[space] for space in arrival.debris],
            "spin": spin,
            "out": out,
        }


class Way(NamedTuple):
    """A way that a car has gone: from where, its end with its price, and how.

    `how` is move, great, fast or slipstream; `charmed`: the whole move has lost a space to Li-Tsu
    (FD-DRV-1), so the rest of it does not.
    """

    seat: int
    start: int
    option: Option
    how: str
    charmed: bool

    @property
    def overshot(self) -> bool:
        """Whether a corner was left with a stop missing (FD-CORNER-2)."""
        return self.option.arrival.spaces > 0

    @property
    def slips(self) -> bool:
        """Whether it was a slipstream: the end of its turn is pending already."""
        return self.how == "slipstream"


def charged(
    setup: book.Setup,
    car: Car,
    arrival: Arrival,
    spaces: int,
    brakes: int,
    blocked: int = 0,
    charmed: bool = False,
) -> Option:
    """An end with its price: block first, then the overshoot (FD-BLOCK-2).

    A move costs tires and brakes only, so it is reckoned with these two numbers; but for a
    block without brakes in Formule Dé, which also costs body (DE-BLOCK-2).
    """
    if setup.edition.one_pool:
        return _charged_to_pool(car, Option(arrival, spaces, brakes, blocked, charmed=charmed))
    have_tires, have_brakes = car.wear[TIRES], car.wear[book.BRAKES]
    if not blocked:
        spin, out = overshoot_outcome(setup, car, have_tires, arrival)
        tires = min(have_tires, arrival.beyond)
        cost = (0 if arrival.fatal else tires, brakes, 0, 0, 0, 0)
        # A bare tuple for speed: this is called for each end of a long list.
        return tuple.__new__(Option, (arrival, spaces, brakes, 0, cost, spin, out, charmed))
    option = Option(arrival, spaces, brakes, blocked, (0, brakes, 0, 0, 0, 0), charmed=charmed)
    block = block_cost(setup, have_brakes - brakes, blocked)
    if block is None:
        return option._replace(out=True)
    if setup.house.late_block == "on" and is_late(have_brakes - brakes, blocked):
        return _charged_late(setup, car, option)
    asked_tires, asked_brakes = block[TIRES], brakes + block[book.BRAKES]
    if asked_tires > have_tires or asked_brakes > have_brakes:
        # Nobody loses more points than there are (FD-CAR-2).
        paid = (min(asked_tires, have_tires), min(asked_brakes, have_brakes), 0, 0, 0, 0)
        return option._replace(cost=paid, out=True)
    spin, out = overshoot_outcome(setup, car, have_tires - asked_tires, arrival)
    if setup.house.block_last_tires == "spin" and asked_tires == have_tires > 0:
        # The block has taken the last tires, and here that alone is a spin (DE-CORNER-3).
        spin = not out
    # Two stops missing put the car out; tires are not charged for it (FD-CORNER-3).
    asked_tires += 0 if arrival.fatal else arrival.beyond
    cost = (min(asked_tires, have_tires), asked_brakes, 0, 0, 0, 0)
    return Option(arrival, spaces, brakes, blocked, cost, spin, out, charmed)


def _charged_to_pool(car: Car, end: Option) -> Option:
    """FD-BASIC-6 to FD-BASIC-9: a point for each space; none left: out, never a spin."""
    have, arrival = sum(car.wear), end.arrival
    asked = end.brakes + end.blocked + (0 if arrival.fatal else arrival.beyond)
    return end._replace(cost=book.Pool((min(asked, have),)), out=arrival.fatal or asked >= have)


def _charged_late(setup: book.Setup, car: Car, end: Option) -> Option:
    """DE-BLOCK-2: all tires and 1 body; an overshoot then finds no tires left."""
    cost = (car.wear[TIRES], end.brakes, 0, 1, 0, 0)
    _, out = overshoot_outcome(setup, car, 0, end.arrival)
    out = out or car.wear[book.BODY] <= 1
    spin = not out and (car.wear[TIRES] > 0 or end.arrival.spaces > 0)
    return end._replace(cost=cost, spin=spin, out=out)


def block_cost(setup: book.Setup, brakes: int, blocked: int) -> book.Wear | None:
    """What a block costs with so many brakes WP left; None: the car is out (FD-BLOCK-1).

    House switch `block_rest`: tires pay for the brakes that lack.
    """
    cost = setup.edition.block_cost(blocked)
    lacking = max(0, cost[book.BRAKES] - brakes) if cost else 0
    if cost is None or not lacking or setup.house.block_rest == "out":
        return cost
    return book.as_wear({TIRES: cost[TIRES] + lacking, book.BRAKES: brakes})


def is_late(brakes: int, blocked: int) -> bool:
    """Whether a block of less than 7 spaces finds no brakes WP left (DE-BLOCK-2)."""
    return blocked > 0 and blocked in book.BLOCK_COST and not brakes


def has_one_grace(setup: book.Setup) -> bool:
    """Whether the space of grace at 0 tires is for one turn only (FD-CORNER-7)."""
    return setup.house.spin_grace == "next-turn"


def overshoot_outcome(
    setup: book.Setup, car: Car, tires: int, arrival: Arrival
) -> tuple[bool, bool]:
    """Whether an overshoot with these tires WP left ends in a spin, or out of the race.

    FD-CORNER-3: two stops missing. FD-CORNER-6: the last tires WP. FD-CORNER-7: more than
    there are, with the grace of one space at 0, by house switch `spin_grace` in one turn only,
    only where it costs one WP (competition rules of 2018, 10-4-2: never on soft tires), or never.
    DE-CORNER-1: so many spaces, whatever is left. FD-BASIC-7: nobody spins, and there is no grace.
    """
    edition = setup.edition
    if arrival.fatal or arrival.spaces >= edition.overshoot_out:
        return False, True
    if not arrival.beyond or arrival.beyond < tires:
        return arrival.spaces >= edition.overshoot_spins, False
    if edition.one_pool:
        return False, True
    graced = not has_one_grace(setup) or car.memory.grace is True
    graced = graced and setup.house.spin_grace != "never"
    one_only = arrival.beyond if setup.house.spin_grace == "one-point" else arrival.spaces
    if arrival.beyond == tires or (tires == 0 and one_only == 1 and graced):
        return True, False
    return False, True


def overshoot_rule(
    setup: book.Setup, tires: int, arrival: Arrival, *, spin: bool, out: bool
) -> str:
    """The rule by which an overshoot with these tires WP costs, spins the car or puts it out.

    With tires left the number of spaces alone makes it spin (DE-CORNER-1).
    """
    if arrival.fatal or arrival.spaces >= setup.edition.overshoot_out:
        return "FD-CORNER-3"
    if out:
        return "FD-CORNER-7"
    if not spin or arrival.beyond < tires:
        return "FD-CORNER-2"
    return "FD-CORNER-6" if tires else "FD-CORNER-7"


def dearer(arrival: Arrival, factor: int) -> Arrival:
    """An overshoot at the price that the tires make of it (FD-TIRE-3 to FD-TIRE-5)."""
    if factor == 1 or not arrival.spaces:
        return arrival
    return arrival._replace(beyond=arrival.beyond * factor)


class NearEnd(NamedTuple):
    """A space that is not listed, and the listed end that it is taken for."""

    space: int
    listed: Option

    def option(self) -> Option:
        """The listed move, ending here."""
        return self.listed._replace(arrival=self.listed.arrival._replace(space=self.space))

    def as_json(self, track: Track) -> dict[str, object]:
        """The end as the ask tells it."""
        return {
            "to": track.ids[self.space],
            "brakes": self.listed.brakes,
            "as": track.ids[self.listed.to],
        }
