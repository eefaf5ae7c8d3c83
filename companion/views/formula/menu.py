"""The seat's menu in a Formula race, opened by holding 6."""

from __future__ import annotations

from companion.rules.commands import End
from companion.rules.formula.car import Status
from companion.views.facts import alone_in
from companion.views.formula.facts import car_of, cars_of, name_of, running_order
from companion.views.formula.parts import car_pips
from companion.views.seat.core import (
    HOME,
    Choice,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    spoken,
    to_page,
)
from companion.views.seat.menu import leave_screen, menu2_screen, menu_screen, to_language
from companion.views.seat.parts import four
from companion.views.words import LINE_COLUMNS, phrase

RETIRED = phrase("retired from its seat")
"""The reason that the record of the race gets, and the story tells in every language."""


def menu_page(talk: Talk) -> Screen:
    """Wear, standings, odds, pause; more: link, steward, retire, language."""
    say = talk.say
    second = (
        to_page(say("end"), talk.turn_to("end"), hint=say("now?"))
        if alone_in(talk.scene) == talk.seat
        else to_page(say("race"), talk.turn_to("standings"), hint=say("places"))
    )
    odds = None
    if talk.scene.advise is not None and talk.scene.track is not None:
        odds = to_page(say("odds"), talk.turn_to("odds"), hint=say("by gear"))
    return menu_screen(talk, to_page(say("wear"), talk.turn_to("wear")), second, odds)


def end_page(talk: Talk) -> Screen:
    """The last car that runs may end the race now: nobody is left to wait for."""
    end = Choice(make_key(talk.say("end"), "", "out"), (End(),))
    text = talk.say("Nobody else is running. End the race as it stands?")
    stay = back(talk, talk.turn_to("menu"))
    return Screen(talk.say("End now?"), **spoken(text, 3), choices=at({1: end, 6: stay}))


def menu2_page(talk: Talk) -> Screen:
    """The rarer things."""
    car = car_of(talk.scene, talk.seat)
    retire = to_page(talk.say("retire"), talk.turn_to("retire"))
    keys = {3: retire} if car and car.runs else {}
    return menu2_screen(talk, keys if talk.scene.advise is None else {**keys, 4: to_language(talk)})


def retire_page(talk: Talk) -> Screen:
    """Asked again before a car leaves the race."""
    say = talk.say
    text = say("Your car leaves the race.")
    return leave_screen(talk, say("Really retire?"), text, say("retire"), RETIRED)


def wear_page(talk: Talk) -> Screen:
    """The wear of every car, a page each, one's own first."""
    others = (car.seat for car in cars_of(talk.scene) if car.seat != talk.seat)
    seats, number = [talk.seat, *others], talk.dialog.number
    is_last = number + 1 >= len(seats)
    seat = seats[number % len(seats)]
    return Screen(
        talk.say.fitting("Wear of {name}", LINE_COLUMNS, name=name_of(talk.scene, seat)),
        pips=car_pips(talk.scene, seat, talk.say),
        lines=(talk.say("any button: on"),),
        choices=any_button(HOME if is_last else talk.turn_to("wear", number=number + 1)),
    )


def standings_page(talk: Talk) -> Screen:
    """The order on the road, four a page."""
    home = [car for car in cars_of(talk.scene) if car.status is Status.FINISHED]
    home.sort(key=lambda car: car.place or 0)
    seats = [*(car.seat for car in home), *running_order(talk.scene)]
    rows = [f"{place}. {name_of(talk.scene, seat)}" for place, seat in enumerate(seats, 1)]
    lines, choices = four(talk, rows, "standings", HOME)
    return Screen(talk.say("Order now"), lines, choices)
