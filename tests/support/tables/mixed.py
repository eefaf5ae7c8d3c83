"""A whole table with seats of every kind, played in real time by hands on all of them.

Pods and wired seats are simulated under their real drivers, phones speak HTTP. Before a press
the seat's screen must show the very picture that the table has published for it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion.app.plugins import OutsideSeats
from companion.app.table import RunningTable
from companion.seats.plan import SeatPlan, parse_seats
from companion.system.config import Config
from race_companion_keys import SimulatedKeys
from race_companion_pods.simulator import SimulatedPods
from race_companion_wired.simulated import SimulatedSeats
from support.pods.listener import is_read, pass_time, soon
from support.screens.hands import presses_to, sends
from support.tables.process import Client
from support.tables.sitting import race_header

TOUCH_MS = 15
TOUCH_S = TOUCH_MS / 1000


class MixedTable:
    """A running table; `presses` counts the presses by the kind of seat that made them.

    Args:
        seats: as in `companion race --seats`.
    """

    def __init__(self, folder: Path, seats: str, laps: int = 1) -> None:
        plan = SeatPlan(parse_seats(seats))
        self.folder = folder
        self.kinds = dict(plan.drivers)
        self.presses: Counter[str] = Counter()
        with ExitStack() as opened:
            self.table = opened.enter_context(
                RunningTable(Config(folder, "127.0.0.1", 0), seats=plan)
            )
            reply = self.table.start(header=race_header(len(self.kinds), laps=laps))
            assert reply is not None
            assert reply.status == 200, reply
            self.client = Client(self.table.url)
            opened.callback(self.client.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._opened.close()

    @property
    def race(self) -> Any:
        """The race on the table."""
        return self.table.state.race

    @property
    def pods(self) -> SimulatedPods:
        """The driver of the pods."""
        return self._driver(SimulatedPods)

    @property
    def wired(self) -> SimulatedSeats:
        """The driver of the wired seats."""
        return self._driver(SimulatedSeats)

    @property
    def keys(self) -> SimulatedKeys:
        """The driver of the pads."""
        return self._driver(SimulatedKeys)

    def _driver(self, kind: type) -> Any:
        for driver in self.table.hub._drivers.values():
            if isinstance(driver, OutsideSeats):
                driver.begin()
            if isinstance(opened := getattr(driver, "opened", driver), kind):
                return opened
        raise LookupError(kind)

    def record(self) -> list[dict[str, Any]]:
        """The record of the finished race."""
        (file,) = self.table_records()
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    def table_records(self) -> list[Path]:
        """The files of all records."""
        return sorted((self.folder / "records").glob("*.jsonl"))

    def number(self, seat: int) -> int:
        """The number of the picture that the table has published for a seat."""
        return self.table.session.snapshot().private[seat].number

    def shows(self, seat: int) -> bool:
        """Whether a seat's screen shows its picture, and its presses will name it."""
        wanted = self.table.session.snapshot().private[seat].bitmap
        kind = self.kinds[seat]
        if kind == "pod simulated":
            return is_read(self.pods, seat) and self.pods.boards[seat].screen() == wanted
        if kind == "keys simulated":
            return self.keys.glass(seat) == wanted
        return kind == "phone" or self.wired.picture(seat) == wanted

    def reads(self, *seats: int) -> None:
        """These seats, or all, come to show their pictures."""
        for seat in seats or self.kinds:
            assert soon(lambda: self.shows(seat)), f"seat {seat} does not show its picture"  # noqa: B023

    def buttons(self, line: Mapping[str, Any]) -> tuple[int, ...] | None:
        """The presses that give an answer on its seat's screen as it is now."""
        seat = line["seat"]
        scene, screens = self.table.session._scene, self.table.session._screens
        return presses_to(scene, seat, sends(line), screens.dialog(seat))

    def gives(self, line: Mapping[str, Any]) -> None:
        """The seat presses its way to an answer; what no key says alone, it says by phone."""
        buttons = self.buttons(line)
        if buttons is None:
            self.answers_by_phone(line)
        for button in buttons or ():
            self.reads(line["seat"])
            self.taps(line["seat"], button)

    def answers_by_phone(self, line: Mapping[str, Any]) -> None:
        """A phone with the seat's link gives an answer as such."""
        seat = line["seat"]
        body = {key: value for key, value in line.items() if key != "seat"}
        status, reply = self.client.post(f"/api/seat/{seat}/answer", self.token(seat), body)
        assert status == 200, reply

    def token(self, seat: int) -> str:
        """The key in the code that the neighbours' screens show."""
        info = next(one for one in self.table.session._scene.seats if one.seat == seat)
        return info.link.partition("#")[2]

    def taps(self, seat: int, button: int, by: str = "") -> None:
        """A press on the seat's own device, or on another kind of it; until it has its effect."""
        before = self.number(seat)
        kind = by or self.kinds[seat]
        self.touches(seat, button, kind)
        self.presses[kind] += 1
        assert soon(lambda: self.number(seat) != before), f"a press of seat {seat} has no effect"

    def touches(self, seat: int, button: int, kind: str) -> None:
        """A finger on a button, whatever comes of it."""
        if kind == "pod simulated":
            board = self.pods.boards[seat]
            board.bounce(button, 5)
            pass_time(board, 2 * TOUCH_MS)
            board.bounce(button, 5)
        elif kind == "wired simulated":
            self.wired.press(seat, button, TOUCH_S)
        elif kind == "keys simulated":
            self.keys.finger(seat, button, True)
            self.keys.finger(seat, button, False)
        else:
            body = {"button": button, "hold": False, "picture": self.number(seat)}
            status, reply = self.client.post(f"/api/seat/{seat}/press", self.token(seat), body)
            assert status == 200, reply
