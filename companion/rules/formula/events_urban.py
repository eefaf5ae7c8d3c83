"""What happens in urban races only: see `events`, which names all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.formula.events_base import Event
from companion.rules.formula.wear import NOTHING, Wear


@dataclass(frozen=True, slots=True)
class Charmed(Event):
    """A car passes Li-Tsu, `against`, and moves one space less."""

    against: int = 0


@dataclass(frozen=True, slots=True)
class Drifted(Event):
    """Jack drifts in a corner, in this lap."""

    corner: str = ""
    lap: int = 1
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class CheckpointPassed(Event):
    """A car has passed the line at the end of a lap: its tires are new."""

    gain: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class Recovered(Event):
    """Wear points came back; `source`: checkpoint or police."""

    source: str = "checkpoint"
    gain: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class PolicePassed(Event):
    """A car has passed the police station in this lap: its speed, and as which car it passed."""

    lap: int = 1
    speed: int = 0
    passed: int = 1


@dataclass(frozen=True, slots=True)
class PoliceWon(Event):
    """All have passed the police station in this lap; this car was the fastest."""

    lap: int = 1
    speed: int = 0


@dataclass(frozen=True, slots=True)
class NoiseRolled(Event):
    """A shot at a car in the noise zone: the category that it aims at, "" for a miss."""

    roll: Any = None
    category: str = ""
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class RadioThrown(Event):
    """Stanley throws his radio at a car."""

    against: int = 0


@dataclass(frozen=True, slots=True)
class RadioHit(Event):
    """What the radio hits; `cost` is lost by the car that it was thrown at."""

    against: int = 0
    roll: Any = None
    category: str = ""
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class TrailLeft(Event):
    """Temana leaves debris on the space on which the move began."""

    space: str = ""


@dataclass(frozen=True, slots=True)
class WeatherThrown(Event):
    """A weather roll that may yet be rolled again; nothing has changed so far."""

    roll: Any = None
    outcome: str = "variable"


@dataclass(frozen=True, slots=True)
class RerollChosen(Event):
    """Whether the weather is rolled again."""

    again: bool = False
