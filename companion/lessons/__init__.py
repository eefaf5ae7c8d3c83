"""The tutorial: positions for a whole first race, most on Le Manège, each with the rule that it
shows; four are of the basic game (FD-BASIC), the last four of another game, which has no board.

What a position is, what may be answered and what is right is data (`manege.json`); whether an
answer is right the engine says, on a race of its own that nobody keeps. A position begins as
HEADER of the engine protocol does, then the answers of `played` are given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.lines import Answer
from companion.system.frozen import dataclass

SEAT: Final = 1
"""The seat of whoever learns."""
TRACK: Final = "manege"
NOBODY_ELSE: Final[Mapping[str, Any]] = {"cars": {str(SEAT): None}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A position and what is asked in it.

    `choices` are answers of the ask `kind`; `right` is the place of the right one, which loses what
    `loses` says, and makes of the car in STATE what `becomes` says; `words` are `title`, `says`,
    `do` and, where answers have none of their own, `choices` by language. `rules` are the optional
    rules that are on, `header` what else the race begins with; without a `position` it begins at
    its start, without a `track` it has no board. `risky`: more is rolled after the right one.
    """

    id: str
    rule: str
    position: Mapping[str, Any] | None
    played: Sequence[Mapping[str, Any]]
    kind: str
    choices: Sequence[Any]
    loses: Mapping[str, int]
    right: int
    words: Mapping[str, Mapping[str, Any]]
    rules: Sequence[str] = ()
    game: str = "formula-d"
    track: str | None = TRACK
    risky: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)
    becomes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the engine says of a choice: whether it is `right`, and why it is not.

    `rules` are those that it breaks, or by which it ends badly, at the spaces `at`; `loses` is what
    it costs, `is_out` that it puts the car out or spins it, `is_risky` that dice decide more.
    """

    right: bool
    legal: bool
    rules: tuple[str, ...]
    at: tuple[str, ...]
    loses: Mapping[str, int]
    is_out: bool
    is_risky: bool


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """The lessons in their order."""
    text = files("companion.lessons").joinpath("manege.json").read_text("utf-8")
    return tuple(Lesson(**one) for one in json.loads(text))


def posed(lesson: Lesson) -> Engine:
    """An engine that asks what the lesson asks.

    Raises:
        ValueError: the engine refuses the position, or asks something else; the message says what.
    """
    engine, position = Engine(TrackLibrary()), lesson.position
    header: dict[str, Any] = {"game": lesson.game, "rules": list(lesson.rules), **lesson.header}
    if lesson.track is not None:
        seats = [{"seat": int(seat), "name": seat} for seat in (position or NOBODY_ELSE)["cars"]]
        header = {"track": lesson.track, "laps": 2, "seats": seats, **header}
    if position is not None:
        header["position"] = position
    lines = [{"new": header}, *lesson.played]
    for line in lines:
        reply = engine.handle(line)
        if not reply["ok"]:
            raise ValueError(f"{lesson.id}: {reply['error']['message']}")
    if not any((one.seat, one.kind) == (SEAT, lesson.kind) for one in engine.open):
        raise ValueError(f"{lesson.id}: nobody is asked {lesson.kind}")
    return engine


def judge(lesson: Lesson, choice: int) -> Verdict:
    """What comes of a choice, by its place.

    Raises:
        IndexError: there is no such choice.
    """
    engine, value = posed(lesson), lesson.choices[choice]
    found, before = engine.explain(Answer(SEAT, lesson.kind, value)), _car(engine)
    if found.legal:
        engine.handle({"seat": SEAT, lesson.kind: value})
    car = _car(engine)
    had, has = before.get("wear", {}), car.get("wear", {})
    loses = {name: had[name] - has[name] for name in had if has[name] < had[name]}
    is_out = car.get("status") in ("out", "spun")
    is_risky = lesson.kind == "move" and any(one.kind == "black" for one in engine.open)
    fits = loses == lesson.loses and lesson.becomes.items() <= car.items()
    return Verdict(
        right=found.legal and fits and not is_out and is_risky == lesson.risky,
        legal=found.legal,
        rules=found.rules,
        at=found.at,
        loses=loses,
        is_out=is_out,
        is_risky=is_risky,
    )


def _car(engine: Engine) -> Mapping[str, Any]:
    """The learner's car in STATE; of a game in which a player has several, the player."""
    state: Any = engine.state()
    car: Mapping[str, Any] = state["cars"].get(str(SEAT)) or state["players"][str(SEAT)]
    return car
