"""Time trials on the screens (FD-TRIAL-1): the start press, the running watch, who drives.

The first gear of a trial is its start: only 1st can be played, and the watch runs from that
press. While it runs it stands at the left of the title, where a second costs a digit or two.
"""

from __future__ import annotations

from companion.rules.formula.asks import TimeAsk
from companion.rules.formula.car import Car
from companion.rules.formula.state import Phase
from companion.rules.formula.trials import score
from companion.views.formula.facts import car_of, name_of, race_of
from companion.views.games import AskWords
from companion.views.model import Scene
from companion.views.seat.any_ask import stepped
from companion.views.seat.core import Choice, Screen, Talk, any_button, at, make_key, spoken
from companion.views.seat.parts import asked, minutes, running
from companion.views.words import LINE_COLUMNS, Words, fit, phrase


def driving(scene: Scene) -> int | None:
    """The seat whose trial it is."""
    race = race_of(scene)
    if race is None or race.phase is not Phase.TRIALS:
        return None
    return next((ask.seat for ask in scene.asks if ask.seat), None)


def start_page(talk: Talk) -> Screen | None:
    """The first gear of a trial: one key, which starts the watch; None: it is not that."""
    car = car_of(talk.scene, talk.who)
    if driving(talk.scene) != talk.who or (car and car.gear):
        return None
    start = Choice(make_key("1", talk.say("START")), talk.answer(1), talk.home())
    return Screen(
        asked(talk, talk.say("Your time trial")),
        **spoken(talk.say("The watch runs from this press to the line."), 3),
        choices=at({1: start}),
    )


def time_page(talk: Talk) -> Screen:
    """The seconds of a trial, where the watch has not answered by itself: what it shows, or
    what somebody has measured (a race that began in the middle, a time taken back)."""
    watch, old = talk.scene.watch or {}, talk.old
    shown = watch["seconds"] if watch.get("seat") == talk.who else 0
    measured = int(old) if isinstance(old, int | float) and old else shown
    now = talk.dialog.number if talk.dialog.page else measured
    return stepped(
        talk, talk.say("The lap's time?"), now, minutes(now), page="steps", least=1, unit=" s"
    )


def onlooker_page(talk: Talk) -> Screen:
    """Who drives alone now, and how one's own trial went. Any button: the car."""
    seat, car = driving(talk.scene), car_of(talk.scene, talk.seat)
    assert seat is not None, "the page is shown only in trials"
    lines = [talk.say.fitting("{name} drives alone.", LINE_COLUMNS, name=name_of(talk.scene, seat))]
    own = trial_words(car, talk.say) if car else ""
    if own:
        lines.append(fit(talk.say("You: {result}", result=own)))
    title = f"{running(talk.scene, seat)} {talk.say('Time trials')}".lstrip()
    return Screen(fit(title), tuple(lines), any_button(talk.turn_to("car")))


def trial_words(car: Car, say: Words) -> str:
    """A trial that is over: score and time, "24 in 4:23" (FD-TRIAL-2); "" where none is."""
    if car.trial is None:
        return ""
    seconds = car.trial.seconds
    if seconds is not None:
        return say("{n} in {time}", n=score(car.trial, seconds), time=minutes(seconds))
    return say("ended in a corner") if car.trial.reached is not None else ""


ASKS = {
    TimeAsk.kind: AskWords(
        "{name} tells the time of the trial",
        "{name}: how many seconds?",
        "time",
        time_page,
        {"steps": time_page},
    )
}

SENTENCES = {
    ("TrialBegan", ""): phrase("{name} begins a time trial."),
    ("TrialOvershot", ""): phrase("{name} overshoots {corner} by {spaces}, which count."),
    ("TrialTimed", ""): phrase("{name} ends the trial with a score of {score}."),
    ("TrialEnded", ""): phrase("The trial of {name} ends in a corner."),
    ("TrialsRanked", ""): phrase("The trials are over: {names}."),
}
