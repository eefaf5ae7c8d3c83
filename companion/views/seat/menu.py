"""The seat's menu, opened by holding 6: what the race has, and what only a person decides."""

from __future__ import annotations

from companion.rules.commands import Retire
from companion.views.facts import car_of, cars_of, is_running, name_of, running_order
from companion.views.formula.parts import car_pips
from companion.views.games import views_of
from companion.views.model import Language, Pause
from companion.views.seat.core import (
    HOME,
    Choice,
    Dialog,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    more,
    paged,
    to_page,
    turn_of,
)
from companion.views.seat.dead import scan_me
from companion.views.words import LANGUAGES, LINE_COLUMNS, fit, wrap

LINES = 4


def menu_page(talk: Talk) -> Screen:
    """Wear, standings, language, pause; more: link, steward, retire."""
    say = talk.say
    language = say.language.upper()
    label = say("resume") if talk.scene.paused else say("pause")
    return Screen(
        title=say("Menu"),
        choices=at(
            {
                1: to_page(say("wear"), talk.turn_to("wear")),
                2: to_page(say("race"), talk.turn_to("standings"), hint=say("places")),
                3: to_page(language, talk.turn_to("language"), hint=say("language")),
                4: Choice(make_key(label), (Pause(not talk.scene.paused),))
                if talk.scene.state
                else None,
                5: more(talk, talk.turn_to("menu2")),
                6: back(talk),
            }
        ),
    )


def menu2_page(talk: Talk) -> Screen:
    """The rarer things."""
    say, car = talk.say, car_of(talk.scene, talk.seat)
    choices: dict[int, Choice | None] = {6: back(talk, talk.turn_to("menu"))}
    if talk.info.link:
        choices[1] = to_page(say("phone"), talk.turn_to("link"), hint=say("QR code"))
    if may_steward(talk):
        choices[2] = to_page(say("steward"), talk.turn_to("steward"))
    if car and is_running(car):
        choices[3] = to_page(say("retire"), talk.turn_to("retire"))
    return Screen(title=say("Menu"), choices=at(choices))


def may_steward(talk: Talk) -> bool:
    """The host, and whoever is out of the race or home, may answer for others."""
    car = car_of(talk.scene, talk.seat)
    return talk.info.host or (car is not None and not is_running(car))


def wear_page(talk: Talk) -> Screen:
    """The wear of every car, a page each, one's own first."""
    seats = [talk.seat, *(car["seat"] for car in cars_of(talk.scene) if car["seat"] != talk.seat)]
    seat = seats[talk.dialog.number % len(seats)]
    onward = talk.turn_to("wear", number=talk.dialog.number + 1)
    last = talk.dialog.number + 1 >= len(seats)
    return Screen(
        title=talk.say.fitting("Wear of {name}", LINE_COLUMNS, name=name_of(talk.scene, seat)),
        pips=car_pips(talk.scene, seat, talk.say),
        lines=(talk.say("any button: on"),),
        choices=any_button(HOME if last else onward),
    )


def standings_page(talk: Talk) -> Screen:
    """The order on the road, four a page."""
    lines = [
        f"{place}. {name_of(talk.scene, seat)}" for place, seat in enumerate(_order_now(talk), 1)
    ]
    return Screen(title=talk.say("Order now"), lines=_four(talk, lines), choices=_on(talk, lines))


def _order_now(talk: Talk) -> list[int]:
    home = [car for car in cars_of(talk.scene) if car.get("status") == "finished"]
    home.sort(key=lambda car: car.get("place") or 0)
    return [*(car["seat"] for car in home), *running_order(talk.scene)]


def _four(talk: Talk, lines: list[str]) -> tuple[str, ...]:
    start = talk.dialog.number * LINES
    return tuple(fit(line) for line in lines[start : start + LINES])


def _on(talk: Talk, lines: list[str]) -> tuple[Choice | None, ...]:
    """Any button turns the page, after the last back to the car."""
    number = talk.dialog.number + 1
    last = number * LINES >= len(lines)
    return any_button(HOME if last else talk.turn_to(talk.dialog.page, number=number))


def language_page(talk: Talk) -> Screen:
    """The languages, each by its own name."""
    choices = [
        Choice(make_key(code.upper(), name), (Language(code),)) for code, name in LANGUAGES.items()
    ]
    return Screen(
        title=talk.say("Language"),
        choices=paged(talk, choices, leave=back(talk, talk.turn_to("menu"))),
    )


def retire_page(talk: Talk) -> Screen:
    """Asked again before a car leaves the race."""
    retire = Retire(talk.seat, "retired from its seat")
    return Screen(
        title=talk.say("Really retire?"),
        lines=wrap(talk.say("Your car leaves the race."), 2),
        choices=at(
            {
                1: Choice(make_key(talk.say("retire"), "", "out"), (retire,)),
                6: back(talk, talk.turn_to("menu2")),
            }
        ),
    )


def link_page(talk: Talk) -> Screen:
    """This seat on a phone."""
    return Screen(
        title=talk.say("Seat {n}", n=talk.seat),
        lines=scan_me(talk),
        choices=any_button(HOME),
        qr=talk.info.link,
    )


def steward_page(talk: Talk) -> Screen:
    """Answer for whom? The seats that are asked something."""
    asked = list(dict.fromkeys(ask["seat"] for ask in talk.scene.asks if ask["seat"]))
    choices = [
        to_page(name_of(talk.scene, seat), answering_for(talk, seat), hint=kind_word(talk, seat))
        for seat in asked
        if seat != talk.seat
    ]
    return Screen(
        title=talk.say("Answer for whom?"),
        lines=() if choices else (talk.say("Nobody is asked."),),
        choices=paged(talk, choices, leave=back(talk)),
    )


def answering_for(talk: Talk, seat: int) -> Dialog:
    """The dialog that answers for another seat, until its turn has passed."""
    return Dialog(target=seat, about=turn_of(talk.scene))


def kind_word(talk: Talk, seat: int) -> str:
    """What a seat is asked, on a key."""
    known = views_of(talk.scene).kinds
    kind = next((ask["kind"] for ask in talk.scene.asks if ask["seat"] == seat), "")
    return talk.say(known[kind]) if kind in known else kind
