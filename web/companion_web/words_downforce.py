"""The words that the page says in Downforce; each key has `df.` before it."""

from __future__ import annotations

from companion.views.downforce.words import CARS, POWERS
from companion.views.words import keyed, phrase

_TEXTS = {
    **keyed("Cars | Players | no power | Bets | Car | Power | Lines crossed"),
    "phase.auction": phrase("Auction"),
    "phase.powers": phrase("Powers"),
    "phase.race": phrase("Race"),
    "phase.finished": phrase("Finished"),
    "leg": phrase("race {leg} of 2"),
    "lines": phrase("betting lines crossed: {n}"),
    "rule.beginners": phrase("beginners"),
    "rule.dealt": phrase("dealt cars"),
    "rule.hands-of-three": phrase("hands of three"),
    "rule.first-wins": phrase("first car wins"),
    "rule.no-powers": phrase("no powers"),
    "rule.no-bets": phrase("no bets"),
    "rule.two-players": phrase("two players"),
    "rule.long-distance": phrase("long distance"),
    "rule.championship": phrase("championship"),
    "secret.bid": phrase("Everybody bids in secret. Still to come: {n}"),
    "secret.hand": phrase("The hand of a bot is entered, face down for all others"),
    "secret.bet": phrase("Everybody bets in secret. Still to come: {n}"),
    "now.pole": phrase("The cars go to the grid"),
    "now.lot": phrase("The next lot is turned up"),
    "now.card": phrase("A card is turned up"),
    "now.standing": phrase("How do the cars on the road stand?"),
    "now.award": phrase("Whose car is it?"),
    "now.keep": phrase("Everybody keeps one power"),
    "now.played": phrase("A line crossed? A car home?"),
    "next-bet": phrase("line {n} opens a bet: {pays}"),
    "earns": phrase("{n} M$ earned"),
    "would-earn": phrase("{n} M$ if home now"),
    "hand": phrase("cards left: {n}"),
    "own-powers": phrase("Own powers"),
    "own-powers-how": phrase("One power a line: name – reminder"),
    "line-crossed": phrase("A line was crossed"),
    "is-home": phrase("A car is home:"),
    "another": phrase("another lot"),
    "first-has-won": phrase("The first car home has won: the money only orders the others."),
    "now.end": phrase("How far have the cars come?"),
    "grid": phrase("grid {n}"),
    "aside": phrase("set aside"),
    "nobodys": phrase("nobody's"),
    "to-come": phrase("to be sold"),
    "up": phrase("up for auction"),
    "up-again": phrase("once more up for auction"),
    "no-car": phrase("no car yet"),
    "money": phrase("won {won}, paid {paid} M$"),
    "bets-made": phrase("bets made: {n}"),
    "has.bid": phrase("has bid"),
    "has.hand": phrase("hand entered"),
    "entering": phrase("hand is being entered"),
    "has.bet": phrase("has bet"),
    "thinks": phrase("is thinking"),
    "left": phrase("has left"),
    "at": phrase("{price}, place {place}"),
    "sheet.race": phrase("Race"),
    "sheet.bets": phrase("Bets"),
    "sheet.auction": phrase("Auction"),
    "sheet.total": phrase("Total"),
    "figure.owner": phrase("owner (seat)"),
    "figure.price": phrase("price"),
    "figure.place": phrase("place"),
    "amount": phrase("Bid, M$"),
    "cars-on-card": phrase("Cars on the card"),
    "wild": phrase("with a wild"),
    "now-home": phrase("Cars over the line, in order:"),
    "end": phrase("Nobody can move any more"),
    "plays-card": phrase("{name} plays this card, from top to bottom:"),
    "spaces": phrase("Spaces"),
    "card-of": phrase("Card {n} of {all}"),
    "card-done": phrase("Card done"),
    "line-out": phrase("Line out"),
    "once-more": phrase("once more"),
    "take-out": phrase("take out"),
    "hand-whole": phrase("All {all} cards are in."),
    "hand-done": phrase("This is the hand"),
    "car.wild": phrase("wild"),
    **{f"car.{name}": text for name, text in CARS.items()},
    **{f"power.{name}": text for name, text in POWERS.items()},
}
WORDS = {f"df.{key}": text for key, text in _TEXTS.items()}
ON_PHONES = {
    f"df.{key}": text
    for key, text in _TEXTS.items()
    if key.startswith("car.")
    or key
    in {
        *("car", "spaces", "plays-card", "card-of", "card-done", "line-out", "once-more"),
        *("take-out", "hand-whole", "hand-done"),
    }
}
"""What a phone says as well."""
LEAGUE = {"points.result": phrase("the millions of Downforce")}
"""What the league's pages say of this game alone."""
