"""`companion league standings|races|drivers`: what the league knows, in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from companion.cli.league.action import Where, action
from companion.cli.tools import at_most_one, print_table
from companion.league.classified import classify
from companion.league.competing import Competition
from companion.league.errors import LeagueError
from companion.league.money import world_championship
from companion.league.names import key_of
from companion.league.overall import overall, tables_of
from companion.league.pit_boxes import box_order
from companion.league.plain import Race, Season, meant
from companion.league.standings import Standing, rounds_of, standings, team_standings

if TYPE_CHECKING:
    from companion.league.league import League


@action("standings")
@click.argument("key", required=False, help="a season or a competition; left out: the open season")
@click.option("--teams", is_flag=True, help="the teams")
@click.option("--boxes", metavar="NAMES", help="in which order these choose their boxes")
@click.option("--championship", nargs=2, metavar="RACE RACE", help="the totals of these two")
def show_standings(
    where: Where,
    key: str | None,
    teams: bool,
    boxes: str | None,
    championship: tuple[str, str] | None,
) -> None:
    """Show the drivers of a season, its teams, or who chooses a pit box when (DE-PIT-3).

    Or the totals of two races for money (DF-VAR-4).
    """
    at_most_one(teams=teams, boxes=boxes, championship=championship)
    with where.league() as league:
        names = {driver.key: driver.name for driver in league.queries.drivers()}
        if championship:
            first, second = (_race(league, race) for race in championship)
            lines = world_championship(first, second, names)
            return _show(where, "World championship", [first, second], lines)
        cup = find_competition(league, key)
        if cup is not None:
            return _show_competition(where, league, cup, names, of_teams=teams)
        found = find_season(league, key)
        races = rounds_of(found, league.queries.races(season=found.key))
    by_driver, by_team = standings(found, races, names), team_standings(found, races)
    if boxes:
        return _show_boxes(where, boxes, by_team or by_driver)
    return _show(where, found.title, races, by_team if teams else by_driver)


def find_competition(league: League, key: str | None) -> Competition | None:
    """The competition that is meant; a season of the same key goes before it."""
    if key is None or league.queries.seasons(key_of(key)):
        return None
    found = (one for one in league.queries.competitions() if one.key == key_of(key))
    return next(found, None)


def _show_competition(
    where: Where, league: League, cup: Competition, names: Mapping[str, str], *, of_teams: bool
) -> None:
    stages = league.queries.stages(cup.key)
    races = league.queries.races(stages=[one.key for one in stages], is_slim=True)
    lines = overall(cup, tables_of(stages, races, names, of_teams=of_teams))
    if where.as_json:
        own = ("place", "key", "name", "team", "points", "last")
        told = [{name: getattr(line, name) for name in own} for line in lines]
        return where.answer({"title": cup.title, "lines": told})
    rows = [
        [
            f"{line.place}",
            line.name,
            line.team or "",
            *(f"{line.parts[one.key].points}" if one.key in line.parts else "–" for one in stages),
            f"{line.points}",
        ]
        for line in lines
    ]
    heads = ["#", "name", "team", *(f"{one.title}#" for one in stages), "points#"]
    return print_table(cup.title, heads, rows)


def find_season(league: League, key: str | None) -> Season:
    """The season with a key or title; the open one for None, else the newest.

    Raises:
        LeagueError: there is none.
    """
    seasons = league.queries.seasons()
    if key is None:
        found = meant(seasons)
    else:
        found = next((one for one in seasons if one.key == key_of(key)), None)
    if found is not None:
        return found
    known = ", ".join(one.key for one in seasons)
    if known:
        raise LeagueError(f"there is no season {key!r}; there are {known}")
    raise LeagueError("there is no season yet: companion league new TITLE makes one")


def _race(league: League, race: str) -> Race:
    found = league.queries.races(race=race)
    if not found:
        raise LeagueError(f"there is no race {race!r}; companion league races lists them")
    return found[0]


def _show(where: Where, title: str, races: Sequence[Race], lines: Sequence[Standing]) -> None:
    if where.as_json:
        entries = [_entry(line) for line in lines]
        value = {"title": title, "races": [race.id for race in races], "lines": entries}
        return where.answer(value)
    if any(line.trial for line in lines):
        return _show_trials(title, lines)
    heads = ["#", "name", "team", *(f"{race.round or '-'}#" for race in races), "−#", "points#"]
    rows = [
        [
            f"{line.place}",
            line.name,
            line.team or "",
            *(_cell(line, race) for race in races),
            f"{line.penalty or ''}",
            f"{line.points}",
        ]
        for line in lines
    ]
    return print_table(title, heads, rows)


def _show_trials(title: str, lines: Sequence[Standing]) -> None:
    """Time trials give places by score and time, and no points."""
    rows = [
        [f"{line.place}", line.name, line.team or "", *map(str, line.trial or ("–", "–"))]
        for line in lines
    ]
    print_table(title, ["#", "name", "team", "score#", "seconds#"], rows)


def _cell(line: Standing, race: Race) -> str:
    """The points of a round; in brackets where they are dropped, a dash for one missed."""
    own = [score for score in line.scores if score.race == race.id]
    points = [f"({score.points})" if score.dropped else f"{score.points}" for score in own]
    return " ".join(points) or "–"


def _entry(line: Standing) -> dict[str, object]:
    own = ("place", "key", "name", "team", "points", "penalty")
    of_round = ("race", "round", "place", "status", "points", "extras", "dropped")
    rounds = [{name: getattr(score, name) for name in of_round} for score in line.scores]
    trial = {"trial": None if line.trial is None else line.trial._asdict()}
    return {name: getattr(line, name) for name in own} | trial | {"rounds": rounds}


def _show_boxes(where: Where, boxes: str, lines: Sequence[Standing]) -> None:
    groups = box_order(lines, [name.strip() for name in boxes.split(",") if name.strip()])
    highest = " (by the highest roll)"
    sentences = (
        f"{number}. {', '.join(group)}{highest if len(group) > 1 else ''}"
        for number, group in enumerate(groups, 1)
    )
    where.answer(groups, *sentences)


@action("races")
@click.argument("key", required=False, help="only those of this season")
def show_races(where: Where, key: str | None) -> None:
    """Show the races, their ids and results."""
    with where.league() as league:
        season = None if key is None else find_season(league, key).key
        races = league.queries.races(season=season)
    if where.as_json:
        return where.answer([asdict(race) for race in races])
    rows = [
        [
            race.id,
            race.date[:10],
            race.board or race.game,
            f"{race.season or ''} {race.round or ''}".strip(),
            ", ".join(entry.name for entry in classify(race)),
            f"struck: {race.struck}" if race.struck else race.remark or "",
        ]
        for race in races
    ]
    return print_table("Races", ["id", "date", "board", "round", "order", ""], rows)


@action("drivers")
def show_drivers(where: Where) -> None:
    """Show everybody, and the names they go by."""
    with where.league() as league:
        drivers = league.queries.drivers()
    if where.as_json:
        return where.answer([asdict(driver) for driver in drivers])
    rows = [[one.name, f"{one.races}", ", ".join(one.names[1:])] for one in drivers]
    return print_table("Drivers", ["name", "races#", "also"], rows)
