"""Cards: boards without spaces, and where a car is on one."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.boardless import SHIPPED, header, scene

from companion.race.engine import Engine
from companion.rules.board.build import load_track
from companion.rules.board.check import check_track
from companion.rules.lines import Malformed

FIGURES = {
    "sebring": (567, "1:3-7 2:6-12 2:5-11 1:1-4 1:1-4 1:2-5 1:1-4 2:6-12"),
    "hockenheim-new": (437, "1:1-4 2:4-10 2:5-10 2:5-11 1:1-5 1:3-8 2:6-11"),
    "valencia": (428, "1:3-6 2:4-9 2:6-13 2:8-13 3:11-20 1:1-6"),
    "singapore": (518, "2:5-11 1:1-5 1:1-4 1:1-5 1:1-5 2:7-10 1:2-7 1:1-5 1:4-7 3:11-18 1:3-7"),
    "austin": (455, "1:1-6 1:2-5 2:7-12 3:9-15 1:1-6 1:1-5 3:8-17 1:1-5 1:1-5 1:1-5"),
}
WEATHER = {"sakhir": (2, 5), "shanghai": (8, 13), "indianapolis": (5, 10)}
WEATHER |= {"buenos-aires": (4, 9), "kyalami": (7, 11), "long-beach": (6, 10)}


def card(*lines: str) -> str:
    return "\n".join(('kind = "card"', 'name = "Mine"', *lines))


@in_one("name", FIGURES)
def test_a_card_that_ships_has_the_printed_figures(name: str) -> None:
    track = SHIPPED.load(name)
    told = " ".join(f"{c.stops}:{c.shortest}-{c.longest}" for c in track.corners)
    assert (track.length, told) == FIGURES[name]
    assert track.is_blank


@in_one("name", WEATHER)
def test_a_card_that_ships_has_its_weather_table(name: str) -> None:
    """FD-WEATHER-1."""
    track = SHIPPED.load(name)
    assert track.weather is not None
    assert track.weather["variable"] == WEATHER[name]
    assert track.weather["fine"][1] == 20


def test_all_cards_are_sound_and_no_board_is_among_them() -> None:
    assert SHIPPED.cards() == sorted({*FIGURES, *WEATHER})
    assert not set(SHIPPED.cards()) & set(SHIPPED.names())
    assert all(check_track(SHIPPED.text(name)) == [] for name in SHIPPED.cards())


@in_one(
    "lines",
    [
        [],
        ['corners = ["2:6"]'],
        ['corners = ["4:6-12"]'],
        ['corners = ["1:7-3"]'],
        ["corners = [1]"],
        ['corners = ["1:3-7"]', 'grid = ["l1"]'],
        ['corners = ["1:3-7"]', "length = 0"],
        ["[weather]", 'rain = "1-7"', 'variable = "8-12"', 'fine = "14-20"'],
        ["corners = "],
    ],
)
def test_a_card_with_a_fault_says_where(lines: list[str]) -> None:
    text = card(*lines)
    assert check_track(text)
    with pytest.raises(Malformed):
        load_track(text)


def at(corner: str, **more: Any) -> Any:
    """Seat 1 on Sebring, in or before this corner, asked for a report of 5 spaces."""
    cars = {1: {"gear": 3, "lap": 1, "corner": corner, **more}, 2: {"gear": 3, "lap": 1}}
    return scene(cars, track="sebring", header={"laps": 3}).gear(3).roll(5)


def place(race: Any) -> tuple[str, int]:
    told = race.state["cars"]["1"]
    return told["corner"], told["stops"]


@in_one(
    ("corner", "stops", "report", "there"),
    [
        ("T2", 0, {}, ("T2", 0)),
        ("T2", 0, {"corner": True}, ("T2", 1)),
        ("T2", 1, {"corner": True}, ("T2", 2)),
        ("T2", 2, {"corner": True}, ("T2", 3)),
        ("T2", 2, {"corner": True, "next": True}, ("T3", 1)),
        ("T2", 2, {}, ("T3", 0)),
        ("T2", 1, {"overshoot": 1, "missing": 1}, ("T3", 0)),
        ("T8", 2, {}, ("T1", 0)),
        ("T8", 2, {"line": True}, ("T1", 0)),
        ("T5", 0, {"line": True, "corner": True}, ("T1", 1)),
        ("T2", 1, {"brakes": 3, "blocked": 2}, ("T2", 1)),
    ],
)
def test_the_corner_is_counted_on(
    corner: str, stops: int, report: dict[str, Any], there: tuple[str, int]
) -> None:
    """FD-CORNER-1, FD-MOVE-5: the line begins the count anew."""
    race = at(corner, stops=stops, wear={"brakes": 3, "tires": 5})
    race.say({"seat": 1, "report": report})
    while any(ask["seat"] == 1 for ask in race.asks):
        race.say({"seat": 1, "black": 20})
    told = race.state["cars"]["1"]
    assert told["status"] == "out" or place(race) == there


def test_the_ask_shows_the_card() -> None:
    assert at("T2", stops=1).ask("report")["card"] == {
        "corner": "T2", "stops": 2, "shortest": 6, "longest": 12, "made": 1,
    }  # fmt: skip


def test_an_overshoot_names_the_corner_of_the_card() -> None:
    """FD-CORNER-2."""
    race = at("T3", stops=1).say({"seat": 1, "report": {"overshoot": 1, "missing": 1}})
    (event,) = [event for event in race.events if event["event"] == "Overshot"]
    assert event["corner"] == "T3"


def test_the_referee_sets_the_corner() -> None:
    race = at("T3").say({"correct": {"cars": {"1": {"corner": "T5"}}}, "reason": "miscounted"})
    assert race.ask("report")["card"]["corner"] == "T5"
    error = race.refused({"correct": {"cars": {"1": {"corner": "T9"}}}, "reason": ""})
    assert error["key"] == "no-such-corner"


def test_the_weather_table_of_a_card_decides() -> None:
    """FD-WEATHER-1, FD-WEATHER-2: a 6 is fine in Sakhir."""
    engine = Engine(SHIPPED)
    engine.handle({"new": header(track="sakhir", rules=["weather"], grid=[1, 2, 3])})
    assert engine.asks()[0]["options"] == [[1, 1], [2, 5], [6, 20]]
    engine.handle({"seat": 0, "black": 6})
    state = engine.state()
    assert state is not None
    assert state["weather"] == "fine"
