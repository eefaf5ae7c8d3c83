"""A bot of Downforce on the screens: its hand on six keys, its card, and who serves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from support.downforce.scenes import BOT, DEALT, bot_plays, with_a_bot
from support.screens.widths import cut, pages, too_wide

from companion.rules.lines import Answer
from companion.views.dialog import press, public_face, show
from companion.views.model import Scene
from companion.views.page import seat_view, table_view
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES

LONG = [["black", 6], ["yellow", 5], ["orange", 4], ["green", 3], ["wild", 2], ["blue", 1]]
SHORT = [["red", 3], ["wild", 1]]


def after(scene: Scene, seat: int, buttons: Sequence[int], dialog: Dialog = HOME) -> Dialog:
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
        assert not intents, intents
    return dialog


def labels(scene: Scene, seat: int, dialog: Dialog = HOME) -> list[str]:
    return [key.label if key else "" for key in show(scene, seat, dialog).keys]


# -- the hand -------------------------------------------------------------------------------


def test_a_hand_is_entered_on_the_hosts_six_keys_two_presses_a_line() -> None:
    scene = with_a_bot().scene()
    assert show(scene, 1).title == "Fay: card 1/7"
    one = after(scene, 1, (6,))
    assert show(scene, 1, one).title == "Fay: red?"
    three = after(scene, 1, (6, 3, 4, 5, 1, 2))
    assert show(scene, 1, three).lines == ("red 3, yellow 5,", "black 2")


def test_a_car_on_the_card_has_given_its_key_to_what_comes_next() -> None:
    scene = with_a_bot().scene()
    one = after(scene, 1, (6, 6))
    assert labels(scene, 1, one) == ["black", "blue", "green", "yellow", "orange", "more"]
    two = after(scene, 1, (3, 4), one)
    assert labels(scene, 1, two) == ["black", "blue", "done", "yellow", "orange", "more"]
    assert show(scene, 1, two).lines == ("red 6", "green 4")
    seldom = after(scene, 1, (6,), two)
    assert labels(scene, 1, seldom) == ["done", "wild", "", "wild ↑", "", "back"]
    wild = after(scene, 1, (2, 2), seldom)
    assert show(scene, 1, wild).lines == ("red 6, green 4,", "wild 2")
    assert show(scene, 1, after(scene, 1, (3,), wild)).title == "Fay: card 2/7"


def test_a_wild_may_stand_above_the_lines_that_there_are() -> None:
    scene = with_a_bot().scene()
    top = after(scene, 1, (1, 5, 1, 4, 2))
    assert show(scene, 1, top).lines == ("wild 2", "black 5")


def test_holding_1_takes_back_one_press_of_a_hand_and_no_more() -> None:
    scene = with_a_bot().scene()
    two = after(scene, 1, (6, 6, 3, 4, 3, 1))
    assert show(scene, 1, two).title == "Fay: black?"
    back, _ = press(scene, 1, two, 1, hold=True)
    assert show(scene, 1, back).title == "Fay: card 2/7"
    back, _ = press(scene, 1, back, 1, hold=True)
    assert show(scene, 1, back).lines == ("red 6", "green 4")


def test_the_whole_hand_is_sent_with_one_press_more() -> None:
    scene = with_a_bot().scene()
    card = (6, 6, 3, 4, 3)  # red 6, green 4, done
    whole = after(scene, 1, card * DEALT)
    assert show(scene, 1, whole).title == "Fay: all 7 in?"
    _, intents = press(scene, 1, whole, 1)
    hand = {"cards": [[["red", 6], ["green", 4]]] * DEALT}
    assert [one.line for one in intents if isinstance(one, Answer)] == [{"seat": BOT, "hand": hand}]


def test_to_everybody_else_the_screen_on_which_a_hand_is_entered_is_closed() -> None:
    scene = with_a_bot().scene()
    face = public_face(show(scene, 1, after(scene, 1, (6, 6))))
    assert (face.title, face.lines, any(face.keys)) == ("Fay answers", ("in secret",), False)
    assert show(scene, 2).title == "Hands to come: 1"


def test_a_phone_has_a_form_for_a_hand() -> None:
    six = with_a_bot()
    view = seat_view(six.scene(race="abc"), 1, HOME, lambda road: {}, own=True)
    asked = {"seat": BOT, "cards": DEALT, "spaces": [1, 2, 3, 4, 5, 6], "draft": "hand-abc-1-6"}
    assert view["cards"] == {"own": None, "played": None, "hand": asked}
    assert seat_view(six.scene(), 1, HOME, lambda road: {}, own=False)["cards"] is None
    assert seat_view(six.scene(), 2, HOME, lambda road: {}, own=True)["cards"] is None


# -- the card -------------------------------------------------------------------------------


def test_the_card_of_a_bot_stands_on_every_screen_from_top_to_bottom() -> None:
    scene = bot_plays(LONG).scene()
    shown = show(scene, 3)
    assert shown.title == "Fay plays"
    assert shown.lines == ("black 6, yellow 5,", "orange 4, green 3,", "wild 2, blue 1")
    assert show(bot_plays(SHORT).scene(), 3).lines == ("red 3", "wild 1")
    played = table_view(scene)["card"]
    assert isinstance(played, dict)
    assert (played["seat"], played["lines"]) == (BOT, LONG)


def test_what_a_bots_card_did_is_one_press_on_the_hosts_screen() -> None:
    scene = bot_plays(LONG).scene()
    assert labels(scene, 1) == ["0", "1", "2", "3", "finish", ""]
    assert show(scene, 1).lines == ("black 6, yellow 5,", "orange 4, green 3,", "wild 2, blue 1")
    _, intents = press(scene, 1, HOME, 1)
    (answer,) = intents
    assert isinstance(answer, Answer)
    assert (answer.seat, answer.kind) == (BOT, "played")


def test_a_car_that_a_bots_card_brings_home_is_entered_on_the_hosts_screen() -> None:
    scene = bot_plays(LONG).scene()
    home = after(scene, 1, (5, 1))
    assert show(scene, 1, home).lines == ("home: black",)
    _, intents = press(scene, 1, home, 1)
    (answer,) = intents
    assert isinstance(answer, Answer)
    assert answer.line == {"seat": BOT, "played": {"lines": 0, "finished": ["black"]}}


def test_a_phone_draws_the_card_of_a_bot_with_what_its_power_does() -> None:
    scene = bot_plays(LONG).scene()
    for seat in (1, 3):
        view = seat_view(scene, seat, HOME, lambda road: {}, own=True)
        played = view["cards"]["played"]  # type: ignore[index]
        assert (played["name"], played["lines"]) == ("Fay", LONG)
        assert played["power"].startswith("Your wild may be")
        assert view["lines"] == [], "the card is drawn, not told"


def test_the_cars_on_the_road_are_told_by_the_host_before_a_bot_bets() -> None:
    six = bot_plays(LONG)
    six.card(lines=1)
    for seat in six.asked("bet"):
        six.plays(seat, bet="red")
    scene = six.scene()
    assert show(scene, 1).title == "On the road: 1.?"
    marks = [key.mark if key else "" for key in show(scene, 1).keys]
    assert marks == ["old", "", "", "", "", ""], "black stood first on the grid"
    last = after(scene, 1, (2, 1, 3, 4, 5))
    _, intents = press(scene, 1, last, 6)
    (answer,) = intents
    assert isinstance(answer, Answer)
    order = ["blue", "black", "green", "yellow", "orange", "red"]
    assert answer.line == {"seat": 0, "standing": order}


def scenes(language: str) -> Iterator[Scene]:
    yield with_a_bot(language).scene()
    for card in (LONG, SHORT):
        six = bot_plays(card, language)
        yield six.scene()
        six.card(lines=1)
        yield six.scene()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_every_line_about_a_bot_fits(language: str) -> None:
    for scene in scenes(language):
        for info in scene.seats:
            for _, view in pages(replace(scene), info.seat):
                for shown in (view, public_face(view)):
                    assert too_wide(shown) == [], shown
                    assert cut(shown) == [], shown
