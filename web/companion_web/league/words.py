"""The words of the league's pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.league.games import games
from companion.league.report.terms import FIGURES, SHEET
from companion.views.words import phrase, words
from companion_web.words import page_words

NAVIGATION: Final[Mapping[str, str]] = {
    "league": phrase("League"),
    "season": phrase("Season"),
    "seasons": phrase("Seasons"),
    "races": phrase("Races"),
    "race": phrase("Race"),
    "drivers": phrase("Drivers"),
    "boards": phrase("Boards"),
    "hall": phrase("Live tables"),
    "enter": phrase("Enter"),
    "to-table": phrase("The table"),
    "exports": phrase("To take along"),
    "export.acts": phrase("For another league"),
    "export.csv": phrase("All cars (CSV)"),
    "export.ergast": phrase("As Ergast writes it (JSON)"),
    "export.laps": phrase("Laps (CSV)"),
    "export.pitstops": phrase("Pit stops (CSV)"),
    "export.qualifying": phrase("Grids (CSV)"),
    "export.record": phrase("The record itself"),
    "export.report": phrase("For print (PDF)"),
    "export.race-report": phrase("For print (PDF)"),
    "export.results": phrase("Results (CSV)"),
    "export.standings": phrase("Standings (CSV)"),
}

STANDINGS: Final[Mapping[str, str]] = {
    "standings": phrase("Standings"),
    "teams": phrase("Teams"),
    "team": phrase("Team"),
    "driver": phrase("Driver"),
    "round": phrase("Round"),
    "penalty": phrase("Penalty"),
    "penalties": phrase("Penalties"),
    "lifted": phrase("lifted: {reason}"),
    "progress": phrase("Progress"),
    "progress-alt": phrase("Points of the drivers after each round"),
    "date": phrase("Date"),
    "board": phrase("Board"),
    "winner": phrase("Winner"),
    "no-season": phrase("There is no season yet."),
    "no-race": phrase("There is no race yet."),
    "no-charts": phrase("For charts: pip install 'race-companion[league]'"),
    "dropped": phrase("In brackets: does not count, as one of the worst."),
    "not-in": phrase("Not in the league: {file}, line {line}: {message}"),
}

RACE: Final[Mapping[str, str]] = {
    "result": phrase("Result"),
    "grid": phrase("Grid"),
    "gained": phrase("Gained"),
    "best-lap": phrase("Best lap"),
    "rolls-n": phrase("{n} rolls"),
    "positions": phrase("Positions"),
    "positions-alt": phrase("Place of each car at the start of each round"),
    "gaps": phrase("Gaps"),
    "gaps-alt": phrase("Spaces behind the first at the start of each round"),
    "lap-chart": phrase("Lap chart"),
    "figures": phrase("Figures"),
    **FIGURES,
    "luck": phrase("luck of the dice"),
    "luck-how": phrase("Spaces that the gear dice have shown beyond their mean."),
    "wp": phrase("wear points lost"),
    "stops": phrase("pit stops (turns)"),
    "replay": phrase("The race again"),
    "replay-how": phrase("Arrow keys step from answer to answer."),
    "step-of": phrase("{n} of {all}"),
    "play": phrase("Play"),
    "stop": phrase("Stop"),
    "back-one": phrase("One back"),
    "on-one": phrase("One on"),
    "notes": phrase("Notes"),
    "earlier": phrase("What the result was before"),
    "struck": phrase("This race counts no more: {reason}"),
    "factor": phrase("counts {n} times"),
    "disqualified": phrase("disqualified"),
    "running": phrase("classified as it stood"),
    "money": phrase("Millions"),
    **{f"sheet.{part}": text for part, text in SHEET.items()},
}

DRIVER: Final[Mapping[str, str]] = {
    "also": phrase("also: {names}"),
    "rating": phrase("Rating"),
    "rating-how": phrase("Elo over positions; everybody begins with 1500."),
    "form": phrase("Form"),
    "wins": phrase("wins"),
    "podiums": phrase("podiums"),
    "poles": phrase("poles"),
    "home": phrase("came home"),
    "went-out": phrase("went out"),
    "mean-place": phrase("mean place"),
    "career": phrase("Career"),
    "rivals": phrase("Head to head"),
    "met": phrase("Met"),
    "ahead": phrase("Ahead"),
    "behind": phrase("Behind"),
    "best-race": phrase("Best race over {laps} laps"),
    "most-wins": phrase("Most wins"),
}

ENTER: Final[Mapping[str, str]] = {
    "enter-race": phrase("A race played without the companion"),
    "order-how": phrase("Who came home, best first: a name a line"),
    "out-how": phrase("Who went out, the first to go first; a reason after a colon"),
    "note": phrase("Note on the night"),
    "add-race": phrase("Add the race"),
    "enter-csv": phrase("Races from a CSV file"),
    "csv-how": phrase("A line a car; date and driver are needed."),
    "csv-columns": phrase("Columns: {columns}"),
    "file": phrase("File"),
    "add-csv": phrase("Add the races"),
    "enter-merge": phrase("Two names, one person"),
    "merge-name": phrase("This name"),
    "merge-into": phrase("belongs to"),
    "merge": phrase("Merge"),
    "enter-penalty": phrase("A penalty"),
    "penalty-what": phrase("What"),
    "places": phrase("places lost"),
    "points-off": phrase("points taken"),
    "warning": phrase("a warning"),
    "amount": phrase("How many"),
    "give-penalty": phrase("Give the penalty"),
    "enter-season": phrase("A new season"),
    "title-of": phrase("Title"),
    "points-table": phrase("Points"),
    "open-season": phrase("Begin the season"),
    "none-season": phrase("none"),
    "wrong-pin-club": phrase("This needs the PIN."),
    "added": phrase("It is in the league now."),
}

LIVE: Final[Mapping[str, str]] = {
    "hall-empty": phrase("No table is running now."),
    "hall-lap": phrase("Lap {lap}/{laps}"),
    "hall-silent": phrase("silent for {seconds} s"),
    "hall-lobby": phrase("is setting up"),
    "hall-over": phrase("The race is over"),
}

ALL: Final = (NAVIGATION, STANDINGS, RACE, DRIVER, ENTER, LIVE)


def league_words(language: str) -> dict[str, str]:
    """Every word of the league's pages by its key, `lg.` before it; and those of all pages."""
    say = words(language)
    own = {key: say(text) for table in ALL for key, text in table.items()}
    own |= {f"game.{name}": game.title for name, game in games().items()}
    for_money = " / ".join(game.title for game in games().values() if game.has_money)
    own["points.result"] = say("the millions of {game}", game=for_money)
    return page_words(language) | {f"lg.{key}": text for key, text in own.items()}
