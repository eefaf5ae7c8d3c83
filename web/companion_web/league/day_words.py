"""The words of a tournament day: crews, sessions, sheets of tables, marshals."""

from __future__ import annotations

from companion.views.words import phrase

DAY = {
    "licence-bound": phrase("Licence points that are a ban; empty: none"),
    "crews": phrase("Points of a car with a crew"),
    "crews.car": phrase("go to the car"),
    "crews.each": phrase("go to each of the crew"),
    "crew": phrase("Crew: names with commas"),
    "kind.trials": phrase("time trials"),
    "after-round": phrase("after round; empty: the whole season"),
    "laps-of": phrase("Laps"),
    "weather-of": phrase("Weather for all tables"),
    "weather.none": phrase("each table rolls"),
    "weather.fine": phrase("fine"),
    "weather.variable": phrase("variable"),
    "weather.rain": phrase("rain"),
}
