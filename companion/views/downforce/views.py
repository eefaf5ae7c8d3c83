"""Downforce at the table: its pages by what is going on, and its part of the page."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.downforce import outlook
from companion.rules.downforce.public import secret_round
from companion.rules.downforce.state import Phase, State
from companion.views.downforce import car, cards, end, menu, race, told
from companion.views.downforce.facts import money_of, table_ask, told_ask
from companion.views.downforce.options import DOWNFORCE
from companion.views.downforce.story import STORY
from companion.views.downforce.words import REFUSALS
from companion.views.games import GameViews, Page
from companion.views.model import Scene
from companion.views.seat import dead, others
from companion.views.seat.core import Talk
from companion.views.words import LANGUAGES, words

ANYWHERE: Mapping[str, Page] = {
    "car": car.idle_page,
    "mine": car.mine_page,
    "cars": car.cars_page,
    "power": car.power_page,
    "money": car.money_page,
    "menu": menu.menu_page,
    "menu2": menu.menu2_page,
    "table": menu.table_page,
    "end": race.end_page,
    "retire": menu.retire_page,
}


def topic(talk: Talk) -> str:
    """What is going on for a seat in a game that goes on, the most pressing first."""
    if talk.ask:
        return VIEWS.topic_of(talk.ask.kind)
    ask = table_ask(talk.scene)
    if ask and talk.info.host:
        return ask.kind
    if cards.served(talk):
        return "serve"
    if others.waits(talk):
        return "others"
    if dead.dead_seat(talk):
        return "dead"
    if cards.played_card(talk.scene):
        return "turned-up"
    return "told" if told_ask(talk.scene) else "car"


def _of_table(scene: Scene) -> dict[str, object]:
    """The name of the game, and who has answered what is asked in secret, not what."""
    secret = secret_round(scene.state) if isinstance(scene.state, State) else None
    view = secret and {"kind": secret.kind, "answered": [*secret.answered], "open": [*secret.open]}
    outlook, card = _outlook(scene.state), _card(scene)
    return {"title": DOWNFORCE.title, "secret": view, "outlook": outlook, "card": card}


def _card(scene: Scene) -> dict[str, object] | None:
    """The card of a bot that lies open, with what its power does in every language."""
    found = cards.played_card(scene)
    if found is None:
        return None
    seat, card = found
    powers = {code: cards.power_reminder(scene, seat, words(code)) for code in LANGUAGES}
    return {"seat": seat, "lines": [list(line) for line in card], "power": powers}


def _outlook(state: object) -> dict[str, object] | None:
    """What is to come, and what each car earns; of a race that is over what each bet brought."""
    if not isinstance(state, State):
        return None
    number, is_over = outlook.next_bet(state), state.phase is Phase.FINISHED
    told: dict[str, object] = {
        "bet": None if number is None or is_over else _bet(number),
        "earns": {car: None if is_over and not state.cars[car].place else
                  outlook.car_pays(state, car) for car in state.cars},
    }  # fmt: skip
    if is_over:
        brought = {str(seat): outlook.bets_brought(state, seat) for seat in state.players}
        told["brought"] = {seat: [*money] for seat, money in brought.items()}
        told["disagrees"] = outlook.money_disagrees(state)
    return told


def _bet(number: int) -> dict[str, object]:
    return {"line": number, "pays": [*outlook.bet_pays(number)]}


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


VIEWS = GameViews(
    asks=menu.ASKS,
    pages={
        ("car", ""): car.idle_page,
        ("turned-up", ""): cards.card_page,
        ("serve", ""): menu.serve_page,
        ("told", ""): told.told_page,
        ("told", told.HOME_PAGE): told.home_page,
        ("finished", ""): end.result_page,
    },
    anywhere=ANYWHERE,
    topic=topic,
    story=STORY,
    of_table=_of_table,
    summary=_summary,
    cards=cards.cards_of,
    refusals=REFUSALS,
)
