"""`companion league standings|races|drivers|boxes`: what the league knows, in tables."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion.cli.leaguetools import finish, league_of, print_table, write_json
from companion.league.boxes import box_order
from companion.league.classified import classify
from companion.league.errors import LeagueError
from companion.league.money import world_championship
from companion.league.names import key_of
from companion.league.plain import Race, Season
from companion.league.standings import Standing, rounds_of, standings, team_standings

if TYPE_CHECKING:
    from companion.league.league import League

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def register(actions: Subparsers) -> None:
    """Add the actions."""
    table = actions.add_parser(
        "standings",
        help="the standings of a season",
        description="The drivers of a season, its teams, or who chooses a pit box when "
        "(DE-PIT-3); or the totals of two Downforce races (DF-VAR-4).",
    )
    table.add_argument("season", metavar="KEY", nargs="?", help="left out: the newest season")
    which = table.add_mutually_exclusive_group()
    which.add_argument("--teams", action="store_true", help="the teams")
    which.add_argument(
        "--boxes", metavar="NAMES", help="in which order these teams or drivers choose their boxes"
    )
    which.add_argument(
        "--championship",
        nargs=2,
        metavar="RACE",
        help="a world championship of these two races of Downforce",
    )
    finish(table, run_standings)
    races = actions.add_parser("races", help="the races, their ids and results")
    races.add_argument("season", metavar="KEY", nargs="?", help="only those of this season")
    finish(races, run_races)
    drivers = actions.add_parser("drivers", help="everybody, and the names they go by")
    finish(drivers, run_drivers)


def run_standings(args: argparse.Namespace) -> int:
    """Standings in one of their forms."""
    with league_of(args) as league:
        names = {driver.key: driver.name for driver in league.queries.drivers()}
        if args.championship:
            first, second = (_race(league, race) for race in args.championship)
            lines = world_championship(first, second, names)
            return _show(args, "World championship", [first, second], lines)
        season = find_season(league, args.season)
        races = rounds_of(season, league.queries.races(season=season.key))
    drivers, teams = standings(season, races, names), team_standings(season, races)
    if args.boxes:
        return _show_boxes(args, teams or drivers)
    return _show(args, season.title, races, teams if args.teams else drivers)


def find_season(league: League, key: str | None) -> Season:
    """The season with a key or title; the newest one for None.

    Raises:
        LeagueError: there is none.
    """
    seasons = league.queries.seasons()
    found = [one for one in seasons if key is None or one.key == key_of(key)]
    if found:
        return found[0]
    known = ", ".join(one.key for one in seasons)
    if known:
        raise LeagueError(f"there is no season {key!r}; there are {known}")
    raise LeagueError("there is no season yet: companion league new TITLE makes one")


def _race(league: League, race: str) -> Race:
    found = league.queries.races(race=race)
    if not found:
        raise LeagueError(f"there is no race {race!r}; companion league races lists them")
    return found[0]


def _show(
    args: argparse.Namespace, title: str, races: Sequence[Race], lines: Sequence[Standing]
) -> int:
    if args.json:
        told = [_told(line) for line in lines]
        return write_json({"title": title, "races": [race.id for race in races], "lines": told})
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


def _cell(line: Standing, race: Race) -> str:
    """The points of a round; in brackets where they are dropped, a dash for one missed."""
    own = [score for score in line.scores if score.race == race.id]
    told = [f"({score.points})" if score.dropped else f"{score.points}" for score in own]
    return " ".join(told) or "–"


def _told(line: Standing) -> dict[str, Any]:
    rounds = [
        {
            "race": score.race,
            "round": score.round,
            "place": score.place,
            "status": score.status,
            "points": score.points,
            "extras": list(score.extras),
            "dropped": score.dropped,
        }
        for score in line.scores
    ]
    about = {name: getattr(line, name) for name in ("place", "key", "name", "team")}
    return {**about, "points": line.points, "penalty": line.penalty, "rounds": rounds}


def _show_boxes(args: argparse.Namespace, lines: Sequence[Standing]) -> int:
    groups = box_order(lines, [name.strip() for name in args.boxes.split(",") if name.strip()])
    if args.json:
        return write_json(groups)
    for number, group in enumerate(groups, 1):
        how = "" if len(group) == 1 else " (by the highest roll)"
        print(f"{number}. {', '.join(group)}{how}")
    return 0


def run_races(args: argparse.Namespace) -> int:
    """Races with their ids."""
    with league_of(args) as league:
        key = None if args.season is None else find_season(league, args.season).key
        races = league.queries.races(season=key)
    if args.json:
        return write_json([asdict(race) for race in races])
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


def run_drivers(args: argparse.Namespace) -> int:
    """Everybody."""
    with league_of(args) as league:
        drivers = league.queries.drivers()
    if args.json:
        return write_json([asdict(driver) for driver in drivers])
    rows = [[one.name, f"{one.races}", ", ".join(one.names[1:])] for one in drivers]
    return print_table("Drivers", ["name", "races#", "also"], rows)
