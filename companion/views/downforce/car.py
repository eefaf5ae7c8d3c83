"""A seat that is asked nothing: its cars, its money, its power, and the bets that only it sees."""

from __future__ import annotations

from dataclasses import replace

from companion.views.downforce.facts import (
    own_bets,
    player_of,
    players_of,
    powers_of,
    price_of,
    secret_round,
    table_ask,
)
from companion.views.downforce.words import CARS_SHORT, REMINDERS, car_short, car_word, power_word
from companion.views.facts import name_of
from companion.views.seat.core import Choice, Screen, Talk, any_button
from companion.views.words import LINE_COLUMNS, fit, phrase, wrap

LINES = 4

WAITING = {
    "bid": phrase("Bids to come: {n}"),
    "bet": phrase("Bets to come: {n}"),
}
TABLE_TITLES = {
    "pole": phrase("The table: the grid"),
    "lot": phrase("The table: next lot"),
    "award": phrase("The table: whose lot"),
    "end": phrase("The table: the end"),
}


def idle_page(talk: Talk) -> Screen:
    """Own cars with what they cost, money so far, power, own bets. Any button: the rest."""
    player = player_of(talk.scene, talk.seat)
    if not player:
        return Screen(title=talk.say("You do not play."))
    own = tuple(line for line in (_bid(talk), _bets(talk)) if line)
    cars, power = _cars(talk), _power(talk)
    public = (*cars, _money(talk), *([power] if power else []))
    onward = talk.turn_to("power" if powers_of(player) else "money")
    page = Screen(
        title=fit(_title(talk)),
        lines=public[: LINES - len(own)],
        choices=any_button(onward),
    )
    return replace(page, lines=(*page.lines, *own), face=page) if own else page


def _title(talk: Talk) -> str:
    """Who or what the table waits for."""
    scene, say = talk.scene, talk.say
    waiting, ask = secret_round(scene), table_ask(scene)
    if waiting:
        return say(WAITING[waiting["kind"]], n=len(waiting["open"]))
    if ask:
        return say(TABLE_TITLES[ask["kind"]])
    playing = [ask["seat"] for ask in scene.asks if ask["kind"] == "played"]
    if not playing:
        return say("Powers to keep: {n}", n=sum(ask["kind"] == "keep" for ask in scene.asks))
    return say.fitting("{name} plays", LINE_COLUMNS, name=name_of(scene, playing[0]))


def _cars(talk: Talk) -> tuple[str, ...]:
    """ "green 4, yellow 5"; many cars in short, on two lines at most."""
    cars, say = player_of(talk.scene, talk.seat)["cars"], talk.say
    if not cars:
        return (say("no car yet"),)
    whole = ", ".join(f"{car_word(car, say)} {price_of(talk.scene, car)}" for car in cars)
    if len(whole) <= LINE_COLUMNS:
        return (whole,)
    return wrap(", ".join(f"{car_short(car, say)} {price_of(talk.scene, car)}" for car in cars), 2)


def _money(talk: Talk) -> str:
    player = player_of(talk.scene, talk.seat)
    return talk.say("won {won}, paid {paid}", won=player["race"], paid=player["spent"])


def _power(talk: Talk) -> str:
    powers = powers_of(player_of(talk.scene, talk.seat))
    return fit(", ".join(power_word(power, talk.say) for power in powers))


def _bid(talk: Talk) -> str:
    """The bid that lies face down."""
    bid = talk.scene.own.get(talk.seat, {}).get("bid")
    return talk.say("your bid: {n}", n=bid["amount"]) if bid else ""


def _bets(talk: Talk) -> str:
    bets = own_bets(talk.scene, talk.seat)
    short = " ".join(car_short(bet, talk.say) for bet in bets if bet in CARS_SHORT)
    return talk.say("bets: {cars}", cars=short) if short else ""


def power_page(talk: Talk) -> Screen:
    """What the seat's power does (DF-POWER-1), a page for each that it has won."""
    powers = powers_of(player_of(talk.scene, talk.seat))
    number = talk.dialog.number
    if number >= len(powers):
        return money_page(talk)
    power = powers[number]
    is_last = number + 1 == len(powers)
    onward = talk.turn_to("money") if is_last else talk.turn_to("power", number=number + 1)
    return Screen(
        title=power_word(power, talk.say),
        lines=wrap(talk.say(REMINDERS[power]), LINES),
        choices=any_button(onward),
    )


def money_page(talk: Talk) -> Screen:
    """What everybody has won in the race and paid at the auction: four players a page."""
    rows = [
        talk.say.fitting(
            "{name} {won} −{paid}",
            LINE_COLUMNS,
            name=player["name"],
            won=player["race"],
            paid=player["spent"],
        )
        for player in players_of(talk.scene).values()
    ]
    shown, choices = turned(talk, rows, "money")
    return Screen(title=talk.say("Won and paid, M$"), lines=shown, choices=choices)


def turned(
    talk: Talk, rows: list[str], page: str
) -> tuple[tuple[str, ...], tuple[Choice | None, ...]]:
    """Four rows of a list, and any button on to the next four, after the last home."""
    start = talk.dialog.number * LINES if talk.dialog.page == page else 0
    number = start // LINES + 1
    onward = talk.home() if number * LINES >= len(rows) else talk.turn_to(page, number=number)
    return tuple(rows[start : start + LINES]), any_button(onward)
