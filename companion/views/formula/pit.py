"""Tires, the stop in the box, its repair, and the bonus of soft tires, on the keys of a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.facts import car_of, full_wear
from companion.views.formula.gear import asked
from companion.views.formula.parts import car_screen
from companion.views.lobby.tables import TIRES_TO_FIT
from companion.views.model import Mark, Scene
from companion.views.seat.core import (
    Choice,
    Screen,
    Talk,
    at,
    in_sight,
    make_key,
    paged,
    remembered,
)
from companion.views.words import fit, phrase, wrap
from companion.views.words.wear import WEAR

SKIES = {
    "fine": phrase("Fine, for good."),
    "variable": phrase("Dry, may change."),
    "variable-rain": phrase("Rain, may change."),
    "rain": phrase("Rain, for good."),
}
"""FD-WEATHER-2, FD-WEATHER-3."""

BACK = {"repair": phrase("Repair what?"), "recover": phrase("Regain what?")}
"""The asks that give points back."""
STOPS = {"tires": phrase("tires"), "technical": phrase("repair")}
STOP_HINTS = {"tires": phrase("and die"), "technical": phrase("no die")}
BONUS = {
    "": phrase("as is"),
    "soft": phrase("soft"),
    "nitro": phrase("nitro"),
    "drift": phrase("drift"),
    "nitro+drift": phrase("nitro+d."),
}
"""What makes a move longer, or shorter, on a key; two lengths may be equal but for it."""


def tires_page(talk: Talk) -> Screen:
    """Hard, soft or rain tires, under the sky that they are chosen for (FD-TIRE-1)."""
    options = list(talk.ask["options"])
    choices = [
        Choice(make_key(talk.say(TIRES_TO_FIT.get(kind, kind))), talk.answer(kind), talk.home())
        for kind in options
    ]
    old = options.index(talk.old) if talk.old in options else None
    weather = str((talk.scene.state or {}).get("weather"))
    lines = (talk.say(SKIES[weather]),) if weather in SKIES else ()
    keys = dict(zip((1, 3, 5), remembered(choices, old), strict=False))
    return Screen(asked(talk, talk.say("Which tires?")), lines, at(keys))


def pit_page(talk: Talk) -> Screen:
    """A stop for tires, with the die, or for a repair, until the next turn (FD-TECH-1)."""
    options = list(talk.ask["options"])
    choices = [
        Choice(
            make_key(talk.say(STOPS.get(stop, stop)), talk.say(STOP_HINTS.get(stop, ""))),
            talk.answer(stop),
            talk.home(),
        )
        for stop in options
    ]
    old = options.index(talk.old) if talk.old in options else None
    keys = dict(zip((1, 3), remembered(choices, old), strict=False))
    left = pool_of(talk.scene, talk.who)
    lines = (talk.say("To repair with: {n}", n=left),) if left else ()
    return Screen(asked(talk, talk.say("Which stop?")), lines, at(keys))


def pool_of(scene: Scene, seat: int) -> int:
    """The points that a car has for repairs: its own, or its team's (FD-TECH-1, FD-TEAM-1)."""
    own = (car_of(scene, seat) or {}).get("pool")
    seats = (scene.header or {}).get("seats", ())
    team = next((entry.get("team") for entry in seats if entry["seat"] == seat), None)
    teams = (scene.state or {}).get("teams", ())
    shared = next((told.get("pool") for told in teams if told["team"] == team), None)
    return int(own or shared or 0)


def length_page(talk: Talk) -> Screen:
    """As rolled, or another length by what may be used (FD-TIRE-3, FD-URBAN-2, FD-DRV-2)."""
    options = list(talk.ask["options"])
    choices = [
        Choice(make_key(str(one["spaces"]), _by(talk, one)), talk.answer(one), talk.home())
        for one in options
    ]
    old = options.index(talk.old) if talk.old in options else None
    keys = paged(talk, in_sight(remembered(choices, old), old))
    return car_screen(talk, talk.who, asked(talk, talk.say("Move how far?")), keys)


def _by(talk: Talk, option: Mapping[str, Any]) -> str:
    """What a length uses: "soft"."""
    by = "+".join(option["by"])
    return talk.say(BONUS.get(by, by))


# -- the repair ------------------------------------------------------------------------------


def repair_page(talk: Talk) -> Screen:
    """Points that come back: a press is a point; a key tells what the category has, of how many.

    The last point sends; fewer are sent by "done" (FD-TECH-1, FD-URBAN-5, FD-CAR-2).
    """
    bounds = talk.ask["options"]
    given = {name: talk.dialog.picked.count(name) for name in bounds["categories"]}
    left = int(bounds["points"]) - sum(given.values())
    choices: dict[int, Choice | None] = {
        button: _point(talk, name, given, left)
        for button, name in enumerate(bounds["categories"], 1)
    }
    if talk.dialog.picked:
        told = {name: n for name, n in given.items() if n}
        choices[6] = Choice(make_key(talk.say("done")), talk.answer(told), talk.home())
    return Screen(
        asked(talk, talk.say(BACK[talk.ask["kind"]])),
        lines=wrap(talk.say.many("{n} point left", "{n} points left", left), 1),
        choices=at(choices),
    )


def _point(talk: Talk, name: str, given: Mapping[str, int], left: int) -> Choice | None:
    """One more point for a category; none where it is full."""
    now = int((car_of(talk.scene, talk.who) or {}).get("wear", {}).get(name, 0)) + given[name]
    full = full_wear(talk.scene, talk.who).get(name, now + 1)
    if now >= full:
        return None
    mark: Mark = "old" if given[name] else ""
    key = make_key(fit(talk.say(WEAR[name]), 7), f"{now}/{full}", mark)
    told = {**given, name: given[name] + 1}
    if left <= 1:
        sent = {other: n for other, n in told.items() if n}
        return Choice(key, talk.answer(sent), talk.home())
    return Choice(key, then=talk.turn_to("points", picked=(*talk.dialog.picked, name)))
