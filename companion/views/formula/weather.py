"""What the whole table is asked: the black die for the weather, which nobody's car rolls.

Every screen that is asked nothing else has the keys, and anybody may press.
"""

from __future__ import annotations

from dataclasses import replace

from companion.views.formula.die import black_page
from companion.views.seat.core import Screen, Talk
from companion.views.words import phrase

TRIAL_STEPS = ("trial", "ranking")


def is_asked(talk: Talk) -> bool:
    """Is the table asked for a die?"""
    return any(ask["seat"] == 0 and ask["kind"] == "black" for ask in talk.scene.asks)


def weather_page(talk: Talk) -> Screen:
    """Three keys: the lines of the board's weather table (FD-WEATHER-1, FD-WEATHER-2)."""
    keys = black_page(replace(talk, for_table=True)).choices
    pending = (talk.scene.state or {}).get("pending", ())
    before_trials = any(step.get("step") in TRIAL_STEPS for step in pending)
    title = phrase("Weather for trials?") if before_trials else phrase("Weather, black die?")
    return Screen(title=talk.say(title), choices=keys)
