"""Collisions: who meets whom where a move ended, and their rolls (FD-BUMP; DE-BUMP).

In Formula D the mover and those that it met roll. In Formule Dé all who touch one another do
(DE-BUMP-1, DE-BUMP-2): a car that comes to stand beside or behind another draws in everybody who
is joined to it by touching pairs, beside, or one directly behind the other. Each rolls once for
each car that it touches; the car that caused it rolls last. For each car that goes out by it the
cause loses 1 body instead: its roll for that car falls away where the two touch.

House switches of Formula D, both of the federation's competition rules of 2018: `causer` with
"pays" does so there too (14-4); with `worse_collision` a car that stands stalled, spun or wrecked
hurts on 1–2, in rain on 1–3 (14-3), and a wreck that is met is rolled for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from companion.rules.codec import Word
from companion.rules.copies import replace
from companion.rules.forms import Many, Pair, Seat, Seats
from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.black_die import Rolled, ask_hurting, read_roll
from companion.rules.formula.car import Car, Status
from companion.rules.formula.elimination import damage, strike
from companion.rules.formula.meanings import Reason
from companion.rules.formula.option import Way
from companion.rules.formula.order import by_position
from companion.rules.formula.state import (
    Asks,
    ByItself,
    Flow,
    Roll,
    SeatStep,
    State,
    Step,
    Wears,
    but,
)
from companion.rules.formula.tables import BODY, COLLISION_HURTS, WORSE_COLLISION
from companion.rules.formula.turn import On, Point
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.game import Ask
from companion.rules.reading import bad

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
        if not way.slips:
            flow.due(cls(seat=way.seat))

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
        track = state.setup.track
        near = {*track.beside[mover.space], track.ahead[mover.space]}
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


def _limits(state: State, *seats: int) -> Mapping[bool, int]:
    """What a roll hurts up to; house switch `worse_collision`: more where one of them stands."""
    on = state.setup.house.worse_collision == "on"
    worse = on and any(_stands(state.cars[seat]) for seat in seats)
    return WORSE_COLLISION if worse else COLLISION_HURTS


def _stands(car: Car) -> bool:
    """Stalled, spun, or out and still in the way (competition rules of 2018, 14-3)."""
    return car.is_wreck or car.status in (Status.STALLED, Status.SPUN)


class Contact(SeatStep, at=Point.COLLISION, outlives=True):
    """The rolls of a collision that a car has caused; `against`: whom it still rolls for itself."""

    against: Annotated[Seats, Word(last=True)] = ()

    def ask_roll(self, state: State, seat: int, against: int, times: int) -> BlackAsk:
        """The roll of a seat for a car that it met, the first of so many."""
        limits, reason = _limits(state, seat, against), Reason.COLLISION
        return ask_hurting(state, seat, reason, limits, BODY, against=against, times=times)

    def ask_cause(self, state: State) -> list[BlackAsk]:
        """The roll of the car that caused it, for the first of those that it rolls for."""
        met = self.against
        return [self.ask_roll(state, self.seat, met[0], len(met))] if met else []

    def tell_roll(self, flow: Flow, ask: BlackAsk, rolled: Rolled, rule: str) -> bool:
        """The roll counts: a body WP, the last of which is the end; whether it was that."""
        assert ask.against is not None
        seat, cost, hurt = ask.seat, rolled.cost, any(rolled.cost)
        gone = flow.car(seat).wear[BODY] <= 1
        against, roll = ask.against, rolled.roll
        flow.tell(
            CollisionRolled(
                seat=seat, rule=self.rule, against=against, roll=roll, hurt=hurt, cost=cost
            )
        )
        if hurt:
            damage(flow, seat, gone=gone, why="body", rule=rule)
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
            for other in dict.fromkeys(self.others)
        ]
        if rolls and state.setup.house.causer == "pays":
            return rolls
        return rolls + self.ask_cause(state)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-BUMP-1, FD-BUMP-2."""
        assert isinstance(ask, BlackAsk)
        rolled = read_roll(ask, value)
        if ask.seat == self.seat:
            flow.due(replace(self, against=self.against[1:]))
        else:
            at = self.others.index(ask.seat)
            flow.due(replace(self, others=self.others[:at] + self.others[at + 1 :]))
        gone = self.tell_roll(flow, ask, rolled, "FD-BUMP-2")
        if gone and ask.seat != self.seat and flow.state.setup.house.causer == "pays":
            self._pay_for(flow, ask.seat)

    def _pay_for(self, flow: Flow, other: int) -> None:
        """House switch `causer`: 1 body for a car that it has put out, and no roll for it."""
        flow.revise(Collision, lambda step: replace(step, against=but(step.against, other)))
        if flow.car(self.seat).runs:
            strike(flow, self.seat, by=other, rule="DE-BUMP-2")

    def without(self, seat: int, *, retired: bool) -> Step:
        """FD-BUMP-2: a collision goes on without a car that is out; who met it rolls all the same.

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


# -- by groups ----------------------------------------------------------------------------


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
        first = dict(reversed(self.rolls))
        rollers = [seat for seat, _ in self.rolls]
        return [
            self.ask_roll(state, seat, first[seat], rollers.count(seat))
            for seat in dict.fromkeys(rollers)
        ]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """One roll: a 1 costs 1 body, the last one is the end (DE-BUMP-1)."""
        assert isinstance(ask, BlackAsk)
        rolled = read_roll(ask, value)
        if self.rolls:
            done = (ask.seat, ask.against)
            left = tuple(pair for pair in self.rolls if pair != done)
            flow.due(replace(self, rolls=left))
        else:
            flow.due(replace(self, against=self.against[1:]))
        gone = self.tell_roll(flow, ask, rolled, "DE-OUT-1")
        if gone and ask.seat != self.seat and flow.car(self.seat).runs:
            strike(flow, self.seat, by=ask.seat, rule="DE-BUMP-2")

    def without(self, seat: int, *, retired: bool) -> Step:
        """DE-BUMP-2: it goes on without a car that is out."""
        rolls = tuple(pair for pair in self.rolls if pair[0] != seat)
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
