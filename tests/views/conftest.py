"""Hand-made scenes, and whole races played on the keys of six seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from companion.engine import Engine
from companion.rules.track import Track
from companion.tracklib import TrackLibrary
from companion.views.dialog import HOME, press
from companion.views.hands import presses_to, sends
from companion.views.model import Scene, SeatInfo, Send

JSON = Mapping[str, Any]
NAMES = ("Ana", "Bob", "Cid", "Dora", "Eve", "Fritz")
DICE = {
    1: (1, 1, 2, 2),
    2: (2, 3, 3, 4, 4, 4),
    3: (4, 5, 6, 6, 7, 7, 8, 8),
    4: tuple(range(7, 13)),
    5: tuple(range(11, 21)),
    6: tuple(range(21, 31)),
}
"""Faces of the gear dice; how often each occurs does not matter to the keys."""


@pytest.fixture(scope="session")
def monaco() -> Track:
    return TrackLibrary().load("monaco")


def seats(language: str = "en", names: Sequence[str] = NAMES) -> tuple[SeatInfo, ...]:
    return tuple(
        SeatInfo(n, name, language, host=n == 1, link=f"http://10.0.0.1:8000/seat/{n}#{n}abcdef")
        for n, name in enumerate(names, 1)
    )


def header(laps: int = 2, names: Sequence[str] = NAMES, **more: Any) -> dict[str, Any]:
    cars = [{"seat": n, "name": name} for n, name in enumerate(names, 1)]
    return {"game": "formula-d", "track": "monaco", "laps": laps, "rules": [], "seats": cars} | more


@dataclass
class Table:
    """An engine with six seats; what the running table will do, without its thread and disk."""

    language: str = "en"
    names: tuple[str, ...] = NAMES
    engine: Engine = field(default_factory=lambda: Engine(TrackLibrary()))

    def new(self, **more: Any) -> Table:
        reply = self.engine.handle({"new": header(names=self.names, **more)})
        assert reply["ok"], reply
        return self

    def place(self, **position: Any) -> Table:
        return self.new(position=position)

    def scene(self, **more: Any) -> Scene:
        return Scene(
            version=self.engine.version,
            seats=seats(self.language, self.names),
            header=self.engine.header,
            track=self.engine.track,
            state=self.engine.state(),
            asks=tuple(self.engine.asks()),
            **more,
        )

    def answer(self, **line: Any) -> dict[str, Any]:
        reply = self.engine.handle(line)
        assert reply["ok"], (line, reply)
        return reply

    def press(self, seat: int, *buttons: int) -> list[dict[str, Any]]:
        """Press buttons one after another; every line that they send must be accepted."""
        dialog, replies = HOME, []
        for button in buttons:
            dialog, intents = press(self.scene(), seat, dialog, button)
            for intent in intents:
                assert isinstance(intent, Send), intent
                replies.append(self.answer(**intent.line))
        return replies


@pytest.fixture
def table() -> Callable[..., Table]:
    return Table


@pytest.fixture
def scene_of(monaco: Track) -> Callable[..., Scene]:
    """A scene around hand-made asks: six cars in a queue before Loews, seat 2 on turn."""

    def make(*asks: JSON, language: str = "en", **more: Any) -> Scene:
        state = {
            "phase": "race", "round": 3, "laps": 2, "turn": 2, "order": [2, 1, 3, 4, 5, 6],
            "weather": "fine", "raining": False, "debris": [], "classification": [],
            "cars": {str(n): car(n, f"S6.m{20 - 3 * n}") for n in range(1, 7)},
        }  # fmt: skip
        asked = tuple({"since": 7} | dict(ask) for ask in asks)
        told = Scene(9, seats(language), header(), monaco, state, asked)
        return replace(told, **more)

    return make


def car(seat: int, space: str | None, **more: Any) -> dict[str, Any]:
    wear = {"tires": 4, "brakes": 3, "gearbox": 2, "body": 3, "engine": 0, "handling": 2}
    return {
        "seat": seat, "name": NAMES[seat - 1], "gear": 3, "lap": 1, "space": space, "stops": 0,
        "wear": wear, "tires": "hard", "tires_lap": 1, "status": "racing", "out": None,
        "place": None, "pit_stops": 0,
    } | more  # fmt: skip


@pytest.fixture
def make_car() -> Callable[..., dict[str, Any]]:
    return car


@dataclass
class Rehearsal:
    """A whole race on the keys: random dice, prudent gears, the cheapest end of every move."""

    table: Table
    dice: random.Random
    turns: list[int] = field(default_factory=list)
    setting_up: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    rolled: dict[tuple[int, int], int] = field(default_factory=dict)

    def play(self) -> Rehearsal:
        """Play until nobody is asked anything."""
        turn: tuple[Any, ...] = ()
        while asks := self.table.engine.asks():
            state = self.table.engine.state()
            assert state is not None
            now = (state["round"], state["turn"])
            if state["turn"] is not None and now != turn:
                self.turns.append(0)
                turn = now
            self._step(state, asks)
        return self

    def _step(self, state: JSON, asks: list[dict[str, Any]]) -> None:
        rolls = [a for a in asks if a["kind"] == "black" and len(a["options"]) == 2]
        if state["turn"] is not None and any(a["seat"] != state["turn"] for a in rolls):
            self._settle(state["turn"], rolls)
            return
        ask = asks[0]
        self._give(ask["seat"], ask["kind"], {"seat": ask["seat"], ask["kind"]: self._value(ask)})

    def _settle(self, mover: int, rolls: list[dict[str, Any]]) -> None:
        """The mover's list: a press for one that is hurt, or one press where nobody is."""
        lines = []
        for ask in rolls:
            roll = self.rolled.setdefault((ask["seat"], ask["since"]), self.dice.randint(1, 20))
            lines.append({"seat": ask["seat"], "black": roll})
            if roll <= ask["options"][0][1]:
                self._give(mover, "hurt", lines[-1])
                return
        self._give(mover, "spared", *lines)

    def _give(self, seat: int, kind: str, *lines: JSON) -> None:
        buttons = presses_to(self.table.scene(), seat, sends(*lines))
        assert buttons is not None, (seat, kind, lines, self.table.engine.asks())
        self.table.press(seat, *buttons)
        self.kinds[kind] += len(buttons)
        if self.turns:
            self.turns[-1] += len(buttons)
        else:
            self.setting_up += len(buttons)

    def _value(self, ask: JSON) -> Any:
        kind = ask["kind"]
        if kind == "black":
            return self.dice.randint(1, 20)
        if kind == "roll":
            return self.dice.choice(DICE[self._gear(ask)])
        if kind == "gear":
            return self._prudent(ask)
        best = min((o for o in ask["options"] if o), key=self._expense)
        if kind == "slipstream" and (best["cost"] or best["out"]):
            return None
        return {"to": best["to"], "brakes": best["brakes"]}

    def _expense(self, option: JSON) -> tuple[Any, ...]:
        """What a player would rather not have; ends that cost alike are a matter of taste."""
        lost = sum(option["cost"].values())
        return option["out"], option["spin"], lost, len(option["debris"]), self.dice.random()

    def _gear(self, ask: JSON) -> int:
        return next(g for g, faces in DICE.items() if sorted(set(faces)) == ask["options"])

    def _prudent(self, ask: JSON) -> int:
        """The highest gear that is unlikely to carry the car out of its corner."""
        track, state = self.table.engine.track, self.table.engine.state()
        assert track is not None
        assert state is not None
        mine = state["cars"][str(ask["seat"])]
        gears = [g for g in ask["options"] if g not in ask["out"]] or ask["options"]
        space = track.index[mine["space"]]
        if track.lane[space] < 0:
            return max(gears)
        room = spaces_left(track, space, mine["stops"])
        safety = {g: sum(face <= room for face in DICE[g]) / len(DICE[g]) for g in gears}
        free = [g for g in gears if not ask["costs"].get(str(g)) and safety[g] > 0.85]
        return max(free) if free else max(gears, key=lambda g: (safety[g], g))


def spaces_left(track: Track, space: int, stops: int) -> int:
    """Spaces to the end of the next corner that still wants a stop."""
    corner = track.next_corner[space]
    met = track.corner[space] >= 0 and stops >= track.corners[corner].stops
    count = 0
    while track.next_corner[space] == corner or met:
        met = met and track.next_corner[space] == corner
        corner = track.next_corner[space]
        space = track.ahead[space]
        count += 1
    return count - 1


@pytest.fixture
def rehearse() -> Callable[[int], Rehearsal]:
    """Play a race of six on the keys, with dice from a seed."""

    def play(seed: int, laps: int = 2) -> Rehearsal:
        return Rehearsal(Table().new(laps=laps), random.Random(seed)).play()

    return play
