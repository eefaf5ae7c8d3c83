"""What a view reads off a game of Downforce: players, the table's own asks, one's own secrets."""

from __future__ import annotations

from companion.rules.downforce.asks import (
    AwardAsk,
    EndAsk,
    LotAsk,
    PlayedAsk,
    PoleAsk,
    StandingAsk,
)
from companion.rules.downforce.ledger import sheets
from companion.rules.downforce.public import Own
from companion.rules.downforce.state import Player, Sheet, State
from companion.rules.game import Ask
from companion.views.model import Scene

TABLE = 0
"""The seat of what the whole table is asked."""


def game_of(scene: Scene) -> State:
    """The game, for a page that is shown in one only."""
    assert isinstance(scene.state, State), "no game of Downforce is on the table"
    return scene.state


def player_of(scene: Scene, seat: int) -> Player | None:
    """A player; None for a seat that does not play."""
    return game_of(scene).players.get(seat)


def table_ask(scene: Scene) -> Ask | None:
    """What the table is asked and everybody waits for; None for nothing.

    The end of a race, which is asked all through it, is that only where nothing else is asked:
    the cards are all played.
    """
    asks = [one.ask for one in scene.asks if one.seat == TABLE]
    waiting = (ask for ask in asks if isinstance(ask, PoleAsk | LotAsk | AwardAsk | StandingAsk))
    return next(waiting, asks[0] if len(scene.asks) == 1 and asks else None)


def told_ask(scene: Scene) -> PlayedAsk | None:
    """What the table may tell while nobody is asked for a card (`house.cards` "events")."""
    asks = (one.ask for one in scene.asks if one.seat == TABLE)
    return next((ask for ask in asks if isinstance(ask, PlayedAsk)), None)


def end_ask(scene: Scene) -> EndAsk | None:
    """The ask that ends a race; None before and after it."""
    return next((one.ask for one in scene.asks if isinstance(one.ask, EndAsk)), None)


def own_of(scene: Scene, seat: int) -> Own:
    """The bets that a seat has made and its bid that lies face down, for its own screen."""
    own = scene.own.get(seat)
    return own if isinstance(own, Own) else Own(bets=())


def money_of(state: State, seat: int) -> Sheet:
    """What a seat has won and paid over all races so far; bets count once they are revealed."""
    every = sheets(state, seat)
    race, won = sum(one.race for one in every), sum(one.bets_won for one in every)
    return Sheet(race=race, bets_won=won, spent=sum(one.spent for one in every))
