"""A seat that is asked nothing: its cars, its money, its power, and the bets that only it sees.

Where the table tells only what happens (a line, a car that is home, nobody can move), any seat may
tell it here. Beside the keys stands what people forget: the next line and what its bet pays, who is
home, what the next car earns. The cars, the own bets and the power are a key away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from companion.rules.downforce import tables
from companion.rules.downforce.asks import (
    CardAsk,
    KeepAsk,
    PlayedAsk,
)
from companion.rules.downforce.game import bet_pays, car_pays, next_bet, next_pays
from companion.rules.downforce.header import secret_round
from companion.rules.downforce.state import Phase, cards_left
from companion.rules.downforce.tables import CARS
from companion.rules.lines import Answer
from companion.views.downforce import parts, words
from companion.views.screen import (
    ANY,
    LINES,
    Choice,
    Choices,
    Dialog,
    Kind,
    Screen,
    Talk,
    any_button,
    at,
    make_key,
    name_of,
    spoken,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit, phrase, wrap


def idle_page(talk: Talk) -> Screen:
    """Own cars with what they cost, and what is easily forgotten: what everybody may see. Any
    button: the own bid and bets for a moment, where there are some; then the rest."""
    if parts.player_of(talk.scene, talk.seat) is None:
        return Screen(talk.say("You do not play."))
    public = (*_cars(talk), *_reminded(talk))[:LINES]
    own = _own_lines(talk)
    onward = talk.turn_to("mine") if own else _rest(talk)
    # Room is left for the secret lines, so that nothing moves when they show. A phone has cars,
    # money and powers in sight beside (`race.cards_of`).
    lines = public[: LINES - len(own)]
    page = Screen(
        fit(_title(talk)), lines, any_button(onward), asks=_title(talk, ANY),
        tells=_to_come(talk, ANY),
    )  # fmt: skip
    return replace(page, face=page, go=talk.say("my bets")) if own else page


def mine_page(talk: Talk) -> Screen:
    """The own bid and bets, for the moment that this page is shown (`dialog.BRIEF_S`)."""
    page, own = idle_page(talk), _own_lines(talk)
    if not own:
        return page
    lines, tells = (*page.lines, *own), (*(page.tells or ()), *_own_lines(talk, ANY))
    return replace(page, lines=lines, tells=tells, choices=any_button(_rest(talk)), go=None)


CUNNING = "cunning"
"""The one power that matters in everybody's turns (DF-POWER-1)."""


def _reminded(talk: Talk) -> tuple[str, ...]:
    """In the auction the money, the powers and the last lot; in the race what is to come."""
    game, player = parts.game_of(talk.scene), parts.player_of(talk.scene, talk.seat)
    powers = player.powers if player else ()
    named = fit(", ".join(words.power_word(power, talk.say) for power in powers))
    paid = talk.say("paid {n}", n=parts.money_of(game, talk.seat).spent)
    lines: tuple[str, ...] = (paid, named, _last_lot(talk))
    if game.phase is Phase.RACE:
        hands, *to_come = _to_come(talk)
        matters = named if CUNNING in powers else ""
        lines = (hands, *(to_come if next_bet(game) else (_money(talk), *to_come)), matters)
    return tuple(line for line in lines if line)


def _to_come(talk: Talk, columns: int = LINE_COLUMNS) -> tuple[str, ...]:
    """The cards left, the next line and who is home; in the auction whose the last lot is."""
    if parts.game_of(talk.scene).phase is not Phase.RACE:
        return (_last_lot(talk, columns),)
    return (parts.hands_line(talk), _next_bet_line(talk, columns), _home_line(talk, columns))


def _last_lot(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """Whose the last lot is that was turned up: "red: Bob, 5"."""
    game = parts.game_of(talk.scene)
    if not game.lots or (owner := game.cars[game.lots[-1].car].owner) is None:
        return ""
    name, car = talk.name_of(owner), game.lots[-1].car
    message = phrase("{car}: {name}, {price}")
    price = game.cars[car].price or 0
    return talk.say.fitting(
        message, columns, name=name, car=words.car_word(car, talk.say), price=price
    )


def _next_bet_line(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """The line that opens the next bet, and what that pays."""
    number = next_bet(parts.game_of(talk.scene))
    if number is None:
        return ""
    pays = [str(n) for n in bet_pays(number)]
    if columns == ANY:
        return talk.say("Line {n} opens a bet: {pays} M$", n=number, pays=", ".join(pays))
    return fit(talk.say("Line {n}: bet {pays}", n=number, pays=" ".join(pays)))


def _home_line(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """The cars that are home, in order; before the first what it will earn."""
    game, say = parts.game_of(talk.scene), talk.say
    home, pays = game.placed(), next_pays(game)
    if not home and columns == ANY and pays is not None:
        return say("The first car home earns {n} M$", n=pays)
    if not home:
        return "" if pays is None else say("first home earns {n}", n=pays)
    return words.home_line(home, say, columns)


def _own_lines(talk: Talk, columns: int = LINE_COLUMNS) -> tuple[str, ...]:
    return tuple(line for line in (_bid(talk), _bets(talk, columns)) if line)


def _rest(talk: Talk) -> Dialog:
    """What else there is to read: the cars, the powers, the money."""
    return talk.turn_to("cars")


def cars_page(talk: Talk) -> Screen:
    """Whose each car is, for how much, its place, and what it has earned; above, once, what the
    next one home earns."""
    game, player = parts.game_of(talk.scene), parts.player_of(talk.scene, talk.seat)
    after = talk.turn_to("power" if player and player.powers else "money")
    title, pays = talk.say("Cars, price"), next_pays(game)
    if game.phase is Phase.RACE:
        title = talk.say("Cars") if pays is None else talk.say("next car home: {n} M$", n=pays)
    rows = [partial(_car_row, talk, car) for car in (game.grid or CARS)]
    return talk.four(title, rows, "cars", after)


def _car_row(talk: Talk, car: str, columns: int) -> str:
    """ "green Bob 5", in the race "green Bob" and once it is home "2. green Bob 9"."""
    game, say = parts.game_of(talk.scene), talk.say
    stands, word = game.cars[car], words.car_word(car, talk.say)
    if game.phase is Phase.RACE:
        place = stands.place
        # The money of the next place beside every car on the road reads as if each had earned it.
        figure, word = (car_pays(game, car), f"{place}. {word}") if place else (None, word)
    else:
        figure = stands.price
    name = "–" if stands.owner is None else talk.name_of(stands.owner)
    end = "" if figure is None else f" {figure}"
    if columns == ANY:
        return f"{word}: {name}" + (f", {figure} M$" if end else "")
    return say.fitting(f"{word} {{name}}{end}", columns, name=name)


WAITING = {
    "hand": phrase("Hands to come: {n}"),
    "bid": phrase("Bids to come: {n}"),
    "bet": phrase("Bets to come: {n}"),
}
TABLE_TITLES = {
    "pole": phrase("The table: the grid"),
    "lot": phrase("The table: next lot"),
    "award": phrase("The table: whose lot"),
    "standing": phrase("The table: the road"),
    "end": phrase("The table: the end"),
}


def _title(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """Who or what the table waits for."""
    scene, say = talk.scene, talk.say
    waiting, ask = secret_round(parts.game_of(scene)), parts.table_ask(scene)
    if waiting:
        return say(WAITING[waiting.kind], n=len(waiting.open))
    if ask:
        return say(TABLE_TITLES[ask.kind])
    if parts.event_ask(scene):
        return say("The race")
    playing = [one.seat for one in scene.asks if isinstance(one.ask, PlayedAsk | CardAsk)]
    if not playing:
        return say("Powers to keep: {n}", n=sum(isinstance(one.ask, KeepAsk) for one in scene.asks))
    return say.fitting("{name} plays", columns, name=name_of(scene, playing[0]))


def _cars(talk: Talk) -> tuple[str, ...]:
    """ "green 4, yellow 5"; many cars in short, on two lines at most."""
    game, say = parts.game_of(talk.scene), talk.say
    cars = {car: game.cars[car].price or 0 for car in game.cars_of(talk.seat)}
    if not cars:
        return (say("no car yet"),)
    whole = ", ".join(f"{words.car_word(car, say)} {price}" for car, price in cars.items())
    if len(whole) <= LINE_COLUMNS:
        return (whole,)
    return wrap(", ".join(f"{words.car_short(car, say)} {price}" for car, price in cars.items()), 2)


def _money(talk: Talk) -> str:
    money = parts.money_of(parts.game_of(talk.scene), talk.seat)
    return talk.say("won {won}, paid {paid}", won=money.race, paid=money.spent)


def _bid(talk: Talk) -> str:
    bid = parts.own_of(talk.scene, talk.seat).bid
    return talk.say("your bid: {n}", n=bid.amount) if bid else ""


def _bets(talk: Talk, columns: int) -> str:
    bets = [bet for bet in parts.own_of(talk.scene, talk.seat).bets if bet in words.CARS_SHORT]
    short = " ".join(words.car_short(bet, talk.say) for bet in bets)
    told = words.car_words(bets, talk.say) if columns == ANY else short
    return talk.say("bets: {cars}", cars=told) if bets else ""


def power_page(talk: Talk) -> Screen:
    """What the seat's power does (DF-POWER-1), a page for each that it has won."""
    player, number = parts.player_of(talk.scene, talk.seat), talk.dialog.number
    powers = player.powers if player else ()
    if number >= len(powers):
        return money_page(talk)
    power, is_last = powers[number], number + 1 == len(powers)
    onward = talk.turn_to("money") if is_last else talk.turn_to("power", number=number + 1)
    return Screen(
        fit(words.power_word(power, talk.say)),
        **spoken(words.reminder(power, parts.game_of(talk.scene).setup, talk.say), LINES),
        choices=any_button(onward),
    )


def money_page(talk: Talk) -> Screen:
    """What everybody has won in the race and paid at the auction: four players a page."""
    game = parts.game_of(talk.scene)
    rows = []
    for seat, player in game.players.items():
        money, named = parts.money_of(game, seat), phrase("{name} {won} −{paid}")
        if game.setup.counts and game.phase is Phase.RACE:
            named = phrase("{name} {won} −{paid}, {cards} c")
        row = partial(
            talk.say.fitting, named, name=player.name, won=money.race, paid=money.spent,
            cards=cards_left(game, seat),
        )  # fmt: skip
        rows.append(row)
    return talk.four(talk.say("Won and paid, M$"), rows, "money", talk.home())


# -- a race of which the table tells what happens -------------------------------------------------


HOME_PAGE = "home"


def events_page(talk: Talk) -> Screen:
    """What may be told, on 1, 3 and 5; what there is to read, on 2, 4 and 6."""
    ask, game, say = parts.event_ask(talk.scene), parts.game_of(talk.scene), talk.say
    choices: dict[int, Choice | None] = {5: to_page(say("end"), talk.turn_to("end"), "more")}
    number = next_bet(game)
    if ask and len(ask.lines) > 1:
        n = game.lines + 1
        hint, full = say("{n} of {all}", n=n, all=tables.LINES), say("Line {n} is crossed", n=n)
        choices[1] = Choice(make_key(say("line"), hint, full=full), _happened(1))
    if ask and ask.cars and number is None:  # before the last line none is home
        pays = next_pays(game)
        hint = "" if pays is None else say("pays {n}", n=pays)
        choices[3] = to_page(say("home"), talk.turn_to(HOME_PAGE), "more", hint)
    choices[2] = to_page(say("cars"), talk.turn_to("cars"))
    if _own_lines(talk):
        choices[4] = to_page(say("bets"), talk.turn_to("mine"))
    player = game.players.get(talk.seat)
    if player and player.powers:
        choices[6] = Choice(words.power_key(player.powers[0], say), then=talk.turn_to("power"))
    title = _next_bet_line(talk) if number else say("Who is home?")
    whole = _next_bet_line(talk, ANY)
    kind: Kind | None = "cars" if choices.get(3) else None
    row = _row(talk, choices)
    home, tells = _home_line(talk), (_home_line(talk, ANY),)
    return Screen(title, (home,), at(choices), asks=whole, tells=tells, row=row, kind=kind)


def _row(talk: Talk, keys: Mapping[int, Choice | None]) -> Choices:
    """What a phone lists: what may be told in one touch each, the own cars first; then the rest."""
    ask, game = parts.event_ask(talk.scene), parts.game_of(talk.scene)
    cars = ask.cars if ask and keys.get(3) else ()
    homes = [
        Choice(parts.car_key(talk, car), _happened(0, car), about={"paint": car})
        for car in sorted(cars, key=lambda car: game.cars[car].owner != talk.seat)
    ]
    return (keys.get(1), *homes, *(keys.get(button) for button in (2, 4, 6, 5)))


def home_page(talk: Talk) -> Screen:
    """The car that is over the line now."""
    ask = parts.event_ask(talk.scene)
    cars = ask.cars if ask else ()
    choices = {
        car: Choice(parts.car_key(talk, car), _happened(0, car)) for car in CARS if car in cars
    }
    return Screen(talk.say("Which car is home?"), choices=parts.of_cars(choices))


def _happened(lines: int, *finished: str) -> tuple[Answer, ...]:
    return (Answer(parts.TABLE, PlayedAsk.kind, {"lines": lines, "finished": list(finished)}),)
