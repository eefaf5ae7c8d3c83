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

from companion.closing import Closing
from companion.seats.plan import Options
from companion.seats.pod.driver import PodSeats, has_buzzer
from companion.seats.pod.image import IMAGE
from companion.seats.pod.simulator import PROGRAM, NoSimulator, Simulator
from companion.seats.pod.wire import SETTLE_MS
from companion.seats.settling import settle_of
from companion.seats.trouble import SeatTrouble
from companion.table.ports import Picture, SeatListener


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
                *(seats, listener),
                find_ports=lambda: names,
                buzzer=buzzer,
                settle_ms=settle_ms,
            )
            opened.callback(self._driver.close)
            self._opened = opened.pop_all()

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture."""
        self._driver.show(seat, picture)

    def close(self) -> None:
        """Stop the driver, then the boards. May be called twice."""
        self._opened.close()
