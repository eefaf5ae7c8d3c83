"""Hands that are entered: what a seat bids and plays is a card of it (DF-CARD-1 to DF-CARD-3).

The cards of such a seat (`Setup.entered`) lie face down on the table, and whoever sits beside them
tells the companion once what they are. From then on nobody else need know: a bid of that seat is
checked against its hand (DF-BID-1), and on its turn it says which card is turned up, before the
table tells what that card did. An 8 comes by itself with the car that it is of. The cards are a
secret until the race is over, as bets are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.rules.downforce import tables
from companion.rules.downforce.asks import HandAsk, an_object
from companion.rules.downforce.state import (
    NOWHERE,
    TABLE,
    Bid,
    Event,
    Flow,
    Phase,
    Player,
    SeatsStep,
    State,
    cards_left,
)
from companion.rules.downforce.tables import EIGHT, WILD, Card
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse

_CARDS = tables.Listed(tables.CARD, "hand-form")


class HandEntered(Event):
    """The cards of a seat are entered; which, is a secret yet."""

    cards: Annotated[tuple[Card, ...], tables.FaceDown()]

    def applied(self, state: State) -> State:
        return _holding(state, self.seat, self.cards)


class CardTurned(Event):
    """A seat turns up the card that it plays; what it does is answered next."""

    card: Annotated[Card, tables.CARD]


class CardLeftHand(Event):
    """The card that was turned up is played, and out of an entered hand."""

    card: Annotated[Card, tables.CARD]

    def applied(self, state: State) -> State:
        held = list(state.players[self.seat].cards or ())
        held.remove(self.card)
        return _holding(state, self.seat, tuple(held))


class HandsRevealed(Event):
    """The race is over: the cards that are left of the hands that were entered, by seat."""

    hands: Annotated[Mapping[int, tuple[Card, ...]], tables.BySeat(_CARDS)]


def _holding(state: State, seat: int, cards: tuple[Card, ...]) -> State:
    return state.with_player(seat, replace(state.players[seat], cards=cards))


class Hands(
    SeatsStep, kind="hands", rule="DF-CARD-1", phases=(Phase.AUCTION, Phase.POWERS, Phase.RACE)
):
    """The hands of these seats are entered: before the first lot, or where they are not known."""

    def asks(self, state: State) -> Sequence[Ask]:
        return [HandAsk(seat, cards=cards_left(state, seat)) for seat in self.seats]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        cards = _read_hand(flow.state, seat, value)
        flow.instead(self.answered(seat))
        flow.emit(HandEntered(seat=seat, rule=self.rule, cards=cards))

    def check(self, state: State) -> None:
        super().check(state)
        if not set(self.seats) <= set(unknown(state)):
            bad("pending-form", "a hand is entered where it is not known", rule=self.rule)


def unknown(state: State) -> list[int]:
    """The seats at the table whose hands are entered, but not known now."""
    entered = (seat for seat in state.here() if seat in state.setup.entered)
    return [
        seat for seat in entered if state.players[seat].cards is None and cards_left(state, seat)
    ]


def _read_hand(state: State, seat: int, value: object) -> tuple[Card, ...]:
    """All the cards of a hand; what it cannot have is not quoted (DF-CARD-1)."""
    data = an_object(value, ("cards",), "hand").get("cards")
    if not isinstance(data, list):
        bad("hand-form", "cards is a list of the cards in hand", rule="DF-CARD-1")
    wanted = cards_left(state, seat)
    if len(data) != wanted:
        bad("hand-size", f"the hand has {wanted} cards, not {len(data)}", rule="DF-CARD-1",
            cards=wanted, given=len(data))  # fmt: skip
    cards = tuple(map(read_card, data))
    _check_eights(state, [card for card in cards if any(spaces == EIGHT for _, spaces in card)])
    return cards


def _check_eights(state: State, cards: Sequence[Card]) -> None:
    """An 8 is a card of its own, there is one for each car, and it came with the car (DF-BID-3).

    The present owner need not hold it: whoever sells a car keeps its 8.
    """
    come = {_eight_of(name) for name, car in state.cars.items() if car.owner is not None}
    if len(set(cards)) < len(cards) or not set(cards) <= come:
        refuse(
            "eight-in-hand", "an 8 comes with the car that it is of, by itself", rule="DF-CARD-1"
        )


def read_card(value: object) -> Card:
    """A speed card, as an answer has it.

    Raises:
        Malformed: it is no card; says what would be accepted.
    """
    return tables.CARD.read(value, "a card", NOWHERE)


def _eight_of(car: str) -> Card:
    """The speed-8 card of a car."""
    return ((car, EIGHT),)


def with_eight(player: Player, car: str) -> tuple[Card, ...] | None:
    """The entered hand of a player who gets a car: its 8 comes with it (DF-BID-3)."""
    return None if player.cards is None else (*player.cards, _eight_of(car))


def reveal(flow: Flow) -> None:
    """What is left of entered hands is laid open (DF-CARD-1)."""
    entered = flow.state.setup.entered
    known = ((seat, flow.state.players[seat].cards) for seat in entered)
    if entered:
        left = {seat: cards for seat, cards in known if cards is not None}
        flow.emit(HandsRevealed(seat=TABLE, rule="DF-CARD-1", hands=left))


# -- what a hand bids -----------------------------------------------------------------------------


def bids_of(cards: Sequence[Card], car: str) -> list[tuple[Card, Bid]]:
    """Every card of a hand with what it bids on a car (DF-BID-1); a card may have several bids.

    A wild bids only where no card has the car, and where there is no wild either the lowest number
    of a card does. A card that has not the car may always bid 0.

    >>> bids_of([(("red", 6), ("wild", 2)), (("blue", 3),)], "red")
    [((('red', 6), ('wild', 2)), Bid(amount=6, cars=2, wild=True)),
     ((('blue', 3),), Bid(amount=0, cars=1, wild=False))]
    >>> [bid.amount for _, bid in bids_of([(("red", 6), ("wild", 2)), (("blue", 3),)], "green")]
    [2, 0, 0]
    >>> [bid.amount for _, bid in bids_of([(("red", 6), ("blue", 1)), (("blue", 3),)], "green")]
    [1, 0, 3, 0]
    """
    colors = {color for card in cards for color, _ in card}
    bidding = next((color for color in (car, WILD) if color in colors), None)
    found = []
    for card in cards:
        amounts = [spaces for color, spaces in card if color == bidding]
        if bidding is None:
            amounts = [min(spaces for _, spaces in card)]
        zero = [] if any(color == car for color, _ in card) else [0]
        wild = any(color == WILD for color, _ in card)
        found += [(card, Bid(amount, len(card), wild)) for amount in (*amounts, *zero)]
    return found


def check_bid(cards: Sequence[Card] | None, car: str, bid: Bid, *, forced: bool) -> None:
    """Refuse a bid that no card of an entered hand makes; None: the hand is not known.

    Raises:
        Illegal: no card does, or it is the last lot and another bids less (DF-BID-4).
    """
    if cards is None:
        return
    bids = [one for _, one in bids_of(cards, car)]
    # A bid of 0 may be sent without its card, and then stands for any card that bids 0 (DF-BID-1).
    is_bare = bid == Bid(0) and any(not one.amount for one in bids)
    if not (bid in bids or is_bare):
        refuse("not-in-hand", "no card of the hand bids that", rule="DF-CARD-2")
    if forced and bid.amount != min(one.amount for one in bids if one.amount):
        refuse("not-lowest", "the last lot costs the lowest number in hand", rule="DF-BID-4")
