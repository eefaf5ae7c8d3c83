"""Hand-made scenes, and whole races played on the keys of six seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest
from support.formula import boardless, careful
from support.formula.hand_made import open_ask, race
from support.screens.hands import picks_no_more, presses_to, sends

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board.track import Track
from companion.rules.formula.car import Car, Status
from companion.rules.formula.game import unhurt
from companion.rules.lines import Answer
from companion.views.dialog import press
from companion.views.formula.parts import the_race
from companion.views.model import Scene, SeatInfo
from companion.views.screen import HOME

JSON = Mapping[str, Any]
NAMES = ("Ana", "Bob", "Cid", "Dora", "Eve", "Fritz")


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
            card=self.engine.card,
            state=self.engine.visible,
            asks=self.engine.open_asks,
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
                assert isinstance(intent, Answer), intent
                replies.append(self.answer(**intent.line))
        return replies


@pytest.fixture
def table() -> Callable[..., Table]:
    return Table


@pytest.fixture
def scene_of(monaco: Track) -> Callable[..., Scene]:
    """A scene around hand-made asks: six cars in a queue before Loews, seat 2 on turn."""

    def make(*asks: JSON, language: str = "en", **more: Any) -> Scene:
        cars = {n: car(n, monaco.index[f"S6.m{20 - 3 * n}"]) for n in (2, 1, 3, 4, 5, 6)}
        state = race(monaco, cars, turn=2)
        asked = tuple(open_ask(state, ask) for ask in asks)
        scene = Scene(9, seats(language), header(), monaco, state=state, asks=asked)
        return replace(scene, **more)

    return make


def car(seat: int, space: int | None) -> Car:
    wear = (4, 3, 2, 3, 0, 2)
    name = NAMES[seat - 1]
    return Car(seat, name, seat, 3, 1, space, wear=wear, status=Status.RACING)


@dataclass
class Rehearsal:
    """A whole race on the keys: random dice, a careful driver, every press counted."""

    table: Table
    dice: random.Random
    turns: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
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
        mover, again = state["turn"], still_to_roll(state)
        rolls = [a for a in asks if a["kind"] == "black" and len(a["options"]) == 2]
        if mover and rolls and (again > 1 or any(a["seat"] != mover for a in rolls)):
            self._settle(mover, rolls, again)
            return
        ask = asks[0]
        if self.table.scene().track is None:
            value = boardless.smooth(ask, self.dice)
        else:
            value = careful.answer(ask, self.table.engine.moment, self.dice)
        if ask["kind"] == "time":  # the table's stopwatch answers
            self.table.answer(seat=ask["seat"], time=value)
            return
        if ask["kind"] == "build":
            value = state["cars"][str(ask["seat"])]["wear"]
        line = {"seat": ask["seat"], ask["kind"]: value}
        spared = self._thrown_before(ask, value) if ask["kind"] == "report" else ()
        self._give(ask["seat"] or 1, ask["kind"], line, *spared)

    def _thrown_before(self, ask: JSON, report: JSON) -> tuple[JSON, ...]:
        """Boardless: the rolls of a contact are thrown first, and told with it if all are high."""
        if not report.get("touched"):
            return ()
        rolls = unhurt(the_race(self.table.scene()), Answer(ask["seat"], "report", report))
        spared = [roll.value for roll in rolls]
        lows = [one[0] if isinstance(one, list) else one for one in spared]
        high = all(self.dice.randint(1, 20) >= low for low in lows)
        return tuple(dict(roll.line) for roll in rolls) if high else ()

    def _settle(self, mover: int, rolls: list[dict[str, Any]], again: int) -> None:
        """The mover's list: a press for one that is hurt, or one press where nobody is."""
        lines = []
        for ask in rolls:
            thrown = [self.dice.randint(1, 20) for _ in range(again if ask["seat"] == mover else 1)]
            roll = self.rolled.setdefault((ask["seat"], ask["since"]), min(thrown))
            lines.append({"seat": ask["seat"], "black": roll})
            if roll <= ask["options"][0][1]:
                self._give(mover, "hurt", lines[-1])
                return
        self._give(mover, "spared", *lines)

    def _give(self, seat: int, kind: str, *lines: JSON) -> None:
        buttons = presses_to(self.table.scene(), seat, sends(*lines), leads=picks_no_more(*lines))
        assert buttons is not None, (seat, kind, lines, self.table.engine.asks())
        self.table.press(seat, *buttons)
        self.kinds[kind] += len(buttons)
        if kind == "order":  # boardless: the table's, once a round
            self.rounds.append(len(buttons))
            return
        if self.turns:
            self.turns[-1] += len(buttons)
        else:
            self.setting_up += len(buttons)


def still_to_roll(state: JSON) -> int:
    """How often the mover of a collision still rolls."""
    pending = state.get("pending") or [{}]
    return len(pending[0].get("against", ())) if pending[0].get("step") == "collision" else 1


@pytest.fixture
def rehearse() -> Callable[..., Rehearsal]:
    """Play a race of six on the keys, with dice from a seed."""

    def play(seed: int, laps: int = 2, **more: Any) -> Rehearsal:
        return played(seed, laps, **more) if more else usual(seed, laps)

    return play


def played(seed: int, laps: int, **more: Any) -> Rehearsal:
    return Rehearsal(Table().new(laps=laps, **more), random.Random(seed)).play()


usual = cache(played)
"""Several tests look at the same race."""
