"""One line that is said at the table: who said it, when, and about what."""

from __future__ import annotations

from typing import Any

from companion.table import refusals, steward, stopwatch
from companion.table.desk import Desk
from companion.table.ports import JSON, By, Caller
from companion.table.presets import answer_presets
from companion.table.race import Race


class Said:
    """One line, who said it, and when: what all that carry it out are given."""

    __slots__ = ("at", "by", "caller", "desk", "line")

    def __init__(self, desk: Desk, line: JSON, caller: Caller, at: float) -> None:
        self.desk = desk
        self.line = line
        self.caller = caller
        self.at = at
        self.by: By = steward.said_by(caller, line.get("seat"), desk.host)

    @property
    def race(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        if self.desk.race is None:
            raise refusals.no_race()
        return self.desk.race

    @property
    def seat(self) -> int:
        """The seat that the line is about.

        Raises:
            Malformed: it names none of the race.
        """
        seat = self.line.get("seat")
        if seat not in self.race.seats:
            raise refusals.bad_value("seat", seat, f"one of {sorted(self.race.seats)}")
        assert isinstance(seat, int)
        return seat

    def say(self, line: JSON) -> dict[str, Any]:
        """Fold a line into the race, with what then follows by itself: a time, early gears."""
        reply = self.race.say(line, by=self.by, at=self.at)
        if reply["ok"]:
            stopped = stopwatch.stop(self.race, line, self.at)
            reply = {**reply, "events": [*reply["events"], *stopped]}
        return self.follow(reply)

    def follow(self, reply: dict[str, Any]) -> dict[str, Any]:
        """An accepted reply, with what follows by itself."""
        if not reply["ok"]:
            return reply
        race = self.race
        events = [*reply["events"], *answer_presets(race, self.at)]
        return {**reply, "version": race.engine.version, "events": events, "asks": race.asks}
