"""From edges to presses, without pins, threads or clocks."""

from __future__ import annotations

import pytest
from support.each import in_one

from race_companion_wired.buttons import LATE_MS, Pressed, Presses, Seen


class Finger:
    """Buttons of one seat whose screen shows picture `number`."""

    def __init__(self) -> None:
        self.number = 100
        self.asleep = False
        self.presses = Presses(lambda seat: self.number, self.touch)
        self.pressed: list[Pressed] = []
        for button in range(1, 7):
            self.sees(0, False, button)

    def touch(self, seat: int) -> bool:
        was_asleep, self.asleep = self.asleep, False
        return was_asleep

    def sees(self, at_ms: int, down: bool, button: int = 3) -> None:
        self.pressed += self.presses.see(Seen(at_ms, 1, button, down))

    def waits(self, now_ms: int) -> None:
        self.pressed += self.presses.due(now_ms + LATE_MS)

    def plays(self, edges: str, start_ms: int = 10) -> None:
        """One character a millisecond, `_` for down; settled at the end."""
        for at_ms, (before, level) in enumerate(zip("^" + edges, edges, strict=False), start_ms):
            self.waits(at_ms)
            if level != before:
                self.sees(at_ms, level == "_")
        self.waits(start_ms + len(edges) + 5)


@in_one(
    ("edges", "count"),
    [
        ("_" * 30 + "^" * 10, 1),
        ("_^_^_" + "_" * 30 + "^_^_" + "^" * 10, 1),
        ("____" + "^" * 10, 0),
        ("_" * 30 + "^^^^" + "_" * 30 + "^" * 10, 1),
        ("_" * 20 + "^" * 20 + "_" * 20 + "^" * 20, 2),
    ],
    ids=["clean", "bounces", "too short", "released too shortly", "twice"],
)
def test_a_finger_is_told_from_a_contact(edges: str, count: int) -> None:
    finger = Finger()
    finger.plays(edges)
    assert finger.pressed == [Pressed(1, 3, False, 100)] * count


@pytest.mark.parametrize(("held_ms", "hold"), [(599, False), (600, True)])
def test_a_long_press_is_a_hold_when_it_ends(held_ms: int, hold: bool) -> None:
    finger = Finger()
    finger.sees(10, True)
    finger.waits(10 + held_ms)
    assert finger.pressed == []
    finger.sees(10 + held_ms, False)
    finger.waits(20 + held_ms)
    assert finger.pressed == [Pressed(1, 3, hold, 100)]


def test_a_press_names_the_picture_that_was_under_the_finger() -> None:
    finger = Finger()
    finger.sees(10, True)
    finger.waits(20)
    finger.number = 101
    finger.sees(40, False)
    finger.waits(50)
    assert finger.pressed == [Pressed(1, 3, False, 100)]


def test_a_button_that_is_down_from_the_start_was_not_pressed() -> None:
    presses = Presses(lambda seat: 1, lambda seat: False)
    told = presses.see(Seen(0, 1, 1, True)) + presses.due(50)
    told += presses.see(Seen(60, 1, 1, False)) + presses.due(70)
    assert told == []
    told = presses.see(Seen(80, 1, 1, True)) + presses.due(90) + presses.see(Seen(99, 1, 1, False))
    assert presses.due(120) == [Pressed(1, 1, False, 1)]


def test_a_duplicate_is_counted_and_changes_nothing() -> None:
    finger = Finger()
    finger.sees(10, True)
    finger.sees(11, True)
    finger.sees(12, True)
    finger.waits(20)
    finger.sees(40, False)
    finger.waits(50)
    assert len(finger.pressed) == 1
    assert finger.presses.duplicates == 2


def test_edges_that_arrive_out_of_order_do_not_turn_time_back() -> None:
    finger = Finger()
    finger.sees(20, True)
    finger.sees(19, False)
    finger.waits(40)
    assert finger.pressed == []


def test_the_press_that_wakes_a_screen_does_nothing_else() -> None:
    finger = Finger()
    finger.asleep = True
    finger.plays("_" * 20 + "^" * 20)
    assert finger.pressed == []
    finger.plays("_" * 20 + "^" * 20, start_ms=100)
    assert len(finger.pressed) == 1


def test_a_release_that_arrives_late_still_ends_its_glitch() -> None:
    finger = Finger()
    finger.sees(10, True)
    finger.pressed += finger.presses.due(17)
    finger.sees(13, False)
    finger.waits(60)
    assert finger.pressed == []


def test_two_buttons_at_once_are_two_presses() -> None:
    finger = Finger()
    finger.sees(10, True, button=1)
    finger.sees(11, True, button=6)
    finger.waits(20)
    finger.sees(30, False, button=6)
    finger.sees(31, False, button=1)
    finger.waits(40)
    assert [one.button for one in finger.pressed] in ([1, 6], [6, 1])


def test_nothing_is_due_while_all_contacts_are_steady() -> None:
    finger = Finger()
    assert finger.presses.wake_ms() is None
    finger.sees(10, True)
    assert finger.presses.wake_ms() == 15 + LATE_MS


def test_a_contact_that_bounces_long_is_debounced_long() -> None:
    for settle_ms, pressed in ((5, 1), (20, 0)):
        presses = Presses(lambda seat: 1, lambda seat: False, settle_ms)
        presses.see(Seen(0, 1, 1, False))
        presses.see(Seen(100, 1, 1, True))
        presses.see(Seen(112, 1, 1, False))
        assert len(presses.due(200)) == pressed
        assert presses.wake_ms() is None
