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
    "rule.no-powers": phrase("no powers"),
    "rule.no-bets": phrase("no bets"),
    "rule.two-players": phrase("two players"),
    "rule.long-distance": phrase("long distance"),
    "rule.championship": phrase("championship"),
    "secret.bid": phrase("Everybody bids in secret. Still to come: {n}"),
    "secret.bet": phrase("Everybody bets in secret. Still to come: {n}"),
    "now.pole": phrase("The cars go to the grid"),
    "now.lot": phrase("The next lot is turned up"),
    "now.award": phrase("Whose car is it?"),
    "now.keep": phrase("Everybody keeps one power"),
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
    "last-card": phrase("the last card in hand"),
    "end": phrase("Nobody can move any more"),
    **{f"car.{name}": text for name, text in CARS.items()},
    **{f"power.{name}": text for name, text in POWERS.items()},
}
WORDS = {f"df.{key}": text for key, text in _TEXTS.items()}
LEAGUE = {"points.result": phrase("the millions of Downforce")}
"""What the league's pages say of this game alone."""
