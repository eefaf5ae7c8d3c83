"""Faults of a simulated pod on command: by hand, by a program, by a script."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.pods.listener import soon

from companion.cli import main
from race_companion_pods import simulator
from race_companion_pods.link import describe
from race_companion_pods.ports import NoAnswer, PortLost, identify
from race_companion_pods.simulator import Console, Simulator
from race_companion_pods.wire import FIRMWARE, Hello, Stranger

pytestmark = pytest.mark.slow


@pytest.fixture
def board(firmware: Path, tmp_path: Path) -> Iterator[Simulator]:
    image, program = firmware / "build/pod.hex", firmware / "build/podsim"
    with Simulator(image, port=tmp_path / "tty", pod=3, program=program) as board:
        yield board


@pytest.fixture
def console(board: Simulator, firmware: Path) -> Console:
    build = firmware / "build"
    return Console(board, image=build / "pod.hex", old=build / "old.hex")


def version(found: Hello | Stranger) -> tuple[int, int, int]:
    assert isinstance(found, Hello)
    return found.major, found.minor, found.patch


@pytest.mark.faults("a pod: firmware of another level")
def test_old_firmware_is_named_and_the_new_one_serves_again(
    console: Console, tmp_path: Path
) -> None:
    port = str(tmp_path / "tty")
    assert version(identify(port)) == FIRMWARE
    console.obey("old firmware")
    old = identify(port)
    assert isinstance(old, Stranger)
    assert old.firmware == (0, *FIRMWARE[1:])
    assert "older protocol (level 0)" in describe(old)
    console.obey("new firmware")
    now = identify(port)
    assert version(now) == FIRMWARE
    assert isinstance(now, Hello)
    assert now.pod == 3, "its number has outlived both"


def test_each_fault_is_there_until_it_is_ended(console: Console, tmp_path: Path) -> None:
    port = str(tmp_path / "tty")
    for begin, end in (("silence", "speak"), ("drop 1000", "drop 0"), ("corrupt 900", "corrupt 0")):
        console.obey(begin)
        with pytest.raises(NoAnswer):
            identify(port, wait_s=0.4)
        console.obey(end)
        assert version(identify(port)) == FIRMWARE
    console.obey("unplug")
    with pytest.raises(PortLost, match="is the cable in"):
        identify(port)
    console.obey("plug")
    assert version(identify(port)) == FIRMWARE
    before = console.obey("figures")
    console.obey("reboot")
    assert soon(lambda: console.obey("figures") != before)
    console.obey("screen off")
    assert soon(lambda: not hello_of(port).screen)


def hello_of(port: str) -> Hello:
    found = identify(port)
    assert isinstance(found, Hello)
    return found


@pytest.mark.parametrize("command", ["7", "drop", "drop many", "bounce 9", "old", "wait", ""])
def test_what_is_no_command_is_refused(console: Console, command: str) -> None:
    with pytest.raises(ValueError, match="does not know"):
        console.obey(command)


def test_old_firmware_that_is_not_built_is_told_with_what_builds_it(
    board: Simulator, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"make -C .* old"):
        Console(board, old=tmp_path / "none").obey("old firmware")


def test_a_script_is_followed_to_its_end_or_to_its_first_fault(
    firmware: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulator, "PROGRAM", firmware / "build/podsim")
    script = tmp_path / "evening.txt"
    script.write_text("# an evening\nwait 20\nbounce 2   # a worn one\n\ndrop 5\n")
    simulate = ["pod", "simulate", "--port", str(tmp_path / "tty"), "--script", str(script)]
    assert main(simulate) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["wait 20: ok", "bounce 2: ok", "drop 5: ok"]
    script.write_text("drop 5\nfly\ndrop 6\n")
    assert main(simulate) == 2
    said = capsys.readouterr()
    assert "drop 6" not in said.out
    assert "line 2: the simulator does not know 'fly'" in said.err
    script.unlink()
    assert main(simulate) == 2
    assert "evening.txt cannot be read" in capsys.readouterr().err


def test_a_person_sees_screen_and_lamp_in_the_terminal(firmware: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import race_companion_pods.simulator as simulate;"
        f"simulate.PROGRAM = Path({str(firmware / 'build/podsim')!r});"
        "from companion.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    ours, theirs = os.openpty()
    words = ["pod", "simulate", "--port", str(tmp_path / "tty")]
    command = [sys.executable, "-c", code, *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs) as person:
        os.close(theirs)
        os.write(ours, b"2\nquit\n")
        seen = b""
        with suppress(OSError):  # the other end hangs up
            while more := os.read(ours, 4096):
                seen += more
        assert person.wait(timeout=20) == 0
    os.close(ours)
    told = seen.decode()
    assert f"pod at {tmp_path / 'tty'}   lamp ○" in told
    assert "old firmware" in told
    assert "ok" in told.split("lamp")[-1]
