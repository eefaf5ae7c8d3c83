"""The road before a car of a Formula race: the ends of its move, the cars and debris around it."""

from __future__ import annotations

from companion.rules.commands import Answer
from companion.rules.formula.asks import MoveAsk, SlipstreamAsk
from companion.rules.formula.option import Option
from companion.rules.formula.wear import tell_cost
from companion.views.formula.elsewhere import place_shown
from companion.views.formula.ends import a_turn, price_words, value_of
from companion.views.formula.facts import car_of, cars_of, lap_now, place_of, race_of, the_race
from companion.views.model import Scene
from companion.views.road import End, Price, Road, Standing
from companion.views.seat.core import Choices, Talk
from companion.views.words.places import corner_name, place_name


def standing_of(scene: Scene, seat: int) -> Standing:
    """A car in figures."""
    car = car_of(scene, seat)
    if car is None:
        return Standing()
    laps = the_race(scene).setup.laps
    return Standing(place_of(scene, seat), lap_now(scene, car), laps, car.gear)


def road_of(talk: Talk, choices: Choices) -> Road | None:
    """The road where the seat's own move is asked, or where somebody says that a car stands
    elsewhere; `choices` are the keys that the seat has now."""
    scene, proposal = talk.scene, talk.scene.proposal or {}
    race, track = race_of(scene), scene.track
    seat = int(proposal.get("seat") or talk.seat)
    car = car_of(scene, seat)
    is_moving = isinstance(talk.ask, MoveAsk | SlipstreamAsk) and talk.who == talk.seat
    if race is None or track is None or car is None or car.space is None:
        return None
    if not proposal and not is_moving:
        return None
    ghost = track.index.get(proposal["space"]) if proposal else place_shown(talk)
    return Road(
        track=track,
        seat=seat,
        at=car.space,
        asked="" if proposal or talk.ask is None else talk.ask.kind,
        ends=() if proposal else _ends(talk, choices),
        cars={c.seat: c.space for c in cars_of(scene) if c.space is not None and c.seat != seat},
        debris=tuple(sorted(race.debris)),
        ghost=ghost,
        corners={n: corner_name(track, n, talk.say) for n in range(len(track.corners))},
    )


def _ends(talk: Talk, choices: Choices) -> tuple[End, ...]:
    ask = talk.ask
    assert isinstance(ask, MoveAsk | SlipstreamAsk), "ends are of ways only"
    buttons = buttons_of(talk, choices)
    return tuple(_end(talk, option, buttons) for option in ask.ends)


def buttons_of(talk: Talk, choices: Choices) -> dict[tuple[str, int], int]:
    """The button that ends the move now, by space and brakes."""
    found = {}
    for button, choice in enumerate(choices, 1):
        for intent in choice.does if choice else ():
            if isinstance(intent, Answer) and isinstance(intent.value, dict):
                value = intent.value
                if intent.seat == talk.who and "to" in value:
                    found[str(value["to"]), int(value.get("brakes", 0))] = button
    return found


def _end(talk: Talk, option: Option, buttons: dict[tuple[str, int], int]) -> End:
    track, car = the_race(talk.scene).setup.track, car_of(talk.scene, talk.who)
    value = value_of(talk, option)
    price, short = price_of(talk, option)
    return End(
        to=option.to,
        brakes=option.brakes,
        button=buttons.get((str(value["to"]), option.brakes)),
        cost=tell_cost(option.cost),
        price=price,
        name=place_name(track, option.to, talk.say, car.box if car else None),
        says=price_words(talk, option),
        short=short,
    )


def price_of(talk: Talk, option: Option) -> tuple[Price, str]:
    """What an end costs, as a color and in four columns."""
    if option.out:
        return "out", "✕"
    lost = sum(option.cost)
    if lost or option.spin or option.arrival.debris or a_turn(talk, option):
        return "costly", f"−{lost}" if lost else "!"
    return "free", ""
