"""A federation's pages: competitions, entry lists, tables; fetched when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom
from typing import Final

from flask import Response, abort

from companion.league.acts import Act, SetSeason, parse_act
from companion.league.byhand import listed
from companion.league.errors import BadAct, key_of, parse_name
from companion.league.federation import competitions as kinds
from companion.league.federation.stages import (
    Draws,
    draw_acts,
    late_acts,
    late_names,
    qualify_acts,
    table_sheets,
)
from companion.league.forms import STATUSES
from companion.league.plain import DRAWS, Line, Once, Race, Season, drivers_in
from companion.views.words import phrase
from companion_web.league.doors import LeagueAccess, Requests, text_in
from companion_web.league.forms import make_form
from companion_web.league.pages import SEASONS_NAMED, reply_forms

# -- forms ----------------------------------------------------------------------------------------


OF_STAGE: Final = (
    make_form(kinds.Enter, but="via table grid", title=phrase("Enter a driver")),
    make_form(kinds.StandFor, needs="absent"),
    make_form(
        kinds.OpenPath,
        "first last by into",
        about=phrase("Places below 0 count from the end: -1 is the last."),
    ),
)
NEW_CUP = make_form(kinds.SetCompetition, "competition ranking", titled="competition")
OF_CUP: Final = {
    "stage": make_form(
        SetSeason,
        "season stage points step tier adds",
        title=phrase("A new stage"),
        go=phrase("Make it"),
        titled="season",
    ),
    "add": make_form(
        SetSeason,
        "season",
        title=phrase("A season that is there becomes a stage"),
        go=phrase("Add it"),
    ),
    "settings": make_form(
        kinds.SetCompetition,
        "title ranking",
        "title",
        title=phrase("Settings"),
        go=phrase("Change it"),
    ),
}


# -- competitions ---------------------------------------------------------------------------------


def list_competitions(access: LeagueAccess) -> Response:
    """`/league/competitions`."""
    found = access.queries.competitions()
    return reply_forms(access, "competitions.html", found=found, new=NEW_CUP)


def show_competition(access: LeagueAccess, key: str) -> Response:
    """`/league/competitions/KEY`."""
    queries = access.queries
    cup = queries.competition(key) or abort(404)
    stages = queries.stages(cup.key)
    races = queries.races(stages=[one.key for one in stages], is_slim=True)
    names = queries.names(drivers_in(races))
    there = queries.seasons(most=SEASONS_NAMED, is_slim=True)
    return reply_forms(
        access,
        "competition.html",
        cup=cup,
        cup_forms=OF_CUP,
        stages=stages,
        lines=kinds.overall(cup, kinds.tables_of(stages, races, names)),
        team_lines=kinds.overall(cup, kinds.tables_of(stages, races, of_teams=True)),
        titles={one.key: one.title for one in there},
        held={one.key: _held(races, one.key) for one in stages},
    )


def _held(races: Sequence[Race], season: str) -> int:
    return len({race.round for race in races if race.season == season and race.counts})


# -- a stage --------------------------------------------------------------------------------------


def show_entries(access: LeagueAccess, key: str) -> Response:
    """`/league/seasons/KEY/entries`: who is entered, who goes on, and the draw."""
    season = access.queries.season(key) or abort(404)
    races = access.queries.held(season)
    names = access.queries.names(drivers_in(races) | season.people)
    going, why = _going(season, races, names)
    late = late_names(access.queries, season)
    told = {"season": season, "names": names, "going": going, "undecided": why, "late": late}
    return reply_forms(access, "entries.html", stage_forms=OF_STAGE, **told)


def _going(
    season: Season, races: list[Race], names: dict[str, str]
) -> tuple[list[kinds.Qualified], str | None]:
    """Who goes on as it stands, or why nobody can say."""
    try:
        return kinds.qualified(season, races, names), None
    except BadAct as undecided:
        return [], str(undecided)


def show_table(access: LeagueAccess, table: str) -> Response:
    """`/league/tables/TABLE`: a table of the round that is driven, for its marshal."""
    season = access.queries.current() or abort(404)
    try:
        name = parse_name(table)
    except BadAct:
        abort(404)
    try:
        sheets = table_sheets(access.queries, season.key)
    except BadAct:
        sheets = []
    sheet = next((one for one in sheets if key_of(one.table or "") == key_of(name)), None)
    races = access.queries.races(season=season.key, is_slim=True)
    own = [race for race in races if key_of(race.sender or "") == key_of(name)]
    now = [race for race in own if sheet is None or race.round == sheet.round]
    statuses = [one for one in STATUSES if one not in ("running", "not-classified")]
    told = {"sheet": sheet, "table": name, "races": now, "home": statuses}
    return reply_forms(access, "table.html", season=season, **told)


# -- posts ----------------------------------------------------------------------------------------


MOST_ENTERED = 200
STAGE: Final = "the key of a stage"


def post_enter(requests: Requests) -> Response:
    """Many people on the entry list of a season at once, as somebody has pasted their names."""
    return requests.keep(_entries)


def _entries(body: Line) -> Sequence[Act]:
    season, names = body.get("season"), body.get("names")
    found = listed(names) if isinstance(names, str) else []
    if not 1 <= len(found) <= MOST_ENTERED:
        raise BadAct(f"names is a text of 1 to {MOST_ENTERED} lines, a name a line")
    return [parse_act({"act": "enter", "season": season, "driver": name}) for name in found]


def post_qualify(requests: Requests) -> Response:
    """Enter those whom the ways out of a stage take."""
    league = requests.access.writer

    def enter(body: Line, by: str, once: Once | None) -> Line:
        going, acts = qualify_acts(league.queries, text_in(body, "season", STAGE))
        if not acts:
            raise BadAct("nobody goes on from here who is not entered already")
        names = [one.name for one in going]
        league.do(*acts, by=by, once=once and once.answered(entered=names))
        return {"entered": names}

    return requests.organise(enter)


def post_draw(requests: Requests) -> Response:
    """Draw the tables of a stage, or seat who comes late."""
    league = requests.access.writer

    def draw(body: Line, by: str, once: Once | None) -> Line:
        drawn = _drawn(requests.access, body)
        league.do(*drawn.acts, by=by, once=once and once.answered(**drawn.told()))
        return drawn.told()

    return requests.organise(draw)


def _drawn(access: LeagueAccess, body: Line) -> Draws:
    tables, how, with_grid = (body.get(word) for word in ("tables", "how", "grid"))
    season, queries = text_in(body, "season", STAGE), access.writer.queries
    if not isinstance(with_grid, bool | None):
        raise BadAct(f"grid is true or false, not {with_grid!r:.60}")
    if body.get("late") is True:
        return late_acts(queries, season)
    if type(tables) is not int or how not in DRAWS:  # true is an int to isinstance
        raise BadAct(f"a draw has tables and how: {', '.join(DRAWS)}; or late, true")
    dice = SystemRandom()
    return draw_acts(queries, season, tables, how, dice, with_grid=with_grid is True)
