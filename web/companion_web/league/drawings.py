"""The charts of the league's pages, as SVG; each is drawn once and kept for a while. Beside each
stand its lines as JSON, for the chart that it becomes when it is touched (`league-chart.js`)."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, abort, json, request

from companion.league.charts import (
    Chart,
    draw_svg,
    gap_chart,
    look_of,
    position_chart,
    progress_chart,
)
from companion.league.plain import Race, Season
from companion.league.standings import gross
from companion.views.words import LANGUAGES, Words, words
from companion_web.league.access import LeagueAccess
from companion_web.league.shown import seat_names

KEPT = 64
"""Charts; a season of thirty races and its own."""


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/…/NAME.LANGUAGE.svg` and `.json`."""
    drawings = Blueprint("league_drawings", __name__, url_prefix="/league")

    @drawings.get("/seasons/<key>/progress.<language>.<any(svg, json):kind>")
    def draw_progress(key: str, language: str, kind: str) -> Response:
        access.catch_up()
        season = access.season(key) or abort(404)
        return reply_chart(progress_of(access, season, _say(language)), kind)

    @drawings.get("/races/<key>/<any(positions, gaps):what>.<language>.<any(svg, json):kind>")
    def draw_race(key: str, what: str, language: str, kind: str) -> Response:
        race = access.race(key) or abort(404)
        if not race.numbers.get("gaps" if what == "gaps" else "rounds"):
            abort(404)
        return reply_chart(chart_of(race, what, _say(language)), kind)

    return drawings


def progress_of(access: LeagueAccess, season: Season, say: Words) -> Chart:
    """The chart of a season: who has most comes first."""
    races = access.queries.races(season=season.key, is_slim=True)
    names = access.names({entry.driver for race in races for entry in race.entries})
    return progress_chart(gross(season, races, names), say)


def chart_of(race: Race, what: str, say: Words) -> Chart:
    """The chart of a race: `positions` or `gaps`."""
    names, rounds = seat_names(race), say("round")
    colors = {int(seat): color for seat, color in (race.numbers.get("colors") or {}).items()}
    if what == "positions":
        rows = race.numbers["rounds"]
        return position_chart(rows, names, say, x_label=rounds, colors=colors)
    gaps = [{int(seat): gap for seat, gap in row.items()} for row in race.numbers["gaps"]]
    return gap_chart(gaps, names, say, colors=colors)


def _say(language: str) -> Words:
    if language not in LANGUAGES:
        abort(404)
    return words(language)


def reply_chart(chart: Chart, kind: str = "svg") -> Response:
    """A chart as a picture; as `json` its lines."""
    if kind == "json":
        response = Response(json.dumps(_lines_of(chart)), mimetype="application/json")
    else:
        is_narrow = request.args.get("size") == "narrow"
        response = Response(_drawn(chart, is_narrow), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _lines_of(chart: Chart) -> dict[str, object]:
    lines = [
        {"name": line.name, "color": look_of(line.number)[0], "ys": line.ys} for line in chart.lines
    ]
    return {
        "x_label": chart.x_label,
        "y_label": chart.y_label,
        "start": chart.start,
        "is_downwards": chart.runs_down,
        "lines": lines,
    }


@lru_cache(maxsize=KEPT)
def _drawn(chart: Chart, is_narrow: bool) -> str:
    return draw_svg(chart, is_narrow=is_narrow)
