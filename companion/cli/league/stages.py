"""`companion league competition|enter|entries|plan|calendar|qualify`: stages and their drivers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import SystemRandom

import click

from companion.boards import TrackLibrary
from companion.cli.league.action import Where, action, who
from companion.cli.league.show import find_season
from companion.cli.tools import complain, print_table
from companion.config import Config
from companion.league.competing import DRAWS, RANKINGS, ROLES, WEATHERS, Draw
from companion.league.errors import BadAct
from companion.league.names import key_of, parse_name
from companion.rules.errors import Malformed
from companion.rules.games import NAMES


@action("competition")
@click.argument("title", help="such as 'Club 2026'")
@click.option(
    "--ranking",
    type=click.Choice(RANKINGS),
    help="by the points of its stages together, or by the last stage that somebody reached",
)
def competition(where: Where, title: str, ranking: str | None) -> None:
    """Make a competition, or change it; its stages are seasons.

    companion league new "Division 1" --competition club-2026 --stage division --tier 1
    """
    title = parse_name(title, what="the title of a competition")
    key = key_of(title)
    act = {"act": "competition", "competition": key, "title": title}
    where.do(act | ({} if ranking is None else {"ranking": ranking}))
    where.answer({"competition": key}, f"{title} is there; its name in commands is {key}")


@action("enter")
@click.argument("season", help="the stage")
@click.argument("names", nargs=-1, required=True, help="who shall drive")
@click.option("--number", type=int, help="on the car of the first; the others have the next ones")
@click.option("--color", help="of the car")
@click.option("--team", help="which they score for")
@click.option("--role", type=click.Choice(ROLES), help="regular, or standing in for others")
@click.option("--until", type=int, help="the last round of the entry")
@click.option("--crew", help="several who drive the car, with commas; the name is the car's then")
def enter(
    where: Where,
    season: str,
    names: Sequence[str],
    number: int | None,
    crew: str | None,
    **about: object,
) -> None:
    """Put drivers on the entry list of a stage, or change what it says of them."""
    from companion.league.acts import parse_act

    if crew is not None:
        about["crew"] = [one.strip() for one in crew.split(",") if one.strip()]

    with where.league() as league:
        key = find_season(league, season).key
        own = {name: value for name, value in about.items() if value is not None}
        acts = [
            {"act": "enter", "season": key, "driver": name, **own, **_number(number, n)}
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
@click.option("--date", help="such as 2026-05-17 or 2026-05-17T20:00")
@click.option("--board", help="what is driven on")
@click.option("--title", help="what the round is called")
@click.option("--pack", help="what is played, such as a pack of rules")
@click.option("--laps", type=int, help="of every table")
@click.option("--weather", type=click.Choice(WEATHERS), help="of every table, trials too")
@click.option("--cancelled", metavar="WHY", help="it is not driven")
@click.option("--off", is_flag=True, help="take the round out of the calendar")
def plan(where: Where, season: str, number: int, off: bool, **about: object) -> None:
    """Put a round into the calendar, or change it."""
    from companion.league.acts import parse_act

    own = {name: value for name, value in about.items() if value is not None}
    with where.league() as league:
        key = find_season(league, season).key
        act = {"act": "unplan" if off else "plan", "season": key, "round": number, **own}
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
    from companion.league.qualifying import qualify_acts

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
            drawn = league.seat_late(key, by=who())
        else:
            drawn = league.draw(key, tables, how, SystemRandom(), by=who(), with_grid=with_grid)
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
    from companion.league.sheets import header_of, table_sheets

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
