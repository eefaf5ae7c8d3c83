"""What a simulated pod does at a word: presses, and every fault a pod has had.

    Console(board).obey("corrupt 20")

The words are for people and for scripts; what they do is the simulator's own, and a command of
the simulator itself is passed on as it is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from companion.seats.pod.image import IMAGE
from companion.seats.pod.simulator import SOURCE, Simulator
from companion.seats.pod.wire import HOLD_MS

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
    """A simulated pod that does what a word asks of it.

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
