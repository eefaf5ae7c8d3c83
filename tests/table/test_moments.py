"""Pages that close by themselves, and keys that rest behind a page that only told."""

from __future__ import annotations

from support.tables.sitting import REFEREE, Room, phone, race_header

from companion.rules.commands import Answer
from companion.table.moments import REST_S, Moments
from companion.views.seat.dialog import BRIEF_S


def test_a_page_with_a_secret_closes_after_three_seconds() -> None:
    moments = Moments()
    moments.turned(2, "mine", 10.0, told=False)
    assert BRIEF_S["mine"] == 3.0
    assert moments.until_next_s(11.0) == 2.0
    assert moments.take_due(12.9) == []
    assert moments.take_due(13.0) == [2]
    assert moments.until_next_s(13.0) is None


def test_a_page_that_is_turned_on_closes_no_more() -> None:
    moments = Moments()
    moments.turned(2, "mine", 10.0, told=False)
    moments.turned(2, "money", 11.0, told=False)
    assert moments.take_due(20.0) == []


def test_keys_rest_half_a_second_behind_a_page_that_only_told() -> None:
    moments = Moments()
    assert not moments.rests(1, 5.0)
    moments.turned(1, "", 5.0, told=True)
    assert moments.rests(1, 5.0 + REST_S - 0.01)
    assert not moments.rests(1, 5.0 + REST_S)
    assert not moments.rests(2, 5.1), "and those of no other seat"


def test_the_press_that_leaves_the_wear_is_followed_by_none_that_answers(room: Room) -> None:
    session = room.session
    assert session.submit(REFEREE, {"new": race_header(1)}).status == 200
    room.tick = lambda: room.now  # type: ignore[method-assign]
    session._outside.clock._now = room.tick  # type: ignore[attr-defined]
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
