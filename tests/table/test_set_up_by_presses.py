"""Two seats set a race up by presses alone, build cars, drive trials, and race."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.formula import careful
from support.screens.hands import presses_to, sends
from support.tables.sitting import Room

from companion.table.ports import Caller
from companion.views.dialog import show
from companion.views.model import SeatView
from companion.views.screen import HOME


class Fingers:
    """Seats of a room whose people only press buttons."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.dice = Random(5)
        self.pressed = 0

    @property
    def scene(self) -> Any:
        return self.room.session._scene

    @property
    def race(self) -> Any:
        return self.room.state.race

    @property
    def phase(self) -> str:
        return str(self.race.state["phase"])

    @property
    def asks(self) -> list[Any]:
        return self.room.state.asks

    def view(self, seat: int) -> SeatView:
        return show(self.scene, seat, self.room.session._screens.dialog(seat))

    def press(self, seat: int, *buttons: int) -> None:
        for button in buttons:
            reply = self.room.session.press(Caller(seat=seat, by="seat"), seat, button, False, None)
            assert reply.status == 200, reply.body
            self.pressed += 1

    def refused(self, seat: int, button: int) -> str:
        reply = self.room.session.press(Caller(seat=seat, by="seat"), seat, button, False, None)
        assert reply.status >= 400
        return str(reply.body["error"]["key"])

    def named(self, seat: int, *labels: str) -> None:
        """Press keys by what stands on them."""
        for label in labels:
            keys = [key.label if key else "" for key in self.view(seat).keys]
            assert label in keys, (label, self.view(seat))
            self.press(seat, keys.index(label) + 1)

    def turn_on(self, seat: int, title: str) -> None:
        """Go to an option by its title and change it."""
        while not self.view(seat).title.startswith(title):
            self.named(seat, "next")
        self.named(seat, "change")
        assert self.view(seat).title == f"{title}: on"

    def drive(self) -> None:
        """A sensible answer to the first ask, over whatever pages it takes."""
        ask = self.asks[0]
        value = careful.answer(ask, self.race.engine.moment, self.dice)
        if isinstance(value, dict) and "to" in value:
            value = {"to": value["to"], "brakes": value["brakes"]}
        line = {"seat": ask["seat"], ask["kind"]: value}
        buttons = presses_to(self.scene, ask["seat"], sends(line), HOME)
        assert buttons, (line, self.view(ask["seat"]))
        self.press(ask["seat"], *buttons)


@pytest.fixture
def fingers(room: Room) -> Fingers:
    return Fingers(room)


@pytest.fixture
def set_up(fingers: Fingers) -> Fingers:
    """Trials, construction, weather and teams, chosen on the screen of seat 3."""
    fingers.press(3, 2)
    fingers.press(1, 4)
    fingers.named(3, "rules")
    for title in ("Construction", "Time trials", "Weather", "Teams"):
        fingers.turn_on(3, title)
    fingers.named(3, "back")
    return fingers


def test_a_seat_that_has_not_chosen_its_team_is_named_before_the_start(set_up: Fingers) -> None:
    assert set_up.view(3).lines[-1] == "guest 1: which team?"
    assert set_up.refused(3, 5) == "lacks-team"
    assert "guest 1 has no team" in " ".join(set_up.view(3).lines)


def test_each_option_is_explained_under_its_name(set_up: Fingers) -> None:
    set_up.named(3, "rules", "next")
    told = set_up.view(3)
    assert told.title == "Construction: on"
    assert " ".join(told.lines) == "Build your car: 20 points, spread as you like."


@pytest.fixture
def started(set_up: Fingers) -> Fingers:
    set_up.named(3, "me", "team", "red")
    set_up.named(1, "team", "red")
    set_up.named(3, "START")
    return set_up


def test_the_header_of_what_was_pressed_is_the_race(started: Fingers) -> None:
    assert started.race.header["rules"] == ["build", "trials", "weather", "teams"]
    assert [seat["team"] for seat in started.race.header["seats"]] == ["red", "red"]
    assert [ask["kind"] for ask in started.asks] == ["black"]
    assert started.asks[0]["seat"] == 0


def test_the_table_is_asked_for_the_weather_on_every_screen(started: Fingers) -> None:
    for seat in (1, 3):
        view = started.view(seat)
        assert view.title == "Weather for trials?"
        told = [(key.label, key.hint) for key in view.keys if key]
        assert [hint for _, hint in told] == ["rain", "changes", "fine"]
    started.press(1, 3)
    assert started.phase == "trials"


def test_trials_are_timed_by_the_table_and_cars_built_in_seven_presses(started: Fingers) -> None:
    started.press(1, 3)
    for seat in (3, 1):
        assert started.view(seat).title == "Your time trial"
        assert "drives alone" in started.view(4 - seat).lines[0]
        started.named(seat, "1")
        while started.asks[0]["seat"] == seat:
            assert started.view(seat).title[:2].rstrip(":").isdigit()
            started.drive()
        own = [line for line in started.room.journal.lines("race-0") if line.get("seat") == seat]
        first = next(line for line in own if "gear" in line)
        assert ("move" in own[-2], own[-1]["by"]) == (True, "companion")
        assert own[-1]["time"] == pytest.approx(own[-2]["at"] - first["at"])
    assert started.asks[0]["for"] == "weather"
    started.press(3, 3)
    built = {"tires": 8, "brakes": 3, "gearbox": 2, "body": 2, "engine": 3, "handling": 2}
    pressed = started.pressed
    started.named(3, "own…", "3", "2", "2", "3", "2")
    assert [pip.left for pip in started.view(3).pips] == list(built.values())
    started.named(3, "build")
    assert started.pressed == pressed + 7
    started.named(1, "usual")
    cars = started.race.state["cars"]
    assert cars["3"]["wear"] == built
    assert cars["1"]["wear"]["tires"] == 6
    assert started.phase == "race"
