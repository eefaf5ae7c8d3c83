"""Downforce at the table: its pages by what is going on, its menu, its end, its story.

At the end stand one's own score sheet, then everybody's total (DF-PAY-3). The story tells each
event as one sentence; what is secret is in none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.rules.downforce import game as rules
from companion.rules.downforce.asks import LotAsk
from companion.rules.downforce.bets import classification
from companion.rules.downforce.header import secret_round
from companion.rules.downforce.state import Phase, State
from companion.rules.game import Ask
from companion.views import pages, screen
from companion.views.downforce import auction, car, race
from companion.views.downforce.options import DOWNFORCE
from companion.views.downforce.parts import (
    end_ask,
    event_ask,
    game_of,
    money_of,
    player_of,
    table_ask,
)
from companion.views.downforce.words import (
    CARS,
    POWERS,
    bet_word,
    car_word,
    car_words,
    card_word,
    power_word,
)
from companion.views.model import JSON, Scene
from companion.views.pages import after_page, leave_screen, menu2_screen, menu_screen
from companion.views.words import LANGUAGES, LINE_COLUMNS, Words, fit, phrase, read_texts, words

# -- the end --------------------------------------------------------------------------------------


def result_page(talk: screen.Talk) -> screen.Screen:
    """The seat's sheet; what its cars and bets brought; the totals; then what now. Any button
    turns."""
    game, page = game_of(talk.scene), talk.dialog.number
    rows, brought = classification(game), _brought_rows(talk)
    onward = screen.any_button(talk.turn_to("result", number=page + 1))
    if page == 0:
        return _sheet_page(talk, onward)
    parts = -(-len(brought) // screen.LINES)
    if page <= parts:
        four = brought[(page - 1) * screen.LINES : page * screen.LINES]
        return screen.Screen(talk.say("What brought what"), tuple(four), onward, go="")
    page -= parts
    if page > -(-len(rows) // screen.LINES):
        return after_page(talk)
    lines = [
        talk.say.fitting(
            "{place}. {name} {total}",
            LINE_COLUMNS,
            place=place,
            name=talk.name_of(seat),
            total=signed(money_of(game, seat).total),
        )
        for place, seat in rows[(page - 1) * screen.LINES : page * screen.LINES]
    ]
    return screen.Screen(talk.say("Totals in M$"), tuple(lines), onward, go="")


def finish_of(talk: screen.Talk) -> JSON:
    """The end on one page: everybody's total with what it is made of, and what the seat's own cars
    and bets brought."""
    game, say = game_of(talk.scene), talk.say
    rows = []
    for place, seat in classification(game):
        money = money_of(game, seat)
        sheet = (say("race {n}", n=signed(money.race)), say("bets {n}", n=signed(money.bets_won)),
                 say("auction {n}", n=signed(-money.spent)))  # fmt: skip
        rows.append({
            "place": place, "seat": seat, "name": talk.name_of(seat), "out": False,
            "says": " · ".join(sheet), "money": signed(money.total), "cars": game.cars_of(seat),
        })  # fmt: skip
    race, brought = talk.scene.race, _brought_rows(talk)
    return {"race": race, "rows": rows, "teams": [], "brought": brought}


def _brought_rows(talk: screen.Talk) -> list[str]:
    """Each own car with place, money and price, then each bet of the last race with its money."""
    game, say = game_of(talk.scene), talk.say
    rows: list[str] = []
    if talk.seat not in game.players:  # a seat with buttons that is not in the game sees its end
        return rows
    for name in game.cars_of(talk.seat):
        car = game.cars[name]
        earned, paid = rules.car_brought(game, name) + (car.price or 0), car.price or 0
        place = say("P{place}", place=car.place) if car.place else "–"
        rows.append(f"{car_word(name, say)} {place}: {earned} − {paid}")
    for number, money in enumerate(rules.bets_brought(game, talk.seat), 1):
        bet = game.players[talk.seat].bets[number - 1]
        rows.append(say("bet {n}: {car} {money}", n=number, car=bet_word(bet, say), money=money))
    return [fit(row) for row in rows]


def _sheet_page(talk: screen.Talk, onward: screen.Choices) -> screen.Screen:
    """Race, bets and auction as on the sheet of paper, total above, place beside."""
    game, say = game_of(talk.scene), talk.say
    money = money_of(game, talk.seat)
    place = next(place for place, seat in classification(game) if seat == talk.seat)
    why = (say("first home has won"),) if rules.money_disagrees(game) else ()
    return screen.Screen(
        say("Your total: {n} M$", n=signed(money.total)),
        (
            say("race {n}", n=signed(money.race)),
            say("bets {n}", n=signed(money.bets_won)),
            say("auction {n}", n=signed(-money.spent)),
            *why,
        ),
        big=say("P{place}", place=place),
        choices=onward,
        go="",
    )


def signed(money: int) -> str:
    """Millions as they stand on a sheet, with a true minus.

    >>> signed(-9), signed(11)
    ('−9', '11')
    """
    return str(money).replace("-", "−")


# -- the menu -------------------------------------------------------------------------------------


ASKS = screen.words_of_asks(Path(__file__).with_name("asks.toml"))
PAGES: screen.Pages = {**auction.PAGES, **race.PAGES}
"""What the whole table is asked is on the host's screen by itself, on the others' by the menu."""

LEFT = phrase("left from the seat")
"""The reason that the record gets, and the story tells in every language."""


def menu_page(talk: screen.Talk) -> screen.Screen:
    """Money, power, language, pause; more: link, steward, leaving, the end, the table's asks."""
    say, player = talk.say, player_of(talk.scene, talk.seat)
    power = (
        screen.to_page(say("power"), talk.turn_to("power")) if player and player.powers else None
    )
    return menu_screen(talk, screen.to_page(say("money"), talk.turn_to("money")), power)


def menu2_page(talk: screen.Talk) -> screen.Screen:
    """The rarer things."""
    say, player = talk.say, player_of(talk.scene, talk.seat)
    keys = {}
    if game_of(talk.scene).phase is not Phase.FINISHED and player and not player.left:
        keys[3] = screen.to_page(say("leave"), talk.turn_to("retire"))
    if end_ask(talk.scene):
        keys[4] = screen.to_page(say("end"), talk.turn_to("end"))
    if table_ask(talk.scene):
        keys[5] = screen.to_page(say("table"), talk.turn_to("table"))
    return menu2_screen(talk, keys)


def _table_page(talk: screen.Talk) -> screen.Screen:
    """What the table is asked, answered from any seat."""
    return _page_of(talk, table_ask(talk.scene))


def _serve_page(talk: screen.Talk) -> screen.Screen:
    """What a bot needs a person for, on the host's screen."""
    serving = race.served(talk) or talk
    return _page_of(serving, serving.ask)


def _page_of(talk: screen.Talk, ask: Ask | None) -> screen.Screen:
    if ask is None:
        return screen.Screen(talk.say("Nobody is asked."), choices=screen.at({6: talk.back()}))
    return PAGES[ask.kind, ""](talk)


def retire_page(talk: screen.Talk) -> screen.Screen:
    """Asked again before somebody leaves the table."""
    say = talk.say
    text = say("Your hand is put aside, your cars race on.")
    return leave_screen(talk, say("Really leave?"), text, say("leave"), LEFT)


# -- the story ------------------------------------------------------------------------------------


QUIET = frozenset({"TurnBegan", "BidMade", "BetMade", "CardLeftHand"})
"""Who has answered in secret is told as long as it matters, by who has not."""


def _lot(event: screen.Event) -> str:
    if event.get("again"):
        return "again"
    return "" if event.get("power") else "bare"


OUTCOMES: screen.Outcomes = {
    "LotTurned": _lot,
    "CarDealt": lambda event: "" if event.get("seat") else "over",
    "CardPlayed": lambda event: "lines" if event.get("lines") else "",
    "HandsRevealed": lambda event: "" if any(event.get("hands", {}).values()) else "empty",
    "RaceEnded": lambda event: "" if event.get("order") else "nobody",
}


def _parts(event: screen.Event, scene: Scene, say: Words) -> dict[str, object]:
    seat = event.get("seat") or 0
    return {key: value for key, value in event.items() if key != "seat"} | {
        "name": screen.name_of(scene, seat) if seat else say("the table"),
        "names": ", ".join(screen.name_of(scene, one) for one in event.get("seats") or ()),
        "car": car_word(str(event.get("car") or ""), say),
        "cars": car_words(event.get("order") or (), say),
        "card": card_word(event.get("card") or (), say),
        "hands": _hands(event, scene, say),
        "power": power_word(event.get("power"), say),
        "bids": _bids(event, scene),
        "reason": say(LEFT) if event.get("reason") == LEFT else event.get("reason"),
        "bets": _bets(event, scene, say),
    }


def _bids(event: screen.Event, scene: Scene) -> str:
    """ "Ana 6, Bob 4", from an event of the reveal."""
    bids = event.get("bids") or {}
    return ", ".join(
        f"{screen.name_of(scene, int(seat))} {bid['amount']}" for seat, bid in bids.items()
    )


def _hands(event: screen.Event, scene: Scene, say: Words) -> str:
    """ "Bot red 6, wild 2; blue 4", from an event of the reveal."""
    hands = event.get("hands") or {}
    return " · ".join(
        f"{screen.name_of(scene, int(seat))} {'; '.join(card_word(card, say) for card in cards)}"
        for seat, cards in hands.items()
        if cards
    )


def _bets(event: screen.Event, scene: Scene, say: Words) -> str:
    """ "Ana red, blue; Bob red", from an event of the reveal."""
    bets = [
        f"{screen.name_of(scene, int(seat))} {_cars_bet_on(cars, say)}"
        for seat, cars in (event.get("bets") or {}).items()
    ]
    return "; ".join(bets)


def _cars_bet_on(bets: list[str | None], say: Words) -> str:
    return ", ".join(bet_word(bet, say) for bet in bets)


STORY = screen.Story(Path(__file__).with_name("story.toml"), OUTCOMES, _parts, QUIET)


# -- what goes on, and what the page reads --------------------------------------------------------


ANYWHERE: Mapping[str, screen.Page] = {
    "car": car.idle_page,
    "mine": car.mine_page,
    "cars": car.cars_page,
    "power": car.power_page,
    "money": car.money_page,
    "menu": menu_page,
    "menu2": menu2_page,
    "table": _table_page,
    "end": race.end_page,
    "retire": retire_page,
}


def topic(talk: screen.Talk) -> str:
    """What is going on for a seat in a game that goes on, the most pressing first."""
    if talk.ask:
        return VIEWS.topic_of(talk.ask.kind)
    ask = table_ask(talk.scene)
    # A lot is entered by whoever has won it, or sees it first.
    if ask and (talk.info.host or (isinstance(ask, LotAsk) and talk.seat in _playing(talk))):
        return ask.kind
    if race.served(talk):
        return "serve"
    if pages.waits(talk):
        return "others"
    if pages.dead_seat(talk):
        return "dead"
    if race.played_card(talk.scene):
        return "turned-up"
    return "events" if event_ask(talk.scene) else "car"


def _paints(scene: Scene, seat: int) -> tuple[str, ...]:
    """The cars that a seat has bought: a seat's own color would be somebody else's car."""
    return tuple(scene.state.cars_of(seat)) if isinstance(scene.state, State) else ()


def _playing(talk: screen.Talk) -> list[int]:
    players = game_of(talk.scene).players
    return [seat for seat, player in players.items() if not player.left]


def _of_table(scene: Scene) -> dict[str, object]:
    """The name of the game, and who has answered what is asked in secret, not what."""
    secret = secret_round(scene.state) if isinstance(scene.state, State) else None
    view = secret and {"kind": secret.kind, "answered": [*secret.answered], "open": [*secret.open]}
    outlook, card = _outlook(scene.state), _card(scene)
    return {"title": DOWNFORCE.title, "secret": view, "outlook": outlook, "card": card}


def _card(scene: Scene) -> dict[str, object] | None:
    """The card of a bot that lies open, with what its power does in every language."""
    found = race.played_card(scene)
    if found is None:
        return None
    seat, card = found
    powers = {code: race.power_reminder(scene, seat, words(code)) for code in LANGUAGES}
    return {"seat": seat, "lines": [list(line) for line in card], "power": powers}


def _outlook(state: object) -> dict[str, object] | None:
    """What is to come, and what each car earns; of a race that is over what each bet brought."""
    if not isinstance(state, State):
        return None
    # While a bet is made its money is what people weigh, not that of the line after.
    number, is_over = rules.asked_bet(state) or rules.next_bet(state), state.phase is Phase.FINISHED
    outlook: dict[str, object] = {
        "bet": None if number is None or is_over else _bet(number),
        "earns": {car: None if is_over and not state.cars[car].place else
                  rules.car_pays(state, car) for car in state.cars},
    }  # fmt: skip
    if is_over:
        brought = {str(seat): rules.bets_brought(state, seat) for seat in state.players}
        outlook["brought"] = {seat: [*money] for seat, money in brought.items()}
        outlook["disagrees"] = rules.money_disagrees(state)
    return outlook


def _bet(number: int) -> dict[str, object]:
    return {"line": number, "pays": [*rules.bet_pays(number)]}


def _summary(state: object) -> tuple[str, dict[int, str]]:
    """A score sheet a line (DF-PAY-3); what is not revealed yet is a question mark."""
    assert isinstance(state, State), "no game of Downforce"
    lines = {}
    for seat, player in state.players.items():
        money = money_of(state, seat)
        won, total = ("?", "?")
        if state.phase is Phase.FINISHED:
            won, total = str(money.bets_won), str(money.total)
        sheet = f"race {money.race} bets_won {won} spent {money.spent} total {total}"
        lines[seat] = f"{player.name:<20} {sheet}  {' '.join(state.cars_of(seat))}"
    return state.phase, lines


VIEWS = screen.GameViews(
    names={"car": CARS, "power": POWERS},
    asks=ASKS,
    pages={
        **PAGES,
        ("car", ""): car.idle_page,
        ("turned-up", ""): race.card_page,
        ("serve", ""): _serve_page,
        ("events", ""): car.events_page,
        ("events", car.HOME_PAGE): car.home_page,
        ("finished", ""): result_page,
    },
    anywhere=ANYWHERE,
    topic=topic,
    story=STORY,
    of_table=_of_table,
    summary=_summary,
    cards=race.cards_of,
    finish=finish_of,
    paints=_paints,
    refusals=lambda: read_texts(Path(__file__).with_name("refusals.toml"))["refusals"],
)
