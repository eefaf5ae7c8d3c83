"""The real firmware on a simulated board: presses, pictures, faults, figures."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.pods import checks as pod_checks
from support.pods.bench import Bench
from support.pods.checks import check_screen_without_power, picture

from companion.seats.contacts import HOLD_MS
from companion.table.ports import Picture
from race_companion_pods.link import Arrived, Link, Phase, Pressed, Silent
from race_companion_pods.simulator import CYCLES_PER_MS
from race_companion_pods.wire import BLINK_MS, CONTROLLERS, FIRMWARE, LAMPS

pytestmark = pytest.mark.slow
BEFORE = Path(__file__).parent / "images/pod-1.2.0.hex"
CLOCK_CHECK = Path(__file__).parent / "clock_check.c"


def test_a_pod_says_who_it_is(bench: Bench) -> None:
    (arrived,) = bench.run(400)
    assert isinstance(arrived, Arrived)
    hello = arrived.hello
    assert (hello.major, hello.minor, hello.patch) == FIRMWARE
    assert (hello.pod, hello.screen, hello.down) == (0, 1, 0)


def test_a_picture_is_whole_within_a_second_of_switching_on(bench: Bench) -> None:
    pod_checks.check_picture_is_whole_in_a_second(bench)


def test_a_press_is_one_press_although_the_contact_bounces(bench: Bench) -> None:
    pod_checks.check_each_button_is_one_press(bench)


def test_clocks_voltage_and_counters_are_right(bench: Bench) -> None:
    pod_checks.check_electrical_figures(bench)


def test_a_press_and_a_changed_line_are_quick(bench: Bench) -> None:
    pod_checks.check_speed(bench)


@pytest.mark.slow
def test_a_long_press_is_a_hold(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    assert bench.tap(1, HOLD_MS + 10) == [Pressed(1, True, 5)]
    assert bench.tap(1, HOLD_MS - 20) == [Pressed(1, False, 5)]


def test_a_press_belongs_to_the_picture_it_was_begun_on(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    bench.pod.press(3)
    bench.run(30)
    bench.link.show(picture(6))
    bench.run(200)
    bench.pod.release(3)
    assert bench.presses() == [Pressed(3, False, 5)]


def test_a_button_that_is_down_at_the_start_was_not_pressed(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.pod.press(4)
    bench.pod.tell("reboot")
    bench.run(400)
    assert bench.link.hello is not None
    assert bench.link.hello.down == 0b001000
    bench.pod.release(4)
    assert bench.presses() == []
    assert bench.tap(4) == [Pressed(4, False, 5)]


def test_six_buttons_at_once_are_six_presses(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    for button in range(1, 7):
        bench.pod.press(button)
    bench.run(30)
    for button in range(1, 7):
        bench.pod.release(button)
    assert sorted(press.button for press in bench.presses()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.faults("a pod: noise on its line, lost and wrong bytes")
def test_presses_wait_while_the_line_is_silent_and_come_once(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    bench.pod.fault("from", "drop", 1000)
    assert [press for button in (1, 2, 3) for press in bench.tap(button)] == []
    bench.pod.fault("from", "drop", 0)
    assert [press.button for press in bench.presses(300)] == [1, 2, 3]


@pytest.mark.faults("a pod: noise on its line, lost and wrong bytes")
@pytest.mark.slow
@pytest.mark.parametrize("side", ["to", "from"])
@pytest.mark.parametrize("kind", ["drop", "flip"])
def test_a_noisy_line_costs_time_but_no_press_and_no_dot(
    bench: Bench, side: str, kind: str
) -> None:
    bench.link.show(picture(100))
    bench.run(400)
    bench.pod.fault(side, kind, 5)  # type: ignore[arg-type]
    counted = []
    for round_ in range(6):
        bench.link.show(picture(round_))
        bench.run(700)
        counted += [press.button for press in bench.tap(round_ + 1)]
    bench.pod.fault(side, kind, 0)  # type: ignore[arg-type]
    counted += [press.button for press in bench.presses(1500)]
    assert counted == [1, 2, 3, 4, 5, 6]
    assert bench.pod.screen() == picture(5).bitmap
    assert bench.link.window.resent + bench.link.decoder.damaged > 0


@pytest.mark.faults("a pod: reboot and pulled plug")
def test_a_reboot_in_mid_race_is_mended_by_itself(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(300)
    bench.pod.tell("reboot")
    events = bench.run(1200)
    assert [type(event) for event in events] == [Arrived]
    assert bench.pod.screen() == picture(5).bitmap
    assert bench.tap(6) == [Pressed(6, False, 5)]


@pytest.mark.faults("a pod: reboot and pulled plug")
def test_a_pulled_plug_is_told_and_a_new_one_welcomed(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(300)
    bench.pod.tell("unplug")
    assert [type(event) for event in bench.run(3500, 20)] == [Silent]
    bench.pod.tell("plug")
    bench.link.opened()
    assert [type(event) for event in bench.run(1000)] == [Arrived]
    assert bench.pod.screen() == picture(5).bitmap


@pytest.mark.faults("a pod: a screen without power, a bus that hangs")
@pytest.mark.slow
def test_a_screen_that_loses_power_is_painted_again_and_presses_go_on(bench: Bench) -> None:
    check_screen_without_power(bench)


@pytest.mark.faults("a pod: a screen without power, a bus that hangs")
@pytest.mark.slow
def test_a_dead_bus_hangs_nothing(bench: Bench) -> None:
    bench.pod.tell("bus off")
    bench.pod.tell("reboot")
    bench.link.show(picture(5))
    bench.run(500)
    assert bench.tap(2) == [Pressed(2, False, 5)]
    assert bench.pod.figures()["resets"] == 2
    bench.pod.tell("bus on")
    bench.run(1700)
    assert bench.pod.screen() == picture(5).bitmap


@pytest.mark.faults("a pod: a screen without power, a bus that hangs")
def test_a_device_that_holds_the_bus_is_clocked_free_and_told_to_stop(bench: Bench) -> None:
    """It was interrupted while it sent: it lets go after some clocks, and waits for a STOP."""
    bench.link.show(picture(5))
    bench.run(300)
    bench.pod.tell("sda stuck 7")
    bench.run(2200)
    assert bench.pod.screen() == picture(5).bitmap
    assert bench.link.hello is not None
    assert bench.link.hello.screen == 2


@pytest.mark.faults("a pod: a screen without power, a bus that hangs")
@pytest.mark.parametrize("times", [2, 3, 4, 20])
def test_a_bus_that_stretches_every_clock_costs_no_press(bench: Bench, times: int) -> None:
    """Each byte takes so many times as long: at 20 the whole screen took 0.6 s, and all stood.

    At 2 it takes 60 ms: what was pressed and let go in that time was lost.
    """
    bench.link.show(picture(5))
    bench.run(300)
    bench.pod.tell("screen off")
    bench.run(600)
    bench.pod.tell(f"bus slow {times}")
    bench.pod.tell("screen on")
    heard = []
    for tap in range(24):
        heard += [press.button for press in bench.tap(tap % 6 + 1, 20)]
    heard += [press.button for press in bench.presses(500)]
    assert heard == [tap % 6 + 1 for tap in range(24)]
    bench.pod.tell("bus slow 1")
    bench.run(2000)
    assert bench.pod.screen() == picture(5).bitmap
    assert bench.link.hello is not None
    assert bench.link.hello.overruns == 0


@pytest.mark.long
def test_the_clock_never_jumps(firmware: Path, bench_of: Callable[..., Bench]) -> None:
    """Four bytes are read while an interrupt counts them on: with it held off, or torn."""
    program = CLOCK_CHECK.read_text("utf-8")
    assert read_clock(firmware, program, bench_of) == b"ok"
    whole = (firmware / "clock.c").read_text("utf-8")
    torn = whole.replace("ATOMIC_BLOCK(ATOMIC_RESTORESTATE)", "")
    assert read_clock(firmware, program, bench_of, torn) == b"jumped", "or the check sees nothing"


def read_clock(
    firmware: Path, program: str, bench_of: Callable[..., Bench], clock: str | None = None
) -> bytes:
    """What a program says that reads the clock as fast as it can, for a second."""
    folder = firmware.parent / "clock"
    folder.mkdir(exist_ok=True)
    (folder / "main.c").write_text(program, "utf-8")
    (folder / "clock.c").write_text(clock or (firmware / "clock.c").read_text("utf-8"), "utf-8")
    flags = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-std=gnu11", "-Os", "-flto"]
    build = ["avr-gcc", *flags, f"-I{firmware}", "-o", "clock.elf", "main.c", "clock.c"]
    subprocess.run(build, cwd=folder, check=True, timeout=60)
    copy = ["avr-objcopy", "-O", "ihex", "-R", ".eeprom", "clock.elf", "clock.hex"]
    subprocess.run(copy, cwd=folder, check=True, timeout=60)
    return bench_of(folder / "clock.hex").pod.run(1200)


@pytest.mark.slow
def test_the_other_screen_shows_the_same_picture(bench_of: Callable[..., Bench]) -> None:
    """An SH1106 with a firmware that knows of it; and without, it shows that something is off."""
    bench = bench_of(sh1106=True)
    bench.link.show(picture(5))
    bench.run(300)
    assert bench.pod.screen() != picture(5).bitmap
    bench.link.setup(7, CONTROLLERS["sh1106"])
    bench.run(2500)
    assert bench.link.hello is not None
    assert (bench.link.hello.pod, bench.link.hello.controller) == (7, 1)
    assert bench.pod.screen() == picture(5).bitmap
    bench.pod.tell("reboot")
    before = bench.pod.figures()["unknown"]
    bench.run(1500)
    assert bench.link.hello.pod == 7
    assert bench.pod.screen() == picture(5).bitmap
    assert bench.pod.figures()["unknown"] == before


def test_a_pod_debounces_for_as_long_as_the_table_says(bench: Bench) -> None:
    """A contact that closes for 12 ms is a press, or one that bounces, as it is set."""
    for settle_ms, heard in ((5, [2]), (20, []), (5, [2])):
        bench.link = Link(settle_ms)
        bench.link.show(picture(5))
        bench.run(300)
        bench.pod.press(2)
        bench.run(12)
        bench.pod.release(2)
        assert [press.button for press in bench.presses(100)] == heard, settle_ms


def moved(bench: Bench, button: int, *waits_ms: int) -> list[Pressed]:
    """What comes of a contact that moves after each of these times: closed, open, closed ..."""
    heard = []
    for number, wait_ms in enumerate(waits_ms):
        heard += bench.presses(wait_ms)
        (bench.pod.release if number % 2 else bench.pod.press)(button)
    return heard + bench.presses(60)


def test_a_pod_tells_how_long_each_contact_bounces(bench: Bench) -> None:
    """Each press by itself: the longer of its two ends, to a millisecond."""
    bench.link.show(picture(5))
    bench.run(300)
    heard = moved(bench, 2, 0, 3, 4, 50)
    heard += moved(bench, 2, 0, 50)
    heard += moved(bench, 6, 0, 40, 2, 2)
    assert [(press.button, press.bounced_ms) for press in heard] == [(2, 7), (2, 0), (6, 4)]


def test_a_contact_that_is_one_press_too_many_tells_how_long_it_needs(bench: Bench) -> None:
    """It is steady for longer than a pod waits, and then bounces on."""
    bench.link.show(picture(5))
    bench.run(300)
    heard = moved(bench, 3, 0, 50, 7, 7)
    assert [(press.button, press.bounced_ms) for press in heard] == [(3, 0), (3, 14)]


def test_the_firmware_of_before_is_spoken_to_and_does_not_tell(
    bench_of: Callable[..., Bench],
) -> None:
    """As it was written to pods: it takes the wish for bounces, and knows no such thing."""
    bench = bench_of(BEFORE)
    bench.link.show(picture(5))
    bench.run(400)
    assert bench.link.hello is not None
    assert (bench.link.hello.major, bench.link.hello.minor) == (1, 2)
    assert bench.pod.screen() == picture(5).bitmap
    assert [press.bounced_ms for press in bench.tap(4)] == [None]
    assert (bench.link.decoder.damaged, bench.link.window.resent) == (0, 0)


def test_a_table_of_before_hears_presses_as_it_knows_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends no wish, and gets no message that it would count as damage."""
    monkeypatch.setattr(Link, "_next", lambda link: None)
    bench.run(400)
    assert bench.link.phase is Phase.UP
    bench.tap(4)
    assert (bench.link.unread, bench.link.decoder.damaged) == (1, 0)


def test_the_lamp_is_lit_blinks_and_goes_out(bench: Bench) -> None:
    bench.run(400)
    assert not bench.pod.figures()["lamp"]
    bench.link.signal(lamp=LAMPS["on"])
    bench.run(3 * BLINK_MS)
    figures = bench.pod.figures()
    assert (figures["lamp"], figures["lightings"]) == (1, 1)
    bench.link.signal(lamp=LAMPS["blinks"])
    bench.run(8 * BLINK_MS + 50)
    assert bench.pod.figures()["lightings"] == 5
    bench.link.signal(lamp=LAMPS["off"])
    bench.run(3 * BLINK_MS)
    figures = bench.pod.figures()
    assert (figures["lamp"], figures["lightings"]) == (0, 5)


def test_the_lamp_is_what_it_was_after_a_restart(bench: Bench) -> None:
    bench.link.signal(lamp=LAMPS["on"], beep_ms=50)
    bench.run(500)
    sound = bench.pod.figures()["sound"]
    bench.pod.tell("reboot")
    bench.run(1200)
    assert bench.pod.figures()["lamp"]
    assert bench.pod.figures()["sound"] == sound, "it does not sound again"


def test_the_buzzer_sounds_for_as_long_as_it_is_told(bench: Bench) -> None:
    bench.run(400)
    assert bench.pod.figures()["sound"] == 0
    bench.link.signal(lamp=LAMPS["on"], beep_ms=60)
    bench.run(200)
    assert 59 <= bench.pod.figures()["sound"] / CYCLES_PER_MS <= 61


def test_the_bus_carries_little_more_than_what_has_changed(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(300)
    before = bench.pod.figures()["bus_bytes"]
    dots = bytearray(picture(5).bitmap)
    dots[2 * 128 + 30 : 2 * 128 + 60] = bytes(30)
    bench.link.show(Picture(6, bytes(dots)))
    bench.run(20)
    assert bench.pod.screen() == dots
    assert bench.pod.figures()["bus_bytes"] - before <= 30 + 12


def test_the_stack_stays_within_the_bound_that_the_build_prints(
    bench: Bench, firmware: Path
) -> None:
    build = ["sh", "usage.sh", "build"]
    told = subprocess.run(build, cwd=firmware, capture_output=True, text=True, check=True).stdout
    flash, room, ram, bound, memory = map(int, re.findall(r"\d+", told))
    assert flash <= room == 32768 - 2048
    assert ram + bound <= memory == 2048
    bench.link.show(picture(5))
    bench.link.signal(lamp=LAMPS["blinks"], beep_ms=50)
    bench.run(300)
    bench.tap(1)
    assert 50 < bench.pod.figures()["stack"] <= bound


@pytest.mark.slow
def test_the_firmware_is_built_without_what_the_map_does_not_have(
    mutant: Callable[..., Path], bench_of: Callable[..., Bench]
) -> None:
    bare = ("#define HAS_LED 1\n#define HAS_BUZZER 1", "#define HAS_LED 0\n#define HAS_BUZZER 0")
    bench = bench_of(mutant(("pins.h", *bare)))
    bench.link.signal(lamp=LAMPS["blinks"], beep_ms=50)
    bench.run(1000)
    figures = bench.pod.figures()
    assert (figures["lightings"], figures["sound"]) == (0, 0)
    pod_checks.check_each_button_is_one_press(bench)
