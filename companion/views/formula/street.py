"""An urban race: who drives, what a car has not used up yet, and what its drivers are asked."""

from __future__ import annotations

from companion.rules.formula.asks import RadioAsk, RerollAsk, TrailAsk
from companion.rules.formula.meanings import Reason
from companion.rules.formula.urban.drivers import URBAN, driver_of
from companion.rules.formula.urban.lengths import NITRO
from companion.rules.formula.urban.radio import THROWN
from companion.rules.formula.urban.trail import LEFT
from companion.views.formula.facts import car_of, name_of, rules_of
from companion.views.formula.options import DRIVERS, SKIES
from companion.views.formula.parts import RollWords
from companion.views.games import AskWords, Event, Outcomes
from companion.views.lobby.tables import Driver
from companion.views.model import Scene
from companion.views.seat.any_ask import list_page, option_word
from companion.views.seat.core import Screen, Talk
from companion.views.words import Words, phrase


def driver_info(scene: Scene, seat: int) -> Driver | None:
    """Who drives a seat's car, with what the driver can do; None where nobody special does."""
    car = car_of(scene, seat)
    if URBAN not in rules_of(scene) or car is None:
        return None
    return next((driver for driver in DRIVERS if driver.name == car.street.driver), None)


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


def radio_page(talk: Talk) -> Screen:
    """At whom the radio is thrown: a name each, or nobody (FD-DRV-3)."""
    seats = [(seat, name_of(talk.scene, seat)) for seat in talk.the(RadioAsk).seats]
    nobody = (None, option_word(talk, None))
    return list_page(talk, talk.say("Radio at whom?"), [*seats, nobody])


def trail_page(talk: Talk) -> Screen:
    """Whether debris is left behind (FD-DRV-10)."""
    return _yes_or_no(talk, talk.say("Leave debris?"))


def reroll_page(talk: Talk) -> Screen:
    """Whether the weather die is rolled again, and what it says (FD-DRV-5): "The die: rain"."""
    sky = talk.say(SKIES[talk.the(RerollAsk).outcome])
    return _yes_or_no(talk, talk.say("Roll again?"), talk.say("The die: {sky}", sky=sky))


def _yes_or_no(talk: Talk, question: str, *lines: str) -> Screen:
    both = [(one, option_word(talk, one)) for one in (True, False)]
    return list_page(talk, question, both, lines)


ASKS = {
    RadioAsk.kind: AskWords(
        "{name} may throw the radio", "{name}: at whom goes the radio?", "radio", radio_page
    ),
    TrailAsk.kind: AskWords(
        "{name} may leave debris", "{name}: leave debris behind?", "debris", trail_page
    ),
    RerollAsk.kind: AskWords(
        "{name} may roll the weather again",
        "{name}: roll the weather again?",
        "reroll",
        reroll_page,
    ),
}
ROLLS = {
    Reason.NOISE: RollWords("Noise: black die?", "Noise", "{name}: black die in the noise zone"),
    Reason.RADIO: RollWords(
        "Radio: black die?", "Radio", "{name}: black die, the radio hits {other}"
    ),
}
REFUSALS = {"not-near": phrase("The radio hits cars near by only.")}
SENTENCES = {
    ("Drifted", ""): phrase("{name} drifts in {corner}{cost}."),
    ("Charmed", ""): phrase("{name} has eyes for {other} only: one space less."),
    ("CheckpointPassed", ""): phrase("{name} is through the checkpoint and has new tires."),
    ("Recovered", ""): phrase("The checkpoint mends the car of {name}{gain}."),
    ("Recovered", "police"): phrase("The prize mends the car of {name}{gain}."),
    ("PolicePassed", ""): phrase("{name} passes the police station at {speed}."),
    ("PoliceWon", ""): phrase("{name} was the fastest past the police station, at {speed}."),
    ("NoiseRolled", "hit"): phrase("{name} is shot at, and hit with a {roll}{cost}."),
    ("NoiseRolled", "missed"): phrase("{name} is shot at, and missed with a {roll}."),
    ("RadioThrown", ""): phrase("{name} throws the radio at {other}."),
    ("RadioHit", "hurt"): phrase("The radio hits {other} with a {roll}{cost}."),
    ("RadioHit", "unhurt"): phrase("The radio does {other} no harm, with a {roll}."),
    ("TrailLeft", ""): phrase("{name} leaves debris behind: {place}."),
    ("WeatherThrown", ""): phrase("The weather die shows {roll}; it may be rolled again."),
    ("RerollChosen", "again"): phrase("{name} has the weather rolled again."),
    ("RerollChosen", "kept"): phrase("{name} lets the weather be."),
}


def _recovered(event: Event) -> str:
    return "police" if event.get("source") == "police" else ""


OUTCOMES: Outcomes = {
    "Recovered": _recovered,
    "NoiseRolled": lambda event: "hit" if event.get("category") else "missed",
    "RadioHit": lambda event: "hurt" if event.get("cost") else "unhurt",
    "RerollChosen": lambda event: "again" if event.get("again") else "kept",
}
