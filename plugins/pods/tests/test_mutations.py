"""The checks of a pod can fail: each fault built into the firmware turns one of them red."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.pods import checks as pod_checks
from support.pods.bench import Bench

from race_companion_pods import link
from race_companion_pods.wire import FIRMWARE

pytestmark = pytest.mark.long
Check = Callable[[Bench], None]


@pytest.mark.faults("faults built into the firmware")
@pytest.mark.parametrize(
    ("file", "old", "new", "check"),
    [
        pytest.param(
            "contacts.c",
            "    GPIO_HIGH(BUTTON_3);\n",
            "",
            pod_checks.check_each_button_is_one_press,
            id="no pull-up",
        ),
        pytest.param(
            "pins.h",
            "#define SCREEN_ADDRESS 0x3C",
            "#define SCREEN_ADDRESS 0x3D",
            pod_checks.check_picture_is_whole_in_a_second,
            id="wrong address",
        ),
        pytest.param(
            "wire.h",
            "#define WIRE_BAUD 500000UL",
            "#define WIRE_BAUD 250000UL",
            pod_checks.check_picture_is_whole_in_a_second,
            id="wrong baud",
        ),
        pytest.param(
            "screen.c",
            "0x8D, 0x14,",
            "0x8D, 0x10,",
            pod_checks.check_electrical_figures,
            id="no charge pump",
        ),
        pytest.param(
            "twi.c",
            "#define CLOCK_HZ 400000UL",
            "#define CLOCK_HZ 100000UL",
            pod_checks.check_electrical_figures,
            id="slow bus",
        ),
        pytest.param(
            "wire.h",
            "#define WIRE_SETTLE_MS 5",
            "#define WIRE_SETTLE_MS 1",
            pod_checks.check_each_button_is_one_press,
            id="no debouncing",
        ),
        pytest.param(
            "wire.h",
            "#define WIRE_SETTLE_MS 5",
            "#define WIRE_SETTLE_MS 12",
            pod_checks.check_speed,
            id="slow debouncing",
        ),
        pytest.param(
            "link.c",
            "        presses_noted(incoming.body[FRAME_NUMBER]);\n",
            "",
            pod_checks.check_each_button_is_one_press,
            id="presses never taken as noted",
        ),
        pytest.param(
            "screen.c",
            "&& clear() &&",
            "&& (true || clear()) &&",
            pod_checks.check_nothing_is_lit_before_the_first_picture,
            id="noise on the glass",
        ),
    ],
)
def test_a_fault_in_the_firmware_turns_a_check_red(
    file: str,
    old: str,
    new: str,
    check: Check,
    mutant: Callable[[tuple[str, str, str]], Path],
    bench_of: Callable[..., Bench],
) -> None:
    image = mutant((file, old, new))
    with pytest.raises(AssertionError):
        check(bench_of(image))


@pytest.mark.faults("faults built into the firmware")
def test_without_a_window_the_check_of_overruns_turns_red(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table sends all it has at once: the bus is slower than the line, the ring is full."""
    monkeypatch.setattr(link.wire, "WINDOW", 100)
    bench.link = link.Link()
    with pytest.raises(AssertionError):
        pod_checks.check_electrical_figures(bench)
    bench.run(1100)
    assert bench.link.hello is not None
    assert bench.link.hello.overruns > 0


def test_a_table_that_forgets_to_paint_all_turns_a_check_red(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_PARTS", [])
    bench.link = link.Link()
    blank = bytes(512) + pod_checks.picture(500).bitmap[512:]
    bench.link._glass._bitmap[:] = blank
    with pytest.raises(AssertionError):
        pod_checks.check_picture_is_whole_in_a_second(bench)


def test_the_checks_pass_on_the_firmware_as_it_is(bench_of: Callable[..., Bench]) -> None:
    for name in dir(pod_checks):
        if name.startswith("check_"):
            getattr(pod_checks, name)(bench_of())


@pytest.mark.faults("a pod: firmware of another level")
def test_firmware_of_another_level_is_named_with_both_versions(
    mutant: Callable[[tuple[str, str, str]], Path], bench_of: Callable[..., Bench]
) -> None:
    bench = bench_of(mutant(("wire.h", "#define WIRE_LEVEL 1", "#define WIRE_LEVEL 0")))
    (strange,) = bench.run(500)
    assert isinstance(strange, link.Strange)
    assert strange.stranger.level == 0
    assert link.format_firmware(FIRMWARE) in link.describe(strange.stranger)


def test_a_build_that_uses_too_much_memory_fails(firmware: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pod"
    shutil.copytree(firmware, folder, ignore=shutil.ignore_patterns("build"))
    ring = (folder / "ring.h").read_text("utf-8")
    (folder / "ring.h").write_text(ring.replace("bytes[256]", "bytes[1400]"), "utf-8")
    done = subprocess.run(["make", "-s", "-C", str(folder)], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"of 2048 bytes" in done.stdout


@pytest.mark.faults("faults built into the firmware")
def test_a_firmware_that_hangs_is_started_anew_by_the_watchdog(
    mutant: Callable[[tuple[str, str, str]], Path], bench_of: Callable[..., Bench]
) -> None:
    line = "    turned_ms = now_ms;\n    lamp(mode"
    hanging = f"    while (beep == 99)\n        ;\n{line}"
    bench = bench_of(mutant(("lamp.c", line, hanging)))
    bench.link.show(pod_checks.picture(5))
    bench.run(300)
    bench.link.signal(lamp=True, beep_ms=990)
    bench.run(700)
    assert bench.pod.figures()["resets"] == 1, "the program starts anew, not the chip"
    bench.run(1500)
    assert bench.pod.screen() == pod_checks.picture(5).bitmap


def test_a_screen_dims_and_sleeps_and_the_press_that_wakes_it_does_nothing_else(
    mutant: Callable[..., Path], bench_of: Callable[..., Bench]
) -> None:
    """Minutes are made seconds for it."""
    dim, sleep = ("#define WIRE_DIM_S ", "#define WIRE_SLEEP_S ")
    held = "#define WIRE_BLINK_MS 250\n"
    before, after = f"{dim}120\n{held}{sleep}900", f"{dim}1\n{held}{sleep}3"
    bench = bench_of(mutant(("wire.h", before, after)))
    bench.link.show(pod_checks.picture(5))
    bench.run(500)
    assert bench.pod.figures()["contrast"] == 0x7F
    bench.run(1500)
    assert bench.pod.figures()["contrast"] == 0x01
    assert bench.pod.screen() == pod_checks.picture(5).bitmap
    assert bench.tap(2) == [link.Pressed(2, False, 5)]
    assert bench.pod.figures()["contrast"] == 0x7F
    bench.run(4500, 5)
    assert bench.pod.screen() == bytes(1024)
    assert bench.tap(2) == []
    assert bench.pod.screen() == pod_checks.picture(5).bitmap
    assert bench.tap(2) == [link.Pressed(2, False, 5)]
    bench.run(4500, 5)
    bench.link.show(pod_checks.picture(6))
    bench.run(100)
    assert bench.pod.screen() == pod_checks.picture(6).bitmap
