"""The computer switched off from a seat: by its own buttons, never while a race goes on."""

from __future__ import annotations

import pytest
from support.tables.sitting import ListJournal, make_state, race_header

from companion.rules.lines import Refusal
from companion.table.handlers import carry_out
from companion.table.ports import Caller
from companion.table.screens import make_scene
from companion.table.state import TableState
from companion.views.dialog import choices, press, show
from companion.views.model import Pause, Power, Scene, SetUp
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES

HARD, PHONE = 2, 1
REFEREE = Caller(referee=True)


class Computer:
    """What was asked of it; `why` it does not do it."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.why = ""

    def switch(self, power: str) -> str:
        self.heard.append(power)
        return self.why


def table_of(computer: Computer | None) -> TableState:
    switch = computer.switch if computer else None
    return make_state(ListJournal(), buttons=frozenset({HARD}), switch=switch)


def paused(computer: Computer | None) -> tuple[TableState, Scene]:
    from companion.rules.lines import New

    table = table_of(computer)
    carry_out(table, REFEREE, New(race_header()), 0.0)
    carry_out(table, REFEREE, Pause(True), 1.0)
    return table, scene_of(table)


def scene_of(table: TableState) -> Scene:
    return make_scene(table, {}, lambda seat: f"http://x/{seat}", buttons=table.buttons)


def means(scene: Scene, seat: int, dialog: Dialog = HOME, depth: int = 4) -> set[str]:
    """What the keys of a seat's screen, and those of the pages behind them, do to the computer."""
    found: set[str] = set()
    for button in range(1, 7):
        then, does = press(scene, seat, dialog, button)
        found |= {one.what for one in does if isinstance(one, Power)}
        if then.page in ("off", "restart", "me") and then != dialog and depth:
            found |= means(scene, seat, then, depth - 1)
    return found


def test_a_seat_with_buttons_switches_it_off_or_restarts_it_while_the_race_rests() -> None:
    computer = Computer()
    table, scene = paused(computer)
    assert means(scene, HARD) == {"off", "restart"}
    carry_out(table, Caller(seat=HARD, by="seat"), Power("off", HARD), 2.0, pressed=True)
    assert computer.heard == ["off"]
    assert not any(isinstance(one, Power) for c in choices(scene, HARD) if c for one in c.does)


def test_a_phone_may_not() -> None:
    computer = Computer()
    table, scene = paused(computer)
    assert means(scene, PHONE) == set()
    with pytest.raises(Refusal, match="cannot be switched from here"):
        carry_out(table, Caller(seat=PHONE, by="phone"), Power("off", PHONE), 2.0, pressed=True)
    assert computer.heard == []


def test_no_seat_switches_a_computer_that_is_not_the_services() -> None:
    table, scene = paused(None)
    assert means(scene, HARD) == set()
    with pytest.raises(Refusal):
        carry_out(table, Caller(seat=HARD, by="seat"), Power("off", HARD), 2.0, pressed=True)


def test_a_race_that_goes_on_is_paused_first() -> None:
    table, _ = paused(Computer())
    carry_out(table, REFEREE, Pause(False), 3.0)
    assert means(scene_of(table), HARD) == set()


def test_before_a_race_it_is_behind_the_own_car() -> None:
    table = table_of(Computer())
    for seat in (HARD, PHONE):
        carry_out(table, Caller(seat=seat, by="seat"), SetUp("join", seat=seat), 0.0)
    assert means(scene_of(table), HARD) == {"off", "restart"}


def test_a_computer_that_refuses_is_told_on_the_screen() -> None:
    computer = Computer()
    computer.why = "it may not"
    table, _ = paused(computer)
    with pytest.raises(Refusal) as refused:
        carry_out(table, Caller(seat=HARD, by="seat"), Power("restart", HARD), 2.0, pressed=True)
    scene = make_scene(table, {HARD: refused.value}, str, buttons=table.buttons)
    assert show(scene, HARD).blink


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_questions_fit_in_every_language(language: str) -> None:
    from companion.views.model import Language

    table, _ = paused(Computer())
    carry_out(table, REFEREE, Language(language, HARD), 2.0)
    scene = scene_of(table)
    for button in (3, 5):
        dialog, _ = press(scene, HARD, HOME, button)
        view = show(scene, HARD, dialog)
        assert dialog.page in ("off", "restart")
        assert all(len(line) <= 21 for line in (view.title, *view.lines))
        assert all(len(key.label) <= 7 and len(key.hint) <= 8 for key in view.keys if key)
