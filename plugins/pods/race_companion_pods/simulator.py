"""Pods without hardware: simulated boards with the real firmware, under the real driver.

with SimulatedPods((1, 2), listener) as pods:
    pods.boards[1].press(3)
    pods.boards[1].screen()

A board is a program of firmware/pod/simulator that takes its orders line by line: podsim for the
image of a Nano, picosim.py for that of a Pico, which knows fewer of them and needs a port.
`Simulator(image)` lets time pass only in `run`; `Simulator(image, port=LINK)` lets it pass as it
does elsewhere, and has its line at the pseudo-terminal that LINK points to. `Console` has a pod do
what a word asks of it: presses, and every fault that a pod has had.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from types import MappingProxyType
from typing import Any, Literal

from companion.drawing.bitmap import HEIGHT, SIZE, WIDTH
from companion.seats.contacts import HOLD_MS, SETTLE_MS
from companion.seats.plan import SeatTrouble
from companion.system.host import Closing
from companion.table.ports import Picture
from race_companion_pods.driver import PodSeats, settings_of
from race_companion_pods.image import IMAGE, PICO_IMAGE
from race_companion_pods.wire import FIRMWARE

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
        # Made beside its place and moved: a build that breaks off leaves nothing behind there.
        with TemporaryDirectory(dir=program.parent) as folder:
            command = ["make", "-s", "-C", str(BOARD), f"OUT={folder}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                said = next(iter(done.stderr.splitlines()), "no word")
                raise NoSimulator(f"simulated pods cannot be built ({said}): {NEEDED}")
            (Path(folder) / "podsim").replace(program)
    except OSError as error:
        raise NoSimulator(f"{program} cannot be built: {error.strerror}") from error


def _runner(image: Path, program: Path) -> list[str]:
    """What runs an image."""
    if image.suffix == PICO_IMAGE.suffix:
        if find_spec("rp2040py") is None:
            raise NoSimulator(
                f"a simulated Pico needs rp2040py: {sys.executable} -m pip install rp2040py"
            )
        return [sys.executable, str(BOARD / "picosim.py")]
    if program == PROGRAM:
        build()
    return [str(program)]


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
        command = [*_runner(image, program), f"--seed={seed}", *(["--sh1106"] if sh1106 else [])]
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
            # A program that does not take the image ends without its first line.
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
        # The first line answers `send`, the second `run`.
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


# -- the seats of a table -------------------------------------------------------------------------


def open_seats(
    seats: Sequence[int], listener: Any, options: Any, image: Path = IMAGE
) -> SimulatedPods:
    """Start a simulated pod for each seat; the `ports` of `options` are not used.

    Raises:
        SeatTrouble: the simulator cannot run.
    """
    _, buzzer, settle_ms = settings_of(options)
    return SimulatedPods(seats, listener, image=image, buzzer=buzzer, settle_ms=settle_ms)


open_picos = partial(open_seats, image=PICO_IMAGE)
"""The same of pods on a Raspberry Pi Pico."""


NOISE = 5
"""Of 1000 bytes, those that have a wrong bit."""


class SimulatedPods(Closing):
    """A driver with the boards that it talks to, `boards` by seat.

    Raises:
        SeatTrouble: the simulator cannot run.
    """

    def __init__(
        self,
        seats: Sequence[int],
        listener: Any,
        *,
        image: Path = IMAGE,
        program: Path = PROGRAM,
        buzzer: bool = False,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        # A board answers line by line, so only one thread at a time may ask it.
        self._telling = Lock()
        self._pulled: set[int] = set()
        self._noisy: set[int] = set()
        with ExitStack() as opened:
            folder = Path(opened.enter_context(TemporaryDirectory(prefix="pods-")))
            ports = {seat: folder / f"pod{seat:02}" for seat in seats}
            try:
                self.boards = {
                    seat: opened.enter_context(
                        Simulator(image, port=port, pod=seat, seed=seat, program=program)
                    )
                    for seat, port in ports.items()
                }
            except NoSimulator as error:
                raise SeatTrouble(str(error), "no-simulator") from error
            names = [str(port) for port in ports.values()]
            self._driver = PodSeats(
                seats,
                listener,
                find_ports=lambda: names,
                buzzer=buzzer,
                settle_ms=settle_ms,
            )
            opened.callback(self._driver.close)
            self._opened = opened.pop_all()

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture."""
        self._driver.show(seat, picture)

    def beep(self, seat: int, ms: int) -> None:
        """Let a seat sound for so long."""
        self._driver.beep(seat, ms)

    def errors(self, seat: int) -> dict[str, int]:
        """What went wrong on the line of a seat, and with its screen."""
        return self._driver.errors(seat)

    # -- what a hand at the page does ----------------------------------------------------------

    kind = "pod"

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen."""
        with self._telling:
            return bytes(SIZE) if seat in self._pulled else self.boards[seat].screen()

    def lamp(self, seat: int) -> bool | None:
        """Whether the board's lamp is lit."""
        with self._telling:
            return seat not in self._pulled and bool(self.boards[seat].figures()["lamp"])

    def finger(self, seat: int, button: int, down: bool) -> None:
        """A finger goes down on a button, or up; with noise the contact bounces."""
        with self._telling:
            if seat in self._noisy:
                self.boards[seat].bounce(button, 7)
            elif down:
                self.boards[seat].press(button)
            else:
                self.boards[seat].release(button)

    def fault(self, seat: int, name: str, on: bool) -> None:
        """Put a fault in, or take it out."""
        board = self.boards[seat]
        with self._telling:
            if name == "cable":
                (self._pulled.add if on else self._pulled.discard)(seat)
                board.tell("unplug" if on else "plug")
            elif name == "dead":
                board.fault("from", "drop", 1000 if on else 0)
            else:
                (self._noisy.add if on else self._noisy.discard)(seat)
                for side in ("to", "from"):
                    board.fault(side, "flip", NOISE if on else 0)

    def close(self) -> None:
        """Stop the driver, then the boards. May be called twice."""
        self._opened.close()


# -- a pod that obeys words -----------------------------------------------------------------------


OLD_IMAGE = SOURCE / "build" / "old.hex"
HELP = (
    "1 to 6 presses a button, 1! holds it, bounce 3 presses one that bounces badly; drop 20, "
    "corrupt 20 (of 1000 bytes; 0 ends it), silence, speak, reboot, unplug, plug, screen off, "
    "screen on, old firmware, new firmware, figures, wait 500 (ms), quit"
)

_TAP_S = 0.06
_HELD_S = HOLD_MS / 1000 + 0.1
_BOUNCES = 9
_SETTLED_S = 0.04
_PRESS = re.compile(r"([1-6])(!?)")
_NUMBERED = re.compile(r"(drop|corrupt|bounce|wait) +(\d{1,6})")
_ALL = 1000


class Console:
    """A simulated pod that does what a word asks of it: `Console(board).obey("corrupt 20")`.

    The words are for people and for scripts; a command of the simulator itself is passed on.

    Args:
        image: what `new firmware` puts on it.
        old: what `old firmware` puts on it, a firmware of an older level.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        board: Simulator,
        *,
        image: Path = IMAGE,
        old: Path = OLD_IMAGE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._board = board
        self._image, self._old = image, old
        self._sleep = sleep

    def obey(self, command: str) -> str:
        """Do what a command says; the answer, "ok" where there is nothing to tell.

        Raises:
            ValueError: there is no such command, or it cannot be followed.
            NoSimulator: the simulator has stopped.
        """
        if press := _PRESS.fullmatch(command):
            self._tap(int(press[1]), _HELD_S if press[2] else _TAP_S)
        elif numbered := _NUMBERED.fullmatch(command):
            self._numbered(numbered[1], int(numbered[2]))
        elif command in _WORDS:
            _WORDS[command](self)
        else:
            return self._board.tell(command)
        return "ok"

    def _tap(self, button: int, held_s: float) -> None:
        self._board.press(button)
        self._sleep(held_s)
        self._board.release(button)

    def _numbered(self, word: str, number: int) -> None:
        if word == "wait":
            self._sleep(number / 1000)
        elif word == "bounce":
            self._bounce(number)
        else:
            kind = "drop" if word == "drop" else "flip"
            self._board.tell(f"fault to {kind} {number}")
            self._board.tell(f"fault from {kind} {number}")

    def _bounce(self, button: int) -> None:
        for _ in range(2):  # down, and up again
            self._board.bounce(button, _BOUNCES)
            self._sleep(_SETTLED_S)

    def _speak(self, share: int) -> None:
        self._board.fault("from", "drop", share)

    def _flash(self, image: Path) -> None:
        if not image.exists():
            raise ValueError(f"{image} is not there; `make -C {SOURCE} old` builds it")
        self._board.tell(f"flash {image}")


_WORDS: Mapping[str, Callable[[Console], None]] = MappingProxyType(
    {
        "silence": lambda console: console._speak(_ALL),
        "speak": lambda console: console._speak(0),
        "old firmware": lambda console: console._flash(console._old),
        "new firmware": lambda console: console._flash(console._image),
    }
)
_HALVES = " ▀▄█"


def screen_lines(bitmap: bytes) -> list[str]:
    """The 32 lines of a screen for a terminal, 128 letters each, two rows of dots to a line.

    >>> screen_lines(bytes([0b1101]) + bytes(1023))[:2] == ["▀" + 127 * " ", "█" + 127 * " "]
    True
    """

    def dot(x: int, y: int) -> int:
        return bitmap[y // 8 * WIDTH + x] >> y % 8 & 1

    return [
        "".join(_HALVES[dot(x, y) | dot(x, y + 1) << 1] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    ]
