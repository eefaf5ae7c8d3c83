"""The sky of a race in a word or two."""

from __future__ import annotations

from companion.views.facts import rules_of
from companion.views.model import Scene
from companion.views.words import Words

CHANGING = ("variable", "variable-rain")


def sky_word(scene: Scene, say: Words) -> str:
    """Wet or dry, and whether it can change (FD-WEATHER-2, FD-WEATHER-3).

    "" where no weather is played, or none is known yet.
    """
    state = scene.state or {}
    sky = state.get("weather")
    if state.get("raining"):
        return say("rain for now") if sky in CHANGING else say("wet")
    if sky is None or "weather" not in rules_of(scene):
        return ""
    return say("dry for now") if sky in CHANGING else say("dry")
