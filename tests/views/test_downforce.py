"""Downforce on a seat: six buttons are six cars, a bid is two presses, a sheet adds up."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from support.downforce import scenes
from support.downforce.scenes import Seats, moments, worked_example
from support.each import few_now, holds_for_each, in_one
from support.screens.widths import cut, cut_on_phone, pages, too_wide

from companion.rules.downforce.game import EVENTS
from companion.rules.lines import Answer
from companion.views.dialog import BRIEF_S, press, public_face, settled, show
from companion.views.downforce.views import OUTCOMES, STORY
from companion.views.downforce.words import (
    CARS,
    CARS_SHORT,
    POWERS,
    REMINDERS,
    power_key,
    power_word,
)
from companion.views.lobby import lobby_view
from companion.views.model import Lobby, Scene, SeatInfo
from companion.views.page import last_sentences, seat_view, table_view, tell
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES, words, wrap


def labels(scene: Scene, seat: int, *buttons: int) -> list[str]:
    """The keys of a seat after these presses."""
    dialog = HOME
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
        assert not intents
    return [key.label if key else "" for key in show(scene, seat, dialog).keys]


def sent(scene: Scene, seat: int, *buttons: int) -> list[object]:
    """What the last of these presses sends."""
    dialog, intents = HOME, ()
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
    return [intent.line for intent in intents if isinstance(intent, Answer)]


def at_a_bid(language: str = "en") -> Seats:
    table = Seats(language=language)
    table.pole()
    table.lot("green", "sly")
    return table


def racing() -> Seats:
    table = Seats()
    table.auction({"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5),
                   "orange": (4, 3), "red": (1, 6)})  # fmt: skip
    return table


@pytest.mark.parametrize("language", few_now(LANGUAGES, len(LANGUAGES), quick=["de"]))
def test_every_line_of_every_page_fits(language: str) -> None:
    for scene in moments(language):
        for info in scene.seats:
            for _, view in pages(scene, info.seat):
                for shown in (view, public_face(view)):
                    assert too_wide(shown) == [], shown
                    assert cut(shown) == [], shown


LONG = (
    "Jean-Baptiste Émile",
    "Oma Wilhelmine Hoff",
    "Marguerite Yourcenar",
    "Konstantin der Große",
)


@pytest.mark.parametrize("language", few_now(LANGUAGES, len(LANGUAGES), quick=["de"]))
def test_a_phone_says_in_full_what_the_small_screen_cuts(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenes, "NAMES", LONG)
    say = words(language)
    short = {say(word) for word in CARS_SHORT.values()} - {say(word) for word in CARS.values()}
    for scene in moments(language):
        for info in scene.seats:
            for dialog, view in pages(scene, info.seat):
                # At the end a phone has one page of its own.
                if not dialog.target and dialog.page != "result":
                    assert cut_on_phone(view) == [], view
                    told = " ".join(view.lines if view.tells is None else view.tells)
                    assert not short & set(told.split()), view


@in_one("language", LANGUAGES)
@in_one("power", POWERS)
def test_df_power_1_a_reminder_is_told_in_full(language: str, power: str) -> None:
    assert not wrap(words(language)(REMINDERS[power]), 4)[-1].endswith("…")


def test_the_six_buttons_are_the_six_cars_in_the_order_of_the_box() -> None:
    assert labels(Seats().scene(), 1) == list(CARS)


def test_df_setup_1_six_presses_tell_the_grid_and_a_car_pressed_twice_is_taken_off() -> None:
    scene = Seats().scene()
    assert labels(scene, 1, 3, 1) == ["2", "blue", "1", "yellow", "orange", "red"]
    order = ["green", "blue", "yellow", "orange", "red", "black"]
    assert sent(scene, 1, 3, 1, 1, 2, 4, 5, 6, 1) == [{"seat": 0, "pole": order}]


def test_a_lot_is_its_car_and_its_power() -> None:
    table = Seats()
    table.pole()
    lot = {"car": "green", "power": "cunning"}
    assert sent(table.scene(), 1, 3, 2) == [{"seat": 0, "lot": lot}]
    table.plays(0, lot=lot)
    table.bids(dict.fromkeys((1, 2, 3, 4), 0))
    assert labels(table.scene(), 1) == ["black", "blue", "", "yellow", "orange", "red"]


def test_df_var_1_before_the_first_answer_nobody_is_not_marked_as_the_old_one() -> None:
    table = Seats(4, "beginners")
    table.pole()
    table.lot("orange")
    keys = [key for key in show(table.scene(), 1).keys if key]
    assert keys[-1].label == "nobody"
    assert {key.mark for key in keys} == {""}


@in_one(
    ("buttons", "bid"),
    [
        ((6, 4), {"amount": 6, "cars": 4, "wild": False}),
        ((2, 6), {"amount": 2, "cars": 6, "wild": False}),
        ((1, 1), {"amount": 0, "cars": 1, "wild": False}),
        ((1, 2, 3), {"amount": 1, "cars": 3, "wild": False}),
        ((5, 1, 4), {"amount": 5, "cars": 4, "wild": True}),
    ],
)
def test_df_bid_1_a_bid_is_two_presses_and_seldom_three(
    buttons: tuple[int, ...], bid: dict[str, object]
) -> None:
    assert sent(at_a_bid().scene(), 2, *buttons) == [{"seat": 2, "bid": bid}]


def test_df_bid_4_who_must_take_the_last_lot_is_offered_no_zero() -> None:
    table = Seats(2)
    table.pole()
    for car in ("black", "blue", "green", "yellow", "orange"):
        table.sell(car, 1)
    table.lot("red")
    assert labels(table.scene(), 2, 1) == ["1", "", "", "", "", ""]


def test_to_others_a_seat_shows_the_same_closed_face_all_through_its_bid() -> None:
    scene = at_a_bid().scene(old={(2, "bid"): {"amount": 6, "cars": 4, "wild": False}})
    faces, dialog = set(), HOME
    for button in (6, 1, 4):
        faces.add(public_face(show(scene, 2, dialog)))
        dialog, _ = press(scene, 2, dialog, button)
    assert [(face.title, face.lines) for face in faces] == [("Bob answers", ("in secret",))]


def test_a_card_that_brings_nothing_is_one_press() -> None:
    table = racing()
    told = {"lines": 0, "finished": []}
    assert sent(table.scene(), 1, 1) == [{"seat": 1, "played": told}]


def test_df_end_1_cars_that_came_home_are_told_in_their_order_then_the_lines() -> None:
    told = {"lines": 1, "finished": ["red", "blue"]}
    presses = (5, 6, 5, 2, 2)
    assert sent(racing().scene(), 1, *presses) == [{"seat": 1, "played": told}]


def test_df_bet_1_a_bet_is_one_press_and_the_owner_alone_reads_it() -> None:
    table = racing()
    table.card(lines=1)
    assert sent(table.scene(), 2, 4) == [{"seat": 2, "bet": "yellow"}]
    table.bets({2: "yellow"})
    assert "yel" not in repr(show(table.scene(), 2)), "its own picture is its public face"
    mine, _ = press(table.scene(), 2, HOME, 5)
    assert mine.page in BRIEF_S
    view = show(table.scene(), 2, mine)
    assert "bets: yel" in view.lines
    assert public_face(view) == public_face(show(table.scene(), 2))


def test_df_bet_2_on_real_buttons_a_finger_tells_nothing() -> None:
    table = racing()
    table.card(lines=1)
    scene = table.scene()
    real = replace(scene, seats=tuple(replace(s, buttons=True) for s in scene.seats))

    def order(scene: Scene, seat: int) -> list[str]:
        return [key.label for key in show(scene, seat).keys if key]

    assert order(scene, 2) == order(scene, 3), "phones keep their order"
    orders = [order(real, seat) for seat in (1, 2, 3, 4)]
    assert all(sorted(one) == sorted(orders[0]) for one in orders)
    assert len({tuple(one) for one in orders}) > 1
    later = tuple(replace(ask, since=ask.since + 1) for ask in real.asks)
    assert order(replace(real, asks=later), 2) != orders[1], "the next bet in another order"


def test_df_end_1_the_host_ends_a_race_by_the_menu() -> None:
    scene = racing().scene()
    dialog, _ = press(scene, 1, HOME, 6, hold=True)
    for button in (5, 4):
        dialog, _ = press(scene, 1, dialog, button)
    assert press(scene, 1, dialog, 1)[1] == (Answer(0, "end", True),)


def test_df_var_3_over_a_long_distance_the_end_is_the_order_of_the_cars() -> None:
    table = Seats(4, "long-distance")
    table.auction({"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5),
                   "orange": (4, 3), "red": (1, 6)})  # fmt: skip
    for _ in range(4):
        table.card(out=True)
    told = sent(table.scene(), 1, 1, 2, 3, 4, 5, 6)
    assert told == [{"seat": 0, "end": list(CARS)}]


def test_df_pay_4_the_worked_example_adds_up_on_the_owners_screen() -> None:
    scene = worked_example().scene()
    view = show(scene, 1)
    assert view.lines == ("race 11", "bets 13", "auction −9")
    assert view.title == "Your total: 15 M$"
    after, _ = press(scene, 1, HOME, 1)
    brought = show(scene, 1, after).lines
    assert brought == ("green P5: 2 − 4", "yellow P2: 9 − 5", "bet 1: yellow 6", "bet 2: yellow 4")
    for _ in range(2):
        after, _ = press(scene, 1, after, 1)
    assert show(scene, 1, after).lines[0].startswith("1. ")


def test_every_event_has_a_sentence() -> None:
    def has(name: str) -> None:
        told = [outcome for event, outcome in STORY.sentences if event == name]
        assert told
        assert len(told) == 1 or name in OUTCOMES

    holds_for_each(has, product([*EVENTS, "TakenBack"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_of_a_game_is_whole_sentences(language: str) -> None:
    scene = worked_example(language).scene()
    said = [tell(event, scene, words(language)).text for event in scene.log]
    assert len(said) > 60
    for text in said:
        assert text[-1] in ".!", text
        assert not any(wrong in text for wrong in ("{", "None", "[", "  ", ": ."))
    assert len(last_sentences(scene, words(language))) == 30


def test_the_table_tells_who_has_answered_and_not_what() -> None:
    table = at_a_bid()
    table.bids({3: 6, 1: 5})
    told = table_view(table.scene())
    assert told["secret"] == {"kind": "bid", "answered": [1, 3], "open": [2, 4]}
    assert told["tasks"][0]["en"] == "Bob bids in secret"
    assert told["title"] == "Downforce"


def test_df_bet_1_while_a_bet_is_asked_the_table_tells_its_line_and_then_the_next() -> None:
    table = racing()

    def bet() -> Any:
        return table_view(table.scene())["outlook"]["bet"]

    assert bet() == {"line": 1, "pays": [9, 6, 3]}
    table.card(lines=2)
    table.bets({1: "red", 2: "red", 3: "red"})
    assert bet() == {"line": 1, "pays": [9, 6, 3]}, "Dora has not bet"
    table.bets({4: "red"})
    assert bet() == {"line": 2, "pays": [6, 4, 2]}, "that line is crossed too"
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    assert bet()["line"] == 3
    table.card(lines=1)
    assert bet()["line"] == 3
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    assert bet() is None


@pytest.mark.parametrize(("rules", "takes"), [((), [2, 6]), (("two-players",), [2, 2])])
def test_the_lobby_tells_how_many_the_game_takes(rules: tuple[str, ...], takes: list[int]) -> None:
    lobby = lobby_view(Scene(0, (), lobby=Lobby(game="downforce", rules=rules)))
    assert lobby
    assert lobby["players_range"] == takes


# -- on a phone -----------------------------------------------------------------------------------

ENTERED = {"auction": "entered", "cards": "events"}
OWNERS = {"black": 1, "blue": 2, "green": 3, "yellow": 3, "orange": 4, "red": 1}


def on_a_phone(scene: Scene, seat: int) -> dict[str, Any]:
    return seat_view(scene, seat, HOME, lambda road: {}, own=True)


def test_whoever_has_won_a_lot_enters_it_on_the_own_seat() -> None:
    table = Seats(house=ENTERED)
    table.pole()
    lot = {"car": "green", "power": "cunning", "seat": 3, "price": 4}
    assert sent(table.scene(), 3, 3, 2, 4) == [{"seat": 0, "lot": lot}], "nobody asks whose it is"
    assert sent(table.scene(), 1, 3, 2, 3, 4) == [{"seat": 0, "lot": lot}], "but of the host"
    form = on_a_phone(table.scene(), 3)["form"]
    assert form["seats"][0] == [3, "Cid"], "the own name comes first"
    assert form["seats"][-1] == [None, "nobody"]
    assert {one["car"] for one in form["options"]} == set(CARS)


def test_a_lot_that_somebody_else_enters_leaves_the_own_one_as_far_as_it_was() -> None:
    table = Seats(house=ENTERED)
    table.pole()
    halfway, _ = press(table.scene(), 3, HOME, 3)
    dialog, _ = press(table.scene(), 3, halfway, 2)

    def title(dialog: Dialog) -> str:
        return show(table.scene(), 3, settled(table.scene(), 3, dialog)).title

    before = title(halfway), title(dialog)
    table.plays(0, lot={"car": "black", "power": "sly", "seat": 1, "price": 1})
    assert (title(halfway), title(dialog)) == before
    _, [answer] = press(table.scene(), 3, settled(table.scene(), 3, dialog), 4)
    assert isinstance(answer, Answer)
    lot = {"car": "green", "power": "cunning", "seat": 3, "price": 4}
    assert answer.line == {"seat": 0, "lot": lot}
    table.plays(0, lot=lot | {"seat": 2})
    assert {title(halfway), title(dialog)} == {"Won a lot: which car?"}


def test_with_one_power_left_what_was_pressed_for_it_is_not_taken_for_a_price() -> None:
    table = Seats(house=ENTERED)
    table.pole()
    dialog, _ = press(table.scene(), 3, press(table.scene(), 3, HOME, 3)[0], 2)
    sold = [(car, power) for car, power in zip(CARS, POWERS, strict=True) if car != "green"]
    left = next(power for car, power in zip(CARS, POWERS, strict=True) if car == "green")
    swapped = {left: "cunning", "cunning": left}
    for (car, power), seat in zip(sold, (1, 2, 4, 1, 2), strict=True):
        told = {"car": car, "power": swapped.get(power, power), "seat": seat, "price": 1}
        table.plays(0, lot=told)
        held = settled(table.scene(), 3, dialog)
        _, [answer] = press(table.scene(), 3, held, 4)
        assert isinstance(answer, Answer)
        lot = {"car": "green", "power": "cunning", "seat": 3, "price": 4}
        assert answer.line == {"seat": 0, "lot": lot}


def test_a_bid_is_two_touches_on_a_phone_and_in_nobody_elses_view() -> None:
    scene = at_a_bid().scene()
    form = on_a_phone(scene, 2)["form"]
    assert (form["amounts"], form["sent"]) == ([0, 1, 2, 3, 4, 5, 6], [0])
    assert form["cards"] == [2, 3, 4, 5, 6]
    assert seat_view(scene, 2, HOME, lambda road: {}, own=False)["form"] is None


def test_the_stripe_of_a_seat_is_its_own_cars_and_no_color_of_the_seat() -> None:
    table = Seats()
    assert on_a_phone(table.scene(), 1)["who"]["colors"] == []
    table.auction({"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5),
                   "orange": (4, 3), "red": (1, 6)})  # fmt: skip
    told = on_a_phone(table.scene(), 1)
    assert (told["who"]["color"], told["who"]["colors"]) == (None, ["black", "red"])
    own = {"cars": [["black", None], ["red", None]], "won": 0, "paid": 7}
    assert own.items() <= told["cards"]["own"].items()
    table.card(lines=1)
    assert on_a_phone(table.scene(), 1)["cards"]["own"]["paid"] == 7, "in sight while it bets"


def test_df_end_1_no_car_is_offered_as_home_before_the_last_line_and_then_the_own_ones_first() -> (
    None
):
    table = Seats(house=ENTERED)
    table.pole()
    for (car, seat), power in zip(OWNERS.items(), POWERS, strict=True):
        table.plays(0, lot={"car": car, "power": power, "seat": seat, "price": 1})
    for seat in table.asked("keep"):
        table.plays(seat, keep=table.player(seat)["powers"][0])
    assert "home" not in labels(table.scene(), 3)
    for _ in range(3):
        assert not any("paint" in one for one in on_a_phone(table.scene(), 3)["row"])
        table.plays(0, played={"lines": 1, "finished": []})
        table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    row = [one for one in on_a_phone(table.scene(), 3)["row"] if "paint" in one]
    homes = [one["answer"]["played"]["finished"] for one in row]
    assert homes == [["green"], ["yellow"], ["black"], ["blue"], ["orange"], ["red"]]


def cars_page(scene: Scene, seat: int) -> Any:
    """The list of all cars: from the first page of a seat past its own bets."""
    dialog = HOME
    while dialog.page != "cars":
        dialog, _ = press(scene, seat, dialog, 1)
    return show(scene, seat, dialog)


def test_df_pay_1_a_car_shows_money_once_it_is_home_and_the_next_prize_stands_there_once() -> None:
    table = racing()
    for _ in range(3):
        table.card(lines=1)
        table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    before = cars_page(table.scene(), 2)
    assert before.title == "next car home: 12 M$"
    assert before.lines == ("black Ana", "blue Bob", "green Cid", "yellow Cid")
    table.card(finished=["red"])
    after = cars_page(table.scene(), 2)
    assert after.title == "next car home: 9 M$"
    assert [row for row in after.tells if "M$" in row] == ["1. red: Ana, 12 M$"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_cuts_no_word_of_a_power(language: str) -> None:
    say = words(language)
    for power in POWERS:
        key = power_key(power, say)
        assert (key.full or key.label) == power_word(power, say)


def test_df_pay_4_the_end_is_one_page_on_a_phone() -> None:
    told = on_a_phone(worked_example().scene(race="abc"), 1)
    assert told["finish"]["rows"][0] == {
        "place": 1, "seat": 1, "name": "Ana", "out": False, "money": "15",
        "says": "race 11 · bets 13 · auction −9", "cars": ["green", "yellow"],
    }  # fmt: skip
    assert told["finish"]["brought"][0] == "green P5: 2 − 4"
    assert not any(key["label"] for key in told["keys"]), "nothing to turn to"
    guests = (SeatInfo(6, "6", "en", buttons=True),)
    guest = on_a_phone(replace(worked_example().scene(race="abc"), guests=guests), 6)
    assert guest["finish"]["brought"] == [], "who was not in the game has brought nothing"
