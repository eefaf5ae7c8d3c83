"""`companion league new|add|do|merge`: seasons, races, and whatever else people do.

`companion league forget|person`: who is named, and who may do what.

`companion league competition|enter|entries|plan|calendar|qualify`: stages and their drivers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from companion.cli.league.show import (
    Where,
    action,
    add_races,
    asks,
    find_season,
    given,
    races_in,
    who,
)
from companion.cli.tools import PATH, complain, parse_json, print_table, read
from companion.league.acts import Merge, Part, Plan, SetSeason, parse_act
from companion.league.byhand import COLUMNS, race_acts
from companion.league.errors import BadAct, LeagueError, key_of, parse_name
from companion.league.federation.competitions import Enter, SetCompetition
from companion.league.federation.stages import (
    draw_acts,
    header_of,
    late_acts,
    qualify_acts,
    table_sheets,
)
from companion.league.forms import ROLES
from companion.league.plain import DRAWS, Draw
from companion.race.boards import TrackLibrary
from companion.rules.games import NAMES
from companion.rules.lines import Malformed
from companion.system.config import Config

if TYPE_CHECKING:
    from companion.league.league import League


# -- add ------------------------------------------------------------------------------------------


@action("new")
@click.argument("title", help="such as 'Winter 2026'")
@click.option("--closed", is_flag=True, help="finished races do not go into it")
@asks(SetSeason, but="season title is_open is_private adds")
def new(where: Where, title: str, closed: bool, **rules: object) -> None:
    """Make a season and open it: every record that comes in is its next round.

    That goes on until another season is opened. For a season that is there, changes what is named.
    """
    title = parse_name(title, what="the title of a season")
    act = {"act": "season", "season": title, "title": title, "open": not closed}
    where.do(act | given(rules))
    key = key_of(title)
    where.answer({"season": key}, f"{title} is there; its name in commands is {key}")


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
@click.option("--amend", is_flag=True, help="races that are there take the result of the file")
def add(
    where: Where,
    files: Sequence[Path],
    order: str | None,
    out: Sequence[str],
    day: str | None,
    amend: bool,
    **about: object,
) -> None:
    """Add records and CSV files, or one race by its order. Races that are known change nothing.

    companion league add --order 'Ana, Bea, Cai' --out 'Dot: engine' --season winter-2026
    """
    if bool(files) == bool(order or out):
        raise LeagueError("name files to add, or tell one race with --order and --out")
    with where.league() as league:
        if files:
            races = [race for file in files for race in _add_file(league, file, amend=amend)]
        else:
            names = [name.strip() for name in (order or "").split(",") if name.strip()]
            reasons = dict(_name_and_why(text) for text in out)
            form = {"date": day or date.today().isoformat(), "order": names, "out": reasons}
            acts = race_acts(form | given(about))
            league.do(*acts, by=who())
            races = races_in(acts)
    where.answer({"races": races}, *(f"the race {race} is in the league" for race in races))


def _name_and_why(text: str) -> tuple[str, str | None]:
    name, _, why = text.partition(":")
    return name.strip(), why.strip() or None


def _add_file(league: League, file: Path, *, amend: bool) -> list[str]:
    content = read(file)
    if file.suffix.lower() != ".jsonl":
        try:
            return races_in(add_races(league, "csv", content, amend=amend))
        except BadAct as error:
            raise BadAct(f"{file}: {error}") from error
    receipt = league.receive(content, table=None)
    if receipt.race is None:
        raise LeagueError(f"{file}: {receipt.message}")
    return [receipt.race]


@action("do")
@click.argument("act", help="a JSON object")
def do(where: Where, act: str) -> None:
    """Carry out one act, as docs/league.md lists them.

    companion league do '{"act": "penalty", "race": ID, "driver": "Ana", "places": 2, "reason": …}'
    """
    number = where.do(parse_json(act, f"{act!r:.60} is no JSON"))
    where.answer({"act": number}, f"done; it is act {number}")


@action("undo")
@click.argument("number", type=int, help="of the act, as companion league acts tells it")
@click.option("--reason", help="why")
def undo(where: Where, number: int, reason: str | None) -> None:
    """Take an act back: all stands as if it had never been. An undo can be undone, too."""
    with where.league() as league:
        n = league.undo(number, reason, by=who())
    where.answer({"act": n, "undone": number}, f"act {number} is undone; that is act {n}")


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


# -- people ---------------------------------------------------------------------------------------


@action("forget")
@click.argument("name", help="any name of the person")
def forget(where: Where, name: str) -> None:
    """Erase a person's names from pages, files and replays, for good; results stay without them.

    The name does not come back with a record that is sent again, an import, a rebuild or
    `companion restore`. It is the one act that cannot be undone.
    """
    with where.league() as league:
        called = league.forget(name, by=who())
    where.answer({"name": called}, f"forgotten; the person is shown as {called} from now on")


@action("person")
@click.argument("name", help="who it is; a driver's name, where it is one")
@click.option("--role", type=click.Choice(ROLES), default="steward", help="what they may do")
@click.option("--table", help="a marshal's; called as the draw or the table's key has it")
@click.option("--close", is_flag=True, help="the link is no longer good")
def person(where: Where, name: str, role: str, table: str | None, close: bool) -> None:
    """Print a new key for a person, once, as the end of a link. An older one is no longer good.

    An organiser may do all that the keeper can, a steward confirm, amend and decide, a marshal
    enter, confirm, amend and penalize at one table, a driver protest in their own name.
    """
    if close:
        where.do({"act": "close-person", "person": name})
        where.answer({"person": name, "key": None}, f"{name} has no key any more")
        return
    own = {} if table is None else {"table": table}
    key = where.give_key({"act": "person", "person": name, "role": role, **own})
    page = "enter" if table is None else f"tables/{quote(table)}"
    link = f"/league/{page}#pin={key}"
    sentence = f"The link of {name}, behind the address of the league: {link}\nIt is shown once."
    where.answer({"person": name, "role": role, "key": key, "link": link}, sentence)


# -- stages ---------------------------------------------------------------------------------------


@action("competition")
@click.argument("title", help="such as 'Club 2026'")
@asks(SetCompetition, but="competition title")
def competition(where: Where, title: str, **about: object) -> None:
    """Make a competition, or change it; its stages are seasons.

    companion league new "Division 1" --competition club-2026 --stage division
    """
    title = parse_name(title, what="the title of a competition")
    key = key_of(title)
    act = {"act": "competition", "competition": key, "title": title}
    where.do(act | given(about))
    where.answer({"competition": key}, f"{title} is there; its name in commands is {key}")


@action("enter")
@click.argument("season", help="the stage")
@click.argument("names", nargs=-1, required=True, help="who shall drive")
@click.option("--number", type=int, help="on the car of the first; the others have the next ones")
@asks(Enter, but="season driver number via table grid")
def enter(
    where: Where,
    season: str,
    names: Sequence[str],
    number: int | None,
    crew: str | None,
    **about: object,
) -> None:
    """Put drivers on the entry list of a stage, or change what it says of them."""
    if crew is not None:
        about["crew"] = [one.strip() for one in crew.split(",") if one.strip()]

    with where.league() as league:
        key = find_season(league, season).key
        acts = [
            {"act": "enter", "season": key, "driver": name, **given(about), **_number(number, n)}
            for n, name in enumerate(names)
        ]
        league.do(*map(parse_act, acts), by=who())
    where.answer({"entered": list(names)}, f"entered in {key}: {', '.join(names)}")


def _number(first: int | None, n: int) -> dict[str, object]:
    return {} if first is None else {"number": first + n}


@action("entries")
@click.argument("key", required=False, help="a stage; left out: the open season")
def show_entries(where: Where, key: str | None) -> None:
    """Show the entry list of a stage."""
    with where.league() as league:
        season = find_season(league, key)
        names = league.queries.names({one for car in season.entrants for one in car.crew})
    if where.as_json:
        return where.answer([asdict(one) for one in season.entrants])
    heads = ["#", "name", "crew", "team", "color", "role", "table", "grid#", "until#", "from"]
    told = [
        (
            one.number,
            one.name,
            ", ".join(names.get(key, key) for key in one.crew),
            season.team_of(one.driver, 1, None),
            one.color,
            one.role,
            one.table,
            one.grid,
            one.until,
            one.via,
        )
        for one in season.entrants
    ]
    rows = [["" if cell is None else f"{cell}" for cell in row] for row in told]
    return print_table(season.title, heads, rows)


@action("plan")
@click.argument("season", help="the stage")
@click.argument("number", metavar="ROUND", type=int, help="which round")
@asks(Plan, but="season round")
@click.option("--off", is_flag=True, help="take the round out of the calendar")
def plan(where: Where, season: str, number: int, off: bool, **about: object) -> None:
    """Put a round into the calendar, or change it."""
    with where.league() as league:
        key = find_season(league, season).key
        act = {"act": "unplan" if off else "plan", "season": key, "round": number, **given(about)}
        league.do(parse_act(act), by=who())
    where.answer({"season": key, "round": number}, f"round {number} of {key} is in the calendar so")


@action("calendar")
@click.argument("key", required=False, help="a stage; left out: the open season")
def show_calendar(where: Where, key: str | None) -> None:
    """Show the calendar of a stage; `companion league export calendar` writes it as a file."""
    with where.league() as league:
        season = find_season(league, key)
        names = league.queries.names({name for one in season.calendar for name in one.coming})
    if where.as_json:
        return where.answer([asdict(one) for one in season.calendar])
    rows = [
        [
            f"{one.round}",
            (one.date or "").replace("T", " "),
            one.board or "",
            one.title or "",
            one.pack or "",
            f"cancelled: {one.cancelled}"
            if one.cancelled
            else ", ".join(names.get(name, name) for name in one.coming),
        ]
        for one in season.calendar
    ]
    return print_table(season.title, ["#", "date", "board", "title", "pack", "who comes"], rows)


@action("qualify")
@click.argument("season", help="the stage that is over")
@click.option("--dry-run", is_flag=True, help="only tell who would go where")
def qualify(where: Where, season: str, dry_run: bool) -> None:
    """Enter those whom the ways out of a stage take: promotion, relegation, the next heat.

    A way is made by: companion league do '{"act": "path", "season": …, "into": …, "first": 1,
    "last": 2}'
    """
    with where.league() as league:
        found = find_season(league, season)
        going, acts = qualify_acts(league.queries, found.key)
        if acts and not dry_run:
            league.do(*acts, by=who())
    lines = (f"{one.name}, place {one.place}: {one.into}" for one in going)
    where.answer([asdict(one) for one in going], *lines)


@action("draw")
@click.argument("season", help="the stage")
@click.option("--tables", type=int, help="how many there are")
@click.option(
    "--by",
    "how",
    type=click.Choice(DRAWS),
    default=DRAWS[0],
    help="by lot, by number, or by the places in the stage before",
)
@click.option("--grid", "with_grid", is_flag=True, help="draw the grids of the tables, too")
@click.option("--late", is_flag=True, help="only seat those who have no table yet")
def draw(
    where: Where, season: str, tables: int | None, how: Draw, with_grid: bool, late: bool
) -> None:
    """Draw who sits at which table: as even as can be, team-mates parted by lot.

    Who is banned from the round has no table, and is named. Who comes late goes to one of the
    emptiest tables, to the end of its grid.
    """
    if (tables is None) != late:
        raise BadAct("draw --tables N for everybody, or --late for those who have no table")
    with where.league() as league:
        key = find_season(league, season).key
        if tables is None:
            drawn = late_acts(league.queries, key)
        else:
            dice = SystemRandom()
            drawn = draw_acts(league.queries, key, tables, how, dice, with_grid=with_grid)
        league.do(*drawn.acts, by=who())
        entrants = find_season(league, key).entrants
    at: dict[str, list[str]] = {}
    for one in sorted(entrants, key=lambda one: one.grid or 0):
        if one.table is not None:
            at.setdefault(one.table, []).append(one.name)
    tables_told = {table: at[table] for table in sorted(at, key=lambda name: (len(name), name))}
    lines = (f"{table}: {', '.join(names)}" for table, names in tables_told.items())
    where.answer(tables_told, *map(str, drawn.banned), *lines)


@action("sheet")
@click.argument("season", help="the stage")
@click.option("--table", help="which one; left out where there is only one")
@click.option("--game", default=NAMES[0], type=click.Choice(NAMES), help="what is played")
@click.option("--track", help="the board; left out: the one of the calendar")
def sheet(where: Where, season: str, table: str | None, game: str, track: str | None) -> None:
    """Print the header of a table's next race, for `companion race --new FILE`.

    It has the drivers who may drive, the weather of the calendar, and the grid that was drawn, with
    the places that penalties cost.
    """
    with where.league() as league:
        sheets = table_sheets(league.queries, find_season(league, season).key)
    found = [one for one in sheets if table is None or one.table == table]
    if len(found) != 1:
        there = ", ".join(one.table or "" for one in sheets)
        raise BadAct(f"which table? there are {there}" if there else "there are no tables")
    for one in found[0].banned:
        complain(str(one))
    header = header_of(found[0], game, track)
    if "track" in header:
        header["track"] = _board(where, str(header["track"]))
    print(json.dumps(header, ensure_ascii=False))


def _board(where: Where, named: str) -> str:
    """The name of a board that is there; a calendar may have what people call it.

    Raises:
        BadAct: there is none.
    """
    boards = TrackLibrary((Path(), Config(data=where.data).tracks))
    try:
        boards.text(named)
    except Malformed as missing:
        every = (*boards.names(), *boards.cards())
        called = (one for one in every if key_of(boards.title(one)) == key_of(named))
        found = next(called, None)
        if found is None:
            raise BadAct(f"{missing}; --track names another") from missing
        return found
    return named
