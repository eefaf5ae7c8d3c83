"""What every level of Downforce does alike, and the lowest one.

A level says what it bids, which power it keeps, which card it turns up and on which car it bets.
What lies on the table, its own hand too, a person tells. An answer is in the form of the engine
protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from companion.advice.bots.downforce.deck import moves_of, worth
from companion.advice.bots.downforce.forecast import wanted
from companion.rules.downforce.asks import BetAsk, BidAsk, CardAsk, KeepAsk
from companion.rules.downforce.cards import bids_of
from companion.rules.downforce.forms import Card
from companion.rules.downforce.state import Bid, State
from companion.rules.game import Ask

POWERS: Final = ("cunning", "strategist", "determined", "aggressive", "unpredictable", "sly")
"""Of several powers the first is kept; those of the table's own behind them."""


class Level(Protocol):
    """How a level of play chooses."""

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        """One of the bids that its cards make."""

    def card(self, state: State, seat: int, cards: Sequence[Card]) -> Card:
        """Which card of its hand it turns up."""

    def bet(self, state: State, ask: BetAsk) -> str:
        """On which car it bets."""


def answer(level: Level, state: State, ask: Ask) -> object:
    """What a bot of a level answers.

    Raises:
        TypeError: it is about what lies on the table.
    """
    match ask:
        case BidAsk():
            bid = level.bid(state, ask, _bids(state, ask))
            return {"amount": bid.amount, "cars": bid.cars, "wild": bid.wild}
        case KeepAsk():
            known = (*POWERS, *ask.powers)
            return min(ask.powers, key=known.index)
        case CardAsk():
            card = level.card(state, ask.seat, state.players[ask.seat].cards or ())
            return [list(line) for line in card]
        case BetAsk():
            return level.bet(state, ask)
    raise TypeError(f"a bot is not asked for {ask.kind}")


def _bids(state: State, ask: BidAsk) -> Sequence[Bid]:
    """What the hand may bid, each amount as good as it gets, the lowest first (DF-BID-2)."""
    cards = state.players[ask.seat].cards or ()
    made = [bid for _, bid in bids_of(cards, ask.lot.car) if bid.amount in ask.amounts]
    best: dict[int, Bid] = {}
    for bid in sorted(made, key=lambda one: (one.cars, not one.wild)):
        best[bid.amount] = bid
    ranked = [best[amount] for amount in sorted(best)]
    return ranked[:1] if ask.forced else ranked


class Learner:
    """The lowest level: buys one car cheaply, moves it as far as it can, bets on it."""

    most: Final = 3
    """It pays no more for its car."""

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        """What it can up to a price for the first car, for another one nothing."""
        most = 0 if state.cars_of(ask.seat) else self.most
        within = [bid for bid in bids if bid.amount <= most]
        return within[-1] if within else bids[0]

    def card(self, state: State, seat: int, cards: Sequence[Card]) -> Card:
        """The card that moves its cars furthest, others' moves counted a third against it."""
        own = [car for car in state.cars_of(seat) if state.cars[car].place is None]
        worths, home = wanted(own), state.placed()
        return max(cards, key=lambda card: worth(moves_of(card, worths, home), worths))

    def bet(self, state: State, ask: BetAsk) -> str:
        """The foremost of its own cars."""
        order = [*state.placed(), *(state.standing or state.grid)]
        own = [car for car in order if car in state.cars_of(ask.seat)]
        return (own or order)[0]
