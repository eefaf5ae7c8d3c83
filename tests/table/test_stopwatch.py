"""The companion's stopwatch in time trials (FD-TRIAL-1): from the first gear to the line."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from support.tables.sitting import REFEREE, ListJournal, Room, Sitting, phone, race_header

from companion.drawing.bitmap import changed_spans
from companion.drawing.seat import draw_seat
from companion.rules.lines import Answer
from companion.table import clock
from companion.table.ports import Snapshot
from companion.table.screens import Press
from companion.views.dialog import show

WINDOW = 7
"""Bytes that a span costs beside its dots, as a pod's firmware writes it."""


def trials(seats: int = 2) -> dict[str, Any]:
    header = race_header(seats, rules=["trials"])
    del header["grid"]
    return header


@pytest.fixture
def driving(sitting: Sitting) -> Sitting:
    """Seat 1 has started its trial at 10 s, on a clock that says when each line comes."""
    sitting.accepts(REFEREE, {"new": trials()})
    says(sitting, 10, seat=1, gear=1)
    return sitting


def says(sitting: Sitting, at: float, **line: Any) -> Any:
    sitting.at = at - 1
    caller = phone(line["seat"]) if "seat" in line else REFEREE
    return sitting.accepts(caller, line)


def lap(sitting: Sitting, until: float, dice: Random | None = None) -> None:
    """Seat 1 drives on, its last answer at `until` seconds."""
    dice = dice or Random(2)
    while sitting.race.asks[0]["seat"] == 1:
        ask = sitting.race.asks[0]
        sitting.at = until - 1
        sitting.accepts(phone(1), sitting.sensible(ask, dice))


def time_of(sitting: Sitting, seat: int = 1) -> float | None:
    told: dict[str, Any] = sitting.race.state["cars"][str(seat)].get("trial") or {}
    return told.get("seconds")


def test_the_time_runs_from_the_first_gear_to_the_move_over_the_line(driving: Sitting) -> None:
    lap(driving, until=95.5)
    assert time_of(driving) == 85.5
    last = driving.race.lines[-1]
    assert (last["time"], last["by"], last["at"]) == (85.5, "companion", 95.5)


def test_nobody_drives_before_the_start_press(sitting: Sitting) -> None:
    sitting.accepts(REFEREE, {"new": trials()})
    assert clock.look(sitting.race, lambda: 500.0) is None


def test_a_gear_set_early_starts_nobodys_watch(driving: Sitting) -> None:
    says(driving, 12, table="preset", seat=2, gear=1)
    lap(driving, until=80)
    assert [(ask["seat"], ask["kind"]) for ask in driving.race.asks] == [(2, "gear")]
    assert clock.look(driving.race, lambda: 99.0) is None


def test_a_pause_is_no_time(driving: Sitting) -> None:
    says(driving, 20, table="pause")
    assert clock.look(driving.race, lambda: 50.0) == {
        "seat": 1, "seconds": 10, "running": False,
    }  # fmt: skip
    says(driving, 60, table="pause")
    says(driving, 120, table="resume")
    lap(driving, until=150)
    assert time_of(driving) == 40


def test_a_restart_goes_on_with_the_watch_where_its_clock_goes_on(driving: Sitting) -> None:
    says(driving, 15, table="pause")
    says(driving, 18, table="resume")
    again = Sitting(driving.journal)
    assert clock.look(again.race, lambda: 20.0) == {"seat": 1, "seconds": 7, "running": True}
    lap(again, until=30)
    assert time_of(again) == 17


def test_the_move_taken_back_takes_its_time_with_it_and_the_watch_ran_on(driving: Sitting) -> None:
    lap(driving, until=80)
    driving.at = 84
    driving.accepts(phone(1), {"table": "take-back", "seat": 1})
    assert time_of(driving) is None
    assert [ask["kind"] for ask in driving.race.asks] == ["move"]
    lap(driving, until=90)
    assert time_of(driving) == 80


def test_a_start_taken_back_starts_the_watch_anew(driving: Sitting) -> None:
    driving.accepts(phone(1), {"table": "take-back", "seat": 1})
    assert clock.look(driving.race, lambda: 99.0) is None
    says(driving, 50, seat=1, gear=1)
    lap(driving, until=61)
    assert time_of(driving) == 11


def test_an_amended_roll_leaves_the_watch_running_from_the_true_start(driving: Sitting) -> None:
    says(driving, 12, seat=1, roll=1)
    driving.at = 29
    driving.accepts(REFEREE, {"amend": 2, "value": 1})
    assert clock.look(driving.race, lambda: 40.0) == {
        "seat": 1, "seconds": 30, "running": True,
    }  # fmt: skip
    again = Sitting(driving.journal)
    assert clock.look(again.race, lambda: 40.0) == clock.look(driving.race, lambda: 40.0)


def test_a_time_that_the_referee_undoes_is_asked_of_the_seat(driving: Sitting) -> None:
    lap(driving, until=80)
    says(driving, 81, undo=1)
    assert [ask["kind"] for ask in driving.race.asks] == ["time"]
    says(driving, 82, seat=1, time=61)
    assert time_of(driving) == 61


def test_a_race_that_begins_in_mid_trial_asks_for_the_time(driving: Sitting) -> None:
    dice, moments = Random(2), []
    while time_of(driving) is None:
        moments.append(driving.race.state)
        answer = driving.sensible(driving.race.asks[0], dice)
        driving.accepts(phone(1), answer)
    driving.accepts(REFEREE, {"new": {**trials(), "position": moments[-1]}})
    driving.accepts(phone(1), answer)
    assert [ask["kind"] for ask in driving.race.asks] == ["time"]
    assert clock.look(driving.race, lambda: 50.0) is None


def test_the_table_wakes_at_each_second_of_a_running_watch_and_else_never(
    driving: Sitting,
) -> None:
    def until(at: float) -> float | None:
        shown = clock.look(driving.race, lambda: 15.25)
        return clock.until_next_s(driving.race, shown, lambda: at)

    assert until(15.25) == 0.75
    assert until(99.0) == clock.SHORTEST_S, "late already"
    says(driving, 20, table="pause")
    assert until(20.5) is None
    assert clock.until_next_s(None, None, lambda: 1.0) is None


# -- on the screens ----------------------------------------------------------------------------


@pytest.fixture
def room() -> Room:
    """A session without its thread: its seconds pass when it is told so."""
    made = Room(ListJournal())
    made.state.start(trials())
    made.state.race.put(Answer(1, "gear", 1), by="phone", at=100.0)  # type: ignore[union-attr]
    return made


def tick(room: Room, at: float) -> Snapshot:
    room.session._services.clock.at = lambda: at  # type: ignore[method-assign]
    room.session._tick()
    return room.session.snapshot()


def test_the_watch_stands_in_the_title_of_the_one_who_drives(room: Room) -> None:
    tick(room, 183.9)
    assert show(room.session._scene, 1).title == "1:23 yellow die?"
    assert show(room.session._scene, 2).title == "1:23 Time trials", "onlookers see the clock too"


def test_a_second_of_the_watch_changes_screens_and_writes_nothing(room: Room) -> None:
    before, commits = tick(room, 120.0), room.journal.commits
    after = tick(room, 121.0)
    assert before.private[1].number != after.private[1].number
    assert before.private[2].number != after.private[2].number
    assert room.journal.commits == commits
    assert after.ticked


def test_a_key_pressed_on_the_picture_of_an_earlier_second_is_taken(room: Room) -> None:
    before = tick(room, 120.0)
    tick(room, 124.0)
    scene = room.session._scene
    assert room.session._screens.still_means(scene, Press(1, 1, False, before.private[1].number))


def test_a_second_of_the_watch_is_a_few_bytes_of_a_screen() -> None:
    room = Room(ListJournal(), draw=draw_seat)
    room.state.start(trials())
    room.state.race.put(Answer(1, "gear", 1), by="phone", at=100.0)  # type: ignore[union-attr]
    shown = [tick(room, at).private[1].bitmap for at in range(160, 182)]
    spans = [changed_spans(old, new) for old, new in pairwise(shown)]
    sent = [sum(WINDOW + span.stop - span.start for span in change) for change in spans]
    assert all(sent), "every second is seen"
    assert max(sent) <= 48
    assert sum(sent) / len(sent) <= 24
