"""Who drives a car, of what it is built, on which tires, and what some drivers alone can do.

An ability is a figure or a word in the table of drivers (`book.py`); the chapters ask for it where
the flow of a turn comes by. A car without a driver is `NOBODY`, who can do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from companion.rules.board.broken_ways import Fault
from companion.rules.board.track import Track
from companion.rules.board.ways import Ends, Reach
from companion.rules.codec import Points, replace
from companion.rules.formula import book
from companion.rules.formula.asks import BuildAsk, TiresAsk
from companion.rules.formula.book import total
from companion.rules.formula.car import Car, Option, Point, Status
from companion.rules.formula.state import AllSeats, Asks, Cost, Event, Flow, Phase, State
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse, whole_number

OF_URBAN = (book.URBAN,)
"""What pending steps of the street need to be on."""


def driver_of(car: Car) -> book.Driver:
    """Who drives a car."""
    name = car.street.driver
    return book.NOBODY if name is None else book.DRIVERS[name]


def own_limit(state: State, seat: int, reason: str) -> int | None:
    """Up to which number the black die hurts this driver; None: as it hurts everybody."""
    car = state.cars.get(seat)
    return None if car is None else driver_of(car).hurts.get((reason, state.raining))


def refuse_other_driver(state: State, seat: int, kind: str, *, able: bool) -> None:
    """Refuse what only some driver can be asked for.

    Raises:
        Malformed: this seat's driver is not `able`.
    """
    if not able:
        name = driver_of(state.cars[seat]).name or "this car"
        bad("not-of-this-driver", f"{kind} is not for {name}", rule="FD-URBAN-1", name=kind)


def gallant(state: State, seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Seats that are equal on the grid: Diane goes before all others (FD-DRV-9)."""
    first = tuple(seat for seat in seats if driver_of(state.cars[seat]).first)
    rest = tuple(seat for seat in seats if seat not in first)
    return [group for group in (first, rest) if group]


# -- cars that are constructed before the race (FD-BUILD-1, DE-CAR-1) -----------------------------

# House switches, as clubs have them: `build_points` of a car, `build_most` of a category;
# `pool_on_car`: the points that would lie in the pit may be on the car (2018, 5-3).


class CarBuilt(Event):
    """A car was constructed: all its wear points."""

    wear: Annotated[book.Wear, Points()]

    def applied(self, state: State) -> State:
        state = state.change(self.seat, wear=self.wear, full=self.wear)
        car, on_car = state.cars[self.seat], state.setup.on_car(self.wear)
        if on_car and car.team is not None:
            pools = {**state.pools, car.team: state.pools[car.team] - on_car}
            return replace(state, pools=pools)
        return state.change(self.seat, pool=(car.pool or 0) - on_car) if on_car else state


class Build(
    AllSeats,
    kind="build",
    at=Point.BEFORE_THE_RACE,
    rule="FD-BUILD-1",
    needs=("build", "advanced"),
    before_race=True,
):
    """Who still constructs a car; all at once."""

    def asks(self, state: State) -> Asks:
        setup = state.setup
        limits = dict(zip(setup.edition.categories, setup.build_limits, strict=True))
        points, more = int(setup.house.build_points), setup.most_on_car
        return [BuildAsk(seat, points=points, limits=limits, more=more) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        wear = _construction(flow.state.setup, value)
        self.strike(flow, ask.seat)
        flow.tell(CarBuilt(seat=ask.seat, rule=self.rule, wear=wear))


def _construction(setup: book.Setup, value: object) -> book.Wear:
    """The wear points of an answer.

    Raises:
        Malformed: not a whole number for each category.
        Illegal: beyond the bounds of a category, or another sum than the points given.
    """
    categories, rule, total = setup.edition.categories, "FD-BUILD-1", int(setup.house.build_points)
    if not isinstance(value, Mapping) or set(value) != set(categories):
        message = f"build names all of {', '.join(categories)}, not {value!r:.60}"
        bad("build-form", message, rule=rule)
    wear = tuple(whole_number(value[name], name) for name in categories)
    for name, points, (low, high) in zip(categories, wear, setup.build_limits, strict=True):
        if not low <= points <= high:
            message = f"{name} is {low} to {high} points, not {points}"
            args = {"points": points, "low": low, "high": high}
            refuse("build-limits", message, rule=rule, category=name, **args)
    if not total <= sum(wear) <= total + setup.most_on_car:
        message = f"a car is built of {total} points, not of {sum(wear)}"
        refuse("build-points", message, rule=rule, points=total, given=sum(wear))
    return wear


# -- wear points given back by choice: a repair, a checkpoint, a prize ----------------------------


def read_points(
    kind: str,
    value: object,
    categories: Sequence[str],
    room: Mapping[str, int],
    points: int,
    *,
    rule: str,
    of_pool: bool = False,
) -> book.Wear:
    """An answer of 1 point or more by category, in the order of `categories`.

    `room` is what each category on offer can take, `points` what there is to give; where they come
    out of a pool (`of_pool`), that is judged first. Keys of refusals begin with `kind`.

    Raises:
        Malformed: not an object of whole numbers from 1 on.
        Illegal: more points than there are, a category not on offer, or more than it can take.
    """
    form = f"{kind}-form"
    if not isinstance(value, Mapping) or not value or not set(value) <= set(categories):
        message = f'{kind} is points by category ({{"engine": 1}}), not {value!r:.60}'
        bad(form, message, rule=rule)
    gains = {name: whole_number(value[name], name) for name in value}
    for name, gain in gains.items():
        if gain < 1:
            bad(form, f"{name} gets 1 point or more, not {gain}", rule=rule)
    full = next((name for name, gain in gains.items() if gain > room.get(name, 0)), None)
    given = sum(gains.values())
    if given > points and (of_pool or full is None):
        message = f"there are {points} points to give, not {given}"
        refuse(f"{kind}-too-many", message, rule=rule, points=points, given=given)
    if full is not None:
        _refuse_too_much(kind, full, gains[full], room.get(full, 0), rule)
    return tuple(gains.get(name, 0) for name in categories)


def _refuse_too_much(kind: str, name: str, gain: int, room: int, rule: str) -> None:
    """FD-CAR-2; tires that are not on offer are so by the rule that gives the points."""
    rule = rule if name == book.CATEGORIES[book.TIRES] and not room else "FD-CAR-2"
    message = f"{name} can take {room} points back, not {gain}"
    refuse(f"{kind}-too-much", message, rule=rule, category=name, room=room, points=gain)


# -- tires: which are fitted, and what they do to a move (FD-TIRE) --------------------------------


class TiresFitted(Event):
    """A kind of tires was chosen; they are in their first lap."""

    tires: str

    def applied(self, state: State) -> State:
        return state.change(self.seat, tires=self.tires, tires_lap=1)


class Tires(
    AllSeats,
    kind="tires",
    at=Point.TIRES,
    rule="FD-TIRE-1",
    needs=("tires",),
    before_race=True,
):
    """Who still chooses tires: all before the race, one car in its box."""

    def asks(self, state: State) -> Asks:
        return [TiresAsk(seat) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-TIRE-1; in the box FD-TIRE-7."""
        known = ", ".join(book.TIRE_KINDS)
        if not isinstance(value, str):
            bad("tires-form", f"tires is one of {known}, not {value!r:.60}")
        if value not in book.TIRE_KINDS:
            message = f"tires is one of {known}, not {value!r:.40}"
            refuse("no-such-tires", message, rule="FD-TIRE-1", tires=value[:40])
        self.strike(flow, ask.seat)
        rule = "FD-TIRE-7" if flow.state.phase is Phase.RACE else "FD-TIRE-1"
        flow.tell(TiresFitted(seat=ask.seat, rule=rule, tires=value))


def slide_of(state: State, car: Car) -> int:
    """The spaces by which this car slides on a move that touches a corner (FD-TIRE-6).

    FD-WEATHER-4: without `tires` nobody slides, except in urban races.
    """
    if not state.raining:
        return 0
    if state.is_urban:
        return driver_of(car).slide
    return book.SLIDE[car.tires] if "tires" in state.setup.rules else 0


def overshoot_factor(state: State, car: Car) -> int:
    """How many tires WP a space beyond a limit costs, by kind, weather and lap on the set.

    FD-TIRE-2 to FD-TIRE-5; the house switch `soft_second_lap` decides the second lap of soft
    tires in the dry, `soft_rain` whether they cost double in rain (competition rules 8-2-2).
    """
    if car.tires == "hard":
        return 1
    by_lap: tuple[int, ...] = book.OVERSHOOT[car.tires, state.raining]
    if car.tires == "soft":
        if not state.raining and state.setup.house.soft_second_lap == "single":
            by_lap = book.SOFT_DRY_BY_THE_LETTER
        if state.raining and state.setup.house.soft_rain == "double":
            by_lap = book.SOFT_RAIN_DOUBLE
    # The last lap in the table stands for all later ones (FD-TIRE-6).
    return by_lap[min(car.tires_lap, len(by_lap)) - 1]


def has_bonus(state: State, car: Car) -> bool:
    """Whether a car has its bonus space now (FD-TIRE-3)."""
    # Most cars have none by their tires alone, which is seen at every roll.
    return car.tires == "soft" and no_bonus(state, car) is None


def no_bonus(state: State, car: Car) -> Fault | None:
    """FD-TIRE-3: soft, dry, in the first lap on them; FD-TECH-2: not as it leaves the pit.

    Why a car has no bonus space now; None: it has one.
    """
    if car.tires != "soft" or "tires" not in state.setup.rules:
        return Fault("FD-TIRE-3", 0, "soft-tires")
    if state.raining:
        return Fault("FD-TIRE-4", 0, "soft-rain")
    if car.tires_lap > 1:
        return Fault("FD-TIRE-3", 0, "soft-old")
    leaves_pit = car.status is Status.PIT and car.served
    return Fault("FD-TECH-2", 0, "soft-pit") if leaves_pit else None


# -- Jack's drift: one space more or less in every corner, for a tires WP (FD-DRV-2) --------------

# It is chosen before the way, so the move that follows must touch a corner in which he has not
# drifted in this lap; the space on which it begins counts. Sections lie one behind the other:
# whichever way touches such a corner touches the nearest of them, and that is the one he drifts
# in. One move drifts once.

Fresh = tuple[int, int, int]
"""How many sections on a corner lies, its index, and the lap that it lies in."""
DRIFTS = "drift"
COST = book.one(book.TIRES, book.DRIFT_COST)


class Drifted(Event):
    """Jack drifts in a corner, in this lap; the latest lap of each corner is kept."""

    corner: str
    lap: int
    cost: Cost

    @classmethod
    def at(cls, state: State, seat: int, fresh: Fresh) -> Drifted:
        """The drift in the nearest corner in which he has not drifted in its lap."""
        _, corner, lap = fresh
        label = state.setup.track.corners[corner].label
        return cls(seat=seat, rule="FD-DRV-2", corner=label, lap=lap, cost=COST)

    def applied(self, state: State) -> State:
        corners = state.setup.track.corners
        corner = next(at for at, known in enumerate(corners) if known.label == self.corner)
        street = state.cars[self.seat].street
        drift = tuple(sorted({**dict(street.drift), corner: self.lap}.items()))
        state = state.worn(self.seat, self.cost)
        return state.change(self.seat, street=replace(street, drift=drift))


def may_drift(car: Car) -> bool:
    """Whether this driver can, and has the tires for it."""
    return driver_of(car).drifts and car.wear[book.TIRES] >= book.DRIFT_COST


def fresh_corner(track: Track, car: Car) -> Fresh | None:
    """The nearest corner in which this car has not drifted in its lap.

    How many sections ahead it lies (0: the car stands in it), its index, and the lap in which the
    car gets there; lap 0 and lap 1 are one (FD-END-2). None: there is no such corner.
    """
    assert car.space is not None
    here, used = track.section[car.space], dict(car.street.drift)
    for far in range(len(track.sections)):
        at = (here + far) % len(track.sections)
        corner = track.sections[at].corner
        # Sections start again at 0 behind the line; only in section 0 can the line still lie ahead.
        ahead_of_line = here + far < len(track.sections) and not _before_line(track, car, far)
        lap = max(1, car.lap if ahead_of_line else car.lap + 1)
        if corner >= 0 and used.get(corner) != lap:
            return far, corner, lap
    return None


def _before_line(track: Track, car: Car, far: int) -> bool:
    """Whether the line lies between a car in its section and sections further on."""
    assert car.space is not None
    return far > 0 and track.section[car.space] == 0 and not track.past_line[car.space]


def paid(state: State, seat: int) -> State:
    """The state in which the drift is paid for: what it costs is not there for the way."""
    return state.worn(seat, COST)


def touching(track: Track, car: Car, options: list[Option]) -> list[Option]:
    """Of the ends of a drift those that touch the corner, its price added."""
    fresh = fresh_corner(track, car)
    if fresh is None:
        return []
    assert car.space is not None
    here, count = track.section[car.space], len(track.sections)
    return [
        # The ends were listed with the drift paid already, so its price is not in them yet.
        option._replace(cost=total(option.cost, COST))
        for option in options
        if (track.section[option.to] - here) % count >= fresh[0]
    ]


# -- Li-Tsu: who passes her in a straight moves one space less (FD-DRV-1) -------------------------

# To pass is to come from level with her, or from behind, to ahead of her inside one straight. A
# way that does so is one space shorter, even if it then fails to pass: of a way of n spaces the
# first n - 1 are driven. The search of `board.ways` notes of each way whether it has passed her,
# and its rules stay as they are.


class Charmed(Event):
    """A car passes Li-Tsu, `against`, and moves one space less."""

    against: int


def charmer(state: State, car: Car) -> Car | None:
    """Li-Tsu, where she stands in a straight and is not the one who moves."""
    for other in state.cars.values():
        if other.street.driver is not None and other is not car and driver_of(other).charms:
            on_road = other.runs and other.space is not None and state.phase is Phase.RACE
            # Each driver is there once, so nobody else can charm (FD-URBAN-1).
            return other if on_road and _in_straight(state, other) else None
    return None


def _in_straight(state: State, car: Car) -> bool:
    return car.space is not None and state.setup.track.straight[car.space] >= 0


def space_of_charmer(state: State, car: Car) -> int:
    """The space of Li-Tsu, where it matters to pass her; else -1."""
    her = charmer(state, car) if state.is_urban else None
    return -1 if her is None or her.space is None else her.space


def ends_of(ways: Reach, length: int) -> list[Ends]:
    """Where the ways of a move of this length end, those that pass her one space shorter.

    A way that would pass her with its last space stops short of it. A step past her does not count
    where no legal way of the full length takes it (a zigzag, FD-MOVE-4).
    """
    found = ways.ends(length)
    if ways.her < 0:
        return found
    if any(some.blocked for some in found):
        return _held_up(found)
    passing = {end.space for some in found for end in some.arrivals if end.passed}
    ends = [_only(some, passed=False) for some in found]
    for some in ways.shorter(length):
        short = [end for end in some.arrivals if end.passed or ways.passes(end, passing)]
        ends.append(Ends(some.spaces, 0, short, charmed=True))
    return ends


def _held_up(found: list[Ends]) -> list[Ends]:
    """The furthest ends (FD-BLOCK-1); the space that the charm takes is not missed.

    FD-BLOCK-2: nobody is blocked as long as there is a way of the full length.
    """
    ends = [_only(some, passed=passed) for some in found for passed in (False, True)]
    ends = [some for some in ends if some.arrivals]
    return [some for some in ends if not some.blocked] or ends


def _only(some: Ends, *, passed: bool) -> Ends:
    """Of some ends those that have passed her, or have not; passing her takes a space."""
    arrivals = [end for end in some.arrivals if end.passed == passed]
    blocked = max(0, some.blocked - book.CHARM * passed)
    return Ends(some.spaces, blocked, arrivals, charmed=passed)


# -- dark spaces are debris for good (FD-URBAN-4) -------------------------------------------------


def debris_on(state: State) -> frozenset[int]:
    """All spaces that a car is hurt on: those with a marker, and the dark ones of the street.

    FD-TRIAL-1: in a trial there is none.
    """
    dark = state.setup.track.dark
    if not dark or not state.is_urban or state.phase is Phase.TRIALS:
        return state.debris
    return state.debris | dark


def refuse_no_space(state: State, kind: str, spaces: tuple[int, ...]) -> None:
    """Refuse a pending step that does not name one space of the track."""
    if len(spaces) != 1 or state.setup.track.lane[spaces[0]] < 0:
        bad("pending-form", f"{kind} names one space of the track", rule="FD-MOVE-1")
