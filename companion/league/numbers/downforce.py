"""What each player of a Downforce race did: cars bought, bets, and how the money came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.league.replayed import Replayed

JSON = Mapping[str, Any]
SHEET = ("race", "bets_won", "spent", "total")
"""Millions, over all legs."""


def tally_players(race: Replayed) -> dict[int, JSON]:
    """The sheet of every player, by seat: `cars` and `power` too, and `cards` played."""
    cards = Counter(event["seat"] for event in race.events() if event["event"] == "CardPlayed")
    return {
        int(seat): {
            **{name: player.get(name) for name in (*SHEET, "cars", "power", "bets")},
            "cards": cards[int(seat)],
        }
        for seat, player in race.state.get("players", {}).items()
    }
