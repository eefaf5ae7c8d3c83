"""What happens in a Formula race: frozen records in the past tense, without behaviour.

An event carries all that it changes, so that applying it needs no rule (`evolve`). `rule`
is the id of the rule behind it. Spaces are told by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from companion.rules.formula.state import State, Step
from companion.rules.formula.wear import NOTHING, Wear, tell_cost


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `seat` 0 is the table."""

    seat: int = 0
    rule: str | None = None

    public: ClassVar[bool] = True

    def as_json(self) -> dict[str, Any]:
        """The event as the engine protocol tells it."""
        told: dict[str, Any] = {"event": type(self).__name__, "seat": self.seat}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "cost":
                value = tell_cost(value)
            elif isinstance(value, tuple):
                value = list(value)
            told[field.name] = value
        return told


@dataclass(frozen=True, slots=True)
class RaceSet(Event):
    """A race was set up, or set half-way by a position: the whole state that it begins with."""

    state: State | None = None

    def as_json(self) -> dict[str, Any]:
        """Only that a race began; what it began with is STATE."""
        assert self.state is not None
        track, laps = self.state.setup.track.name, self.state.setup.laps
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
class RoundBegan(Event):
    """A round began; its order is fixed."""

    round: int = 0
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A seat is on turn."""


@dataclass(frozen=True, slots=True)
class StartRolled(Event):
    """The start roll: stalled, normal or great."""

    roll: Any = None
    outcome: str = "normal"


@dataclass(frozen=True, slots=True)
class TurnedRound(Event):
    """A car that had spun is turned round."""


@dataclass(frozen=True, slots=True)
class GearEngaged(Event):
    """A gear was engaged."""

    gear: int = 0
    before: int = 0


@dataclass(frozen=True, slots=True)
class OverRevved(Event):
    """Gears were skipped downwards."""

    skipped: int = 0
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class DieRolled(Event):
    """The face of the gear die."""

    gear: int = 0
    face: int = 0


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A car moved. `spaces` counts those really moved; `how`: move, great, fast or slipstream.

    `stops` are the stops left in the corner where it ends, before this move's own is marked.
    """

    start: str = ""
    to: str = ""
    spaces: int = 0
    brakes: int = 0
    stops: int = 0
    how: str = "move"


@dataclass(frozen=True, slots=True)
class Slipstreamed(Event):
    """A car is about to use the slipstream of another; entering a corner costs brakes."""

    behind: int = 0
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class SlipstreamDeclined(Event):
    """A slipstream on offer was not used."""


@dataclass(frozen=True, slots=True)
class LineCrossed(Event):
    """A car passed the finish line and is now in this lap."""

    lap: int = 0


@dataclass(frozen=True, slots=True)
class DebrisRolled(Event):
    """The roll for a debris space passed or stopped on."""

    space: str = ""
    roll: Any = None
    hurt: bool = False
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """A car could not go on."""

    spaces: int = 0
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class Overshot(Event):
    """A corner was left with a stop missing."""

    corner: str = ""
    spaces: int = 0
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class Spun(Event):
    """A car stands reversed."""


@dataclass(frozen=True, slots=True)
class StopMade(Event):
    """A stop was marked in a corner."""

    corner: str = ""
    stops: int = 0
    needed: int = 0


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
class PitLeft(Event):
    """A car is back on the track."""


@dataclass(frozen=True, slots=True)
class CollisionRolled(Event):
    """The roll of a collision."""

    against: int = 0
    roll: Any = None
    hurt: bool = False
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class EngineTested(Event):
    """An engine test."""

    roll: Any = None
    hurt: bool = False
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class Eliminated(Event):
    """A car is out of the race."""

    why: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """A car crossed the line of its last lap."""

    place: int = 0


@dataclass(frozen=True, slots=True)
class DebrisLaid(Event):
    """A debris marker lies on a space."""

    space: str = ""


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A turn is over."""


@dataclass(frozen=True, slots=True)
class RaceEnded(Event):
    """The race is over; `order` is the classification."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """The referee corrected the state."""

    reason: str = ""
    state: State | None = None

    def as_json(self) -> dict[str, Any]:
        """The reason; what it became is STATE."""
        return {"event": "Corrected", "seat": 0, "rule": self.rule, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Retired(Event):
    """A car was retired by the referee; it leaves no debris."""

    reason: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A car is back in the race, from the next round."""

    space: str = ""


def _subclasses(kind: type[Event]) -> list[type[Event]]:
    return [one for sub in kind.__subclasses__() for one in (sub, *_subclasses(sub))]


# Every event that is told outside, for docs and catalogues.
EVENT_NAMES = tuple(kind.__name__ for kind in _subclasses(Event) if kind.public)
