"""What happens in Formule Dé only: see `events`, which names all of it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.formula.events_base import Event
from companion.rules.formula.wear import NOTHING, Wear


@dataclass(frozen=True, slots=True)
class Damaged(Event):
    """A car lost body without a roll, by what befell another car (`against`)."""

    against: int = 0
    cost: Wear = NOTHING


@dataclass(frozen=True, slots=True)
class WreckLeft(Event):
    """A car that is out stands in the way until its next turn."""


@dataclass(frozen=True, slots=True)
class WreckLifted(Event):
    """A wreck is taken away."""


@dataclass(frozen=True, slots=True)
class PitEnteredFast(Event):
    """A car came into the pit lane in too high a gear: it will stand a turn in its box."""


@dataclass(frozen=True, slots=True)
class PitTurnBegan(Event):
    """A car that came in too fast is in its box and stands a turn there: the lap counts."""

    box: str = ""
    lap: int = 0


@dataclass(frozen=True, slots=True)
class PitTurnServed(Event):
    """A car has stood its turn in the box; the stop itself begins."""
