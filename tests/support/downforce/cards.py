"""Speed cards for a hand that somebody enters, as answers have them."""

from __future__ import annotations

from random import Random
from typing import Any

from support.downforce.table import CARS, header

Told = list[list[Any]]


def random_card(dice: Random) -> Told:
    """A card of one to six lines, now and then with one wild or two."""
    cars = dice.sample(CARS, dice.randint(1, 4))
    colors = [*cars, *(["wild"] * dice.choice((0, 0, 0, 1, 2)))]
    dice.shuffle(colors)
    return [[color, dice.randint(1, 6)] for color in colors]


def random_hand(dice: Random, count: int) -> list[Told]:
    return [random_card(dice) for _ in range(count)]


def entered_header(
    players: int = 4, *rules: str, seats: tuple[int, ...] = (2,), **more: Any
) -> Any:
    """A header in which the hands of these seats are entered."""
    data = header(players, *rules, **more)
    for entry in data["seats"]:
        if entry["seat"] in seats:
            entry["hand"] = "entered"
    return data


def told(card: Any) -> Told:
    """A card of the rules as an answer has it."""
    return [list(line) for line in card]
