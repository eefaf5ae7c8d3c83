"""Dice that the companion throws for people: they fall when the seat says so, and not before."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import pytest
from support.each import in_one
from support.screens.hands import presses_to, sends
from support.tables.sitting import REFEREE, Sitting, phone, race_header

from companion.race.record import audit
from companion.table.ports import JSON
from companion.table.screens import make_scene
from companion.views.dialog import choices, show
from companion.views.formula.turn import last_throw

MEAN_PRESSES = 3.6
MOST_PRESSES_OF_95_PERCENT = 6


def thrown_for(*seats: int, **more: Any) -> JSON:
    return race_header(3, dice={"seats": list(seats)}, **more)


def begun(*seats: int, **more: Any) -> Sitting:
    sitting = Sitting()
    sitting.accepts(REFEREE, {"new": thrown_for(*seats, **more)})
    return sitting


def rolls(sitting: Sitting) -> list[JSON]:
    return [line for line in sitting.race.lines if "roll" in line or "black" in line]


def test_a_die_of_a_person_falls_when_its_seat_throws_and_not_before() -> None:
    sitting = begun(1, 2, 3)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    assert [ask["kind"] for ask in sitting.state.asks] == ["roll"]
    assert rolls(sitting) == []
    sitting.accepts(phone(1), {"seat": 1, "roll": None})
    (roll,) = rolls(sitting)
    assert roll["roll"] in (1, 2)
    assert roll["by"] == "companion"


@in_one("said", [1, 2, 30, "six", None])
def test_nobody_chooses_what_the_companion_throws(said: object) -> None:
    faces = set()
    for value in (said, None):
        sitting = begun(1, 2, 3)
        sitting.accepts(phone(1), {"seat": 1, "gear": 1})
        sitting.accepts(phone(1), {"seat": 1, "roll": value})
        faces.add(rolls(sitting)[0]["roll"])
    assert len(faces) == 1


def test_another_seat_throws_for_nobody() -> None:
    sitting = begun(1, 2, 3)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    assert sitting.refuses(phone(2), {"seat": 1, "roll": None}) == "other-seat"


def test_a_seat_with_its_own_die_still_says_what_that_shows() -> None:
    sitting = begun(2)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    assert sitting.refuses(phone(1), {"seat": 1, "roll": None})
    sitting.accepts(phone(1), {"seat": 1, "roll": 2})
    assert rolls(sitting)[0]["roll"] == 2


def test_a_bot_s_dice_fall_at_once_beside_people_that_tap() -> None:
    seats = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob", "bot": "amateur"}]
    header = race_header(2, dice={"seats": [1, 2]}) | {"seats": seats}
    del header["grid"]
    sitting = Sitting()
    sitting.accepts(REFEREE, {"new": header})
    assert [ask["seat"] for ask in sitting.state.asks] == [1]
    assert [roll["seat"] for roll in rolls(sitting)] == [2]


def test_the_weather_s_die_is_the_companion_s_where_it_throws_for_the_table() -> None:
    header = thrown_for(0, 1, 2, 3, rules=["weather"])
    del header["weather"]
    sitting = Sitting()
    sitting.accepts(REFEREE, {"new": header})
    (ask,) = sitting.state.asks
    assert (ask["seat"], ask["for"]) == (0, "weather")
    sitting.accepts(phone(2), {"seat": 0, "black": None})
    assert [roll["seat"] for roll in rolls(sitting)] == [0]


def test_the_weather_of_a_race_of_bots_needs_nobody() -> None:
    seats = [{"seat": n, "name": str(n), "bot": "learner"} for n in (1, 2)]
    header = race_header(2, dice={"seats": [0, 1, 2]}, rules=["weather"]) | {"seats": seats}
    del header["weather"]
    sitting = Sitting()
    sitting.accepts(REFEREE, {"new": header})
    assert [roll["seat"] for roll in rolls(sitting)] == [0]


def test_any_button_throws_and_the_screen_says_so() -> None:
    sitting = begun(1, 2, 3)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    scene = make_scene(sitting.state, {}, str)
    sent = {tuple(str(one.line) for one in choice.does) for choice in choices(scene, 1) if choice}
    assert sent == {("{'seat': 1, 'roll': None}",)}
    assert "Any button throws the die." in show(scene, 1).lines


class Presses:
    """A whole race on keys alone, all dice thrown by the companion, each press counted by turn."""

    def __init__(self, seed: int, **more: Any) -> None:
        self.sitting, self.dice = begun(0, 1, 2, 3, **more), Random(seed)
        self.turns: list[int] = []

    def play(self) -> Presses:
        turn: object = None
        while asks := self.sitting.state.asks:
            state = self.sitting.race.state
            if state["turn"] and (state["round"], state["turn"]) != turn:
                turn = (state["round"], state["turn"])
                self.turns.append(0)
            self._give(asks[0])
        return self

    def _give(self, ask: JSON) -> None:
        is_die = ask["kind"] in ("roll", "black")
        seat = ask["seat"] or 1
        nothing = {"seat": ask["seat"], ask["kind"]: None}
        line = nothing if is_die else self.sitting.sensible(dict(ask), self.dice)
        scene = make_scene(self.sitting.state, {}, str)
        buttons = presses_to(scene, seat, sends(line))
        assert buttons is not None, ask
        self.sitting.accepts(phone(seat), line, pressed=True)
        if self.turns:
            self.turns[-1] += len(buttons)


@pytest.mark.slow
def test_throwing_costs_no_more_presses_a_turn_than_telling_the_die() -> None:
    races = [Presses(seed, laps=1).play() for seed in range(2)]
    turns = sorted(presses for race in races for presses in race.turns)
    assert all(race.sitting.race.is_finished for race in races)
    assert len(turns) > 60
    assert mean(turns) <= MEAN_PRESSES
    assert turns[int(len(turns) * 0.95)] <= MOST_PRESSES_OF_95_PERCENT


def test_the_audit_of_a_race_thrown_by_taps_holds_every_die() -> None:
    sitting = Presses(1, laps=1).play().sitting
    thrown = rolls(sitting)
    assert audit([*sitting.race.lines, {"seed": sitting.race.seed}]) == len(thrown) > 60


def test_the_lobby_has_all_dice_thrown_for_whoever_has_no_box() -> None:
    sitting = Sitting()
    for seat in (1, 2):
        sitting.accepts(phone(seat), {"table": "join", "seat": seat})
    sitting.accepts(REFEREE, {"table": "switch", "value": {"name": "dice", "value": "thrown"}})
    sitting.accepts(REFEREE, {"table": "start"})
    assert sitting.race.header["dice"]["seats"] == [0]


def test_who_comes_in_late_throws_as_all_others_do() -> None:
    sitting = begun(0)
    sitting.accepts(REFEREE, {"table": "join", "value": {"seat": 4, "value": "Dan"}})
    for _ in range(60):
        ask = sitting.state.asks[0]
        kind, seat = ask["kind"], ask["seat"]
        is_die = kind in ("roll", "black")
        line = {"seat": seat, kind: None} if is_die else sitting.sensible(dict(ask), Random(2))
        sitting.accepts(phone(seat), line)
        if kind == "roll" and seat == 4:
            break
    assert rolls(sitting)[-1]["seat"] == 4
    assert audit([*sitting.race.lines, {"seed": sitting.race.seed}]) == len(rolls(sitting))


def test_what_the_companion_threw_is_told_with_its_version_and_a_person_s_die_is_not() -> None:
    sitting = begun(1)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    version = sitting.accepts(phone(1), {"seat": 1, "roll": None})["version"]
    face = rolls(sitting)[0]["roll"]
    told = {"seat": 1, "gear": 1, "shows": str(face), "version": version}
    assert last_throw(make_scene(sitting.state, {}, str)) == told
    while sitting.state.asks[0]["kind"] != "roll":
        ask = sitting.state.asks[0]
        sitting.accepts(phone(ask["seat"]), sitting.sensible(ask, Random(1)))
    sitting.accepts(phone(2), {"seat": 2, "roll": 1})
    assert last_throw(make_scene(sitting.state, {}, str)) is None


def test_nobody_makes_the_others_throw_again_by_taking_a_throw_back() -> None:
    header = thrown_for(0)
    del header["grid"]
    sitting = Sitting()
    sitting.accepts(REFEREE, {"new": header})
    sitting.accepts(phone(1), {"seat": 1, "black": None})
    sitting.accepts(phone(2), {"seat": 2, "black": None})
    assert sitting.refuses(phone(1), {"table": "take-back", "seat": 1}) == "acted-on"
    face = rolls(sitting)[1]["black"]
    sitting.accepts(phone(2), {"table": "take-back", "seat": 2})
    sitting.accepts(phone(2), {"seat": 2, "black": None})
    assert rolls(sitting)[-1]["black"] == face


def test_the_referee_amends_no_die_that_the_companion_threw() -> None:
    sitting = begun(0)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    sitting.accepts(phone(1), {"seat": 1, "roll": None})
    face = rolls(sitting)[0]["roll"]
    assert sitting.refuses(REFEREE, {"amend": 1, "value": 3 - face}) == "thrown-die"
    sitting.accepts(REFEREE, {"amend": 1, "value": face})
