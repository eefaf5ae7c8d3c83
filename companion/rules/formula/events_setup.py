"""What happens before the first round: see `events`, which names all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.formula.events_base import Event
from companion.rules.formula.state import State, Step
from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.wear import NOTHING, Wear


@dataclass(frozen=True, slots=True)
class RaceSet(Event):
    """A race was set up, or set half-way by a position: the whole state that it begins with."""

    state: State | None = None

    def as_json(self, categories: tuple[str, ...] = CATEGORIES) -> dict[str, Any]:
        """Only that a race began; what it began with is STATE."""
        assert self.state is not None
        track, laps = self.state.setup.track.name or None, self.state.setup.laps
        return {"event": "RaceSet", "seat": 0, "rule": self.rule, "track": track, "laps": laps}


@dataclass(frozen=True, slots=True)
class StepsPended(Event):
    """The queue of pending steps after an answer; not told outside."""

    public = False
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class GridRolled(Event):
    """A roll for the grid."""

    roll: int = 0


@dataclass(frozen=True, slots=True)
class GridTied(Event):
    """These seats tie and roll again."""

    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TrialBegan(Event):
    """A car begins its time trial, alone, from this space."""

    space: str = ""


@dataclass(frozen=True, slots=True)
class TrialOvershot(Event):
    """A corner was left with a stop missing in a trial: spaces that count."""

    corner: str = ""
    spaces: int = 0


@dataclass(frozen=True, slots=True)
class TrialTimed(Event):
    """A trial is over: its time in seconds, and its score."""

    seconds: float = 0
    score: int = 0


@dataclass(frozen=True, slots=True)
class TrialEnded(Event):
    """A trial ended in a corner without a stop; `reached` is how far it came, in levels."""

    reached: int = 0


@dataclass(frozen=True, slots=True)
class TrialsRanked(Event):
    """All trials are over: the seats in their order, equal ones side by side."""

    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WeatherRolled(Event):
    """The black die on the weather table: the line it hit, and what the weather is now."""

    roll: Any = None
    outcome: str = "variable"
    weather: str = "fine"


@dataclass(frozen=True, slots=True)
class CarBuilt(Event):
    """A car was constructed: all its wear points."""

    wear: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class TiresFitted(Event):
    """A kind of tires was chosen; they are in their first lap."""

    tires: str = "hard"
