"""What a phone has room for beside the page of the small screen: the race around a car in parts
that can be set large, and the finish with every car and how its race ended."""

from __future__ import annotations

from companion.rules.formula.car import Car, Status
from companion.rules.formula.order import classification
from companion.rules.formula.teams import points_for, rank_teams
from companion.views.colors import color_of
from companion.views.facts import mover_of
from companion.views.formula.facts import (
    car_of,
    name_of,
    neighbours,
    next_corner,
    race_of,
    the_race,
)
from companion.views.formula.parts import around
from companion.views.formula.story import WHY_OUT
from companion.views.lobby.options import car_word
from companion.views.model import JSON
from companion.views.seat.core import Screen, Talk
from companion.views.words import phrase
from companion.views.words.places import before_corner, corner_name

AHEAD, BEHIND = phrase("{n} ahead"), phrase("{n} behind")


def around_car(talk: Talk, page: Screen) -> JSON | None:
    """Who plays, the next corner, who is near: of a page with the seat's car; None of any other.

    `rest` are the lines of the page that are not told by these.
    """
    seat = talk.who or talk.seat
    if race_of(talk.scene) is None or car_of(talk.scene, seat) is None or not page.pips:
        return None
    mover, told = mover_of(talk.scene), set(around(talk, seat))
    lines = page.lines if page.tells is None else page.tells
    return {
        "playing": mover and {"seat": mover, "color": color_of(talk.scene, mover)},
        "corner": _corner(talk, seat),
        "near": _near(talk, seat),
        "rest": [line for line in lines if line and line not in told],
    }


def _corner(talk: Talk, seat: int) -> JSON | None:
    """The corner that matters now: its name, stops made and needed, how far and how long it is."""
    corner, car = next_corner(talk.scene, seat), car_of(talk.scene, seat)
    track = talk.scene.track
    if corner is None or car is None or track is None or car.space is None:
        return None
    printed = track.corners[corner.corner]
    stops = (
        talk.say("stop {made} of {needed}", made=corner.made, needed=corner.needed)
        if corner.inside
        else talk.say.many("{n} stop", "{n} stops", corner.needed)
    )
    ways = talk.say(
        "{shortest} to {longest} spaces long", shortest=printed.shortest, longest=printed.longest
    )
    away = talk.say.many(
        "{n} space before it", "{n} spaces before it", before_corner(track, car.space)
    )
    return {
        "name": corner_name(track, corner.corner, talk.say),
        "stops": stops,
        "made": corner.made,
        "needed": corner.needed,
        "inside": corner.inside,
        "says": ways if corner.inside else f"{away}, {ways}",
    }


def _near(talk: Talk, seat: int) -> list[JSON]:
    """The next car ahead and the next behind."""
    return [
        {
            "seat": one.seat,
            "name": name_of(talk.scene, one.seat),
            "color": color_of(talk.scene, one.seat),
            "gap": talk.say(pattern, n=abs(one.gap)),
        }
        for one, pattern in zip(neighbours(talk.scene, seat), (AHEAD, BEHIND), strict=True)
        if one is not None
    ]


def finish_of(talk: Talk) -> JSON:
    """The classification with how each car's race ended, and the teams (FD-END-2, FD-TEAM-1)."""
    race = the_race(talk.scene)
    cars = classification(race)
    with_teams = any(car.team for car in cars)
    return {
        "race": talk.scene.race,
        "rows": [_row(talk, place, car) for place, car in enumerate(cars, 1)],
        "teams": [
            {"place": team.place, "name": car_word(talk.say, "team", team.team),
             "points": team.points}
            for team in (rank_teams(race) if with_teams else ())
        ],
    }  # fmt: skip


def _row(talk: Talk, place: int, car: Car) -> JSON:
    return {
        "place": place,
        "seat": car.seat,
        "name": car.name,
        "color": color_of(talk.scene, car.seat),
        "out": car.status is Status.OUT,
        "says": _ending(talk, car),
        "points": points_for(the_race(talk.scene), place, car),
    }


def _ending(talk: Talk, car: Car) -> str:
    """How the race of a car ended, in words; "" of one that came home."""
    if car.status is Status.FINISHED:
        return ""
    if car.out is None:
        return talk.say("classified as it stood")
    why = talk.say(WHY_OUT[car.out.why]) if car.out.why in WHY_OUT else ""
    return ", ".join(filter(None, (talk.say("out"), why, car.out.rule)))
