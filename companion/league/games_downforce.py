"""Downforce in the league: cars bought, bets, and how the money came."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from companion.league.games import CarEnd, Measured, Replayed
from companion.league.plain import CarNumbers
from companion.rules.downforce.bets import sheets
from companion.rules.downforce.race import CardPlayed
from companion.rules.downforce.state import Event, State

Race = Replayed[State, Event]


class Money:
    """A game whose points are millions; see `game.LeagueGame`."""

    title: ClassVar[str] = "Downforce"
    bgg_id: ClassVar[int] = 215311
    has_money: ClassVar[bool] = True
    has_laps: ClassVar[bool] = False

    def names(self, race: Race) -> dict[int, str]:
        """Of the players."""
        return {seat: player.name for seat, player in race.state.players.items()}

    def ends(self, race: Race) -> dict[int, CarEnd]:
        """Nothing: players come to an end with their money, and with nothing else."""
        return {}

    def measure(self, race: Race) -> Measured:
        """The score sheets of every player, and the cards played."""
        cards = Counter(one.seat for one in race.events() if isinstance(one, CardPlayed))
        return Measured(
            cars={seat: _figures(race.state, seat, cards) for seat in race.state.players}
        )


def _figures(state: State, seat: int, cards: Counter[int]) -> CarNumbers:
    player, every = state.players[seat], sheets(state, seat)
    return {
        "race": sum(sheet.race for sheet in every),
        "bets_won": sum(sheet.bets_won for sheet in every),
        "spent": sum(sheet.spent for sheet in every),
        "total": sum(sheet.total for sheet in every),
        "cars": state.cars_of(seat),
        "power": player.powers[0] if len(player.powers) == 1 else None,
        "bets": list(player.bets),
        **({"cards": cards[seat]} if state.setup.counts else {}),
    }


GAMES = {"downforce": Money()}
