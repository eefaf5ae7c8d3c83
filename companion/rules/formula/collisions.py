"""Collisions: who meets whom where a move ended, and their rolls (FD-BUMP; DE-BUMP).

In Formula D the mover and those that it met roll. In Formule Dé all who touch one another do
(DE-BUMP-1, DE-BUMP-2): a car that comes to stand beside or behind another draws in everybody who
is joined to it by touching pairs, beside, or one directly behind the other. Each rolls once for
each car that it touches; the car that caused it rolls last. For each car that goes out by it the
cause loses 1 body instead: its roll for that car falls away where the two touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Seat, Tupled, Word
from companion.rules.formula.asks import BlackAsk, Outcome, Reason
from companion.rules.formula.black_die import ask_black, cost_of, hurting, read_roll
from companion.rules.formula.elimination import damage, strike
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.order import by_position
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.step import On, Point, SeatStep, Step, Way
from companion.rules.formula.tables import BODY, COLLISION_HURTS
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class CollisionRolled(Event):
    """The roll of a collision."""

    against: int
    roll: Roll
    hurt: bool
    cost: Cost

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)


def _ask(state: State, seat: int, against: int, times: int) -> BlackAsk:
    outcomes: tuple[Outcome, ...] = hurting(state, seat, Reason.COLLISION, COLLISION_HURTS, BODY)
    return ask_black(seat, Reason.COLLISION, outcomes, against=against, times=times)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump(SeatStep):
    """Who rolls for a collision where the move ended; `spared` cars do not (DE-BLOCK-2)."""

    kind: ClassVar[str] = "bump"
    at: ClassVar[Point] = Point.BUMP
    rule: ClassVar[str] = "FD-BUMP-1"
    on: ClassVar[On] = On.BOARD
    spared: Annotated[tuple[int, ...], Many(Seat()), Word("spared", sparse=True)] = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if not way.slips:
            flow.due(cls(seat=way.seat))

    def sparing(self, seat: int, other: int) -> Step:
        return replace(self, spared=(*self.spared, other)) if seat == self.seat else self

    def settle(self, flow: Flow) -> bool:
        """FD-BUMP-1, FD-BUMP-3; DE-BUMP-1."""
        flow.take()
        state, mover = flow.state, flow.car(self.seat)
        if mover.space is None or mover.status is Status.PIT:
            return True
        if state.setup.edition.collisions == "group":
            self._meet_group(flow, mover)
            return True
        track = state.setup.track
        near = {*track.beside[mover.space], track.ahead[mover.space]}
        met = [
            car.seat
            for car in by_position(state, state.running())
            if car.space in near and car.status is not Status.PIT
        ]
        if met:
            flow.due(Collision.of(state, self.seat, met))
        return True

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision(SeatStep):
    """Cars that still roll against the mover, and those that the mover still rolls against."""

    kind: ClassVar[str] = "collision"
    at: ClassVar[Point] = Point.COLLISION
    rule: ClassVar[str] = "FD-BUMP-1"
    others: Annotated[tuple[int, ...], Many(Seat())] = ()
    against: Annotated[tuple[int, ...], Many(Seat())] = ()

    @classmethod
    def of(cls, state: State, seat: int, met: list[int]) -> Collision:
        """The rolls of a collision: each once for the other, against Derek twice (FD-DRV-8)."""
        blows = {other: driver_of(state.cars[other]).blows for other in (seat, *met)}
        others = tuple(other for other in met for _ in range(blows[seat]))
        against = tuple(other for other in met for _ in range(blows[other]))
        return cls(seat=seat, others=others, against=against)

    def settle(self, flow: Flow) -> bool:
        if self.others or self.against:
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        """FD-DRV-8: one that rolls twice rolls twice in turn."""
        rolls = [
            _ask(state, other, self.seat, self.others.count(other))
            for other in dict.fromkeys(self.others)
        ]
        if self.against:
            rolls.append(_ask(state, self.seat, self.against[0], len(self.against)))
        return rolls

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-BUMP-1, FD-BUMP-2."""
        assert isinstance(ask, BlackAsk)
        cost, seat = cost_of(ask, read_roll(ask, value)), ask.seat
        flow.take()
        if seat == self.seat:
            flow.put_back(replace(self, against=self.against[1:]))
        else:
            at = self.others.index(seat)
            flow.put_back(replace(self, others=self.others[:at] + self.others[at + 1 :]))
        gone = flow.car(seat).wear[BODY] <= 1
        _tell_roll(flow, ask, value, cost, self.rule)
        if any(cost):
            damage(flow, seat, gone=gone, why="body", rule="FD-BUMP-2")

    def without(self, seat: int, *, retired: bool) -> Step:
        """FD-BUMP-2: a collision goes on without a car that is out; who met it rolls all the same.

        A car that the referee retires is not rolled against any more.
        """
        others = tuple(other for other in self.others if other != seat)
        against = () if seat == self.seat else self.against
        if retired:
            against = tuple(other for other in against if other != seat)
        return replace(self, others=others, against=against)

    def check(self, state: State) -> None:
        _check_edition(state, "mover", self.kind)
        mover = driver_of(state.cars[self.seat])
        for seats in (self.others, self.against):
            for seat in seats:
                blows = max(driver_of(state.cars[seat]).blows, mover.blows)
                if seats.count(seat) > blows:
                    bad("pending-form", "collision names a seat twice")
        if any(not state.cars[seat].runs for seat in self.others):
            bad("pending-of-car-out", "collision is pending for a car that does not run")

    def seats_named(self) -> Sequence[int]:
        return ()


def _check_edition(state: State, way: str, kind: str) -> None:
    edition = state.setup.edition
    if edition.collisions != way:
        bad("pending-form", f"{kind} is never pending in {edition.name}")


def _tell_roll(flow: Flow, ask: BlackAsk, value: Any, cost: Cost, rule: str) -> None:
    assert ask.against is not None
    hurt = any(cost)
    flow.tell(
        CollisionRolled(
            seat=ask.seat, rule=rule, against=ask.against, roll=value, hurt=hurt, cost=cost
        )
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch(SeatStep):
    """Who still rolls for whom, as pairs, and whom the mover then rolls for (DE-BUMP-1)."""

    kind: ClassVar[str] = "touch"
    at: ClassVar[Point] = Point.COLLISION
    rule: ClassVar[str] = "DE-BUMP-1"
    rolls: Annotated[
        tuple[tuple[int, int], ...], Many(Tupled((Seat(), Seat()), key="pending-form"))
    ] = ()
    against: Annotated[tuple[int, ...], Many(Seat())] = ()

    def settle(self, flow: Flow) -> bool:
        if self.rolls or self.against:
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        """The cause once all others have rolled; of each other its first roll."""
        if not self.rolls:
            return [_ask(state, self.seat, self.against[0], len(self.against))]
        first: dict[int, int] = {}
        for seat, against in self.rolls:
            first.setdefault(seat, against)
        rollers = [seat for seat, _ in self.rolls]
        return [_ask(state, seat, met, rollers.count(seat)) for seat, met in first.items()]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """One roll: a 1 costs 1 body, the last one is the end (DE-BUMP-1)."""
        assert isinstance(ask, BlackAsk)
        cost, seat = cost_of(ask, read_roll(ask, value)), ask.seat
        flow.take()
        if self.rolls:
            done = (seat, ask.against)
            flow.put_back(replace(self, rolls=tuple(pair for pair in self.rolls if pair != done)))
        else:
            flow.put_back(replace(self, against=self.against[1:]))
        gone = flow.car(seat).wear[BODY] <= 1
        _tell_roll(flow, ask, value, cost, self.rule)
        if not any(cost):
            return
        damage(flow, seat, gone=gone, why="body", rule="DE-OUT-1")
        if gone and seat != self.seat and flow.car(self.seat).runs:
            strike(flow, self.seat, by=seat, rule="DE-BUMP-2")

    def without(self, seat: int, *, retired: bool) -> Step:
        """DE-BUMP-2: it goes on without a car that is out."""
        rolls = tuple(pair for pair in self.rolls if pair[0] != seat)
        against = tuple(other for other in self.against if other != seat)
        return replace(self, rolls=rolls, against=() if seat == self.seat else against)

    def check(self, state: State) -> None:
        _check_edition(state, "group", self.kind)
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

    def seats_named(self) -> Sequence[int]:
        return ()
