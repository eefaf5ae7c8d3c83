"""Reviews of races, and what a season of them comes to: luck, accuracy, standings without luck.

Puzzles out of the reviews of races: decisions to be made again, one of them for each day.

A puzzle is told as it was kept (`companion/study/reviews.py`): cars have numbers, nobody a name.

A race again, answer by answer: what changed on the board, and the sentences to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, abort, json, request, url_for

from companion.league.charts import Chart, expected_chart
from companion.league.games import AnyReplayed, game_of, replay_events
from companion.league.numbers import Review, luck_lines, without_luck
from companion.league.plain import Line, Race, Season
from companion.league.standings import rounds_of, standings
from companion.race.record import RecordError, tracks_of
from companion.rules.board.track import Track
from companion.rules.games import fetch
from companion.views.formula.die import sky_of
from companion.views.formula.views import TIRES
from companion.views.model import Scene, SeatInfo
from companion.views.page import tell
from companion.views.screen import views_of
from companion.views.words import LANGUAGES, Words, corner_name, phrase, wear_word, words
from companion.views.words.refusals import answer_text
from companion_web.league.doors import LeagueAccess
from companion_web.league.drawings import drawn, looked_at, reply_chart, seat_names
from companion_web.league.pages import ROWS_A_PAGE, Page, reply_league
from companion_web.pages import Boards, choose_language

# -- reviews --------------------------------------------------------------------------------------


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

    @reviews.get("/races/<key>/<any(expected, chances):what>.<language>.svg")
    def draw_expected(key: str, what: str, language: str) -> Response:
        race, lines = _record(access, key)
        found = access.review(race.id, lines)
        if found is None or language not in LANGUAGES:
            abort(404)
        return looked_at(reply_chart(_chart(race, found, words(language), what)))

    @reviews.get("/seasons/<key>/luck")
    def show_luck(key: str) -> Response:
        access.catch_up()
        season = access.queries.season(key) or abort(404)
        return reply_league(access, "luck.html", season=season, **_season(access, season))

    return reviews


def _record(access: LeagueAccess, key: str) -> tuple[Race, Sequence[Line]]:
    """A race that was driven at a table, and its record."""
    race = access.queries.race(key) or abort(404)
    lines = access.queries.record(race.id)
    if lines is None or race.remark is not None or not access.reviews:
        abort(404)
    return race, lines


def _names(access: LeagueAccess, race: Race) -> dict[str, str]:
    return access.queries.names({entry.driver for entry in race.entries})


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
    return {**one, **told, "wins": round(100 * one["wins"])}


def _chart(race: Race, review: Review, say: Words, what: str) -> Chart:
    """What was expected of each car after each round: its turns in all, or its chance to win."""
    is_turns = what == "expected"
    label = say("expected turns") if is_turns else say("chance to win, %")
    kept, share = ("curve", 1) if is_turns else ("chances", 100)
    curves = {
        int(seat): {int(number): share * value for number, value in car[kept].items()}
        for seat, car in review["cars"].items()
        if car[kept]
    }
    names, colors = seat_names(race), _colors(race)
    return expected_chart(curves, names, say, label, colors=colors, is_downwards=is_turns)


def _colors(race: Race) -> dict[int, str]:
    return {int(seat): color for seat, color in (race.numbers.get("colors") or {}).items()}


def _season(access: LeagueAccess, season: Season) -> dict[str, object]:
    """The tables of a season; a race that nobody has asked about yet is in none of them."""
    rounds = rounds_of(season, access.queries.races(season=season.key, is_slim=True))
    known = {race.id: access.known_review(race.id) for race in rounds}
    reviews = {race: found for race, found in known.items() if found is not None}
    names = access.queries.names({entry.driver for race in rounds for entry in race.entries})
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


# -- puzzles --------------------------------------------------------------------------------------


QUESTIONS: Final = {
    "gear": phrase("Which gear?"),
    "move": phrase("Which end?"),
    "slipstream": phrase("The slipstream, or not?"),
}
RUINS: Final = 20.0
"""Turns above which an answer as good as puts the car out."""


class Found(NamedTuple):
    """A puzzle, and the race that it is out of."""

    race: Race
    puzzle: Mapping[str, Any]

    @property
    def line(self) -> int:
        """The line of the record at which it was decided: with the race its address."""
        return int(self.puzzle["line"])


def puzzles_blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/puzzles`, a page of each, and what that is made of."""
    puzzles = Blueprint("league_puzzles", __name__)

    @puzzles.get("/league/puzzles")
    def list_puzzles() -> Response:
        access.catch_up()
        page = Page.asked(request)
        races, count = access.queries.latest(first=page.first, most=ROWS_A_PAGE)
        listed = _found(access, races)
        latest = listed if page.number == 1 else _found(access, access.queries.latest()[0])
        today = of_the_day(latest, access.today())
        page = replace(page, rows=count)
        shown = {"listed": listed, "today": today, "page": page}
        return reply_league(access, "puzzles.html", **shown)

    @puzzles.get("/league/puzzles/<race>/<int:line>")
    def show_puzzle(race: str, line: int) -> Response:
        found = _the(access, race, line) or abort(404)
        return reply_league(access, "puzzle.html", found=found)

    @puzzles.get("/api/league/puzzles/<race>/<int:line>.<language>")
    def send_puzzle(race: str, line: int, language: str) -> Response:
        found = _the(access, race, line)
        lines = access.queries.record(race)
        if found is None or lines is None or language not in LANGUAGES:
            abort(404)
        track = tracks_of(lines[0]).load(str(lines[0]["track"]))
        told = told_puzzle(found, track, words(language))
        told["circuit"] = url_for("league_replay.draw_circuit", race=race)
        return Response(json.dumps(told), mimetype="application/json")

    return puzzles


def _found(access: LeagueAccess, races: Sequence[Race]) -> list[Found]:
    """The puzzles of races that were driven and count, as far as they are reviewed."""
    return [
        Found(race, puzzle)
        for race in races
        if race.source == "record" and race.remark is None and race.struck is None
        for puzzle in (access.known_review(race.id) or {}).get("puzzles", ())
    ]


def _the(access: LeagueAccess, key: str, line: int) -> Found | None:
    race = access.queries.race(key)
    found = [] if race is None else _found(access, [race])
    return next((one for one in found if one.line == line), None)


def of_the_day(found: Sequence[Found], day: date) -> Found | None:
    """One for a day, the same for everybody; of races of other days where there are some, so that
    a race that comes in does not change it. None: there is none."""
    earlier = [one for one in found if one.race.date[:10] < day.isoformat()]

    def draw(one: Found) -> bytes:
        return hashlib.sha256(f"{day} {one.race.id} {one.line}".encode()).digest()

    return min(earlier or found, key=draw, default=None)


def told_puzzle(found: Found, track: Track, say: Words) -> dict[str, Any]:
    """A puzzle as its page shows it: the position, the question, each answer with its turns."""
    puzzle = found.puzzle
    answers, seat = puzzle["choices"], puzzle["seat"]
    best = answers[puzzle["best"]]["turns"]
    ends = [
        {"seat": seat, "button": button, "to": one["answer"]["to"], "mark": "choice"}
        for button, one in enumerate(answers, 1)
        if isinstance(one["answer"], dict)
    ]
    return {
        "race": found.race.id,
        "seat": seat,
        "question": say(QUESTIONS[puzzle["kind"]]),
        "facts": _facts(found, track, say),
        "state": puzzle["state"],
        "keyed": ends,
        "choices": [_choice(one["answer"], puzzle["kind"], track, say) for one in answers],
        "costs": [_cost(one["turns"], best, say) for one in answers],
        "best": puzzle["best"] + 1,
        "played": puzzle["played"] + 1,
    }


def _choice(answer: object, kind: str, track: Track, say: Words) -> str:
    text = answer_text(answer, track, say)
    return say("{nth} gear", nth=text) if kind == "gear" else text


def _cost(turns: float, best: float, say: Words) -> str:
    if turns == best:
        return say("{turns} turns to go", turns=say.tenths(turns))
    if turns - best > RUINS:
        return say("puts it as good as out")
    return say("costs {turns} turns", turns=say.tenths(turns - best))


def _facts(found: Found, track: Track, say: Words) -> list[str]:
    """What has to be known beside what is drawn: lap, gear, weather, tires, stops, wear, what was
    rolled."""
    puzzle = found.puzzle
    state = puzzle["state"]
    car = state["cars"][str(puzzle["seat"])]
    lap = min(max(car["lap"], 1), state["laps"])
    facts = [
        say("Car {seat}, lap {lap} of {laps}, in {nth} gear.", seat=puzzle["seat"], lap=lap,
            laps=state["laps"], nth=say.nth(max(car["gear"], 1))),
    ]  # fmt: skip
    rules = found.race.rules
    beside = [sky_of(state["weather"], rules, say), _tires(car, rules, say)]
    facts += [", ".join(filter(None, beside))] if any(beside) else []
    corner = track.corner[track.index[car["space"]]]
    if corner >= 0:
        needed = track.corners[corner].stops
        made = say("stop {made} of {needed}", made=min(car["stops"], needed), needed=needed)
        name = corner_name(track, corner, say)
        facts.append(say("In {corner}: {stops}", corner=name, stops=made) + ".")
    if puzzle["rolled"] is not None:
        rolled = puzzle["rolled"]
        facts.append(say.many("It has {n} space to move.", "It has {n} spaces to move.", rolled))
    facts.append(", ".join(f"{wear_word(name, say)} {left}" for name, left in car["wear"].items()))
    return facts


def _tires(car: Mapping[str, Any], rules: Sequence[str], say: Words) -> str:
    """The tires and their age in laps, where there is a choice of them."""
    if "tires" not in rules:
        return ""
    return say("{tires} lap {n}", tires=say(TIRES[car["tires"]]), n=car["tires_lap"])


# -- replay ---------------------------------------------------------------------------------------


SHOWN = ("seat", "name", "space", "gear", "lap", "status", "wear", "tires", "stops", "place")
"""What a step says of a car, and only of those in which something of it has changed."""
ABOUT = ("phase", "round", "turn", "weather", "raining", "debris")


def replay_blueprint(access: LeagueAccess, boards: Boards) -> Blueprint:
    """`/api/league/races/ID/replay.LANGUAGE` and the drawing of the board it was run on."""
    replay = Blueprint("league_replay", __name__)

    @replay.get("/api/league/races/<race>/replay.<language>")
    @drawn(access)
    def send_steps(race: str, language: str) -> Response:
        played = _replayed(access, race)
        if played is None or language not in LANGUAGES:
            abort(404)
        return Response(json.dumps(steps_of(played, words(language))), mimetype="application/json")

    @replay.get("/league/races/<race>/circuit.svg")
    @drawn(access)
    def draw_circuit(race: str) -> Response:
        played = _replayed(access, race)
        if played is None or played.track is None:
            abort(404)
        return Response(boards.drawing_of(played.track), mimetype="image/svg+xml")

    return replay


def _replayed(access: LeagueAccess, race: str) -> AnyReplayed | None:
    lines = access.queries.record(race)
    try:
        return replay_events(lines) if lines else None
    except RecordError:
        return None


def steps_of(race: AnyReplayed, say: Words) -> dict[str, object]:
    """The race as steps: each has what is new of cars and board, and its sentences.

    A step that is jumped to is all the steps before it laid over one another.
    """
    game, names = fetch(race.game), game_of(race.game).names(race)
    seats = tuple(SeatInfo(seat, name) for seat, name in names.items())
    scene = Scene(0, seats, header=race.header, track=race.track)
    quiet = views_of(scene).story.quiet
    steps = []
    before: Line = {}
    for move in race.moves:
        state = game.tell(move.state)
        events = (event for event in game.public(move.events) if event["event"] not in quiet)
        sentences = [tell(event, scene, say) for event in events]
        told = [{"text": one.text, "rule": one.rule, "seat": one.seat} for one in sentences]
        steps.append({"at": move.at, **_changes(before, state), "told": told})
        before = state
    return {"laps": before.get("laps"), "steps": steps}


def _changes(before: Line, state: Line) -> dict[str, object]:
    """What is new in a STATE: of the cars those that have changed."""
    was, cars = _replay_shown(before), _replay_shown(state)
    changed = {seat: car for seat, car in cars.items() if was.get(seat) != car}
    about = {key: state[key] for key in ABOUT if key in state}
    fresh = {key: value for key, value in about.items() if before.get(key) != value}
    return {"cars": changed, **fresh}


def _replay_shown(state: Line) -> dict[str, dict[str, object]]:
    """What is shown of the cars of a STATE."""
    cars = state.get("cars")
    named = cars.items() if isinstance(cars, dict) else ()
    return {seat: {key: car[key] for key in SHOWN if key in car} for seat, car in named}
