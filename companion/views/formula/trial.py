"""Time trials on the screens (FD-TRIAL-1): the start press, the running watch, who drives.

The first gear of a trial is its start: only 1st can be played, and the watch runs from that
press. While it runs it stands at the left of the title, where a second costs a digit or two.
"""

from __future__ import annotations

from companion.views.facts import car_of, name_of
from companion.views.formula.gear import asked, gear_page
from companion.views.formula.trials import trial_told
from companion.views.formula.watch import minutes
from companion.views.model import Scene
from companion.views.seat.core import Choice, Screen, Talk, any_button, at, make_key
from companion.views.words import LINE_COLUMNS, fit, wrap

STEPS_S = {1: 1, 2: -1, 3: 10, 4: -10, 6: 60}
"""What the buttons add to a time being entered; 5 sends it."""


def driving(scene: Scene) -> int | None:
    """The seat whose trial it is."""
    if (scene.state or {}).get("phase") != "trials":
        return None
    return next((ask["seat"] for ask in scene.asks if ask["seat"]), None)


def is_start(talk: Talk) -> bool:
    """Is this seat asked for the first gear of its trial?"""
    car = car_of(talk.scene, talk.who) or {}
    return driving(talk.scene) == talk.who and not car.get("gear")


def trial_gear_page(talk: Talk) -> Screen:
    """The gear of a turn; of a trial's first one key, which starts the watch."""
    if not is_start(talk):
        return gear_page(talk)
    start = Choice(make_key("1", talk.say("START")), talk.answer(1), talk.home())
    return Screen(
        title=asked(talk, talk.say("Your time trial")),
        lines=wrap(talk.say("The watch runs from this press to the line."), 3),
        choices=at({1: start}),
    )


def time_page(talk: Talk) -> Screen:
    """The seconds of a trial, where the watch has not answered by itself: what it shows, or
    what somebody has measured (a race that began in the middle, a time taken back)."""
    watch = talk.scene.watch or {}
    shown = int(watch["seconds"]) if watch.get("seat") == talk.who else 0
    now = talk.dialog.number if talk.dialog.page else int(talk.old or shown)
    keys: dict[int, Choice | None] = {
        button: Choice(
            make_key(f"{step:+d} s"), then=talk.turn_to("steps", number=max(1, now + step))
        )
        for button, step in STEPS_S.items()
    }
    keys[5] = Choice(make_key(talk.say("ok")), talk.answer(max(1, now)), talk.home())
    return Screen(asked(talk, talk.say("The lap's time?")), choices=at(keys), big=minutes(now))


def onlooker_page(talk: Talk) -> Screen:
    """Who drives alone now, and how one's own trial went. Any button: the car."""
    seat = driving(talk.scene)
    assert seat is not None, "the page is shown only in trials"
    lines = [talk.say.fitting("{name} drives alone.", LINE_COLUMNS, name=name_of(talk.scene, seat))]
    own = trial_told(car_of(talk.scene, talk.seat) or {}, talk.say)
    if own:
        lines.append(fit(talk.say("You: {result}", result=own)))
    return Screen(
        title=talk.say("Time trials"),
        lines=tuple(lines),
        choices=any_button(talk.turn_to("car")),
    )
