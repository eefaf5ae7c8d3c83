"""A table whose time is what a test says, and its plug may be pulled."""

from __future__ import annotations

from typing import Any

from companion.table.clock import TableClock, look_at
from companion.table.ports import Caller, Snapshot
from companion.table.session import Request
from companion.views.model import Pace
from support.tables.sitting import REFEREE, ListJournal, Room, phone, race_header


class Evening:
    """A session without its thread, whose time is what the test says; the plug may be pulled."""

    def __init__(self, journal: ListJournal | None = None) -> None:
        self.now = 1000.0
        self.room = Room(journal)
        self._set()

    def _set(self) -> None:
        clock = TableClock(now=lambda: self.now, wall=lambda: 0.0)
        session = self.room.session
        object.__setattr__(session._services, "clock", clock)
        race = self.room.state.race
        if race is not None:
            clock.go_on_from(race.last_at)
            session._scene = session._look()

    def begins(self, house: dict[str, str], seats: int = 2, **more: Any) -> None:
        self.says(REFEREE, {"new": race_header(seats, house=house, **more)})

    def says(self, caller: Caller, line: dict[str, Any]) -> dict[str, Any]:
        request = Request(caller, line)
        self.room.session._answer([request])
        return dict(request.reply.result().body)

    def passes(self, seconds: float) -> Snapshot:
        """Time passes, and the table looks at its clocks as often as it would."""
        until = self.now + seconds
        while self.now < until:
            wait = self.wait_s
            self.now = min(until, self.now + (seconds if wait is None else wait))
            self.room.session._tick()
        return self.room.session.snapshot()

    @property
    def wait_s(self) -> float | None:
        """How long the table would sleep; None: until somebody asks it something."""
        return self.room.session._clocks.until_next_s(self.room.session._scene)

    def plug_pulled(self) -> Evening:
        """The table as it comes back."""
        return Evening(self.room.journal)

    @property
    def race(self) -> Any:
        return self.room.state.race

    @property
    def pace(self) -> Pace:
        pace = look_at(self.race, self.room.session._services.clock.at)
        assert pace is not None
        return pace

    def by_itself(self) -> list[Any]:
        """What the companion has said: the lines of time."""
        return [one.command for one in self.race.given if one.by == "companion"]


def drives(evening: Evening, seat: int) -> None:
    """A turn in first: gear, die, the first end on offer, and whatever else is asked."""
    evening.says(phone(seat), {"seat": seat, "gear": 1})
    evening.says(phone(seat), {"seat": seat, "roll": 1})
    while evening.race.outline.mover == seat:
        ask = evening.race.asks[0]
        value: Any = 20 if ask["kind"] == "black" else ask["options"][0]
        if isinstance(value, dict):
            value = {"to": value["to"], "brakes": value["brakes"]}
        reply = evening.says(phone(ask["seat"]), {"seat": ask["seat"], ask["kind"]: value})
        assert reply["ok"], reply
