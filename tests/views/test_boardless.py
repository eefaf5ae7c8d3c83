"""Boardless on the keys: a report in one press, what else happened, and the running order."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from companion.drawing.seat import draw_road
from companion.rules.formula.cards import About
from companion.rules.lines import Answer
from companion.views.dialog import press, show
from companion.views.formula.page import STORY
from companion.views.model import NO_BOARD, Lobby, Scene
from companion.views.page import seat_view, table_view, tell
from companion.views.screen import HOME
from companion.views.words import words

MEAN_PRESSES = 3.6
MOST_PRESSES_OF_95_PERCENT = 6
MEAN_PRESSES_FOR_AN_ORDER = 2


@pytest.fixture
def driving(table: Callable[..., Any]) -> Callable[..., Any]:
    """Six cars in 4th on no board (or a card); seat 1 has rolled a 9."""

    def make(track: str | None = None, **more: Any) -> Any:
        cars = {str(n): {"gear": 4, "lap": 1} for n in range(1, 7)}
        for seat in cars:
            cars[seat] |= more.pop("car" if seat == "1" else f"car{seat}", {})
        position = {"cars": cars, "order": [1, 2, 3, 4, 5, 6], "turn": 1, "round": 4}
        race = table().new(track=track, position=position | more)
        race.press(1, 4)
        race.answer(seat=1, roll=9)
        return race

    return make


def labels(scene: Scene, *buttons: int, seat: int = 1) -> list[str]:
    dialog = HOME
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
        assert not intents
    return [key.label if key else "" for key in show(scene, seat, dialog).keys]


def sent(scene: Scene, *buttons: int, seat: int = 1) -> Any:
    dialog, intents = HOME, ()
    for button in buttons:
        assert not intents
        dialog, intents = press(scene, seat, dialog, button)
    (line,) = [intent.line for intent in intents if isinstance(intent, Answer)]
    return line


def said(scene: Scene, *buttons: int) -> Any:
    return sent(scene, *buttons)["report"]


def test_a_clean_move_a_stop_and_the_line_are_one_press_each(driving: Callable[..., Any]) -> None:
    """FD-MOVE-5, FD-END-2."""
    scene = driving().scene()
    assert labels(scene) == ["clean", "corner", "line", "overrun", "touched", "more"]
    assert said(scene, 1) == {}
    assert said(scene, 2) == {"corner": True}
    assert said(scene, 3) == {"line": True}


def test_spaces_braked_for_a_corner_and_spaces_too_far_are_two_presses(
    driving: Callable[..., Any],
) -> None:
    """FD-BRAKE-1, FD-CORNER-2, FD-CORNER-3: one brakes to stop in a corner, mostly by 1 or 2."""
    scene = driving().scene()
    assert labels(scene, 4) == ["−1", "−2", "+1", "+2", "+3", "more"]
    assert said(scene, 4, 2) == {"brakes": 2, "corner": True}
    assert said(scene, 4, 4) == {"overshoot": 2, "missing": 1}
    assert labels(scene, 4, 6) == ["−3", "+4", "OUT", "braked", "back", "more"]
    assert said(scene, 4, 6, 3) == {"missing": 2}


def test_brakes_may_be_picked_before_any_other_end(driving: Callable[..., Any]) -> None:
    """FD-BRAKE-1: two spaces braked, and no corner; or one too far all the same."""
    scene = driving().scene()
    assert labels(scene, 4, 6, 4) == ["1", "2", "3", "", "", "back"]
    assert said(scene, 4, 6, 4, 2, 1) == {"brakes": 2}
    assert labels(scene, 4, 6, 4, 2, 4)[:2] == ["+1", "+2"], "braked is braked"
    assert said(scene, 4, 6, 4, 2, 4, 1) == {"brakes": 2, "overshoot": 1, "missing": 1}


def test_what_has_been_picked_stands_in_the_title(driving: Callable[..., Any]) -> None:
    scene = driving().scene()
    dialog = HOME
    for button in (4, 6, 4, 2, 5, 1):
        dialog, _ = press(scene, 1, dialog, button)
    assert show(scene, 1, dialog).title == "brake 2, +Bob, unhurt"


def test_touched_cars_are_named_in_the_order_of_pressing(driving: Callable[..., Any]) -> None:
    """FD-BUMP-1; DE-BLOCK-1: the first one stands in front."""
    scene = driving().scene()
    assert labels(scene, 5)[:5] == ["Bob", "Cid", "Dora", "Eve", "Fritz"]
    assert said(scene, 5, 3, 5, 1, 6, 5, 1) == {"touched": [4, 2]}
    assert said(scene, 5, 3, 5, 3, 1) == {}, "pressed again, it is untouched"


NEAR = {"car2": {"run": 10}, "car3": {"run": 8}, "car4": {"run": 40}}
"""After nine spaces Bob is right ahead, Cid a space behind, Dora far away; Eve and Fritz too."""


def test_the_car_that_was_most_likely_touched_is_a_key_and_then_the_next(
    driving: Callable[..., Any],
) -> None:
    """FD-BUMP-1: by the spaces that all have moved."""
    scene = driving(**NEAR).scene()
    assert [labels(scene, *pressed)[4] for pressed in ((), (5,), (5, 5))] == [
        "Bob", "Cid", "touched",
    ]  # fmt: skip
    assert labels(scene, 6, 2)[:3] == ["Bob", "Cid", "Dora"]
    assert labels(scene, 6, 2, 2)[4] == "touched", "whoever is likelier was passed over"


def test_a_contact_that_hurt_nobody_is_told_with_its_report(driving: Callable[..., Any]) -> None:
    """FD-BUMP-1: both have rolled before the key is pressed."""
    race = driving(**NEAR)
    scene = race.scene()
    page = show(scene, 1, press(scene, 1, HOME, 5)[0])
    assert [key.hint for key in page.keys[:3] if key] == ["unhurt"] * 3
    assert page.title == "+Bob, unhurt"
    race.press(1, 5, 2)
    rolls = [line for line in race.engine.lines if "black" in line]
    assert rolls == [{"seat": 2, "black": [2, 20]}, {"seat": 1, "black": [2, 20]}]
    assert [ask["kind"] for ask in race.engine.asks()] == ["gear"]


def test_who_was_hurt_in_a_contact_is_asked_after_one_press_more(
    driving: Callable[..., Any],
) -> None:
    """FD-BUMP-1."""
    race = driving(**NEAR)
    scene = race.scene()
    assert labels(scene, 5, 6)[4] == "hurt"
    assert said(scene, 5, 6, 5, 2) == {"touched": [2], "corner": True}
    dialog = HOME
    for button in (5, 6, 5):
        dialog, _ = press(scene, 1, dialog, button)
    assert show(scene, 1, dialog).title == "+Bob"
    race.press(1, 5, 6, 5, 2)
    assert {ask["kind"] for ask in race.engine.asks()} == {"black"}


def test_a_report_that_cannot_be_brings_no_rolls(driving: Callable[..., Any]) -> None:
    """FD-END-2: a car that finishes is not blocked; the key is refused as ever."""
    scene = driving(car={"lap": 2}, **NEAR).scene()
    assert said(scene, 6, 3, 1, 5, 3) == {"blocked": 1, "touched": [2], "line": True}


def test_seven_blocked_spaces_say_that_the_car_is_out(driving: Callable[..., Any]) -> None:
    """FD-BLOCK-1."""
    scene = driving().scene()
    assert labels(scene, 6, 3, 5)[:3] == ["5", "6", "7+"]
    assert said(scene, 6, 3, 1, 1) == {"blocked": 1}
    assert said(scene, 6, 3, 5, 3, 1) == {"blocked": 7}


def test_the_line_before_a_corner_and_debris_on_the_way(driving: Callable[..., Any]) -> None:
    scene = driving().scene()
    assert said(scene, 6, 4) == {"line": True, "corner": True}
    assert said(scene, 6, 1, 1) == {"debris": 1}
    assert said(scene, 6, 1, 6, 1, 1) == {"debris": 2}, "a marker more with each press"
    assert labels(scene, 4, 6, 6)[0] == "line"
    assert said(scene, 4, 6, 6, 1, 3) == {"line": True, "overshoot": 1, "missing": 1}


def test_the_box_is_behind_more_and_alone(driving: Callable[..., Any]) -> None:
    """FD-PIT-1."""
    last = driving(car={"lap": 2}).scene()
    assert labels(last, 6)[4] == "", "in the last lap nobody stops"
    scene = driving().scene()
    assert labels(scene, 6)[4] == "box"
    assert said(scene, 6, 5) == {"pit": True}
    assert said(scene, 6, 1, 6, 5) == {"debris": 1, "pit": True}


def test_all_that_was_picked_can_be_begun_anew(driving: Callable[..., Any]) -> None:
    scene = driving().scene()
    assert labels(scene, 6, 3, 1, 6)[4] == "anew"
    assert said(scene, 6, 3, 1, 6, 5, 1) == {}


def test_a_report_that_was_taken_back_is_a_key(driving: Callable[..., Any]) -> None:
    race = driving()
    old = {"brakes": 1, "touched": [2]}
    keys = show(race.scene(old={(1, "report"): {"corner": True}}), 1).keys
    assert [key.mark if key else "" for key in keys[:2]] == ["", "old"]
    scene = race.scene(old={(1, "report"): old})
    assert said(scene, 6, 5) == old


def test_in_rain_the_title_tells_both_lengths(driving: Callable[..., Any]) -> None:
    """FD-TIRE-6."""
    race = driving()
    header = dict(race.engine.header)
    header |= {"rules": ["weather", "tires"], "position": header["position"] | {"weather": "rain"}}
    race.engine.handle({"new": header})
    race.press(1, 4)
    race.answer(seat=1, roll=9)
    assert show(race.scene(), 1).title == "9, corner 12"


# -- the running order -----------------------------------------------------------------------


@pytest.fixture
def between(table: Callable[..., Any]) -> Any:
    """Six cars between two rounds."""
    cars = {str(n): {"gear": 4, "lap": 1} for n in range(1, 7)}
    return table().new(track=None, position={"cars": cars})


def test_the_host_sets_the_order_and_as_it_is_takes_one_press(between: Any) -> None:
    """FD-ORDER-1."""
    scene = between.scene()
    assert labels(scene) == ["same", "Bob", "Cid", "Dora", "Eve", "Fritz"]
    assert sent(scene, 1) == {"seat": 0, "order": [1, 2, 3, 4, 5, 6]}
    assert labels(scene, seat=2) == [""] * 6


def test_a_car_that_has_overtaken_moves_up_a_place(between: Any) -> None:
    scene = between.scene()
    assert labels(scene, 3) == ["done", "Cid", "Bob", "Dora", "Eve", "Fritz"]
    assert sent(scene, 3, 1) == {"seat": 0, "order": [1, 3, 2, 4, 5, 6]}
    assert sent(scene, 3, 2, 1) == {"seat": 0, "order": [3, 1, 2, 4, 5, 6]}


def test_ten_cars_take_more_pages_and_keep_the_first_key(table: Callable[..., Any]) -> None:
    names = tuple("ABCDEFGHIJ")
    cars = {str(n): {"gear": 2, "lap": 1} for n in range(1, 11)}
    race = table(names=names).new(track=None, position={"cars": cars})
    assert labels(race.scene()) == ["same", "B", "C", "D", "E", "more"]
    assert labels(race.scene(), 6) == ["same", "F", "G", "H", "I", "more"]
    assert sent(race.scene(), 6, 5, 1)["order"] == [1, 2, 3, 4, 5, 6, 7, 9, 8, 10]


def test_a_draft_of_the_order_closes_when_the_page_answers(between: Any) -> None:
    scene = between.scene()
    dialog, _ = press(scene, 1, HOME, 3)
    between.answer(seat=0, order=[1, 2, 3, 4, 5, 6])
    assert show(between.scene(), 1, dialog).title == "Which gear?"


# -- a card ----------------------------------------------------------------------------------


def test_a_card_shows_the_corner_ahead_with_its_ways(driving: Callable[..., Any]) -> None:
    """FD-CORNER-1: corner 2 of Sebring asks for 2 stops on 6 to 12 spaces."""
    race = driving("sebring", car={"corner": "T2"})
    assert show(race.scene(), 1).lines[0] == "P1 lap 1 T2 0/2 6–12"
    race.answer(seat=1, report={"corner": True})
    assert "T2 1/2 6–12" in show(race.scene(), 1, press(race.scene(), 1, HOME, 1)[0]).lines
    told = table_view(race.scene())["standing"]["1"]
    assert told["corner"] | {"name": None} == {
        "name": None, "made": 1, "needed": 2, "inside": True, "shortest": 6, "longest": 12,
    }  # fmt: skip
    assert told["corner"]["name"]["fr"] == "virage 2"


IN_T2 = {"corner": "T2", "stops": 1, "depth": [5, 5]}
"""Nine spaces lead out of Sebring's T2, 12 long at most, with one of its two stops missing."""


def test_an_overshoot_that_the_figures_tell_has_the_first_key(driving: Callable[..., Any]) -> None:
    """FD-CORNER-2."""
    scene = driving("sebring", car=IN_T2).scene()
    assert labels(scene) == ["+5", "corner", "line", "overrun", "touched", "more"]
    assert said(scene, 1) == {"overshoot": 5, "missing": 1}
    assert labels(scene, 4) == ["−1", "−2", "+4", "+5", "+6", "more"]
    assert said(scene, 4, 6, 4) == {}, "the table may know better"


def test_a_stop_in_the_next_corner_has_the_key_of_the_line(driving: Callable[..., Any]) -> None:
    """FD-MOVE-5: in T2 with both stops, nine spaces may end there or in T3."""
    scene = driving("sebring", car={"corner": "T2", "stops": 2, "depth": [2, 2]}).scene()
    assert labels(scene)[:3] == ["clean", "corner", "corner"]
    assert [key.hint for key in show(scene, 1).keys[1:3] if key] == ["T2", "T3"]
    assert show(scene, 1).title == "9: T3? Key 3", "who does not look there says a wrong corner"
    assert said(scene, 2) == {"corner": True}
    assert said(scene, 3) == {"corner": True, "next": True}
    assert labels(scene, 4, 6, 6)[0] == "line"
    assert said(scene, 4, 6, 6, 1, 6, 5, 1) == {"line": True}


def ways_of(form: Any, held: int) -> list[tuple[int, dict[str, Any]]]:
    """What a phone offers by face once so many spaces are braked: `endingsOf` of forms.js."""
    faces, ways = [], []
    for face, spaces, stays in form["faces"]:
        over, leaves = form["spaces"][max(0, spaces - held)]
        faces.append((face, over, stays, leaves))
    is_open = any(stays and leaves for _, _, stays, leaves in faces)
    for face, over, stays, leaves in faces:
        ways += [(face, over)] * bool(over)
        ways += [(face, {"corner": True})] * (not is_open or stays or not leaves)
        ways += [(face, {"corner": True, "next": stays})] * (is_open and leaves)
    return ways


def before_the_die(table: Callable[..., Any], stops: int, depth: int) -> Any:
    """Ana in Sebring's T2, so far in, with so many of its two stops, and nobody to slip past."""
    ana = {"gear": 4, "lap": 1, "corner": "T2", "stops": stops, "depth": [depth] * 2}
    cars = {"1": ana, "2": {"gear": 2, "lap": 1}}
    position = {"cars": cars, "order": [1, 2], "turn": 1, "round": 4}
    made = table(names=("Ana", "Bob")).new(track="sebring", position=position)
    made.answer(seat=1, gear=4)
    return made


def test_whoever_braked_too_much_to_come_into_the_next_corner_is_not_asked_for_it(
    table: Callable[..., Any],
) -> None:
    """FD-BRAKE-1, FD-MOVE-5: of the 6 to 12 spaces of T2 it has come 5."""
    race = before_the_die(table, 2, 1)
    race.answer(seat=1, roll=7)
    assert labels(race.scene())[1:3] == ["corner", "corner"]
    assert labels(race.scene(), 4, 6, 4, 3)[1:3] == ["corner", "line"]


@pytest.mark.parametrize("held", range(4))
@pytest.mark.parametrize(("stops", "depth"), [(1, 3), (1, 6), (2, 1), (2, 4)])
def test_how_a_move_may_have_ended_follows_what_was_braked(
    table: Callable[..., Any], stops: int, depth: int, held: int
) -> None:
    """FD-BRAKE-1, FD-CORNER-2, FD-MOVE-5: nothing that a phone offers is doubted by the figures."""

    scene = before_the_die(table, stops, depth).scene()
    form = seat_view(scene, 1, HOME, draw_road, own=True)["form"]
    for face, way in ways_of(form, held):
        race = before_the_die(table, stops, depth)
        race.answer(seat=1, roll=face)
        said = {name: one for name, one in {**way, "brakes": held}.items() if one}
        told = race.answer(seat=1, report=said)["events"]
        doubts = [one["about"] for one in told if one["event"] == "Doubted"]
        gone = stops == 1 and doubts == ["gone"]  # a stop is offered, whatever the figures say
        assert gone or not doubts, (face, said, doubts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "corner 2 is 12 long at most: Ana has left it a stop short. Overshot?"),
        ("fr", "virage 2 : 12 cases au plus, Ana en sort avec un arrêt manquant. Dépassé ?"),
    ],
)
def test_a_doubt_is_told_in_the_story_and_on_the_screen_of_its_car(
    driving: Callable[..., Any], language: str, text: str
) -> None:
    """FD-CORNER-2."""
    race = driving("sebring", car=IN_T2)
    log = race.answer(seat=1, report={})["events"]
    (event,) = [one for one in log if one["event"] == "Doubted"]
    assert tell(event, race.scene(), words(language)).text == text
    if language == "en":
        assert " ".join(show(race.scene(log=tuple(log)), 1).lines[1:]) == text
        later = (*log, {"event": "Reported", "seat": 1, "rule": None})
        assert text not in " ".join(show(race.scene(log=later), 1).lines), "until it reports again"


def test_every_doubt_has_a_sentence_in_every_language() -> None:
    for about in About:
        for language in ("en", "fr"):
            told = words(language)(STORY.sentences["Doubted", about], name="Ana", corner="T2", n=3)
            assert "Ana" in told
    home = STORY.sentences["Doubted", "home"]
    assert words("fr")(home, name="A", corner="B") != home


def test_a_line_that_follows_is_told_on_the_screen(driving: Callable[..., Any]) -> None:
    """FD-END-2."""
    race = driving(car={"lap": 0})
    log = tuple(race.answer(seat=1, report={"corner": True})["events"])
    assert (
        " ".join(show(race.scene(log=log), 1).lines[1:])
        == "Ana is in a corner: the line is behind."
    )


@pytest.mark.parametrize("track", [None, "kyalami"])
def test_weather_is_three_words_whatever_table_the_board_has(table: Any, track: Any) -> None:
    """FD-WEATHER-1: people read the outcome off their own board."""
    race = table().new(track=track, rules=["weather"], grid=[1, 2, 3, 4, 5, 6])
    hints = [key.hint for key in show(race.scene(), 2).keys if key]
    assert hints == ["rain", "changes", "fine"]
    assert set(table_view(race.scene())["weather_table"]) == {"rain", "variable", "fine"}


def test_the_page_knows_the_order_on_the_road_without_a_board(driving: Callable[..., Any]) -> None:
    """FD-ORDER-1: by laps, then as they ran in this round."""
    told = table_view(driving(car={"lap": 0}).scene())
    assert told["running"] == [2, 3, 4, 5, 6, 1]
    assert told["title"] is None
    assert told["tasks"][0]["en"] == "Ana moves and reports"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"event": "Reported", "spaces": 9}, "Ana moves 9."),
        ({"event": "Reported", "spaces": 9, "brakes": 2}, "Ana has braked 2 of 9."),
        ({"event": "StopMade", "corner": "", "stops": 1}, "Ana stops in a corner."),
        ({"event": "Overshot", "corner": "", "spaces": 2}, "Ana overshoots by 2."),
        ({"event": "DebrisLaid", "space": None}, "Lay debris where Ana stands."),
        ({"event": "Returned", "space": None}, "Ana is back in the race."),
    ],
)
def test_the_story_names_no_place_that_nobody_knows(
    driving: Callable[..., Any], event: dict[str, Any], sentence: str
) -> None:
    told = tell({"seat": 1, "rule": None, **event}, driving().scene(), words("en"))
    assert told.text == sentence


def test_the_story_names_a_corner_of_the_card(driving: Callable[..., Any]) -> None:
    event = {"event": "Overshot", "seat": 1, "corner": "T2", "spaces": 1, "rule": None}
    told = tell(event, driving("sebring").scene(), words("fr"))
    assert "virage 2" in told.text


def test_a_lobby_offers_no_board(scene_of: Callable[..., Scene]) -> None:
    lobby = Lobby(seats=(1,), joined={1: "Ana"}, track=NO_BOARD, tracks=("monaco", NO_BOARD))
    scene = Scene(1, scene_of().seats, lobby=lobby)
    assert show(scene, 1).lines[0] == "no board, 2 laps"
    assert labels(scene, 2)[:2] == ["monaco", "no boa…"]


# -- whole races -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", ["formula-d", "formule-de"])
def test_a_boardless_race_of_six_takes_three_presses_a_turn_and_a_little(
    rehearse: Callable[..., Any], game: str
) -> None:
    """The goal of races on a board, and less than two presses for the order of a round."""
    races = [rehearse(seed, game=game, track=None) for seed in range(3)]
    turns = sorted(presses for race in races for presses in race.turns)
    rounds = [presses for race in races for presses in race.rounds]
    assert all(race.table.engine.state()["phase"] == "finished" for race in races)
    assert len(turns) > 250
    assert mean(turns) <= MEAN_PRESSES
    assert turns[int(len(turns) * 0.95)] <= MOST_PRESSES_OF_95_PERCENT
    assert mean(rounds) <= MEAN_PRESSES_FOR_AN_ORDER


@pytest.mark.slow
def test_a_race_on_a_card_under_all_its_options_is_played_on_the_keys(
    rehearse: Callable[..., Any],
) -> None:
    rules = ["build", "weather", "tires", "technical", "teams"]
    seats = [{"seat": n, "name": f"car {n}", "team": f"team {n % 2}"} for n in range(1, 5)]
    race = rehearse(2, rules=rules, seats=seats, track="sebring")
    assert race.table.engine.state()["phase"] == "finished"
    assert {"report", "order", "length"} <= set(race.kinds)
