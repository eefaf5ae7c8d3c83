"""Who waited for whom: seconds out of a race's lines, at the table and from its record alike."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import at as standing
from support.tables.evening import Evening, drives
from support.tables.sitting import REFEREE, phone

from companion.league.games import measure, replay_events
from companion.race.record import PAUSES, recorded, replay
from companion.views.page import table_view


@pytest.fixture
def evening() -> Evening:
    return Evening()


def ended(evening: Evening) -> list[Any]:
    """The record of the race, which the referee ends."""
    evening.says(REFEREE, {"end": True})
    (record,) = evening.room.records.values()
    return record


def waits(record: list[Any]) -> dict[int, tuple[float, float]]:
    """By seat the seconds it kept the others waiting and those it waited, as a league has them."""
    cars = measure(replay_events(record)).cars
    told = ((seat, cars[seat]) for seat in sorted(cars) if "waited" in cars[seat])
    return {seat: (one["kept_waiting"], one["waited"]) for seat, one in told}


def after(evening: Evening, seconds: float, seat: int) -> None:
    """A seat takes so long for its turn."""
    evening.passes(seconds)
    drives(evening, seat)


def test_a_seat_keeps_all_others_waiting_while_it_is_asked(evening: Evening) -> None:
    evening.begins({}, seats=3)
    after(evening, 30, 1)
    after(evening, 5, 2)
    after(evening, 10, 3)
    assert waits(ended(evening)) == {1: (30, 15), 2: (5, 40), 3: (10, 35)}


def test_the_table_tells_the_same_as_its_record(evening: Evening) -> None:
    evening.begins({})
    after(evening, 30, 1)
    after(evening, 5, 2)
    assert table_view(evening.room.session._scene)["waits"] is None, "not before the end"
    record = ended(evening)
    assert table_view(evening.room.session._scene)["waits"] == {
        "1": {"kept": 30, "waited": 5},
        "2": {"kept": 5, "waited": 30},
    }
    assert waits(record) == {1: (30, 5), 2: (5, 30)}


@pytest.mark.parametrize("house", [{}, {"turn_clock": "20"}, {"turn_late": "bank"}])
def test_a_pause_counts_for_nobody_with_a_clock_or_without(house: dict[str, str]) -> None:
    evening = Evening()
    evening.begins(house)
    evening.passes(7)
    evening.says(phone(2), {"table": "pause"})
    evening.passes(1800)
    evening.says(phone(1), {"table": "resume"})
    after(evening, 4, 1)
    record = ended(evening)
    assert waits(record) == {1: (11, 0), 2: (0, 11)}
    assert [line["table"] for line in record if "table" in line] == list(PAUSES)
    assert replay(record).state() == evening.race.state, "a pause is nothing to replay"


def test_what_a_turn_had_taken_before_the_referee_stepped_in_counts_for_nobody(
    evening: Evening,
) -> None:
    evening.begins({})
    evening.passes(50)
    evening.says(REFEREE, {"correct": {"cars": {"1": {"wear": {"tires": 3}}}}, "reason": "x"})
    after(evening, 3, 1)
    assert waits(ended(evening)) == {1: (3, 0), 2: (0, 3)}


def test_an_undone_turn_is_no_time_of_anybodys(evening: Evening) -> None:
    evening.begins({})
    after(evening, 20, 1)
    evening.passes(8)
    evening.says(REFEREE, {"undo": len(evening.race.given)})
    after(evening, 6, 1)
    assert waits(ended(evening)) == {1: (6, 0), 2: (0, 6)}


def test_a_turn_keeps_its_time_when_an_earlier_answer_is_amended(evening: Evening) -> None:
    evening.begins({"turn_late": "bank"})
    after(evening, 20, 1)
    after(evening, 40, 2)
    after(evening, 60, 1)
    evening.passes(15)
    count = len(evening.race.given)
    reply = evening.says(REFEREE, {"amend": count - 1, "value": 1})
    assert reply.get("ok"), reply
    assert [turn.used_s for turn in evening.race.times.turns(evening.race.last_at)][:2] == [20, 40]


def test_who_comes_late_waits_from_then_on(evening: Evening) -> None:
    evening.begins({})
    after(evening, 20, 1)
    after(evening, 10, 2)
    evening.says(REFEREE, {"join": {"seat": 3, "name": "Cleo"}})
    after(evening, 30, 1)
    assert waits(ended(evening)) == {1: (50, 10), 2: (10, 50), 3: (0, 30)}


def test_who_is_out_waits_for_nobody(evening: Evening) -> None:
    evening.begins({}, seats=3)
    evening.says(REFEREE, {"seat": 3, "retire": True})
    after(evening, 20, 1)
    assert waits(ended(evening)) == {1: (20, 0), 2: (0, 20), 3: (0, 0)}


def test_who_has_to_roll_in_the_turn_of_another_keeps_it_waiting(evening: Evening) -> None:
    cars = {"1": standing("S6.m1", gear=2), "2": standing("S6.m4")}
    position = {"order": [1, 2], "turn": 1, "round": 2, "cars": cars}
    evening.begins({}, position=position)
    evening.passes(5)
    for line in ({"gear": 2}, {"roll": 2}, {"move": {"to": "S6.m3", "brakes": 0}}, {"black": 20}):
        evening.says(phone(1), {"seat": 1, **line})
    assert [ask["seat"] for ask in evening.race.asks] == [2]
    evening.passes(30)
    evening.says(phone(2), {"seat": 2, "black": 20})
    assert waits(ended(evening)) == {1: (5, 30), 2: (30, 5)}


def test_a_race_that_took_no_time_has_no_such_numbers(evening: Evening) -> None:
    evening.begins({})
    drives(evening, 1)
    record = ended(evening)
    assert all("waited" not in car for car in measure(replay_events(record)).cars.values())
    assert table_view(evening.room.session._scene)["waits"] is None


def test_a_record_that_does_not_say_when_has_no_such_numbers(evening: Evening) -> None:
    evening.begins({})
    after(evening, 20, 1)
    record = ended(evening)
    for at in (None, float("nan"), 10**400):
        told = [{**line, "at": at} if "gear" in line else line for line in record]
        assert replay_events(told).waits == {}


def test_a_record_of_before_has_no_pauses_and_replays_as_it_did(evening: Evening) -> None:
    evening.begins({})
    after(evening, 20, 1)
    evening.says(phone(1), {"table": "pause"})
    evening.says(phone(1), {"table": "resume"})
    record = ended(evening)
    before = [line for line in record if "table" not in line]
    assert replay(before).state() == replay(record).state()
    assert len(record) == len(before) + 2


def test_a_pause_after_the_end_leaves_one_result(evening: Evening) -> None:
    evening.begins({})
    after(evening, 20, 1)
    ended(evening)
    evening.says(phone(1), {"table": "pause"})
    record = recorded(evening.race.lines)
    assert ["result" in line for line in record].count(True) == 1
