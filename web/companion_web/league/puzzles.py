"""Puzzles out of the reviews of races: decisions to be made again, one of them for each day.

A puzzle is told as it was kept (`companion/reviewing.py`): cars have numbers, nobody a name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, abort, json, request, url_for

from companion.league.plain import Race
from companion.record import tracks_of
from companion.rules.board.track import Track
from companion.views.formula.car import TIRES
from companion.views.formula.weather import sky_of
from companion.views.words import LANGUAGES, Words, phrase, words
from companion.views.words.answers import answer_text
from companion.views.words.places import corner_name
from companion.views.words.wear import wear_word
from companion_web.league.access import LeagueAccess
from companion_web.league.pages import reply_league
from companion_web.league.paging import ROWS_A_PAGE, Page

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


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/puzzles`, a page of each, and what that is made of."""
    puzzles = Blueprint("league_puzzles", __name__)

    @puzzles.get("/league/puzzles")
    def list_puzzles() -> Response:
        access.catch_up()
        page = Page.asked(request)
        races, count = access.book.latest(first=page.first, most=ROWS_A_PAGE)
        listed = _found(access, races)
        latest = listed if page.number == 1 else _found(access, access.book.latest()[0])
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
    race = access.race(key)
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
