"""Scenes made by hand: what is asked from the JSON of the engine protocol, and changed cars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.rules.board.track import Track
from companion.rules.board.ways import Arrival
from companion.rules.formula import asks as its
from companion.rules.formula.book import (
    CATEGORIES,
    GEAR_DICE,
    LeavesPit,
    Loses,
    Outcome,
    Reason,
    Setup,
    Sky,
    Starts,
    Unhurt,
)
from companion.rules.formula.car import Car, NearEnd, Option, Out, Status, Trial
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import Phase, State
from companion.rules.game import Ask, OpenAsk
from companion.system.frozen import dataclass
from companion.views.model import Scene

JSON = Mapping[str, Any]
OPENED = 7
"""The version at which an ask opened, where a test names no other."""


def race(track: Track, cars: Mapping[int, Car], **more: Any) -> State:
    """Round 3 of a race of two laps, in fine weather."""
    setup = Setup(track, laps=2)
    return State(setup, OnBoard(), Phase.RACE, 3, order=tuple(cars), cars=cars, **more)


def with_state(scene: Scene, **parts: Any) -> Scene:
    """The scene with some fields of its race changed; `laps` and `rules` are in its setup."""
    state = scene.state
    assert isinstance(state, State)
    settled = {key: parts.pop(key) for key in ("laps", "rules") if key in parts}
    setup = replace(state.setup, **settled)
    if "phase" in parts:
        parts["phase"] = Phase(parts["phase"])
    return replace(scene, state=replace(state, setup=setup, **parts))


def with_rules(scene: Scene, *rules: str) -> Scene:
    """The scene of a race with these optional rules."""
    return with_state(scene, rules=frozenset(rules))


def with_car(scene: Scene, seat: int, **parts: Any) -> Scene:
    """The scene with some fields of a car changed, as STATE has them."""
    state = scene.state
    assert isinstance(state, State)
    track = state.setup.track
    read: dict[str, Callable[[Any], Any]] = {
        "space": lambda space: None if space is None else track.index[space],
        "wear": wear,
        "full": wear,
        "status": Status,
        "trial": lambda trial: Trial(**trial),
        "out": lambda out: Out(**{"space": None, "was": Status.RACING, **out}),
    }
    values = {key: read[key](value) if key in read else value for key, value in parts.items()}
    car = state.cars[seat]
    for kind in ("street", "memory", "flags", "reckoning"):
        record = getattr(car, kind)
        own = {key: values.pop(key) for key in [*values] if key in vars(record)}
        car = replace(car, **{kind: replace(record, **own)})
    cars = {**state.cars, seat: replace(car, **values)}
    return replace(scene, state=replace(state, cars=cars))


def wear(points: Mapping[str, int]) -> tuple[int, ...]:
    """Wear points by their names."""
    return tuple(points.get(category, 0) for category in CATEGORIES)


@dataclass(frozen=True, slots=True)
class Unheard(Ask):
    """An ask that no game has, with a list or nothing to choose from."""

    name: str = ""
    options: tuple[Any, ...] | None = None

    @property
    def kind(self) -> str:  # type: ignore[override]
        """Any name."""
        return self.name

    def data(self) -> dict[str, Any]:
        """The options."""
        return {} if self.options is None else {"options": list(self.options)}


def open_ask(state: State, data: JSON) -> OpenAsk:
    """An open ask of the engine protocol."""
    make = _MAKERS.get(data["kind"])
    if make is None:
        options = data.get("options")
        ask: Ask = Unheard(data["seat"], data["kind"], options and tuple(options))
    else:
        ask = make(state, data["seat"], data.get("options"), data)
    return OpenAsk(ask, data.get("since", OPENED))


def _gear(_: State, seat: int, options: Any, data: JSON) -> Ask:
    costs, out = data.get("costs", {}), data.get("out", ())
    choices = [
        its.GearChoice(gear, wear(costs.get(str(gear), {})), out=gear in out) for gear in options
    ]
    return its.GearAsk(seat, choices, CATEGORIES)


def _roll(_: State, seat: int, options: Any, data: JSON) -> Ask:
    return its.RollAsk(
        seat, next(gear for gear, (_, top) in GEAR_DICE.items() if top == options[-1])
    )


def _meanings(state: State, reason: str, options: Any) -> list[its.Meaning]:
    rows = {tuple(numbers): line for line, numbers in (state.setup.track.weather or {}).items()}
    hurt = {"collision": 3, "engine": 4, "debris": 5}
    known: dict[str, list[its.Meaning]] = {
        "start": [Starts("stalled"), Starts("normal"), Starts("great")],
        "pit": [*map(LeavesPit, range(1, 6)), LeavesPit(0)],
        "noise": [Unhurt(), Loses(0), Loses(3), Loses(4)],
        "radio": [Loses(category) for category in range(len(CATEGORIES))],
    }
    if reason in hurt:
        return [Loses(hurt[reason]), Unhurt()]
    if reason == "weather":
        return [Sky(rows[tuple(numbers)]) for numbers in options]
    return known.get(reason, [None] * len(options))


def _black(state: State, seat: int, options: Any, data: JSON) -> Ask:
    meanings = _meanings(state, data["for"], options)
    outcomes = [Outcome(*numbers, what) for numbers, what in zip(options, meanings, strict=True)]
    times = data.get("times", 1)
    return its.BlackAsk(seat, Reason(data["for"]), outcomes, data.get("with"), times=times)


def _end(track: Track, end: JSON) -> Option:
    debris = tuple(track.index[space] for space in end["debris"])
    arrival = Arrival(track.index[end["to"]], debris)
    cost = wear(end["cost"])
    return Option(arrival, 0, end["brakes"], 0, cost, end["spin"], end["out"])


def _move(state: State, seat: int, options: Any, data: JSON) -> Ask:
    track = state.setup.track
    ends = [_end(track, end) for end in options if end is not None]
    if data["kind"] == "slipstream":
        return its.SlipstreamAsk(seat, track, ends)
    near = [NearEnd(track.index[one["to"]], ends[0]) for one in data.get("near", ())]
    return its.MoveAsk(seat, track, ends, near)


def _points(state: State, seat: int, options: Any, data: JSON) -> Ask:
    kind = its.RepairAsk if data["kind"] == "repair" else its.RecoverAsk
    return kind(seat, options["points"], tuple(options["categories"]))


def _build(state: State, seat: int, options: Any, data: JSON) -> Ask:
    return its.BuildAsk(seat, options["points"], options["limits"])


def _length(state: State, seat: int, options: Any, data: JSON) -> Ask:
    return its.LengthAsk(seat, [its.Length(one["spaces"], tuple(one["by"])) for one in options])


_MAKERS: Mapping[str, Callable[[State, int, Any, JSON], Ask]] = {
    "gear": _gear,
    "roll": _roll,
    "black": _black,
    "move": _move,
    "slipstream": _move,
    "repair": _points,
    "recover": _points,
    "build": _build,
    "length": _length,
    "pit": lambda state, seat, options, data: its.PitAsk(seat),
    "tires": lambda state, seat, options, data: its.TiresAsk(seat),
    "time": lambda state, seat, options, data: its.TimeAsk(seat),
    "radio": lambda state, seat, options, data: its.RadioAsk(seat, tuple(options[:-1])),
    "second_roll": lambda state, seat, options, data: its.SecondRollAsk(seat, data["roll"]),
    "reroll": lambda state, seat, options, data: its.RerollAsk(seat, data["outcome"]),
}
