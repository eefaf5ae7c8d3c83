"""The cards that everybody has left, counted (DF-SETUP-1, DF-TURN-2, DF-VAR-1, DF-VAR-2).

42 are dealt evenly, an 8 comes with each car, and a turn takes one. Two players' draw pile is
their own and counts as theirs. Hands of three are filled up from the common pile as long as it
lasts. Nothing is counted where the table says only what happened (`house.cards` "events").
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules.downforce.state import State
from companion.rules.downforce.tables import HAND_OF, SPEED_CARDS


def full_hand(state: State, seat: int) -> int:
    """The cards of a seat before its first turn."""
    few = state.setup.plays("hands-of-three")
    dealt = HAND_OF if few else SPEED_CARDS // len(state.players)
    return dealt + len(state.cars_of(seat))


def cards_left(state: State, seat: int) -> int:
    """How many cards a seat has left."""
    hand = state.players[seat].hand
    return full_hand(state, seat) if hand is None else hand


def full_pile(state: State) -> int | None:
    """The common pile before the first turn; None where everybody's hand is all there is."""
    few = state.setup.counts and state.setup.plays("hands-of-three")
    return SPEED_CARDS - HAND_OF * len(state.players) if few else None


def dealt(state: State) -> State:
    """The state at the start of the race: full hands, a full pile, as far as they are counted."""
    if not state.setup.counts:
        return state
    players = {
        seat: replace(player, hand=full_hand(state, seat)) for seat, player in state.players.items()
    }
    return replace(state, players=players, pile=full_pile(state))


def has_cards(state: State, seat: int) -> bool:
    """Whether a seat may have a card to play."""
    if state.players[seat].out_of_cards:
        return False
    return not state.setup.counts or cards_left(state, seat) > 0


def may_bid_eight(state: State, seat: int) -> bool:
    """Whether a seat may hold a speed-8 card: it has won a car (two players lay theirs open)."""
    return bool(state.cars_of(seat)) and not state.setup.plays("two-players")
