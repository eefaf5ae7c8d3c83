"""The header of a game: what is settled before the auction.

Raises `Malformed` with the numbered rule that a header breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.downforce.state import Player, Setup, State
from companion.rules.downforce.tables import PLAYERS, RULES
from companion.rules.game import Choices
from companion.rules.reading import bad, only_keys, read_name, whole

HEADER_KEYS = ("game", "track", "laps", "rules", "house", "seats", "position")
SEAT_KEYS = ("seat", "name", "player", "team", "driver")
SEAT_NUMBERS = (1, 99)
CHOICES = Choices(RULES)


@dataclass(frozen=True, slots=True)
class Header:
    """A header, read and found free of contradictions."""

    setup: Setup
    players: Mapping[int, Player]
    position: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def blank(self) -> State:
        """The game before its first ask."""
        return State(self.setup, players=self.players)


def read_header(told: Mapping[str, Any]) -> Header:
    """Read a header of Downforce.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    only_keys(told, HEADER_KEYS, "header")
    if told.get("laps", 1) is not None:
        whole(told.get("laps", 1), "laps", 1, 1)
    house = told.get("house", {})
    if not isinstance(house, dict):
        bad("house-form", f"house is an object of switches, not {house!r:.60}")
    only_keys(house, (), "house")
    position = told.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    rules = _read_rules(told.get("rules", []))
    players = _read_seats(told.get("seats"))
    if "two-players" in rules and len(players) != 2:
        bad("two-players", f"the game for two players is not for {len(players)}",
            rule="DF-VAR-2", players=len(players))  # fmt: skip
    return Header(Setup(rules), players, position)


def _read_rules(told: Any) -> frozenset[str]:
    if not isinstance(told, list) or not all(isinstance(rule, str) for rule in told):
        bad("rules-form", f"rules is a list of names, not {told!r:.60}")
    for rule in told:
        if rule not in RULES:
            known = ", ".join(RULES)
            bad("rule-unknown", f"there is no optional rule {rule!r:.40}; known are {known}",
                name=rule[:40])  # fmt: skip
    return frozenset(told)


def _read_seats(told: Any) -> dict[int, Player]:
    """The players as they sit, clockwise: by the numbers of their seats."""
    if not isinstance(told, list) or not told:
        bad("seats-form", "seats is a list of seats")
    low, high = PLAYERS
    if not low <= len(told) <= high:
        bad("player-count", f"{low} to {high} play Downforce, not {len(told)}",
            rule="DF-SETUP-1", low=low, high=high, players=len(told))  # fmt: skip
    players: dict[int, Player] = {}
    for one in told:
        player = _read_seat(one)
        if player.seat in players:
            bad("seat-twice", f"seat {player.seat} is there twice", seat=player.seat)
        players[player.seat] = player
    return dict(sorted(players.items()))


def _read_seat(told: Any) -> Player:
    if not isinstance(told, dict):
        bad("seat-form", f"a seat is an object, not {told!r:.60}")
    only_keys(told, SEAT_KEYS, "seat")
    if "seat" not in told:
        bad("seat-form", "every seat has a number: seat")
    number = whole(told["seat"], "seat", *SEAT_NUMBERS)
    for key in ("player", "team", "driver"):
        if told.get(key) is not None:
            read_name(told[key], key)
    return Player(number, read_name(told.get("name", f"Seat {number}"), "name"))
