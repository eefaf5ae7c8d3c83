"""What rolls and the figures of a card make of a report: the line, stops, doubts, orders."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from support.each import in_one
from support.formula.boardless import scene
from support.formula.mirror import Mirror, Turn

BOARDS = ("monaco", "zeltweg")


def at(corner: str, face: int = 5, gear: int = 3, laps: int = 3, **more: Any) -> Any:
    """Seat 1 on Sebring, in or before this corner, asked for a report of so many spaces."""
    cars = {1: {"gear": gear, "lap": 1, "corner": corner, **more}, 2: {"gear": 3, "lap": 1}}
    return scene(cars, track="sebring", header={"laps": laps}).gear(gear).roll(face)


def say(race: Any, **report: Any) -> Any:
    return race.say({"seat": 1, "report": report})


def drive(race: Any, *turns: tuple[int, int, dict[str, Any]]) -> Any:
    """Seat 1 drives: a gear, a face, a report; seat 2 moves clean, and nobody overtakes."""
    for gear, face, report in turns:
        over(say(race.gear(gear).roll(face), **report))
    return race


def over(race: Any) -> Any:
    """The rest of the round."""
    race.gear(2).roll(2).say({"seat": 2, "report": {}})
    return race.say({"seat": 0, "order": [1, 2]})


def car(race: Any) -> Any:
    return race.state["cars"]["1"]


def doubts(race: Any) -> list[tuple[str, str, int]]:
    """All doubts so far: about what, which corner, and the number."""
    found = [event for event in race.events if event["event"] == "Doubted"]
    return [(event["about"], event["corner"], event["n"]) for event in found]


def names(race: Any) -> list[str]:
    return [event["event"] for event in race.events]


# -- the line --------------------------------------------------------------------------------


@pytest.mark.parametrize("track", [None, "sebring"])
@pytest.mark.parametrize("report", [{"corner": True}, {"overshoot": 1, "missing": 1}])
def test_a_first_stop_in_a_corner_is_behind_the_line(track: Any, report: dict[str, Any]) -> None:
    """FD-END-2: the cars begin before the line, in lap 0."""
    race = scene({1: {"gear": 3, "lap": 0}, 2: {"gear": 3}}, track=track)
    say(race.gear(3).roll(5), **report)
    assert car(race)["lap"] == 1
    assert names(race).count("LineFollowed") == names(race).count("LineCrossed") == 1


def test_a_line_that_was_said_does_not_follow_again() -> None:
    """FD-END-2."""
    race = scene({1: {"gear": 3, "lap": 0}, 2: {"gear": 3}}, track="sebring")
    drive(race, (3, 5, {"line": True}), (3, 4, {"corner": True}))
    assert car(race)["lap"] == 1
    assert "LineFollowed" not in names(race)


def test_a_clean_move_in_lap_0_is_before_the_line() -> None:
    race = scene({1: {"gear": 3, "lap": 0}, 2: {"gear": 3}})
    assert car(say(race.gear(3).roll(5)))["lap"] == 0


def test_a_stop_behind_the_last_corner_has_crossed_the_line() -> None:
    """FD-END-2: T8 has its two stops; the next stop is in T1, past the line."""
    race = over(say(at("T8", stops=1, depth=[6, 6]), corner=True))
    drive(race, (3, 8, {}))
    assert (car(race)["lap"], car(race)["line_due"]) == (1, True)
    drive(race, (3, 6, {"corner": True}))
    assert (car(race)["lap"], car(race)["corner"], car(race)["stops"]) == (2, "T1", 1)
    assert names(race).count("LineFollowed") == 1


def test_in_the_last_lap_the_end_of_a_race_is_doubted_and_never_follows() -> None:
    """FD-END-2."""
    race = say(at("T1", laps=1, line_due=True), corner=True)
    assert (car(race)["status"], car(race)["lap"]) == ("racing", 1)
    assert doubts(race) == [("home", "T8", 1)]


def test_a_lap_with_all_its_corners_still_ahead_is_doubted() -> None:
    """FD-END-2: a line said twice."""
    race = say(at("T3"), line=True)
    assert doubts(race) == [("round", "T3", 16)]
    assert car(race)["lap"] == 2


# -- stops -----------------------------------------------------------------------------------


def test_three_ones_inside_a_corner_of_six_stay_in_it() -> None:
    """FD-MOVE-5: Sebring's T2 is 6 to 12 long."""
    ones = [(1, 1, {"corner": True})] * 3
    race = drive(over(say(at("T2", face=1, gear=1), corner=True)), *ones)
    assert (car(race)["corner"], car(race)["stops"], car(race)["depth"]) == ("T2", 4, [4, 4])
    assert doubts(race) == []


def test_a_car_that_cannot_have_left_its_corner_stops_in_it() -> None:
    """FD-MOVE-5: 1 or 2 spaces into T2, and 2 more, of 6 at least."""
    race = say(at("T2", face=2, gear=1, stops=1, depth=[1, 2]))
    assert (car(race)["corner"], car(race)["stops"]) == ("T2", 2)
    assert doubts(race) == [("still", "T2", 6)]


@pytest.mark.parametrize("report", [{}, {"corner": True}])
def test_a_car_that_cannot_be_in_its_corner_has_left_it(report: dict[str, Any]) -> None:
    """FD-CORNER-2: 5 spaces into T2, and 8 more, of 12 at most, with a stop missing."""
    race = say(at("T2", face=8, stops=1, depth=[5, 5]), **report)
    assert (car(race)["corner"], car(race)["stops"]) == ("T3", int(bool(report)))
    assert doubts(race) == [("gone", "T2", 12)]


def test_a_stop_missing_without_an_overshoot_is_doubted() -> None:
    """FD-CORNER-2: it may have left, and then too early; or it is there, and has stopped."""
    assert doubts(say(at("T2", stops=1, depth=[3, 3]))) == [("short", "T2", 1)]


@in_one(
    ("corner", "car_", "report", "doubt"),
    [
        ("T2", {"stops": 1, "depth": [5, 5]}, {"overshoot": 5, "missing": 1}, ("beyond", "T2", 4)),
        ("T2", {}, {"overshoot": 1, "missing": 1}, ("missing", "T2", 2)),
        ("T2", {}, {"missing": 2}, ("through", "T2", 6)),
        ("T2", {"stops": 2, "depth": [2, 2]}, {"overshoot": 1, "missing": 1}, ("done", "T2", 2)),
        ("T4", {}, {"overshoot": 4, "missing": 1}, None),
        ("T2", {"stops": 1, "depth": [5, 5]}, {"overshoot": 4, "missing": 1}, None),
    ],
)
def test_an_overshoot_that_cannot_be_is_doubted(
    corner: str, car_: dict[str, Any], report: dict[str, Any], doubt: Any
) -> None:
    """FD-CORNER-2, FD-CORNER-3: five spaces, in Sebring's T2 (6 to 12) or T4 (1 to 4)."""
    found = doubts(say(at(corner, **car_), **report))
    assert doubt in found if doubt else not found


def test_a_corner_with_its_stops_is_not_the_one_that_is_overshot() -> None:
    """FD-CORNER-2: five spaces into T3 (5 to 11), 8 more, and T4 (1 to 4) lies behind it."""
    race = say(at("T3", face=8, stops=2, depth=[5, 5]), overshoot=1, missing=1)
    (told,) = [event for event in race.events if event["event"] == "Overshot"]
    assert (told["corner"], car(race)["corner"], doubts(race)) == ("T4", "T5", [])


def test_a_corrected_corner_forgets_how_deep_the_car_was() -> None:
    race = at("T2", stops=1, depth=[5, 5])
    race.say({"correct": {"cars": {"1": {"corner": "T8"}}}, "reason": "miscounted"})
    assert "depth" not in car(race)


# -- what is offered -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "depth", "likely"),
    [
        (8, [5, 5], [{"overshoot": 4, "missing": 1}]),
        (5, [1, 3], [{"corner": True}, {"overshoot": 1, "missing": 1}]),
        (4, [1, 1], [{"corner": True}]),
        (8, [3, 4], [{"overshoot": 2, "missing": 1}, {"corner": True}]),
    ],
)
def test_the_ask_offers_what_the_figures_make_of_the_roll(
    face: int, depth: list[int], likely: list[Any]
) -> None:
    """FD-CORNER-2: in T2 of Sebring with one of two stops."""
    ask = at("T2", face=face, stops=1, depth=depth).ask("report")
    assert ask["likely"] == likely


def test_before_a_corner_the_figures_say_nothing() -> None:
    assert "likely" not in at("T2").ask("report")


def test_the_next_corner_is_on_offer_only_where_two_are_possible() -> None:
    """FD-MOVE-5."""
    here: Any = {"stops": 2, "depth": [3, 3]}
    for face, offered in ((4, [False, True]), (8, [False, True])):
        assert at("T2", face=face, **here).ask("report")["options"]["next"] == offered
    assert at("T2", face=4, stops=1, depth=[3, 3]).ask("report")["options"]["next"] == [False]
    assert at("T8", face=4, **here).ask("report")["options"]["next"] == [False]
    error = at("T2", face=4, **here).refused({"seat": 1, "report": {"next": True}})
    assert error["key"] == "report-contradiction"


# -- whole races, held against where the cars are ---------------------------------------------


def races(card: bool, **more: Any) -> list[Mirror]:
    return [Mirror(board, 1, card=card, **more).play() for board in BOARDS]


@pytest.mark.slow
def test_true_reports_are_never_doubted_and_find_the_corner_of_every_car() -> None:
    """FD-CORNER-1, FD-MOVE-5: on cards of boards, against the boards themselves."""
    for race in races(card=True):
        compared = 0
        for turn, events, told in race.told:
            space = turn.state["cars"][str(turn.seat)]["space"]
            if space is None:
                continue
            compared += 1
            assert told["corner"] == race.next_corner(space), turn
            assert not [event for event in events if event["event"] == "Doubted"], turn
        assert compared > 150


@pytest.mark.slow
@pytest.mark.parametrize("card", [True, False])
def test_nobody_is_a_lap_late_who_forgets_the_first_line(card: bool) -> None:
    """FD-END-2: told by the first stop, and a lap too many by none."""

    def forgetful(turn: Turn, report: dict[str, Any]) -> dict[str, Any]:
        first = turn.state["cars"][str(turn.seat)]["lap"] == 1
        return {word: told for word, told in report.items() if word != "line" or not first}

    for race in races(card=card, says=forgetful):
        for turn, _, told in race.told:
            true = turn.state["cars"][str(turn.seat)]
            if true["lap"] > 1 or true["stops"]:
                assert told["lap"] == true["lap"], turn
        assert sum(event["event"] == "LineFollowed" for event in race.events) >= 5


@pytest.mark.parametrize("card", [True, False])
@pytest.mark.slow
def test_the_order_on_offer_is_nearer_the_true_one_than_that_of_the_last_round(card: bool) -> None:
    """FD-ORDER-1: at most half as many pairs of cars stand the wrong way round."""
    as_they_ran = offered = 0
    for race in races(card=card):
        for (_, before), (listed, true) in zip(race.orders, race.orders[1:], strict=False):
            as_they_ran += swaps([seat for seat in before if seat in true], true)
            offered += swaps(listed, true)
    assert as_they_ran > 60
    assert offered <= 0.5 * as_they_ran


def swaps(one: list[int], other: list[int]) -> int:
    """The pairs that stand the other way round."""
    return sum(other.index(a) > other.index(b) for a, b in combinations(one, 2))
