"""`companion league new|add|do|merge`: seasons, races, and whatever else people do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.league.action import Where, action, who
from companion.cli.tools import PATH, parse_json, read
from companion.league.acts import Act, EnterRace, Merge, Part
from companion.league.byhand import COLUMNS, csv_acts, race_acts
from companion.league.competing import CREWS, KINDS
from companion.league.errors import BadAct, LeagueError
from companion.league.names import key_of, parse_name
from companion.league.points import ACCEPTED
from companion.league.said import TIES
from companion.rules.games import NAMES

if TYPE_CHECKING:
    from companion.league.league import League


@action("new")
@click.argument("title", help="such as 'Winter 2026'")
@click.option("--points", help=f"points by place: {ACCEPTED}")
@click.option("--drops", type=int, help="so many of a driver's worst rounds do not count")
@click.option("--team-cars", type=int, help="a team scores with so many of its cars a round")
@click.option("--planned", type=int, help="how many rounds are planned")
@click.option("--round", "current_round", type=int, help="the round of records that come in")
@click.option("--closed", is_flag=True, help="finished races do not go into it")
@click.option("--competition", metavar="KEY", help="what it is a stage of")
@click.option("--stage", type=click.Choice(KINDS), help="which kind of a stage")
@click.option("--step", type=int, help="how late in the competition, from 1")
@click.option("--tier", type=int, help="of divisions side by side, 1 is the uppermost")
@click.option("--ties", help=f"what decides equal points: {', '.join(TIES)}, with commas")
@click.option("--half-under", type=float, help="half points under this share of the laps")
@click.option("--licence", type=int, help="so many points on the licence are a ban of a round")
@click.option("--crews", type=click.Choice(CREWS), help="who has the points of a car with a crew")
def new(where: Where, title: str, closed: bool, **rules: object) -> None:
    """Make a season and open it: every record that comes in is its next round.

    That goes on until another season is opened. For a season that is there, changes what is named.
    """
    title = parse_name(title, what="the title of a season")
    act = {"act": "season", "season": title, "title": title, "open": not closed}
    where.do(act | _given(rules))
    key = key_of(title)
    where.answer({"season": key}, f"{title} is there; its name in commands is {key}")


def _given(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


@action("add")
@click.argument(
    "files",
    nargs=-1,
    type=PATH,
    help=f"records (.jsonl), and CSV with columns {', '.join(COLUMNS)}; date and driver are needed",
)
@click.option("--order", metavar="NAMES", help="who came home, best first, with commas")
@click.option(
    "--out", metavar="NAME[: WHY]", multiple=True, help="who went out; the last one out first"
)
@click.option("--date", "day", help="the day, such as 2026-05-17; left out: today")
@click.option("--track", help="the board")
@click.option("--laps", type=int, help="how many laps it had")
@click.option("--game", type=click.Choice(NAMES), default=NAMES[0], help="the game")
@click.option("--name", help="what the race is called")
@click.option("--season", metavar="KEY", help="the season that it is a round of")
@click.option("--round", type=int, help="which round; left out: the next one")
@click.option("--note", help="something to remember of the night")
def add(
    where: Where,
    files: Sequence[Path],
    order: str | None,
    out: Sequence[str],
    day: str | None,
    **about: object,
) -> None:
    """Add records and CSV files, or one race by its order. Races that are known change nothing.

    companion league add --order 'Ana, Bea, Cai' --out 'Dot: engine' --season winter-2026
    """
    if bool(files) == bool(order or out):
        raise LeagueError("name files to add, or tell one race with --order and --out")
    with where.league() as league:
        if files:
            races = [race for file in files for race in _add_file(league, file)]
        else:
            names = [name.strip() for name in (order or "").split(",") if name.strip()]
            reasons = dict(_name_and_why(text) for text in out)
            form = {"date": day or date.today().isoformat(), "order": names, "out": reasons}
            races = _add_acts(league, race_acts(form | _given(about)))
    where.answer({"races": races}, *(f"the race {race} is in the league" for race in races))


def _name_and_why(text: str) -> tuple[str, str | None]:
    name, _, why = text.partition(":")
    return name.strip(), why.strip() or None


def _add_file(league: League, file: Path) -> list[str]:
    content = read(file)
    if file.suffix.lower() == ".csv":
        try:
            return _add_acts(league, csv_acts(content.decode("utf-8-sig")))
        except UnicodeDecodeError as error:
            raise BadAct(f"{file} is no text in UTF-8: {error}") from error
        except BadAct as error:
            raise BadAct(f"{file}: {error}") from error
    receipt = league.receive(content, table=None)
    if receipt.race is None:
        raise LeagueError(f"{file}: {receipt.message}")
    return [receipt.race]


def _add_acts(league: League, acts: Sequence[Act]) -> list[str]:
    league.do(*acts, by=who())
    return [act.race for act in acts if isinstance(act, EnterRace)]


@action("do")
@click.argument("act", help="a JSON object")
def do(where: Where, act: str) -> None:
    """Carry out one act, as docs/league.md lists them.

    companion league do '{"act": "penalty", "race": ID, "driver": "Ana", "places": 2, "reason": …}'
    """
    number = where.do(parse_json(act, f"{act!r:.60} is no JSON"))
    where.answer({"act": number}, f"done; it is act {number}")


@action("merge")
@click.argument("name", help="the name that was used, too")
@click.argument("into", help="the name that the person goes by")
@click.option("--undo", is_flag=True, help="NAME and INTO are two people after all")
def merge(where: Where, name: str, into: str, undo: bool) -> None:
    """Merge two names, or part them."""
    with where.league() as league:
        known = {key_of(name) for one in league.queries.drivers() for name in one.names}
        unknown = [name for name in (name, into) if key_of(name) not in known]
        if unknown:
            raise BadAct(f"nobody in the league is called {unknown[0]!r}")
        one, other = parse_name(name), parse_name(into)
        league.do(Part(name=one) if undo else Merge(name=one, into=other), by=who())
    sentence = f"{name} and {into} are {'two people' if undo else 'one person'} now"
    where.answer({"name": name, "into": into, "merged": not undo}, sentence)
