"""What a header must be: a race starts from a sound one only, and nothing changes else."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, header

SEATS = [{"seat": 1}, {"seat": 2}]


def refusal(told: Any) -> dict[str, Any]:
    """The error of a header, tried where a race is on that must go on untouched."""
    return Table.of(header(2, grid=[1, 2])).is_refused({"new": told})


def test_a_sound_header_is_accepted_with_all_that_it_may_say() -> None:
    """The negative cases below differ from this one by one thing each."""
    told = header(laps=3, rules=[], house={"corner_ways": "any"}, grid=[2, 1], start="normal")
    told["seats"] = [
        {
            "seat": 1,
            "name": "Ana",
            "player": "Ana",
            "team": "Rouge",
            "tires": "hard",
            "box": 2,
            "color": "pink",
        },
        {"seat": 2, "name": "Zoé", "box": 1, "wear": {"tires": 6}},
    ]
    table = Table.of({**told, "weather": "fine"})
    assert table.state["laps"] == 3
    assert table.car(1)["name"] == "Ana"
    assert table.asked == [(2, "gear")]


def test_a_color_is_one_of_ten() -> None:
    error = refusal({**header(2), "seats": [{"seat": 1, "color": "mauve"}, {"seat": 2}]})
    assert (error["code"], error["key"]) == ("malformed", "not-one-of")
    assert "cyan" in error["message"]


def test_laps_left_out_are_two() -> None:
    assert Table.of(header(2)).state["laps"] == 2


@pytest.mark.parametrize("laps", [0, -1, 11, 10**30])
def test_laps_are_one_to_ten(laps: int) -> None:
    """FD-LAPS-1"""
    error = refusal(header(laps=laps))
    assert (error["code"], error["rule"]) == ("malformed", "FD-LAPS-1")


@pytest.mark.parametrize("points", [-1, 7])
def test_a_header_with_wear_that_no_car_has_names_the_rule(points: int) -> None:
    """FD-CAR-2"""
    error = refusal({**header(), "seats": [{"seat": 1, "wear": {"tires": points}}]})
    assert (error["code"], error["rule"]) == ("malformed", "FD-CAR-2")


def test_another_wear_than_the_standard_needs_construction() -> None:
    """FD-CAR-1, FD-BUILD-1"""
    error = refusal({**header(), "seats": [{"seat": 1, "wear": {"tires": 5}}]})
    assert (error["code"], error["rule"]) == ("malformed", "FD-CAR-1")


@in_one(
    "change",
    [
        {"game": None},
        {"game": "ludo"},
        {"game": ["formula-d"]},
        {"track": "nowhere"},
        {"track": 7},
        {"track": {"name": "monaco"}},
        {"track": "../monaco"},
        {"track": "/etc/passwd"},
        {"track": "tracks/monaco.toml"},
        {"track": "missing.toml"},
        {"track": "mon\x00aco"},
        {"track": ""},
        {"laps": "2"},
        {"laps": 2.0},
        {"laps": True},
        {"laps": None},
        {"rules": "weather"},
        {"rules": ["ludo"]},
        {"rules": [1]},
        {"rules": {}},
        {"house": []},
        {"house": {"corner_ways": "wide"}},
        {"house": {"corner_ways": 1}},
        {"house": {"ludo": True}},
        {"seats": None},
        {"seats": []},
        {"seats": {}},
        {"seats": 2},
        {"seats": [1, 2]},
        {"seats": [{}]},
        {"seats": [{"seat": 0}]},
        {"seats": [{"seat": -1}]},
        {"seats": [{"seat": "1"}]},
        {"seats": [{"seat": 1.0}]},
        {"seats": [{"seat": True}]},
        {"seats": [{"seat": 1}, {"seat": 1}]},
        {"seats": [{"seat": seat} for seat in range(1, 12)]},
        {"seats": [{"seat": 1, "ludo": 1}]},
        {"seats": [{"seat": 1, "name": 5}]},
        {"seats": [{"seat": 1, "name": ""}]},
        {"seats": [{"seat": 1, "name": "A" * 10_000}]},
        {"seats": [{"seat": 1, "name": "A\nB"}]},
        {"seats": [{"seat": 1, "name": "\ud800"}]},
        {"seats": [{"seat": 1, "team": 5}]},
        {"seats": [{"seat": 1, "wear": 5}]},
        {"seats": [{"seat": 1, "wear": {"wings": 1}}]},
        {"seats": [{"seat": 1, "wear": {"tires": "6"}}]},
        {"seats": [{"seat": 1, "wear": {"tires": True}}]},
        {"seats": [{"seat": 1, "tires": "slick"}]},
        {"seats": [{"seat": 1, "box": 0}]},
        {"seats": [{"seat": 1, "box": 11}]},
        {"seats": [{"seat": 1, "box": 2}, {"seat": 2, "box": 2}]},
        {"seats": [{"seat": 1, "box": 2}, {"seat": 2}]},
        {"grid": [1]},
        {"grid": [1, 1]},
        {"grid": [1, 2, 3]},
        {"grid": [1, 9]},
        {"grid": "12"},
        {"grid": {"1": 2}},
        {"grid": [1, True]},
        {"start": "great"},
        {"start": 1},
        {"weather": "snow"},
        {"weather": 5},
        {"position": []},
        {"position": "S1.l1"},
        {"ludo": 1},
    ],
    ids=repr,
)
def test_a_broken_header_is_malformed_and_the_race_goes_on(change: dict[str, Any]) -> None:
    assert refusal({**header(), **change})["code"] == "malformed"


@pytest.mark.parametrize("missing", ["game", "track", "seats"])
def test_a_header_names_its_game_its_track_and_its_seats(missing: str) -> None:
    told = header()
    del told[missing]
    assert refusal(told)["code"] == "malformed"


@in_one("told", [None, 5, "formula-d", [], [header()]])
def test_a_header_is_an_object(told: Any) -> None:
    assert refusal(told)["code"] == "malformed"


def test_box_i_goes_to_the_i_th_seat_unless_said_otherwise() -> None:
    """FD-PIT-1: a car stands in its own box only."""
    told = {**header(), "seats": [{"seat": 7}, {"seat": 3}], "laps": 3}
    cars = {"7": {"space": "B1", "lap": 2}, "3": {"space": "B2", "lap": 2}}
    assert Table.of({**told, "position": {"cars": cars}}).car(7)["status"] == "pit"
    cars = {"7": {"space": "B2", "lap": 2}, "3": {"space": "B1", "lap": 2}}
    error = refusal({**told, "position": {"cars": cars}})
    assert (error["code"], error["rule"]) == ("malformed", "FD-PIT-1")
