"""The weather: the black die that the whole table is asked for, and the sky in a word or two.

Nobody's car rolls it: every screen that is asked nothing else has the keys, and anybody may press.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.outlook import trials_to_come
from companion.rules.formula.tables import CHANGEABLE, RAINS
from companion.views.formula.die import black_page
from companion.views.formula.facts import race_of, the_race
from companion.views.games import Outcomes
from companion.views.model import Scene
from companion.views.seat.core import Screen, Talk
from companion.views.words import Words, phrase


def is_asked(talk: Talk) -> bool:
    """Is the table asked for a die?"""
    return any(one.seat == 0 and isinstance(one.ask, BlackAsk) for one in talk.scene.asks)


def weather_page(talk: Talk) -> Screen:
    """Three keys: the lines of the board's weather table (FD-WEATHER-1, FD-WEATHER-2)."""
    page = black_page(replace(talk, for_table=True))
    before_trials = trials_to_come(the_race(talk.scene))
    title = phrase("Weather for trials?") if before_trials else phrase("Weather, black die?")
    lines = () if any(choice and choice.key for choice in page.choices) else page.lines[1:]
    return Screen(talk.say(title), lines, choices=page.choices, go=page.go)


def sky_word(scene: Scene, say: Words) -> str:
    """Wet or dry, and whether it can change (FD-WEATHER-2, FD-WEATHER-3).

    "" where no weather is played, or none is known yet.
    """
    race = race_of(scene)
    return "" if race is None else sky_of(race.weather, race.setup.rules, say)


def sky_of(weather: str | None, rules: Collection[str], say: Words) -> str:
    """`sky_word` of a race by its weather and its optional rules."""
    if weather is None or (weather not in RAINS and "weather" not in rules):
        return ""
    can_change = weather in CHANGEABLE
    if weather in RAINS:
        return say("rain for now") if can_change else say("wet")
    return say("dry for now") if can_change else say("dry")


SENTENCES = {
    ("WeatherTestDue", ""): phrase("{name} rolls for the weather when the round ends."),
    ("WeatherRolled", "fine"): phrase("The weather is fine, for good."),
    ("WeatherRolled", "variable"): phrase("The weather is variable, and dry."),
    ("WeatherRolled", "variable-rain"): phrase("It rains; the weather is variable."),
    ("WeatherRolled", "rain"): phrase("It rains, for good."),
}
OUTCOMES: Outcomes = {"WeatherRolled": lambda event: str(event.get("weather", "variable"))}
