"""The end of a game: one's own score sheet, then everybody's total (DF-PAY-3)."""

from __future__ import annotations

from companion.rules.downforce.ledger import classification
from companion.rules.downforce.outlook import bets_brought, car_brought, money_disagrees
from companion.views.downforce.facts import game_of, money_of
from companion.views.downforce.words import bet_word, car_word
from companion.views.games import name_of
from companion.views.seat.core import Choices, Screen, Talk, any_button
from companion.views.seat.end import after_page
from companion.views.seat.parts import LINES
from companion.views.words import LINE_COLUMNS, fit


def result_page(talk: Talk) -> Screen:
    """The seat's sheet; what its cars and bets brought; the totals; then what now. Any button
    turns."""
    game, page = game_of(talk.scene), talk.dialog.number
    rows, brought = classification(game), brought_rows(talk)
    onward = any_button(talk.turn_to("result", number=page + 1))
    if page == 0:
        return sheet_page(talk, onward)
    parts = -(-len(brought) // LINES)
    if page <= parts:
        four = brought[(page - 1) * LINES : page * LINES]
        return Screen(talk.say("What brought what"), tuple(four), onward)
    page -= parts
    if page > -(-len(rows) // LINES):
        return after_page(talk)
    lines = [
        talk.say.fitting(
            "{place}. {name} {total}",
            LINE_COLUMNS,
            place=place,
            name=name_of(talk.scene, seat),
            total=signed(money_of(game, seat).total),
        )
        for place, seat in rows[(page - 1) * LINES : page * LINES]
    ]
    return Screen(talk.say("Totals in M$"), tuple(lines), onward)


def brought_rows(talk: Talk) -> list[str]:
    """Each own car with place, money and price, then each bet of the last race with its money."""
    game, say = game_of(talk.scene), talk.say
    rows = []
    for name in game.cars_of(talk.seat):
        car = game.cars[name]
        earned, paid = car_brought(game, name) + (car.price or 0), car.price or 0
        place = say("P{place}", place=car.place) if car.place else "–"
        rows.append(f"{car_word(name, say)} {place}: {earned} − {paid}")
    for number, money in enumerate(bets_brought(game, talk.seat), 1):
        bet = game.players[talk.seat].bets[number - 1]
        rows.append(say("bet {n}: {car} {money}", n=number, car=bet_word(bet, say), money=money))
    return [fit(row) for row in rows]


def sheet_page(talk: Talk, onward: Choices) -> Screen:
    """Race, bets and auction as on the sheet of paper, total above, place beside."""
    game, say = game_of(talk.scene), talk.say
    money = money_of(game, talk.seat)
    place = next(place for place, seat in classification(game) if seat == talk.seat)
    why = (say("first home has won"),) if money_disagrees(game) else ()
    return Screen(
        say("Your total: {n} M$", n=signed(money.total)),
        (
            say("race {n}", n=signed(money.race)),
            say("bets {n}", n=signed(money.bets_won)),
            say("auction {n}", n=signed(-money.spent)),
            *why,
        ),
        big=say("P{place}", place=place),
        choices=onward,
    )


def signed(money: int) -> str:
    """Millions as they stand on a sheet, with a true minus.

    >>> signed(-9), signed(11)
    ('−9', '11')
    """
    return str(money).replace("-", "−")
