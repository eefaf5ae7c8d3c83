"""What happens between cars, and to one that is held up: collisions, blocks, debris, engine tests.

Collisions are rolled where a move ended (FD-BUMP; DE-BUMP). In Formula D the mover and those that
it met roll. In Formule Dé all who touch one another do (DE-BUMP-1, DE-BUMP-2): a car that comes to
stand beside or behind another draws in everybody who is joined to it by touching pairs, beside, or
one directly behind the other. Each rolls once for each car that it touches; the car that caused it
rolls last. For each car that goes out by it the cause loses 1 body instead: its roll for that car
falls away where the two touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

from companion.rules.board.track import Track
from companion.rules.codec import Many, Pair, Seat, Seats, Spaces, Word, replace
from companion.rules.formula import book, losses
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.book import one
from companion.rules.formula.car import Car, On, Point, Status, Way, block_cost, is_late
from companion.rules.formula.drivers import driver_of
from companion.rules.formula.order import by_position
from companion.rules.formula.state import (
    AllSeats,
    Asks,
    ByItself,
    Event,
    Flow,
    Roll,
    SeatStep,
    State,
    Step,
    Wears,
    but,
)
from companion.rules.game import Ask
from companion.rules.lines import bad

# -- collisions of Formula D ----------------------------------------------------------------------

# House switches, both of the federation's competition rules of 2018: `causer` with "pays" lets
# the cause lose body here too (14-4); with `worse_collision` a car that stands stalled, spun or
# wrecked hurts on 1–2, in rain on 1–3 (14-3), and a wreck that is met is rolled for.

Spared = Annotated[Seats, Word("spared", sparse=True)]


class CollisionRolled(Wears):
    """The roll of a collision."""

    against: int
    roll: Roll
    hurt: bool


class Bump(ByItself, kind="bump", at=Point.BUMP, rule="FD-BUMP-1", on=On.BOARD, on_road=True):
    """Who rolls for a collision where the move ended; `spared` cars do not (DE-BLOCK-2)."""

    spared: Spared = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        # A slipstream belongs to a move whose collisions are pending already (FD-BUMP-1).
        if not way.slips:
            flow.due(cls.just(way.seat))

    def sparing(self, seat: int, other: int) -> Step:
        return replace(self, spared=(*self.spared, other)) if seat == self.seat else self

    def settle(self, flow: Flow) -> None:
        """FD-BUMP-1, FD-BUMP-3; DE-BUMP-1."""
        state, mover = flow.state, flow.car(self.seat)
        if mover.space is None or mover.status is Status.PIT:
            return
        if state.setup.edition.collisions == "group":
            self._meet_group(flow, mover)
            return
        near = _near(state.setup.track, mover.space)
        cars = state.cars.values()
        there = [c for c in cars if c.space in near and c.runs and c.status is not Status.PIT]
        met = [car.seat for car in by_position(state, there)] if there else []
        wrecks: list[int] = []
        if state.setup.house.worse_collision == "on":
            wrecks = [car.seat for space, car in state.wrecks().items() if space in near]
        if met or wrecks:
            collision = Collision.of(state, self.seat, met)
            flow.due(replace(collision, against=(*collision.against, *wrecks)))

    def _meet_group(self, flow: Flow, mover: Car) -> None:
        touched = touching(flow.state, mover)
        rolls = tuple(
            (seat, against)
            for seat, near in touched.items()
            if seat != mover.seat and seat not in self.spared
            for against in near
        )
        if touched:
            flow.due(Touch(seat=mover.seat, rolls=rolls, against=touched[mover.seat]))


@lru_cache(maxsize=4096)
def _near(track: Track, space: int) -> frozenset[int]:
    """The spaces of those whom a move that ends here meets (FD-BUMP-1)."""
    return frozenset((*track.beside[space], track.ahead[space]))


def _limits(state: State, *seats: int) -> Mapping[bool, int]:
    """What a roll hurts up to; house switch `worse_collision`: more where one of them stands."""
    on, usual = state.setup.house.worse_collision == "on", state.setup.edition.collision_hurts
    if not on or not any(_stands(state.cars[seat]) for seat in seats):
        return usual
    # In the basic game every collision hurts more than that (FD-BASIC-10).
    return {rains: max(usual[rains], upto) for rains, upto in book.WORSE_COLLISION.items()}


def _stands(car: Car) -> bool:
    """Stalled, spun, or out and still in the way (competition rules of 2018, 14-3)."""
    return car.is_wreck or car.status in (Status.STALLED, Status.SPUN)


class Contact(SeatStep, at=Point.COLLISION, outlives=True):
    """The rolls of a collision that a car has caused; `against`: whom it still rolls for itself."""

    against: Annotated[Seats, Word(last=True)] = ()

    def ask_roll(self, state: State, seat: int, against: int, times: int) -> BlackAsk:
        """The roll of a seat for a car that it met, the first of so many."""
        limits, reason = _limits(state, seat, against), book.Reason.COLLISION
        return losses.ask_hurting(
            state, seat, reason, limits, book.BODY, against=against, times=times
        )

    def ask_cause(self, state: State) -> list[BlackAsk]:
        """The roll of the car that caused it, for the first of those that it rolls for."""
        met = self.against
        return [self.ask_roll(state, self.seat, met[0], len(met))] if met else []

    def tell_roll(self, flow: Flow, ask: BlackAsk, rolled: losses.Rolled, rule: str) -> bool:
        """The roll counts: a body WP, the last of which is the end; whether it was that."""
        assert ask.against is not None
        seat, cost, hurt = ask.seat, rolled.cost, any(rolled.cost)
        gone = flow.car(seat).wear[book.BODY] <= 1
        against, roll = ask.against, rolled.roll
        flow.tell(
            CollisionRolled(
                seat=seat, rule=self.rule, against=against, roll=roll, hurt=hurt, cost=cost
            )
        )
        if hurt:
            losses.damage(flow, seat, gone=gone, why="body", rule=rule)
        return hurt and gone

    def check_edition(self, state: State, way: str) -> None:
        """Refuse it in an edition that has collisions in another way."""
        if state.setup.edition.collisions != way:
            bad("pending-form", f"{self.kind} is never pending in {state.setup.edition.name}")


class Collision(Contact, kind="collision", rule="FD-BUMP-1"):
    """Cars that still roll against the mover, and those that the mover still rolls against."""

    others: Seats = ()

    @classmethod
    def of(cls, state: State, seat: int, met: list[int]) -> Collision:
        """The rolls of a collision: each once for the other, against Derek twice (FD-DRV-8)."""
        blows = {other: driver_of(state.cars[other]).blows for other in (seat, *met)}
        others = tuple(other for other in met for _ in range(blows[seat]))
        against = tuple(other for other in met for _ in range(blows[other]))
        return cls(seat=seat, others=others, against=against)

    def waits(self, state: State) -> bool:
        return bool(self.others or self.against)

    def asks(self, state: State) -> Asks:
        """FD-DRV-8: one that rolls twice rolls twice in turn."""
        rolls = [
            self.ask_roll(state, other, self.seat, self.others.count(other))
            # `dict.fromkeys` keeps the running order, which a set would lose (FD-BUMP-3).
            for other in dict.fromkeys(self.others)
        ]
        # Where the cause pays for whom it puts out, its own rolls must wait for theirs.
        if rolls and state.setup.house.causer == "pays":
            return rolls
        return rolls + self.ask_cause(state)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-BUMP-1, FD-BUMP-2."""
        assert isinstance(ask, BlackAsk)
        rolled = losses.read_roll(ask, value)
        # What is left goes back before the roll is told: if it puts a car out, `without` must still
        # find it in the queue.
        if ask.seat == self.seat:
            flow.due(replace(self, against=self.against[1:]))
        else:
            # Only one of them: against Derek a seat stands here twice (FD-DRV-8).
            at = self.others.index(ask.seat)
            flow.due(replace(self, others=self.others[:at] + self.others[at + 1 :]))
        gone = self.tell_roll(flow, ask, rolled, "FD-BUMP-2")
        if gone and ask.seat != self.seat and flow.state.setup.house.causer == "pays":
            self._pay_for(flow, ask.seat)

    def _pay_for(self, flow: Flow, other: int) -> None:
        """House switch `causer`: 1 body for a car that it has put out, and no roll for it."""
        flow.revise(Collision, lambda step: replace(step, against=but(step.against, other)))
        if flow.car(self.seat).runs:
            losses.strike(flow, self.seat, by=other, rule="FD-BUMP-1")

    def without(self, seat: int, *, retired: bool) -> Step:
        """FD-BUMP-2: a collision goes on without a car that is out; cars that met it still roll.

        A car that the referee retires is not rolled against any more.
        """
        against = () if seat == self.seat else self.against
        if retired:
            against = but(against, seat)
        return replace(self, others=but(self.others, seat), against=against)

    def check(self, state: State) -> None:
        self.check_edition(state, "mover")
        mover = driver_of(state.cars[self.seat])
        for seats in (self.others, self.against):
            for seat in seats:
                blows = max(driver_of(state.cars[seat]).blows, mover.blows)
                if seats.count(seat) > blows:
                    bad("pending-form", "collision names a seat twice")
        if any(not state.cars[seat].runs for seat in self.others):
            bad("pending-of-car-out", "collision is pending for a car that does not run")


# -- collisions of Formule Dé, by groups ----------------------------------------------------------


def touching(state: State, mover: Car) -> dict[int, tuple[int, ...]]:
    """The group of a car by seat, each with those whom it touches, all in running order.

    Empty where the car stands neither beside nor behind another one.
    """
    track = state.setup.track
    if mover.space is None or mover.status is Status.PIT:
        return {}
    ranked = [car for car in by_position(state, state.running()) if car.status is not Status.PIT]
    at = {car.space: car.seat for car in ranked if car.space is not None}
    if not at.keys() & {*track.beside[mover.space], track.ahead[mover.space]}:
        return {}
    near = {
        seat: {at[s] for s in (*track.beside[space], track.ahead[space]) if s in at}
        for space, seat in at.items()
    }
    # A car sees who is ahead but not who is behind, and touching goes both ways (DE-BUMP-1).
    for seat, met in list(near.items()):
        for other in met:
            near[other] = near[other] | {seat}
    group, edge = {mover.seat}, [mover.seat]
    while edge:
        edge = list({seat for one in edge for seat in near[one]} - group)
        group.update(edge)
    seats = [car.seat for car in ranked if car.seat in group]
    return {seat: tuple(other for other in seats if other in near[seat]) for seat in seats}


class Touch(Contact, kind="touch", rule="DE-BUMP-1"):
    """Who still rolls for whom, as pairs, and whom the mover then rolls for (DE-BUMP-1)."""

    rolls: Annotated[tuple[tuple[int, int], ...], Many(Pair(Seat(), Seat()))] = ()

    def waits(self, state: State) -> bool:
        return bool(self.rolls or self.against)

    def asks(self, state: State) -> Asks:
        """The cause once all others have rolled; of each other its first roll."""
        if not self.rolls:
            return self.ask_cause(state)
        # Reversed, so that the first pair of each seat is the one that a dict keeps.
        first = dict(reversed(self.rolls))
        rollers = [seat for seat, _ in self.rolls]
        return [
            self.ask_roll(state, seat, first[seat], rollers.count(seat))
            for seat in dict.fromkeys(rollers)
        ]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """One roll: a 1 costs 1 body, the last one is the end (DE-BUMP-1)."""
        assert isinstance(ask, BlackAsk)
        rolled = losses.read_roll(ask, value)
        if self.rolls:
            done = (ask.seat, ask.against)
            left = tuple(pair for pair in self.rolls if pair != done)
            flow.due(replace(self, rolls=left))
        else:
            flow.due(replace(self, against=self.against[1:]))
        gone = self.tell_roll(flow, ask, rolled, "DE-OUT-1")
        if gone and ask.seat != self.seat and flow.car(self.seat).runs:
            losses.strike(flow, self.seat, by=ask.seat, rule="DE-BUMP-2")

    def without(self, seat: int, *, retired: bool) -> Step:
        """DE-BUMP-2: it goes on without a car that is out."""
        rolls = tuple(pair for pair in self.rolls if pair[0] != seat)
        # Unlike in Formula D the cause pays for a car that is out instead of rolling
        # (DE-BUMP-2).
        against = () if seat == self.seat else but(self.against, seat)
        return replace(self, rolls=rolls, against=against)

    def check(self, state: State) -> None:
        self.check_edition(state, "group")
        rollers = [seat for seat, _ in self.rolls]
        if len(set(self.rolls)) != len(rollers) or not all(state.cars[s].runs for s in rollers):
            bad("pending-form", "touch names running cars, each pair once", rule=self.rule)
        if any(seat in (against, self.seat) for seat, against in self.rolls):
            message = "rolls of touch are of others than the cause, each for another car"
            bad("pending-form", message, rule="DE-BUMP-2")
        if self.seat in self.against:
            bad("pending-form", "a car does not roll against itself", rule=self.rule)
        if len(set(self.against)) != len(self.against):
            bad("pending-form", "touch names a seat twice")


# -- a car held up --------------------------------------------------------------------------------

# In Formule Dé a car that a block puts out stands where it is until its next turn, is then taken
# away, and leaves debris there (DE-BLOCK-1). As long as it stands it is out, and stands in the
# way all the same: `Out.stands`.
#
# House switch `wrecks` of Formula D: cars are lifted (FD-BLOCK-1), or stand as in Formule Dé;
# with "blocked-body" so do those that a collision puts out, and too few WP for a block cost the
# car in front its body too, as in the federation's competition rules (12-1, 14-2 of 2018). House
# switch `block_last_tires`: a block that takes the last tires spins the car (12-1-4;
# DE-CORNER-3).


class Blocked(Wears):
    """A car could not go on."""

    spaces: int


def pay_block(flow: Flow, seat: int, blocked: int) -> bool:
    """FD-BLOCK-1, FD-BLOCK-2, DE-BLOCK-1, DE-BLOCK-2; False: the car is out."""
    wear, setup = flow.car(seat).wear, flow.state.setup
    cost = block_cost(setup, wear[book.BRAKES], blocked)
    if setup.house.late_block == "on" and is_late(wear[book.BRAKES], blocked):
        return _pay_late(flow, seat, blocked)
    paid = book.NOTHING if cost is None else book.lost(wear, cost)
    flow.tell(Blocked(seat=seat, rule="FD-BLOCK-1", spaces=blocked, cost=paid))
    if cost is None:
        _out_by_block(flow, seat, "FD-BLOCK-1", strikes=setup.wrecks_stand)
        return False
    if not book.affords(wear, cost):
        rule = "FD-BLOCK-1" if setup.edition.one_pool else "FD-BLOCK-2"
        _out_by_block(flow, seat, rule, strikes=setup.house.wrecks == "blocked-body")
        return False
    _spin_if_last(flow, seat, wear[book.TIRES])
    return True


def _out_by_block(flow: Flow, seat: int, rule: str, *, strikes: bool) -> None:
    """It is out; DE-BLOCK-1: the car in front of it pays.

    House switch `block_contact`: the others that it touches roll (rules of 2018, 12-1-5).
    """
    # Asked before the car is out, since it stands nowhere afterwards.
    ground, rolls = flow.state.ground, flow.state.setup.house.block_contact == "rolls"
    front = ground.in_front(flow, seat)
    met = [other for other in ground.in_contact(flow, seat) if other != front] if rolls else []
    losses.put_out(flow, seat, "blocked", rule)
    if strikes:
        _strike_front(flow, seat, front, "DE-BLOCK-1")
    if met:
        flow.due(Collision(seat=seat, others=tuple(met)))


def _pay_late(flow: Flow, seat: int, blocked: int) -> bool:
    """DE-BLOCK-2: all tires and 1 body; the car in front loses 1 body and does not roll."""
    wear = flow.car(seat).wear
    cost = book.total(one(book.TIRES, wear[book.TIRES]), one(book.BODY))
    flow.tell(Blocked(seat=seat, rule="DE-BLOCK-2", spaces=blocked, cost=cost))
    # As in `_out_by_block`: asked while the car still stands there.
    front = flow.state.ground.in_front(flow, seat)
    losses.damage(flow, seat, gone=wear[book.BODY] <= 1, why="body", rule="DE-OUT-1")
    _strike_front(flow, seat, front, "DE-BLOCK-2")
    if not flow.car(seat).runs:
        return False
    _spin_if_last(flow, seat, wear[book.TIRES])
    if front is not None:
        flow.revise(Step, lambda step: step.sparing(seat, front))
    return True


def _spin_if_last(flow: Flow, seat: int, before: int) -> None:
    """DE-CORNER-3: the last tires WP, by whatever cause; no spin by FD-BLOCK-2."""
    spins = flow.state.setup.house.block_last_tires == "spin"
    if spins and before and not flow.car(seat).wear[book.TIRES]:
        flow.tell(losses.Spun(seat=seat, rule="DE-CORNER-3"))


def _strike_front(flow: Flow, seat: int, front: int | None, rule: str) -> None:
    """The car directly in front loses 1 body; None where nobody stands there."""
    if front is not None:
        losses.strike(flow, front, by=seat, rule=rule)


# -- debris that a way crosses (FD-DEBRIS-2, FD-DEBRIS-3; DE-DEBRIS-1) ----------------------------


class DebrisRolled(Wears):
    """The roll for a debris space passed or stopped on; boardless, `space` is None."""

    space: str | None
    roll: Roll
    hurt: bool


class Debris(SeatStep, kind="debris", at=Point.DEBRIS, rule="FD-DEBRIS-2"):
    """The debris spaces still to be rolled for, in the order met; boardless one, not known."""

    spaces: Spaces = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if way.option.arrival.debris:
            flow.due(cls(seat=way.seat, spaces=way.option.arrival.debris))

    def _at(self, state: State) -> str | None:
        return state.setup.track.ids[self.spaces[0]] if self.spaces else None

    def asks(self, state: State) -> Asks:
        at = self._at(state)
        return [
            losses.ask_hurting(
                state, self.seat, book.Reason.DEBRIS, book.DEBRIS_HURTS, book.HANDLING, at=at
            )
        ]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        rolled, seat, at = losses.read_roll(ask, value), self.seat, self._at(flow.state)
        gone, hurt, cost = flow.car(seat).wear[book.HANDLING] <= 1, any(rolled.cost), rolled.cost
        flow.tell(
            DebrisRolled(
                seat=seat, rule=self.rule, space=at, roll=rolled.roll, hurt=hurt, cost=cost
            )
        )
        if hurt and gone:
            losses.put_out(flow, seat, "handling", "FD-DEBRIS-3")
        # Rolled one by one, as each roll may be the last one (FD-DEBRIS-3).
        elif self.spaces[1:]:
            flow.due(Debris(seat=seat, spaces=self.spaces[1:]))

    def check(self, state: State) -> None:
        if bool(self.spaces) == state.setup.boardless:
            bad("pending-form", "debris is rolled for on a space", rule=self.rule)


# -- engine tests (FD-ENGINE-1 to FD-ENGINE-3; DE-ENGINE-1) ---------------------------------------

# House switches, of the federation's competition rules of 2018 (16-0-3 to 16-0-9): `blown_engine`
# with "inertia-4": a car that a test has cost its engine in 5th or 6th stands in the way until
# its next turn, then rolls on once more, on the die of 4th, as far as it can without going out;
# there it is out, and lifted a turn later. `coast_home`: late in the race it goes on instead, a
# gear less each turn, until the line or until it has been in 1st.


class EngineTested(Wears):
    """An engine test."""

    roll: Roll
    hurt: bool


class EngineBlown(Event):
    """An engine is gone, and the car rolls on: once more, or (`home`) to the line if it can."""

    home: bool

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, blown="home" if self.home else "last")


def _rolls_on(state: State, car: Car) -> bool:
    """Not in 4th or less, where a car that has spun will be at its next turn (16-0-3-1)."""
    fast = car.status is Status.RACING and car.gear > book.COAST_GEAR
    # FD-BASIC-12: without a point nobody rolls on.
    on = state.setup.house.blown_engine == "inertia-4" and not state.setup.edition.one_pool
    return on and fast


def _is_near_home(state: State, car: Car) -> bool:
    """Whether a car has the last corners behind it, of its last lap (16-0-6, 16-0-7)."""
    setup, track = state.setup, state.setup.track
    number = book.HOME_FROM[setup.house.coast_home]
    if not number or car.space is None or car.lap < setup.laps:
        return False
    corners = [at for at, section in enumerate(track.sections) if section.kind == "corner"]
    section = track.section[car.space]
    # The line lies in section 0: a car before it there is at the end of the lap, not at its start.
    here = section if section or track.past_line[car.space] else len(track.sections)
    return len(corners) < number or here > corners[-number]


class Tests(ByItself, kind="tests", at=Point.TESTS, rule="FD-ENGINE-2", outlives=True):
    """A high face was rolled: who tests the engine is found when the collisions are over."""

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        car = flow.car(seat)
        tested = face in flow.state.setup.edition.engine_faces.get(car.gear, ())
        if tested and car.status is not Status.PIT:
            flow.due(cls(seat=seat))

    def settle(self, flow: Flow) -> None:
        """The roller first, then the others in running order (FD-ENGINE-2)."""
        state = flow.state
        faces = state.setup.edition.engine_faces
        ranked = by_position(state, state.running())
        fast = [
            car.seat
            for car in ranked
            if car.status is not Status.PIT and car.gear in faces and not car.memory.blown
        ]
        # Sorting is stable: the roller goes first and the others keep their order (FD-ENGINE-2).
        fast.sort(key=lambda seat: seat != self.seat)
        if fast:
            flow.due(Engine(seats=tuple(fast)))


class Engine(AllSeats, kind="engine", at=Point.ENGINE, rule="FD-ENGINE-1"):
    """Who still tests the engine."""

    def asks(self, state: State) -> Asks:
        limits = state.setup.edition.engine_hurts
        return [
            losses.ask_hurting(state, seat, book.Reason.ENGINE, limits, book.ENGINE)
            for seat in self.seats
        ]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-ENGINE-1, FD-ENGINE-3."""
        rolled, seat = losses.read_roll(ask, value), ask.seat
        cost, hurt, gone = rolled.cost, any(rolled.cost), flow.car(seat).wear[book.ENGINE] <= 1
        self.strike(flow, seat)
        flow.tell(EngineTested(seat=seat, rule=self.rule, roll=rolled.roll, hurt=hurt, cost=cost))
        if hurt and gone and _rolls_on(flow.state, flow.car(seat)):
            home = _is_near_home(flow.state, flow.car(seat))
            flow.tell(EngineBlown(seat=seat, rule="FD-ENGINE-3", home=home))
            losses.mark(flow, seat)
        elif hurt:
            losses.damage(flow, seat, gone=gone, why="engine", rule="FD-ENGINE-3")
