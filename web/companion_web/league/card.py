"""What the hall shows of a table, out of what its `/api/table` says.

A report comes from another computer, maybe of another version: every value is looked at before
it is shown. What is missing or null is left out; what is of another kind is left out too and
named, so that the door refuses such a report (`odd_in`) and the hall never meets one.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.league.plain import Line
from companion.league.ports import LiveTable
from companion.views.words import LANGUAGES

SENTENCES = 2
MOST_CARS = 10
STALE_S = 45.0
"""A table speaks every half minute at least; one that is late by half of that is marked."""
SILENCE_STEP_S = 10
"""Silence is shown in steps, so that the answer does not change with every second."""


def card_of(table: LiveTable) -> dict[str, object]:
    """What the page shows of a table."""
    told = _Reading().card(table.state)
    return {"table": table.table, "silent": _silence(table.age_s), **told}


def odd_in(report: Line) -> list[str]:
    """What of a report cannot be shown, each a sentence; empty for one that can."""
    reading = _Reading()
    reading.card(report)
    return reading.odd


def _silence(age_s: float) -> int | None:
    """Seconds for which a table has been silent; None while that is nothing to speak of."""
    return int(age_s) // SILENCE_STEP_S * SILENCE_STEP_S if age_s >= STALE_S else None


class _Reading:
    """A report as it is read; `odd` is what is of another kind than it should be."""

    def __init__(self) -> None:
        self.odd: list[str] = []

    def card(self, report: Line) -> dict[str, object]:
        """All of a card but whose it is."""
        state = self._object(report.get("state"), "state")
        story = self._objects(report.get("story"), "story")[-SENTENCES:]
        return {
            "title": self._text(report.get("title"), "title"),
            "phase": self._text(state.get("phase"), "phase") or "lobby",
            "paused": bool(report.get("paused")),
            "turn": self._whole(state.get("turn"), "turn"),
            "lap": self._lap(state),
            "laps": self._whole(state.get("laps"), "laps"),
            "cars": self._cars(report, state)[:MOST_CARS],
            "story": [self._sentence(one) for one in story],
        }

    def _sentence(self, one: Line) -> Line:
        told: dict[str, object] = {tag: self._text(one.get(tag), tag) for tag in LANGUAGES}
        return {**told, "seat": self._whole(one.get("seat"), "seat")}

    def _lap(self, state: Line) -> int | None:
        cars = self._objects(state.get("cars"), "cars")
        laps = [self._whole(car.get("lap"), "lap") for car in cars]
        known = [lap for lap in laps if lap is not None]
        return max(1, *known) if known else None

    def _cars(self, report: Line, state: Line) -> list[Line]:
        """The cars as they lie on the road: home, running, out; of a game of players these."""
        if "players" in state:
            return self._players(self._object(state["players"], "players"))
        people = self._by_seat(report.get("seats"), "seats")
        cars = self._by_seat(state.get("cars"), "cars")
        placed = list(self._by_seat(state.get("classification"), "classification"))
        running = self._seats(report.get("running"))
        home = [seat for seat in placed if cars.get(seat, {}).get("status") == "finished"]
        order = dict.fromkeys([*home, *running, *placed, *cars])
        return [self._car(seat, cars[seat], people.get(seat, {})) for seat in order if seat in cars]

    def _car(self, seat: int, car: Line, person: Line) -> Line:
        name = self._text(car.get("name"), "name") or self._text(person.get("name"), "name")
        return {"seat": seat, "name": name, "status": self._text(car.get("status"), "status")}

    def _players(self, players: Line) -> list[Line]:
        told: list[Line] = []
        for seat, player in players.items():
            if not (seat.isascii() and seat.isdecimal() and len(seat) < 4):
                self._wrong("players", "by the numbers of their seats", seat)
                continue
            name = self._text(self._object(player, "a player").get("name"), "name")
            told.append({"seat": int(seat), "name": name})
        return told

    def _by_seat(self, value: object, what: str) -> dict[int, Line]:
        found = {}
        for one in self._objects(value, what):
            seat = self._whole(one.get("seat"), "seat")
            if seat is not None:
                found[seat] = one
        return found

    def _seats(self, value: object) -> list[int]:
        if value is not None and not isinstance(value, list):
            self._wrong("running", "a list of seats", value)
        seats = [self._whole(one, "running") for one in (value if isinstance(value, list) else ())]
        return [seat for seat in seats if seat is not None]

    def _object(self, value: object, what: str) -> Line:
        if value is None or isinstance(value, dict):
            return value or {}
        self._wrong(what, "an object", value)
        return {}

    def _objects(self, value: object, what: str) -> list[Line]:
        """The objects in a list, or in an object by any names."""
        if value is not None and not isinstance(value, dict | list):
            self._wrong(what, "a list of objects", value)
            return []
        inside: Iterable[object] = value.values() if isinstance(value, dict) else value or ()
        return [self._object(one, f"one of {what}") for one in inside]

    def _text(self, value: object, what: str) -> str | None:
        if value is None or isinstance(value, str):
            return value
        self._wrong(what, "a text", value)
        return None

    def _whole(self, value: object, what: str) -> int | None:
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        self._wrong(what, "a whole number", value)
        return None

    def _wrong(self, what: str, wanted: str, value: object) -> None:
        self.odd.append(f"{what} is {wanted}, not {value!r:.40}")
