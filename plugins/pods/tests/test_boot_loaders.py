"""A pod that hangs starts anew behind the boot loaders that boards really have."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.pods import checks as pod_checks
from support.pods.bench import Bench

from race_companion_pods.link import Pressed

pytestmark = pytest.mark.slow
SHIPPED = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
OLD = SHIPPED / "atmega/ATmegaBOOT_168_atmega328.hex"
"""Of old Nanos and most clones; it leaves the watchdog running after its bite."""
NEW = SHIPPED / "optiboot/optiboot.c"
"""Of new Nanos. Debian's own build of it is longer than its place; without its blinking it fits."""
# fmt: off
BUILD_NEW = (
    "avr-gcc", "-Os", "-fno-split-wide-types", "-mrelax", "-mmcu=atmega328p", "-DF_CPU=16000000L",
    "-DBAUD_RATE=115200", "-DLED_START_FLASHES=0", "-nostartfiles", "-nostdlib", "-Wl,--relax",
    "-Wl,--section-start=.text=0x7e00", "-Wl,--section-start=.version=0x7ffe", "-w",
)
AS_HEX = ("avr-objcopy", "-O", "ihex", "-j", ".text", "-j", ".data")
# fmt: on
LINE = "    turned_ms = now_ms;\n    lamp(mode"
HANGING = f"    while (beep == 99)\n        ;\n{LINE}"


@pytest.fixture(params=["optiboot", "ATmegaBOOT"])
def boot(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The boot loader, without the kind of line (a start address) that simavr cannot read."""
    if not NEW.exists():
        pytest.skip("needs the boot loaders of Debian's arduino-core-avr (`make debian`)")
    made = OLD
    if request.param == "optiboot":
        made = tmp_path / "optiboot.hex"
        subprocess.run([*BUILD_NEW, "-o", tmp_path / "boot.elf", NEW], check=True, timeout=60)
        subprocess.run([*AS_HEX, tmp_path / "boot.elf", made], check=True, timeout=60)
    lines = made.read_text().splitlines(keepends=True)
    readable = tmp_path / "boot.hex"
    readable.write_text("".join(line for line in lines if line[7:9] != "03"))
    return readable


@pytest.mark.faults("a pod: its program hangs")
def test_a_firmware_that_hangs_starts_anew_behind_each_boot_loader(
    boot: Path, mutant: Callable[[tuple[str, str, str]], Path], bench_of: Callable[..., Bench]
) -> None:
    bench = bench_of(mutant(("lamp.c", LINE, HANGING)), boot=boot)
    bench.link.show(pod_checks.picture(5))
    bench.run(3000, 5)
    assert bench.pod.screen() == pod_checks.picture(5).bitmap
    bench.link.signal(lamp=True, beep_ms=990)
    bench.run(3000, 5)
    assert bench.pod.screen() == pod_checks.picture(5).bitmap
    assert bench.pod.figures()["resets"] < 5, "62 a second, for ever, behind the old one"
    assert bench.tap(2) == [Pressed(2, False, 5)]


@pytest.mark.faults("a pod: its program hangs")
def test_lamp_and_buzzer_are_off_after_the_program_has_started_anew(
    mutant: Callable[[tuple[str, str, str]], Path], bench_of: Callable[..., Bench]
) -> None:
    """It restarts without a reset of the chip: what it had switched on is still on then."""
    bench = bench_of(mutant(("lamp.c", LINE, HANGING)))
    bench.run(300)
    bench.link.signal(lamp=True, beep_ms=980)
    bench.run(50)
    assert bench.pod.figures()["lamp"]
    bench.link.signal(lamp=False, beep_ms=990)
    bench.run(1200)
    figures = bench.pod.figures()
    assert not figures["lamp"]
    sound = figures["sound"]
    bench.run(300)
    assert bench.pod.figures()["sound"] == sound
