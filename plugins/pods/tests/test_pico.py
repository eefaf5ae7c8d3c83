"""The firmware on a Raspberry Pi Pico: the image that is dragged onto it, on an emulated chip."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pinmap import read_map
from support.pods import checks
from support.pods.bench import Bench
from support.pods.checks import check_screen_without_power, picture
from support.pods.pico_rom import is_in_the_program, start_by_rom

from companion.seats.contacts import HOLD_MS
from companion.seats.plan import MAP
from race_companion_pods.board import picosim as pico
from race_companion_pods.board.picosim import OWN_NUMBER, Pico
from race_companion_pods.image import PICO_IMAGE
from race_companion_pods.link import Arrived, Pressed, Silent
from race_companion_pods.simulator import SOURCE
from race_companion_pods.wire import BLINK_MS, CONTROLLERS, FIRMWARE, LAMPS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("arm-none-eabi-gcc"), reason="needs gcc-arm-none-eabi"),
]
PINS = read_map(MAP.read_text("utf-8"))
Mutation = tuple[str, str, str]
DEVICE, CONFIGURATION, STRING = 1, 2, 3


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the firmware's folders."""
    copy = tmp_path_factory.mktemp("pico")
    for name in ("pod", "pico"):
        ignored = shutil.ignore_patterns("build", "simulator")
        shutil.copytree(SOURCE.parent / name, copy / name, ignore=ignored)
    return copy


def built(folder: Path) -> Path:
    command = ["make", "-s", "-C", str(folder / "pico")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "pico/build/pico.uf2"


@pytest.fixture(scope="session")
def image(folder: Path) -> Path:
    return built(folder)


@pytest.fixture
def bench(image: Path) -> Bench:
    """Just plugged in."""
    return Bench(Pico(image))  # type: ignore[arg-type]


@pytest.fixture
def mutant(folder: Path, tmp_path: Path) -> Callable[[Mutation], Path]:
    """Build the firmware with one text replaced."""

    def make(mutation: Mutation) -> Path:
        name, old, new = mutation
        shutil.copytree(folder, tmp_path / "mutant", ignore=shutil.ignore_patterns("build"))
        path = tmp_path / "mutant" / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), "utf-8")
        return built(tmp_path / "mutant")

    return make


def board(bench: Bench) -> Pico:
    assert isinstance(bench.pod, Pico)
    return bench.pod


# -- as every pod -----------------------------------------------------------------------------


def test_the_bench_is_wired_as_the_map_says() -> None:
    lines = [f"GP{line}" for line in pico.BUTTONS.values()]
    assert lines == PINS.pico.buttons
    places = (pico.LED, pico.BUZZER, pico.SDA, pico.SCL)
    wanted = (PINS.pico.led, PINS.pico.buzzer, PINS.pico.sda, PINS.pico.scl)
    assert tuple(f"GP{line}" for line in places) == wanted
    assert PINS.pod.screen.address == pico.ADDRESS


def test_a_pico_says_who_it_is_and_shows_a_picture(bench: Bench) -> None:
    bench.link.show(picture(5))
    (arrived,) = bench.run(200)
    assert isinstance(arrived, Arrived)
    hello = arrived.hello
    assert (hello.major, hello.minor, hello.patch) == FIRMWARE
    assert (hello.pod, hello.screen, hello.down) == (0, 1, 0)
    assert bench.pod.screen() == picture(5).bitmap
    assert 380_000 <= board(bench).glass.hz <= 400_000


def test_its_glass_is_dark_and_its_buttons_are_single_presses(image: Path) -> None:
    for check in (
        checks.check_nothing_is_lit_before_the_first_picture,
        checks.check_each_button_is_one_press,
    ):
        check(Bench(Pico(image)))  # type: ignore[arg-type]


def test_a_press_is_quick_and_tells_hold_and_bounce(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    assert bench.tap(1, HOLD_MS + 10) == [Pressed(1, True, 5)]
    bench.pod.press(2)
    bench.run(30)
    board(bench).computer.said_ms, released_ms = 0.0, board(bench).now_ms
    bench.pod.release(2)
    bench.run(4)
    bench.pod.press(2)
    bench.run(2)
    bench.pod.release(2)
    (press,) = bench.presses(50)
    assert (press.button, press.bounced_ms) == (2, 6)
    assert board(bench).computer.said_ms - released_ms < 6 + 7


@pytest.mark.long
def test_a_slow_bus_costs_no_press(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    bench.pod.tell("screen off")
    bench.run(600)
    bench.pod.tell("bus slow 20")
    bench.pod.tell("screen on")
    heard = [press.button for tap in range(12) for press in bench.tap(tap % 6 + 1, 20)]
    assert heard == [tap % 6 + 1 for tap in range(12)]
    bench.pod.tell("bus slow 1")
    bench.run(1500)
    assert bench.pod.screen() == picture(5).bitmap


@pytest.mark.long
def test_a_screen_without_power_is_told_and_painted_again(bench: Bench) -> None:
    check_screen_without_power(bench)


def test_lamp_and_buzzer_follow_the_table(bench: Bench) -> None:
    bench.run(100)
    assert not board(bench).is_lit
    bench.link.signal(lamp=LAMPS["blinks"], beep_ms=60)
    bench.run(4 * BLINK_MS + 50)
    assert board(bench).lightings == 3
    assert 59 <= board(bench).sounded_ms <= 61
    bench.link.signal(lamp=LAMPS["on"])
    bench.run(50)
    assert board(bench).is_lit


@pytest.mark.long
def test_number_and_controller_are_in_the_flash(image: Path) -> None:
    """Over a reset; and the program beside them is as it was."""
    bench = Bench(Pico(image, sh1106=True))  # type: ignore[arg-type]
    bench.link.show(picture(5))
    bench.run(200)
    before = bytes(board(bench).chip.flash[: 2**20])
    assert bench.pod.screen() != picture(5).bitmap
    bench.link.setup(7, CONTROLLERS["sh1106"])
    bench.run(1300)
    assert bench.pod.screen() == picture(5).bitmap
    bench.pod.tell("reboot")
    bench.run(1300)
    assert bench.link.hello is not None
    assert (bench.link.hello.pod, bench.link.hello.controller) == (7, 1)
    assert bench.pod.screen() == picture(5).bitmap
    assert bytes(board(bench).chip.flash[: 2**20]) == before


@pytest.mark.long
def test_a_pulled_plug_is_told_and_a_new_one_welcomed(bench: Bench) -> None:
    bench.link.show(picture(5))
    bench.run(200)
    bench.pod.tell("unplug")
    assert [type(event) for event in bench.run(3500, 20)] == [Silent]
    bench.pod.tell("plug")
    bench.link.opened()
    assert [type(event) for event in bench.run(1000)] == [Arrived]
    assert bench.tap(3) == [Pressed(3, False, 5)]


# -- what is its own --------------------------------------------------------------------------


def text_of(descriptor: bytes) -> str:
    assert descriptor[:2] == bytes([len(descriptor), STRING])
    return descriptor[2:].decode("utf-16-le")


def test_it_has_a_name_and_the_number_of_its_own_flash_on_usb(bench: Bench) -> None:
    bench.run(100)
    pod, usb = board(bench), PINS.pico.usb
    ask = pod.computer.descriptor
    _, _, vendor, product, *names, _ = struct.unpack("<4sIHHxxBBBB", ask(DEVICE, 0, pod.run))
    assert (vendor, product) == (usb.vendor, usb.product)
    maker, name, serial = (text_of(ask(STRING, index, pod.run)) for index in names)
    assert (maker, name) == ("race-companion", usb.name)
    assert serial == OWN_NUMBER.hex().upper()
    whole = ask(CONFIGURATION, 0, pod.run)
    assert struct.unpack_from("<H", whole, 2) == (len(whole),), "in two packets"


def test_what_it_does_not_know_on_usb_changes_nothing(bench: Bench) -> None:
    """A request that it must refuse, then a terminal's: baud, and DTR, which resets a Nano."""
    bench.link.show(picture(5))
    bench.run(200)
    pod = board(bench)
    assert pod.computer.ask(bytes([0x80, 6, 0, 6, 0, 0, 10, 0]), pod.run) == b""
    assert pod.chip.usb_ctrl._ep_stall_arm == 3
    pod.computer.cdc.set_line_coding(1200)
    pod.run(5)
    pod.computer.cdc.set_control_lines(dtr=False, rts=False)
    pod.run(5)
    assert bench.tap(4) == [Pressed(4, False, 5)]
    assert bench.link.hello is not None
    assert bench.link.hello.session == 1


@pytest.mark.long
def test_a_flood_waits_in_the_computer_and_nothing_is_lost(bench: Bench) -> None:
    """The bus is slower than USB; a Nano would count lost bytes."""
    bench.link.window._size = 100
    for number in range(5, 9):
        bench.link.show(picture(number))
        bench.run(60)
    bench.run(300)
    assert bench.pod.screen() == picture(8).bitmap
    assert bench.link.hello is not None
    assert (bench.link.hello.overruns, bench.link.hello.damaged) == (0, 0)


@pytest.mark.long
def test_a_program_that_hangs_is_started_anew(mutant: Callable[[Mutation], Path]) -> None:
    line = "    turned_ms = now_ms;\n    lamp(mode"
    asleep = '__asm__ volatile("wfi")'  # awake it would do no more, and take longer here
    hanging = f"    while (beep == 99)\n        {asleep};\n{line}"
    bench = Bench(Pico(mutant(("pod/lamp.c", line, hanging))))  # type: ignore[arg-type]
    bench.link.show(picture(5))
    bench.run(200)
    bench.link.signal(lamp=1, beep_ms=990)
    bench.run(700)
    assert board(bench).resets == 1
    bench.run(1000)
    assert bench.pod.screen() == picture(5).bitmap


PULLED = "PAD_INPUT | PAD_PULL_UP | PAD_SCHMITT"
PRESSES, PICTURE = checks.check_each_button_is_one_press, checks.check_picture_is_whole_in_a_second


@pytest.mark.long
@pytest.mark.parametrize(
    ("mutation", "check"),
    [
        pytest.param(("pico/pins.c", PULLED, "PAD_INPUT"), PRESSES, id="no pull-up"),
        pytest.param(("pico/twi.c", "held_back | STOP", "held_back"), PICTURE, id="no STOP"),
        pytest.param(("pico/usb.c", "*data1 = !*data1;", ""), PICTURE, id="all packets DATA0"),
    ],
)
@pytest.mark.faults("faults built into the firmware")
def test_a_fault_in_it_turns_a_check_red(
    mutation: Mutation, check: Callable[[Bench], None], mutant: Callable[[Mutation], Path]
) -> None:
    with pytest.raises(AssertionError):
        check(Bench(Pico(mutant(mutation))))  # type: ignore[arg-type]


def test_what_speaks_to_the_flash_calls_nothing_that_lies_in_it(image: Path) -> None:
    """Nothing can be read from the flash meanwhile; the emulated one would not mind."""
    elf = image.with_name("pico.elf")
    command = ["arm-none-eabi-objdump", "-d", "--section=.data", elf]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    functions = re.findall(r"^[0-9a-f]+ <(\w+)>:", told, re.MULTILINE)
    assert {"speak", "change", "exchange"} <= set(functions)
    calls = re.findall(r"\tblx?\t([0-9a-f]+) ", told)
    assert calls
    assert all(call.startswith("2000") for call in calls), calls


# -- the image --------------------------------------------------------------------------------


@pytest.mark.long
def test_the_chips_own_rom_starts_it_and_no_other(image: Path) -> None:
    """It reads the second stage out of the flash and holds it against its sum."""
    pod = start_by_rom(image)
    pod.run(50)
    assert is_in_the_program(pod)
    for place in (20, 252):
        spoilt = start_by_rom(image, flip=place)
        spoilt.run(50)
        assert not is_in_the_program(spoilt)


def test_the_image_is_whole_blocks_of_the_format(image: Path) -> None:
    data = image.read_bytes()
    blocks = [struct.unpack_from("<8I", data, at) for at in range(0, len(data), 512)]
    assert [block[3] for block in blocks] == [0x10000000 + 256 * n for n in range(len(blocks))]
    assert {(*block[:3], block[4], *block[6:]) for block in blocks} == {
        (0x0A324655, 0x9E5D5157, 0x2000, 256, len(blocks), 0xE48BFF56)
    }
    assert [block[5] for block in blocks] == list(range(len(blocks)))


def test_the_sum_of_the_second_stage_is_the_one_that_catalogues_give() -> None:
    code = "import uf2; print(hex(uf2.boot_sum(b'123456789')))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=SOURCE.parent / "pico", capture_output=True, check=True)
    assert done.stdout == b"0x376e6e7\n"


def test_the_image_in_the_wheel_is_built_from_these_sources(image: Path) -> None:
    """`make -C firmware/pico ship` puts it there; the compiler of Debian 12 gives every bit."""
    command = ["arm-none-eabi-gcc", "-dumpversion"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if version != "12.2.1":
        pytest.skip(f"arm-none-eabi-gcc {version} builds other bytes than 12.2.1")
    assert PICO_IMAGE.read_bytes() == image.read_bytes()
