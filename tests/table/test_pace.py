"""The clock of the turns, the bank, the bell: told from lines, on a clock that is set."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from support.formula.scenes import at as standing
from support.tables.evening import Evening, drives
from support.tables.sitting import REFEREE, Room, phone

from companion.drawing.bitmap import changed_spans
from companion.drawing.seat import draw_seat
from companion.race.record import replay
from companion.rules.lines import Bell, Flag
from companion.table.clock import SHORTEST_S, pace_until_next_s
from companion.table.ports import Snapshot
from companion.table.screens import Press
from companion.views.dialog import show
from companion.views.page import table_view

WINDOW = 7
"""Bytes that a span costs beside its dots, as a pod's firmware writes it."""


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_a_race_without_a_limit_has_no_clock_and_never_wakes_the_table(evening: Evening) -> None:
    evening.begins({})
    assert evening.room.session._scene.pace is None
    assert evening.wait_s is None


def test_the_clock_counts_from_the_turn_before(evening: Evening) -> None:
    evening.begins({"turn_clock": "30"})
    evening.passes(12)
    assert (evening.pace.seat, evening.pace.left_s) == (1, 18)
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.passes(5)
    assert evening.pace.left_s == 13
    drives(evening, 1)
    assert (evening.pace.seat, evening.pace.left_s) == (2, 30)


def test_by_default_the_clock_only_shows(evening: Evening) -> None:
    evening.begins({"turn_clock": "20"})
    evening.passes(45)
    assert evening.pace.left_s == -25
    assert evening.by_itself() == []


def test_a_flag_falls_once_a_turn_when_its_time_is_over(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "flag"})
    evening.passes(19.9)
    assert evening.by_itself() == []
    evening.passes(60)
    assert evening.by_itself() == [Flag(1, "time")]
    line = next(line for line in evening.race.lines if "flag" in line)
    assert (line["at"], line["by"]) == (20.0, "companion")
    assert evening.room.journal.lines(evening.race.id)[-1] == line, "durable before it is shown"


def test_a_press_that_comes_too_late_comes_after_the_flag(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "flag"})
    evening.now += 20.2
    evening.says(phone(1), {"seat": 1, "gear": 1})
    assert [one.command.line for one in evening.race.given] == [
        {"seat": 1, "flag": "time"},
        {"seat": 1, "gear": 1},
    ]


def test_a_late_turn_costs_the_next_one(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "lost"})
    evening.passes(21)
    drives(evening, 1)
    drives(evening, 2)
    lost = [event["seat"] for event in evening.race.log if event["event"] == "TurnLost"]
    assert lost == [1]


def test_a_bank_pays_for_what_is_over_the_limit_and_then_turns_are_lost(evening: Evening) -> None:
    evening.begins({"turn_clock": "60", "turn_late": "bank"})
    evening.passes(460)
    assert (evening.pace.left_s, evening.pace.bank_s) == (-400, 200)
    drives(evening, 1)
    assert (evening.pace.seat, evening.pace.bank_s) == (2, 600), "each has its own"
    drives(evening, 2)
    assert (evening.pace.seat, evening.pace.bank_s) == (1, 200)
    evening.passes(259)
    assert evening.by_itself() == []
    evening.passes(2)
    assert evening.by_itself() == [Flag(1, "time")]
    assert evening.race.state["cars"]["1"]["sits_out"] == 1


def test_a_bank_without_a_limit_pays_for_every_second(evening: Evening) -> None:
    evening.begins({"turn_late": "bank"})
    evening.passes(100)
    assert evening.pace.bank_s == 500


def test_a_pause_does_not_count_and_no_flag_falls_in_it(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "flag", "race_time": "60"})
    evening.passes(15)
    evening.says(phone(1), {"table": "pause"})
    evening.passes(9000)
    assert evening.by_itself() == []
    evening.says(phone(1), {"table": "resume"})
    assert (evening.pace.left_s, evening.pace.race_left_s) == (5, 3585)
    evening.passes(6)
    assert evening.by_itself() == [Flag(1, "time")]


def test_what_the_referee_puts_right_gives_the_turn_its_time_again(evening: Evening) -> None:
    evening.begins({"turn_clock": "20"})
    evening.passes(15)
    evening.says(REFEREE, {"correct": {"cars": {"1": {"wear": {"tires": 3}}}}, "reason": "x"})
    assert evening.pace.left_s == 20
    evening.passes(4)
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.says(REFEREE, {"undo": 1})
    assert evening.pace.left_s == 20


def test_an_answer_taken_back_gives_no_time_back(evening: Evening) -> None:
    evening.begins({"turn_clock": "20"})
    evening.passes(6)
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.passes(5)
    evening.says(phone(1), {"table": "take-back", "seat": 1})
    assert evening.pace.left_s == 9


def test_a_flag_is_no_reason_not_to_take_an_answer_back_and_stays(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "flag"})
    evening.passes(6)
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.passes(20)
    evening.says(phone(1), {"table": "take-back", "seat": 1})
    assert [one.command for one in evening.race.given] == [Flag(1, "time")]
    evening.passes(20)
    assert evening.by_itself() == [Flag(1, "time")]


def collided(evening: Evening) -> None:
    """Seat 1 has run into seat 2, and has rolled; seat 2 has not."""
    cars = {"1": standing("S6.m1", gear=2), "2": standing("S6.m4")}
    told = {"order": [1, 2], "turn": 1, "round": 2, "cars": cars}
    evening.begins({"turn_clock": "20", "turn_late": "flag"}, position=told)
    evening.says(phone(1), {"seat": 1, "gear": 2})
    evening.says(phone(1), {"seat": 1, "roll": 2})
    evening.says(phone(1), {"seat": 1, "move": {"to": "S6.m3", "brakes": 0}})
    evening.says(phone(1), {"seat": 1, "black": 20})


def test_what_others_are_asked_in_a_turn_is_not_its_time(evening: Evening) -> None:
    collided(evening)
    assert [ask["seat"] for ask in evening.race.asks] == [2]
    evening.passes(100)
    assert (evening.pace.left_s, evening.pace.running) == (20, False)
    assert evening.by_itself() == []


def test_the_bell_rings_after_the_time_of_the_race_and_its_lap_is_the_last(
    evening: Evening,
) -> None:
    evening.begins({"race_time": "120"}, laps=3)
    evening.passes(7199)
    assert evening.race.state["laps"] == 3
    evening.passes(2)
    assert evening.by_itself() == [Bell()]
    assert evening.race.state["laps"] == 1
    assert (evening.pace.race_left_s, evening.pace.rung) == (None, True)
    evening.passes(10_000)
    assert evening.by_itself() == [Bell()]


def test_a_gong_ends_the_race_as_it_stands(evening: Evening) -> None:
    evening.begins({"race_time": "60", "time_up": "freeze"})
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.passes(3601)
    assert evening.race.is_finished
    (record,) = evening.room.records.values()
    assert ({"end", "at", "by"}, "companion") == (set(record[-2]), record[-2]["by"])


def test_the_referee_may_go_on_after_the_gong(evening: Evening) -> None:
    evening.begins({"race_time": "60", "time_up": "freeze"})
    evening.passes(3601)
    evening.says(REFEREE, {"undo": 1})
    evening.passes(500)
    assert not evening.race.is_finished


def test_the_plug_is_pulled_while_a_clock_runs(evening: Evening) -> None:
    """The race comes back paused, and its turn has the time left that its last line left it."""
    evening.begins({"turn_clock": "20", "turn_late": "flag"})
    evening.passes(6)
    evening.says(phone(1), {"seat": 1, "gear": 1})
    evening.passes(9)
    again = evening.plug_pulled()
    assert again.race.paused
    assert again.room.session._scene.paused
    again.passes(5000)
    assert (again.by_itself(), again.pace.left_s) == ([], 14)
    again.says(phone(2), {"table": "resume"})
    again.passes(13)
    assert again.by_itself() == []
    again.passes(2)
    assert again.by_itself() == [Flag(1, "time")]


def test_a_race_without_a_clock_comes_back_as_it_was(evening: Evening) -> None:
    evening.begins({})
    assert not evening.plug_pulled().race.paused


def test_a_pause_and_a_flag_come_back_from_the_journal_as_they_were(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "bank"})
    evening.passes(100)
    drives(evening, 1)
    drives(evening, 2)
    evening.says(phone(1), {"table": "pause"})
    before = evening.pace
    again = evening.plug_pulled().pace
    assert (again.left_s, again.bank_s, again.seat) == (before.left_s, before.bank_s, before.seat)


@pytest.mark.slow
def test_the_record_replays_without_a_clock(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "lost", "race_time": "60"}, laps=1)
    drives(evening, 1)
    evening.passes(3700)
    evening.says(REFEREE, {"end": True})
    (record,) = evening.room.records.values()
    assert {"flag", "bell"} <= {key for line in record for key in line}
    assert replay(record).state() == evening.race.state


def test_the_table_wakes_at_each_second_of_a_running_clock() -> None:
    evening = Evening()
    evening.begins({"turn_clock": "20"})
    evening.now += 0.25
    assert pace_until_next_s(evening.pace) == 0.75
    evening.now += 0.75
    assert pace_until_next_s(evening.pace) == 1.0
    evening.says(phone(1), {"table": "pause"})
    assert pace_until_next_s(evening.pace) is None
    assert SHORTEST_S > 0


@pytest.mark.parametrize(("house", "most"), [({"turn_clock": "120"}, 60), ({}, 0)])
def test_the_table_publishes_once_a_second_at_most_and_not_at_all_without_a_clock(
    evening: Evening, house: dict[str, str], most: int
) -> None:
    """And pages are sent none of it (tests/web/test_streams.py: what is `ticked`)."""
    evening.begins(house)
    published: list[Snapshot] = []
    evening.room.session.watch(published.append)
    if evening.wait_s is not None:
        evening.passes(60)
    assert len(published) == most
    assert all(one.ticked for one in published)


def test_a_second_of_the_clock_writes_nothing_and_tells_no_page(evening: Evening) -> None:
    evening.begins({"turn_clock": "20"})
    commits = evening.room.journal.commits
    shown = evening.passes(3)
    assert shown.ticked
    assert evening.room.journal.commits == commits


# -- on the screens ------------------------------------------------------------------------------


def test_the_next_player_is_told_while_the_other_still_moves(evening: Evening) -> None:
    evening.begins({"turn_clock": "20"}, seats=3)
    scene = evening.room.session._scene
    assert table_view(scene)["next"] == 2
    assert show(scene, 2).title == "Which gear next?"
    assert show(scene, 3).title == "Ana, then Bob"


def test_who_sits_a_turn_out_is_not_next(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "lost"}, seats=3)
    evening.says(REFEREE, {"seat": 2, "flag": "time"})
    assert table_view(evening.room.session._scene)["next"] == 3


def test_pages_are_told_when_a_turn_ends_and_count_by_themselves(evening: Evening) -> None:
    evening.begins({"turn_clock": "20", "turn_late": "flag", "race_time": "60"})
    told: Any = table_view(evening.room.session._scene)["clock"]
    evening.passes(7)
    later: Any = table_view(evening.room.session._scene)["clock"]
    assert told["ends"] - told["now"] == 20
    assert {key: value for key, value in later.items() if value != told[key]} == {"now": 7.0}
    assert later["bell"] == 3600


def test_a_race_without_a_clock_tells_none(evening: Evening) -> None:
    evening.begins({})
    assert table_view(evening.room.session._scene)["clock"] is None


def test_a_phone_is_told_of_a_clock_once_a_turn(evening: Evening) -> None:
    evening.begins({"turn_clock": "60"})
    numbers = {evening.passes(1).private[seat].number for seat in (1, 2) for _ in range(20)}
    assert len(numbers) == 1
    assert evening.room.session.snapshot().tell_seat(2, True)["clock"]["mine"] is False


def wired(clock: str = "60") -> Evening:
    """Seat 1 has real buttons, and the screens are drawn."""
    evening = Evening()
    evening.room = Room(evening.room.journal, draw=draw_seat)
    object.__setattr__(evening.room.state._given, "buttons", frozenset({1}))
    evening._set()
    evening.begins({"turn_clock": clock})
    return evening


def test_a_seat_with_buttons_has_its_clock_beside_the_title() -> None:
    evening = wired()
    evening.passes(47)
    assert show(evening.room.session._scene, 1).clock == "13"
    assert show(evening.room.session._scene, 2).clock == ""


def test_a_key_pressed_on_the_picture_of_an_earlier_second_is_taken() -> None:
    evening = wired()
    number = evening.passes(3).private[1].number
    evening.passes(3)
    screens, scene = evening.room.session._screens, evening.room.session._scene
    assert screens.still_means(scene, Press(1, 1, False, number))


def test_a_second_of_the_clock_is_a_few_bytes_of_one_screen() -> None:
    evening = wired()
    evening.passes(1.5)
    shown = [evening.passes(1).private for _ in range(70)]
    spans = [changed_spans(old[1].bitmap, new[1].bitmap) for old, new in pairwise(shown)]
    sent = [sum(WINDOW + span.stop - span.start for span in change) for change in spans]
    assert all(sent), "every second is seen"
    assert max(sent) <= 40
    assert sum(sent) / len(sent) <= 26
    assert len({pictures[2].bitmap for pictures in shown}) == 1


def test_the_end_is_forecast_from_the_second_round_on_once_a_round(evening: Evening) -> None:
    evening.begins({}, seats=2)
    for seat in (1, 2):
        assert evening.room.session._scene.minutes_left is None
        evening.now += 30
        drives(evening, seat)
    scene = evening.room.session._scene
    assert scene.minutes_left is not None
    assert table_view(scene)["minutes_left"] == scene.minutes_left
    assert scene.minutes_span is not None
    low, high = scene.minutes_span
    assert table_view(scene)["minutes_span"] == (low, high)
    assert low <= scene.minutes_left <= high
    evening.now += 500
    evening.says(phone(1), {"table": "language", "seat": 1, "value": "fr"})
    assert evening.room.session._scene.minutes_left == scene.minutes_left


def test_the_end_is_forecast_too_once_somebody_has_come_late(evening: Evening) -> None:
    evening.begins({})
    for _ in range(2):
        evening.passes(20)
        drives(evening, evening.race.outline.mover)
    assert evening.says(REFEREE, {"join": {"seat": 3, "name": "Zoé"}})["ok"]
    while evening.race.outline.round < 4:
        evening.passes(20)
        drives(evening, evening.race.outline.mover)
    assert 3 in {turn.seat for turn in evening.race.times.turns(evening.now)}
    assert evening.room.session._scene.minutes_left is not None
