"""The words of the league's pages."""

from __future__ import annotations

from typing import Final

from companion.league.games import games
from companion.league.report.terms import FIGURES, SHEET, WAITS
from companion.views.words import keyed, phrase, words
from companion_web.words import ROOMS, page_words

NAVIGATION = {
    **keyed("League | Season | Seasons | Races | Race | Drivers | Boards | Enter"),
    "hall": phrase("Live tables"),
    "away": phrase("The league cannot be shown now"),
    "away-how": phrase("Nothing is lost. Try again in a moment."),
    "again": phrase("Try again"),
    "to-table": phrase("The table"),
    "exports": phrase("Downloads"),
    "export.acts": phrase("For another league"),
    "export.csv": phrase("All cars (CSV)"),
    "export.ergast": phrase("As Ergast writes it (JSON)"),
    "export.laps": phrase("Laps (CSV)"),
    "export.pitstops": phrase("Pit stops (CSV)"),
    "export.picture": phrase("Picture to share (PNG)"),
    "export.qualifying": phrase("Grids (CSV)"),
    "export.record": phrase("The record itself"),
    "export.report": phrase("For print (PDF)"),
    "export.race-report": phrase("For print (PDF)"),
    "export.results": phrase("Results (CSV)"),
    "export.standings": phrase("Standings (CSV)"),
}

STANDINGS = {
    **keyed(
        "Standings | Teams | Team | Driver | Round | Penalty | Penalties | Progress | Date | "
        "Board | Winner"
    ),
    "lifted": phrase("lifted: {reason}"),
    "progress-alt": phrase("Points of the drivers after each round"),
    "pages": phrase("Pages"),
    "newer": phrase("Back"),
    "older": phrase("On"),
    "all-seasons": phrase("All seasons"),
    "gap": phrase("gap"),
    "gross": phrase("gross"),
    "moved": phrase("Places gained or lost by the last round"),
    "mark.pole": phrase("pole"),
    "mark.fastest": phrase("fastest lap"),
    "mark.out": phrase("out"),
    "mark.disqualified": phrase("disqualified"),
    "sign.pole": phrase("P"),
    "sign.fastest": phrase("F"),
    "sign.out": phrase("out"),
    "sign.disqualified": phrase("DSQ"),
    "rounds-of": phrase("round {n} of {all}"),
    "rounds-n": phrase("{n} rounds"),
    "last-race": phrase("last race: {board}, {date}"),
    "waiting": phrase("Not confirmed yet, so it does not count:"),
    "provisional": phrase("provisional"),
    "provisional-how": phrase("This result is provisional: it counts when it has been confirmed."),
    "not-taken": phrase("The club does not take {file}: {message}"),
    "no-season": phrase("There is no season yet."),
    "no-race": phrase("There is no race yet."),
    "no-charts": phrase("For charts: pip install 'race-companion[league]'"),
    "dropped": phrase("In brackets: does not count, as one of the worst."),
    "not-in": phrase("Not in the league: {file}, line {line}: {message}"),
}

RACE = {
    **keyed(
        "Result | Grid | Gained | Best lap | Positions | Gaps | Lap chart | Figures | "
        "Play | Stop | Notes | disqualified"
    ),
    "rolls-n": phrase("{n} rolls"),
    "positions-alt": phrase("Place of each car at the start of each round"),
    "gaps-alt": phrase("Spaces behind the first at the start of each round"),
    **FIGURES,
    **WAITS,
    "waits": phrase("Who waited for whom"),
    "waits-how": phrase("Minutes and seconds of turns; pauses and the referee's time left out."),
    "luck": phrase("luck of the dice"),
    "luck-how": phrase("Spaces that the gear dice have shown beyond their mean."),
    "wp": phrase("wear points lost"),
    "stops": phrase("pit stops (turns)"),
    "replay": phrase("The race again"),
    "replay-how": phrase("Arrow keys step from answer to answer."),
    "step-of": phrase("{n} of {all}"),
    "back-one": phrase("One step back"),
    "on-one": phrase("One step on"),
    "earlier": phrase("What the result was before"),
    "struck": phrase("This race counts no more: {reason}"),
    "protests": phrase("Protests"),
    "undecided": phrase("not decided yet"),
    "upheld": phrase("upheld"),
    "turned-down": phrase("turned down"),
    "factor": phrase("counts {n} times"),
    "running": phrase("classified as it stood"),
    "money": phrase("Millions"),
    **{f"sheet.{part}": text for part, text in SHEET.items()},
}

REVIEW = {
    **keyed("Review | Errors | Traffic | Accuracy"),
    "of-luck": phrase("Luck"),
    "start": phrase("expected at the start"),
    "review-of": phrase("Where the turns came from"),
    "review-how": phrase(
        "In turns; more is slower. Start, luck, errors and traffic together are what a car took."
    ),
    "review-wait": phrase("This race is being reviewed. The page looks again by itself."),
    "no-review": phrase("This race has no review."),
    "took": phrase("took"),
    "errors-of": phrase("The dearest decisions"),
    "error": phrase("round {round}: {played} cost {loss} turns, better {best}"),
    "expected": phrase("What was to be expected"),
    "expected-alt": phrase("Turns that each car was expected to take in all, after each round"),
    "moment": phrase("The moment that decided"),
    "moment-roll": phrase("Round {round}: a roll of {name} brought the winner {swing} turns."),
    "moment-traffic": phrase("Round {round}: traffic brought the winner {swing} turns."),
    "moment-choice": phrase("Round {round}: a choice of {name} brought the winner {swing} turns."),
    "luck-of": phrase("Luck and accuracy"),
    "luck-of-how": phrase("Of {n} races of {all} with a review, in turns; more is slower."),
    "without-luck": phrase("The standings without luck"),
    "without-luck-how": phrase(
        "With the mean of their dice. A race gives as many points as it gave."
    ),
    "really": phrase("Really"),
    "unlucky": phrase("Without luck"),
}

DRIVER = {
    **keyed(
        "Rating | Form | wins | podiums | poles | went out | mean place | Career | Met | "
        "Ahead | Behind | Most wins"
    ),
    "also": phrase("also: {names}"),
    "rating-how": phrase("Elo over positions; everybody begins with 1500."),
    "rating-alt": phrase("The rating after each race, from {lowest} to {highest}"),
    "home": phrase("came home"),
    "rivals": phrase("Head to head"),
    "best-race": phrase("Best race over {laps} laps"),
}

ENTER = {
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
    "enter-confirm": phrase("A provisional result"),
    "confirm": phrase("Confirm it"),
    "enter-protest": phrase("A protest"),
    "protest": phrase("Protest"),
    "enter-key": phrase("A link for somebody"),
    "name-of": phrase("Name"),
    "role": phrase("May"),
    "role.organiser": phrase("do all that the keeper can"),
    "role.steward": phrase("confirm, amend and decide"),
    "role.driver": phrase("protest in their own name"),
    "give-key": phrase("Make the link"),
    "enter-forget": phrase("Forget a person"),
    "forget-how": phrase(
        "The name is erased from every page, file and replay, for good. Results stay, without it."
    ),
    "forget": phrase("Forget"),
    "wrong-pin-club": phrase("This needs the PIN."),
    "added": phrase("It is in the league now."),
}

LIVE = {
    "hall-empty": phrase("No table is running now."),
    "hall-lap": phrase("Lap {lap}/{laps}"),
    "hall-silent": phrase("silent for {seconds} s"),
    "hall-lobby": phrase("is setting up"),
    "hall-over": phrase("The race is over"),
}

OF_GAMES = (getattr(room, "LEAGUE", {}) for room in ROOMS)
ALL: Final = (NAVIGATION, STANDINGS, RACE, REVIEW, DRIVER, ENTER, LIVE, *OF_GAMES)


def league_words(language: str) -> dict[str, str]:
    """Every word of the league's pages by its key, `lg.` before it; and those of all pages."""
    say = words(language)
    texts = {f"lg.{key}": say(text) for table in ALL for key, text in table.items()}
    names = {f"lg.game.{name}": game.title for name, game in games().items()}
    return {**page_words(language), **texts, **names}
