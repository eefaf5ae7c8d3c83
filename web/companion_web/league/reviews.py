"""Reviews of races, and what a season of them comes to: luck, accuracy, standings without luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, abort, request

from companion.league.charts import Chart
from companion.league.charts import expected_chart as chart_of_turns
from companion.league.luck import Review, luck_lines, without_luck
from companion.league.plain import Line, Race, Season
from companion.league.standings import rounds_of, standings
from companion.record import tracks_of
from companion.rules.board.track import Track
from companion.views.words import LANGUAGES, Words, words
from companion.views.words.answers import answer_text
from companion_web.league.access import LeagueAccess
from companion_web.league.drawings import reply_chart
from companion_web.league.pages import reply_league
from companion_web.league.shown import seat_names
from companion_web.words import choose_language

BEYOND = 3
"""Turns beyond the slowest result that a chart still has."""
AGAIN_S = 5
"""After which a page looks again for a review that is being made."""


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/races/ID/review`, its chart, and `/league/seasons/KEY/luck`."""
    reviews = Blueprint("league_reviews", __name__, url_prefix="/league")

    @reviews.get("/races/<key>/review")
    def show_review(key: str) -> Response:
        race, lines = _record(access, key)
        found, say = access.review(race.id, lines), words(choose_language(request))
        shown = {} if found is None else _shown(race, lines, found, say)
        never = access.why_no_review(race.id, lines) if found is None else None
        shown |= {"names": _names(access, race), "never": never}
        response = reply_league(access, "review.html", race=race, review=found, **shown)
        if found is None and never is None:
            response.headers["Refresh"] = str(AGAIN_S)
        return response

    @reviews.get("/races/<key>/expected.<language>.svg")
    def draw_expected(key: str, language: str) -> Response:
        race, lines = _record(access, key)
        found = access.review(race.id, lines)
        if found is None or language not in LANGUAGES:
            abort(404)
        return reply_chart(expected_chart(race, found, words(language)))

    @reviews.get("/seasons/<key>/luck")
    def show_luck(key: str) -> Response:
        access.catch_up()
        season = access.season(key) or abort(404)
        return reply_league(access, "luck.html", season=season, **_season(access, season))

    return reviews


def _record(access: LeagueAccess, key: str) -> tuple[Race, Sequence[Line]]:
    """A race that was driven at a table, and its record."""
    race = access.race(key) or abort(404)
    lines = access.queries.record(race.id)
    if lines is None or race.remark is not None or not access.reviews:
        abort(404)
    return race, lines


def _names(access: LeagueAccess, race: Race) -> dict[str, str]:
    return access.names({entry.driver for entry in race.entries})


def _shown(race: Race, lines: Sequence[Line], review: Review, say: Words) -> dict[str, object]:
    """The cars in the order of the result, their errors in words."""
    track = tracks_of(lines[0]).load(str(lines[0]["track"]))
    cars = []
    for entry in sorted(race.entries, key=lambda entry: entry.place):
        car = review["cars"].get(str(entry.seat))
        if car is not None and car["start"] is not None:
            errors = [_error(one, track, say) for one in car["errors_in"]]
            cars.append({"entry": entry, **car, "errors_in": errors})
    return {"cars": cars}


def _error(one: Mapping[str, Any], track: Track, say: Words) -> dict[str, Any]:
    """A decision in words: what was played, and what would have been best."""
    told = {name: answer_text(one[name], track, say) for name in ("played", "best")}
    return {"round": one["round"], "kind": one["kind"], "loss": one["loss"], **told}


def expected_chart(race: Race, review: Review, say: Words) -> Chart:
    """What each car's turns at its finish were expected to be, after each round.

    What is far beyond the slowest result is left out: somebody was nearly out, which counts 100.
    """
    home = {int(n): car for n, car in review["cars"].items() if car["result"] is not None}
    most = max((car["result"] for car in home.values()), default=0) + BEYOND
    curves = {
        seat: {int(number): turns for number, turns in car["curve"].items() if turns <= most}
        for seat, car in home.items()
    }
    return chart_of_turns(curves, seat_names(race), say, colors=_colors(race))


def _colors(race: Race) -> dict[int, str]:
    return {int(seat): color for seat, color in (race.numbers.get("colors") or {}).items()}


def _season(access: LeagueAccess, season: Season) -> dict[str, object]:
    """The tables of a season; a race that nobody has asked about yet is in none of them."""
    rounds = rounds_of(season, access.queries.races(season=season.key, is_slim=True))
    known = {race.id: access.known_review(race.id) for race in rounds}
    reviews = {race: found for race, found in known.items() if found is not None}
    names = access.names({entry.driver for race in rounds for entry in race.entries})
    real = standings(season, rounds, names)
    lucky = {line.key: line for line in standings(season, _adjusted(rounds, reviews), names)}
    return {
        "rounds": rounds,
        "reviewed": reviews,
        "names": names,
        "lines": luck_lines(rounds, reviews),
        "both": [(line, lucky[line.key]) for line in real],
    }


def _adjusted(rounds: Sequence[Race], reviews: Mapping[str, Review]) -> list[Race]:
    return [without_luck(race, reviews) for race in rounds]
