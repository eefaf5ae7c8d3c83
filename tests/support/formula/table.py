"""A race on the engine, in the words of the table: what a rule test reads like.

    table = Table({1: car("S2.m5", gear=3), 2: car("S2.m8", gear=2)}, order=[1, 2], turn=1)
    table.plays(1, gear=3, roll=5)
    assert table.ends(1) == {...}

Nothing here knows a rule; it only talks the engine protocol of `companion.race.engine`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board.track import Track

STANDARD_WEAR = {"tires": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


class OneRead:
    """Tracks, each read and compiled once for all tests."""

    @staticmethod
    @cache
    def load(name: str) -> Track:
        return TrackLibrary(()).load(name)


def car(space: str, gear: int = 1, lap: int = 1, **more: Any) -> dict[str, Any]:
    """A car of a `position`; `wear` names only what differs from the standard."""
    return {"space": space, "gear": gear, "lap": lap, **more}


def header(seats: int | list[int] = 2, **more: Any) -> dict[str, Any]:
    """A header of Formula D on Monaco with seats 1 to `seats`."""
    numbers = range(1, seats + 1) if isinstance(seats, int) else seats
    cars = [{"seat": number} for number in numbers]
    return {"game": "formula-d", "track": "monaco", "seats": cars, **more}


def position(
    cars: dict[int, dict[str, Any]], *, also: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """A header that starts with these cars; `also` goes into the header itself."""
    placed = {str(seat): data for seat, data in cars.items()}
    return header(sorted(cars), position={"cars": placed, **more}, **(also or {}))


class Table:
    """An engine with a race on it.

    Built from the cars of a `position`, or with `Table.of(header)`.
    """

    def __init__(self, cars: dict[int, dict[str, Any]], **more: Any) -> None:
        self._begin(position(cars, **more))

    @classmethod
    def of(cls, data: dict[str, Any]) -> Table:
        """A table with the race of a whole header."""
        table = cls.__new__(cls)
        table._begin(data)
        return table

    def _begin(self, data: dict[str, Any]) -> None:
        self.engine = Engine(OneRead())
        self.says({"new": data})

    def says(self, line: Any) -> list[dict[str, Any]]:
        """Send a line that must be accepted; its events."""
        reply = self.engine.handle(line)
        assert reply["ok"], (line, reply["error"])
        events: list[dict[str, Any]] = reply["events"]
        return events

    def is_refused(self, line: Any) -> dict[str, Any]:
        """Send a line that must be refused and must change nothing; its error."""
        before = self._everything()
        reply = self.engine.handle(line)
        assert not reply["ok"], line
        assert self._everything() == before, "a refused line changed something"
        assert reply["asks"] == self.asks
        error: dict[str, Any] = reply["error"]
        assert set(error) == {"code", "rule", "key", "args", "message"}
        return error

    def _everything(self) -> Any:
        return self.engine.version, self.engine.state(), self.engine.asks(), self.engine.header

    def plays(self, seat: int, **answers: Any) -> list[dict[str, Any]]:
        """Answer asks of one seat in the order given; all events.

        `move` and `slipstream` take a space, or a space and the brakes spent.
        """
        events = []
        for kind, value in answers.items():
            if kind in ("move", "slipstream") and value is not None:
                to, brakes = (value, 0) if isinstance(value, str) else value
                value = {"to": to, "brakes": brakes}
            events += self.says({"seat": seat, kind: value})
        return events

    @property
    def asks(self) -> list[dict[str, Any]]:
        return self.engine.asks()

    @property
    def asked(self) -> list[tuple[int, str]]:
        """Who is asked what: (seat, kind) of every open ask."""
        return [(ask["seat"], ask["kind"]) for ask in self.asks]

    def ask(self, seat: int, kind: str) -> dict[str, Any]:
        """The one open ask of a seat and kind."""
        (found,) = [ask for ask in self.asks if (ask["seat"], ask["kind"]) == (seat, kind)]
        return found

    def options(self, seat: int, kind: str = "move") -> dict[tuple[str, int], dict[str, Any]]:
        """The ends on offer by (space, brakes)."""
        data = [option for option in self.ask(seat, kind)["options"] if option is not None]
        return {(option["to"], option["brakes"]): option for option in data}

    def ends(self, seat: int, brakes: int = 0, kind: str = "move") -> set[str]:
        """The spaces on offer with so many brakes spent by choice."""
        return {to for to, spent in self.options(seat, kind) if spent == brakes}

    @property
    def state(self) -> dict[str, Any]:
        data = self.engine.state()
        assert data is not None
        return data

    def car(self, seat: int) -> dict[str, Any]:
        data: dict[str, Any] = self.state["cars"][str(seat)]
        return data


def named(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The events of one name."""
    return [event for event in events if event["event"] == name]


def wear(**less: int) -> dict[str, int]:
    """Standard wear points, with some figures replaced.

    >>> wear(brakes=1)["brakes"]
    1
    """
    return {**STANDARD_WEAR, **less}


def wall(section: str, k: int, *seats: int) -> dict[int, dict[str, Any]]:
    """Three cars abreast in a straight where the left lane leads: nobody passes.

    A car in the middle lane, n spaces behind the wall's middle car, can go n spaces at most:
    the last of them beside the wall's middle car, in an outer lane.
    """
    spaces = (f"{section}.l{k}", f"{section}.m{k}", f"{section}.r{k + 1}")
    return {seat: car(space) for seat, space in zip(seats, spaces, strict=True)}
