"""Pages on which a club changes what it has: competitions, stages, the result of a race."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Response, abort

from companion.league.competing import (
    CREWS,
    DRAWS,
    KINDS,
    RANKINGS,
    ROLES,
    WAYS,
    WEATHERS,
    Competition,
)
from companion.league.errors import BadAct
from companion.league.names import key_of, parse_name
from companion.league.overall import Qualified, overall, qualified, tables_of
from companion.league.plain import Race, Season, drivers_in
from companion.league.points import TABLES, format_points
from companion.league.qualifying import late_names
from companion.league.said import STATUSES, TIES
from companion.league.sheets import table_sheets
from companion.league.standings import rounds_of
from companion_web.league.access import LeagueAccess
from companion_web.league.pages import MOST_NAMED, reply_league

CHOICES = {
    "kinds": KINDS,
    "rankings": RANKINGS,
    "roles": ROLES,
    "ways": WAYS,
    "crews": CREWS,
    "weathers": WEATHERS,
    "draws": DRAWS,
    "ties": TIES,
    "statuses": STATUSES,
    "tables": TABLES,
}
"""What forms offer."""
SEASONS_NAMED = 60


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/competitions`, `/league/tables/TABLE`, and `/league/seasons/KEY/organise`,
    `/league/races/ID/amend`."""
    pages = Blueprint("league_organise", __name__, url_prefix="/league")

    @pages.get("/competitions")
    def list_competitions() -> Response:
        access.catch_up()
        return _reply(access, "competitions.html", found=access.queries.competitions())

    @pages.get("/competitions/<key>")
    def show_competition(key: str) -> Response:
        access.catch_up()
        cups = (one for one in access.queries.competitions() if one.key == key)
        cup = next(cups, None) or abort(404)
        return _reply(access, "competition.html", cup=cup, **_competition(access, cup))

    @pages.get("/seasons/<key>/organise")
    def organise_season(key: str) -> Response:
        access.catch_up()
        season = access.season(key) or abort(404)
        return _reply(access, "organise.html", season=season, **_stage(access, season))

    @pages.get("/races/<race>/amend")
    def amend_race(race: str) -> Response:
        access.catch_up()
        found = access.race(race) or abort(404)
        names = access.names(_people(found))
        season = access.season(found.season) if found.season else None
        return _reply(access, "amend.html", race=found, season=season, names=names)

    @pages.get("/tables/<table>")
    def show_table(table: str) -> Response:
        access.catch_up()
        season = access.queries.current() or abort(404)
        try:
            name = parse_name(table)
        except BadAct:
            abort(404)
        return _reply(access, "table.html", season=season, **_table(access, season, name))

    return pages


def _table(access: LeagueAccess, season: Season, table: str) -> dict[str, object]:
    """A table of the round that is driven, for its marshal."""
    try:
        sheets = table_sheets(access.queries, season.key)
    except BadAct:
        sheets = []
    sheet = next((one for one in sheets if key_of(one.table or "") == key_of(table)), None)
    races = access.queries.races(season=season.key, is_slim=True)
    own = [race for race in races if key_of(race.sender or "") == key_of(table)]
    now = [race for race in own if sheet is None or race.round == sheet.round]
    statuses = [one for one in STATUSES if one not in ("running", "not-classified")]
    return {"sheet": sheet, "table": table, "races": now, "home": statuses}


def _reply(access: LeagueAccess, template: str, **values: object) -> Response:
    people, _ = access.book.people(most=MOST_NAMED)
    named = sorted({one.driver.name for one in people}, key=str.casefold)
    return reply_league(
        access,
        template,
        choices=CHOICES,
        format_points=format_points,
        people=named,
        stages_there=access.queries.seasons(most=SEASONS_NAMED, is_slim=True),
        competitions=access.queries.competitions(),
        **values,
    )


def _people(race: Race) -> set[str]:
    return drivers_in([race]) | {one.driver for one in race.protests}


def _competition(access: LeagueAccess, cup: Competition) -> dict[str, object]:
    stages = access.queries.stages(cup.key)
    races = access.queries.races(stages=[one.key for one in stages], is_slim=True)
    names = access.names(drivers_in(races))
    tables = tables_of(stages, races, names)
    in_teams = tables_of(stages, races, of_teams=True)
    return {
        "stages": stages,
        "lines": overall(cup, tables),
        "team_lines": overall(cup, in_teams),
        "titles": {
            one.key: one.title for one in access.queries.seasons(most=SEASONS_NAMED, is_slim=True)
        },
        "held": {key: _held(races, key) for key in (one.key for one in stages)},
    }


def _held(races: Iterable[Race], season: str) -> int:
    return len({race.round for race in races if race.season == season and race.counts})


def _stage(access: LeagueAccess, season: Season) -> dict[str, object]:
    races = rounds_of(season, access.queries.races(season=season.key, is_slim=True))
    drivers = drivers_in(races) | {one.driver for one in season.penalties if one.driver}
    drivers |= {key for one in season.entrants for key in one.crew}
    drivers |= {key for one in season.calendar for key in (*one.coming, *one.absent)}
    drivers |= {one.driver for one in season.moves} | set(season.teams)
    drivers |= {key for one in season.stand_ins for key in (one.driver, one.absent)}
    names = {one.driver: one.name for one in season.entrants} | access.names(drivers)
    going, why = _going(season, races, names)
    late = late_names(access.queries, season)
    return {"names": names, "rounds": races, "going": going, "undecided": why, "late": late}


def _going(
    season: Season, races: list[Race], names: dict[str, str]
) -> tuple[list[Qualified], str | None]:
    """Who goes on as it stands, or why nobody can say."""
    try:
        return qualified(season, races, names), None
    except BadAct as undecided:
        return [], str(undecided)
