"""What happens in the pit; see `companion.rules.formula.events`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.formula.events_base import Event
from companion.rules.formula.wear import NOTHING, Wear


@dataclass(frozen=True, slots=True)
class PitLaneEntered(Event):
    """A car is in the pit lane, before its box."""


@dataclass(frozen=True, slots=True)
class PitStopBegan(Event):
    """A car is in its box: the lap counts, the tires are new."""

    box: str = ""
    lap: int = 0


@dataclass(frozen=True, slots=True)
class PitRolled(Event):
    """The roll of the pit stop: `spaces` 0 is a slow stop."""

    roll: Any = None
    spaces: int = 0


@dataclass(frozen=True, slots=True)
class PitChosen(Event):
    """Which stop it is: tires or technical."""

    stop: str = "tires"


@dataclass(frozen=True, slots=True)
class Repaired(Event):
    """Generic WP were put into categories; `gain` are the points got back, `pool` those left."""

    gain: Wear = NOTHING
    pool: int = 0


@dataclass(frozen=True, slots=True)
class PitLeft(Event):
    """A car is back on the track."""
