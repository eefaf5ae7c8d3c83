"""A simulated pod: the real firmware on a simulated board, which takes its orders line by line.

The board is firmware/pod/simulator, a program of its own. `Simulator(image)` lets time pass
only in `run`; `Simulator(image, port=LINK)` lets it pass as it does outside, and has its line
at the pseudo-terminal that LINK points to.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from companion.closing import Closing
from companion.seats.pod.wire import FIRMWARE

SOURCE = Path(__file__).parents[3] / "firmware" / "pod"
"""Where the simulator is built, in a working copy of the sources."""

BOARD = Path(__file__).parent / "board"
"""The simulator's own sources, which the wheel has too."""


def _program() -> Path:
    """Where the built simulator is: in a working copy, else in the user's cache, by version."""
    if SOURCE.exists():
        return SOURCE / "build" / "podsim"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "race-companion" / ".".join(map(str, FIRMWARE)) / "podsim"


PROGRAM = _program()
NEEDED = "apt install gcc make libsimavr-dev libelf-dev"
CYCLES_PER_MS = 16_000


class NoSimulator(Exception):
    """The simulator cannot run; the message tells a person what to do."""


def build(program: Path = PROGRAM) -> None:
    """Build the simulator where it is not there yet.

    Raises:
        NoSimulator: this machine cannot; the message says what it lacks.
    """
    if program.exists():
        return
    if not shutil.which("make") or not shutil.which("cc"):
        raise NoSimulator(f"simulated pods need a C compiler to build their board: {NEEDED}")
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=program.parent) as folder:
            command = ["make", "-s", "-C", str(BOARD), f"OUT={folder}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                said = next(iter(done.stderr.splitlines()), "no word")
                raise NoSimulator(f"simulated pods cannot be built ({said}): {NEEDED}")
            (Path(folder) / "podsim").replace(program)
    except OSError as error:
        raise NoSimulator(f"{program} cannot be built: {error.strerror}") from error


class Simulator(Closing):
    """One pod. A context manager; `close` may be called twice.

    Args:
        port: where to link the pseudo-terminal; left out: time passes only in `run`.
        pod: the number that it was given before; 0: a new one.
        sh1106: it has the other screen.
        seed: of the noise in its memory, on its pins and its line.
        boot: the .hex file of the boot loader that it starts with; left out: none.

    Raises:
        NoSimulator: the program is not built, or does not take this image.
    """

    def __init__(
        self,
        image: Path,
        *,
        port: Path | None = None,
        pod: int = 0,
        sh1106: bool = False,
        seed: int = 1,
        boot: Path | None = None,
        program: Path = PROGRAM,
    ) -> None:
        if program == PROGRAM:
            build()
        command = [str(program), f"--seed={seed}", *(["--sh1106"] if sh1106 else [])]
        command += [f"--port={port}"] if port else []
        command += [f"--pod={pod}"] if pod else []
        command += [f"--boot={boot}"] if boot else []
        try:
            self._process = subprocess.Popen(
                [*command, str(image)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            raise NoSimulator(
                f"{program}: {error.strerror}; `make -C {BOARD}` builds it ({NEEDED})"
            ) from error
        try:
            self._read_line()
        except NoSimulator:
            self.close()
            raise

    def _read_line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise NoSimulator("the simulated pod has stopped")
        return line.strip()

    def _say(self, *commands: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.writelines(f"{command}\n" for command in commands)
            self._process.stdin.flush()
        except OSError as error:
            raise NoSimulator("the simulated pod has stopped") from error

    def tell(self, command: str) -> str:
        """Give a command of the simulator; its answer.

        Raises:
            NoSimulator: it has stopped.
            ValueError: it knows no such command.
        """
        self._say(command)
        answer = self._read_line()
        if answer == "what?":
            raise ValueError(f"the simulator does not know {command!r}")
        return answer

    def run(self, ms: float, data: bytes = b"") -> bytes:
        """Give the pod bytes and let so much time pass; what it sends in it."""
        self.begin_run(ms, data)
        return self.end_run()

    def begin_run(self, ms: float, data: bytes = b"") -> None:
        """The first half of `run`: several pods may be at it at once."""
        self._say(f"send {data.hex()}", f"run {round(ms * 1000)}")

    def end_run(self) -> bytes:
        """The second half of `run`: wait for it."""
        self._read_line()
        answer = self._read_line()
        if answer == "crashed":
            raise NoSimulator("the firmware has stopped")
        return bytes.fromhex(answer)

    def press(self, button: int) -> None:
        """Press a button, 1 to 6, and keep it down."""
        self.tell(f"press {button}")

    def release(self, button: int) -> None:
        """Let a button go."""
        self.tell(f"release {button}")

    def bounce(self, button: int, moves: int) -> None:
        """A button goes to its other side in `moves` (odd) moves, 0.2 to 2 ms apart."""
        self.tell(f"bounce {button} {moves}")

    def fault(self, side: Literal["to", "from"], kind: Literal["drop", "flip"], share: int) -> None:
        """Of 1000 bytes to or from the pod, lose `share`, or turn one of their bits."""
        self.tell(f"fault {side} {kind} {share}")

    def screen(self) -> bytes:
        """The dots that are seen, 1024 bytes in page order."""
        return bytes.fromhex(self.tell("screen"))

    def figures(self) -> dict[str, int]:
        """What the simulator counts; times are cycles, 16 000 a millisecond."""
        figures: dict[str, int] = json.loads(self.tell("figures"))
        return figures

    def close(self) -> None:
        """Stop it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
