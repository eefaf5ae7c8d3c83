"""What of a table goes on by itself: the watch of a trial, the clock of the turns, the forecast.

All of it is worked out from the lines of the race and the table's clock; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.table import clock
from companion.table.ending import Ending
from companion.table.outside import Services
from companion.table.pace import due, look_at, until_next_s, waits_of
from companion.table.state import TableState
from companion.views.model import Pause, Scene


class RaceClocks:
    """The clocks of the race on the table."""

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self._ending = Ending()
        self._clocked: str | None = None

    def go_on(self) -> None:
        """The time of a race goes on where its last line left it."""
        race = self._state.race
        if race is not None and race.id != self._clocked:
            self._clocked = race.id
            self._services.clock.go_on_from(race.last_at)

    def hold(self) -> None:
        """A race with a clock is paused when the table was off: people have to come back first."""
        race = self._state.race
        if race and race.outline.timing.is_on and not (race.is_finished or race.paused):
            race.put(Pause(True), by="companion", at=race.last_at)

    @property
    def watch(self) -> Mapping[str, int] | None:
        """The watch of a trial, as everybody may see it."""
        return clock.look(self._state.race, self._services.clock.at)

    def put_into(self, scene: Scene) -> Scene:
        """A scene with what the clocks of its race show."""
        race, now = self._state.race, self._services.clock.at
        if race is None:
            return scene
        pace, left, waits = look_at(race, now), self._ending.minutes(race, now), waits_of(race)
        if pace is None and left is None and not waits:
            return scene
        return replace(scene, pace=pace, minutes_left=left, waits=waits)

    @property
    def is_due(self) -> bool:
        """Whether time has brought what is to be written: a flag, the bell."""
        race = self._state.race
        return race is not None and bool(due(look_at(race, self._services.clock.at), race.outline))

    def until_next_s(self, shown: Scene) -> float | None:
        """How long what a scene shows of watch and clocks stays true; None: for good."""
        race, now = self._state.race, self._services.clock.at
        waits = [clock.until_next_s(race, shown.watch, now)]
        if race is not None and shown.pace is not None:
            waits.append(until_next_s(look_at(race, now)))
        return min((one for one in waits if one is not None), default=None)
