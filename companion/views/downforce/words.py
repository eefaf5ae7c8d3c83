"""Downforce's own words: the six cars and the six powers, as text and in the width of a key."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.downforce.state import Setup
from companion.rules.downforce.tables import WILD
from companion.views.model import Key, Mark
from companion.views.screen import make_key
from companion.views.words import Words, fit, keyed, phrase, phrases

CARS = keyed("black | blue | green | yellow | orange | red")
"""In the order of the six buttons."""
CARS_SHORT = dict(zip(CARS, phrases("blk | blu | grn | yel | org | rd"), strict=True))
"""Three of them, with what they are, on one line."""
POWERS = keyed("aggressive | cunning | determined | strategist | sly | unpredictable")
_SHORT = phrases("aggr. | cunning | determ. | strat. | sly | unpred.")
POWERS_SHORT = dict(zip(POWERS, _SHORT, strict=True))
REMINDERS = {
    "aggressive": phrase("Your car on the first line of your card: 1 space more. Not on a wild."),
    "cunning": phrase("You choose the way of your own cars, in everybody's turns."),
    "determined": phrase("Your car moved over rectangles only: 2 spaces more, at once."),
    "strategist": phrase("You may skip one car of the card you play."),
    "sly": phrase("You may play your card from bottom to top."),
    "unpredictable": phrase("Your wild may be a color that is on the card. Two: two colors."),
}
"""DF-POWER-1: what a power does, for its owner; the card on the table decides."""


def car_word(car: str, say: Words) -> str:
    """A car by its color; a name that is none stays as it is."""
    return say(CARS[car]) if car in CARS else car


def bet_word(bet: str | None, say: Words) -> str:
    """The car of a bet; a dash where there is none."""
    return "–" if bet in (None, "none") else car_word(str(bet), say)


def car_words(cars: Iterable[str], say: Words) -> str:
    """Several cars, in the order given."""
    return ", ".join(car_word(car, say) for car in cars)


def home_line(cars: Iterable[str], say: Words, columns: int) -> str:
    """The cars that are home, within a width: in short where they do not fit in full.

    >>> from companion.views.words import words
    >>> home_line(("orange", "yellow"), words("en"), 16)
    'home: org yel'
    """
    named = list(cars)
    whole = say("home: {cars}", cars=car_words(named, say))
    short = " ".join(car_short(car, say) for car in named)
    return whole if len(whole) <= columns else fit(say("home: {cars}", cars=short), columns)


def car_short(car: str, say: Words) -> str:
    """A car in a few letters."""
    return say(CARS_SHORT[car])


def card_word(card: Iterable[tuple[str, int]], say: Words) -> str:
    """A speed card, its lines from top to bottom: "red 6, green 4, wild 2"."""
    lines = ((say(phrase("wild")) if car == WILD else car_word(car, say), n) for car, n in card)
    return ", ".join(f"{word} {spaces}" for word, spaces in lines)


def power_word(power: str | None, say: Words) -> str:
    """A power's name, a table's own as it is; "" for none."""
    return say(POWERS[power]) if power in POWERS else power or ""


def power_key(power: str | None, say: Words, mark: Mark = "") -> Key:
    """A power in the width of a key, and whole for a screen that has room."""
    short = say(POWERS_SHORT[power]) if power in POWERS_SHORT else power or say("none")
    return make_key(short, mark=mark, full=power_word(power, say))


def reminder(power: str, setup: Setup, say: Words) -> str:
    """What a power does: the box's own words, or the table's for one of its own (DF-POWER-1)."""
    own = {one.name: one.reminder for one in setup.own_powers}
    return own.get(power) or (say(REMINDERS[power]) if power in REMINDERS else "")
