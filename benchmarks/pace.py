"""What the clock of the turns adds to the stream of a page, and to the screen of a wired seat.

    python benchmarks/pace.py

The same race, answers and times without a clock and with one; nobody sleeps, the clock is set. A
second in which nobody does anything is counted apart: it is no event for a page.
"""

from __future__ import annotations

from random import Random

from support.formula.careful import answer
from support.tables.sitting import REFEREE, Room, phone

from companion.drawing.bitmap import changed_spans
from companion.drawing.seat import draw_seat
from companion.table.clock import TableClock
from companion.table.ports import Snapshot
from companion.table.session import Request
from companion.views.page import table_view
from companion_web.streams import CHANGES, Frames

ANSWERS, SECONDS, WINDOW = 200, 9, 7
HEADER = {
    "game": "formula-d", "track": "monaco", "laps": 2, "start": "normal", "grid": [1, 2, 3, 4],
    "seats": [{"seat": seat, "name": f"Driver {seat}"} for seat in (1, 2, 3, 4)],
}  # fmt: skip


class Counted:
    """A table on which every answer takes some seconds; seat 1 has real buttons."""

    def __init__(self, house: dict[str, str]) -> None:
        self.now, self.room = 0.0, Room(draw=draw_seat, tell=table_view)
        session = self.room.session
        clock = TableClock(now=lambda: self.now, wall=lambda: 0.0)
        object.__setattr__(session._services, "clock", clock)
        object.__setattr__(self.room.state._given, "buttons", frozenset({1}))
        self.told = Frames(session.snapshot())
        self.events = self.idle_events = self.page_bytes = self.screen_bytes = self.idle_bytes = 0
        self.shown: bytes = b""
        self.idle = False
        session.watch(self.hear)
        self.says(REFEREE, {"new": {**HEADER, "house": house}})

    def says(self, caller: object, line: dict[str, object]) -> None:
        self.room.session._answer([Request(caller, line)])  # type: ignore[arg-type]

    def hear(self, snapshot: Snapshot) -> None:
        picture = snapshot.private.get(1)
        if picture is not None and self.shown:
            spans = changed_spans(self.shown, picture.bitmap)
            size = sum(WINDOW + span.stop - span.start for span in spans)
            self.screen_bytes += size
            self.idle_bytes += size if self.idle else 0
        self.shown = picture.bitmap if picture else b""
        if snapshot.ticked:
            return
        frames = Frames(snapshot, self.told)
        self.page_bytes += len(frames.news(CHANGES))
        self.events += 1
        self.idle_events += self.idle
        frames.forget()
        self.told = frames

    def goes_on(self) -> None:
        dice = Random(7)
        for _ in range(ANSWERS):
            self.idle = True
            for _ in range(SECONDS):
                self.now += 1
                if self.room.session._clocks.until_next_s(self.room.session._scene) is not None:
                    self.room.session._tick()
            self.idle = False
            ask = self.room.state.asks[0]
            value = answer(ask, self.room.state.current.engine.moment, dice)
            if isinstance(value, dict):
                value = {"to": value["to"], "brakes": value["brakes"]}
            self.says(phone(ask["seat"]), {"seat": ask["seat"], ask["kind"]: value})


def main() -> None:
    found = []
    for house in ({}, {"turn_clock": "60", "race_time": "120"}):
        table = Counted(house)
        table.goes_on()
        found.append(table)
        seconds = ANSWERS * SECONDS
        print(
            f"{'with a clock' if house else 'without':<14} page: {table.events} events, "
            f"{table.page_bytes / ANSWERS:.0f} bytes an answer, {table.idle_events} in "
            f"{seconds} idle seconds; screen of seat 1: {table.screen_bytes / ANSWERS:.0f} bytes "
            f"an answer, {table.idle_bytes / seconds:.1f} an idle second"
        )
    without, with_clock = found
    more = (with_clock.page_bytes - without.page_bytes) / ANSWERS
    print(f"the clock adds {more:.0f} bytes an answer to a page")


if __name__ == "__main__":
    main()
