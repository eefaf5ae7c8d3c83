"""A bot at a table of Downforce: the lobby gives it a seat, the host does what it cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.downforce.evening import NAMES, Evening
from support.downforce.table import CARS
from support.tables.sitting import phone

from companion.rules.games import NAMES as GAMES
from companion.rules.lines import Illegal, Malformed
from companion.table.lobby import act, header_of, host_of
from companion.views import options
from companion.views.dialog import press, show
from companion.views.model import Lobby, Scene, SeatInfo, SetUp
from companion.views.screen import HOME

BOT = 3
HAND = [[["red", 6], ["green", 4]]] * 13 + [[["blue", 3], ["wild", 2]]]


def lobby(*words: tuple[str, int | None, Any]) -> Lobby:
    """Ana and Bob want to play Downforce."""
    levels = {"downforce": ("learner", "racer")}
    made = Lobby(games=GAMES, levels=levels)
    known = (("join", 1, "Ana"), ("join", 2, "Bob"), ("game", None, "downforce"))
    for word, seat, value in (*known, *words):
        made = act(made, word, seat, value)
    return made


def setting(made: Lobby, name: str) -> str:
    return next(
        options.value_of(made, one).name for one in options.switches(made) if one.name == name
    )


# -- the lobby ------------------------------------------------------------------------------


def test_a_bot_of_downforce_takes_a_seat_and_sets_what_it_needs() -> None:
    with_bot = lobby(("bot", BOT, "racer"))
    assert (setting(lobby(), "auction"), setting(lobby(), "cards")) == ("entered", "events")
    assert (setting(with_bot, "auction"), setting(with_bot, "cards")) == ("secret", "counted")
    header = header_of(with_bot)
    assert header["seats"][-1]["bot"] == "racer"
    assert header["house"] == {"auction": "secret", "cards": "counted"}
    assert "dice" not in header, "there are none"
    without = act(with_bot, "leave", BOT, None)
    assert (setting(without, "auction"), setting(without, "cards")) == ("entered", "events")


def test_what_a_bot_needs_is_not_set_otherwise_while_it_sits_there() -> None:
    with_bot = lobby(("bot", BOT, "racer"))
    with pytest.raises(Illegal, match="with a bot that is 'secret'; take the bot out first"):
        act(with_bot, "switch", None, {"name": "auction", "value": "entered"})
    again = act(with_bot, "switch", None, {"name": "auction", "value": "secret"})
    assert header_of(again) == header_of(with_bot)


def test_a_level_that_does_not_play_downforce_is_refused_with_those_that_do() -> None:
    with pytest.raises(Malformed, match="learner, racer"):
        lobby(("bot", BOT, "champion"))


def test_a_bot_whose_level_does_not_play_the_next_game_gives_its_seat_free() -> None:
    formula = act(lobby(), "game", None, "formula-d")
    champion = act(formula, "bot", 4, "champion")
    racer = act(champion, "bot", 5, "racer")
    again = act(racer, "game", None, "downforce")
    assert (again.seats, again.bots) == ((1, 2, 5), {5: "racer"})


def test_the_host_is_the_first_who_is_no_bot() -> None:
    made = act(Lobby(games=GAMES), "game", None, "downforce")
    made = act(act(made, "bot", 4, "learner"), "join", 2, "Bob")
    assert (made.seats[0], host_of(made)) == (4, 2)
    assert host_of(act(made, "leave", 2, None)) is None


def test_the_host_gives_a_bot_a_seat_on_six_keys_and_takes_it_away_again() -> None:
    scene = Scene(0, tuple(SeatInfo(n, NAMES[n - 1], host=n == 1) for n in (1, 2)), lobby=lobby())
    dialog = HOME
    for button in (6, 4):
        dialog, _ = press(scene, 1, dialog, button)
    assert show(scene, 1, dialog).title == "A bot of which level?"
    labels = [key.label if key else "" for key in show(scene, 1, dialog).keys]
    assert labels == ["learner", "racer", "", "", "", "back"]
    assert press(scene, 1, dialog, 2)[1] == (SetUp("bot", "racer", BOT),)
    seated = Scene(0, scene.seats, lobby=lobby(("bot", BOT, "racer")))
    assert press(seated, 1, dialog, 3)[1] == (SetUp("leave", None, BOT),)
    assert show(seated, 2, press(seated, 2, HOME, 1)[0]).title != "A bot of which level?"


# -- what the host does for it --------------------------------------------------------------


def header() -> dict[str, Any]:
    seats = [
        {"seat": 1, "name": "Racer", "bot": "racer"},
        {"seat": 2, "name": "Ana"},
        {"seat": BOT, "name": "Bob"},
    ]
    house = {"auction": "secret", "cards": "counted"}
    return {"game": "downforce", "track": None, "seats": seats, "house": house}


@pytest.fixture
def evening() -> Iterator[Evening]:
    """A bot sits at the first seat, so Ana is the host; the cars stand on the grid."""
    made = Evening(header())
    assert made.says(phone(2), {"seat": 0, "pole": CARS}).status == 200
    yield made
    made.close()


def test_the_host_enters_the_hand_of_a_bot_and_takes_it_back(evening: Evening) -> None:
    line = {"seat": 1, "hand": {"cards": HAND}}
    assert evening.says(phone(BOT), line).status == 403, "another seat is not asked"
    assert evening.says(phone(2), line).status == 200
    assert [ask["kind"] for ask in evening.asks] == ["lot"]
    assert evening.says(phone(2), {"table": "take-back", "seat": 2}).status == 200
    assert [(ask["seat"], ask["kind"]) for ask in evening.asks] == [(1, "hand")]
    assert evening.says(phone(BOT), {"table": "take-back", "seat": BOT}).status == 409


def test_a_hand_that_lacks_a_card_is_refused_and_asked_on(evening: Evening) -> None:
    reply = evening.says(phone(2), {"seat": 1, "hand": {"cards": HAND[1:]}})
    assert reply.status == 400
    assert reply.body["error"]["message"] == "the hand has 14 cards, not 13"
    assert [(ask["seat"], ask["kind"]) for ask in evening.asks] == [(1, "hand")]
