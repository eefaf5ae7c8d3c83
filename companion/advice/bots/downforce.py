"""The levels of Downforce: the learner, the racer, and the table at which they are tried.

A level says what it bids, which power it keeps, which card it turns up and on which car it bets.
What lies on the table, its own hand too, a person says. An answer is in the form of the engine
protocol.

The companion sees no board. It knows which lines are crossed, how the cars stood when that was last
said, how many cards everybody has left, and a bot its own hand. So the racer weighs what it may do
over futures of the race that are guessed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from companion.advice.bots.levels import Draw
from companion.rules.downforce.asks import BetAsk, BidAsk, CardAsk, KeepAsk
from companion.rules.downforce.auction import CarSold
from companion.rules.downforce.bets import bet_money, spent
from companion.rules.downforce.cards import bids_of
from companion.rules.downforce.state import Bid, Lot, State, cards_left, full_hand
from companion.rules.downforce.tables import CARS, LINES, WILD, Card, race_pay
from companion.rules.game import Ask


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
    # The last of an amount stays: a tie goes to more cars, then to no wild.
    for bid in sorted(made, key=lambda one: (one.cars, not one.wild)):
        best[bid.amount] = bid
    ranked = [best[amount] for amount in sorted(best)]
    # Whoever must take the last lot pays the lowest number in hand (DF-BID-4).
    return ranked[:1] if ask.forced else ranked


POWERS: Final = ("cunning", "strategist", "determined", "aggressive", "unpredictable", "sly")
"""Of several powers the first is kept; those of the table's own behind them."""


class Learner:
    """The lowest level: buys one car cheaply, moves it as far as it can, bets on it."""

    most: Final = 3
    """It pays no more for its car."""

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        """For its first car as much as it can up to a price, for another one nothing."""
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


# -- the deck, as it is assumed -------------------------------------------------------------------


# Which 42 cards are in the box the companion does not know: the rulebook shows a few of them. These
# are seven of a kind for each color on the first line: one to six cars, the numbers going down, a
# wild now and then, and every car on every line as often as any other. Nothing else is read off
# them than how far cards move cars on average.

Moves = tuple[int, ...]
"""How far a card moves each of the six cars."""
_KINDS: Final = (
    ((0, 6), (1, 4), (2, 2), (3, 1)),
    ((0, 6), (5, 4), (WILD, 2), (3, 1)),
    ((0, 6), (2, 5), (4, 3)),
    ((0, 5), (3, 4), (1, 3), (5, 2)),
    ((0, 6), (4, 5), (2, 4), (5, 3), (3, 2), (1, 1)),
    ((0, 4), (4, 4), (WILD, 3), (2, 2)),
    ((WILD, 5), (0, 4), (4, 3), (1, 1)),
)
"""Lines of a kind of card: how many colors behind that of the card, and the spaces."""


def deck() -> tuple[Card, ...]:
    """The 42 cards (DF-SETUP-1).

    >>> len(deck()), deck()[1]
    (42, (('black', 6), ('red', 4), ('wild', 2), ('yellow', 1)))
    """
    return tuple(
        tuple((_color(first, step), spaces) for step, spaces in kind)
        for first in range(len(CARS))
        for kind in _KINDS
    )


def _color(first: int, step: int | str) -> str:
    return step if isinstance(step, str) else CARS[(first + step) % len(CARS)]


DECK: Final = deck()
PER_CARD: Final = sum(spaces for card in DECK for _, spaces in card) / len(DECK) / len(CARS)
"""How far a card moves a car on average."""


def moves_of(card: Card, wanted: Mapping[str, float], home: Collection[str] = ()) -> Moves:
    """How far a card moves the cars when its wilds move those that are wanted most.

    A wild moves a car that is not on the card, each of several another one.
    """
    spaces = {color: n for color, n in card if color != WILD}
    free = [car for car in CARS if car not in spaces and car not in home]
    free.sort(key=lambda car: wanted.get(car, 0.0), reverse=True)
    wilds = [n for color, n in card if color == WILD]
    spaces |= dict(zip(free, wilds, strict=False))
    return tuple(spaces.get(car, 0) for car in CARS)


def worth(moves: Moves, wanted: Mapping[str, float]) -> float:
    """What moves are worth to whom it is worth so much a space that a car moves."""
    return sum([n * wanted.get(car, 0.0) for car, n in zip(CARS, moves, strict=True) if n])


# -- how a race may go on -------------------------------------------------------------------------


# A race is guessed as a straight road of `LENGTH` spaces on which nobody is in anybody's way but a
# move comes out `SHORTER`; the others play the best of some cards drawn from the assumed deck for
# their own cars. Of such worlds some are drawn, the same ones for each thing that is weighed, and
# from the position itself, so that a bot that is asked again says the same.

LENGTH: Final = 70.0
"""Spaces from the grid to the finish, about as on the boards of the box."""
LINES_AT: Final = (0.0, 20.0, 38.0, 55.0, LENGTH)
"""How far the foremost car is when so many lines are crossed."""
SHORTER: Final = 0.85
"""What is left of a move among others."""
GAP: Final = 3.0
"""Spaces from one car to the next behind it, as long as nothing else is known."""
RIVAL: Final = -0.35
"""What a space of another's car is worth where one of the own is worth 1."""
LOOKED_AT: Final = 3
"""Of so many cards anybody else plays the best."""

Worlds = Sequence[Sequence[Sequence[float]]]
"""Futures: for each the rounds to come, of each how far the others move the six cars."""


def to_go(state: State) -> list[float]:
    """How far each of the six cars may have to go; 0 for one that is home."""
    full = sum(full_hand(state, seat) for seat in state.players)
    played = full - sum(cards_left(state, seat) for seat in state.players)
    near, far = LINES_AT[state.lines], LINES_AT[state.lines + 1]
    # What has been crossed is known and the next line is not crossed yet, whatever the cards say.
    lead = min(max(played * PER_CARD * SHORTER + GAP, near), far - 1.0)
    if state.placed():
        lead = max(lead, LINES_AT[LINES])
    order = [car for car in (state.standing or state.grid) if state.cars[car].place is None]
    gap = GAP if state.standing else 1.0
    ahead = {car: max(0.0, lead - gap * rank) for rank, car in enumerate(order)}
    return [LENGTH - ahead[car] if car in ahead else 0.0 for car in CARS]


def wanted(own: Sequence[str]) -> dict[str, float]:
    """What a space of each car is worth to who owns these."""
    return {car: 1.0 if car in own else RIVAL for car in CARS}


@lru_cache(maxsize=64)
def _best_first(own: tuple[str, ...]) -> tuple[Moves, ...]:
    """The moves of the assumed cards, the best for the owner of these cars first."""
    worths = wanted(own)
    return tuple(
        sorted((moves_of(card, worths) for card in DECK), key=lambda one: -worth(one, worths))
    )


def worlds(
    owners: Mapping[int, tuple[str, ...]], left: Mapping[int, int], draw: Draw, count: int
) -> Worlds:
    """So many futures of the cards of these seats, by what they own and how many are left."""
    rounds = max(left.values(), default=0)
    best = {seat: _best_first(own) for seat, own in owners.items()}
    return [
        [_round([best[s] for s in owners if left[s] > number], draw) for number in range(rounds)]
        for _ in range(count)
    ]


def _round(seats: Sequence[Sequence[Moves]], draw: Draw) -> Sequence[float]:
    """How far a card of each of these seats moves the cars together."""
    total = [0.0] * len(CARS)
    for cards in seats:
        at = min([draw.below(len(cards)) for _ in range(LOOKED_AT)])
        for car, spaces in enumerate(cards[at]):
            total[car] += spaces * SHORTER
    return total


def homecoming(
    left: Sequence[float], own: Sequence[Sequence[float]], others: Sequence[Sequence[float]]
) -> Iterator[int]:
    """The cars in the order in which they come home, by their places in `CARS`.

    A car that does not come home is left out.

    Args:
        left: how far each has to go; 0 for one that is home.
        own, others: how far each is moved, round by round.
    """
    gone = list(left)
    running = [car for car, spaces in enumerate(left) if spaces > 0]
    for number in range(max(len(own), len(others))):
        for rounds in (own, others):
            if number >= len(rounds):
                continue
            moves = rounds[number]
            for car in running:
                gone[car] -= moves[car]
            home = [car for car in running if gone[car] <= 0]
            if home:
                yield from sorted(home, key=gone.__getitem__)
                running = [car for car in running if gone[car] > 0]
        if not running:
            return


def places_of(state: State, order: Iterator[int]) -> list[int]:
    """The place of each car from 1, 0 for one that does not come home, in the order of `CARS`."""
    places = [state.cars[car].place or 0 for car in CARS]
    for place, car in enumerate(order, len(state.placed()) + 1):
        places[car] = place
    return places


# -- the racer ------------------------------------------------------------------------------------


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
    """The higher level: weighs what it may do over guessed futures of the race.

    In each future it counts the money of everybody, bets that it cannot know guessed, and asks how
    far it would be ahead of the best other one: who has the most money wins, so a bet on a car of
    its own, which pays where the car does, is worth more to it than one that pays as often.
    """

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        """The bid with the best of price and chance, by what the car brings with this hand."""
        if len(bids) == 1:
            return bids[0]
        car, seat, others = ask.lot.car, ask.seat, len(state.here()) - 1
        mine = Look(_sold(state, car, seat), seat).margins()
        lost = _chance_of(Look(_lost(state, car, seat), seat).margins())

        def merit(bid: Bid) -> float:
            wins = OUTBID[bid.amount] ** others if bid.amount else 0.0
            return wins * _chance_of([one - bid.amount for one in mine]) + (1 - wins) * lost

        return max(bids, key=merit)

    def card(self, state: State, seat: int, cards: Sequence[Card]) -> Card:
        """The card whose moves bring most, by what a space more brings of each car."""
        worths, home = Look(state, seat).worths(), state.placed()
        return max(cards, key=lambda card: worth(moves_of(card, worths, home), worths))

    def bet(self, state: State, ask: BetAsk) -> str:
        """The car by which the game is won most often."""
        look = Look(state, ask.seat)
        return max(CARS, key=lambda car: _chance_of(look.margins(car)))


def _chance_of(margins: Sequence[float]) -> float:
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
        self.left = to_go(self.state)
        self.own = self.state.cars_of(seat)
        self._moves = self._ordered(self.state.players[seat].cards or ())
        self._worlds = self._futures()
        self._bets = {one: self._guessed(one) for one in self.state.players}

    def _futures(self) -> Worlds:
        """What the others may play."""
        state = self.state
        rivals = [seat for seat in state.here() if seat != self.seat]
        left = {seat: cards_left(state, seat) for seat in rivals}
        owners = {seat: tuple(state.cars_of(seat)) for seat in rivals}
        draw = Draw((state.players[self.seat].cards, state.lines, left, len(state.lots)))
        return worlds(owners, left, draw, WORLDS)

    def _ordered(self, cards: Sequence[Card]) -> list[list[float]]:
        """What these cards do, the best for the own cars first."""
        worths, home = wanted(self.own), self.state.placed()
        moves = [moves_of(card, worths, home) for card in cards]
        moves.sort(key=lambda one: worth(one, worths), reverse=True)
        return [[spaces * SHORTER for spaces in one] for one in moves]

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
            home = homecoming(self.left, self._moves, others)
            places = places_of(self.state, home)
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
                total[owner] += race_pay(place)
        mine = total.pop(self.seat)
        return mine - max(total.values(), default=0)

    def worths(self) -> dict[str, float]:
        """What a space more brings of each car on the road, as a chance to win."""
        usual, found = wanted(self.own), {}
        before = _chance_of(self.margins())
        for at, car in enumerate(CARS):
            if not self.left[at]:
                continue
            left = self.left[at]
            # Never 0, which would mean that it is home already.
            self.left[at] = max(0.1, left - STEP)
            found[car] = (_chance_of(self.margins()) - before) / STEP + USUAL * usual[car]
            # Put back: the futures are the same ones for every car, so that only its spaces differ.
            self.left[at] = left
        return found
