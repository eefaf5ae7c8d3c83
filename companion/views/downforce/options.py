"""What there is to choose before a game of Downforce: its variants."""

from __future__ import annotations

from companion.views.model import GameOptions, Option, Switch, Value
from companion.views.words import phrase

DOWNFORCE = GameOptions(
    "downforce",
    "Downforce",
    "Downf.",
    (
        Option("beginners", "Beginners", "Cars are dealt, hands of three, first car home wins."),
        Option("dealt", "Dealt cars", "Cars are dealt evenly, without an auction."),
        Option("hands-of-three", "Hands of three", "Three cards each, drawn from one pile."),
        Option("first-wins", "First wins", "The first car over the line wins."),
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
    switches=(
        Switch(
            "circuit",
            "Circuit",
            (
                Value("", "–", "The circuit has no name."),
                Value("Marina Bay", "Marina", "Marina Bay: the league counts by circuit."),
                Value("River Station", "River", "River Station: the league counts by circuit."),
            ),
            house=False,
            free=phrase("The league counts by circuit."),
        ),
        Switch(
            "auction",
            "Auction",
            (
                Value("entered", "winner", "Who won a lot enters it, and for how much."),
                Value("secret", "secret", "Everybody enters a bid in secret."),
            ),
            with_bots="secret",
            rule="DF-BID-1",
        ),
        Switch(
            "cards",
            "Cards",
            (
                Value("events", "events", "Only lines and cars home are entered; no turns."),
                Value("counted", "counted", "Each card is a press; hands are counted."),
            ),
            with_bots="counted",
            rule="DF-TURN-2",
        ),
        Switch(
            "first_home",
            "First home",
            (
                Value("owned", "owned", "The first car that somebody owns wins."),
                Value("any", "any", "Over with the first car, whoever's it is."),
            ),
            needs="first-wins",
            rule="DF-VAR-1",
        ),
    ),
    players=(2, 6),
    has_track=False,
    own_powers=True,
    has_crews=False,
)

GAMES = (DOWNFORCE,)
