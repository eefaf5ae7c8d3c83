"""Pods without hardware: simulated boards with the real firmware, under the real driver.

with SimulatedPods((1, 2), listener) as pods:
    pods.boards[1].press(3)
    pods.boards[1].screen()
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from companion.closing import Closing
from companion.drawing.bitmap import SIZE
from companion.seats.plan import Options
from companion.seats.pod.driver import PodSeats, has_buzzer
from companion.seats.pod.image import IMAGE
from companion.seats.pod.simulator import PROGRAM, NoSimulator, Simulator
from companion.seats.pod.wire import SETTLE_MS
from companion.seats.settling import settle_of
from companion.seats.trouble import SeatTrouble
from companion.table.ports import Picture, SeatListener

NOISE = 5
"""Of 1000 bytes, those that have a wrong bit."""


def open_seats(seats: Sequence[int], listener: SeatListener, options: Options) -> SimulatedPods:
    """Start a simulated pod for each seat; the `ports` of `options` are not used.

    Raises:
        SeatTrouble: the simulator cannot run.
    """
    settle_ms = settle_of("pod", options)
    return SimulatedPods(seats, listener, buzzer=has_buzzer(options), settle_ms=settle_ms)


class SimulatedPods(Closing):
    """A `SeatDriver` with the boards that it talks to, `boards` by seat.

    Raises:
        SeatTrouble: the simulator cannot run.
    """

    def __init__(
        self,
        seats: Sequence[int],
        listener: SeatListener,
        *,
        image: Path = IMAGE,
        program: Path = PROGRAM,
        buzzer: bool = False,
        settle_ms: int = SETTLE_MS,
    ) -> None:
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

    kind = "pod"

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen; see `Touchable`."""
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
        """Put a fault in, or take it out; see `Touchable`."""
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
