"""A race of which the table tells what happens: a line, a car that is home, nobody can move.

Any seat may tell it. Beside the keys stands what people forget: the next line and what its bet
pays, who is home, what the next car earns. The cars, the own bets and the power are a key away.
"""

from __future__ import annotations

from companion.rules.commands import Answer
from companion.rules.downforce import outlook
from companion.rules.downforce.asks import PlayedAsk
from companion.rules.downforce.tables import CARS, LINES
from companion.views.downforce import car
from companion.views.downforce.facts import TABLE, game_of, told_ask
from companion.views.downforce.parts import car_key, of_cars
from companion.views.downforce.words import power_key
from companion.views.seat.core import Choice, Screen, Talk, at, make_key, to_page

HOME_PAGE = "home"


def told_page(talk: Talk) -> Screen:
    """What may be told, on 1, 3 and 5; what there is to read, on 2, 4 and 6."""
    ask, game, say = told_ask(talk.scene), game_of(talk.scene), talk.say
    choices: dict[int, Choice | None] = {5: to_page(say("end"), talk.turn_to("end"), "more")}
    number = outlook.next_bet(game)
    if ask and len(ask.lines) > 1:
        hint = say("{n} of {all}", n=game.lines + 1, all=LINES)
        choices[1] = Choice(make_key(say("line"), hint), _told(1))
    if ask and ask.cars:
        pays = outlook.next_pays(game)
        hint = "" if pays is None else say("pays {n}", n=pays)
        choices[3] = to_page(say("home"), talk.turn_to(HOME_PAGE), "more", hint)
    choices[2] = to_page(say("cars"), talk.turn_to("cars"))
    if car.own_lines(talk):
        choices[4] = to_page(say("bets"), talk.turn_to("mine"))
    player = game.players.get(talk.seat)
    if player and player.powers:
        choices[6] = to_page(power_key(player.powers[0], say), talk.turn_to("power"))
    title = car.next_bet_line(talk) if number else say("Who is home?")
    return Screen(title, (car.home_line(talk),), at(choices))


def home_page(talk: Talk) -> Screen:
    """The car that is over the line now."""
    ask = told_ask(talk.scene)
    cars = ask.cars if ask else ()
    choices = {name: Choice(car_key(talk, name), _told(0, name)) for name in CARS if name in cars}
    return Screen(talk.say("Which car is home?"), choices=of_cars(choices))


def _told(lines: int, *finished: str) -> tuple[Answer, ...]:
    return (Answer(TABLE, PlayedAsk.kind, {"lines": lines, "finished": list(finished)}),)
