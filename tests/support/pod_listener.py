"""What stands at the two ends of the pods' driver in tests: a listener, and patience."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.table.ports import Reply

PATIENCE_S = 8.0


def soon(is_true: Callable[[], bool]) -> bool:
    """Whether something becomes true; real threads are at work, so real time passes."""
    until_s = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.002)
    return True


class Listener:
    """Writes down what a driver says."""

    def __init__(self) -> None:
        self.presses: list[tuple[int, int, bool, int | None]] = []
        self.troubles: dict[tuple[int, str], str | None] = {}

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.presses.append((seat, button, hold, picture))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: str | None) -> None:
        self.troubles[seat, part] = trouble
