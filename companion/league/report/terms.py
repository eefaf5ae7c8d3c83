"""Words that the printed reports and the league's pages have in common, and lines of reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.league.games import game_of
from companion.league.plain import Entry, Penalty, PointsTable, Race, Season
from companion.league.results import takes_seconds
from companion.league.standings import planned
from companion.views.formula.page import WHY_OUT
from companion.views.words import Words, phrase

EXTRAS: Final[Mapping[str, str]] = {
    "pole": phrase("pole"),
    "gained": phrase("most places gained"),
    "fastest": phrase("fastest lap"),
}
"""What else earns points (`points.EXTRAS`)."""
FIGURES: Final[Mapping[str, str]] = {
    "passes": phrase("passed others"),
    "passed": phrase("was passed"),
    "led": phrase("rounds led"),
    "overshoots": phrase("overshoots"),
    "spins": phrase("spins"),
    "bumped": phrase("collisions given"),
    "was_bumped": phrase("collisions taken"),
    "slipstreams": phrase("slipstreams"),
    "rolls": phrase("gear dice rolled"),
}
"""Counts of a car on a board (`plain.CarNumbers`)."""
SHEET: Final[Mapping[str, str]] = {
    "race": phrase("prizes"),
    "bets_won": phrase("bets won"),
    "spent": phrase("spent"),
    "total": phrase("total"),
}
"""The score sheet of a player for money, in millions."""
WAITS: Final[Mapping[str, str]] = {
    "kept_waiting": phrase("kept others waiting"),
    "waited": phrase("waited for others"),
}
"""Who waited for whom, in seconds, in any game."""


FATES: Final[Mapping[str, str]] = {
    "disqualified": phrase("disqualified"),
    "not-classified": phrase("not classified"),
    "not-started": phrase("did not start"),
}


def fate(entry: Entry, say: Words) -> str:
    """What became of a car, where it is not simply home."""
    if entry.status == "finished":
        return ""
    if entry.status == "running":
        return say("classified as it stood")
    if entry.status in FATES:
        return say(FATES[entry.status])
    reason = WHY_OUT.get(entry.out or "")
    why = say(reason) if reason else entry.out
    return say("out: {why}", why=why) if why else say("out")


def penalty_lines(
    of: Race | Season, names: Mapping[str, str], say: Words, where: str = ""
) -> list[str]:
    """The penalties of a race or a season, a sentence each; `names` are people's by their keys."""
    race = of if isinstance(of, Race) else None
    people = ((one, one.team or names.get(one.driver, one.driver)) for one in of.penalties)
    return [where + _penalty_line(one, name, say, race) for one, name in people]


def _penalty_line(penalty: Penalty, name: str, say: Words, race: Race | None) -> str:
    """A penalty in a sentence; one that was lifted says so."""
    what = ", ".join(penalty_parts(penalty, say, race))
    line = f"{name}, {what} – {penalty.reason}"
    if penalty.lifted is None:
        return line
    return f"{line} ({say('lifted: {reason}', reason=penalty.lifted)})"


def penalty_parts(penalty: Penalty, say: Words, race: Race | None = None) -> list[str]:
    """What a penalty says, part by part; a warning where it says nothing.

    Args:
        race: that it was given in: seconds move nobody where the cars have no times.
    """
    one = penalty
    if one.banned:
        return [say("was banned from this round")]
    counted = (
        (one.points, say.many("{n} point taken", "{n} points taken", one.points)),
        (one.bonus, say.many("{n} point given", "{n} points given", one.bonus)),
        (one.places, say.many("{n} place lost", "{n} places lost", one.places)),
        (
            one.grid,
            say.many(
                "{n} place lost on the next grid", "{n} places lost on the next grid", one.grid
            ),
        ),
        (one.ban, say.many("{n} round banned", "{n} rounds banned", one.ban)),
        (one.licence, say.many("{n} licence point", "{n} licence points", one.licence)),
        (one.seconds, say.many("{n} second", "{n} seconds", one.seconds)),
    )
    parts = [say("disqualified")] if penalty.disqualified else []
    parts += [text for number, text in counted if number]
    if one.seconds and race is not None and not takes_seconds(race):
        parts.append(say("without effect: there are no times"))
    return parts or [say("a warning")]


def points_line(table: PointsTable, say: Words) -> str:
    """What a round is worth: the points by place, and what else earns some."""
    places = say("the race's own") if table.by_result else " ".join(map(str, table.places))
    extras = [f"{say(EXTRAS[name])} {points}" for name, points in table.extras.items()]
    return say("points: {table}", table=", ".join([places, *extras]))


def title_of(season: Season, say: Words) -> str:
    """What a season is called; one that was made by itself has a year for a title."""
    return say("Season {year}", year=season.title) if season.title.isdecimal() else season.title


def rounds_line(season: Season, races: Iterable[Race], say: Words) -> str:
    """How many rounds were driven, and of how many where somebody knows."""
    held, all_of_them = len({race.round for race in races}), planned(season)
    if all_of_them:
        return say("{n} of {all} rounds", n=held, all=all_of_them)
    return say.many("{n} round", "{n} rounds", held)


def race_title(race: Race) -> str:
    """What a race is called: the name somebody gave it, else its board, else its game.

    The name that a table gives a race to tell it from others that wait ("monaco: Ana, Bo") is
    none: it is cut to the seats that come first.
    """
    by_table = (race.id, *(f"{where}:" for where in (race.track, race.game) if where))
    if not race.name.startswith(by_table):
        return race.name
    return race.board or game_of(race.game).title


def race_headline(race: Race, winner: str, say: Words) -> str:
    """The title of its report: the board and who has won; "": nobody came home."""
    title = race_title(race)
    where = title if race.board in (None, title) else f"{title}, {race.board}"
    return say("{place}: {name} wins", place=where, name=winner) if winner else where


def about_race(race: Race, say: Words) -> str:
    """Date, board, game and laps in a line."""
    laps = say.many("{n} lap", "{n} laps", race.laps) if race.laps else ""
    parts = (race.date[:16].replace("T", " "), race.board or "", game_of(race.game).title, laps)
    return " · ".join(part for part in parts if part)
