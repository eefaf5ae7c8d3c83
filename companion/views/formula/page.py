"""What the page and a phone have of a Formula race beside what all games have in common.

`/api/table` says who is where, with what left, in words. A phone has room for the race around a
car, in parts that can be set large, and for the finish with every car and how its race ended. The
story has the sentences of all chapters, and what they may name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.rules.board.track import Track
from companion.rules.formula.book import tell_wear
from companion.rules.formula.car import Car, Status
from companion.rules.formula.moves import held_by
from companion.rules.formula.order import classification, points_for, rank_teams, was_driven
from companion.rules.formula.referee import has_signal, parse_agreed
from companion.rules.formula.state import Phase, State
from companion.views import screen
from companion.views.formula import die, menu, parts, pit, report, street, turn
from companion.views.formula.street import left_to_use, trial_words
from companion.views.formula.turn import last_die, last_throw
from companion.views.lobby import in_all
from companion.views.model import JSON, Scene
from companion.views.options import car_word, color_of
from companion.views.words import (
    LANGUAGES,
    Words,
    before_corner,
    corner_name,
    phrase,
    place_name,
    range_text,
    wear_word,
    words,
)

# -- what everybody may see -----------------------------------------------------------------------


def of_table(scene: Scene) -> dict[str, object]:
    """What the page needs of a race on a board: its name, and the order on the road."""
    board, race = screen.board_of(scene), parts.race_of(scene)
    return {
        "title": board.name if board else None,
        "running": parts.running_order(scene),
        "next": parts.next_to_play(scene),
        "last": screen.alone_in(scene),
        "driven": race is None or was_driven(race),
        "die": last_die(scene),
        "thrown": last_throw(scene),
        "fastest": _fastest(scene),
        "watch": scene.watch,
        "flags": _flags(scene),
        "weather_table": parts.weather_lines(scene) or None,
    }


def _fastest(scene: Scene) -> dict[str, int] | None:
    """Who has driven a lap in the fewest turns so far; None: nobody has driven one."""
    lap = scene.fastest
    return dict(zip(("seat", "lap", "turns"), lap, strict=True)) if lap else None


def _flags(scene: Scene) -> list[str]:
    """What a referee may give here: flags for time and errors, the bell."""
    race = parts.race_of(scene)
    if race is None:
        return []
    setup = race.setup
    has = {
        "time": setup.house.turn_late != "show",
        "error": setup.house.error_flags == "on",
        **{why: has_signal(setup, why) for why in ("placing", "black")},
        "bell": setup.house.race_time != "none" and setup.house.time_up == "last-lap",
    }
    return [name for name, falls in has.items() if falls]


def of_seat(scene: Scene, seat: int) -> dict[str, object]:
    """A car's standing in words."""
    return {
        "place": parts.place_of(scene, seat),
        "gap": parts.gaps(scene).get(seat),
        "full": parts.full_wear(scene, seat),
        "where": _each(lambda say: _where(scene, seat, say)),
        "corner": _corner(scene, seat),
        "preset": seat in scene.preset,
        "team": _team(scene, seat),
        "driver": _driver(scene, seat),
        "left": _each(lambda say: left_to_use(scene, seat, say)),
        "why_out": _why_out(scene, seat),
        "trial": _trial(scene, seat),
    }


def _each(text: Callable[[Words], object]) -> dict[str, object]:
    return {code: text(words(code)) for code in LANGUAGES}


def _where(scene: Scene, seat: int, say: Words) -> str | None:
    """The name of the space a car stands on, as anybody calls it; None off the board."""
    track, car = scene.track, parts.car_of(scene, seat)
    if track is None or car is None or car.space is None:
        return None
    return place_name(track, car.space, say)


def _corner(scene: Scene, seat: int) -> dict[str, object] | None:
    corner, board = parts.next_corner(scene, seat), screen.board_of(scene)
    if corner is None or board is None:
        return None
    names = _each(lambda say: corner_name(board, corner.corner, say))
    view = {"name": names, "made": corner.made, "needed": corner.needed, "inside": corner.inside}
    printed = board.corners[corner.corner]
    ways = {"shortest": printed.shortest, "longest": printed.longest}
    return view | ways if board.is_blank else view


def _team(scene: Scene, seat: int) -> dict[str, object] | None:
    """The team of a car; None where teams are not played."""
    car = parts.car_of(scene, seat)
    if car is None or car.team is None or "teams" not in parts.rules_of(scene):
        return None
    return _each(lambda say: car_word(say, "team", car.team))


def _driver(scene: Scene, seat: int) -> dict[str, object] | None:
    driver = parts.driver_info(scene, seat)
    return None if driver is None else {"name": driver.name, "says": in_all(driver.says)}


def _trial(scene: Scene, seat: int) -> dict[str, object] | None:
    """How the trial of a car went, until the race begins; None: it did not."""
    race, car = parts.race_of(scene), parts.car_of(scene, seat)
    if race is None or car is None or race.phase not in (Phase.SETUP, Phase.TRIALS):
        return None
    texts = _each(lambda say: trial_words(car, say))
    return texts if any(texts.values()) else None


def _why_out(scene: Scene, seat: int) -> dict[str, str] | None:
    """Why a car is out; None: it is not, or that is the referee's own."""
    car = parts.car_of(scene, seat)
    why = parts.why_out(car.out.why, car.out.rule) if car and car.out else ""
    return dict(in_all(why)) if why else None


def summary(state: object) -> tuple[str, dict[int, str]]:
    """Where the race is, and where every car."""
    assert isinstance(state, State), "no Formula race"
    track, names, lines = state.setup.track, state.setup.edition.categories, {}
    for seat, car in state.cars.items():
        wear = " ".join(f"{name} {left}" for name, left in tell_wear(car.wear, names).items())
        where = car.status if car.space is None else track.ids[car.space]
        lines[seat] = f"{car.name:<20} lap {car.lap}  {where:<8} {wear}"
    return f"{state.phase}, round {state.round}", lines


# -- what a phone has room for --------------------------------------------------------------------


def around_car(talk: screen.Talk, page: screen.Screen) -> JSON | None:
    """Who plays, the next corner, who is near: of a page with the seat's car; None of any other.

    `rest` are the lines of the page that are not told by these.
    """
    seat = talk.who or talk.seat
    # It is the pips that tell a page with the seat's car from any other.
    car = parts.car_of(talk.scene, seat)
    if parts.race_of(talk.scene) is None or car is None or not page.pips:
        return None
    # Of a car that is out or home the page says that first, in its own color.
    mover = seat if car.status in parts.GONE else screen.mover_of(talk.scene)
    around = set(parts.around(talk, seat))
    lines = page.lines if page.tells is None else page.tells
    return {
        "playing": mover and {"seat": mover, "color": color_of(talk.scene, mover)},
        "corner": _phone_corner(talk, seat),
        "near": _near(talk, seat),
        "rest": [line for line in lines if line and line not in around],
    }


def _phone_corner(talk: screen.Talk, seat: int) -> JSON | None:
    """The corner that matters now: its name, stops made and needed, how far and how long it is."""
    corner, car = parts.next_corner(talk.scene, seat), parts.car_of(talk.scene, seat)
    track = talk.scene.track
    if corner is None or car is None or track is None or car.space is None:
        return None
    number, made, needed, inside = corner
    away = 0 if inside else before_corner(track, car.space)
    if inside and made == needed:  # what decides the next gear lies behind it
        number, away = _following(track, car.space)
        made, needed, inside = 0, track.corners[number].stops, False
    printed = track.corners[number]
    stops = (
        talk.say("stop {made} of {needed}", made=made, needed=needed)
        if inside
        else talk.say.many("{n} stop", "{n} stops", needed)
    )
    ways = talk.say(
        "{shortest} to {longest} long", shortest=printed.shortest, longest=printed.longest
    )
    far = talk.say.many("{n} space away", "{n} spaces away", away)
    return {
        "name": corner_name(track, number, talk.say),
        "stops": stops,
        "made": made,
        "needed": needed,
        "inside": inside,
        "says": ways if inside else f"{far} · {ways}",
        "away": away,
        "longest": _longest(talk, seat, away) or (None if inside else printed.longest),
    }


def _longest(talk: screen.Talk, seat: int, away: int) -> int:
    """How far into the corner a car may come from where it is; 0 where it cannot, or where that is
    not told."""
    held = None if talk.scene.advise is None else held_by(parts.the_race(talk.scene), seat)
    return max(0, max(held) - away) if held else 0


def _following(track: Track, space: int) -> tuple[int, int]:
    """The corner behind the one that a space is in, and how many spaces lie before it."""
    here, reached, away = track.corner[space], {space}, 0
    while not (found := [s for s in reached if track.corner[s] not in (-1, here)]):
        reached, away = {onward for s in reached for onward in track.nexts[s]}, away + 1
    return track.corner[found[0]], away


AHEAD, BEHIND, LEVEL = phrase("{n} ahead"), phrase("{n} behind"), phrase("level")


def _near(talk: screen.Talk, seat: int) -> list[JSON]:
    """The next car ahead and the next behind."""
    return [
        {
            "seat": one.seat,
            "name": talk.name_of(one.seat),
            "color": color_of(talk.scene, one.seat),
            "gap": talk.say(pattern if one.gap else LEVEL, n=abs(one.gap)),
        }
        for one, pattern in zip(parts.neighbours(talk.scene, seat), (AHEAD, BEHIND), strict=True)
        if one is not None
    ]


def finish_of(talk: screen.Talk) -> JSON:
    """The classification with how each car's race ended, and the teams (FD-END-2, FD-TEAM-1)."""
    race = parts.the_race(talk.scene)
    cars = classification(race)
    with_teams = any(car.team for car in cars)
    return {
        "race": talk.scene.race if was_driven(race) else None,  # else no league has it
        "rows": [_row(talk, place, car) for place, car in enumerate(cars, 1)],
        "teams": [
            {"place": team.place, "name": car_word(talk.say, "team", team.team),
             "points": team.points}
            for team in (rank_teams(race) if with_teams else ())
        ],
    }  # fmt: skip


def _row(talk: screen.Talk, place: int, car: Car) -> JSON:
    return {
        "place": place,
        "seat": car.seat,
        "name": car.name,
        "color": color_of(talk.scene, car.seat),
        "out": car.status is Status.OUT,
        "says": _ending(talk, car),
        "points": points_for(parts.the_race(talk.scene), place, car),
    }


def _ending(talk: screen.Talk, car: Car) -> str:
    """How the race of a car ended, in words; "" of one that came home."""
    if car.status is Status.FINISHED:
        return ""
    if car.out is None:
        return talk.say("classified as it stood")
    why = parts.why_out(car.out.why, car.out.rule)
    why = talk.say(why) if why else ""
    # In French both words are "abandon" where a player has retired.
    return ", ".join(dict.fromkeys(filter(None, (talk.say("out"), why, car.out.rule))))


# -- the story ------------------------------------------------------------------------------------


QUIET = frozenset({"TurnBegan", "TurnEnded", "RoundEnded"})
"""Events that have a sentence but no place among the last ones: the next says it all."""

CHAPTERS = (turn, die, pit, street, report)


def _taken(event: screen.Event) -> str:
    """Whether what was taken back are the answers of one seat, of which each has a word."""
    taken = event.get("taken") or ()
    of_one = len({seat for seat, _ in taken}) == 1 and len(taken) == event.get("answers")
    return "own" if of_one and all(kind in parts.WORDS["taken"] for _, kind in taken) else ""


def _space(event: screen.Event) -> str:
    return "" if event.get("space") else "somewhere"


def _agreed(event: screen.Event) -> str:
    return "agreed" if parse_agreed(str(event.get("reason"))) else ""


def _pack(event: screen.Event) -> str:
    return "pack" if event.get("pack") else ""


def _flag(event: screen.Event) -> str:
    if event.get("out"):
        return "out"
    return "error" if event.get("why") == "error" else ""


OUTCOMES: screen.Outcomes = {
    **{name: read for chapter in CHAPTERS for name, read in chapter.OUTCOMES.items()},
    "Corrected": _agreed,
    "DebrisLaid": _space,
    "RaceSet": _pack,
    "Returned": _space,
    "Joined": _space,
    "Flagged": _flag,
    "TakenBack": _taken,
}  # fmt: skip

OUR_REASONS = (menu.RETIRED, phrase("too slow"))
"""Reasons that the companion itself writes into a record, where they are English."""


def _parts(event: screen.Event, scene: Scene, say: Words) -> dict[str, object]:
    def name(seat: int) -> str:
        return parts.name_of(scene, seat) if seat else say("the table")

    taken = event.get("taken") or ()
    why, reason = str(event.get("why", "")), str(event.get("reason") or "")
    told, known = parts.why_out(why, event.get("rule")), parts.WORDS["taken"]
    space = event.get("to") or event.get("space") or parse_agreed(reason) or ""
    return {key: value for key, value in event.items() if key != "seat"} | {
        "name": name(event.get("seat") or (taken[0][0] if taken else 0)),
        "taken": ", ".join(say(known[kind]) for _, kind in taken if kind in known),
        "other": name(event.get("against") or event.get("behind") or 0),
        "names": ", ".join(map(name, event.get("order") or event.get("seats") or ())),
        "roll": _roll(event),
        "place": _place(scene, space, say),
        "reason": say(reason) if reason in OUR_REASONS else reason,
        "position": event.get("place"),
        "corner": _story_corner(scene, event.get("corner", ""), say),
        "cost": _points(event, "cost", "−", say),
        "gain": _points(event, "gain", "+", say),
        "lap_told": _lap(event, scene, say),
        "why": say(told) if told else why,
    }


def _lap(event: screen.Event, scene: Scene, say: Words) -> str:
    """The lap that begins at the line: none behind the last one, nor in a trial."""
    race, lap = parts.race_of(scene), int(event.get("lap") or 0)
    laps = race.setup.laps if race else lap
    if race is None or lap > laps or race.phase is Phase.TRIALS:
        return ""
    return say(": lap {lap} of {laps}", lap=max(lap, 1), laps=laps)


def _roll(event: screen.Event) -> str:
    roll = event.get("roll")
    return range_text(roll) if isinstance(roll, list | tuple) else str(roll)


def _place(scene: Scene, space: str, say: Words) -> str:
    track = scene.track
    known = track is not None and space in track.index
    return place_name(track, track.index[space], say) if track and known else space


def _story_corner(scene: Scene, corner: str, say: Words) -> str:
    """A corner by the name that people know: an event may have its label, T5."""
    track = screen.board_of(scene)
    labels = [each.label for each in track.corners] if track else []
    if track is None or corner not in labels:
        return corner
    return corner_name(track, labels.index(corner), say)


def _points(event: screen.Event, key: str, sign: str, say: Words) -> str:
    points = event.get(key) or {}
    text = ", ".join(f"{wear_word(name, say)} {sign}{n}" for name, n in points.items() if n)
    return f" ({text})" if text else ""


BOOKS = frozenset({
    "GearEngaged", "DieRolled", "Moved", "LineCrossed", "RoundBegan", "LengthChosen", "DebrisLaid",
    "SlipstreamDeclined", "RollHeld", "Reported", "GridRolled", "DebrisTaken",
})  # fmt: skip
HEARD = frozenset({"StopMade", "StartRolled"})

STORY = screen.Story(Path(__file__).with_name("story.toml"), OUTCOMES, _parts, QUIET, BOOKS, HEARD)
