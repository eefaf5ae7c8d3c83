"""The words of a tournament day (crews, sessions, sheets of tables, marshals), and of titles."""

from __future__ import annotations

from companion.views.words import phrase

DAY = {
    "licence-bound": phrase("Licence points that are a ban; empty: none"),
    "crews": phrase("Points of a car with a crew"),
    "crews.car": phrase("go to the car"),
    "crews.each": phrase("go to each of the crew"),
    "crew": phrase("Crew: names with commas"),
    "kind.trials": phrase("time trials"),
    "kind.competition": phrase("competition"),
    "championships": phrase("Titles"),
    "with-team": phrase("with {team}"),
    "after-round": phrase("after round; empty: the whole season"),
    "laps-of": phrase("Laps"),
    "role.marshal": phrase("enter, confirm and penalize at one table"),
    "table-of-marshal": phrase("Table of a marshal"),
    "amend-or-penalize": phrase("Amend or penalize"),
    "who-drives": phrase("Who drives"),
    "result-by-hand": phrase("The result, told by hand"),
    "trial-rolls": phrase("rolls and errors"),
    "nobody-at-table": phrase("Nobody drives at this table now."),
    "draw.placing": phrase("by the places in the stage before"),
    "draw-grid": phrase("The grids, too"),
    "seat-late": phrase("Seat who comes late"),
    "print": phrase("Print"),
    "export.forms": phrase("Result forms"),
    "export.grids": phrase("Grids"),
    "export.cards": phrase("Place cards"),
    "score": phrase("Score"),
    "trial-time": phrase("Time"),
    "weather-of": phrase("Weather for all tables"),
    "weather.none": phrase("each table rolls"),
    "weather.fine": phrase("fine"),
    "weather.variable": phrase("variable"),
    "weather.rain": phrase("rain"),
}
