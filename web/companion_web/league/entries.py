"""Who is entered in the season that is open, for the lobby of the table: cars with their crews."""

from __future__ import annotations

from flask import Blueprint, Response

from companion_web.league.access import LeagueAccess
from companion_web.problems import reply_json


def blueprint(access: LeagueAccess) -> Blueprint:
    """`GET /api/league/entries`."""
    entries = Blueprint("league_entries", __name__)

    @entries.get("/api/league/entries")
    def send_entries() -> Response:
        access.catch_up()
        season = access.queries.current()
        if season is None:
            return reply_json({"season": None, "entries": []})
        names = access.names({driver for one in season.entrants for driver in one.crew})
        told = [
            {
                "name": one.name,
                "number": one.number,
                "color": one.color,
                "team": season.team_of(one.driver, 1, None),
                "crew": [names.get(driver, driver) for driver in one.crew],
            }
            for one in season.entrants
        ]
        return reply_json({"season": season.key, "entries": told})

    return entries
