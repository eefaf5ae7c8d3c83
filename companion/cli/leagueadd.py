"""`companion league new|add|do|merge`: seasons, races, and whatever else people do."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.leaguetools import (
    finish,
    league_of,
    read_bytes,
    read_json,
    who,
    write_json,
)
from companion.league.acts import GAMES
from companion.league.byhand import COLUMNS, csv_acts, race_acts
from companion.league.errors import BadAct, LeagueError
from companion.league.names import key_of, parse_name
from companion.league.points import ACCEPTED

if TYPE_CHECKING:
    from companion.league.league import League

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def register(actions: Subparsers) -> None:
    """Add the actions."""
    _register_new(actions)
    _register_add(actions)
    _register_do(actions)
    _register_merge(actions)


def _register_new(actions: Subparsers) -> None:
    new = actions.add_parser(
        "new",
        help="a new season, which finished races then go into; or other rules for one",
        description="Makes a season and opens it: every record that comes in is its next round, "
        "until another one is opened. For a season that is there, changes what is named.",
    )
    new.add_argument("title", metavar="TITLE", help="such as 'Winter 2026'")
    new.add_argument("--points", metavar="TABLE", help=f"points by place: {ACCEPTED}")
    new.add_argument(
        "--drops", metavar="N", type=int, help="a driver's worst N rounds do not count"
    )
    new.add_argument(
        "--team-cars", metavar="N", type=int, help="a team scores with its best N cars a round"
    )
    new.add_argument("--planned", metavar="N", type=int, help="how many rounds are planned")
    new.add_argument(
        "--round", metavar="N", type=int, help="records that come in belong to this round"
    )
    new.add_argument("--closed", action="store_true", help="finished races do not go into it")
    finish(new, run_new)


def run_new(args: argparse.Namespace) -> int:
    """Make a season, or change one."""
    title = parse_name(args.title, what="the title of a season")
    told = {
        "points": args.points,
        "drops": args.drops,
        "team_cars": args.team_cars,
        "planned": args.planned,
        "current_round": args.round,
    }
    said = {name: value for name, value in told.items() if value is not None}
    act = {"act": "season", "season": title, "title": title, "open": not args.closed, **said}
    with league_of(args) as league:
        league.do(act, by=who())
    if args.json:
        return write_json({"season": key_of(title)})
    print(f"{title} is there; its name in commands is {key_of(title)}")
    return 0


def _register_add(actions: Subparsers) -> None:
    add = actions.add_parser(
        "add",
        help="races: records, CSV, or one that is told here",
        description="Adds records (.jsonl) and CSV files, or one race by its order: "
        "companion league add --order 'Ana, Bea, Cai' --out 'Dot: engine' --season winter-2026. "
        f"The columns of a CSV file are {', '.join(COLUMNS)}; date and driver are needed.",
    )
    add.add_argument("files", metavar="FILE", nargs="*", type=Path, help="a record or a CSV file")
    add.add_argument("--order", metavar="NAMES", help="who came home, best first, with commas")
    add.add_argument(
        "--out",
        metavar="NAME[: WHY]",
        action="append",
        default=[],
        help="who went out, and why; the last one out first",
    )
    add.add_argument("--date", default=None, help="the day, such as 2026-05-17 (today)")
    add.add_argument("--track", help="the board")
    add.add_argument("--laps", metavar="N", type=int)
    add.add_argument("--game", choices=GAMES, default=GAMES[0], help="(%(default)s)")
    add.add_argument("--name", help="what the race is called")
    add.add_argument("--season", metavar="KEY", help="the season that it is a round of")
    add.add_argument("--round", metavar="N", type=int, help="which round; left out: the next one")
    add.add_argument("--note", metavar="TEXT", help="something to remember of the night")
    finish(add, run_add)


def run_add(args: argparse.Namespace) -> int:
    """Add what is named; races that are known already are told and change nothing."""
    if bool(args.files) == bool(args.order or args.out):
        raise LeagueError("name files to add, or tell one race with --order and --out")
    with league_of(args) as league:
        if not args.files:
            return _told(args, _add_acts(league, race_acts(_form(args))))
        races = [race for file in args.files for race in _add_file(league, file)]
    return _told(args, races)


def _form(args: argparse.Namespace) -> dict[str, Any]:
    out = dict(_name_and_why(text) for text in args.out)
    order = [name.strip() for name in (args.order or "").split(",") if name.strip()]
    about = {name: getattr(args, name) for name in ("track", "laps", "name", "season", "note")}
    about |= {"round": args.round, "game": args.game}
    said = {name: value for name, value in about.items() if value is not None}
    when = args.date or date.today().isoformat()
    return {"date": when, "order": order, "out": out, **said}


def _name_and_why(text: str) -> tuple[str, str | None]:
    name, _, why = text.partition(":")
    return name.strip(), why.strip() or None


def _add_file(league: League, file: Path) -> list[str]:
    content = read_bytes(file)
    if file.suffix.lower() == ".csv":
        try:
            return _add_acts(league, csv_acts(content.decode("utf-8-sig")))
        except UnicodeDecodeError as error:
            raise BadAct(f"{file} is no text in UTF-8: {error}") from error
        except BadAct as error:
            raise BadAct(f"{file}: {error}") from error
    receipt = league.receive(content, table="by hand")
    if receipt.race is None:
        raise LeagueError(f"{file}: {receipt.message}")
    return [receipt.race]


def _add_acts(league: League, acts: list[dict[str, Any]]) -> list[str]:
    league.do(*acts, by=who())
    return [act["race"] for act in acts if act["act"] == "race"]


def _told(args: argparse.Namespace, races: list[str]) -> int:
    if args.json:
        return write_json({"races": races})
    for race in races:
        print(f"the race {race} is in the league")
    return 0


def _register_do(actions: Subparsers) -> None:
    do = actions.add_parser(
        "do",
        help="anything else: penalties, amended results, notes, teams",
        description="Carries out one act, as docs/league.md lists them, such as "
        """'{"act": "penalty", "race": ID, "driver": "Ana", "places": 2, "reason": "…"}'.""",
    )
    do.add_argument("act", metavar="ACT", help="a JSON object")
    finish(do, run_do)


def run_do(args: argparse.Namespace) -> int:
    """Carry out an act."""
    act = read_json(args.act)
    with league_of(args) as league:
        number = league.do(act, by=who())
    if args.json:
        return write_json({"act": number})
    print(f"done; it is act {number}")
    return 0


def _register_merge(actions: Subparsers) -> None:
    merge = actions.add_parser("merge", help="two names are one person")
    merge.add_argument("name", metavar="NAME", help="the name that was used, too")
    merge.add_argument("into", metavar="INTO", help="the name that the person goes by")
    merge.add_argument("--undo", action="store_true", help="NAME and INTO are two people after all")
    finish(merge, run_merge)


def run_merge(args: argparse.Namespace) -> int:
    """Merge two names, or part them."""
    act = {"act": "merge", "name": args.name, "into": args.into}
    with league_of(args) as league:
        known = {key_of(name) for one in league.queries.drivers() for name in one.names}
        unknown = [name for name in (args.name, args.into) if key_of(name) not in known]
        if unknown:
            raise BadAct(f"nobody in the league is called {unknown[0]!r}")
        league.do({"act": "part", "name": args.name} if args.undo else act, by=who())
    if args.json:
        return write_json({"name": args.name, "into": args.into, "merged": not args.undo})
    print(f"{args.name} and {args.into} are {'two people' if args.undo else 'one person'} now")
    return 0
