"""The bets: everybody's at each yellow line, secret until the race is over (DF-BET-1, DF-BET-2).

Who plays an entered hand sees no board: before such a seat bets the table tells how the cars on the
road stand (DF-CARD-4), while everybody else bets. What bets and places earn stands here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.rules.codec import PLAIN, Within, Word
from companion.rules.downforce import tables
from companion.rules.downforce.asks import BetAsk, StandingAsk, a_car, cars_in_order
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, SeatsStep, Sheet, State, Step
from companion.rules.downforce.tables import BET_MONEY, CARS, LINES, race_pay
from companion.rules.game import Ask
from companion.rules.lines import bad


def _with_bet(state: State, seat: int, car: str, number: int) -> State:
    """The bet at a line; one that was known before is replaced."""
    player = state.players[seat]
    bets = (*player.bets[: number - 1], car, *player.bets[number:])
    return state.with_player(seat, replace(player, bets=bets))


class BetsOpened(Event):
    """These seats bet at line `number`; who is not among them is not at the table."""

    number: int
    seats: tuple[int, ...]

    def applied(self, state: State) -> State:
        for seat in state.players:
            if seat not in self.seats:
                state = _with_bet(state, seat, tables.NO_BET, self.number)
        return state


class BetMade(Event):
    """A seat has bet at line `number`; on which car, is a secret yet."""

    number: int
    car: Annotated[str, tables.FaceDown()]

    def applied(self, state: State) -> State:
        return _with_bet(state, self.seat, self.car, self.number)


class BetMissed(Event):
    """A seat has left the table without its bet at line `number`."""

    number: int

    def applied(self, state: State) -> State:
        return _with_bet(state, self.seat, tables.NO_BET, self.number)


class BetsRevealed(Event):
    """All bets, by seat and line; "none" where a seat had left, null for one not known here."""

    bets: Annotated[Mapping[int, tuple[str | None, ...]], tables.BySeat(PLAIN)]


class StandingTold(Event):
    """How the cars on the road stand, the foremost first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, standing=self.order)


class Bets(SeatsStep, kind="bets", rule="DF-BET-1", phases=(Phase.RACE,)):
    """The bets at line `number`; `again`: those that this program does not know (a position).

    `told`: the table has said how the cars stand, for whoever sees no board.
    """

    number: Annotated[int, Within(1, LINES)]
    again: Annotated[bool, tables.AGAIN]
    told: Annotated[bool, tables.AGAIN, Word(sparse=True)] = False

    def asks(self, state: State) -> Sequence[Ask]:
        blind, road = self._blind(state), _on_road(state)
        seeing = (seat for seat in self.seats if seat not in blind)
        bets = [BetAsk(seat, number=self.number, again=self.again) for seat in seeing]
        return [*bets, StandingAsk(TABLE, cars=road)] if blind else bets

    def _blind(self, state: State) -> tuple[int, ...]:
        """The seats that bet once the table has said how the cars stand."""
        # With one car on the road there is nothing to tell.
        if self.told or self.again or len(_on_road(state)) < 2:
            return ()
        return tuple(seat for seat in self.seats if seat in state.setup.entered)

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        if seat == TABLE:
            _tell_standing(flow, value)
            return
        car = a_car(value, "bet")
        flow.instead(self.answered(seat))
        flow.emit(BetMade(seat=seat, rule=self.rule, number=self.number, car=car))

    def without(self, flow: Flow, seat: int) -> Step:
        """A player who leaves misses this bet."""
        if seat in self.seats and not self.again:
            flow.emit(BetMissed(seat=seat, rule=self.rule, number=self.number))
        return self.answered(seat)

    def check(self, state: State) -> None:
        super().check(state)
        if self.number > state.lines or state.setup.plays("no-bets"):
            bad("pending-form", "bets are open at lines that were crossed", rule=self.rule)


def _on_road(state: State) -> tuple[str, ...]:
    """The cars without a place."""
    return tuple(name for name, car in state.cars.items() if car.place is None)


def _tell_standing(flow: Flow, value: object) -> None:
    """DF-CARD-4; it holds for all the bets that are open, as no card is played between them."""
    road, order = _on_road(flow.state), cars_in_order(value, "standing")
    if sorted(order) != sorted(road):
        bad("standing-form", f"standing names each car on the road once: {', '.join(road)}",
            rule="DF-CARD-4")  # fmt: skip
    flow.queue = [replace(one, told=True) if isinstance(one, Bets) else one for one in flow.queue]
    flow.emit(StandingTold(seat=TABLE, rule="DF-CARD-4", order=order))


def open_bets(flow: Flow, lines: int) -> None:
    """A bet of everybody for each line that a card has crossed, in order (DF-BET-1)."""
    if flow.state.setup.plays("no-bets"):
        return
    seats = tuple(flow.state.here())
    crossed = flow.state.lines
    for number in range(crossed - lines + 1, crossed + 1):
        flow.emit(BetsOpened(seat=TABLE, rule="DF-BET-1", number=number, seats=seats))
        flow.queue.append(Bets(seats=seats, number=number, again=False))


def lost_bets(state: State) -> list[Bets]:
    """The bets of the seats at the table that are not known here."""
    lost = []
    for number in range(1, state.lines + 1):
        at_line = slice(number - 1, number)
        # A slice: a seat may have fewer bets, and then nothing compares equal.
        seats = tuple(s for s in state.here() if state.players[s].bets[at_line] == (None,))
        if seats:
            lost.append(Bets(seats=seats, number=number, again=True))
    return lost


def reveal(flow: Flow) -> None:
    """All bets are turned up (DF-BET-2)."""
    bets = {seat: player.bets for seat, player in flow.state.players.items()}
    if any(bets.values()):
        flow.emit(BetsRevealed(seat=TABLE, rule="DF-BET-2", bets=bets))


def due(state: State, seat: int) -> int:
    """How many bets a seat has made by now: one a line crossed, less those still asked."""
    if state.setup.plays("no-bets"):
        return 0
    steps = (step for step in state.pending if isinstance(step, Bets) and not step.again)
    return state.lines - sum(seat in step.seats for step in steps)


# -- the money, in millions, and who has won ------------------------------------------------------

NEVER = len(CARS) + 1
"""The place of a player none of whose cars has one, for comparing."""


def _race_money(state: State, seat: int) -> int:
    """What the places of a seat's cars earn (DF-PAY-1)."""
    return sum(race_pay(state.cars[name].place) for name in state.cars_of(seat))


def bet_money(bets: Sequence[str | None], places: Mapping[str, int | None]) -> int:
    """What bets earn by the places of the cars (DF-PAY-2).

    >>> bet_money(("yellow", "yellow", "blue"), {"blue": 1, "yellow": 2})
    13
    """
    won = 0
    for paid, car in zip(BET_MONEY, bets, strict=False):
        place = None if car is None else places.get(car)
        if place is not None and place <= len(paid):
            won += paid[place - 1]
    return won


def spent(state: State, seat: int) -> int:
    """What a seat paid at the auction."""
    return sum(state.cars[name].price or 0 for name in state.cars_of(seat))


def _best_place(state: State, seat: int) -> int | None:
    """The best place of a seat's cars; None where none has one."""
    places = [state.cars[name].place for name in state.cars_of(seat)]
    return min((place for place in places if place is not None), default=None)


def sheet(state: State, seat: int) -> Sheet:
    """The score sheet of the present race, bets counted (DF-PAY-3, DF-PAY-4)."""
    bets = state.players[seat].bets
    places = {name: car.place for name, car in state.cars.items()}
    won = bet_money(bets, places)
    best = _best_place(state, seat)
    return Sheet(bets, _race_money(state, seat), won, spent(state, seat), best=best)


def sheets(state: State, seat: int) -> tuple[Sheet, ...]:
    """All sheets of a player, those of earlier races first (DF-VAR-4)."""
    return (*state.players[seat].legs, sheet(state, seat))


def classification(state: State) -> list[tuple[int, int]]:
    """Place and seat of everybody, the winner first; equals share a place (DF-PAY-3).

    **Ruling** for a championship: the better placed car is that of the last race, then of the
    one before. Of beginners' races the owner of the first owned car home wins (DF-VAR-1);
    over a championship totals decide.
    """
    ranks = {seat: _rank(state, seat) for seat in state.players}
    ordered = sorted(ranks, key=lambda seat: (ranks[seat], seat))
    return [(1 + sum(ranks[other] < ranks[seat] for other in ranks), seat) for seat in ordered]


def _rank(state: State, seat: int) -> tuple[int, ...]:
    """What sorts the players; lower is better."""
    every = sheets(state, seat)
    total = sum(one.total for one in every)
    best = [one.best or NEVER for one in reversed(every)]
    return (_not_home_first(state, seat), -total, *best)


def _not_home_first(state: State, seat: int) -> int:
    """0 for the winner of a race that its first car wins, 1 for all others.

    Where that may be anybody's (`house.first_home` "any") and it is nobody's, money decides.
    """
    if not state.setup.plays("first-wins") or state.setup.plays("championship"):
        return 1
    owners = [state.cars[name].owner for name in state.placed()]
    if state.setup.first_home == "owned":
        owners = [owner for owner in owners if owner is not None]
    # A slice, since it may be that no car is home.
    return int(owners[:1] != [seat])
