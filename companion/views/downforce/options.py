"""What there is to choose before a game of Downforce: its variants."""

from __future__ import annotations

from companion.views.lobby.tables import GameOptions, Option
from companion.views.words import phrase

DOWNFORCE = GameOptions(
    "downforce",
    "Downforce",
    "Downf.",
    (
        Option(
            "beginners",
            phrase("Beginners"),
            phrase("Cars are dealt, hands of three, first car home wins."),
        ),
        Option("no-powers", phrase("No powers"), phrase("Nobody has a power card.")),
        Option("no-bets", phrase("No bets"), phrase("Nobody bets; only the race pays.")),
        Option(
            "two-players",
            phrase("Two players"),
            phrase("For two: speed-8 cards lie open, own draw piles."),
            players=2,
        ),
        Option(
            "long-distance",
            phrase("Long distance"),
            phrase("No finish: out of cards, the furthest car wins."),
        ),
        Option(
            "championship",
            phrase("Championship"),
            phrase("Two races, one on each board; the money is added."),
        ),
    ),
    players=(2, 6),
    has_track=False,
)

GAMES = (DOWNFORCE,)
