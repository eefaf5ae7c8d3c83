"""What stands at the two ends of the pods' driver in tests: a listener, and patience."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.table.ports import Reply
from companion.views.model import Trouble
from race_companion_pods.simulator import CYCLES_PER_MS, SimulatedPods, Simulator

PATIENCE_S = 20.0


def soon(is_true: Callable[[], bool]) -> bool:
    """Whether something becomes true; real threads are at work, so real time passes."""
    until_s = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.002)
    return True


def pass_time(board: Simulator, ms: int) -> None:
    """Wait until so much of a board's own time has passed; a busy machine is slower than that."""
    end = board.figures()["cycle"] + ms * CYCLES_PER_MS
    assert soon(lambda: board.figures()["cycle"] >= end)


def is_read(pods: SimulatedPods, seat: int) -> bool:
    """Whether a pod has all of its picture: the number, by which its presses are taken, follows the
    dots."""
    talk = pods._driver._at.get(seat)
    return talk is not None and talk._link.is_idle


class Listener:
    """Writes down what a driver says."""

    def __init__(self) -> None:
        self.presses: list[tuple[int, int, bool, int | None]] = []
        self.troubles: dict[tuple[int, str], str | None] = {}
        self.bounces: list[tuple[int, int, int]] = []
        self.keys: dict[tuple[int, str], str | None] = {}

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.presses.append((seat, button, hold, picture))
        return Reply(200, {})

    def bounce(self, seat: int, button: int, ms: int) -> None:
        self.bounces.append((seat, button, ms))

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """Nobody looks so closely."""

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        self.troubles[seat, part] = trouble and str(trouble)
        self.keys[seat, part] = trouble and trouble.key
