"""A seat that is asked nothing: its cars, its money, its power, and the bets that only it sees.

What several pages of Downforce are made of: a key for a car, an order of cars, a closed face.

What a view reads off a game of Downforce: players, the table's own asks, one's own secrets.

A race of which the table tells what happens: a line, a car that is home, nobody can move.

Any seat may tell it. Beside the keys stands what people forget: the next line and what its bet
pays, who is home, what the next car earns. The cars, the own bets and the power are a key away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from companion.rules.downforce import tables
from companion.rules.downforce.asks import (
    AwardAsk,
    CardAsk,
    EndAsk,
    KeepAsk,
    LotAsk,
    PlayedAsk,
    PoleAsk,
    StandingAsk,
)
from companion.rules.downforce.bets import sheets
from companion.rules.downforce.game import bet_pays, car_pays, next_bet, next_pays
from companion.rules.downforce.header import Own, secret_round
from companion.rules.downforce.state import Phase, Player, Sheet, State, cards_left
from companion.rules.downforce.tables import CARS
from companion.rules.game import Ask
from companion.rules.lines import Answer
from companion.views.downforce import words
from companion.views.model import Key, Mark, Scene
from companion.views.screen import (
    LINES,
    Choice,
    Choices,
    Dialog,
    Screen,
    Talk,
    any_button,
    asked,
    at,
    four,
    make_key,
    name_of,
    spoken,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit, phrase, wrap

# -- car ------------------------------------------------------------------------------------------


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
    named = fit(", ".join(words.power_word(power, talk.say) for power in powers))
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
        message, LINE_COLUMNS, name=name, car=words.car_word(car, talk.say), price=price
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
    return fit(say("home: {cars}", cars=words.cars_within(home, room, say)))


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
    told, word = game.cars[car], words.car_word(car, talk.say)
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
    whole = ", ".join(f"{words.car_word(car, say)} {price}" for car, price in cars.items())
    if len(whole) <= LINE_COLUMNS:
        return (whole,)
    return wrap(", ".join(f"{words.car_short(car, say)} {price}" for car, price in cars.items()), 2)


def _money(talk: Talk) -> str:
    money = money_of(game_of(talk.scene), talk.seat)
    return talk.say("won {won}, paid {paid}", won=money.race, paid=money.spent)


def _bid(talk: Talk) -> str:
    bid = own_of(talk.scene, talk.seat).bid
    return talk.say("your bid: {n}", n=bid.amount) if bid else ""


def _bets(talk: Talk) -> str:
    bets = own_of(talk.scene, talk.seat).bets
    short = " ".join(words.car_short(bet, talk.say) for bet in bets if bet in words.CARS_SHORT)
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
        fit(words.power_word(power, talk.say)),
        **spoken(words.reminder(power, game_of(talk.scene).setup, talk.say), LINES),
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


# -- parts ----------------------------------------------------------------------------------------


PICK = "pick"
"""The page of an answer that is being put together."""


def car_key(talk: Talk, car: str, hint: str = "", mark: Mark = "") -> Key:
    """The key of a car."""
    return make_key(words.car_word(car, talk.say), hint, mark)


def question(talk: Talk, whole: str, short: str) -> str:
    """A title: the whole question; behind the name of who is answered for its short form."""
    return asked(talk, short) if talk.dialog.target else fit(whole)


def of_cars(choices: Mapping[str, Choice]) -> tuple[Choice | None, ...]:
    """Each car on its own button; the button of a car that is not on offer is free."""
    return at({button: choices.get(car) for button, car in enumerate(CARS, 1)})


def in_fresh_order(talk: Talk, choices: Mapping[str, Choice], since: int) -> Choices:
    """Cars on real buttons, on which everybody sees a finger: for each question in another order.

    The order follows from the seat's own link, which nobody else knows.
    """
    if not talk.info.buttons:
        return of_cars(choices)

    def drawn(car: str) -> bytes:
        return blake2b(f"{talk.info.link} {talk.who} {since} {car}".encode()).digest()

    return at({button: choices.get(car) for button, car in enumerate(sorted(CARS, key=drawn), 1)})


def page_of(talk: Talk) -> str:
    """The page to stay on while an answer is put together."""
    return talk.dialog.page or PICK


def for_table(talk: Talk) -> Talk:
    """The same with what the whole table is asked at hand."""
    return replace(talk, for_table=True)


def picked_key(talk: Talk, car: str, page: str) -> Choice:
    """The key of a car that has its place already: pressed once more, it has none."""
    picked = talk.dialog.picked
    key = make_key(str(picked.index(car) + 1), words.car_word(car, talk.say))
    rest = tuple(other for other in picked if other != car)
    return Choice(key, then=talk.turn_to(page, picked=rest))


def order_page(
    talk: Talk, kind: str, title: str, cars: Sequence[str] = CARS, before: Sequence[str] = ()
) -> Screen:
    """These cars in an order, a press each; a car pressed by mistake is pressed once more.

    `before` is how they stood: the next of them is marked, as of an order that was taken back.
    """
    picked = talk.dialog.picked
    old = talk.scene.old.get((TABLE, kind), list(before))
    choices: dict[str, Choice] = {}
    for car in cars:
        if car in picked:
            choices[car] = picked_key(talk, car, page_of(talk))
            continue
        then = (*picked, car)
        was_next = isinstance(old, list) and old[: len(then)] == list(then)
        key = car_key(talk, car, mark="old" if was_next else "")
        if len(then) == len(cars):
            choices[car] = Choice(key, (Answer(TABLE, kind, list(then)),))
        else:
            choices[car] = Choice(key, then=talk.turn_to(page_of(talk), picked=then))
    return Screen(title, choices=of_cars(choices))


def closed_face(talk: Talk) -> Screen:
    """What everybody else sees of a seat that answers in secret; the same all through it."""
    name = name_of(talk.scene, talk.who)
    title = talk.say.fitting("{name} answers", LINE_COLUMNS, name=name)
    return Screen(title, (talk.say("in secret"),))


# -- facts ----------------------------------------------------------------------------------------


TABLE = 0
"""The seat of what the whole table is asked."""


def game_of(scene: Scene) -> State:
    """The game, for a page that is shown in one only."""
    assert isinstance(scene.state, State), "no game of Downforce is on the table"
    return scene.state


def player_of(scene: Scene, seat: int) -> Player | None:
    """A player; None for a seat that does not play."""
    return game_of(scene).players.get(seat)


def table_ask(scene: Scene) -> Ask | None:
    """What the table is asked and everybody waits for; None for nothing.

    The end of a race, which is asked all through it, is that only where nothing else is asked:
    the cards are all played.
    """
    asks = [one.ask for one in scene.asks if one.seat == TABLE]
    waiting = (ask for ask in asks if isinstance(ask, PoleAsk | LotAsk | AwardAsk | StandingAsk))
    return next(waiting, asks[0] if len(scene.asks) == 1 and asks else None)


def told_ask(scene: Scene) -> PlayedAsk | None:
    """What the table may tell while nobody is asked for a card (`house.cards` "events")."""
    asks = (one.ask for one in scene.asks if one.seat == TABLE)
    return next((ask for ask in asks if isinstance(ask, PlayedAsk)), None)


def end_ask(scene: Scene) -> EndAsk | None:
    """The ask that ends a race; None before and after it."""
    return next((one.ask for one in scene.asks if isinstance(one.ask, EndAsk)), None)


def own_of(scene: Scene, seat: int) -> Own:
    """The bets that a seat has made and its bid that lies face down, for its own screen."""
    own = scene.own.get(seat)
    return own if isinstance(own, Own) else Own(bets=())


def money_of(state: State, seat: int) -> Sheet:
    """What a seat has won and paid over all races so far; bets count once they are revealed."""
    every = sheets(state, seat)
    race, won = sum(one.race for one in every), sum(one.bets_won for one in every)
    return Sheet(race=race, bets_won=won, spent=sum(one.spent for one in every))


# -- told -----------------------------------------------------------------------------------------


HOME_PAGE = "home"


def told_page(talk: Talk) -> Screen:
    """What may be told, on 1, 3 and 5; what there is to read, on 2, 4 and 6."""
    ask, game, say = told_ask(talk.scene), game_of(talk.scene), talk.say
    choices: dict[int, Choice | None] = {5: to_page(say("end"), talk.turn_to("end"), "more")}
    number = next_bet(game)
    if ask and len(ask.lines) > 1:
        hint = say("{n} of {all}", n=game.lines + 1, all=tables.LINES)
        choices[1] = Choice(make_key(say("line"), hint), _told(1))
    if ask and ask.cars:
        pays = next_pays(game)
        hint = "" if pays is None else say("pays {n}", n=pays)
        choices[3] = to_page(say("home"), talk.turn_to(HOME_PAGE), "more", hint)
    choices[2] = to_page(say("cars"), talk.turn_to("cars"))
    if own_lines(talk):
        choices[4] = to_page(say("bets"), talk.turn_to("mine"))
    player = game.players.get(talk.seat)
    if player and player.powers:
        choices[6] = to_page(words.power_key(player.powers[0], say), talk.turn_to("power"))
    title = next_bet_line(talk) if number else say("Who is home?")
    return Screen(title, (home_line(talk),), at(choices))


def home_page(talk: Talk) -> Screen:
    """The car that is over the line now."""
    ask = told_ask(talk.scene)
    cars = ask.cars if ask else ()
    choices = {name: Choice(car_key(talk, name), _told(0, name)) for name in CARS if name in cars}
    return Screen(talk.say("Which car is home?"), choices=of_cars(choices))


def _told(lines: int, *finished: str) -> tuple[Answer, ...]:
    return (Answer(TABLE, PlayedAsk.kind, {"lines": lines, "finished": list(finished)}),)
