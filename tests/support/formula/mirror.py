"""A race on a board, told again as a race on the card of that board: true reports of true moves.

Every black die shows 20, so nothing happens but what the ways bring. What the companion makes of
the reports can then be held against where the cars really are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from support.formula import careful
from support.formula.boardless import SHIPPED

JSON = dict[str, Any]
SPARED = 20


def card_of(board: str) -> str:
    """The card of a board that ships: what is printed beside its corners."""
    corners = SHIPPED.load(board).corners
    told = ", ".join(f'"{one.stops}:{one.shortest}-{one.longest}"' for one in corners)
    return f'kind = "card"\nname = "Card of {board}"\ncorners = [{told}]\n'


@dataclass
class Turn:
    """A turn that was driven: its gear and face, its true report; `state` is the end of it."""

    seat: int
    gear: int = 0
    face: int = 0
    report: JSON = field(default_factory=dict)
    state: JSON = field(default_factory=dict)


class Cards(TrackLibrary):
    """What ships, and the card of a board as `card of NAME`."""

    def text(self, name: object) -> str:
        before, _, board = str(name).partition("card of ")
        return card_of(board) if board and not before else super().text(name)


@cache
def turns(
    board: str, seed: int, seats: int = 6, laps: int = 2, game: str = "formula-d"
) -> tuple[Turn, ...]:
    """The turns of a race of careful drivers that never stop in the pit."""
    return tuple(_driven(board, seed, seats, laps, game))


def _driven(board: str, seed: int, seats: int, laps: int, game: str) -> Iterator[Turn]:
    engine, dice = Engine(SHIPPED), Random(seed)
    reply: Any = engine.handle({"new": header(seats, laps, track=board, game=game)})
    turn: Turn | None = None
    while reply["asks"]:
        ask: JSON = reply["asks"][0]
        if turn is None:
            turn = Turn(ask["seat"])
        value = _value(engine, ask, dice)
        if ask["kind"] == "gear":
            turn.gear = value
        if ask["kind"] == "roll":
            turn.face = value
        reply = engine.handle({"seat": ask["seat"], ask["kind"]: value})
        assert reply["ok"], (ask, value, reply)
        _hear(turn, reply)
        if any(event["event"] == "TurnEnded" for event in reply["events"]) or not reply["asks"]:
            turn.state = engine.state() or {}
            turn.report = {word: told for word, told in turn.report.items() if told}
            yield turn
            turn = None


def header(seats: int, laps: int, **more: Any) -> JSON:
    """Everybody on the grid, and no start rolls."""
    numbers = list(range(1, seats + 1))
    cars = [{"seat": seat, "name": f"car {seat}"} for seat in numbers]
    return {"game": "formula-d", "laps": laps, "seats": cars, "grid": numbers,
            "start": "normal", **more}  # fmt: skip


def _value(engine: Engine, ask: JSON, dice: Random) -> Any:
    if ask["kind"] == "black":
        return SPARED
    if ask["kind"] == "move":
        ask = {
            **ask,
            "options": [end for end in ask["options"] if not end["to"].startswith(("P", "B"))],
        }
    return careful.answer(ask, engine.moment, dice)


def _more(report: JSON, name: str, n: int) -> None:
    report[name] = report.get(name, 0) + n


def _overshot(report: JSON, event: JSON) -> None:
    _more(report, "overshoot", event["spaces"])
    report["missing"] = 2 if event["rule"] == "FD-CORNER-3" else 1


def _fatal(report: JSON, event: JSON) -> None:
    """FD-CORNER-3, DE-CORNER-1: out by the corner, with two stops missing or far beyond it."""
    if event["why"] == "corner" and "missing" in report:
        report["missing"] = 2


HEARD: dict[str, Callable[[JSON, JSON], None]] = {
    "Moved": lambda report, event: _more(report, "brakes", event["brakes"]),
    "Slipstreamed": lambda report, event: _more(report, "brakes", int(bool(event["cost"]))),
    "LineCrossed": lambda report, event: report.update(line=True),
    "Blocked": lambda report, event: report.update(blocked=event["spaces"]),
    "Overshot": _overshot,
    "Eliminated": _fatal,
    "StopMade": lambda report, event: report.update(corner=True),
    "DebrisRolled": lambda report, event: _more(report, "debris", 1),
}
"""What an event of the true race adds to the report of its turn."""


def _hear(turn: Turn, reply: JSON) -> None:
    """What the events of an answer add to the report."""
    for event in reply["events"]:
        if event["event"] == "TurnEnded":
            break
        if event["event"] in HEARD:
            HEARD[event["event"]](turn.report, event)
    met = [ask["seat"] for ask in reply["asks"] if ask.get("for") == "collision"]
    touched = [seat for seat in met if seat != turn.seat]
    if touched:
        turn.report["touched"] = sorted({*turn.report.get("touched", []), *touched})


@dataclass
class Mirror:
    """The same race on the card of its board, or on none; `says` may change what is reported."""

    board: str
    seed: int
    card: bool = True
    seats: int = 6
    laps: int = 2
    says: Callable[[Turn, JSON], JSON] = lambda turn, report: report
    events: list[JSON] = field(default_factory=list)
    orders: list[tuple[list[int], list[int]]] = field(default_factory=list)
    told: list[tuple[Turn, list[JSON], JSON]] = field(default_factory=list)

    def play(self) -> Mirror:
        """Every turn of the true race."""
        self.engine = Engine(Cards(()))
        track = f"card of {self.board}" if self.card else None
        reply = self.engine.handle({"new": header(self.seats, self.laps, track=track)})
        assert reply["ok"], reply
        for turn in turns(self.board, self.seed, self.seats, self.laps):
            self._drive(turn)
        return self

    def _drive(self, turn: Turn) -> None:
        before = len(self.events)
        if self.engine.asks()[0]["kind"] == "order":
            raise AssertionError("the order was not given")
        while (asks := self._asks()) and asks[0]["kind"] != "order":
            ask = asks[0]
            if ask["kind"] == "gear" and ask["seat"] != turn.seat:
                break
            if ask["kind"] == "gear" and len(self.events) > before:
                break
            self._give(ask, turn)
        state: Any = self.engine.state()
        car = state["cars"][str(turn.seat)]
        self.told.append((turn, self.events[before:], car))
        if asks and asks[0]["kind"] == "order":
            true = turn.state["order"]
            self.orders.append((asks[0]["options"], true))
            self._say({"seat": 0, "order": true})

    def _asks(self) -> list[JSON]:
        return [dict(ask) for ask in self.engine.asks()]

    def _give(self, ask: JSON, turn: Turn) -> None:
        given: JSON = {"gear": turn.gear, "roll": turn.face, "black": SPARED}
        if ask["kind"] == "report":
            given["report"] = self.says(turn, self.where(turn, ask))
        self._say({"seat": ask["seat"], ask["kind"]: given[ask["kind"]]})

    def where(self, turn: Turn, ask: JSON) -> JSON:
        """The true report; which corner it was, where two are possible."""
        if True not in ask["options"]["next"] or "corner" not in turn.report:
            return turn.report
        now = self.next_corner(turn.state["cars"][str(turn.seat)]["space"])
        return turn.report | ({"next": True} if now != ask["card"]["corner"] else {})

    def next_corner(self, space: str) -> str:
        """The label of the corner of a space of the board, or of the one after it."""
        board = SHIPPED.load(self.board)
        return board.corners[board.next_corner[board.index[space]]].label

    def _say(self, line: JSON) -> None:
        reply = self.engine.handle(line)
        assert reply["ok"], (line, reply["error"])
        self.events += reply["events"]
