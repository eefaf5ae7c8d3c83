"""The end of a race: why, how the cars stand, and the next race of a championship.

It is counted once the bets that are open are made (DF-END-1, DF-VAR-1, DF-VAR-3, DF-VAR-4).
Players who leave the table and come back stand here too, and the powers that are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

from companion.rules.codec import OneOf
from companion.rules.downforce import bets, cards, race
from companion.rules.downforce.asks import EndAsk, KeepAsk, all_cars
from companion.rules.downforce.bets import sheets
from companion.rules.downforce.race import RaceBegan
from companion.rules.downforce.state import (
    NO_CARS,
    TABLE,
    Event,
    Flow,
    Phase,
    Player,
    SeatsStep,
    State,
    Step,
)
from companion.rules.downforce.tables import CARS, LEGS
from companion.rules.game import Ask
from companion.rules.lines import Illegal, bad, refuse


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


class CarsRanked(Event):
    """How far the cars have come, the furthest first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        for place, name in enumerate(self.order, 1):
            state = state.with_car(name, replace(state.cars[name], place=place))
        return state


class RaceEnded(Event):
    """The race is over: why, and the cars that have a place."""

    why: Annotated[Why, OneOf(tuple(Why))]
    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.FINISHED, turn=None, pending=())


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


class Order(Step, kind="order", rule="DF-VAR-3", phases=(Phase.RACE,)):
    """All cards of a long-distance race are played: it waits for `end`, the order of the cars."""

    def check(self, state: State) -> None:
        super().check(state)
        if not state.setup.plays("long-distance"):
            bad("pending-form", "only a long-distance race waits for the order of the cars")


class Count(Step, kind="count", rule="DF-END-1", phases=(Phase.RACE,)):
    """The race is over, once what stands before this is answered."""

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
    # A card or a choice that is still open falls away with the race, a bet does not (DF-BET-1).
    open_bets = [step for step in flow.queue if isinstance(step, bets.Bets)]
    flow.queue = [*open_bets, Count(why=why)]


def go_on(flow: Flow) -> None:
    """The next turn, or the end (DF-TURN-1, DF-TURN-2, DF-END-1)."""
    why, seat = _why_over(flow.state), race.next_seat(flow.state)
    if why is not None:
        flow.first(Count(why=why))
    elif not flow.state.setup.counts:
        flow.first(race.Watch())
    # Only a long-distance race gets here; any other is over when nobody can play (DF-VAR-3).
    elif seat is None:
        flow.first(Order())
    else:
        race.begin_turn(flow, seat)


def _why_over(state: State) -> Why | None:
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


# -- players who leave the table and come back ----------------------------------------------------

# Whoever retires leaves the table: the hand is put aside, nothing is asked of that seat any more,
# and turns skip it. Its cars stay on the board and go on under everybody's cards; what they earn,
# and the bets made until then, count. Whoever returns takes the hand up again.


class Retired(Event):
    """A player has left the table."""

    reason: str

    def applied(self, state: State) -> State:
        return _left(state, self.seat, left=True)


class Returned(Event):
    """A player who had left is back."""

    def applied(self, state: State) -> State:
        return _left(state, self.seat, left=False)


def _left(state: State, seat: int, *, left: bool) -> State:
    return state.with_player(seat, replace(state.players[seat], left=left))


def _player(state: State, seat: int) -> Player:
    if seat in state.players:
        return state.players[seat]
    message = f"this game has seats {list(state.players)}, not {seat}"
    raise Illegal("no-such-seat", message, args={"seat": seat})


def leave(flow: Flow, seat: int, reason: str) -> None:
    """A player leaves; the game is over when all have.

    Raises:
        Illegal: the game is over, or there is no such player at the table.
    """
    player = _player(flow.state, seat)
    if flow.state.phase is Phase.FINISHED or player.left:
        raise Illegal("not-running", f"seat {seat} is not playing", args={"seat": seat})
    flow.emit(Retired(seat=seat, rule=None, reason=reason))
    flow.queue = [step.without(flow, seat) for step in flow.queue]
    if not flow.state.here():
        end_race(flow, Why.STOPPED)


def come_back(flow: Flow, seat: int) -> None:
    """A player is back, and keeps one of several powers first (DF-BID-6).

    Raises:
        Illegal: the game is over, or no such player has left.
    """
    player = _player(flow.state, seat)
    if flow.state.phase is Phase.FINISHED or not player.left:
        raise Illegal("not-out", f"seat {seat} has not left a running game", args={"seat": seat})
    flow.emit(Returned(seat=seat, rule=None))
    if flow.state.phase is Phase.RACE and len(player.powers) > 1:
        flow.first(Keep(seats=(seat,)))


# -- whoever has won several powers keeps one (DF-BID-6) ------------------------------------------


class PowerKept(Event):
    """A seat keeps this power of those it won."""

    power: str

    def applied(self, state: State) -> State:
        player = replace(state.players[self.seat], powers=(self.power,))
        return state.with_player(self.seat, player)


class Keep(SeatsStep, kind="keep", rule="DF-BID-6", phases=(Phase.POWERS, Phase.RACE)):
    """These seats have powers to choose from; in the race one who came back."""

    def asks(self, state: State) -> Sequence[Ask]:
        return [KeepAsk(seat, powers=state.players[seat].powers) for seat in self.seats]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        powers = flow.state.players[seat].powers
        won = ", ".join(powers)
        if not isinstance(value, str) or value not in flow.state.setup.powers:
            bad("no-such-power", f"keep is one of {won}, not {value!r:.40}", known=won)
        if value not in powers:
            refuse("power-not-won", f"seat {seat} has won {won}, not {value}", rule=self.rule,
                seat=seat, power=value)  # fmt: skip
        flow.instead(self.answered(seat))
        flow.emit(PowerKept(seat=seat, rule=self.rule, power=value))

    def check(self, state: State) -> None:
        super().check(state)
        if any(len(state.players[seat].powers) < 2 for seat in self.seats):
            bad("pending-form", "who keeps a power has two or more", rule=self.rule)


def go_on_with_powers(flow: Flow) -> None:
    """Powers are kept, then the cars are off."""
    keepers = tuple(s for s in flow.state.here() if len(flow.state.players[s].powers) > 1)
    if keepers:
        flow.first(Keep(seats=keepers))
    else:
        flow.emit(RaceBegan(seat=TABLE, rule="DF-TURN-1"))
