"""The end of a race: why, how the cars stand, and the next race of a championship.

It is counted once the bets that are open are made (DF-END-1, DF-VAR-1, DF-VAR-3, DF-VAR-4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.downforce import bets, cards, race
from companion.rules.downforce.asks import EndAsk
from companion.rules.downforce.ledger import sheets
from companion.rules.downforce.refuse import all_cars
from companion.rules.downforce.state import NO_CARS, TABLE, Event, Flow, Phase, Player, State, Step
from companion.rules.downforce.tables import CARS, LEGS
from companion.rules.forms import OneOf
from companion.rules.reading import bad


class Why(StrEnum):
    """Why a race ended (DF-END-1, DF-VAR-1, DF-VAR-3)."""

    ALL_FINISHED = "all-finished"
    FIRST_HOME = "first-home"
    NOBODY_PLAYS = "nobody-plays"
    CALLED = "called"
    DISTANCE = "distance"
    STOPPED = "stopped"


RULES = {
    Why.ALL_FINISHED: "DF-END-1",
    Why.NOBODY_PLAYS: "DF-END-1",
    Why.CALLED: "DF-END-1",
    Why.FIRST_HOME: "DF-VAR-1",
    Why.DISTANCE: "DF-VAR-3",
}
"""By which rule a race ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarsRanked(Event):
    """How far the cars have come, the furthest first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        for place, name in enumerate(self.order, 1):
            state = state.with_car(name, replace(state.cars[name], place=place))
        return state


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceEnded(Event):
    """The race is over: why, and the cars that have a place."""

    why: Annotated[Why, OneOf(tuple(Why))]
    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.FINISHED, turn=None, pending=())


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRaceSet(Event):
    """The next race of a championship begins with its own auction."""

    leg: int

    def applied(self, state: State) -> State:
        """What was earned stays with each player, all else is as at the start (DF-VAR-4)."""
        players = {
            seat: Player(name=player.name, left=player.left, legs=sheets(state, seat))
            for seat, player in state.players.items()
        }
        return State(setup=state.setup, leg=self.leg, cars=NO_CARS, players=players)


@dataclass(frozen=True, kw_only=True)
class Order(Step):
    """All cards of a long-distance race are played: it waits for `end`, the order of the cars."""

    kind = "order"
    rule = "DF-VAR-3"
    phases = (Phase.RACE,)

    def check(self, state: State) -> None:
        super().check(state)
        if not state.setup.plays("long-distance"):
            bad("pending-form", "only a long-distance race waits for the order of the cars")


@dataclass(frozen=True, kw_only=True)
class Count(Step):
    """The race is over, once what stands before this is answered."""

    kind = "count"
    rule = "DF-END-1"
    phases = (Phase.RACE,)
    why: Annotated[Why, OneOf(tuple(Why))]

    def settle(self, flow: Flow) -> bool:
        """Ask for the bets that are not known here; then the race is over."""
        lost = bets.lost_bets(flow.state)
        if lost:
            flow.first(*lost)
        else:
            end_race(flow, self.why)
        return True


def goes_on(state: State) -> bool:
    """Whether a race is on that is not being counted, with nothing left but bets."""
    over = any(isinstance(step, Count) for step in state.pending)
    return state.phase is Phase.RACE and not over


def ask(state: State) -> EndAsk:
    """The ask that ends a race, open until it is: true, or the order of the cars (DF-VAR-3)."""
    far = state.setup.plays("long-distance")
    return EndAsk(TABLE, options=CARS if far else (True,))


def answer(flow: Flow, value: object) -> None:
    """DF-END-1, DF-VAR-3: the race is over once the bets that are open are made."""
    if flow.state.setup.plays("long-distance"):
        why, order = Why.DISTANCE, all_cars(value, "end")
        flow.emit(CarsRanked(seat=TABLE, rule="DF-VAR-3", order=order))
    elif value is not True:
        bad("not-true", "end is true: nobody can move any more", word="end")
    else:
        why = Why.CALLED
    open_bets = [step for step in flow.queue if isinstance(step, bets.Bets)]
    flow.queue = [*open_bets, Count(why=why)]


def go_on(flow: Flow) -> None:
    """The next turn, or the end (DF-TURN-1, DF-TURN-2, DF-END-1)."""
    why, seat = why_over(flow.state), race.next_seat(flow.state)
    if why is not None:
        flow.first(Count(why=why))
    elif not flow.state.setup.counts:
        flow.first(race.Watch())
    elif seat is None:
        flow.first(Order())
    else:
        race.begin_turn(flow, seat)


def why_over(state: State) -> Why | None:
    """Why the race is over; None: it goes on."""
    placed, far = state.placed(), state.setup.plays("long-distance")
    if len(placed) == len(CARS):
        return Why.DISTANCE if far else Why.ALL_FINISHED
    if state.setup.plays("first-wins") and _first_is_home(state, placed):
        return Why.FIRST_HOME
    if not far and race.next_seat(state) is None:
        return Why.NOBODY_PLAYS
    return None


def _first_is_home(state: State, placed: Sequence[str]) -> bool:
    """Whether the car that wins is over the line: an owned one, or any (`house.first_home`)."""
    if state.setup.first_home == "any":
        return bool(placed)
    return any(state.cars[name].owner is not None for name in placed)


def end_race(flow: Flow, why: Why) -> None:
    """The race is over: bets are turned up, and the next race of a championship is set."""
    flow.queue.clear()
    bets.reveal(flow)
    cards.reveal(flow)
    order = tuple(flow.state.placed())
    flow.emit(RaceEnded(seat=TABLE, rule=RULES.get(why), why=why, order=order))
    more = flow.state.setup.plays("championship") and flow.state.leg < LEGS
    if more and why is not Why.STOPPED:
        flow.emit(NextRaceSet(seat=TABLE, rule="DF-VAR-4", leg=flow.state.leg + 1))
