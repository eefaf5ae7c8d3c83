"""How a time trial went, in a few words (FD-TRIAL-2, FD-TRIAL-3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.formula.watch import minutes
from companion.views.words import Words

JSON = Mapping[str, Any]
SECONDS_A_POINT = 60


def trial_told(car: JSON, say: Words) -> str:
    """A trial that is over: its score and its time, "24 in 4:23"; "" where none is."""
    trial: JSON = car.get("trial") or {}
    if trial.get("seconds") is not None:
        seconds = float(trial["seconds"])
        score = int(trial["rolls"]) + int(seconds // SECONDS_A_POINT) + int(trial["beyond"])
        return say("{n} in {time}", n=score, time=minutes(seconds))
    return say("ended in a corner") if trial.get("reached") is not None else ""
