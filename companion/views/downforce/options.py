"""What there is to choose before a game of Downforce: its variants."""

from __future__ import annotations

from companion.views.lobby.tables import GameOptions, Option

DOWNFORCE = GameOptions(
    "downforce",
    "Downforce",
    "Downf.",
    (
        Option("beginners", "Beginners", "Cars are dealt, hands of three, first car home wins."),
        Option("no-powers", "No powers", "Nobody has a power card."),
        Option("no-bets", "No bets", "Nobody bets; only the race pays."),
        Option(
            "two-players",
            "Two players",
            "For two: speed-8 cards lie open, own draw piles.",
            players=2,
        ),
        Option("long-distance", "Long distance", "No finish: out of cards, the furthest car wins."),
        Option("championship", "Championship", "Two races, one on each board; the money is added."),
    ),
    players=(2, 6),
    has_track=False,
)

GAMES = (DOWNFORCE,)
