"""The conversation with a pod, without a port: nothing is lost, nothing happens twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pods.paper import Line, PaperPod

from companion.seats.contacts import HOLD_MS
from companion.table.ports import Picture
from race_companion_pods.link import SILENT_MS, Arrived, Link, Phase, Pressed, Silent, Strange
from race_companion_pods.wire import FORMS, LEVEL, Hello, Press, Signal, Stranger, encode, seal


def picture(number: int) -> Picture:
    return Picture(number, random.Random(number).randbytes(1024))


@pytest.fixture
def line() -> Line:
    """A line on which picture 1000 is shown."""
    line = Line()
    line.link.show(picture(1000))
    events = line.run(500)
    assert [type(event) for event in events] == [Arrived]
    assert line.link.is_idle
    return line


def presses(events: list[object]) -> list[Pressed]:
    return [event for event in events if isinstance(event, Pressed)]


def test_a_picture_is_whole_within_a_second_after_plugging_in() -> None:
    line = Line()
    line.link.show(picture(7))
    line.run(1000)
    assert line.pod.screen == picture(7).bitmap


def test_a_press_names_the_picture_it_was_read_from(line: Line) -> None:
    line.pod.press(4)
    line.link.show(picture(1001))
    assert presses(line.run(300)) == [Pressed(4, False, 1000)]
    line.pod.press(4)
    assert presses(line.run(300)) == [Pressed(4, False, 1001)]


def test_a_press_held_long_is_a_hold(line: Line) -> None:
    line.pod.press(1, HOLD_MS)
    line.pod.press(6, HOLD_MS - 1)
    assert [press.hold for press in presses(line.run(300))] == [True, False]


def test_a_press_on_no_picture_means_nothing() -> None:
    line = Line()
    line.run(500)
    line.pod.press(2)
    assert presses(line.run(300)) == []
    assert line.link.unread == 1


def test_only_what_has_changed_is_sent(line: Line) -> None:
    before = line.pod.spans
    dots = bytearray(picture(1000).bitmap)
    dots[200] ^= 1
    line.link.show(Picture(1001, bytes(dots)))
    line.run(100)
    assert line.pod.screen == dots
    assert line.pod.spans == before + 1


def test_of_many_pictures_the_latest_wins(line: Line) -> None:
    before = line.pod.spans
    for number in range(1001, 1100):
        line.link.show(picture(number))
    line.run(300)
    assert line.pod.screen == picture(1099).bitmap
    assert line.pod.spans - before < 4 * 16


def test_the_picture_before_that_is_wanted_again_half_way_is_whole_again(line: Line) -> None:
    """As where the live test of the seats gives them back to the table."""
    line.link.show(picture(1001))
    line.run(15)
    line.link.show(picture(1000))
    line.run(300)
    assert line.pod.screen == picture(1000).bitmap
    line.pod.press(3)
    assert presses(line.run(200)) == [Pressed(3, False, 1000)]


def test_a_rebooted_pod_gets_everything_again(line: Line) -> None:
    line.pod.reboot()
    assert line.run(1500)[0] == Arrived(line.pod.hello())
    assert line.pod.screen == picture(1000).bitmap
    line.pod.press(3)
    assert presses(line.run(200)) == [Pressed(3, False, 1000)]


def test_a_screen_that_came_back_is_painted_whole(line: Line) -> None:
    line.pod.screen[:] = bytes(1024)
    line.pod.starts += 1
    line.run(1500)
    assert line.pod.screen == picture(1000).bitmap


def test_a_port_opened_again_counts_no_press_twice(line: Line) -> None:
    """The acknowledgement was lost with the old port; the pod sends its press again."""
    line.pod.press(5)
    up = line.pod.due(line.now_ms)
    assert presses(line.link.receive(up, line.now_ms)) == [Pressed(5, False, 1000)]
    line.link._answers.clear()
    line.link.opened()
    assert presses(line.run(1000)) == []
    line.pod.press(5)
    assert presses(line.run(200)) == [Pressed(5, False, 1000)]


def test_another_table_takes_the_pod_over(line: Line) -> None:
    """Presses made for the old table are not played on the new one."""
    line.pod.press(2)
    second = Line(pod=line.pod)
    second.link.show(picture(5))
    assert presses(second.run(600)) == []
    assert line.pod.screen == picture(5).bitmap
    line.pod.press(3)
    assert presses(second.run(200)) == [Pressed(3, False, 5)]


def test_a_silent_pod_is_told_once_and_welcomed_again(line: Line) -> None:
    events = [
        event
        for ms in range(0, 2 * SILENT_MS, 10)
        for event in line.link.receive(b"", line.now_ms + ms)
    ]
    assert events == [Silent()]
    assert line.link.phase is Phase.ASKING
    line.now_ms += 2 * SILENT_MS
    assert [type(event) for event in line.run(1000)] == [Arrived]


def test_a_pod_of_another_level_is_named_and_sent_nothing_but_asks() -> None:
    link = Link()
    link.show(picture(1))
    old = seal(bytes([FORMS[Hello].kind, 0, 4, LEVEL - 1, 0, 9, 0]))
    assert link.receive(old + old, 0) == [Strange(Stranger(LEVEL - 1, (0, 9, 0)))]
    assert len(link.to_send(1)) < 10
    assert link.to_send(2) == b""


def test_numbers_go_round(line: Line) -> None:
    for press in range(600):
        line.pod.press(press % 6 + 1)
        line.link.signal(lamp=bool(press % 2))
        assert len(presses(line.run(10))) == 1, press
    assert isinstance(line.pod.lamp, Signal)


def test_number_and_controller_are_kept_by_the_pod(line: Line) -> None:
    line.link.setup(12, 1)
    line.run(2000)
    assert (line.pod.pod, line.pod.controller) == (12, 1)
    assert line.link.hello is not None
    assert line.link.hello.pod == 12


def test_a_press_out_of_turn_waits_for_the_one_before(line: Line) -> None:
    later = encode(Press(2, 1, 10, 1))
    assert line.link.receive(later, line.now_ms) == []
    assert line.link.to_send(line.now_ms) == b""


def noise(seed: int, share: float) -> Iterator[bool]:
    chance = random.Random(seed)
    while True:
        yield chance.random() < share


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.lists(st.sampled_from(["press", "show", "back", "reopen", "wait"]), max_size=25),
)
def test_noise_costs_time_but_no_press_and_no_dot(seed: int, steps: list[str]) -> None:
    line = Line(pod=PaperPod(), noise=noise(seed, 0.25))
    line.link.show(picture(1))
    line.run(3000)
    made: list[int] = []
    counted: list[int] = []
    for step, what in enumerate(steps):
        if what == "press" and len(made) - len(counted) < 8:
            made.append(step % 6 + 1)
            line.pod.press(made[-1])
        elif what in ("show", "back"):
            line.link.show(picture(step + 2 if what == "show" else 1))
        elif what == "reopen":
            line.link.opened()
        counted += [press.button for press in presses(line.run(30))]
    line.noise = None
    counted += [press.button for press in presses(line.run(3000))]
    assert line.link._wanted is not None
    assert line.pod.screen == line.link._wanted.bitmap
    assert counted == made
