"""The race: whose card it is, and what it did (DF-TURN-1, DF-TURN-2, DF-CARD-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from companion.rules.codec import Maybe, Seat, Word
from companion.rules.downforce import bets, cards, tables
from companion.rules.downforce.asks import (
    CardAsk,
    PlayedAsk,
    a_flag,
    a_number,
    an_object,
    cars_in_order,
)
from companion.rules.downforce.state import (
    TABLE,
    Event,
    Flow,
    Phase,
    State,
    Step,
    cards_left,
    dealt,
    has_cards,
)
from companion.rules.downforce.tables import LINES, Card
from companion.rules.game import Ask
from companion.rules.lines import bad, refuse


class RaceBegan(Event):
    """The cars are off."""

    def applied(self, state: State) -> State:
        return dealt(replace(state, phase=Phase.RACE))


class TurnBegan(Event):
    """A seat is on turn."""

    def applied(self, state: State) -> State:
        return replace(state, turn=self.seat)


class CardPlayed(Event):
    """A seat has played a card, and `lines` betting lines were crossed for the first time.

    It has `hand` cards left, and the common pile `pile` (DF-VAR-1; 0 where there is none).
    """

    lines: int
    out_of_cards: bool
    hand: int
    pile: int

    def applied(self, state: State) -> State:
        player = replace(state.players[self.seat], out_of_cards=self.out_of_cards, hand=self.hand)
        state = state.with_player(self.seat, player)
        pile = None if state.pile is None else self.pile
        return replace(state, lines=state.lines + self.lines, pile=pile)


class LinesCrossed(Event):
    """The table tells that so many betting lines were crossed for the first time."""

    lines: int

    def applied(self, state: State) -> State:
        return replace(state, lines=state.lines + self.lines)


class CarFinished(Event):
    """A car is over the line; `seat` is its owner, 0 where it has none."""

    car: str
    place: int

    def applied(self, state: State) -> State:
        return state.with_car(self.car, replace(state.cars[self.car], place=self.place))


class Play(Step, kind="play", rule="DF-TURN-1", phases=(Phase.RACE,)):
    """A seat plays a card; of an entered hand `card` is turned up, at first None."""

    seat: Annotated[int, Seat()]
    card: Annotated[Card | None, Maybe(tables.CARD), Word(sparse=True)] = None

    def asks(self, state: State) -> Sequence[Ask]:
        if self.turns_up(state):
            return [CardAsk(self.seat, cards=cards_left(state, self.seat))]
        lines = tuple(range(_most_lines(state) + 1))
        return [PlayedAsk(self.seat, cars=tuple(_running(state)), lines=lines, card=self.card)]

    def turns_up(self, state: State) -> bool:
        """Whether a card of an entered hand is to be turned up first (DF-CARD-3)."""
        return self.card is None and self.seat in state.setup.entered

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        """DF-TURN-1, DF-BET-1, DF-END-1: a card is resolved."""
        if self.turns_up(flow.state):
            self._turn_up(flow, value)
            return
        lines, finished, is_last = _read_played(flow.state, value)
        flow.take()
        # Of an entered hand all cards are known, so nobody has to say which is the last
        # (DF-CARD-3).
        flow.emit(_card_of(flow.state, seat, lines, is_last=is_last and self.card is None))
        if self.card is not None and flow.state.players[seat].cards is not None:
            flow.emit(cards.CardLeftHand(seat=seat, rule="DF-CARD-3", card=self.card))
        # Bets open last, once the card is resolved in full (DF-BET-1).
        _bring_home(flow, finished)
        bets.open_bets(flow, lines)

    def settle(self, flow: Flow) -> bool:
        """A seat that plays no more cards is passed over (DF-TURN-2).

        If the hand was entered anew without the open card, a card is turned up again (DF-CARD-3).
        """
        if not can_play(flow.state, self.seat):
            return flow.take()
        if not self._is_held(flow.state):
            flow.instead(replace(self, card=None))
        return False

    def _is_held(self, state: State) -> bool:
        """Whether the hand, as far as it is known, has the card that is turned up."""
        known = state.players[self.seat].cards
        return self.card is None or known is None or self.card in known

    def check(self, state: State) -> None:
        super().check(state)
        if self.seat != state.turn:
            bad("pending-form", f"seat {self.seat} plays, and on turn is {state.turn}")
        if self.card is not None and self.seat not in state.setup.entered:
            bad("pending-form", "a card is turned up of an entered hand", rule="DF-CARD-3")
        if not self._is_held(state):
            bad("pending-form", "the card that is turned up is one of the hand", rule="DF-CARD-3")

    def _turn_up(self, flow: Flow, value: object) -> None:
        """DF-CARD-3."""
        card = cards.read_card(value)
        if card not in (flow.state.players[self.seat].cards or ()):
            refuse("card-not-held", "the hand has no such card", rule="DF-CARD-3")
        flow.instead(replace(self, card=card))
        flow.emit(cards.CardTurned(seat=self.seat, rule="DF-CARD-3", card=card))


class Watch(Step, kind="watch", rule="DF-BET-1", phases=(Phase.RACE,)):
    """Nobody is asked for a card: the table tells what happens, in any order (`house.cards`)."""

    def check(self, state: State) -> None:
        super().check(state)
        if state.setup.counts:
            bad("pending-form", "where cards are counted somebody is on turn")
        if state.pending[-1] is not self:
            bad("pending-form", "the table watches once nothing else is asked")


def table_ask(state: State) -> PlayedAsk | None:
    """What the table may tell all through a race whose cards are not counted; else None."""
    if state.phase is not Phase.RACE or state.setup.counts:
        return None
    cars, lines = tuple(_running(state)), tuple(range(_most_lines(state) + 1))
    return PlayedAsk(TABLE, cars=cars, lines=lines) if cars or len(lines) > 1 else None


def tell(flow: Flow, value: object) -> None:
    """DF-BET-1, DF-END-1: something has happened; bets that are open stay so."""
    lines, finished, is_last = _read_played(flow.state, value)
    if is_last:
        refuse(
            "cards-not-counted", "cards are not counted: end says that nobody can move", rule=None
        )
    # `ending.go_on` puts the watch back, behind all bets that this opens.
    flow.queue = [step for step in flow.queue if not isinstance(step, Watch)]
    if lines:
        flow.emit(LinesCrossed(seat=TABLE, rule="DF-BET-1", lines=lines))
    _bring_home(flow, finished)
    bets.open_bets(flow, lines)


def _read_played(state: State, value: object) -> tuple[int, tuple[str, ...], bool]:
    """Lines crossed, the cars that are home, in order, and whether it was a last card."""
    data = an_object(value, ("lines", "finished", "out_of_cards"), "played")
    lines = a_number(data.get("lines", 0), "lines")
    finished = cars_in_order(data.get("finished", []), "finished")
    is_last = a_flag(data.get("out_of_cards", False), "out_of_cards")
    most = _most_lines(state)
    if not 0 <= lines <= most:
        refuse("too-many-lines", f"of {LINES} lines {most} are not crossed yet, not {lines}",
            rule="DF-BET-1", lines=lines, most=most)  # fmt: skip
    for car in finished:
        if car not in _running(state):
            _refuse_finish(state, car)
    if finished and lacks_a_line(state, state.lines + lines):
        line = state.lines + lines + 1
        refuse("line-first", f"line {line} lies before the finish, and nobody has crossed it",
            rule="DF-BET-1", line=line)  # fmt: skip
    return lines, finished, is_last


def lacks_a_line(state: State, passed: int) -> bool:
    """Whether no car can be home yet: the finish lies beyond the betting lines (DF-BET-1).

    Where nobody bets nobody need have told of them.
    """
    return passed < LINES and not state.setup.plays("no-bets")


def _card_of(state: State, seat: int, lines: int, *, is_last: bool) -> CardPlayed:
    """A card off the hand of a seat; drawn for it from the common pile, if that has one left."""
    pile = state.pile or 0
    # As long as there is a pile a card is drawn for the one played (DF-VAR-1).
    hand = 0 if is_last else cards_left(state, seat) - (not pile)
    return CardPlayed(
        seat=seat,
        rule="DF-TURN-1",
        lines=lines,
        out_of_cards=hand == 0,
        hand=hand,
        pile=max(0, pile - 1),
    )


def _bring_home(flow: Flow, finished: Sequence[str]) -> None:
    """Cars are over the line, in this order (DF-END-1)."""
    for place, car in enumerate(finished, len(flow.state.placed()) + 1):
        owner = flow.state.cars[car].owner or TABLE
        flow.emit(CarFinished(seat=owner, rule="DF-END-1", car=car, place=place))


def _running(state: State) -> list[str]:
    """The cars that have not finished; without a finish line none can (DF-VAR-3)."""
    if state.setup.plays("long-distance"):
        return []
    return [name for name, car in state.cars.items() if car.place is None]


def _most_lines(state: State) -> int:
    """How many lines one card can cross for the first time (DF-BET-1)."""
    return LINES - state.lines


def _refuse_finish(state: State, car: str) -> None:
    if state.setup.plays("long-distance"):
        refuse(
            "no-finish-line", "a long-distance race has no finish line", rule="DF-VAR-3", car=car
        )
    place = state.cars[car].place
    refuse("already-finished", f"{car} has finished before, as {place}", rule="DF-END-1",
        car=car, place=place)  # fmt: skip


def can_play(state: State, seat: int) -> bool:
    """Whether a seat plays cards: at the table, with cards, its cars not all home (DF-TURN-2)."""
    if state.players[seat].left or not has_cards(state, seat):
        return False
    cars = state.cars_of(seat)
    # A player who owns no car plays on (DF-TURN-2).
    return not cars or any(state.cars[name].place is None for name in cars)


def next_seat(state: State) -> int | None:
    """Who plays next, clockwise; None where nobody can.

    First is the owner of the car on pole. **Ruling** (DF-TURN-1): if nobody owns that car,
    the owner of the foremost owned car.
    """
    seats = list(state.players)
    if state.turn is not None:
        start = seats.index(state.turn) + 1
    else:
        owners = [state.cars[name].owner for name in state.grid]
        first = next((owner for owner in owners if owner is not None), seats[0])
        start = seats.index(first)
    clockwise = seats[start:] + seats[:start]
    return next((seat for seat in clockwise if can_play(state, seat)), None)


def begin_turn(flow: Flow, seat: int) -> None:
    """A seat is on turn."""
    flow.emit(TurnBegan(seat=seat, rule="DF-TURN-1"))
    flow.first(Play(seat=seat))
