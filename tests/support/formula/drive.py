"""Drives a mixture from its first roll to its result, in a few hundred answers.

To come to all of a race in little time the referee puts the cars forward once they have
started: before the end of the last lap, a car in its trial too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import make_header, replay
from companion.rules.formula.book import GEAR_DICE
from companion.rules.formula.car import Status
from companion.rules.formula.state import Phase, State
from support.formula import careful
from support.formula.invariants import check_all
from support.formula.mixtures import Mixture
from support.formula.street import STREETS
from support.formula.walks import without_since

JSON = dict[str, Any]
FORWARD = (0.78, 0.94)
"""Which part of the lap the cars are put into."""
STARTED = 3
"""A race is on its way after so many rounds."""
ANSWERS = 150
"""After so many the referee ends the race."""


@dataclass
class Drive:
    """A race on an engine: what was answered, and the states that were."""

    mixture: Mixture
    seed: int
    engine: Engine = field(default_factory=lambda: Engine(STREETS))
    record: list[JSON] = field(default_factory=list)
    past: list[Any] = field(default_factory=list)
    put: set[int] = field(default_factory=set)
    """Who was put forward: the seats in their trials, 0 for the race."""

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        reply = self.engine.handle({"new": self.mixture.header})
        assert reply["ok"], f"{self.mixture}: {reply['error']['message']}"

    @property
    def state(self) -> State:
        """The state of the rules."""
        moment: State = self.engine.moment
        return moment

    def say(self, line: JSON) -> None:
        """A line that must be accepted."""
        before = (self.engine.moment, without_since(self.engine.asks()))
        reply = self.engine.handle(line)
        assert reply["ok"], f"{self.mixture}: {line} refused: {reply['error']['message']}"
        self.record.append(line)
        self.past.append(before)

    def answer(self) -> None:
        """One open ask is answered."""
        ask = self.dice.choice(self.engine.asks())
        gears = ask["kind"] == "gear"
        value = self.gear(ask) if gears else careful.answer(ask, self.state, self.dice)
        self.say({"seat": ask["seat"], ask["kind"]: value})

    def gear(self, ask: JSON) -> int:
        """A gear that mostly stops where the next corner wants it, worked out at a glance."""
        gears = [gear for gear in ask["options"] if gear not in ask["out"]] or ask["options"]
        if self.dice.random() < 0.1:
            return int(self.dice.choice(gears))
        room = room_ahead(self.state, ask["seat"])
        return int(max(gears, key=lambda gear: (share_within(gear, room), gear)))

    def take_back(self) -> None:
        """Some lines are taken back: state and asks are exactly what they were."""
        count = min(len(self.past), self.dice.randint(1, 6))
        was = self.past[-count]
        self.say({"undo": count})
        del self.past[-count - 1 :]
        assert (self.engine.moment, without_since(self.engine.asks())) == was, f"{self.mixture}"

    def check(self) -> None:
        """Every invariant, as the table would read the state."""
        state = self.engine.state()
        assert state is not None
        check_all(state, self.engine.asks())

    def is_under_way(self) -> bool:
        """Whether it is time to put the cars forward: a turn begins, and some are over."""
        step = self.state.pending[0] if self.state.pending else None
        if step is None or step.kind != "gear":
            return False
        if self.state.phase is Phase.TRIALS:
            trial = self.state.cars[step.seat].trial
            return bool(step.seat not in self.put and trial and trial.rolls)
        return 0 not in self.put and self.state.round > STARTED

    def put_forward(self) -> None:
        """The referee brings all cars that drive near the end of what they drive."""
        state, track = self.state, self.state.setup.track
        trial = state.phase is Phase.TRIALS
        low, high = (int(part * track.lap_levels) for part in FORWARD)
        taken = {car.space for car in state.cars.values()}
        free = [n for n in track.track_spaces() if low < track.level[n] < high and n not in taken]
        lap = 1 if trial else state.setup.laps
        driving = [seat for seat, car in state.cars.items() if car.status is Status.RACING]
        cars = {
            str(seat): {"space": track.ids[space], "lap": lap, "stops": 0}
            for seat, space in zip(driving, self.dice.sample(free, len(driving)), strict=True)
        }
        self.put.add(state.pending[0].seat if trial else 0)
        self.say({"correct": {"cars": cars}, "reason": "time is short"})

    def finish(self) -> None:
        """Drive to the end; what never gets there is ended by the referee."""
        for number in range(ANSWERS):
            if not self.engine.asks():
                break
            if self.is_under_way():
                self.put_forward()
            self.answer()
            if number % 12 == 0:
                self.check()
            if self.dice.random() < 0.05:
                self.take_back()
        if self.engine.asks():
            self.say({"end": True})
        self.check()


def room_ahead(state: State, seat: int) -> int:
    """The spaces to the limit of the next corner that still asks for a stop, in the car's lane."""
    track, car = state.setup.track, state.cars[seat]
    space, room = car.space, 0
    if space is None:
        return 0
    done = track.corner[space]
    wanted = track.corners[done].stops > car.stops if done >= 0 else False
    asks = done if wanted else -1
    while room < 40:
        space, room = track.ahead[space], room + 1
        if space < 0 or (asks >= 0 and track.corner[space] != asks):
            return room - 1
        if asks < 0 and track.corner[space] not in (-1, done):
            asks = track.corner[space]
    return room


def share_within(gear: int, room: int) -> float:
    """The share of a gear die's faces that stay within so many spaces."""
    low, high = GEAR_DICE[gear]
    return max(0, min(high, room) - low + 1) / (high - low + 1)


def play_through(mixture: Mixture, seed: int) -> Drive:
    """Start, drive, take back, end; then its record replays to the same state."""
    drive = Drive(mixture, seed)
    drive.finish()
    state = drive.engine.state()
    assert state is not None
    assert state["phase"] == "finished"
    text = TrackLibrary(()).text(mixture.board)
    when = "2026-01-01T00:00:00Z"
    first = make_header(mixture.header, race="id", name="", started=when, track_text=text)
    record = [first, *copy.deepcopy(drive.record), {"result": state["classification"]}]
    assert replay(record).state() == state
    return drive
