"""A seat that is asked nothing: its cars, its money, its power, and the bets that only it sees."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.downforce.asks import CardAsk, KeepAsk, PlayedAsk
from companion.rules.downforce.hands import cards_left
from companion.rules.downforce.outlook import bet_pays, car_pays, next_bet, next_pays
from companion.rules.downforce.public import secret_round
from companion.rules.downforce.state import Phase
from companion.rules.downforce.tables import CARS
from companion.views.downforce.facts import (
    game_of,
    money_of,
    own_of,
    player_of,
    table_ask,
    told_ask,
)
from companion.views.downforce.words import (
    CARS_SHORT,
    car_short,
    car_word,
    cars_within,
    power_word,
    reminder,
)
from companion.views.games import name_of
from companion.views.seat.core import Dialog, Screen, Talk, any_button, spoken
from companion.views.seat.parts import LINES, four
from companion.views.words import LINE_COLUMNS, fit, phrase, wrap

WAITING = {
    "hand": phrase("Hands to come: {n}"),
    "bid": phrase("Bids to come: {n}"),
    "bet": phrase("Bets to come: {n}"),
}
CUNNING = "cunning"
"""The one power that matters in everybody's turns (DF-POWER-1)."""
TABLE_TITLES = {
    "pole": phrase("The table: the grid"),
    "lot": phrase("The table: next lot"),
    "award": phrase("The table: whose lot"),
    "standing": phrase("The table: the road"),
    "end": phrase("The table: the end"),
}


def idle_page(talk: Talk) -> Screen:
    """Own cars with what they cost, and what is easily forgotten: what everybody may see. Any
    button: the own bid and bets for a moment, where there are some; then the rest."""
    if player_of(talk.scene, talk.seat) is None:
        return Screen(talk.say("You do not play."))
    public = (*_cars(talk), *_reminded(talk))[:LINES]
    own = own_lines(talk)
    onward = talk.turn_to("mine") if own else _rest(talk)
    page = Screen(fit(_title(talk)), public[: LINES - len(own)], any_button(onward))
    return replace(page, face=page, go=talk.say("my bets")) if own else page


def mine_page(talk: Talk) -> Screen:
    """The own bid and bets, for the moment that this page is shown (`dialog.BRIEF_S`)."""
    page, own = idle_page(talk), own_lines(talk)
    turned = any_button(_rest(talk))
    return replace(page, lines=(*page.lines, *own), choices=turned, go=None) if own else page


def _reminded(talk: Talk) -> tuple[str, ...]:
    """In the auction the money, the powers and the last lot; in the race what is to come."""
    game, player = game_of(talk.scene), player_of(talk.scene, talk.seat)
    powers = player.powers if player else ()
    named = fit(", ".join(power_word(power, talk.say) for power in powers))
    paid = talk.say("paid {n}", n=money_of(game, talk.seat).spent)
    lines: tuple[str, ...] = (paid, named, _last_lot(talk))
    if game.phase is Phase.RACE:
        to_come = next_bet_line(talk) if next_bet(game) else _money(talk)
        matters = named if CUNNING in powers else ""
        lines = (hands_line(talk), to_come, home_line(talk), matters)
    return tuple(line for line in lines if line)


def _last_lot(talk: Talk) -> str:
    """Whose the last lot is that was turned up: "red: Bob, 5"."""
    game = game_of(talk.scene)
    if not game.lots or (owner := game.cars[game.lots[-1].car].owner) is None:
        return ""
    name, car = name_of(talk.scene, owner), game.lots[-1].car
    message = phrase("{car}: {name}, {price}")
    price = game.cars[car].price or 0
    return talk.say.fitting(
        message, LINE_COLUMNS, name=name, car=car_word(car, talk.say), price=price
    )


def hands_line(talk: Talk) -> str:
    """The cards left: one's own, then the others' clockwise; "" where they are not counted."""
    game = game_of(talk.scene)
    if not game.setup.counts:
        return ""
    seats = list(game.players)
    at = seats.index(talk.seat) if talk.seat in seats else 0
    left = [str(cards_left(game, seat)) for seat in (*seats[at:], *seats[:at])]
    return fit(talk.say("cards {own} · {others}", own=left[0], others=" ".join(left[1:])))


def next_bet_line(talk: Talk) -> str:
    """The line that opens the next bet, and what that pays."""
    number = next_bet(game_of(talk.scene))
    if number is None:
        return ""
    pays = " ".join(map(str, bet_pays(number)))
    return fit(talk.say("Line {n}: bet {pays}", n=number, pays=pays))


def home_line(talk: Talk) -> str:
    """The cars that are home, in order; before the first what it will earn."""
    game, say = game_of(talk.scene), talk.say
    home, pays = game.placed(), next_pays(game)
    if not home:
        return "" if pays is None else say("first home earns {n}", n=pays)
    room = LINE_COLUMNS - len(say("home: {cars}", cars=""))
    return fit(say("home: {cars}", cars=cars_within(home, room, say)))


def own_lines(talk: Talk) -> tuple[str, ...]:
    return tuple(line for line in (_bid(talk), _bets(talk)) if line)


def _rest(talk: Talk) -> Dialog:
    """What else there is to read: the cars, the powers, the money."""
    return talk.turn_to("cars")


def cars_page(talk: Talk) -> Screen:
    """Whose each car is, for how much, its place, and what it earns or would earn now."""
    game, player = game_of(talk.scene), player_of(talk.scene, talk.seat)
    rows = [_car_row(talk, car) for car in (game.grid or CARS)]
    after = talk.turn_to("power" if player and player.powers else "money")
    lines, choices = four(talk, rows, "cars", after)
    title = talk.say("Cars, price") if game.phase is not Phase.RACE else talk.say("Cars, earn now")
    return Screen(title, lines, choices)


def _car_row(talk: Talk, car: str) -> str:
    """ "green Bob 5", in the race "green Bob 12" or "2. green Bob 9"."""
    game, say = game_of(talk.scene), talk.say
    told, word = game.cars[car], car_word(car, talk.say)
    if game.phase is Phase.RACE:
        figure, place = car_pays(game, car), told.place
        word = f"{place}. {word}" if place else word
    else:
        figure = told.price
    name = "–" if told.owner is None else name_of(talk.scene, told.owner)
    end = "" if figure is None else f" {figure}"
    return say.fitting(f"{word} {{name}}{end}", LINE_COLUMNS, name=name)


def _title(talk: Talk) -> str:
    """Who or what the table waits for."""
    scene, say = talk.scene, talk.say
    waiting, ask = secret_round(game_of(scene)), table_ask(scene)
    if waiting:
        return say(WAITING[waiting.kind], n=len(waiting.open))
    if ask:
        return say(TABLE_TITLES[ask.kind])
    if told_ask(scene):
        return say("The race")
    playing = [one.seat for one in scene.asks if isinstance(one.ask, PlayedAsk | CardAsk)]
    if not playing:
        return say("Powers to keep: {n}", n=sum(isinstance(one.ask, KeepAsk) for one in scene.asks))
    return say.fitting("{name} plays", LINE_COLUMNS, name=name_of(scene, playing[0]))


def _cars(talk: Talk) -> tuple[str, ...]:
    """ "green 4, yellow 5"; many cars in short, on two lines at most."""
    game, say = game_of(talk.scene), talk.say
    cars = {car: game.cars[car].price or 0 for car in game.cars_of(talk.seat)}
    if not cars:
        return (say("no car yet"),)
    whole = ", ".join(f"{car_word(car, say)} {price}" for car, price in cars.items())
    if len(whole) <= LINE_COLUMNS:
        return (whole,)
    return wrap(", ".join(f"{car_short(car, say)} {price}" for car, price in cars.items()), 2)


def _money(talk: Talk) -> str:
    money = money_of(game_of(talk.scene), talk.seat)
    return talk.say("won {won}, paid {paid}", won=money.race, paid=money.spent)


def _bid(talk: Talk) -> str:
    bid = own_of(talk.scene, talk.seat).bid
    return talk.say("your bid: {n}", n=bid.amount) if bid else ""


def _bets(talk: Talk) -> str:
    bets = own_of(talk.scene, talk.seat).bets
    short = " ".join(car_short(bet, talk.say) for bet in bets if bet in CARS_SHORT)
    return talk.say("bets: {cars}", cars=short) if short else ""


def power_page(talk: Talk) -> Screen:
    """What the seat's power does (DF-POWER-1), a page for each that it has won."""
    player, number = player_of(talk.scene, talk.seat), talk.dialog.number
    powers = player.powers if player else ()
    if number >= len(powers):
        return money_page(talk)
    power, is_last = powers[number], number + 1 == len(powers)
    onward = talk.turn_to("money") if is_last else talk.turn_to("power", number=number + 1)
    return Screen(
        fit(power_word(power, talk.say)),
        **spoken(reminder(power, game_of(talk.scene).setup, talk.say), LINES),
        choices=any_button(onward),
    )


def money_page(talk: Talk) -> Screen:
    """What everybody has won in the race and paid at the auction: four players a page."""
    game = game_of(talk.scene)
    rows = []
    for seat, player in game.players.items():
        money, named = money_of(game, seat), phrase("{name} {won} −{paid}")
        if game.setup.counts and game.phase is Phase.RACE:
            named = phrase("{name} {won} −{paid}, {cards} c")
        row = talk.say.fitting(
            named, LINE_COLUMNS, name=player.name, won=money.race, paid=money.spent,
            cards=cards_left(game, seat),
        )  # fmt: skip
        rows.append(row)
    lines, choices = four(talk, rows, "money", talk.home())
    return Screen(talk.say("Won and paid, M$"), lines, choices)
