"""What a handler is given and what it gives: the table and who speaks, and what came of it."""

from __future__ import annotations

from dataclasses import field

from companion.frozen import dataclass
from companion.rules.commands import Answer, Line
from companion.table import access, clock
from companion.table.by_itself import answer_early, thrown
from companion.table.entries import Pressed, RaceEntry
from companion.table.ports import By, Caller
from companion.table.race import Events, Race
from companion.table.refusals import bad_value
from companion.table.state import TableState


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: the events, and what the reply has besides."""

    events: Events = ()
    more: Line = field(default_factory=dict)


NOTHING = Outcome()


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler is given beside the command: the table, who speaks, and when."""

    table: TableState
    caller: Caller
    by: By
    at: float

    @property
    def race(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        return self.table.current

    def seat(self, seat: int | None) -> int:
        """A seat of the race.

        Raises:
            Malformed: it is none.
        """
        if seat not in self.race.seats:
            raise bad_value("seat", seat, f"one of {sorted(self.race.seats)}")
        assert seat is not None
        return seat

    def put(self, entry: RaceEntry) -> Outcome:
        """Put an entry into the race, with what then follows by itself: a time, early gears."""
        events = self.race.put(entry, by=self.by, at=self.at)
        presser = self.caller.seat
        if (
            isinstance(entry, Answer)
            and entry.seat == access.TABLE
            and presser in self.race.seats
            and presser != self.race.host
        ):
            self.race.put(Pressed(presser), by=self.by, at=self.at)  # the host has it anyway
        return self.follow([*events, *clock.stop(self.race, entry, self.at)])

    def follow(self, events: Events) -> Outcome:
        """Events, with those of early gears that are asked for now."""
        return Outcome([*events, *answer_early(self.race, self.at), *thrown(self.race, self.at)])
