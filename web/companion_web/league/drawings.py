"""The charts of the league's pages, as SVG; each is drawn once and kept for a while. Beside each
stand its lines as JSON, for the chart that it becomes when it is touched (`league-chart.js`).

What the league's templates show, worked out of the plain records; pure.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import wraps
from itertools import groupby

from flask import Blueprint, Response, abort, json, request

from companion.league.acts import Act
from companion.league.charts import (
    Chart,
    cars_in,
    color_of,
    draw_svg,
    look_of,
    progress_chart,
    race_chart,
    ticks,
)
from companion.league.exchange.registry import laps_of
from companion.league.games import game_of
from companion.league.numbers import HOME, Outing
from companion.league.plain import (
    CarNumbers,
    Entry,
    Path,
    Penalty,
    Race,
    Season,
    drivers_in,
    tidy,
)
from companion.league.report.paper import FIGURES, SHEET, WAITS, fate, penalty_parts, title_of
from companion.league.report.paper import race_title as named_title
from companion.league.results import Score, Trial, classify, score_in, trial_of
from companion.league.standings import Standing, rounds_of, standings
from companion.league.standings import gross as gross_points
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.views.screen import minutes
from companion.views.words import LANGUAGES, Words, words
from companion.views.words import words as say_in
from companion_web.league.doors import LeagueAccess

# -- drawings -------------------------------------------------------------------------------------


KEPT = 64
"""Drawings; a season of thirty races and its own."""
Draws = Callable[..., Response]
_kept: OrderedDict[tuple[object, ...], tuple[bytes, str]] = OrderedDict()


def drawn(access: LeagueAccess) -> Callable[[Draws], Draws]:
    """A view that draws: made once by its address as long as the league stands as it does, and sent
    once more only where it has changed."""

    def keep(draw: Draws) -> Draws:
        @wraps(draw)
        def reply(**asked: str) -> Response:
            version = access.queries.remembered(("drawn",), object)
            key = (version, request.path, request.args.get("size") == "narrow")
            if key not in _kept:
                made = draw(**asked)
                _kept[key] = made.get_data(), made.mimetype or ""
                if len(_kept) > KEPT:
                    _kept.popitem(last=False)
                return looked_at(made)
            content, mimetype = _kept[key]
            return looked_at(Response(content, mimetype=mimetype))

        return reply

    return keep


def looked_at(response: Response) -> Response:
    """A picture that is sent once more only where it has changed."""
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/…/NAME.LANGUAGE.svg` and `.json`."""
    drawings = Blueprint("league_drawings", __name__, url_prefix="/league")

    @drawings.get("/seasons/<key>/progress.<language>.<any(svg, json):kind>")
    @drawn(access)
    def draw_progress(key: str, language: str, kind: str) -> Response:
        season = access.queries.season(key) or abort(404)
        return reply_chart(progress_of(access, season, _say(language)), kind)

    @drawings.get("/races/<key>/<any(positions, gaps):what>.<language>.<any(svg, json):kind>")
    @drawn(access)
    def draw_race(key: str, what: str, language: str, kind: str) -> Response:
        race = access.queries.race(key) or abort(404)
        return reply_chart(race_chart(race, what, _say(language)) or abort(404), kind)

    return drawings


def progress_of(access: LeagueAccess, season: Season, say: Words) -> Chart:
    """The chart of a season: who has most comes first."""
    races = access.queries.races(season=season.key, is_slim=True)
    names = access.queries.names({entry.driver for race in races for entry in race.entries})
    cars = cars_of(access, rounds_of(season, races))
    colors = {names.get(key, key): color for key, (color, _) in cars.items()}
    return progress_chart(gross_points(season, races, names), say, colors=colors)


MOST_LOOKED_AT = 6


def cars_of(access: LeagueAccess, rounds: Sequence[Race]) -> dict[str, tuple[str, int]]:
    """Color and number of each driver's car in the latest race that tells it."""
    driven = [race.id for race in rounds if race.source == "record"][-MOST_LOOKED_AT:]
    return cars_in(access.queries.rounds(driven))


def _say(language: str) -> Words:
    if language not in LANGUAGES:
        abort(404)
    return words(language)


def reply_chart(chart: Chart, kind: str = "svg") -> Response:
    """A chart as a picture; as `json` its lines."""
    if kind == "json":
        return Response(json.dumps(_lines_of(chart)), mimetype="application/json")
    svg = draw_svg(chart, is_narrow=request.args.get("size") == "narrow")
    return Response(svg, mimetype="image/svg+xml")


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


# -- shown ----------------------------------------------------------------------------------------


Names = Mapping[str, str]
__all__ = ["FIGURES", "SHEET", "WAITS", "classify", "color_of", "game_of"]
__all__ += ["minutes", "tidy", "title_of"]
"""What templates take from here besides its own: what is told of a car, and how a time is."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A car in the table of a race: `score` is what it earned in its season, `trial` its time
    trial, with the seconds of penalties where these are trials and no race."""

    entry: Entry
    gained: int | None
    score: Score | None
    trial: Trial | None


def result_rows(race: Race, season: Season | None) -> list[ResultRow]:
    """The result, penalties in it."""
    told = score_in(season, race) if season and race.counts else ()
    scores = {score.entry.seat: score for score in told}
    return [
        ResultRow(
            entry,
            entry.grid - entry.place if entry.grid else None,
            scores.get(entry.seat),
            trial_of(entry, race) if race.is_trials else _driven_trial(entry),
        )
        for entry in classify(race)
    ]


def _driven_trial(entry: Entry) -> Trial | None:
    if entry.trial_score is None or entry.trial_time is None:
        return None
    return Trial(entry.trial_score, entry.trial_time)


def cells(line: Standing, rounds: Sequence[Race]) -> list[list[Score]]:
    """What a driver or a team brought home in each round."""
    return [[score for score in line.scores if score.race == race.id] for race in rounds]


def winner_of(race: Race) -> Entry | None:
    """Who won, penalties considered; in time trials of a season whoever had the best one."""
    return next(iter(classify(race)), None)


def is_measured(race: Race) -> bool:
    """Whether there are figures of the cars."""
    return any("wp" in entry.numbers for entry in race.entries)


def has_waits(race: Race) -> bool:
    """Whether anybody kept anybody waiting, as far as is known."""
    return any("waited" in entry.numbers for entry in race.entries)


def lap_rows(race: Race) -> list[list[tuple[Entry, int]]]:
    """Lap by lap the cars in the order in which they ended it, each with its rolls."""
    laps = groupby(laps_of(race), key=lambda row: row[1]["number"])
    return [[(entry, lap["rolls"]) for entry, lap in rows] for _, rows in laps]


def wear_lost(numbers: Iterable[CarNumbers]) -> dict[str, int]:
    """Wear points lost by category, of several cars together."""
    lost: dict[str, int] = {}
    for one in numbers:
        for name, points in one.get("wp", {}).items():
            lost[name] = lost.get(name, 0) + points
    return lost


def moved(season: Season, rounds: Sequence[Race], lines: Sequence[Standing]) -> dict[str, int]:
    """Places gained since the round before, by key; without those who were not in it yet."""
    last = rounds[-1].round if rounds else None
    before = standings(season, [race for race in rounds if race.round != last])
    return {one.key: one.moved for one in moved_since(before, lines) if one.moved is not None}


@dataclass(frozen=True, slots=True)
class Moved:
    """A line of the standings after something: how many points that has added, and how many places
    it has moved the driver; None: there were no standings before it, or the driver was in none.
    Place 0: the driver is not in them any more."""

    key: str
    place: int
    name: str
    points: float
    added: float
    moved: int | None


def after(season: Season, race: Race, races: Sequence[Race], names: Names) -> list[Moved]:
    """The standings of a season after one of its races, with what that has changed."""
    rounds = rounds_of(season, races)
    until = rounds[: next((n for n, one in enumerate(rounds, 1) if one.id == race.id), 0)]
    before = standings(season, until[:-1], names) if until[1:] else ()
    return moved_since(before, standings(season, until, names))


def moved_since(before: Iterable[Standing], lines: Iterable[Standing]) -> list[Moved]:
    """Standings with what has changed in them."""
    were = {line.key: line for line in before}
    found = []
    for line in lines:
        was = were.get(line.key)
        added = tidy(line.points - (was.points if was else 0))
        place, moved = line.place, was.place - line.place if was else None
        found.append(Moved(line.key, place, line.name, line.points, added, moved))
    return found


def foreseen(access: LeagueAccess, acts: Sequence[Act], by: str, say: Words) -> list[object]:
    """What some acts would change in the standings: of each season that they change its title and
    the lines that are not as they were.

    Raises:
        BadAct: they have no sense.
    """
    then, changed = access.writer.look(*acts, by=by)
    told: list[object] = []
    for key in changed:
        now, later = (_lines_in(view, key) for view in (access.queries, then))
        stay = {line.key for line in later}
        # First: who leaves must not be cut off.
        lines = [
            Moved(one.key, 0, one.name, 0, -one.points, None) for one in now if one.key not in stay
        ]
        lines += [one for one in moved_since(now, later) if one.added or one.moved != 0]
        season = then.season(key) or access.queries.season(key)
        if lines and season is not None:
            lines = lines[:MOST_FORESEEN]
            told.append({"season": title_of(season, say), "lines": list(map(asdict, lines))})
    return told


MOST_FORESEEN = 12


def _lines_in(view: View, key: str) -> list[Standing]:
    season = view.season(key)
    races = view.races(season=key, is_slim=True) if season else []
    return standings(season, races, view.names(drivers_in(races))) if season else []


def race_title(race: Race) -> str:
    """What a race is called everywhere: its board, and the name that somebody gave it."""
    board, own = race.board or race.track, named_title(race)
    title = f"{board} · {own}" if board and own not in (board, race.date) else own
    return title[:1].upper() + title[1:]


SHORT = 3


def short(race: Race) -> str:
    """Three letters of a race's board, for the head of a column.

    >>> short(Race(id="r", name="", date="", game="formula-d", entries=(), board="Le Manège"))
    'Man'
    """
    words = race_title(race).split(" · ")[0].split()
    return max(words, key=len)[:SHORT].title()


def places_text(path: Path, say: Words) -> str:
    """From which places a way leads, such as "1st to 3rd", or "last"."""
    first, last = (
        say("{n}. from the end", n=-n) if n < 0 else f"{n}." for n in (path.first, path.last)
    )
    of_race = f" ({say('every race')})" if path.by == "race" else ""
    return (first if first == last else f"{first} – {last}") + of_race


def penalty_text(penalty: Penalty, language: str, race: Race | None = None) -> str:
    """What a penalty says, part by part; in a race also what of it cannot hold there."""
    return ", ".join(penalty_parts(penalty, say_in(language), race))


def fate_text(entry: Entry, language: str) -> str:
    """What became of a car, where it is not simply home."""
    return fate(entry, say_in(language))


def number(value: float, language: str, form: str = ".1f") -> str:
    """A number with the decimal point of the language; nothing is less than none."""
    told = format(value, form)
    return say_in(language).number(value if float(told) else abs(value), form)


def gross(line: Standing) -> float:
    """Points with those that are dropped, penalties taken off."""
    return tidy(sum(score.points for score in line.scores) - line.penalty)


def gap(line: Standing, lines: Sequence[Standing]) -> float:
    """Points behind the first."""
    return tidy(lines[0].points - line.points)


def look(score: Score) -> str:
    """How the place of a score is marked: won, podium, a status without one; dropped beside it."""
    place = PLACES.get(score.place, "") if score.has_place else ""
    gone = "" if score.is_classified else score.status
    return " ".join(filter(None, (place, gone, "dropped" if score.dropped else "")))


PLACES: Mapping[int, str] = {1: "won", 2: "podium", 3: "podium"}


def mark_of(outing: Outing) -> str:
    """How the place of an outing is marked."""
    return PLACES.get(outing.place, "") if outing.status in HOME else outing.status


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of a drawing of 600 × 190: its points as SVG has them, its lowest and highest, the
    lines of its axis with their values, and how many steps it has."""

    points: str
    lowest: int
    highest: int
    rows: tuple[tuple[float, int], ...]
    steps: int


LEFT, RIGHT, TOP, BOTTOM, FEW_ROWS = 74, 586, 12, 160, 5


def curve_of(values: Sequence[float]) -> Curve | None:
    """A curve of values over races; None of less than two."""
    if len(values) < 2:
        return None
    lowest, highest = min(values), max(values)
    span = (highest - lowest) or 1
    step = (RIGHT - LEFT) / (len(values) - 1)

    def down(value: float) -> float:
        return round(BOTTOM - (value - lowest) / span * (BOTTOM - TOP), 1)

    dots = (f"{LEFT + n * step:.1f},{down(one)}" for n, one in enumerate(values))
    rows = tuple((down(value), value) for value in ticks(lowest, highest, FEW_ROWS))
    return Curve(" ".join(dots), round(lowest), round(highest), rows, len(values))
