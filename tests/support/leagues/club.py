"""A table's way to a club, on which everything can go wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.league.errors import LeagueFolder, Receipt
from companion.league.league import League
from companion.league.push import ClubAway, Outbox

NIGHT = "2026-01-01T20:00:00"
KEYS = {"one": "key-of-one", "two": "key-of-two"}
"""The keys of a club's tables."""


def outbox(data: Path, address: str = "http://club") -> Outbox:
    return Outbox(LeagueFolder(data), address, now=lambda: NIGHT)


class Network:
    """A way to a club on which things go wrong as ordered: `lost` before it, `deaf` behind it."""

    def __init__(self, club: League, *faults: str) -> None:
        self._club = club
        self._faults = list(faults)
        self.asked = 0

    def send(self, content: bytes) -> Receipt:
        self.asked += 1
        fault = self._faults.pop(0) if self._faults else ""
        if fault == "lost":
            raise ClubAway("the cable is out")
        receipt = self._club.receive(content, table="one")
        if fault == "deaf":
            raise ClubAway("the answer is lost")
        return receipt


def until(happened: Callable[[], Any]) -> None:
    """Wait for threads of the program's own."""
    end = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)
