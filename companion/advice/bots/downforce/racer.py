"""The racer: weighs what it may do over guessed futures of the race (`forecast`).

In each future it counts the money of everybody, bets that it cannot know guessed, and asks how far
it would be ahead of the best other one: who has the most money wins, so a bet on a car of its own,
which pays where the car does, is worth more to it than one that pays as often.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.advice.bots.downforce import forecast
from companion.advice.bots.downforce.deck import moves_of, worth
from companion.advice.bots.downforce.forecast import Draw, Worlds
from companion.rules.downforce import hands
from companion.rules.downforce.asks import BetAsk, BidAsk
from companion.rules.downforce.forms import Card
from companion.rules.downforce.ledger import bet_money, spent
from companion.rules.downforce.sales import CarSold
from companion.rules.downforce.state import Bid, Lot, State
from companion.rules.downforce.tables import CARS, LINES

WORLDS: Final = 20
"""Futures that are drawn for an answer."""
NEAR: Final = 4.0
"""Millions ahead that make a win likely: 73 %."""
STEP: Final = 4.0
"""Spaces by which a car is moved to see what that brings."""
USUAL: Final = 0.01
"""What a space of an own car is worth anyhow: who is ahead is in nobody's way."""
OUTBID: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.88, 0.97, 0.99, 1.0)
"""The chance that another's card bids no more than so much."""
USUAL_PRICE: Final = 3
"""What a car costs whoever gets it later."""


class Racer:
    """The higher level."""

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        """The bid with the best of price and chance, by what the car brings with this hand."""
        if len(bids) == 1:
            return bids[0]
        car, seat, others = ask.lot.car, ask.seat, len(state.here()) - 1
        mine = Look(_sold(state, car, seat), seat).margins()
        lost = chance_of(Look(_lost(state, car, seat), seat).margins())

        def merit(bid: Bid) -> float:
            wins = OUTBID[bid.amount] ** others if bid.amount else 0.0
            return wins * chance_of([one - bid.amount for one in mine]) + (1 - wins) * lost

        return max(bids, key=merit)

    def card(self, state: State, seat: int, cards: Sequence[Card]) -> Card:
        """The card whose moves bring most, by what a space more brings of each car."""
        worths, home = Look(state, seat).worths(), state.placed()
        return max(cards, key=lambda card: worth(moves_of(card, worths, home), worths))

    def bet(self, state: State, ask: BetAsk) -> str:
        """The car by which the game is won most often."""
        look = Look(state, ask.seat)
        return max(CARS, key=lambda car: chance_of(look.margins(car)))


def chance_of(margins: Sequence[float]) -> float:
    """How likely a win is that is so many millions ahead in each future, on average."""
    return sum([1 / (1 + math.exp(-margin / NEAR)) for margin in margins]) / len(margins)


def _sold(state: State, car: str, seat: int, price: int = 0) -> State:
    """The state with a car sold to a seat, and its 8 in a hand that is known."""
    return CarSold(seat=seat, rule=None, lot=Lot(car, None), price=price).applied(state)


def _lost(state: State, car: str, seat: int) -> State:
    """The state where others get the car; who has none yet gets the next one."""
    rivals = sorted(
        (one for one in state.here() if one != seat), key=lambda one: len(state.cars_of(one))
    )
    state = _sold(state, car, rivals[0], USUAL_PRICE)
    turned = {lot.car for lot in state.lots}
    later = next((one for one in CARS if one not in turned), None)
    if later is None or state.cars_of(seat):
        return state
    return _sold(state, later, seat, USUAL_PRICE)


def _shared_out(state: State) -> State:
    """The state with the cars that are nobody's yet at those who have the fewest."""
    turned = {lot.car for lot in state.lots}
    for car in CARS:
        if car not in turned and state.cars[car].owner is None:
            fewest = min(state.here(), key=lambda seat: len(state.cars_of(seat)))
            state = _sold(state, car, fewest, USUAL_PRICE)
    return state


class Look:
    """One look at a game by a seat that has to choose."""

    def __init__(self, state: State, seat: int) -> None:
        turned = len(state.lots)
        self.state, self.seat = _shared_out(state) if turned < len(CARS) else state, seat
        self.left = forecast.to_go(self.state)
        self.own = self.state.cars_of(seat)
        self._moves = self._ordered(self.state.players[seat].cards or ())
        self._worlds = self._futures()
        self._bets = {one: self._guessed(one) for one in self.state.players}

    def _futures(self) -> Worlds:
        """What the others may play."""
        state = self.state
        rivals = [seat for seat in state.here() if seat != self.seat]
        left = {seat: hands.cards_left(state, seat) for seat in rivals}
        owners = {seat: tuple(state.cars_of(seat)) for seat in rivals}
        draw = Draw((state.players[self.seat].cards, state.lines, left, len(state.lots)))
        return forecast.worlds(owners, left, draw, WORLDS)

    def _ordered(self, cards: Sequence[Card]) -> list[list[float]]:
        """What these cards do, the best for the own cars first."""
        worths, home = forecast.wanted(self.own), self.state.placed()
        moves = [moves_of(card, worths, home) for card in cards]
        moves.sort(key=lambda one: worth(one, worths), reverse=True)
        return [[spaces * forecast.SHORTER for spaces in one] for one in moves]

    def _guessed(self, seat: int) -> tuple[str | None, ...]:
        """The bets of a seat: its own as far as they are made, else on the foremost of its cars."""
        made = self.state.players[seat].bets if seat == self.seat else ()
        cars = self.state.cars_of(seat)
        best = min(cars, key=lambda car: self._rank(car), default=None)
        return (*made, *[best] * (LINES - len(made)))

    def _rank(self, car: str) -> tuple[int, float]:
        place = self.state.cars[car].place
        return (place or len(CARS), self.left[CARS.index(car)])

    def margins(self, bet: str | None = None) -> list[float]:
        """How far ahead of the best other seat it is, in millions, in each future.

        Args:
            bet: its next bet; None: as guessed.
        """
        bets = dict(self._bets)
        if bet is not None:
            made = self.state.players[self.seat].bets
            bets[self.seat] = (*made, bet, *bets[self.seat][len(made) + 1 :])
        paid = {seat: spent(self.state, seat) for seat in bets}
        return [self._margin(places, bets, paid) for places in self._places()]

    def _places(self) -> Iterator[Mapping[str, int | None]]:
        for others in self._worlds:
            home = forecast.homecoming(self.left, self._moves, others)
            places = forecast.places_of(self.state, home)
            yield {car: place or None for car, place in zip(CARS, places, strict=True)}

    def _margin(
        self,
        places: Mapping[str, int | None],
        bets: Mapping[int, Sequence[str | None]],
        paid: Mapping[int, int],
    ) -> float:
        total = {seat: bet_money(made, places) - paid[seat] for seat, made in bets.items()}
        for car, place in places.items():
            owner = self.state.cars[car].owner
            if owner is not None:
                total[owner] += forecast.race_pay(place or 0)
        mine = total.pop(self.seat)
        return mine - max(total.values(), default=0)

    def worths(self) -> dict[str, float]:
        """What a space more brings of each car on the road, as a chance to win."""
        usual, found = forecast.wanted(self.own), {}
        before = chance_of(self.margins())
        for at, car in enumerate(CARS):
            if not self.left[at]:
                continue
            left = self.left[at]
            self.left[at] = max(0.1, left - STEP)
            found[car] = (chance_of(self.margins()) - before) / STEP + USUAL * usual[car]
            self.left[at] = left
        return found
