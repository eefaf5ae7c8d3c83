"""What must be true of a pod's firmware, on any bench; the mutations show that each can fail."""

from __future__ import annotations

import random

from companion.table.ports import Picture
from race_companion_pods.link import Pressed
from race_companion_pods.simulator import CYCLES_PER_MS
from race_companion_pods.wire import BAUD
from support.pods.bench import Bench

STEP_MS = 0.25
"""How closely the table's side is looked at where it matters."""


def picture(number: int) -> Picture:
    """A picture that has no two bytes in common with the next one, but by chance."""
    return Picture(number, random.Random(number).randbytes(1024))


def check_picture_is_whole_in_a_second(bench: Bench) -> None:
    bench.link.show(picture(500))
    bench.run(1000)
    assert bench.pod.screen() == picture(500).bitmap


def check_nothing_is_lit_before_the_first_picture(bench: Bench) -> None:
    bench.run(200)
    assert bench.pod.screen() == bytes(1024)


def check_each_button_is_one_press(bench: Bench) -> None:
    """Bouncing at both ends, and nothing where nobody presses."""
    bench.link.show(picture(500))
    bench.run(300)
    assert bench.presses(300) == []
    for button in range(1, 7):
        bench.pod.bounce(button, 9)
        assert bench.presses(40) == []
        bench.pod.bounce(button, 7)
        assert bench.presses(60) == [Pressed(button, False, 500)]


def check_electrical_figures(bench: Bench) -> None:
    """What only the registers and the bus tell: clocks, voltage, nothing lost, no odd command."""
    bench.link.show(picture(500))
    bench.run(300)
    for number in range(501, 504):
        bench.link.show(picture(number))
        bench.run(100)
    figures = bench.pod.figures()
    assert figures["baud"] == BAUD
    assert figures["bus_hz"] == 400_000
    assert figures["overruns"] == 0
    assert figures["unknown"] == 0
    assert figures["is_on"]
    assert figures["has_pump"]
    assert bench.link.hello is not None
    assert bench.link.hello.overruns == 0
    assert bench.link.window.resent == 0
    assert bench.pod.screen() == picture(503).bitmap


def check_speed(bench: Bench) -> None:
    """A press is on the line in 7 ms, and 140 bytes that it changes on the screen in 15.

    The 5 ms of debouncing are counted in both.
    """
    bench.link.show(picture(500))
    bench.run(300)
    bench.pod.press(2)
    bench.run(50)
    bench.pod.release(2)
    for _ in range(200):
        if any(isinstance(event, Pressed) for event in bench.run(STEP_MS, STEP_MS)):
            break
    dots = bytearray(picture(500).bitmap)
    dots[3 * 128 : 3 * 128 + 70] = bytes(70)
    dots[4 * 128 : 4 * 128 + 70] = bytes(70)
    bench.link.show(Picture(501, bytes(dots)))
    bench.run(20, STEP_MS)
    figures = bench.pod.figures()
    assert (figures["first_since"] - figures["moved"]) / CYCLES_PER_MS < 7
    assert bench.pod.screen() == dots
    assert (figures["last_dot"] - figures["moved"]) / CYCLES_PER_MS < 15


def check_screen_without_power(bench: Bench) -> None:
    """It is told, presses go on, and the picture comes back with the power."""
    bench.link.show(picture(5))
    bench.run(300)
    bench.pod.tell("screen off")
    bench.run(1600)
    assert bench.link.hello is not None
    assert bench.link.hello.screen == 0
    assert bench.tap(2) == [Pressed(2, False, 5)]
    bench.pod.tell("screen on")
    bench.run(1700)
    assert bench.pod.screen() == picture(5).bitmap
