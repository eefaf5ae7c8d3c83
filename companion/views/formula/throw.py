"""A die that the companion throws: its seat only says when, with any button."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.formula.asks import BlackAsk, RollAsk
from companion.views.facts import is_thrown_for
from companion.views.formula.facts import car_of
from companion.views.formula.parts import car_screen
from companion.views.games import Event
from companion.views.model import Scene
from companion.views.seat.core import Screen, Talk, any_button
from companion.views.words import range_text

DICE = (RollAsk, BlackAsk)


def is_thrown(talk: Talk) -> bool:
    """Whether the ask at hand is a die of the companion's."""
    return isinstance(talk.ask, DICE) and is_thrown_for(talk.scene, talk.who)


def throw_page(talk: Talk, title: str, asks: str = "") -> Screen:
    """Any button throws; what would be answered the companion puts in."""
    choices = any_button(talk.home(), talk.answer(None))
    page = car_screen(
        talk, talk.who, title, choices, (talk.say("Any button throws the die."),), asks=asks
    )
    return replace(page, go=talk.say("Tap to throw"))


def thrown_die(talk: Talk) -> dict[str, object] | None:
    """The die that a tap throws now: its gear, None for the black die; None: a tap throws none."""
    if not is_thrown(talk) or talk.dialog.page:
        return None
    car = car_of(talk.scene, talk.who)
    return {"gear": max(1, car.gear) if car and isinstance(talk.ask, RollAsk) else None}


def last_die(scene: Scene) -> dict[str, object] | None:
    """What was rolled last: by whom, in which gear (None: the black die), and what it shows."""
    for event in reversed(scene.log):
        if _roll_of(event) is not None:
            return _told(event)
    return None


def last_throw(scene: Scene) -> dict[str, object] | None:
    """The last die, with the version at which it fell; None where a person rolled it."""
    for event in reversed(scene.log):
        if _roll_of(event) is not None:
            is_ours = is_thrown_for(scene, event["seat"])
            return _told(event) | {"version": event["version"]} if is_ours else None
    return None


def _told(event: Event) -> dict[str, object]:
    roll = _roll_of(event)
    shows = str(roll) if isinstance(roll, int) else range_text(roll)
    return {"seat": event["seat"], "gear": event.get("gear"), "shows": shows}


def _roll_of(event: Event) -> Any:
    """What a die shows, a number or a range; None: the event is none of a die."""
    return event.get("face") if event["event"] == "DieRolled" else event.get("roll")
