"""The numbers and words of Downforce's box, each with the rule that it belongs to."""

from __future__ import annotations

CARS = ("black", "blue", "green", "yellow", "orange", "red")
"""In the order of a seat's six buttons."""
POWERS = ("aggressive", "cunning", "determined", "strategist", "sly", "unpredictable")
"""DF-POWER-1."""
RULES = (
    "beginners",
    "dealt",
    "hands-of-three",
    "first-wins",
    "no-powers",
    "no-bets",
    "two-players",
    "long-distance",
    "championship",
)
"""DF-VAR-1 to DF-VAR-4."""
PARTS = {"beginners": frozenset({"dealt", "hands-of-three", "first-wins"})}
"""DF-VAR-1: a rule that is several together."""
HOUSE = {
    "auction": ("secret", "entered"),
    "cards": ("counted", "events"),
    "first_home": ("owned", "any"),
}
"""The house switches; the first value is an engine's default."""
AT_THE_TABLE = {"auction": "entered", "cards": "events"}
"""What a table plays where it says nothing: what everybody sees is not entered card by card."""
PLAYERS = (2, 6)
"""DF-SETUP-1: the fewest and the most."""

BIDS = (0, 1, 2, 3, 4, 5, 6, 8)
"""DF-BID-1: what a card can bid, in millions: no line, a speed card's lines, a speed-8 card."""
EIGHT = 8
"""DF-BID-1: the number of a speed-8 card, which only who has won a car holds."""
CARS_ON_CARD = (1, 6)
"""DF-BID-2: a card shows so many cars, wild ones included."""

SPEED_CARDS = 42
"""DF-SETUP-1: dealt evenly; what is left over is out of the game."""
WILD = "wild"
LINE_COLORS = (*CARS, WILD)
"""DF-CARD-1: what a line of a speed card may move."""
LINE_SPACES = (1, 2, 3, 4, 5, 6)
"""DF-CARD-1: how far a line of a dealt card moves it; the 8s come with the cars."""
HAND_OF = 3
"""DF-VAR-1: of hands of three."""

LINES = 3
"""DF-BET-1: yellow lines, one bet for each."""
RACE_MONEY = (12, 9, 6, 4, 2, 0)
"""DF-PAY-1: for places 1 to 6, in millions."""
BET_MONEY = ((9, 6, 3), (6, 4, 2), (3, 2, 1))
"""DF-PAY-2: for each bet, the car's places 1 to 3, in millions."""
LEGS = 2
"""DF-VAR-4: races of a championship."""
