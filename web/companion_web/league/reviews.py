"""Reviews of races, and what a season of them comes to: luck, accuracy, standings without luck.

The coach: each mistake of a race is made again on the board as it stood, and then told with both
ways, their odds, and why. It was kept with the review (`companion/study/reviews.py`).

A race again, answer by answer: what changed on the board, and the sentences to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, abort, json, redirect, request, url_for

from companion.league.charts import Chart, expected_chart, seat_colors, seat_names
from companion.league.games import AnyReplayed, game_of, replay_events
from companion.league.luck import Review, luck_lines, without_luck
from companion.league.plain import Line, Race, Season
from companion.league.standings import rounds_of, standings
from companion.race.record import RecordError, header_of, replay, tracks_of
from companion.rules.board.track import Track
from companion.rules.games import fetch
from companion.views.formula.parts import sky_of
from companion.views.formula.views import TIRES
from companion.views.model import Scene, SeatInfo
from companion.views.page import tell
from companion.views.screen import views_of
from companion.views.words import LANGUAGES, Words, corner_name, phrase, wear_word, words
from companion.views.words.refusals import answer_text
from companion_web.league.doors import LeagueAccess
from companion_web.league.drawings import drawn, looked_at, reply_chart
from companion_web.league.pages import reply_league
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
    """The cars in the order of the result, their mistakes in words."""
    track = tracks_of(lines[0]).load(str(lines[0]["track"]))
    cars = []
    for entry in sorted(race.entries, key=lambda entry: entry.place):
        car = review["cars"].get(str(entry.seat))
        if car is not None and car["start"] is not None:
            mistakes = [_told(one, track, say) for one in car["mistakes"]]
            rolls = [one for one in car["rolls"] if abs(one["luck"]) >= WORTH_TELLING]
            counts = Counter(one["grade"] for one in car["mistakes"])
            cars.append(
                {"entry": entry, **car, "mistakes": mistakes, "rolls": rolls, "counts": counts}
            )
    return {"cars": cars, "GRADES": GRADES}


WORTH_TELLING: Final = 0.05
"""Turns below which a roll was neither lucky nor unlucky."""


def _told(one: Mapping[str, Any], track: Track, say: Words) -> dict[str, Any]:
    """A mistake in a line; what would have been better is for who looks for it."""
    played = _choice(one["choices"][one["played"]]["answer"], one["kind"], track, say)
    return {**one, "played": played, "wins": round(100 * one["wins"])}


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
    names, colors = seat_names(race), seat_colors(race)
    return expected_chart(curves, names, say, label, colors=colors, is_downwards=is_turns)


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


# -- the coach ------------------------------------------------------------------------------------


QUESTIONS: Final = {
    "gear": phrase("Which gear?"),
    "move": phrase("Which end?"),
    "slipstream": phrase("The slipstream, or not?"),
    "length": phrase("How far?"),
    "tires": phrase("Which tires?"),
}
GRADES: Final = {
    "inaccuracy": phrase("inaccuracy"),
    "mistake": phrase("mistake"),
    "blunder": phrase("blunder"),
}
FATES: Final = {
    "over": phrase("{n} too far"),
    "spin": phrase("{n} spin"),
    "out": phrase("{n} out"),
}
WHY: Final = {
    "gone": phrase("It puts the car out at once."),
    "spun": phrase("It spins the car."),
    "out": phrase("{gear}: {n} of {of} faces put the car out."),
    "spin": phrase("{gear}: {n} of {of} faces spin the car."),
    "misses": phrase("{gear}: {n} of {of} faces miss the {nth} stop of {corner}."),
    "misses one": phrase("{gear}: {n} of {of} faces miss the stop of {corner}."),
    "stops": phrase("{gear}: {n} of {of} faces can end in {corner} and cost nothing."),
    "short": phrase("{gear}: {n} spaces farther on average, and {clean} of {of} faces are clean."),
    "worth": phrase("{gear}: {n} spaces farther on average, which is worth what it may cost."),
    "later": phrase("The next roll is as good; what it costs comes later."),
}
"""Why an answer was worse, by the key of its reason (`companion/advice/review.py`)."""


class Mistake(NamedTuple):
    """A mistake of a race that was reviewed: who made it, and what is kept of it."""

    race: Race
    lines: Sequence[Line]
    seat: int
    kept: Mapping[str, Any]

    @property
    def track(self) -> Track:
        """The board that the record carries."""
        return tracks_of(self.lines[0]).load(str(self.lines[0]["track"]))

    @property
    def answers(self) -> list[object]:
        """What was played, and what would have been best."""
        choices = self.kept["choices"]
        return [choices[self.kept[which]]["answer"] for which in ("played", "best")]


def coach_blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/races/ID/coach/LINE`, a mistake to be made again, and what that is made of."""
    coach = Blueprint("league_coach", __name__)

    @coach.get("/league/races/<key>/coach/<int:line>")
    def show_mistake(key: str, line: int) -> Response:
        found = _mistake(access, key, line)
        mine = [one["line"] for one in _mistakes(access, key).get(found.seat, ())]
        after = next((other for other in mine if other > line), None)
        names = {one.seat: one.name for one in found.race.entries}
        name = names.get(found.seat) or abort(404)  # an amended result may be without this car
        about = {"after": after, "name": name, "grades": GRADES}
        return reply_league(access, "coach.html", found=found, **about)

    @coach.get("/api/league/races/<key>/coach/<int:line>.<language>")
    def send_mistake(key: str, line: int, language: str) -> Response:
        found = _mistake(access, key, line)
        if language not in LANGUAGES:
            abort(404)
        told = told_mistake(found, words(language))
        told["circuit"] = url_for("league_replay.draw_circuit", race=key)
        return Response(json.dumps(told), mimetype="application/json")

    @coach.get("/api/league/races/<key>/what-if/<int:line>.<language>")
    def send_what_if(key: str, line: int, language: str) -> Response:
        found = _mistake(access, key, line)
        if language not in LANGUAGES or access.reviews is None:
            abort(404)
        driven = access.reviews.what_if(key, found.lines, line, found.answers)
        ways = () if driven is None else driven["ways"]
        told = [_driven(one, words(language)) for one in ways]
        body = json.dumps({"ready": driven is not None, "ways": told})
        return Response(body, mimetype="application/json")

    @coach.get("/league/puzzles")
    def lead_to_latest() -> Response:
        races, _ = access.queries.latest()
        known = [race.id for race in races if _mistakes(access, race.id)]
        # Another race tomorrow: no browser is to remember it.
        if not known:
            return _lead("league.show_league", HTTPStatus.FOUND)
        return _lead("league_reviews.show_review", HTTPStatus.FOUND, key=known[0])

    @coach.get("/league/puzzles/<key>/<int:line>")
    def lead_to_mistake(key: str, line: int) -> Response:
        return _lead("league_coach.show_mistake", key=key, line=line)

    @coach.get("/api/league/puzzles/<key>/<int:line>.<language>")
    def lead_to_told(key: str, line: int, language: str) -> Response:
        return _lead("league_coach.send_mistake", key=key, line=line, language=language)

    return coach


def _lead(
    endpoint: str, status: HTTPStatus = HTTPStatus.MOVED_PERMANENTLY, **values: Any
) -> Response:
    """Where the puzzles of older versions are found now."""
    response = redirect(url_for(endpoint, **values), status)
    assert isinstance(response, Response)
    return response


def _mistakes(access: LeagueAccess, key: str) -> dict[int, Sequence[Mapping[str, Any]]]:
    """The mistakes of a race by the seat, as far as it is reviewed."""
    cars = (access.known_review(key) or {}).get("cars", {})
    return {int(seat): car["mistakes"] for seat, car in cars.items() if car["mistakes"]}


def _mistake(access: LeagueAccess, key: str, line: int) -> Mistake:
    """The mistake at a line of a record; 404 where there is none."""
    race, lines = _record(access, key)
    made = ((seat, one) for seat, some in _mistakes(access, key).items() for one in some)
    found = next(((seat, one) for seat, one in made if one["line"] == line), None)
    return Mistake(race, lines, *(found or abort(404)))


def told_mistake(found: Mistake, say: Words) -> dict[str, Any]:
    """A mistake as its page shows it: the board as it stood, the answers, what both come to."""
    kept, seat, track = found.kept, found.seat, found.track
    engine, answers = replay(found.lines[: kept["line"] - 1]), kept["choices"]
    state: Any = engine.state()
    least = answers[kept["best"]]["turns"]
    ends = [
        {"seat": seat, "button": button, "to": one["answer"]["to"], "mark": "choice"}
        for button, one in enumerate(answers, 1)
        if isinstance(one["answer"], dict) and "to" in one["answer"]
    ]
    return {
        "race": found.race.id,
        "seat": seat,
        "question": say(QUESTIONS[kept["kind"]]),
        "facts": _facts(found, state, track, say),
        "state": state,
        "keyed": ends,
        "choices": [_choice(one["answer"], kept["kind"], track, say) for one in answers],
        "costs": [_cost(one["turns"], least, say) for one in answers],
        "best": kept["best"] + 1,
        "played": kept["played"] + 1,
        "why": _why(kept, track, say),
        "rolls": [_roll(kept, which, say) for which in (0, 1)],
        "header": _header(found, state),
    }


def _header(found: Mistake, state: object) -> dict[str, object]:
    """The race from here on, as a table takes it: bots in all cars but the one."""
    header = header_of(found.lines[0])
    seats: Any = header["seats"]
    people = ({key: value for key, value in one.items() if key != "bot"} for one in seats)
    driven = [one if one["seat"] == found.seat else {**one, "bot": "amateur"} for one in people]
    return {**header, "seats": driven, "position": state}


def _gear(kept: Mapping[str, Any], gear: int, say: Words) -> str:
    """A gear as the head of a sentence: the one that was asked for, or the next one."""
    nth = say.nth(gear)
    return nth if kept["kind"] == "gear" else say("Then {nth}", nth=nth)


def _why(kept: Mapping[str, Any], track: Track, say: Words) -> str:
    """Why what was played was worse, in one sentence."""
    why = kept["why"] or {"key": "later", "gear": 0, "corner": -1, "n": 0, "of": 0}
    key, n, corner = why["key"], why["n"], why["corner"]
    if key == "costs":
        return say.many("It costs {n} point more.", "It costs {n} points more.", n)
    if key == "behind":
        return say.many("The better end lies {n} space farther on.",
            "The better end lies {n} spaces farther on.", n)  # fmt: skip
    gear, stops = _gear(kept, why["gear"], say), track.corners[corner].stops
    if key == "over-rev":
        return say.many("{gear}: the way down costs {n} point more.",
            "{gear}: the way down costs {n} points more.", n, gear=gear)  # fmt: skip
    had, roll = (one or {"clean": 0, "faces": 1} for one in kept["rolls"])
    # A face that goes too far may be worth it, and then is no reason why.
    if key == "short" and roll["clean"] * had["faces"] < had["clean"] * roll["faces"]:
        key = "worth"
    return say(
        WHY["misses one" if key == "misses" and stops == 1 else key],
        gear=gear,
        n=n if isinstance(n, int) else say.tenths(n),
        of=why["of"] or roll["faces"],
        clean=roll["clean"],
        nth=say.nth(stops),
        corner=corner_name(track, corner, say),
    )


def _roll(kept: Mapping[str, Any], which: int, say: Words) -> dict[str, Any] | None:
    """The faces of the next roll by what they come to, of what was played (0) or the best (1)."""
    roll = kept["rolls"][which]
    if roll is None:
        return None
    gear = _gear(kept, roll["gear"], say)
    told = say("{gear}: {clean} of {faces} faces clean", **{**roll, "gear": gear})
    rest = [say(text, n=roll[key]) for key, text in FATES.items() if roll[key]]
    return {**roll, "text": ", ".join([told, *rest])}


def _driven(one: Mapping[str, float], say: Words) -> str:
    """What came of the races that were driven on after an answer."""
    return say(
        "place {place} on average, {wins} wins and {out} times out in {races} races",
        place=say.tenths(one["place"]), wins=one["wins"], out=one["out"], races=one["races"],
    )  # fmt: skip


def _choice(answer: object, kind: str, track: Track, say: Words) -> str:
    text = answer_text(answer, track, say)
    return say("{nth} gear", nth=text) if kind == "gear" else text


def _cost(turns: float, best: float, say: Words) -> str:
    if turns == best:
        return say("{turns} turns to go", turns=say.tenths(turns))
    return say("costs {turns} turns", turns=say.tenths(turns - best))


def _facts(found: Mistake, state: Any, track: Track, say: Words) -> list[str]:
    """What has to be known beside what is drawn: lap, gear, weather, tires, stops, wear, what was
    rolled."""
    car, rolled = state["cars"][str(found.seat)], found.kept["rolled"]
    lap = min(max(car["lap"], 1), state["laps"])
    facts = [
        say("Car {seat}, lap {lap} of {laps}, in {nth} gear.", seat=found.seat, lap=lap,
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
    if rolled is not None:
        facts.append(say.many("It has {n} space to move.", "It has {n} spaces to move.", rolled))
    facts.append(", ".join(f"{wear_word(name, say)} {left}" for name, left in car["wear"].items()))
    return facts


def _tires(car: Mapping[str, Any], rules: Sequence[str], say: Words) -> str:
    """The tires and their age in laps, where there is a choice of them."""
    if "tires" not in rules:
        return ""
    return say("{tires} lap {n}", tires=say(TIRES[car["tires"]][0]), n=car["tires_lap"])


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
