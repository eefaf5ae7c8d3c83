"""Pages that close by themselves, and keys that rest behind a page that only told."""

from __future__ import annotations

from support.tables.sitting import REFEREE, Room, phone, race_header

from companion.rules.lines import Answer
from companion.table.screens import REST_S, PageTimers
from companion.views.dialog import BRIEF_S


def test_a_page_with_a_secret_closes_after_three_seconds() -> None:
    timers = PageTimers()
    timers.turned(2, "mine", 10.0, rests=False)
    assert BRIEF_S["mine"] == 3.0
    assert timers.until_next_s(11.0) == 2.0
    assert timers.take_due(12.9) == []
    assert timers.take_due(13.0) == [2]
    assert timers.until_next_s(13.0) is None


def test_a_page_that_is_turned_on_closes_no_more() -> None:
    timers = PageTimers()
    timers.turned(2, "mine", 10.0, rests=False)
    timers.turned(2, "money", 11.0, rests=False)
    assert timers.take_due(20.0) == []


def test_keys_rest_half_a_second_behind_a_page_that_only_told() -> None:
    timers = PageTimers()
    assert not timers.rests(1, 5.0)
    timers.turned(1, "", 5.0, rests=True)
    assert timers.rests(1, 5.0 + REST_S - 0.01)
    assert not timers.rests(1, 5.0 + REST_S)
    assert not timers.rests(2, 5.1), "and those of no other seat"


def test_the_press_that_leaves_the_wear_is_followed_by_none_that_answers(room: Room) -> None:
    session = room.session
    assert session.submit(REFEREE, {"new": race_header(1)}).status == 200
    room.tick = lambda: room.now  # type: ignore[method-assign]
    session._services.clock._now = room.tick  # type: ignore[attr-defined]
    gear = room.key(1, lambda intent: isinstance(intent, Answer))

    def press(button: int, hold: bool = False) -> int:
        number = session.snapshot().private[1].number
        assert session.press(phone(1), 1, button, hold, number).status == 200
        return session.snapshot().version

    before = session.snapshot().version
    press(6, hold=True)
    press(1)  # the wear of the only car
    press(gear)  # leaves it
    assert press(gear) == before, "the same finger once more"
    room.now += REST_S
    assert press(gear) > before
