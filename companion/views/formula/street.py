"""An urban race: who drives, what a car has not used up yet, and what its drivers are asked.

Time trials (FD-TRIAL-1) are here too. The first gear of a trial is its start: only 1st can be
played, and the watch runs from that press. While it runs it stands at the left of the title, where
a second costs a digit or two.
"""

from __future__ import annotations

from companion.rules.formula.asks import RadioAsk, RerollAsk, TimeAsk, TrailAsk
from companion.rules.formula.car import Car
from companion.rules.formula.drivers import driver_of
from companion.rules.formula.grid import score
from companion.rules.formula.moving import NITRO
from companion.rules.formula.urban import LEFT, THROWN
from companion.views import screen
from companion.views.formula.options import SKIES
from companion.views.formula.parts import car_of, driver_info, driving
from companion.views.model import Scene
from companion.views.pages import list_page, option_word, stepped
from companion.views.words import LINE_COLUMNS, Words, fit


def left_to_use(scene: Scene, seat: int, say: Words) -> list[str]:
    """What an urban car can still use, in a word each: the nitro and the trail of this lap,
    the radio of this race (FD-URBAN-2, FD-DRV-3, FD-DRV-10). A nitro that is gone says so."""
    car = car_of(scene, seat)
    if car is None or driver_info(scene, seat) is None:
        return []
    driver = driver_of(car)
    left = [say("no nitro") if NITRO in car.street.used else say("nitro")]
    if driver.throws and THROWN not in car.street.used:
        left.append(say("radio"))
    if driver.litters and LEFT not in car.street.used:
        left.append(say("debris"))
    return left


def radio_page(talk: screen.Talk) -> screen.Screen:
    """At whom the radio is thrown: a name each, or nobody (FD-DRV-3)."""
    seats = [(seat, talk.name_of(seat)) for seat in talk.the(RadioAsk).seats]
    nobody = (None, option_word(talk, None))
    return list_page(talk, talk.say("Radio at whom?"), [*seats, nobody])


def trail_page(talk: screen.Talk) -> screen.Screen:
    """Whether debris is left behind (FD-DRV-10)."""
    return _yes_or_no(talk, talk.say("Leave debris?"))


def reroll_page(talk: screen.Talk) -> screen.Screen:
    """Whether the weather die is rolled again, and what it says (FD-DRV-5): "The die: rain"."""
    sky = talk.say(SKIES[talk.the(RerollAsk).outcome])
    return _yes_or_no(talk, talk.say("Roll again?"), talk.say("The die: {sky}", sky=sky))


def _yes_or_no(talk: screen.Talk, question: str, *lines: str) -> screen.Screen:
    both = [(one, option_word(talk, one)) for one in (True, False)]
    return list_page(talk, question, both, lines)


# -- time trials ----------------------------------------------------------------------------------


def start_page(talk: screen.Talk) -> screen.Screen | None:
    """The first gear of a seat's trial: one key, which starts the watch; None: it is not that."""
    car = car_of(talk.scene, talk.who)
    # With a gear engaged the trial is under way, and its watch runs.
    if car and car.gear:
        return None
    start = screen.Choice(screen.make_key("1", talk.say("START")), talk.answer(1), talk.home())
    return screen.Screen(
        talk.asked(talk.say("Your time trial")),
        **screen.spoken(talk.say("The watch runs from this press to the line."), 3),
        choices=screen.at({1: start}),
    )


def time_page(talk: screen.Talk) -> screen.Screen:
    """The seconds of a trial, where the watch has not answered by itself: what it shows, or
    what somebody has measured (a race that began in the middle, a time taken back)."""
    watch, old = talk.scene.watch or {}, talk.old
    shown = watch["seconds"] if watch.get("seat") == talk.who else 0
    measured = int(old) if isinstance(old, int | float) and old else shown
    now = talk.dialog.number if talk.dialog.page else measured
    return stepped(
        talk,
        talk.say("The lap's time?"),
        now,
        screen.minutes(now),
        page="steps",
        least=1,
        unit=" s",
    )


def onlooker_page(talk: screen.Talk) -> screen.Screen:
    """Who drives alone now, and how one's own trial went. Any button: the car."""
    seat, car = driving(talk.scene), car_of(talk.scene, talk.seat)
    assert seat is not None, "the page is shown only in trials"
    lines = [talk.say.fitting("{name} drives alone.", LINE_COLUMNS, name=talk.name_of(seat))]
    own = trial_words(car, talk.say) if car else ""
    if own:
        lines.append(fit(talk.say("You: {result}", result=own)))
    title = f"{screen.running(talk.scene, seat)} {talk.say('Time trials')}".lstrip()
    return screen.Screen(fit(title), tuple(lines), screen.any_button(talk.turn_to("car")))


def trial_words(car: Car, say: Words) -> str:
    """A trial that is over: score and time, "24 in 4:23" (FD-TRIAL-2); "" where none is."""
    if car.trial is None:
        return ""
    seconds = car.trial.seconds
    if seconds is not None:
        return say("{n} in {time}", n=score(car.trial, seconds), time=screen.minutes(seconds))
    return say("ended in a corner") if car.trial.reached is not None else ""


PAGES: screen.Pages = {
    (RadioAsk.kind, ""): radio_page,
    (TrailAsk.kind, ""): trail_page,
    (RerollAsk.kind, ""): reroll_page,
    (TimeAsk.kind, ""): time_page,
    (TimeAsk.kind, "steps"): time_page,
}


def _recovered(event: screen.Event) -> str:
    return "police" if event.get("source") == "police" else ""


OUTCOMES: screen.Outcomes = {
    "Recovered": _recovered,
    "NoiseRolled": lambda event: "hit" if event.get("category") else "missed",
    "RadioHit": lambda event: "hurt" if event.get("cost") else "unhurt",
    "RerollChosen": lambda event: "again" if event.get("again") else "kept",
}
