"""A seat that is asked nothing: its cars, its money, its power, and the bets that only it sees."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.downforce.asks import KeepAsk, PlayedAsk
from companion.rules.downforce.public import secret_round
from companion.views.downforce.facts import game_of, money_of, own_of, player_of, table_ask
from companion.views.downforce.words import CARS_SHORT, REMINDERS, car_short, car_word, power_word
from companion.views.games import name_of
from companion.views.seat.core import Dialog, Screen, Talk, any_button, spoken
from companion.views.seat.parts import LINES, four
from companion.views.words import LINE_COLUMNS, fit, phrase, wrap

WAITING = {"bid": phrase("Bids to come: {n}"), "bet": phrase("Bets to come: {n}")}
TABLE_TITLES = {
    "pole": phrase("The table: the grid"),
    "lot": phrase("The table: next lot"),
    "award": phrase("The table: whose lot"),
    "end": phrase("The table: the end"),
}


def idle_page(talk: Talk) -> Screen:
    """Own cars with what they cost, money so far, power: what everybody may see. Any button: the
    own bid and bets for a moment, where there are some; then the rest."""
    player = player_of(talk.scene, talk.seat)
    if player is None:
        return Screen(talk.say("You do not play."))
    powers = ", ".join(power_word(power, talk.say) for power in player.powers)
    public = (*_cars(talk), _money(talk), *([fit(powers)] if powers else []))
    own = _own_lines(talk)
    onward = talk.turn_to("mine") if own else _rest(talk)
    page = Screen(fit(_title(talk)), public[: LINES - len(own)], any_button(onward))
    return replace(page, face=page, go=talk.say("my bets")) if own else page


def mine_page(talk: Talk) -> Screen:
    """The own bid and bets, for the moment that this page is shown (`dialog.BRIEF_S`)."""
    page, own = idle_page(talk), _own_lines(talk)
    turned = any_button(_rest(talk))
    return replace(page, lines=(*page.lines, *own), choices=turned, go=None) if own else page


def _own_lines(talk: Talk) -> tuple[str, ...]:
    return tuple(line for line in (_bid(talk), _bets(talk)) if line)


def _rest(talk: Talk) -> Dialog:
    """What else there is to read: the powers, then the money."""
    player = player_of(talk.scene, talk.seat)
    return talk.turn_to("power" if player and player.powers else "money")


def _title(talk: Talk) -> str:
    """Who or what the table waits for."""
    scene, say = talk.scene, talk.say
    waiting, ask = secret_round(game_of(scene)), table_ask(scene)
    if waiting:
        return say(WAITING[waiting.kind], n=len(waiting.open))
    if ask:
        return say(TABLE_TITLES[ask.kind])
    playing = [one.seat for one in scene.asks if isinstance(one.ask, PlayedAsk)]
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
        power_word(power, talk.say),
        **spoken(talk.say(REMINDERS[power]), LINES),
        choices=any_button(onward),
    )


def money_page(talk: Talk) -> Screen:
    """What everybody has won in the race and paid at the auction: four players a page."""
    game = game_of(talk.scene)
    rows = []
    for seat, player in game.players.items():
        money, named = money_of(game, seat), phrase("{name} {won} −{paid}")
        row = talk.say.fitting(
            named, LINE_COLUMNS, name=player.name, won=money.race, paid=money.spent
        )
        rows.append(row)
    lines, choices = four(talk, rows, "money", talk.home())
    return Screen(talk.say("Won and paid, M$"), lines, choices)
