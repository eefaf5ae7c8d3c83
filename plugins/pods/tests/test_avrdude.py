"""The real avrdude, and a board that is a boot loader at the end of a pseudo-terminal."""

from __future__ import annotations

import shutil
import subprocess
import termios
from pathlib import Path

import pytest
from support.pods.boot_loader import BootLoader

from companion.cli import main
from race_companion_pods import ports as flasher
from race_companion_pods.image import IMAGE
from race_companion_pods.link import format_firmware
from race_companion_pods.ports import FlashFailed, flash
from race_companion_pods.simulator import Simulator
from race_companion_pods.wire import FIRMWARE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("avrdude"), reason="avrdude is missing (`make debian`)"),
]


def bytes_of(image: Path) -> bytes:
    """What stands in a .hex file of this firmware: one piece from 0 on."""
    rows = [bytes.fromhex(line[1:]) for line in image.read_text("ascii").split()]
    return b"".join(row[4:-1] for row in rows if row[3] == 0)


def test_a_new_board_is_given_the_image_and_its_number_and_runs_it(
    firmware: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the boot loader on: what starts is what avrdude has written, on the simulated chip."""
    port = tmp_path / "tty"
    started: list[Simulator] = []

    def start(board: BootLoader) -> None:
        raw, image = tmp_path / "flash.bin", tmp_path / "flash.hex"
        raw.write_bytes(board.flash.rstrip(b"\xff"))
        binary = ["avr-objcopy", "-I", "binary", "-O", "ihex"]
        subprocess.run([*binary, raw, image], check=True, timeout=60)
        started.append(Simulator(image, port=port, program=firmware / "build/podsim"))

    with BootLoader(port, leave=start) as board:
        try:
            assert main(["pod", "flash", str(port), "--number", "7"]) == 0
        finally:
            for pod in started:
                pod.close()
    assert board.flash.startswith(bytes_of(IMAGE))
    told = capsys.readouterr().out
    assert "before: no pod answers" in told
    assert f"after:  firmware {format_firmware(FIRMWARE)}, pod 7, ssd1306" in told


@pytest.mark.long
def test_an_old_boot_loader_is_found_at_its_own_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flasher, "_ATTEMPTS", 1)
    with BootLoader(tmp_path / "tty", baud=termios.B57600) as board:
        assert flash(str(tmp_path / "tty")) == 57_600
        assert board.flash.startswith(bytes_of(IMAGE))


def test_a_board_that_does_not_keep_the_image_is_found_by_reading_it_back(tmp_path: Path) -> None:
    with (
        BootLoader(tmp_path / "tty", worn=0x104),
        pytest.raises(FlashFailed, match=r"verification|mismatch"),
    ):
        flash(str(tmp_path / "tty"))
