"""How a race may go on: where the cars may stand, cards nobody knows, and who comes home when.

The companion sees no board. What it knows is which lines are crossed, how the cars stood when that
was last told, how many cards everybody has left, and a bot its own hand. So a race is guessed as a
straight road of `LENGTH` spaces on which nobody is in anybody's way but a move comes out
`SHORTER`; the others play the best of some cards drawn from the assumed deck (`deck`) for their own
cars. Of such worlds some are drawn, the same ones for each thing that is weighed, and from the
position itself, so that a bot that is asked again says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

from companion.advice.bots.downforce.deck import DECK, PER_CARD, Moves, moves_of, worth
from companion.rules.downforce import hands
from companion.rules.downforce.state import State
from companion.rules.downforce.tables import CARS, LINES, RACE_MONEY

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
_WORD: Final = (1 << 64) - 1

Worlds = Sequence[Sequence[Sequence[float]]]
"""Futures: for each the rounds to come, of each how far the others move the six cars."""


class Draw:
    """Numbers that look drawn, the same ones for the same position."""

    def __init__(self, seed: object) -> None:
        self._word = crc32(repr(seed).encode()) | 1 << 33

    def below(self, most: int) -> int:
        """A number from 0 to below `most`."""
        self._word = (self._word * 6364136223846793005 + 1442695040888963407) & _WORD
        return (self._word >> 33) % most


def to_go(state: State) -> list[float]:
    """How far each of the six cars may have to go; 0 for one that is home."""
    full = sum(hands.full_hand(state, seat) for seat in state.players)
    played = full - sum(hands.cards_left(state, seat) for seat in state.players)
    near, far = LINES_AT[state.lines], LINES_AT[state.lines + 1]
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
    """The cars in the order in which they come home, by their places in `CARS`; who does not, not.

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


def race_pay(place: int) -> int:
    """What a place earns (DF-PAY-1); 0 of a car that is not home."""
    return RACE_MONEY[place - 1] if place else 0
