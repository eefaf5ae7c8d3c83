"""What happens in a Formula race: frozen records in the past tense, without behaviour.

An event carries all that it changes, so that applying it needs no rule (`evolve`). `rule`
is the id of the rule behind it. Spaces are told by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.formula import events_urban as urban  # noqa: F401 its events are told too
from companion.rules.formula.events_base import Event as Event
from companion.rules.formula.events_boardless import Reported as Reported
from companion.rules.formula.events_boardless import RoundEnded as RoundEnded
from companion.rules.formula.events_de import Damaged as Damaged
from companion.rules.formula.events_de import PitEnteredFast as PitEnteredFast
from companion.rules.formula.events_de import PitTurnBegan as PitTurnBegan
from companion.rules.formula.events_de import PitTurnServed as PitTurnServed
from companion.rules.formula.events_de import WreckLeft as WreckLeft
from companion.rules.formula.events_de import WreckLifted as WreckLifted
from companion.rules.formula.events_pit import PitChosen as PitChosen
from companion.rules.formula.events_pit import PitLaneEntered as PitLaneEntered
from companion.rules.formula.events_pit import PitLeft as PitLeft
from companion.rules.formula.events_pit import PitRolled as PitRolled
from companion.rules.formula.events_pit import PitStopBegan as PitStopBegan
from companion.rules.formula.events_pit import Repaired as Repaired
from companion.rules.formula.events_setup import CarBuilt as CarBuilt
from companion.rules.formula.events_setup import GridRolled as GridRolled
from companion.rules.formula.events_setup import GridSet as GridSet
from companion.rules.formula.events_setup import GridTied as GridTied
from companion.rules.formula.events_setup import RaceSet as RaceSet
from companion.rules.formula.events_setup import StepsPended as StepsPended
from companion.rules.formula.events_setup import TiresFitted as TiresFitted
from companion.rules.formula.events_setup import TrialBegan as TrialBegan
from companion.rules.formula.events_setup import TrialEnded as TrialEnded
from companion.rules.formula.events_setup import TrialOvershot as TrialOvershot
from companion.rules.formula.events_setup import TrialsRanked as TrialsRanked
from companion.rules.formula.events_setup import TrialTimed as TrialTimed
from companion.rules.formula.events_setup import WeatherRolled as WeatherRolled
from companion.rules.formula.state import State
from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.wear import NOTHING, Wear


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
class LengthChosen(Event):
    """How many spaces the move has in all, and by which bonus (`by`: soft, nitro, drift)."""

    spaces: int = 0
    by: tuple[str, ...] = ()


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
class EndedNear(Event):
    """On a board that is a sketch: the move ends at `to`, and is taken for the `listed` one."""

    to: str = ""
    listed: str = ""


@dataclass(frozen=True, slots=True)
class SlipstreamDeclined(Event):
    """A slipstream on offer was not used."""


@dataclass(frozen=True, slots=True)
class LineCrossed(Event):
    """A car passed the finish line and is now in this lap."""

    lap: int = 0


@dataclass(frozen=True, slots=True)
class DebrisRolled(Event):
    """The roll for a debris space passed or stopped on; boardless, `space` is None."""

    space: str | None = ""
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
    """A debris marker lies on a space; boardless (None), where the car stands or stood."""

    space: str | None = ""


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

    def as_json(self, categories: tuple[str, ...] = CATEGORIES) -> dict[str, Any]:
        """The reason; what it became is STATE."""
        return {"event": "Corrected", "seat": 0, "rule": self.rule, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Retired(Event):
    """A car was retired by the referee; it leaves no debris."""

    reason: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A car is back in the race, from the next round; boardless, `space` is None."""

    space: str | None = ""


def _subclasses(kind: type[Event]) -> list[type[Event]]:
    return [one for sub in kind.__subclasses__() for one in (sub, *_subclasses(sub))]


# Every event that is told outside, those of `urban` too, for docs and catalogues.
EVENT_NAMES = tuple(dict.fromkeys(kind.__name__ for kind in _subclasses(Event) if kind.public))
