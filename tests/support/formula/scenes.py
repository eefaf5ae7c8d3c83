"""Scenes for rule tests: a position on Monaco, and the answers of a turn in one line each.

A scene talks to the rules only as every other program does: lines in, replies out. An answer
that is refused fails the test with the refusal's own sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

JSON = Mapping[str, Any]
LIBRARY = TrackLibrary()
HARMLESS = 20
"""The black die that hurts nobody in a collision, an engine test or over debris."""


class Scene:
    """A race begun at a position; `turn` is the first seat of `order` unless named otherwise."""

    def __init__(
        self,
        cars: Mapping[int, JSON],
        *,
        order: list[int] | None = None,
        new_round: bool = False,
        header: JSON | None = None,
        library: Any = LIBRARY,
        **position: Any,
    ) -> None:
        position["cars"] = {str(seat): dict(car) for seat, car in cars.items()}
        if not new_round:
            order = order or list(cars)
            position = {"order": order, "turn": order[0], "round": 5, **position}
        seats = [{"seat": seat} for seat in cars]
        data = {"game": "formula-d", "track": "monaco", "laps": 2, "seats": seats, **(header or {})}
        self.engine = Engine(library)
        self.events: list[dict[str, Any]] = []
        self._take({"new": {**data, "position": position}})

    def _take(self, line: JSON) -> Scene:
        reply = self.engine.handle(dict(line))
        assert reply["ok"], f"{line}: {reply['error']['message']}"
        self.events += reply["events"]
        return self

    def say(self, line: JSON) -> Scene:
        """Any line, which must be accepted."""
        return self._take(line)

    def refused(self, line: JSON) -> dict[str, Any]:
        """The error of a line that must be refused and change nothing."""
        before = (self.state, self.asks, self.engine.version)
        reply = self.engine.handle(dict(line))
        assert not reply["ok"], f"{line} was accepted"
        assert before == (self.state, self.asks, self.engine.version)
        error: dict[str, Any] = reply["error"]
        return error

    # Answers of the seat that is asked.

    def gear(self, gear: int) -> Scene:
        """The only seat that is asked for its gear answers."""
        return self._take({"seat": self.ask("gear")["seat"], "gear": gear})

    def roll(self, face: int) -> Scene:
        """The only seat that is asked for its gear die answers."""
        return self._take({"seat": self.ask("roll")["seat"], "roll": face})

    def move(self, to: str, brakes: int = 0) -> Scene:
        """The only seat that is asked where it ended answers."""
        line = {"seat": self.ask("move")["seat"], "move": {"to": to, "brakes": brakes}}
        return self._take(line)

    def slip(self, to: str | None, brakes: int = 0) -> Scene:
        """The only seat that is offered a slipstream answers; None declines."""
        value = to and {"to": to, "brakes": brakes}
        return self._take({"seat": self.ask("slipstream")["seat"], "slipstream": value})

    def black(self, seat: int, roll: int | list[int]) -> Scene:
        """A seat rolls the black die."""
        return self._take({"seat": seat, "black": roll})

    def drive(self, gear: int, face: int, to: str, brakes: int = 0) -> Scene:
        """Gear, roll and move of the car on turn."""
        return self.gear(gear).roll(face).move(to, brakes)

    def settle(self, **rolls: int) -> Scene:
        """Answer every black die of this turn: harmless, or `s2=1` for what seat 2 rolls."""
        while self.kinds & {"black", "slipstream"}:
            ask = next(ask for ask in self.asks if ask["kind"] in ("black", "slipstream"))
            if ask["kind"] == "slipstream":
                self.slip(None)
            else:
                self.black(ask["seat"], rolls.get(f"s{ask['seat']}", HARMLESS))
        return self

    # What can be seen.

    @property
    def state(self) -> dict[str, Any]:
        """STATE."""
        state = self.engine.state()
        assert state is not None
        return state

    @property
    def asks(self) -> list[dict[str, Any]]:
        """The open asks."""
        return self.engine.asks()

    @property
    def kinds(self) -> set[str]:
        """The kinds of the open asks."""
        return {ask["kind"] for ask in self.asks}

    def ask(self, kind: str, seat: int | None = None) -> dict[str, Any]:
        """The one open ask of this kind (of this seat)."""
        found = [a for a in self.asks if a["kind"] == kind and seat in (None, a["seat"])]
        assert len(found) == 1, f"asked for {kind}: {found}; open are {self.open}"
        return found[0]

    @property
    def open(self) -> list[tuple[int, str, str | None]]:
        """Seat, kind and `for` of each open ask, as they are listed."""
        return [(ask["seat"], ask["kind"], ask.get("for")) for ask in self.asks]

    def rollers(self, why: str) -> list[int]:
        """The seats that are asked for a black die for this, as they are listed."""
        return [ask["seat"] for ask in self.asks if ask.get("for") == why]

    def ends(self, kind: str = "move", **brakes: int) -> dict[str, dict[str, Any]]:
        """The options of a move by their end; those with `brakes=0` unless another is given."""
        wanted = brakes.get("brakes", 0)
        options = [o for o in self.ask(kind)["options"] if o and o["brakes"] == wanted]
        return {option["to"]: option for option in options}

    def car(self, seat: int) -> dict[str, Any]:
        """One car of STATE."""
        car: dict[str, Any] = self.state["cars"][str(seat)]
        return car

    def wear(self, seat: int, category: str) -> int:
        """Wear points that a car has left in a category."""
        points: int = self.car(seat)["wear"][category]
        return points

    def told(self, name: str) -> list[dict[str, Any]]:
        """The events of this name so far."""
        return [event for event in self.events if event["event"] == name]

    def story(self, *names: str) -> list[str]:
        """The names of the events so far, of these only."""
        return [event["event"] for event in self.events if event["event"] in names]


def at(space: str, gear: int = 4, lap: int = 1, **more: Any) -> dict[str, Any]:
    """A car of a position; `wear` names only the categories that differ."""
    return {"space": space, "gear": gear, "lap": lap, **more}


def option_of(ask: JSON) -> list[Any]:
    """The options of an ask as plain lists."""
    return list(ask["options"])
