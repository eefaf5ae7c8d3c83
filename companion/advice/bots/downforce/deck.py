"""The speed cards as they are assumed to be, and what a card does for whom.

Which 42 cards are in the box the companion does not know: the rulebook shows a few of them. Assumed
are seven of a kind for each color on the first line: one to six cars, the numbers going down, a
wild now and then, and every car on every line as often as any other. Nothing else is read off it
than how far cards move cars on average.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from companion.rules.downforce.forms import Card
from companion.rules.downforce.tables import CARS, WILD

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

Moves = tuple[int, ...]
"""How far a card moves each of the six cars."""


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
